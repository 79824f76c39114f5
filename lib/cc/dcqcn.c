/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/dcqcn.h"

#include <rte_common.h>

#include "cc/pace.h"

/*
 * DCQCN at the sender (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
 * 2015, section 5), with the parameters of mlx5. Switches mark packets that are queued (ECN), and
 * the receiver reports each mark to the sender with a CNP. Each CNP cuts the rate by the fraction
 * alpha / 2. alpha increases with the number of recent CNPs. Between CNPs the rate recovers: first
 * halfway to the rate before the cut in each of a few steps, then beyond this rate in small steps,
 * then in large steps. A step is taken every rpg_time_reset_us, and every rpg_byte_reset bytes.
 *
 * A flow has no timer, so an unused flow costs nothing. When the flow sends its next packet or gets
 * its next CNP, it computes all changes of alpha and of the rate since the last packet.
 *
 * Before its first CNP, a flow has no rate limit and gets no per-packet events. A flow returns to
 * this state when its rate is the line rate and alpha is small, or after a second without CNP. Its
 * next CNP then counts as the first one.
 *
 * Losses change the window, as in loss_window.c, because DCQCN assumes a lossless network, and most
 * networks are not lossless.
 */

#define ALPHA_SHIFT    20
#define ALPHA_ONE      (1u << ALPHA_SHIFT)
#define ALPHA_RELEASED (ALPHA_ONE / 64)
#define QUIET_NS       UINT64_C(1000000000)
#define NS_PER_US      UINT64_C(1000)
#define KBPS_PER_MBPS  UINT64_C(1000)

/*
 * Maximum number of time-based increases that are computed one by one. After STEPS_MAX increases,
 * the rate has reached its target.
 */
#define STEPS_MAX 64

void
cc_dcqcn_defaults(struct cc_dcqcn_parameters *parameters)
{
	*parameters = (struct cc_dcqcn_parameters){
		.g_1024 = 4,
		.initial_alpha_1024 = 1024,
		.alpha_timer_us = 55,
		.rpg_time_reset_us = 55,
		.rpg_byte_reset = 10000000,
		.rpg_threshold = 5,
		.rpg_ai_rate_mbps = 40,
		.rpg_hai_rate_mbps = 400,
		.rpg_min_rate_mbps = 10,
		.rpg_gd = 11,
		.min_dec_fac_percent = 50,
		.rate_reduce_monitor_period_us = 50,
	};
}

/* Read a parameter. Each use reads memory, because a different thread may change it. */
#define VALUE(state, member) __atomic_load_n(&(state)->parameters->member, __ATOMIC_RELAXED)

static const struct cc_events limited;

static void
start(struct cc_flow *flow, const struct cc_parameters *parameters)
{
	struct cc_dcqcn_state *state = flow->state;

	cc_loss_start(flow, parameters);
	state->parameters = &parameters->dcqcn;
	state->line_kbps =
		(uint32_t)RTE_MIN(parameters->line_rate_mbps * KBPS_PER_MBPS, (uint64_t)UINT32_MAX);
}

uint32_t
cc_dcqcn_rate_kbps(const struct cc_flow *flow)
{
	const struct cc_dcqcn_state *state = flow->state;

	return flow->events == &limited ? state->rate_kbps : state->line_kbps;
}

static void
release(struct cc_flow *flow)
{
	flow->events = &cc_dcqcn;
	flow->send_time_ns = 0;
}

/* alpha * (1 - g)^count */
static uint32_t
alpha_after(const struct cc_dcqcn_state *state, uint64_t count)
{
	uint64_t factor = ALPHA_ONE - ((uint64_t)VALUE(state, g_1024) << (ALPHA_SHIFT - 10));
	uint64_t alpha = state->alpha;

	for (; count != 0 && alpha != 0; count >>= 1) {
		if ((count & 1) != 0)
			alpha = alpha * factor >> ALPHA_SHIFT;
		factor = factor * factor >> ALPHA_SHIFT;
	}
	return (uint32_t)alpha;
}

static void
alpha_decay(struct cc_dcqcn_state *state, uint64_t now_ns)
{
	uint64_t timer_ns = VALUE(state, alpha_timer_us) * NS_PER_US;
	uint64_t count = (now_ns - state->alpha_ns) / timer_ns;

	if (count == 0)
		return;
	state->alpha = alpha_after(state, count);
	state->alpha_ns += count * timer_ns;
}

/* Amount by which the next increase raises the target. */
static uint64_t
target_step_kbps(const struct cc_dcqcn_state *state)
{
	uint32_t threshold = VALUE(state, rpg_threshold);
	uint32_t least = RTE_MIN(state->timer_count, state->byte_count);
	uint32_t most = RTE_MAX(state->timer_count, state->byte_count);

	if (most < threshold)
		return 0; /* fast recovery */
	if (least > threshold)
		return (least - threshold) * KBPS_PER_MBPS * VALUE(state, rpg_hai_rate_mbps);
	return VALUE(state, rpg_ai_rate_mbps) * KBPS_PER_MBPS;
}

static void
target_raise(struct cc_dcqcn_state *state, uint64_t by_kbps)
{
	state->target_kbps =
		(uint32_t)RTE_MIN(state->target_kbps + by_kbps, (uint64_t)state->line_kbps);
}

static void
increase(struct cc_dcqcn_state *state)
{
	target_raise(state, target_step_kbps(state));
	/* Round up, because otherwise the rate would never reach the target. */
	state->rate_kbps = (uint32_t)(((uint64_t)state->rate_kbps + state->target_kbps + 1) / 2);
}

static void
increase_by_time(struct cc_dcqcn_state *state, uint64_t now_ns)
{
	uint64_t timer_ns = VALUE(state, rpg_time_reset_us) * NS_PER_US;
	uint32_t count = (uint32_t)((now_ns - state->timer_ns) / timer_ns);
	uint32_t steps = RTE_MIN(count, STEPS_MAX);

	state->timer_ns += count * timer_ns;
	for (uint32_t i = 0; i < steps; i++) {
		state->timer_count++;
		increase(state);
	}
	if (count == steps)
		return;
	state->timer_count += count - steps;
	target_raise(state, (count - steps) * target_step_kbps(state));
	state->rate_kbps = state->target_kbps;
}

/*
 * Compute the changes of alpha and rate that are due since the last packet or CNP. The rate limit
 * of the flow may end.
 */
static void
catch_up(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_dcqcn_state *state = flow->state;

	if (now_ns - state->cut_ns >= QUIET_NS) {
		release(flow);
		return;
	}
	alpha_decay(state, now_ns);
	increase_by_time(state, now_ns);
	if (state->rate_kbps == state->line_kbps && state->alpha < ALPHA_RELEASED)
		release(flow);
}

static void
packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	struct cc_dcqcn_state *state = flow->state;

	catch_up(flow, now_ns);
	if (flow->events != &limited)
		return;
	state->bytes += frame_bytes;
	if (state->bytes >= VALUE(state, rpg_byte_reset)) {
		state->bytes = 0;
		state->byte_count++;
		increase(state);
	}
	cc_pace_next(flow, cc_pace_ns(frame_bytes, state->rate_kbps), now_ns);
}

/* Rate after a cut. */
static uint32_t
rate_after_cut(const struct cc_dcqcn_state *state)
{
	uint64_t rate = state->rate_kbps;
	uint64_t part = rate * VALUE(state, min_dec_fac_percent) / 100;
	uint64_t least_kbps = VALUE(state, rpg_min_rate_mbps) * KBPS_PER_MBPS;
	uint64_t least = RTE_MAX(part, least_kbps);
	uint64_t cut = rate * state->alpha >> (ALPHA_SHIFT - 10 + VALUE(state, rpg_gd));

	/*
	 * The upper bound is the old rate, because the line rate may be lower than
	 * rpg_min_rate_mbps.
	 */
	return (uint32_t)RTE_MIN(RTE_MAX(rate - RTE_MIN(cut, rate), least), rate);
}

static void
cut(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_dcqcn_state *state = flow->state;
	uint64_t g = VALUE(state, g_1024);

	state->target_kbps = state->rate_kbps;
	state->rate_kbps = rate_after_cut(state);
	state->alpha = (uint32_t)((state->alpha * (1024 - g) + ALPHA_ONE * g) >> 10);
	state->timer_count = 0;
	state->byte_count = 0;
	state->bytes = 0;
	state->cut_ns = now_ns;
	state->alpha_ns = now_ns;
	state->timer_ns = now_ns;
}

static bool
first_cnp(struct cc_flow *flow, uint64_t now_ns)
{
	struct cc_dcqcn_state *state = flow->state;
	uint64_t first_kbps = VALUE(state, rate_to_set_on_first_cnp_mbps) * KBPS_PER_MBPS;

	flow->events = &limited;
	flow->send_time_ns = now_ns; /* no credit for the time before the rate limit */
	state->rate_kbps = state->line_kbps;
	state->alpha = VALUE(state, initial_alpha_1024) << (ALPHA_SHIFT - 10);
	cut(flow, now_ns);
	if (first_kbps != 0)
		state->rate_kbps = (uint32_t)RTE_MIN(first_kbps, (uint64_t)state->rate_kbps);
	return true;
}

static bool
further_cnp(struct cc_flow *flow, uint64_t now_ns)
{
	const struct cc_dcqcn_state *state = flow->state;
	uint64_t period_ns = VALUE(state, rate_reduce_monitor_period_us) * NS_PER_US;

	if (now_ns - state->cut_ns < period_ns)
		return false;
	catch_up(flow, now_ns);
	if (flow->events != &limited)
		return first_cnp(flow, now_ns);
	cut(flow, now_ns);
	return true;
}

const struct cc_events cc_dcqcn = {
	.start = start,
	.ack_received = cc_loss_ack_received,
	.gap = cc_loss_gap,
	.timeout = cc_loss_timeout,
	.cnp_received = first_cnp,
	.rtt_sample = cc_loss_rtt_sample,
};

/* Event functions of CC_DCQCN for a flow with a rate limit. */
static const struct cc_events limited = {
	.packet_sent = packet_sent,
	.ack_received = cc_loss_ack_received,
	.gap = cc_loss_gap,
	.timeout = cc_loss_timeout,
	.cnp_received = further_cnp,
	.rtt_sample = cc_loss_rtt_sample,
};
