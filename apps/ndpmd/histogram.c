/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "histogram.h"

#include <assert.h>
#include <string.h>

#define SUB_COUNT (1u << HISTOGRAM_SUB_BITS)

static_assert(HISTOGRAM_BUCKETS == 4352, "1/128 is below 1 %, and 34 KiB are enough for it");

void
histogram_clear(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
}

void
histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->counts[i] += other->counts[i];
	histogram->total += other->total;
	if (other->max > histogram->max)
		histogram->max = other->max;
}

/* Inverse function of the index computation in histogram_record(). */
uint64_t
histogram_bucket_last(uint32_t index)
{
	const uint32_t block = index >> HISTOGRAM_SUB_BITS;
	const uint64_t sub = index & (SUB_COUNT - 1);

	if (block == 0)
		return index;
	return ((sub + SUB_COUNT + 1) << (block - 1)) - 1;
}

void
histogram_copy(struct histogram *to, const struct histogram *from)
{
	to->total = 0;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		to->counts[i] = __atomic_load_n(&from->counts[i], __ATOMIC_RELAXED);
		to->total += to->counts[i];
	}
	to->max = __atomic_load_n(&from->max, __ATOMIC_RELAXED);
}

void
histogram_since(struct histogram *part, const struct histogram *now, const struct histogram *before)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		part->counts[i] = now->counts[i] - before->counts[i];
		if (part->counts[i] > 0)
			last = i;
	}
	part->total = now->total - before->total;
	part->max = part->total == 0 ? 0 : histogram_bucket_last(last);
	/*
	 * The limit of the bucket may exceed the exact maximum now->max, and the last bucket has no
	 * limit. In both cases use now->max.
	 */
	if (part->max > now->max || last == HISTOGRAM_BUCKETS - 1)
		part->max = now->max;
}

uint64_t
histogram_percentile(const struct histogram *histogram, uint32_t per_100000)
{
	const uint64_t whole = histogram->total / 100000, rest = histogram->total % 100000;
	const uint64_t rank = whole * per_100000 + (rest * per_100000 + 99999) / 100000;
	uint64_t seen = 0;

	if (histogram->total == 0)
		return 0;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		seen += histogram->counts[i];
		if (seen >= rank && histogram->counts[i] > 0) {
			const uint64_t last = histogram_bucket_last(i);

			return last < histogram->max ? last : histogram->max;
		}
	}
	return histogram->max;
}
