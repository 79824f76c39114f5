/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_HISTOGRAM_H
#define NDPDK_NDTICK_HISTOGRAM_H

/* Times in cycles, in classes of 1/64 of their size: adding one is a few instructions. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <rte_common.h>
#include <rte_cycles.h>

#define HISTOGRAM_SHIFT 6

struct histogram {
	uint64_t count, max;
	uint64_t classes[(64 - HISTOGRAM_SHIFT + 1) << HISTOGRAM_SHIFT];
};

static inline void
histogram_add(struct histogram *histogram, uint64_t value)
{
	const unsigned int bits = value < 1u << HISTOGRAM_SHIFT ? 0 : 63 - __builtin_clzll(value);
	const unsigned int shift = bits < HISTOGRAM_SHIFT ? 0 : bits - HISTOGRAM_SHIFT;

	/* value >> shift is below 2^7, and has its highest bit from the second octave on. */
	histogram->classes[((uint64_t)shift << HISTOGRAM_SHIFT) + (value >> shift)]++;
	histogram->count++;
	histogram->max = RTE_MAX(histogram->max, value);
}

/** @return upper end of the class with the value that so many parts of 1000 do not exceed */
static inline uint64_t
histogram_at(const struct histogram *histogram, uint64_t permille)
{
	const uint64_t wanted = (histogram->count * permille + 999) / 1000;
	uint64_t seen = 0;

	for (unsigned int i = 0; i < RTE_DIM(histogram->classes); i++) {
		const unsigned int octave = i >> HISTOGRAM_SHIFT;
		const unsigned int shift = octave == 0 ? 0 : octave - 1;

		seen += histogram->classes[i];
		if (seen >= wanted && seen != 0)
			return RTE_MIN(histogram->max,
				((uint64_t)(i - (shift << HISTOGRAM_SHIFT) + 1) << shift) - 1);
	}
	return histogram->max;
}

static inline void
histogram_print(const struct histogram *histogram, const char *what)
{
	const double us = (double)rte_get_tsc_hz() / 1e6;

	printf("%s: %" PRIu64 ", p50 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.2f us\n", what,
		histogram->count, (double)histogram_at(histogram, 500) / us,
		(double)histogram_at(histogram, 990) / us,
		(double)histogram_at(histogram, 999) / us, (double)histogram->max / us);
}

#endif
