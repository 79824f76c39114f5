/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Published models for many senders and one receiver.
 *
 * DCQCN: the fluid model of its authors (Zhu et al., SIGCOMM 2015 and CoNEXT 2016) for equal
 * flows, as delay differential equations. A sender learns the queue length after a feedback delay.
 * p is the share of packets that are marked, r is the rate of a flow and t its target rate, in
 * packets per second:
 *
 *     CNPs in an interval T_cnp:            1 - (1-p)^(T_cnp r)
 *     increases per second by bytes:        r p / ((1-p)^-B - 1)
 *     increases per second by the timer:    r p / ((1-p)^-(T r) - 1)
 *     share of these after fast recovery:   (1-p)^(F B), (1-p)^(F T r)
 *
 * The model has no losses, no windows and no hyper increase.
 *
 * Swift: its formula gives the target delay of a flow with a given window. The model searches the
 * window that exactly fills the link.
 */

#include <math.h>
#include <string.h>

#include <rte_common.h>

#include "tables.h"

#define STEP_S      1e-6
#define RTT_S       20e-6
#define STEPS_MS    1000u
#define STEPS_LATE  20u /* RTT_S */
/** Length in bytes of a frame with its headers: Ethernet, IPv4, UDP, BTH, ICRC. */
#define FRAME_BYTES (4096.0 + 14 + 20 + 8 + 12 + 4)
/** Rate of the link, in packets per second. */
#define LINE        (BED_RATE_MBPS * 1e6 / 8 / FRAME_BYTES)

/* Default values of struct nd_dcqcn_parameters and of cnp_interval_us. */
#define CNP_S   50e-6
#define ALPHA_S 55e-6
#define TIMER_S 55e-6
#define BYTES   (10e6 / FRAME_BYTES)
#define FAST    5.0
#define STEP_AI (40e6 / 8 / FRAME_BYTES)
#define G       (4.0 / 1024)

/** State of the model: each flow's variables, and the length of the queue in packets. */
struct fluid {
	double rate;
	double target;
	double alpha;
	double queue;
};

static double
marked(const struct bed_marks *marks, double queue)
{
	double bytes = queue * FRAME_BYTES;

	if (bytes <= marks->kmin_bytes)
		return 0;
	if (bytes > marks->kmax_bytes)
		return 1;
	return (bytes - marks->kmin_bytes) / (marks->kmax_bytes - marks->kmin_bytes) *
		marks->pmax_per_mille / 1000;
}

/**
 * @param every number of packets between two increases
 * @param behind set to the increases per second that come after fast recovery
 * @return increases per second
 */
static double
increases(double rate, double p, double every, double *behind)
{
	double count;

	*behind = 0;
	if (p >= 1)
		return 0;
	count = p > 0 ? rate * p / (pow(1 - p, -every) - 1) : rate / every;
	*behind = p > 0 ? count * pow(1 - p, FAST * every) : count;
	return count;
}

/**
 * Compute one step of the model. @param late state that the senders see, older by the feedback
 * delay
 */
static void
fluid_step(struct fluid *now, const struct fluid *late, const struct bed_marks *marks,
	uint32_t senders)
{
	double p = marked(marks, late->queue), by_bytes, by_time, behind_bytes, behind_time;
	double cnps = 1 - pow(1 - p, CNP_S * late->rate);
	double alpha_cnps = 1 - pow(1 - p, ALPHA_S * late->rate);
	double gap = now->target - now->rate;
	double bound = BED_QUEUE_BYTES / FRAME_BYTES;
	struct fluid next;

	by_bytes = increases(late->rate, p, BYTES, &behind_bytes);
	by_time = increases(late->rate, p, TIMER_S * late->rate, &behind_time);
	next.rate = now->rate +
		STEP_S *
			(gap / 2 * (by_bytes + by_time) -
				now->rate * now->alpha * cnps / (2 * CNP_S));
	next.target = now->target +
		STEP_S * (STEP_AI * (behind_bytes + behind_time) - gap * cnps / CNP_S);
	next.alpha = now->alpha + STEP_S * G * (alpha_cnps - now->alpha) / ALPHA_S;
	next.queue = now->queue + STEP_S * (senders * now->rate - LINE);
	next.rate = fmin(next.rate, LINE);
	next.target = fmin(next.target, LINE);
	next.queue = fmax(0, fmin(next.queue, bound));
	*now = next;
}

void
tables_dcqcn_model(
	const struct bed_marks *marks, uint32_t senders, struct tables_ms series[TABLES_INCAST_MS])
{
	struct fluid now = {.rate = LINE, .target = LINE, .alpha = 1}, past[STEPS_LATE];

	for (uint32_t i = 0; i < STEPS_LATE; i++)
		past[i] = now;
	memset(series, 0, TABLES_INCAST_MS * sizeof(*series));
	for (uint32_t i = 0; i < TABLES_INCAST_MS * STEPS_MS; i++) {
		struct tables_ms *ms = &series[i / STEPS_MS];
		struct fluid late = past[i % STEPS_LATE];
		double share;

		past[i % STEPS_LATE] = now;
		fluid_step(&now, &late, marks, senders);
		share = now.queue > 0 ? 1 : fmin(1, senders * now.rate / LINE);
		ms->gbps += share * tables_ideal_gbps(BED_WRITE) / STEPS_MS;
		ms->queue_bytes += now.queue * FRAME_BYTES / STEPS_MS;
	}
}

/** @return target delay in s of a flow with this window */
static double
swift_target_s(double window, double target_s)
{
	const double window_min = 0.1, window_max = 100, range_s = target_s * 5 / 2;
	double a_s = range_s / (1 / sqrt(window_min) - 1 / sqrt(window_max));
	double scaling_s = a_s / sqrt(window) - a_s / sqrt(window_max);

	return target_s + fmax(0, fmin(scaling_s, range_s));
}

double
tables_swift_queue_bytes(uint32_t senders, uint32_t target_us)
{
	double low = 1e-3, high = 1e6;

	/*
	 * Find the window by bisection. A larger window causes a longer delay but has a shorter
	 * target delay.
	 */
	for (uint32_t i = 0; i < 100; i++) {
		double window = sqrt(low * high);

		if (senders * window / LINE < swift_target_s(window, target_us * 1e-6))
			low = window;
		else
			high = window;
	}
	return fmax(0, senders * low * FRAME_BYTES - RTT_S * BED_RATE_MBPS * 1e6 / 8);
}
