/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "cc/swift.h"

#define US        UINT64_C(1000)
#define RTT_NS    (20 * US)
/* The default target delay. */
#define TARGET_NS (50 * US)

static const struct cc_parameters parameters = {.algorithm = CC_SWIFT};
static struct cc_swift_state state;
static struct cc_flow flow;
static uint64_t now_ns;

static void
start(void)
{
	now_ns = 1000 * US;
	cr_assert_eq(cc_state_bytes(CC_SWIFT), sizeof(state));
	cc_flow_init(&flow, &parameters, &state);
}

TestSuite(swift, .init = start);

/* Run one round trip with this duration. The flow uses its whole window. */
static void
round_trip(uint64_t rtt_ns)
{
	uint32_t window = cc_window(&flow);

	now_ns += rtt_ns;
	cc_rtt_sample(&flow, rtt_ns, now_ns);
	for (uint32_t i = 0; i < window; i++)
		cc_ack_received(&flow, 1, window, now_ns);
}

Test(swift, doubles_while_there_is_no_queue)
{
	for (uint32_t window = 64; window < LIMIT_SEND_WINDOW; window *= 2) {
		cr_assert_eq(cc_window(&flow), window);
		round_trip(RTT_NS);
	}
	round_trip(RTT_NS);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
	cr_assert_not(cc_wants_packets(&flow));
	cr_assert_eq(cc_send_time_ns(&flow), 0);
}

/* A delay above the target reduces the window once per round trip, at most to half. */
Test(swift, delay_reduces_it_in_proportion)
{
	uint32_t window;

	round_trip(RTT_NS);
	cr_assert_eq(cc_window(&flow), 128);
	round_trip(100 * US); /* makes the smoothed delay 60 us */
	cr_assert_eq(state.target_ns, TARGET_NS, "for more than 100 packets");
	window = cc_window(&flow);
	cr_assert_eq(window, 110, "128 * (1 - 0.8 * 10 / 60), not %u", window);
	cc_rtt_sample(&flow, 100 * US, now_ns + 10 * US);
	cr_assert_eq(cc_window(&flow), window, "not before a round trip has passed");
	round_trip(100000 * US);
	cr_assert_eq(cc_window(&flow), window / 2);
}

Test(swift, grows_slowly_once_it_was_reduced)
{
	round_trip(RTT_NS);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 64);
	round_trip(RTT_NS);
	round_trip(RTT_NS);
	cr_assert_geq(cc_window(&flow), 65);
	cr_assert_leq(cc_window(&flow), 66);
}

Test(swift, unused_window_does_not_grow)
{
	cc_rtt_sample(&flow, RTT_NS, now_ns);
	for (int i = 0; i < 1000; i++)
		cc_ack_received(&flow, 1, 31, now_ns);
	cr_assert_eq(cc_window(&flow), 64);
}

/* A smaller window has a longer target delay, because many flows then share the queue. */
Test(swift, target_depends_on_the_window)
{
	uint32_t last_ns = 0;

	round_trip(RTT_NS);
	for (int i = 0; i < 12; i++) {
		now_ns += 1000 * US;
		cc_cnp_received(&flow, now_ns);
		cc_rtt_sample(&flow, RTT_NS, now_ns);
		cr_assert_geq(state.target_ns, last_ns);
		last_ns = state.target_ns;
	}
	cr_assert_eq(last_ns, TARGET_NS * 7 / 2, "the whole range for 0.1 packets");
}

/* RC-102: gaps, CNPs and timeouts reduce the window, each at most once per round trip. */
Test(swift, losses_and_cnps_halve_it)
{
	round_trip(RTT_NS);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 64);
	cc_gap(&flow, now_ns + 1);
	cr_assert_not(cc_cnp_received(&flow, now_ns + 2));
	cr_assert_eq(cc_window(&flow), 64);
	cr_assert(cc_cnp_received(&flow, now_ns + RTT_NS));
	cr_assert_eq(cc_window(&flow), 32);
	cc_timeout(&flow, now_ns + 1000 * US);
	cr_assert_eq(cc_window(&flow), 16);
}

/*
 * If the window is less than one packet, the flow pauses for up to 64 round trips, but at most for
 * 1 ms.
 */
Test(swift, two_timeouts_leave_the_least_and_it_is_paced)
{
	uint64_t last_ns = 0;

	round_trip(RTT_NS);
	cc_timeout(&flow, now_ns);
	cc_timeout(&flow, now_ns + 1000 * US);
	cr_assert_eq(cc_window(&flow), 1);
	cr_assert(cc_wants_packets(&flow));
	now_ns += 2000 * US;
	for (int i = 0; i < 4; i++) {
		cc_packet_sent(&flow, 100, now_ns);
		cr_assert_gt(cc_send_time_ns(&flow), now_ns + 1000 * US - 33 * US);
		cr_assert_leq(cc_send_time_ns(&flow), now_ns + 1000 * US);
		cr_assert_gt(cc_send_time_ns(&flow), last_ns);
		last_ns = cc_send_time_ns(&flow);
		now_ns = last_ns;
	}
	round_trip(RTT_NS);
	cr_assert_not(cc_wants_packets(&flow), "acknowledged: above one packet again");
	cr_assert_eq(cc_send_time_ns(&flow), 0);
	cr_assert_eq(cc_window(&flow), 1);
}

Test(swift, acknowledgement_ends_a_row_of_timeouts)
{
	round_trip(RTT_NS);
	for (uint32_t window = 64; window >= 16; window /= 2) {
		cc_timeout(&flow, now_ns += 1000 * US);
		cr_assert_eq(cc_window(&flow), window);
		cc_ack_received(&flow, 1, 1, now_ns);
	}
}

Test(swift, without_samples_losses_count)
{
	cc_ack_received(&flow, 64, 64, now_ns);
	cr_assert_eq(cc_window(&flow), 128);
	cc_gap(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 64);
	cc_timeout(&flow, now_ns);
	cr_assert_eq(cc_window(&flow), 32);
}

Test(swift, losses_of_one_window_halve_it_once)
{
	round_trip(RTT_NS);
	for (int i = 0; i < 127; i++) {
		cc_gap(&flow, now_ns += RTT_NS);
		cr_assert_leq(cc_window(&flow), 67, "%u", cc_window(&flow));
		cr_assert_geq(cc_window(&flow), 64, "%u", cc_window(&flow));
		cc_ack_received(&flow, 1, cc_window(&flow), now_ns);
	}
	cc_ack_received(&flow, 1, cc_window(&flow), now_ns);
	cc_gap(&flow, now_ns += RTT_NS);
	cr_assert_leq(cc_window(&flow), 33, "%u", cc_window(&flow));
}

/*
 * A flow may begin while the queue is full, so its round trips are long. The flow must not conclude
 * that the path is long.
 */
Test(swift, target_is_the_same_for_who_begins_in_a_queue)
{
	for (int i = 0; i < 4; i++)
		round_trip(5 * RTT_NS);
	cr_assert_leq(cc_window(&flow), 16, "%u", cc_window(&flow));
	cr_assert_lt(state.target_ns, 4 * RTT_NS, "%u", state.target_ns);
}

/*
 * After a loss, the window is smaller, and there are no samples until the loss is repaired. The
 * target for the smaller window applies at once.
 */
Test(swift, grows_again_without_a_new_sample)
{
	cc_rtt_sample(&flow, 65 * US, now_ns);
	while (cc_window(&flow) > 4)
		cc_cnp_received(&flow, now_ns += 100 * US);
	cr_assert_gt(state.target_ns, 65 * US, "%u", state.target_ns);
	for (int i = 0; i < 16; i++)
		cc_ack_received(&flow, 1, 4, now_ns);
	cr_assert_geq(cc_window(&flow), 5);
}

Test(swift, target_and_first_window_are_settings)
{
	const struct cc_parameters small = {
		.algorithm = CC_SWIFT, .window_first = 4, .target_us = 30};

	cc_flow_init(&flow, &small, &state);
	cr_assert_eq(cc_window(&flow), 4);
	for (int i = 0; i < 8; i++)
		round_trip(RTT_NS);
	round_trip(RTT_NS);
	cr_assert_eq(state.target_ns, 30 * US);
	cr_assert_eq(cc_window(&flow), LIMIT_SEND_WINDOW);
}

/*
 * On a long path, round trips exceed the target of any window even without a queue. The flow must
 * detect the long path.
 */
Test(swift, long_path_is_found_out)
{
	for (int i = 0; i < 24; i++)
		round_trip(500 * US);
	cr_assert_geq(state.target_ns, 625 * US);
	cr_assert_geq(cc_window(&flow), 8, "%u", cc_window(&flow));
	round_trip(RTT_NS);
	cr_assert_leq(state.target_ns, TARGET_NS * 7 / 2, "it was a queue");
}

/*
 * The flow concludes that the path is long only if several round trips in a row are late. The
 * shortest late round trip determines the base time.
 */
Test(swift, long_path_is_not_a_queue_now_and_then)
{
	static const uint64_t late_us[] = {500, 400, 600, 700};

	for (int i = 0; i < 40; i++)
		cc_cnp_received(&flow, now_ns += 1000 * US);
	for (int i = 0; i < 12; i++)
		cc_rtt_sample(&flow, i % 2 == 0 ? 500 * US : 100 * US, now_ns += 1000 * US);
	cr_assert_eq(state.base_ns, TARGET_NS);
	for (int i = 0; i < 4; i++)
		cc_rtt_sample(&flow, late_us[i] * US, now_ns += 1000 * US);
	cr_assert_eq(
		state.base_ns, 500 * US, "a quarter more than 400 us, not %u ns", state.base_ns);
}

Test(swift, halving_ends_at_the_least)
{
	cc_rtt_sample(&flow, RTT_NS, now_ns);
	for (int i = 0; i < 40; i++)
		cr_assert(cc_cnp_received(&flow, now_ns += RTT_NS));
	cr_assert_eq(state.cwnd, 65536 / 64, "a 64th of a packet, not %u", state.cwnd);
	cc_packet_sent(&flow, 100, now_ns);
	cc_rtt_sample(&flow, RTT_NS, now_ns += RTT_NS);
	cr_assert_eq(cc_window(&flow), 1);
}

Test(swift, never_closes)
{
	for (int i = 0; i < 1000; i++) {
		cc_gap(&flow, now_ns += RTT_NS);
		cc_timeout(&flow, now_ns += RTT_NS);
		cc_rtt_sample(&flow, 1000000 * US, now_ns += RTT_NS);
		cr_assert_geq(cc_window(&flow), 1);
	}
	cr_assert_eq(cc_window(&flow), 1);
	cc_packet_sent(&flow, 100, now_ns);
	cr_assert_lt(cc_send_time_ns(&flow), now_ns + 100000000 * US);
}
