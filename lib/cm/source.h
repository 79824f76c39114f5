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
 * source is proven when it has sent a message that carries one of our random communication IDs, or
 * data on one of our queue pairs: then it receives what we send to its address. It stays proven
 * while it has a connection, and for some time afterwards.
 *
 * Budgets are charged such that forged requests spend nothing that an honest source needs:
 *  - connections per second are counted when they are established, not when they are requested;
 *  - answers that leave no record (REJ of a refused REQ, DREP for an unknown connection) have one
 *    budget for all unproven sources, and one for each proven source;
 *  - half-open connections likewise (admission.h).
 */

#define CM_SOURCES 4096 /**< power of two */

struct cm_source {
	struct cm_bucket connections; /**< established with us as passive side (SEC-040) */
	struct cm_bucket answers;     /**< without record, while the source is proven */
	struct cm_bucket guesses;     /**< remote accesses that were refused (SEC-031) */
	uint64_t proven_until_ns;     /**< 0 = never was */
	uint64_t confirm_ns;          /**< the slowest RTU behind its REP; fades with each RTU */
	uint32_t live_count;          /**< connections in ESTABLISHED, active ones included */
	struct cm_queue queue;        /**< half-open connections that began when it was proven */
};

/**
 * Sources by keyed hash of their address, addresses not kept: sources that hash alike share one
 * entry. Nothing is ever evicted, so a flood of forged addresses gets no fresh buckets, and because
 * of the key an attacker cannot choose the honest source with which a forged address shares an
 * entry (SEC-040, SEC-048).
 */
struct cm_sources {
	struct cm_source table[CM_SOURCES];
	struct cm_hash_key secret;
	struct cm_bucket connections; /**< of all sources */
	struct cm_bucket answers;     /**< of all unproven sources */
	struct cm_pace connection_pace;
	struct cm_pace connection_pace_all;
	struct cm_pace answer_pace;
	struct cm_pace guess_pace;
};

/** @param config with its defaults filled in */
void cm_sources_init(struct cm_sources *sources, const struct cm_config *config,
	const struct cm_hash_key *secret);

/** @return the entry of an address, never NULL. */
struct cm_source *cm_source_of(struct cm_sources *sources, const struct wire_gid *gid);

bool cm_source_proven(const struct cm_source *source, uint64_t now_ns);

/** The source has shown that it receives what we send to its address. */
void cm_source_prove(struct cm *cm, struct cm_source *source, uint64_t now_ns);

/**
 * @return how long to wait for an RTU of the source when its own requests need the place: several
 *         times what it has needed so far, since a peer in a storm gets slower and slower
 */
uint64_t cm_source_patience_ns(const struct cm_source *source);

/** @return whether one more request of the source is within the rate of connections (SEC-040). */
bool cm_source_may_connect(
	const struct cm_sources *sources, const struct cm_source *source, uint64_t now_ns);

/** Called by cm_fsm_enter() for every change of state: follows which sources have connections. */
void cm_source_moved(struct cm_id *id, enum cm_state state, uint64_t now_ns);

/** @return whether the source may have one more answer without record; counts it when not. */
bool cm_source_may_answer(struct cm *cm, struct cm_source *source, uint64_t now_ns);

#endif
