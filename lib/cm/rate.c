/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/rate.h"

#include "base/assert.h"

#define NS_PER_SECOND UINT64_C(1000000000)

struct cm_pace
cm_pace_of(uint64_t interval_ns, uint32_t burst_count)
{
	BASE_ASSERT(burst_count >= 1 && interval_ns >= 1);
	return (struct cm_pace){
		.interval_ns = interval_ns,
		.slack_ns = (burst_count - 1) * interval_ns,
	};
}

struct cm_pace
cm_pace_make(uint32_t per_second, uint32_t burst_count)
{
	return cm_pace_of(NS_PER_SECOND / per_second, burst_count);
}

static uint64_t
due(const struct cm_bucket *bucket, uint64_t now_ns)
{
	uint64_t next_ns = __atomic_load_n(&bucket->next_ns, __ATOMIC_RELAXED);

	return next_ns > now_ns ? next_ns : now_ns;
}

bool
cm_bucket_empty(const struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns)
{
	return due(bucket, now_ns) - now_ns > pace->slack_ns;
}

void
cm_bucket_charge(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns)
{
	/* Atomic store, because other threads read next_ns in cm_bucket_empty(). */
	__atomic_store_n(
		&bucket->next_ns, due(bucket, now_ns) + pace->interval_ns, __ATOMIC_RELAXED);
}

bool
cm_bucket_take(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns)
{
	if (cm_bucket_empty(bucket, pace, now_ns))
		return false;
	cm_bucket_charge(bucket, pace, now_ns);
	return true;
}

void
cm_bucket_forgive(
	struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t debt_max_ns, uint64_t now_ns)
{
	uint64_t latest_ns = now_ns + pace->slack_ns + debt_max_ns;

	if (due(bucket, now_ns) > latest_ns)
		__atomic_store_n(&bucket->next_ns, latest_ns, __ATOMIC_RELAXED);
}
