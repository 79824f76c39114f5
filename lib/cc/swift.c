/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/swift.h"

#include <rte_common.h>

#include "base/limits.h"
#include "cc/pace.h"

/*
 * Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020), section 3, for one delay: that of the round trip, since RoCE has no
 * timestamps of the peer. No switch has to take part. While the delay is below its target, the
 * window grows by a packet in a round trip. Above it, the window shrinks once in a round trip, by
 * the more the longer the delay is, at most by half. A window below one packet is a pause between
 * packets.
 *
 * The target is twice the delay without queue, at least 25 us, which polling and coalesced
 * acknowledgements need; and more for a small window, so that many flows share a queue fairly. A
 * gap, and a CNP, halve the window, once in a round trip. So does a timeout; the second one in a
 * row leaves the least.
 *
 * Not as in the paper: a new flow starts with 64 packets, and doubles until it is reduced.
 * Without samples of round trips, only losses and CNPs count.
 */

#define ONE           (1u << 16) /* a packet */
#define CWND_FIRST    (64 * ONE)
#define CWND_MAX      ((uint32_t)LIMIT_SEND_WINDOW * ONE)
#define CWND_MIN      (ONE / 64)
#define TARGET_MIN_NS 25000u
#define TIMEOUTS_MAX  2u

static const struct cc_events paced;

/* @return the square root, rounded down */
static uint32_t
root(uint32_t value)
{
	uint32_t result = 0;

	for (uint32_t bit = 1u << 15; bit != 0; bit >>= 1) {
		uint32_t next = result | bit;

		if ((uint64_t)next * next <= value)
			result = next;
	}
	return result;
}

/*
 * The paper's flow scaling: fs_a / sqrt(cwnd) + fs_b, which is `range_ns` for a window of 0.1
 * packets and 0 for 100 packets.
 */
static uint32_t
flow_scaling_ns(uint32_t cwnd, uint64_t range_ns)
{
	uint64_t a_ns = range_ns * 10000 / 30623; /* 1 / (1/sqrt(0.1) - 1/sqrt(100)) */
	uint64_t value_ns = a_ns * 256 / root(cwnd);

	return (uint32_t)RTE_MIN(value_ns - RTE_MIN(value_ns, a_ns / 10), range_ns);
}

static uint32_t
target_of(const struct cc_swift_state *state)
{
	uint64_t base_ns = RTE_MAX(2 * (uint64_t)state->rtt.least_ns, (uint64_t)TARGET_MIN_NS);

	base_ns += flow_scaling_ns(state->cwnd, base_ns * 5 / 2);
	return (uint32_t)RTE_MIN(base_ns, (uint64_t)UINT32_MAX);
}

/* Makes the decisions of the window. */
static void
decide(struct cc_flow *flow, uint64_t cwnd)
{
	struct cc_swift_state *state = flow->state;

	state->cwnd = (uint32_t)RTE_MIN(RTE_MAX(cwnd, (uint64_t)CWND_MIN), (uint64_t)CWND_MAX);
	if (state->cwnd < ONE) {
		flow->window = 1;
		flow->events = &paced;
		return;
	}
	flow->window = state->cwnd / ONE;
	flow->events = &cc_swift;
	flow->send_time_ns = 0;
}

static void
start(struct cc_flow *flow, const struct cc_parameters *parameters)
{
	struct cc_swift_state *state = flow->state;

	(void)parameters;
	*state = (struct cc_swift_state){.target_ns = TARGET_MIN_NS};
	decide(flow, CWND_FIRST);
}

static void
ack_received(struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;
	uint64_t growth = (uint64_t)packet_count * ONE;

	(void)now_ns;
	state->timeouts = 0;
	/* A window that is not used shows nothing (RFC 7661). */
	if (outstanding < flow->window / 2 || state->rtt.now_ns >= state->target_ns)
		return;
	if (state->reduced && state->cwnd >= ONE)
		growth = growth * ONE / state->cwnd;
	decide(flow, state->cwnd + growth);
}

/* Reduces the window, if a round trip has passed since the last time. */
static bool
reduce(struct cc_flow *flow, uint32_t cwnd, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;

	if (state->reduced && now_ns - state->cut_ns < state->rtt.now_ns)
		return false;
	state->reduced = true;
	state->cut_ns = now_ns;
	decide(flow, cwnd);
	return true;
}

static void
rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;
	uint64_t delay_ns, cut;

	cc_rtt_add(&state->rtt, rtt_ns, now_ns);
	state->target_ns = target_of(state);
	delay_ns = state->rtt.now_ns;
	if (delay_ns < state->target_ns)
		return;
	cut = state->cwnd * (delay_ns - state->target_ns) / delay_ns * 8 / 10;
	reduce(flow, state->cwnd - (uint32_t)RTE_MIN(cut, (uint64_t)state->cwnd / 2), now_ns);
}

static bool
halve(struct cc_flow *flow, uint64_t now_ns)
{
	const struct cc_swift_state *state = flow->state;

	return reduce(flow, state->cwnd / 2, now_ns);
}

static void
gap(struct cc_flow *flow, uint64_t now_ns)
{
	halve(flow, now_ns);
}

static void
timeout(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;

	if (++state->timeouts < TIMEOUTS_MAX) {
		halve(flow, now_ns);
		return;
	}
	state->reduced = true;
	state->cut_ns = now_ns;
	decide(flow, CWND_MIN);
}

static void
packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	const struct cc_swift_state *state = flow->state;
	uint64_t rtt_ns = RTE_MAX(state->rtt.now_ns, TARGET_MIN_NS);

	(void)frame_bytes;
	cc_pace_next(flow, rtt_ns * ONE / state->cwnd, now_ns);
}

const struct cc_events cc_swift = {
	.start = start,
	.ack_received = ack_received,
	.gap = gap,
	.timeout = timeout,
	.cnp_received = halve,
	.rtt_sample = rtt_sample,
};

/* The same for a window below one packet. */
static const struct cc_events paced = {
	.packet_sent = packet_sent,
	.ack_received = ack_received,
	.gap = gap,
	.timeout = timeout,
	.cnp_received = halve,
	.rtt_sample = rtt_sample,
};
