/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_CC_BOTTLENECK_H
#define NDPDK_UNIT_CC_BOTTLENECK_H

#include <stdint.h>

#include "cc/cc.h"

/*
 * Flows that share a queue, in steps of the time that it takes the bottleneck to send one packet.
 * Each flow has a link of its own with the rate of the bottleneck, and always something to send.
 * With ECN the queue marks packets as the switch of DCQCN does (RED on its length), without chance:
 * of packets with a probability of 1 % each hundredth is marked. A receiver sends one CNP in 50 us
 * for a flow. Packets, ACKs and CNPs arrive 20 us after the queue together. A packet that is lost,
 * on the path or in front of a queue that is full, is found missing at the time of its ACK, and
 * sent again some time, as any other.
 */

#define BOTTLENECK_MBPS    10000u
#define BOTTLENECK_BYTES   1000u
#define BOTTLENECK_STEP_NS UINT64_C(800)
#define BOTTLENECK_FLOWS   8

struct bottleneck_flow {
	struct cc_flow flow;
	uint64_t state[32];
	uint64_t begin_ns;
	uint32_t outstanding;
	uint32_t acked; /* since it was last asked */
	uint64_t next_cnp_ns;
	uint64_t next_sample_ns;
};

struct bottleneck;

struct bottleneck_options {
	bool ecn;            /**< packets are ECT, and marked */
	uint32_t queue_max;  /**< packets that fit the queue; 0 = all */
	uint32_t loss_every; /**< packets, one of which is lost on the path; 0 = none is */
};

/** @param count 1..BOTTLENECK_FLOWS flows with these parameters, which outlive the bottleneck */
struct bottleneck *bottleneck_new(const struct cc_parameters *parameters, uint32_t count,
	const struct bottleneck_options *options);
void bottleneck_free(struct bottleneck *bottleneck);

struct bottleneck_flow *bottleneck_flow(struct bottleneck *bottleneck, uint32_t index);

/** Let time pass. */
void bottleneck_run(struct bottleneck *bottleneck, uint64_t ns);

/** @return packets in the queue now. */
uint32_t bottleneck_queue(const struct bottleneck *bottleneck);

/** @return Mb/s of a flow since it was last asked, ns ago. */
uint32_t bottleneck_mbps(struct bottleneck *bottleneck, uint32_t index, uint64_t ns);

#endif
