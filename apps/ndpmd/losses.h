/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOSSES_H
#define NDPDK_NDPMD_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/* What was lost on the way and repaired, as the adapters of a process count it. */

struct inject;

struct losses {
	uint64_t retransmitted; /**< packets that were sent again, without probes */
	uint64_t probes;        /**< packets sent again early, in case that one was lost */
	/**
	 * Negative acknowledgements but for RNR: with one adapter those that it sent or received,
	 * with both ends in the process those that came.
	 */
	uint64_t naks;
	uint64_t rnrs;  /**< RNR NAKs, counted likewise */
	uint64_t drops; /**< frames that were lost here: see losses_is_drop() */
};

/**
 * @return whether an adapter's counter counts frames that were lost, so that the peer has to send
 *         them again: damaged ones, and those that were not taken from another engine. Not
 *         duplicates, what is of no connection or not for this adapter, what an RNR NAK refuses.
 */
bool losses_is_drop(const char *counter);

/**
 * @param adapters the process's, NULL = there is none
 * @param inject the faults of one of them: the frames that it has dropped are lost, too; or NULL
 */
void losses_read(const struct nd_adapter *const adapters[2], const struct inject *inject,
	struct losses *losses);

/** @return what has been added since. */
struct losses losses_since(const struct losses *now, const struct losses *before);

#endif
