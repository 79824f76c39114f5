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
 * The target is a setting, the same for all flows, and more for a small window, so that many flows
 * share a queue fairly. It does not come from round trips that were measured: flows that begin
 * while there is a queue would take it for a part of the path, keep it, and get more than others. A
 * gap, and a CNP, halve the window, once in a round trip. So does a timeout; the second one in a
 * row leaves the least.
 *
 * Not as in the paper: a new flow starts with cc_window_first() packets, and doubles until it is
 * reduced. Without samples of round trips, only losses and CNPs count. And a path that is longer
 * than the target is found out: round trips that are too long although the flow sends a packet in
 * four of them at most are not of its making. After LATE_MAX of them in a row the target is a
 * quarter more than the shortest one, until a round trip is below the setting. And no pause is
 * longer than PAUSE_MAX_NS: a peer that waits for READ responses would take it for a loss.
 */

#define NS_PER_US    1000u
#define ONE          (1u << 16) /* a packet */
#define CWND_MAX     ((uint32_t)LIMIT_SEND_WINDOW * ONE)
#define CWND_MIN     (ONE / 64)
#define TIMEOUTS_MAX 2u
#define CWND_LATE    (ONE / 4)
#define LATE_MAX     4u
#define PAUSE_MAX_NS UINT64_C(1000000)

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
 * packets and 0 for 100 packets (fs_min, fs_max).
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
	uint64_t base_ns = state->base_ns;
	uint64_t target_ns = base_ns + flow_scaling_ns(state->cwnd, base_ns * 5 / 2);

	return (uint32_t)RTE_MIN(target_ns, (uint64_t)UINT32_MAX);
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
	uint32_t target_us = parameters->target_us != 0 ? parameters->target_us : CC_TARGET_US;

	*state = (struct cc_swift_state){
		.setting_ns = target_us * NS_PER_US, .base_ns = target_us * NS_PER_US};
	decide(flow, (uint64_t)cc_window_first(parameters) * ONE);
	state->target_ns = target_of(state);
}

static void
ack_received(struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;
	uint64_t growth = (uint64_t)packet_count * ONE;

	(void)now_ns;
	flow->acked += packet_count;
	state->timeouts = 0;
	/* A window that is not used shows nothing (RFC 7661). */
	if (outstanding < flow->window / 2 || state->rtt_ns >= state->target_ns)
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

	if (state->reduced && now_ns - state->cut_ns < state->rtt_ns)
		return false;
	state->reduced = true;
	state->cut_ns = now_ns;
	decide(flow, cwnd);
	state->target_ns = target_of(state);
	return true;
}

/* Finds out that the path is longer than the setting. */
static void
base_find(struct cc_swift_state *state, uint32_t sample_ns)
{
	if (sample_ns < state->setting_ns)
		state->base_ns = state->setting_ns;
	if (state->cwnd > CWND_LATE || sample_ns < state->target_ns) {
		state->late = 0;
		return;
	}
	state->late_ns = state->late == 0 ? sample_ns : RTE_MIN(state->late_ns, sample_ns);
	if (++state->late < LATE_MAX)
		return;
	state->late = 0;
	state->base_ns = (uint32_t)RTE_MIN((uint64_t)state->late_ns * 5 / 4, (uint64_t)UINT32_MAX);
}

static void
rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;
	uint32_t sample_ns = (uint32_t)RTE_MIN(rtt_ns, (uint64_t)UINT32_MAX);
	uint64_t delay_ns, cut;

	state->rtt_ns = state->rtt_ns == 0
		? sample_ns
		: (uint32_t)(((uint64_t)state->rtt_ns + sample_ns + 1) / 2);
	base_find(state, sample_ns);
	state->target_ns = target_of(state);
	delay_ns = state->rtt_ns;
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

/*
 * The losses of one window are found one after the other, a round trip for each, and count once, as
 * in NewReno (RFC 6582).
 */
static void
gap(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_swift_state *state = flow->state;
	uint32_t window = flow->window;

	if (flow->acked - state->gap_mark < state->gap_packets || !halve(flow, now_ns))
		return;
	state->gap_mark = flow->acked;
	state->gap_packets = window;
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
	uint64_t rtt_ns = state->rtt_ns != 0 ? state->rtt_ns : state->setting_ns;

	(void)frame_bytes;
	cc_pace_next(flow, RTE_MIN(rtt_ns * ONE / state->cwnd, PAUSE_MAX_NS), now_ns);
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
