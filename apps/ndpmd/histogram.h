/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_HISTOGRAM_H
#define NDPDK_NDPMD_HISTOGRAM_H

#include <stdint.h>

/*
 * Log-linear histogram of times. Each power of two is divided into 128 buckets of equal width.
 * Therefore a bucket is never wider than 1/128 of its values. Each value below 256 has its own
 * bucket.
 *
 *   value    0 .. 255     256 .. 511        512 .. 1023       ...   2^39 .. 2^40 - 1
 *   width        1             2                 4            ...        2^32
 */

#define HISTOGRAM_SUB_BITS   7
#define HISTOGRAM_VALUE_BITS 40
#define HISTOGRAM_BUCKETS    ((HISTOGRAM_VALUE_BITS - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

/** Always 34 KiB. A histogram that is filled with zeros is empty. */
struct histogram {
	uint64_t total; /**< number of values recorded */
	uint64_t max;   /**< largest value, exact */
	uint64_t counts[HISTOGRAM_BUCKETS];
};

/** Make a histogram empty. */
void histogram_clear(struct histogram *histogram);

/**
 * Count one value. A value of more than 40 bits counts in the last bucket. The function has no
 * division, and no branch on the value except for the maximum.
 */
static inline void
histogram_record(struct histogram *histogram, uint64_t value)
{
	const uint64_t limit = (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1;
	const uint64_t v = value < limit ? value : limit;
	const unsigned int top =
		63u - (unsigned int)__builtin_clzll(v | (1u << HISTOGRAM_SUB_BITS));
	const unsigned int shift = top - HISTOGRAM_SUB_BITS;

	histogram->counts[(shift << HISTOGRAM_SUB_BITS) + (v >> shift)]++;
	histogram->total++;
	if (value > histogram->max)
		histogram->max = value;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other);

/**
 * Copy a histogram while another thread may record values in it. Each count is read atomically, and
 * the total is the sum of the copied counts.
 */
void histogram_copy(struct histogram *to, const struct histogram *from);

/**
 * Compute the histogram of the values that were recorded between two copies. The largest value of
 * the result is the upper limit of a bucket and may be larger than the exact value.
 */
void histogram_since(
	struct histogram *part, const struct histogram *now, const struct histogram *before);

/** @return largest value that belongs to a bucket. @param index 0 .. HISTOGRAM_BUCKETS - 1 */
uint64_t histogram_bucket_last(uint32_t index);

/**
 * @param per_100000 percentile times 1000, 1 .. 100000: 50000 = median, 99900 = p99.9
 * @return the smaller of two values: the largest value of the bucket that contains the percentile,
 *         and the largest recorded value; 0 = the histogram is empty
 */
uint64_t histogram_percentile(const struct histogram *histogram, uint32_t per_100000);

#endif
