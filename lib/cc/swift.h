/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_SWIFT_H
#define NDPDK_CC_SWIFT_H

#include "cc/cc.h"

/** Event functions of CC_SWIFT for a flow with a window of at least one packet. */
extern const struct cc_events cc_swift;

/** State of CC_SWIFT. */
struct cc_swift_state {
	uint32_t cwnd; /**< window in units of 1/65536 packet */
	/** smoothed RTT: mean of the newest sample and the previous smoothed RTT; 0 = no sample */
	uint32_t rtt_ns;
	uint32_t setting_ns;
	/** base target delay in use: setting_ns, or more if the path is longer */
	uint32_t base_ns;
	uint32_t target_ns; /**< target delay; the window grows while the RTT is lower */
	/** number of consecutive samples above the target at the minimum window */
	uint32_t late;
	uint32_t late_ns;  /**< shortest of the samples that `late` counts */
	uint32_t gap_mark; /**< cc_flow.acked when a gap last reduced the window */
	/** window before a gap last reduced it; 0 = no gap has reduced it */
	uint32_t gap_packets;
	uint32_t timeouts; /**< consecutive timeouts */
	bool reduced;      /**< true if the window was ever reduced, which ends its doubling */
	uint64_t cut_ns;
};

#endif
