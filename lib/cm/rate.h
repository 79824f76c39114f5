/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_RATE_H
#define NDPDK_CM_RATE_H

#include <stdbool.h>
#include <stdint.h>

/** A rate limit: tokens per second, and a burst after silence. */
struct cm_pace {
	uint64_t interval_ns; /**< between two tokens at the sustained rate */
	uint64_t slack_ns;    /**< how far ahead of that rate a burst may run */
};

/** Token bucket as one time stamp: when the next token is due at the sustained rate. */
struct cm_bucket {
	uint64_t next_ns;
};

/** @param interval_ns >= 1 @param burst_count >= 1 */
struct cm_pace cm_pace_of(uint64_t interval_ns, uint32_t burst_count);

/** @param per_second 1..10^9 */
struct cm_pace cm_pace_make(uint32_t per_second, uint32_t burst_count);

/** Take one token. @return false: none is left. No division. */
bool cm_bucket_take(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** Take one token, or go into debt when none is left. */
void cm_bucket_charge(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** Reduce the debt: from now on the bucket is empty for at most debt_max_ns. */
void cm_bucket_forgive(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t debt_max_ns,
	uint64_t now_ns);

/** @return whether cm_bucket_take() would fail. May be called from any thread. */
bool cm_bucket_empty(const struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

#endif
