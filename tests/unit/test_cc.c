/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "cc/cc.h"

Test(cc, none_never_delays)
{
	struct cc_flow flow;

	cc_flow_init(&flow, CC_NONE);
	for (uint64_t now_ns = 0; now_ns < 1000; now_ns += 10) {
		cc_packet_sent(&flow, 4096, now_ns);
		cc_ack_received(&flow, 3, now_ns);
		cc_cnp_received(&flow, now_ns);
		cc_gap(&flow, now_ns);
		cc_timeout(&flow, now_ns);
		cr_assert_leq(cc_send_time_ns(&flow), now_ns);
		cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
	}
	cr_assert_eq(
		flow.cnp_count, 100, "%lu notifications counted", (unsigned long)flow.cnp_count);
}

Test(cc, init_forgets_what_was)
{
	struct cc_flow flow;

	cc_flow_init(&flow, CC_NONE);
	cc_cnp_received(&flow, 1);
	cc_flow_init(&flow, CC_NONE);
	cr_assert_eq(flow.cnp_count, 0);
}

/* RC-102: a gap halves the window, a timeout leaves a small one, acknowledgements open it. */
Test(cc, losses_shrink_the_window_and_acknowledgements_open_it)
{
	uint32_t window;
	struct cc_flow flow;

	cc_flow_init(&flow, CC_LOSS_WINDOW);
	for (int i = 0; i < 1000; i++)
		cc_ack_received(&flow, 64, 1);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW, "no further than the limit");
	cc_gap(&flow, 2);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW / 2);
	cc_timeout(&flow, 3);
	window = cc_window(&flow);
	cr_assert_lt(window, LIMIT_SEND_WINDOW / 2);
	for (int i = 0; i < 100; i++)
		cc_timeout(&flow, 4);
	cr_assert_geq(cc_window(&flow), 1, "something may always be sent");
	window = cc_window(&flow);
	cc_ack_received(&flow, 1, 5);
	cr_assert_eq(cc_window(&flow), window + 1);
	cr_assert_eq(cc_send_time_ns(&flow), 0);
}
