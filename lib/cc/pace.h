/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_PACE_H
#define NDPDK_CC_PACE_H

#include <rte_common.h>

#include "cc/cc.h"

/*
 * Pacing: each packet moves the time of the next one. A flow that is late, because its timer or the
 * turn came late, makes up for the time that it has lost, but not for more than CC_PACE_CREDIT_NS:
 * so its bursts are bounded, and an idle flow saves nothing up.
 */

/** At least the tick of the timers that wake a flow (engine/wheel.h). */
#define CC_PACE_CREDIT_NS 32768u

/** @return how long a frame takes. @param rate_kbps > 0 */
static inline uint64_t
cc_pace_ns(uint32_t frame_bytes, uint32_t rate_kbps)
{
	return (uint64_t)frame_bytes * 8 * 1000000 / rate_kbps;
}

/** A packet was sent. @param ns from it to the next one */
static inline void
cc_pace_next(struct cc_flow *flow, uint64_t ns, uint64_t now_ns)
{
	uint64_t earliest_ns = now_ns - RTE_MIN(now_ns, (uint64_t)CC_PACE_CREDIT_NS);

	flow->send_time_ns = RTE_MAX(flow->send_time_ns, earliest_ns) + ns;
}

#endif
