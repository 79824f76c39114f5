/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_LOSSES_H
#define NDPDK_NDPMD_LOSSES_H

#include <stdint.h>

#include <ndpdk/nd.h>

/* What went wrong on the way and was repaired or dropped, as the adapters of a process count it. */

struct losses {
	uint64_t retransmitted; /**< packets that were sent again */
	/**
	 * Negative acknowledgements but for RNR: with one adapter those that it sent or received,
	 * with both ends in the process those that came.
	 */
	uint64_t naks;
	uint64_t rnrs;  /**< RNR NAKs, counted likewise */
	uint64_t drops; /**< frames and packets that came and were not taken: counters drop_... */
};

/** @param adapters the process's, NULL = there is none */
void losses_read(const struct nd_adapter *const adapters[2], struct losses *losses);

/** @return what has been added since. */
struct losses losses_since(const struct losses *now, const struct losses *before);

#endif
