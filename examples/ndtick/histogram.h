/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_HISTOGRAM_H
#define NDPDK_NDTICK_HISTOGRAM_H

/* Times in cycles, in classes of at most 1/64 of their size: adding one is a few instructions. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <rte_common.h>
#include <rte_cycles.h>

/* Values below 128 have a class of their own; each octave above has 64 classes. */
#define OCTAVE_BITS 6u
#define CLASSES     ((64u - OCTAVE_BITS + 1u) << OCTAVE_BITS)

struct histogram {
	uint64_t count, max;
	uint64_t classes[CLASSES];
};

static inline void
histogram_add(struct histogram *histogram, uint64_t value)
{
	const unsigned int bits = 63u - (unsigned int)__builtin_clzll(value | 1);
	const unsigned int shift = bits > OCTAVE_BITS ? bits - OCTAVE_BITS : 0;

	histogram->classes[((uint64_t)shift << OCTAVE_BITS) + (value >> shift)]++;
	histogram->count++;
	histogram->max = RTE_MAX(histogram->max, value);
}

/** @return in us, the upper end of the class that so many parts of 1000 do not exceed */
static inline double
histogram_us(const struct histogram *histogram, uint64_t permille)
{
	const uint64_t wanted = (histogram->count * permille + 999) / 1000;
	uint64_t seen = 0, end = 0;

	for (unsigned int i = 0; i < CLASSES && seen < wanted; i++) {
		const unsigned int shift = i >> (OCTAVE_BITS + 1) ? (i >> OCTAVE_BITS) - 1 : 0;

		seen += histogram->classes[i];
		end = ((uint64_t)(i - (shift << OCTAVE_BITS)) + 1) << shift;
	}
	return (double)RTE_MIN(histogram->max, end) * 1e6 / (double)rte_get_tsc_hz();
}

static inline void
histogram_print(const struct histogram *histogram, const char *what)
{
	printf("%s: %" PRIu64 ", p50 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.2f us\n", what,
		histogram->count, histogram_us(histogram, 500), histogram_us(histogram, 990),
		histogram_us(histogram, 999), histogram_us(histogram, 1000));
}

#endif
