/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "cc/cc.h"
#include "cc/peer.h"

/* Test the algorithms that have no state, and the state that each flow has. */
static const struct cc_parameters none = {.algorithm = CC_NONE};
static const struct cc_parameters loss_window = {.algorithm = CC_LOSS_WINDOW};
static uint64_t state[32];

Test(cc, none_never_delays)
{
	struct cc_flow flow;

	cc_flow_init(&flow, &none, NULL);
	for (uint64_t now_ns = 0; now_ns < 1000; now_ns += 10) {
		cc_packet_sent(&flow, 4096, now_ns);
		cc_ack_received(&flow, 3, 3, now_ns);
		cr_assert_not(cc_cnp_received(&flow, now_ns));
		cc_gap(&flow, now_ns);
		cc_timeout(&flow, now_ns);
		cc_peer_goes_back(&flow, true);
		cr_assert_leq(cc_send_time_ns(&flow), now_ns);
		cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
	}
}

static void
loss_window_start(struct cc_flow *flow)
{
	cr_assert_leq(cc_state_bytes(CC_LOSS_WINDOW), sizeof(state));
	cc_flow_init(flow, &loss_window, state);
}

Test(cc, init_forgets_what_was)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	cc_timeout(&flow, 1);
	loss_window_start(&flow);
	cr_assert_eq(cc_window(&flow), 64);
	cc_flow_init(&flow, &none, NULL);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
}

static unsigned int
round_trips_to(struct cc_flow *flow, uint32_t goal)
{
	unsigned int count = 0;

	while (cc_window(flow) < goal) {
		uint32_t window = cc_window(flow);

		cc_ack_received(flow, window, window, 1);
		cr_assert_gt(cc_window(flow), window, "%u stays %u", window, cc_window(flow));
		cr_assert_leq(cc_window(flow), 2 * window);
		cr_assert_leq(cc_window(flow), LIMIT_SEND_WINDOW);
		count++;
	}
	return count;
}

/* RC-102: the first window is small and grows as packets are acknowledged. */
Test(cc, window_starts_small_and_doubles)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	cr_assert_eq(cc_window(&flow), 64);
	cr_assert_eq(round_trips_to(&flow, LIMIT_SEND_WINDOW), 4);
	cc_ack_received(&flow, LIMIT_SEND_WINDOW, LIMIT_SEND_WINDOW, 1);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW, "no further than the limit");
	cr_assert_eq(cc_send_time_ns(&flow), 0);
}

/* A window that is not fully used does not grow, because its ACKs tell nothing about the path. */
Test(cc, unused_window_does_not_grow)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	for (int i = 0; i < 100000; i++)
		cc_ack_received(&flow, 1, 1 + i % 31, 1);
	cr_assert_eq(cc_window(&flow), 64);
	cc_ack_received(&flow, 1, 32, 1);
	cr_assert_eq(cc_window(&flow), 65);
}

Test(cc, gap_halves_the_window_and_slows_its_growth)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	round_trips_to(&flow, 512);
	cc_gap(&flow, 2);
	cr_assert_eq(cc_window(&flow), 256);
	cr_assert_eq(round_trips_to(&flow, 300), 44, "by one in each round trip");
}

/* After a timeout, the window doubles up to half of its old size, and then grows slowly. */
Test(cc, timeout_leaves_a_few_packets)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	round_trips_to(&flow, 512);
	cc_timeout(&flow, 2);
	cr_assert_eq(cc_window(&flow), 4);
	cr_assert_eq(round_trips_to(&flow, 256), 6);
	cr_assert_eq(round_trips_to(&flow, 260), 4);
}

Test(cc, losses_without_end_do_not_close_the_window)
{
	struct cc_flow flow;

	loss_window_start(&flow);
	for (int i = 0; i < 1000; i++) {
		cc_gap(&flow, 2);
		cr_assert_geq(cc_window(&flow), 8);
	}
	for (int i = 0; i < 1000; i++) {
		cc_timeout(&flow, 3);
		cr_assert_geq(cc_window(&flow), 4);
	}
	cr_assert_leq(round_trips_to(&flow, 16), 14);
}
