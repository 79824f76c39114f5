/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_CC_BOTTLENECK_H
#define NDPDK_UNIT_CC_BOTTLENECK_H

#include <stdint.h>

#include "cc/cc.h"

/*
 * Simulates flows that share the queue of a bottleneck. Time advances in steps. In each step the
 * bottleneck sends one packet. Each flow has its own link with the rate of the bottleneck, and
 * always has data to send. With ECN the queue marks packets as a DCQCN switch does (RED on the
 * queue length), but without randomness: a probability of 1 % marks every hundredth packet. The
 * receiver sends at most one CNP in 50 us for each flow. An ACK or CNP arrives 20 us after its
 * packet has left the queue. If a packet is lost on the path or at a full queue, the sender detects
 * this at the time when the ACK would arrive. The retransmission is a packet like any other.
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
	uint32_t acked; /* packets acknowledged since the last call of bottleneck_mbps() */
	uint64_t next_cnp_ns;
	uint64_t next_sample_ns;
};

struct bottleneck;

struct bottleneck_options {
	bool ecn;            /**< true if packets are ECT and the queue marks them */
	uint32_t queue_max;  /**< capacity of the queue in packets; 0: unlimited */
	uint32_t loss_every; /**< each loss_every-th packet is lost; 0: no loss */
};

/**
 * @param count number of flows, 1..BOTTLENECK_FLOWS
 * @param parameters must outlive the bottleneck
 */
struct bottleneck *bottleneck_new(const struct cc_parameters *parameters, uint32_t count,
	const struct bottleneck_options *options);
void bottleneck_free(struct bottleneck *bottleneck);

struct bottleneck_flow *bottleneck_flow(struct bottleneck *bottleneck, uint32_t index);

void bottleneck_run(struct bottleneck *bottleneck, uint64_t ns);

uint32_t bottleneck_queue(const struct bottleneck *bottleneck);

/** @return throughput of flow index in Mb/s since the previous call, made ns nanoseconds ago */
uint32_t bottleneck_mbps(struct bottleneck *bottleneck, uint32_t index, uint64_t ns);

#endif
