/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/swift.h"

#include <rte_common.h>

#include "base/limits.h"
#include "cc/pace.h"

/*
 * Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020), section 3, with a single delay: the round trip time, because RoCE has
 * no timestamps of the peer. Switches need no support. While the delay is below its target, the
 * window grows by one packet per round trip. Above the target, the window shrinks once per round
 * trip, in proportion to the excess, by at most half. A window below one packet is implemented as a
 * pause between packets.
 *
 * The target is a setting that is the same for all flows, plus an addition for small windows, so
 * that many flows share a queue fairly. The target is not derived from measured round trips. A flow
 * that begins while there is a queue would treat the queue as part of the path. It would keep the
 * queue filled and get more than other flows. A gap or a CNP halves the window, once per round
 * trip. A timeout halves the window, and the second timeout in a row reduces it to its minimum.
 *
 * Differences from the paper: a new flow starts with cc_window_first() packets and doubles until
 * its first reduction. Without round trip samples, only losses and CNPs count. A path with a round
 * trip longer than the target is detected: a flow that sends at most one packet per four round
 * trips does not cause long round trips itself. After LATE_MAX such samples in a row, the target
 * becomes the shortest of them plus a quarter, until a round trip is below the setting. No pause is
 * longer than PAUSE_MAX_NS, because a peer that waits for READ responses would consider them lost.
 */

#define NS_PER_US    1000u
#define ONE          (1u << 16) /* one packet in units of cwnd */
#define CWND_MAX     ((uint32_t)LIMIT_SEND_WINDOW * ONE)
#define CWND_MIN     (ONE / 64)
#define TIMEOUTS_MAX 2u
#define CWND_LATE    (ONE / 4)
#define LATE_MAX     4u
#define PAUSE_MAX_NS UINT64_C(1000000)

static const struct cc_events paced;

/* @return square root, rounded down */
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
 * Flow scaling of the paper: fs_a / sqrt(cwnd) + fs_b. The result is `range_ns` for a window of 0.1
 * packets (fs_min) and 0 for 100 packets (fs_max).
 */
static uint32_t
flow_scaling_ns(uint32_t cwnd, uint64_t range_ns)
{
	uint64_t a_ns = range_ns * 10000 / 30623; /* 3.0623 = 1/sqrt(0.1) - 1/sqrt(100) */
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

/* Set the window. A window below one packet becomes a pause between packets. */
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
	/* A window that is mostly unused does not grow (RFC 7661). */
	if (outstanding < flow->window / 2 || state->rtt_ns >= state->target_ns)
		return;
	if (state->reduced && state->cwnd >= ONE)
		growth = growth * ONE / state->cwnd;
	decide(flow, state->cwnd + growth);
}

/* Reduce the window, unless it was reduced within the last round trip. */
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

/* Detect a path with a round trip time that is always above the target, and raise the target. */
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
 * Losses of one window are found one after the other, one per round trip. They count once, as in
 * NewReno (RFC 6582).
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

/* Event functions of CC_SWIFT for a flow with a window below one packet. */
static const struct cc_events paced = {
	.packet_sent = packet_sent,
	.ack_received = ack_received,
	.gap = gap,
	.timeout = timeout,
	.cnp_received = halve,
	.rtt_sample = rtt_sample,
};
