/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_RATE_H
#define NDPDK_CM_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "cm/hash.h"
#include "wire/gid.h"

/** A limit: so many per second, and a burst after silence. */
struct cm_pace {
	uint64_t interval_ns; /**< between two at the sustained rate */
	uint64_t slack_ns;    /**< how far ahead of that a burst may run */
};

/** Token bucket as one time stamp: when the next one is due at the sustained rate. */
struct cm_bucket {
	uint64_t next_ns;
};

/** @param interval_ns >= 1 @param burst_count >= 1 */
struct cm_pace cm_pace_of(uint64_t interval_ns, uint32_t burst_count);

/** @param per_second 1..10^9 */
struct cm_pace cm_pace_make(uint32_t per_second, uint32_t burst_count);

/** Take one token. @return false: none is left. No division. */
bool cm_bucket_take(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** Take one token, or owe it when none is left. */
void cm_bucket_charge(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

/** @return whether cm_bucket_take() would fail; any thread may ask. */
bool cm_bucket_empty(const struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns);

#define CM_RATE_SOURCES 4096 /**< power of two */

/** What is counted per source address. */
struct cm_source {
	struct cm_bucket requests;
	struct cm_bucket guesses; /**< remote accesses that were refused (SEC-031) */
	uint32_t half_open_count; /**< connections in REQ_RECEIVED (SEC-042) */
};

/**
 * Sources by keyed hash of their address, addresses not kept: sources that hash alike share one
 * entry. Nothing is ever evicted, so a flood of forged addresses cannot buy fresh buckets; whom it
 * hits by sharing an entry is not the attacker's choice (SEC-040, SEC-048).
 */
struct cm_rate {
	struct cm_source sources[CM_RATE_SOURCES];
	struct cm_pace pace; /**< of requests */
	struct cm_pace guess_pace;
	struct cm_hash_key secret;
};

/** @return the entry of an address, never NULL. */
struct cm_source *cm_rate_source(struct cm_rate *rate, const struct wire_gid *gid);

#endif
