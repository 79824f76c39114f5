/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "cc/cc.h"

Test(cc, none_never_delays)
{
	struct cc_flow flow;

	cc_flow_init(&flow, CC_NONE);
	for (uint64_t now_ns = 0; now_ns < 1000; now_ns += 10) {
		cc_packet_sent(&flow, 4096, now_ns);
		cc_ack_received(&flow, 3, now_ns);
		cc_cnp_received(&flow, now_ns);
		cc_timeout(&flow, now_ns);
		cr_assert_leq(cc_send_time_ns(&flow, now_ns), now_ns);
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
	cr_assert_eq(flow.algorithm, CC_NONE);
	cr_assert_eq(flow.cnp_count, 0);
}
