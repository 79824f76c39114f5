/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "cc/cc.h"
#include "cc/dcqcn.h"

#define LINE_MBPS 40000u
#define LINE_KBPS (LINE_MBPS * 1000)
#define US        UINT64_C(1000)
#define MS        (1000 * US)
#define START_NS  (1000 * MS) /* time at the start, which is not 0 */
#define FRAME     1082u

static struct cc_parameters parameters;
static struct cc_dcqcn_state state;
static struct cc_flow flow;

static void
start(void)
{
	parameters = (struct cc_parameters){.algorithm = CC_DCQCN, .line_rate_mbps = LINE_MBPS};
	cc_dcqcn_defaults(&parameters.dcqcn);
	cr_assert_eq(cc_state_bytes(CC_DCQCN), sizeof(state));
	cc_flow_init(&flow, &parameters, &state);
}

TestSuite(dcqcn, .init = start);

static uint32_t
rate(void)
{
	return cc_dcqcn_rate_kbps(&flow);
}

/* Send whenever the flow permits it, like a queue pair that always has data. @return bytes sent */
static uint64_t
send_until(uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sent_bytes = 0;

	for (uint64_t now_ns = from_ns; now_ns < to_ns && cc_wants_packets(&flow); now_ns += US) {
		while (cc_send_time_ns(&flow) <= now_ns && cc_wants_packets(&flow)) {
			cc_packet_sent(&flow, FRAME, now_ns);
			sent_bytes += FRAME;
		}
	}
	return sent_bytes;
}

/* Before the first CNP, the rate is not limited, and the flow needs no event for each packet. */
Test(dcqcn, free_until_the_first_cnp)
{
	cr_assert_not(cc_wants_packets(&flow));
	cr_assert_eq(cc_send_time_ns(&flow), 0);
	cr_assert_eq(rate(), LINE_KBPS);
	cr_assert(cc_cnp_received(&flow, START_NS));
	cr_assert(cc_wants_packets(&flow));
	cr_assert_eq(cc_send_time_ns(&flow), START_NS);
}

/* CC-020: at the first CNP alpha is 1, so the rate is halved. */
Test(dcqcn, one_cnp_at_full_rate_halves_it_cc020)
{
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), LINE_KBPS / 2);
	cr_assert_eq(state.target_kbps, LINE_KBPS);
}

/* CC-021: the timer increases the rate, even if the flow sends nothing. */
Test(dcqcn, five_increases_bring_it_back_cc021)
{
	uint64_t at_ns = START_NS + 5 * 55 * US;

	cc_cnp_received(&flow, START_NS);
	cc_packet_sent(&flow, FRAME, at_ns - 1);
	cr_assert_eq(state.timer_count, 4);
	cc_packet_sent(&flow, FRAME, at_ns);
	cr_assert_eq(state.timer_count, 5);
	cr_assert_geq(rate(), LINE_KBPS - LINE_KBPS / 32);
	cr_assert_leq(rate(), LINE_KBPS);
}

/* CC-021: the byte counter increases the rate, too. */
Test(dcqcn, bytes_bring_it_back_cc021)
{
	cc_cnp_received(&flow, START_NS);
	for (uint32_t bytes = 0; bytes < 5 * parameters.dcqcn.rpg_byte_reset; bytes += FRAME)
		cc_packet_sent(&flow, FRAME, START_NS + 54 * US);
	cr_assert_eq(state.timer_count, 0);
	cr_assert_geq(rate(), LINE_KBPS - LINE_KBPS / 32);
}

/*
 * CC-021: at first, increases only raise the rate towards the target rate. After a threshold of
 * increases by timer or byte counter, the target rate grows in small steps. After both have reached
 * the threshold, the target rate grows in large steps.
 */
Test(dcqcn, increases_beyond_the_target_cc021)
{
	uint64_t now_ns = START_NS;
	uint32_t before_kbps, target_kbps;

	parameters.dcqcn.rpg_threshold = 2;
	parameters.dcqcn.rpg_byte_reset = 2 * FRAME;
	for (int i = 0; i < 20; i++, now_ns += 50 * US) {
		cr_assert(cc_cnp_received(&flow, now_ns));
		target_kbps = state.target_kbps;
		for (int k = 0; k < 2; k++)
			cc_packet_sent(&flow, FRAME, now_ns);
		cr_assert_eq(state.target_kbps, target_kbps, "the first step after a cut");
	}
	before_kbps = rate();
	cc_packet_sent(&flow, FRAME, now_ns);
	cr_assert_eq(rate(), before_kbps, "half of the bytes of a step");
	cc_packet_sent(&flow, FRAME, now_ns);
	cr_assert_eq(state.target_kbps, target_kbps + 40000, "two steps by bytes");
	now_ns += 3 * 55 * US;
	cc_packet_sent(&flow, FRAME, now_ns);
	cr_assert_eq(state.target_kbps, target_kbps + 4 * 40000, "three by time");
	cc_packet_sent(&flow, FRAME, now_ns);
	cr_assert_eq(state.target_kbps, target_kbps + 4 * 40000 + 400000, "three of both");
}

/* CC-022, SEC-026: a flood of CNPs cuts the rate once per period, and never below a minimum. */
Test(dcqcn, flood_cuts_once_in_a_period_cc022)
{
	uint32_t cuts = 0;

	for (uint64_t us = 0; us < 5000; us++)
		cuts += cc_cnp_received(&flow, START_NS + us * US);
	cr_assert_eq(cuts, 100, "%u cuts in 100 periods", cuts);
	for (uint64_t us = 5000; us < 50000; us++) {
		cc_cnp_received(&flow, START_NS + us * US);
		cr_assert_geq(rate(), 10000, "%u kb/s", rate());
	}
	cr_assert_leq(rate(), 20000, "%u kb/s after 50 ms of CNPs", rate());
}

/* CC-023: one second after the last CNP, the rate limit ends, whatever the parameters are. */
Test(dcqcn, second_without_cnp_releases_cc023)
{
	parameters.dcqcn.rpg_ai_rate_mbps = 1;
	parameters.dcqcn.rpg_hai_rate_mbps = 1;
	for (uint64_t us = 0; us < 5000; us++)
		cc_cnp_received(&flow, START_NS + us * US);
	cc_packet_sent(&flow, FRAME, START_NS + 900 * MS);
	cr_assert(cc_wants_packets(&flow));
	cr_assert_lt(rate(), LINE_KBPS);
	cc_packet_sent(&flow, FRAME, START_NS + 1005 * MS);
	cr_assert_not(cc_wants_packets(&flow));
	cr_assert_eq(rate(), LINE_KBPS);
	cr_assert_eq(cc_send_time_ns(&flow), 0);
}

/*
 * CC-023: a sending flow with the parameters of the paper reaches the line rate in less than one
 * second. From then on, the rate is not limited.
 */
Test(dcqcn, released_when_back_at_line_rate_cc023)
{
	uint64_t now_ns = START_NS;

	cc_cnp_received(&flow, now_ns);
	while (cc_wants_packets(&flow) && now_ns < START_NS + 100 * MS) {
		now_ns += 10 * US;
		cc_packet_sent(&flow, FRAME, now_ns);
	}
	cr_assert_not(cc_wants_packets(&flow));
	cr_assert_eq(cc_send_time_ns(&flow), 0);
	cr_assert(cc_cnp_received(&flow, now_ns + 1));
	cr_assert_eq(rate(), LINE_KBPS / 2, "the next CNP is a first one");
}

/*
 * The rate increases of an idle flow are computed only when the flow sends its next packet. The
 * rate is nearly the same as with increases at the right times.
 */
Test(dcqcn, lazy_timers_are_as_good_as_timers)
{
	struct cc_dcqcn_state other;
	uint32_t stepwise;

	for (uint64_t us = 0; us < 1000; us++)
		cc_cnp_received(&flow, START_NS + us * US);
	other = state;
	for (uint64_t us = 1000; us <= 20000; us++)
		cc_packet_sent(&flow, 0, START_NS + us * US);
	stepwise = rate();
	other.bytes = state.bytes;
	state = other;
	cc_packet_sent(&flow, 0, START_NS + 20000 * US);
	cr_assert_geq(rate(), stepwise);
	cr_assert_leq(rate() - stepwise, parameters.dcqcn.rpg_ai_rate_mbps * 1000,
		"%u kb/s at once, %u step by step", rate(), stepwise);
}

Test(dcqcn, packets_are_paced_and_bursts_are_short)
{
	uint64_t from_ns = START_NS + 40 * MS, bytes;
	uint32_t burst = 0;

	parameters.dcqcn.rpg_time_reset_us = 1000000; /* keeps the rate constant */
	parameters.dcqcn.rpg_byte_reset = 1u << 30;
	for (uint64_t us = 0; us <= 150; us++)
		cc_cnp_received(&flow, START_NS + us * US);
	cr_assert_lt(rate(), LINE_KBPS / 4);
	while (cc_send_time_ns(&flow) <= from_ns) {
		cc_packet_sent(&flow, FRAME, from_ns);
		burst++;
	}
	/* At most the packets of 32 us are sent at once, plus one that exceeds the credit. */
	cr_assert_leq(burst, 32768ull * rate() / 8 / 1000000 / FRAME + 2, "%u at once", burst);
	bytes = send_until(from_ns, from_ns + MS);
	cr_assert_leq(
		bytes, (uint64_t)rate() / 8 + FRAME, "%lu bytes in 1 ms", (unsigned long)bytes);
	cr_assert_geq(
		bytes, (uint64_t)rate() / 8 * 95 / 100, "%lu bytes in 1 ms", (unsigned long)bytes);
}

Test(dcqcn, parameters_of_mlx5)
{
	parameters.dcqcn.rpg_gd = 12;
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), LINE_KBPS - LINE_KBPS / 4, "alpha / 4");
	start();
	parameters.dcqcn.rpg_gd = 10;
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), LINE_KBPS / 2, "min_dec_fac");
	start();
	parameters.dcqcn.initial_alpha_1024 = 512;
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), LINE_KBPS - LINE_KBPS / 4);
	start();
	parameters.dcqcn.rate_to_set_on_first_cnp_mbps = 1000;
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), 1000000);
	start();
	parameters.dcqcn.rate_to_set_on_first_cnp_mbps = LINE_MBPS - 1;
	cc_cnp_received(&flow, START_NS);
	cr_assert_eq(rate(), LINE_KBPS / 2, "not above what the cut leaves");
	start();
	parameters.dcqcn.rate_reduce_monitor_period_us = 4;
	cc_cnp_received(&flow, START_NS);
	cr_assert_not(cc_cnp_received(&flow, START_NS + 3 * US));
	cr_assert(cc_cnp_received(&flow, START_NS + 4 * US));
}

Test(dcqcn, slow_line)
{
	parameters.line_rate_mbps = 5;
	cc_flow_init(&flow, &parameters, &state);
	cr_assert(cc_cnp_received(&flow, START_NS));
	cr_assert_eq(rate(), 5000);
}

Test(dcqcn, losses_change_the_window)
{
	cr_assert_eq(cc_window(&flow), 64);
	cc_gap(&flow, START_NS);
	cr_assert_eq(cc_window(&flow), 32);
	cc_cnp_received(&flow, START_NS);
	cc_timeout(&flow, START_NS);
	cr_assert_eq(cc_window(&flow), 4);
	cc_ack_received(&flow, 4, 4, START_NS);
	cr_assert_eq(cc_window(&flow), 8);
}
