/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_SWIFT_H
#define NDPDK_CC_SWIFT_H

#include "cc/cc.h"

/** Row of CC_SWIFT, for a flow with a window of at least one packet. */
extern const struct cc_events cc_swift;

/** State of CC_SWIFT. */
struct cc_swift_state {
	uint32_t cwnd;        /**< the window, 1/65536 packet */
	uint32_t rtt_ns;      /**< half the newest sample, half what came before; 0 = no sample */
	uint32_t setting_ns;  /**< base target delay of the parameters */
	uint32_t base_ns;     /**< that, or more: the path is longer */
	uint32_t target_ns;   /**< delay up to which the window grows */
	uint32_t late;        /**< samples of the least window above the target, in a row */
	uint32_t late_ns;     /**< the shortest of them */
	uint32_t gap_mark;    /**< cc_flow.acked when a gap reduced the window last */
	uint32_t gap_packets; /**< the window before that; 0 = no gap has */
	uint32_t timeouts;    /**< in a row */
	bool reduced;         /**< the window has been: it does not double any more */
	uint64_t cut_ns;      /**< when it was reduced last */
};

#endif
