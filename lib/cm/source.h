/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_SOURCE_H
#define NDPDK_CM_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "cm/admission.h"
#include "cm/hash.h"
#include "cm/rate.h"
#include "wire/gid.h"

/*
 * Source addresses, and whether they are proven. The source address of a REQ may be forged. A
 * source is proven when it has sent a message with one of our random communication IDs, or data on
 * one of our queue pairs, because it has then received our messages to its address. A source stays
 * proven while it has a connection, and for some time afterwards.
 *
 * Rates and half-open connections are limited so that forged requests cannot use up what an honest
 * source needs:
 *
 * - Connections per second are counted when they are established, not when they are requested.
 * - Answers to messages without a connection (REJ of a refused REQ, DREP for an unknown connection)
 *   have one limit for all unproven sources together, and one for each proven source.
 * - Half-open connections are limited in the same way (admission.h).
 */

#define CM_SOURCES 4096 /**< number of entries of the table of sources, a power of two */

struct cm_source {
	/** token bucket for connections that we accept as the passive side (SEC-040) */
	struct cm_bucket connections;
	/** token bucket for answers to messages without a connection, while the source is proven */
	struct cm_bucket answers;
	struct cm_bucket guesses; /**< refused remote accesses (SEC-031) */
	/** time until which the source is proven even without a connection; 0 = never proven */
	uint64_t proven_until_ns;
	uint64_t confirm_ns; /**< longest time from REP to RTU; each faster RTU reduces it */
	/** number of the source's connections in ESTABLISHED, active and passive */
	uint32_t live_count;
	struct cm_queue queue; /**< half-open connections that began while the source was proven */
};

/**
 * Table of sources, indexed by a keyed hash of the address. The table does not store addresses, so
 * sources with the same hash share one entry. Entries are never evicted, so a flood of forged
 * addresses gets no fresh buckets. Because the hash is keyed, an attacker cannot choose which
 * honest source shares an entry with a forged address (SEC-040, SEC-048).
 */
struct cm_sources {
	struct cm_source table[CM_SOURCES];
	struct cm_hash_key secret;
	struct cm_bucket connections; /**< token bucket for connections of all sources together */
	/** token bucket for answers to messages of unproven sources that belong to no connection */
	struct cm_bucket answers;
	struct cm_pace connection_pace;
	struct cm_pace connection_pace_all;
	struct cm_pace answer_pace;
	struct cm_pace guess_pace;
};

/** @param config configuration with defaults filled in */
void cm_sources_init(struct cm_sources *sources, const struct cm_config *config,
	const struct cm_hash_key *secret);

/** @return table entry of an address, never NULL */
struct cm_source *cm_source_of(struct cm_sources *sources, const struct wire_gid *gid);

bool cm_source_proven(const struct cm_source *source, uint64_t now_ns);

/** Mark a source as proven, because it has shown that it receives our messages. */
void cm_source_prove(struct cm *cm, struct cm_source *source, uint64_t now_ns);

/**
 * @return time to wait for an RTU of the source if the same source needs the slot for a different
 * request. The time is several times the slowest RTU time so far, because the RTUs of an overloaded
 * peer become slower and slower
 */
uint64_t cm_source_patience_ns(const struct cm_source *source);

/** @return true if the rate limit permits one more connection of the source (SEC-040) */
bool cm_source_may_connect(
	const struct cm_sources *sources, const struct cm_source *source, uint64_t now_ns);

/**
 * Update live_count of the source after a connection changed its state. Called by cm_fsm_enter().
 */
void cm_source_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** Count one answer to a message without a connection. @return false if the limit forbids it */
bool cm_source_may_answer(struct cm *cm, struct cm_source *source, uint64_t now_ns);

#endif
