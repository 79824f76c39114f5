/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "ndpmd/histogram.h"

#define SEED UINT64_C(0x1d5c0ffee)

static struct histogram histogram, other;

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* @return a random value; all magnitudes up to HISTOGRAM_VALUE_BITS are equally frequent */
static uint64_t
random_value(uint64_t *state)
{
	const unsigned int bits = (unsigned int)(next_random(state) % HISTOGRAM_VALUE_BITS) + 1;

	return next_random(state) & ((UINT64_C(1) << bits) - 1);
}

static int
compare_values(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

Test(histogram, empty_gives_zero)
{
	histogram_clear(&histogram);
	cr_assert_eq(histogram_percentile(&histogram, 50000), 0);
	cr_assert_eq(histogram_percentile(&histogram, 100000), 0);
}

Test(histogram, small_values_are_exact)
{
	histogram_clear(&histogram);
	for (uint64_t value = 0; value < 256; value++)
		histogram_record(&histogram, value);
	for (uint32_t rank = 1; rank <= 256; rank++) {
		/* smallest percentile, in 1/100000 and rounded up, that yields this rank's value */
		const uint32_t share = (rank - 1) * 100000 / 256 + 1;

		cr_assert_eq(histogram_percentile(&histogram, share), rank - 1, "rank %u: %" PRIu64,
			rank, histogram_percentile(&histogram, share));
	}
}

Test(histogram, every_bucket_boundary_is_within_one_percent)
{
	for (unsigned int bit = 8; bit < HISTOGRAM_VALUE_BITS; bit++) {
		for (int delta = -1; delta <= 1; delta++) {
			const uint64_t value = (UINT64_C(1) << bit) + (uint64_t)(int64_t)delta;
			uint64_t found;

			histogram_clear(&histogram);
			histogram_record(&histogram, value);
			/*
			 * Record a maximum above all other values. Otherwise the histogram would
			 * return the exact maximum for the tested value.
			 */
			histogram_record(&histogram, (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1);
			found = histogram_percentile(&histogram, 50000);
			cr_assert(found >= value && found - value <= value / 100,
				"%" PRIu64 " is found as %" PRIu64, value, found);
		}
	}
}

Test(histogram, percentiles_match_sorted_values)
{
	static const uint32_t shares[] = {
		1, 100, 1000, 10000, 50000, 90000, 99000, 99900, 99999, 100000};
	static uint64_t values[100003];
	const size_t count = sizeof(values) / sizeof(values[0]);
	uint64_t state = SEED;

	histogram_clear(&histogram);
	for (size_t i = 0; i < count; i++) {
		values[i] = random_value(&state);
		histogram_record(&histogram, values[i]);
	}
	qsort(values, count, sizeof(values[0]), compare_values);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const size_t rank = (count * shares[i] + 99999) / 100000;
		const uint64_t exact = values[rank - 1];
		const uint64_t found = histogram_percentile(&histogram, shares[i]);

		cr_assert(found >= exact && found - exact <= exact / 128,
			"share %u: %" PRIu64 " instead of %" PRIu64 ", seed %" PRIx64, shares[i],
			found, exact, SEED);
	}
	cr_assert_eq(histogram_percentile(&histogram, 100000), values[count - 1]);
}

Test(histogram, merge_equals_recording_both)
{
	static struct histogram both;
	uint64_t state = SEED;

	histogram_clear(&histogram);
	histogram_clear(&other);
	histogram_clear(&both);
	for (int i = 0; i < 10000; i++) {
		const uint64_t value = random_value(&state);

		histogram_record(i % 3 == 0 ? &histogram : &other, value);
		histogram_record(&both, value);
	}
	histogram_merge(&histogram, &other);
	cr_assert_eq(memcmp(&histogram, &both, sizeof(both)), 0, "seed %" PRIx64, SEED);
}

Test(histogram, too_large_value_counts_and_stays_maximum)
{
	histogram_clear(&histogram);
	histogram_record(&histogram, UINT64_MAX);
	histogram_record(&histogram, 7);
	cr_assert_eq(histogram.total, 2);
	cr_assert_eq(histogram_percentile(&histogram, 50000), 7);
	cr_assert_eq(histogram_percentile(&histogram, 100000), UINT64_MAX);
}

Test(histogram, difference_of_copies_is_what_came_between)
{
	static struct histogram before, now, part, between;
	uint64_t state = SEED, largest = 0;

	histogram_clear(&histogram);
	histogram_clear(&between);
	for (int i = 0; i < 10000; i++) {
		/*
		 * Values in the second half are smaller, so its maximum is not the maximum of all
		 * values.
		 */
		const uint64_t value = random_value(&state) / (i < 5000 ? 1 : 3);

		if (i == 5000)
			histogram_copy(&before, &histogram);
		histogram_record(&histogram, value);
		if (i < 5000)
			continue;
		histogram_record(&between, value);
		largest = value > largest ? value : largest;
	}
	histogram_copy(&now, &histogram);
	cr_assert_eq(memcmp(&now, &histogram, sizeof(now)), 0);
	histogram_since(&part, &now, &before);
	cr_assert_eq(part.total, 5000);
	cr_assert_eq(
		memcmp(part.counts, between.counts, sizeof(part.counts)), 0, "seed %" PRIx64, SEED);
	cr_assert(part.max >= largest && part.max - largest <= largest / 128,
		"%" PRIu64 " instead of %" PRIu64, part.max, largest);
	histogram_since(&part, &now, &now);
	cr_assert_eq(part.total, 0);
	cr_assert_eq(histogram_percentile(&part, 100000), 0);
}
