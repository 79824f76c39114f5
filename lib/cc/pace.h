/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_PACE_H
#define NDPDK_CC_PACE_H

#include <rte_common.h>

#include "cc/cc.h"

/*
 * Pacing: each packet sets the earliest time of the next packet. If a timer expires late or the
 * engine is polled late, a flow sends late and catches up by at most CC_PACE_CREDIT_NS. So bursts
 * are limited, and an idle flow does not accumulate credit.
 */

/** Maximum delay that a flow may catch up, at least one tick of the timers (engine/wheel.h). */
#define CC_PACE_CREDIT_NS 32768u

/** @return transmission time of a frame in nanoseconds. @param rate_kbps > 0 */
static inline uint64_t
cc_pace_ns(uint32_t frame_bytes, uint32_t rate_kbps)
{
	return (uint64_t)frame_bytes * 8 * 1000000 / rate_kbps;
}

/** Set the time of the next packet after a packet was sent. @param ns time until the next packet */
static inline void
cc_pace_next(struct cc_flow *flow, uint64_t ns, uint64_t now_ns)
{
	uint64_t earliest_ns = now_ns - RTE_MIN(now_ns, (uint64_t)CC_PACE_CREDIT_NS);

	flow->send_time_ns = RTE_MAX(flow->send_time_ns, earliest_ns) + ns;
}

#endif
