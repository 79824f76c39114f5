/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "cc/loss_window.h"
#include "cc/peer.h"

/* Test how the loss window algorithm detects congestion with samples of round trips (RC-102). */

#define RTT_NS UINT64_C(20000)

static const struct cc_parameters parameters = {.algorithm = CC_LOSS_WINDOW};
static struct cc_loss_state state;
static struct cc_flow flow;
static uint64_t now_ns;

static void
start(void)
{
	now_ns = 1000;
	cr_assert_eq(cc_state_bytes(CC_LOSS_WINDOW), sizeof(state));
	cc_flow_init(&flow, &parameters, &state);
}

TestSuite(loss_window, .init = start);

/* Acknowledge packets of a flow that always uses its whole window. */
static void
acknowledge(uint32_t packets)
{
	for (uint32_t i = 0; i < packets; i++)
		cc_ack_received(&flow, 1, cc_window(&flow), now_ns);
}

static void
round_trip(uint64_t rtt_ns)
{
	now_ns += rtt_ns;
	cc_rtt_sample(&flow, rtt_ns, now_ns);
}

static void
open_window(void)
{
	round_trip(RTT_NS);
	acknowledge(4 * LIMIT_SEND_WINDOW);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
}

Test(loss_window, few_losses_without_queue_leave_it)
{
	open_window();
	for (int i = 0; i < 1000; i++) {
		acknowledge(100);
		round_trip(RTT_NS + (i % 3) * 5000);
		cc_gap(&flow, now_ns);
		cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW, "after %d losses", i + 1);
	}
}

Test(loss_window, few_losses_with_a_queue_halve_it)
{
	open_window();
	for (int i = 0; i < 4; i++)
		round_trip(10 * RTT_NS);
	acknowledge(100);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW / 2);
}

/*
 * If one of eight packets is lost, the loss counts as congestion even without delay, because the
 * queue may be too short to cause a delay.
 */
Test(loss_window, many_losses_halve_it)
{
	open_window();
	for (int i = 0; i < 1000; i++) {
		acknowledge(8);
		cc_gap(&flow, now_ns);
		cr_assert(i < 20 || cc_window(&flow) < LIMIT_SEND_WINDOW);
	}
	cr_assert_leq(cc_window(&flow), 16, "%u", cc_window(&flow));
	cr_assert_geq(cc_window(&flow), 8, "%u", cc_window(&flow));
}

/*
 * If packets are lost and the queueing delay grows, the window shrinks to two packets, so that many
 * flows fit into the queue.
 */
Test(loss_window, losses_in_a_queue_leave_two_packets)
{
	open_window();
	for (int i = 0; i < 20; i++) {
		round_trip(10 * RTT_NS);
		cc_gap(&flow, now_ns);
		acknowledge(cc_window(&flow));
	}
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 2, "%u", cc_window(&flow));
	acknowledge(2);
	cr_assert_eq(cc_window(&flow), 3, "it does not double: %u", cc_window(&flow));
	cc_timeout(&flow, now_ns);
	acknowledge(8);
	cr_assert_leq(cc_window(&flow), 6, "nor then: %u", cc_window(&flow));
}

Test(loss_window, losses_of_one_window_halve_it_once)
{
	open_window();
	round_trip(100 * RTT_NS);
	for (int i = 0; i < 100; i++) {
		cc_gap(&flow, now_ns);
		acknowledge(10);
	}
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW / 2 + 1, "%u", cc_window(&flow));
	acknowledge(LIMIT_SEND_WINDOW);
	cc_gap(&flow, now_ns);
	cr_assert_leq(cc_window(&flow), LIMIT_SEND_WINDOW / 4 + 2, "%u", cc_window(&flow));
}

Test(loss_window, one_loss_in_twenty_without_queue_leaves_it)
{
	open_window();
	for (int i = 0; i < 1000; i++) {
		acknowledge(20);
		cc_gap(&flow, now_ns);
		cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW, "after %d losses", i + 1);
	}
}

Test(loss_window, doubling_goes_on_without_queue)
{
	round_trip(RTT_NS);
	cc_timeout(&flow, now_ns);
	acknowledge(500);
	cc_gap(&flow, now_ns);
	for (int i = 0; i < 3; i++) {
		uint32_t window = cc_window(&flow);

		acknowledge(window);
		cc_gap(&flow, now_ns);
		cr_assert_eq(cc_window(&flow), 2 * window);
	}
}

/* If the peer drops packets after a gap, a loss costs more, so fewer losses are tolerated. */
Test(loss_window, peer_that_goes_back_gets_less)
{
	round_trip(RTT_NS);
	acknowledge(36);
	cc_peer_goes_back(&flow, true);
	cc_gap(&flow, now_ns);
	acknowledge(100);
	cr_assert_eq(cc_window(&flow), 101, "no doubling");
	for (int i = 0; i < 200; i++) {
		acknowledge(20);
		cc_gap(&flow, now_ns);
	}
	cr_assert_leq(cc_window(&flow), 16, "%u", cc_window(&flow));
}

Test(loss_window, loss_ends_the_doubling)
{
	round_trip(RTT_NS);
	for (int i = 0; i < 10; i++)
		round_trip(RTT_NS + 23000);
	acknowledge(36);
	cr_assert_eq(cc_window(&flow), 100);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 100);
	acknowledge(100);
	cr_assert_eq(cc_window(&flow), 101);
}

Test(loss_window, gaps_halve_it_without_samples)
{
	acknowledge(4 * LIMIT_SEND_WINDOW);
	for (uint32_t window = LIMIT_SEND_WINDOW / 2; window >= 8; window /= 2) {
		cc_gap(&flow, now_ns);
		cr_assert_eq(cc_window(&flow), window);
	}
}

Test(loss_window, timeout_leaves_a_few_packets_whatever_the_delay)
{
	open_window();
	cc_timeout(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 4);
}

/* CC-004, SEC-026: CNPs halve the window at most once per window in flight. */
Test(loss_window, cnp_halves_it_cc004)
{
	acknowledge(4 * LIMIT_SEND_WINDOW);
	cr_assert(cc_cnp_received(&flow, now_ns));
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW / 2);
	for (int i = 0; i < 100; i++)
		cr_assert_not(cc_cnp_received(&flow, now_ns));
	acknowledge(LIMIT_SEND_WINDOW);
	cr_assert(cc_cnp_received(&flow, now_ns));
}

/* CC-004: a CNP shows a queue that loses no packets, so the window may shrink to one packet. */
Test(loss_window, cnps_leave_one_packet_cc004)
{
	for (int i = 0; i < 20; i++) {
		while (!cc_cnp_received(&flow, now_ns))
			acknowledge(1);
	}
	cr_assert_eq(cc_window(&flow), 1, "%u", cc_window(&flow));
	acknowledge(1);
	cr_assert_eq(cc_window(&flow), 2);
	acknowledge(2);
	cr_assert_eq(cc_window(&flow), 3, "it does not double: %u", cc_window(&flow));
}

/*
 * The first window can be configured, because many flows that start together may need a small one.
 */
Test(loss_window, first_window_is_a_setting)
{
	const struct cc_parameters small = {.algorithm = CC_LOSS_WINDOW, .window_first = 3};

	cc_flow_init(&flow, &small, &state);
	cr_assert_eq(cc_window(&flow), 3);
	acknowledge(3);
	cr_assert_eq(cc_window(&flow), 6);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 6, "a loss does not open it");
}

Test(loss_window, least_round_trip_is_forgotten)
{
	open_window();
	for (int i = 0; i < 30; i++) {
		now_ns += 1000000000;
		cc_rtt_sample(&flow, 20 * RTT_NS, now_ns);
	}
	acknowledge(100);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
}
