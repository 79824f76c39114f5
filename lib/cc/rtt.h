/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_RTT_H
#define NDPDK_CC_RTT_H

#include <stdint.h>

#include <rte_common.h>

/*
 * Round trip times of a flow: the current value, and the value without queueing, which is the
 * minimum of the last 10 to 20 s. Older values are discarded, because the path may change.
 */

#define CC_RTT_EPOCH_NS UINT64_C(10000000000)

/** Round trip times of one flow. All members are zero before the first sample. */
struct cc_rtt {
	/** smoothed RTT: mean of the newest sample and the previous smoothed RTT; 0 = no sample */
	uint32_t now_ns;
	uint32_t least_ns; /**< minimum of the current and the previous epoch */
	uint32_t least_of_epoch_ns;
	uint64_t epoch_ns; /**< start of the epoch */
};

/** @param sample_ns > 0 */
static inline void
cc_rtt_add(struct cc_rtt *rtt, uint64_t sample_ns, uint64_t now_ns)
{
	uint32_t sample = (uint32_t)RTE_MIN(sample_ns, (uint64_t)UINT32_MAX);

	if (rtt->now_ns == 0) {
		*rtt = (struct cc_rtt){sample, sample, sample, now_ns};
		return;
	}
	if (now_ns - rtt->epoch_ns >= CC_RTT_EPOCH_NS) {
		rtt->least_ns = rtt->least_of_epoch_ns;
		rtt->least_of_epoch_ns = sample;
		rtt->epoch_ns = now_ns;
	}
	rtt->least_of_epoch_ns = RTE_MIN(rtt->least_of_epoch_ns, sample);
	rtt->least_ns = RTE_MIN(rtt->least_ns, sample);
	rtt->now_ns = (uint32_t)(((uint64_t)rtt->now_ns + sample + 1) / 2);
}

#endif
