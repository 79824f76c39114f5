/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOSSES_H
#define NDPDK_NDPMD_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/* Lost and retransmitted frames, from the counters of the adapters of a process. */

struct inject;

struct losses {
	uint64_t retransmitted; /**< packets retransmitted, not counting probes */
	uint64_t probes;        /**< packets retransmitted early, because a packet may be lost */
	/**
	 * NAKs other than RNR NAKs. With one adapter: sent and received. With both ends in the
	 * process: received only, so that each NAK counts once.
	 */
	uint64_t naks;
	uint64_t rnrs;  /**< RNR NAKs, by the same rule as naks */
	uint64_t drops; /**< frames that this process lost: see losses_is_drop() */
};

/**
 * @return whether a counter of an adapter counts lost frames, which the peer must retransmit:
 *         damaged frames, and frames that an engine could not hand over to another engine.
 *         Duplicates, frames for no connection or for another adapter, and requests refused by an
 *         RNR NAK are not lost.
 */
bool losses_is_drop(const char *counter);

/**
 * @param adapters the adapters of the process; an entry may be NULL
 * @param inject fault injection of one adapter, or NULL; frames that it dropped count as lost
 */
void losses_read(const struct nd_adapter *const adapters[2], const struct inject *inject,
	struct losses *losses);

/** @return how much each counter has grown. */
struct losses losses_since(const struct losses *now, const struct losses *before);

#endif
