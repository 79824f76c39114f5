/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_RATE_H
#define NDPDK_CM_RATE_H

#include <stdbool.h>
#include <stdint.h>

/** A rate limit: tokens per second, and maximum number of tokens after a pause. */
struct cm_pace {
	uint64_t interval_ns; /**< time between two tokens at the sustained rate */
	uint64_t slack_ns;    /**< maximum time by which next_ns of a bucket may be in the future */
};

/**
 * Token bucket. Its only state is the time at which the next token is due at the sustained rate.
 */
struct cm_bucket {
	uint64_t next_ns;
};

/** @param interval_ns time between two tokens, >= 1 @param burst_count tokens in a burst, >= 1 */
struct cm_pace cm_pace_of(uint64_t interval_ns, uint32_t burst_count);

/** @param per_second 1..10^9 */
struct cm_pace cm_pace_make(uint32_t per_second, uint32_t burst_count);

/** Take one token. @return false if the bucket is empty */
bool cm_bucket_take(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** Take one token. An empty bucket goes into debt and stays empty for longer. */
void cm_bucket_charge(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** Reduce the debt so that the bucket is empty for at most debt_max_ns after now_ns. */
void cm_bucket_forgive(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t debt_max_ns,
	uint64_t now_ns);

/** @return true if cm_bucket_take() would fail. Callable from any thread. */
bool cm_bucket_empty(const struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

#endif
