/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOSSES_H
#define NDPDK_NDPMD_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/* Counts of lost and retransmitted frames, read from the counters of the process's adapters. */

struct inject;

struct losses {
	uint64_t retransmitted; /**< retransmitted packets, without probes */
	uint64_t probes;        /**< packets sent again early, to learn whether they were lost */
	/**
	 * NAKs except RNR NAKs. If the process has one adapter: sent and received NAKs. If both
	 * ends are in the process: only received NAKs, so that each NAK is counted once.
	 */
	uint64_t naks;
	uint64_t rnrs;  /**< RNR NAKs, counted on the same sides as naks */
	uint64_t drops; /**< lost frames: sum of the counters for which losses_is_drop() is true */
};

/**
 * @return true if a counter of an adapter counts lost frames, which the peer must retransmit.
 *         Damaged frames are lost, and so are frames that an engine could not pass to a different
 *         engine. The following frames are not lost: duplicates, frames of no connection, frames
 *         for a different adapter, and requests that were refused with an RNR NAK.
 */
bool losses_is_drop(const char *counter);

/**
 * Read the losses of the process.
 *
 * @param adapters the adapters of the process; an entry may be NULL
 * @param inject fault injection of one adapter, or NULL; frames that it dropped count as lost
 */
void losses_read(const struct nd_adapter *const adapters[2], const struct inject *inject,
	struct losses *losses);

/** @return for each counter, the difference between two readings */
struct losses losses_since(const struct losses *now, const struct losses *before);

#endif
