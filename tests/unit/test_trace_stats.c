/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_trace_frame.h>
#include <ndpdk/nd_trace_stats.h>

#include "unit/trace_suite.h"

/* Test the measured values of a connection, and the texts on how much of it was checked. */

#define MS UINT64_C(1000000)
#define US UINT64_C(1000)

/* Length in bytes of a frame with 100 bytes of payload, and of an ACK frame. */
#define FRAME_BYTES (14u + 20 + 8 + 12 + 100 + 4)
#define ACK_BYTES   (14u + 20 + 8 + 12 + 4 + 4)

static uint64_t
request(enum scene_host from, uint32_t psn)
{
	return SEND(&scene, .from = from, .opcode = WIRE_RC_SEND_ONLY, .psn = psn, .bytes = 100,
		.ack_request = true);
}

#define response(opcode_, index)                                                                   \
	SEND(&scene, .from = B, .opcode = (opcode_), .psn = SCENE_PSN_A + (index),                 \
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = SCENE_MTU)

static struct nd_trace_stats
stats_of(size_t index)
{
	struct nd_trace_stats stats;

	cr_assert(nd_trace_stats(scene.trace, index, &stats));
	return stats;
}

static struct nd_trace_times
times_of(unsigned side, enum nd_trace_time time)
{
	struct nd_trace_times times;

	nd_trace_times(scene.trace, 0, side, time, &times);
	return times;
}

static struct nd_trace_coverage
coverage_of(void)
{
	struct nd_trace_coverage coverage;

	nd_trace_coverage(scene.trace, &coverage);
	return coverage;
}

TestSuite(trace_stats, .init = connected_open, .fini = just_close);
TestSuite(trace_stats_bare, .init = bare_open, .fini = just_close);

Test(trace_stats, bytes_and_duration)
{
	struct nd_trace_stats stats;

	request(A, SCENE_PSN_A);
	scene.now_ns += 5 * MS;
	request(A, SCENE_PSN_A);
	ACK(&scene, SCENE_PSN_A, 1);
	stats = stats_of(0);
	cr_expect_eq(stats.last_ns - stats.first_ns, 5 * MS + 2 * US);
	cr_expect_eq(stats.side[0].wire_bytes, 2 * FRAME_BYTES);
	cr_expect_eq(stats.side[0].payload_bytes, 200);
	cr_expect_eq(stats.side[0].requests, 2);
	cr_expect_eq(stats.side[1].wire_bytes, ACK_BYTES);
	cr_expect_eq(stats.side[1].payload_bytes, 0);
	cr_expect_eq(stats.side[1].requests, 0);
	cr_expect_not(nd_trace_stats(scene.trace, 1, &stats));
}

Test(trace_stats, time_of_a_send)
{
	struct nd_trace_times times;

	request(A, SCENE_PSN_A);
	scene.now_ns += 2 * MS;
	ACK(&scene, SCENE_PSN_A, 1);
	times = times_of(0, ND_TRACE_TIME_SEND);
	cr_expect_eq(times.count, 1);
	cr_expect_eq(times.min_ns, 2 * MS + US);
	cr_expect_eq(times.p50_ns, 2 * MS + US);
	cr_expect_eq(times.max_ns, 2 * MS + US);
	cr_expect_eq(times_of(1, ND_TRACE_TIME_SEND).count, 0);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_WRITE).count, 0);
}

/*
 * The time of a message is counted from the first transmission of its last packet. One ACK may end
 * the times of several messages.
 */
Test(trace_stats, times_of_messages_answered_together)
{
	struct nd_trace_times times;

	SEND(&scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = SCENE_PSN_A, .bytes = SCENE_MTU,
		.length = SCENE_MTU + 8);
	scene.now_ns += MS;
	SEND(&scene, .opcode = WIRE_RC_WRITE_LAST, .psn = SCENE_PSN_A + 1, .bytes = 8);
	request(A, SCENE_PSN_A + 2);
	scene.now_ns += MS;
	SEND(&scene, .opcode = WIRE_RC_WRITE_LAST, .psn = SCENE_PSN_A + 1, .bytes = 8);
	request(A, SCENE_PSN_A + 2);
	ACK(&scene, SCENE_PSN_A + 2, 2);
	ACK(&scene, SCENE_PSN_A + 2, 2);
	times = times_of(0, ND_TRACE_TIME_WRITE);
	cr_expect_eq(times.count, 1);
	cr_expect_eq(times.max_ns, MS + 4 * US);
	times = times_of(0, ND_TRACE_TIME_SEND);
	cr_expect_eq(times.count, 1);
	cr_expect_eq(times.max_ns, MS + 3 * US);
}

/* A NAK ends the times of all requests before its PSN, too. */
Test(trace_stats, nak_is_an_answer)
{
	request(A, SCENE_PSN_A);
	request(A, SCENE_PSN_A + 1);
	NAK(&scene, SCENE_PSN_A + 1, 1, WIRE_NAK_SEQUENCE);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_SEND).count, 1);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_SEND).max_ns, 2 * US);
}

Test(trace_stats, old_answers_are_not_counted_again)
{
	request(A, SCENE_PSN_A);
	request(A, SCENE_PSN_A + 1);
	ACK(&scene, SCENE_PSN_A, 1);
	ACK(&scene, SCENE_PSN_A + 1, 2);
	ACK(&scene, SCENE_PSN_A, 1);
	ACK(&scene, SCENE_PSN_A + 1, 2);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_SEND).count, 2);
}

Test(trace_stats, time_of_a_read_is_that_of_all_its_data)
{
	struct nd_trace_times times;

	READ(&scene, SCENE_PSN_A, 2 * SCENE_MTU);
	scene.now_ns += MS;
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_FIRST, .psn = SCENE_PSN_A,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = SCENE_MTU);
	scene.now_ns += MS;
	for (unsigned i = 0; i < 2; i++)
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_LAST,
			.psn = SCENE_PSN_A + 1, .syndrome = WIRE_SYNDROME_ACK, .msn = 1,
			.bytes = SCENE_MTU);
	times = times_of(0, ND_TRACE_TIME_READ);
	cr_expect_eq(times.count, 1);
	cr_expect_eq(times.max_ns, 2 * MS + 2 * US);
	cr_expect_eq(stats_of(0).side[1].payload_bytes, 3 * SCENE_MTU);
}

Test(trace_stats, read_ends_with_the_response_that_was_lost)
{
	struct nd_trace_times times;

	READ(&scene, SCENE_PSN_A, 4 * SCENE_MTU);
	response(WIRE_RC_READ_RESPONSE_FIRST, 0);
	response(WIRE_RC_READ_RESPONSE_LAST, 3);
	scene.now_ns += 30 * MS;
	READ(&scene, SCENE_PSN_A, 4 * SCENE_MTU);
	scene.now_ns += 20 * MS;
	response(WIRE_RC_READ_RESPONSE_FIRST, 0);
	response(WIRE_RC_READ_RESPONSE_MIDDLE, 2);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_READ).count, 0);
	response(WIRE_RC_READ_RESPONSE_MIDDLE, 1);
	times = times_of(0, ND_TRACE_TIME_READ);
	cr_expect_eq(times.count, 1);
	cr_expect_eq(times.max_ns, 50 * MS + 6 * US);
	cr_expect_eq(stats_of(0).stalls.count, 2);
	cr_expect_eq(stats_of(0).stalls.longest_ns, 30 * MS + US);
	cr_expect_eq(stats_of(0).pauses.count, 0);
	cr_expect_eq(nd_trace_connection(scene.trace, 0)->side[0].bytes, 4 * SCENE_MTU);
	scene_expect_clean(&scene, "all was answered");
}

/* With more gaps than TRACE_READ_HOLES, a READ's time ends with the response for its last PSN. */
Test(trace_stats, read_with_many_gaps)
{
	READ(&scene, SCENE_PSN_A, 20 * SCENE_MTU);
	for (uint32_t i = 0; i < 18; i += 2)
		response(i == 0 ? WIRE_RC_READ_RESPONSE_FIRST : WIRE_RC_READ_RESPONSE_MIDDLE, i);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_READ).count, 0);
	response(WIRE_RC_READ_RESPONSE_LAST, 19);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_READ).count, 1);
	scene_expect_clean(&scene, "nothing is known of the gaps");
}

Test(trace_stats, time_of_an_atomic)
{
	SEND(&scene, .opcode = WIRE_RC_FETCH_ADD, .psn = SCENE_PSN_A);
	scene.now_ns += MS;
	for (unsigned i = 0; i < 2; i++)
		SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = SCENE_PSN_A,
			.syndrome = WIRE_SYNDROME_ACK, .msn = 1);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_ATOMIC).count, 1);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_ATOMIC).max_ns, MS + US);
}

Test(trace_stats, times_between_packets)
{
	struct nd_trace_times times;

	for (uint32_t i = 0; i < 11; i++) {
		scene.now_ns += i == 5 ? 9 * MS : 0;
		request(A, SCENE_PSN_A + i);
	}
	times = times_of(0, ND_TRACE_TIME_BETWEEN);
	cr_expect_eq(times.count, 10);
	cr_expect_eq(times.min_ns, US);
	cr_expect_eq(times.max_ns, 9 * MS + US);
	cr_expect_leq(times.p90_ns, US + US / 32);
	cr_expect_eq(nd_trace_percentile_ns(scene.trace, 0, 0, ND_TRACE_TIME_BETWEEN, 1000000),
		9 * MS + US);
	cr_expect_eq(times_of(1, ND_TRACE_TIME_BETWEEN).count, 0);
}

/* The ACK timeout of B is 268 ms. */
Test(trace_stats, waits_before_repetitions)
{
	struct nd_trace_times times;

	request(B, SCENE_PSN_B);
	request(B, SCENE_PSN_B + 1);
	scene.now_ns += 20 * MS;
	request(B, SCENE_PSN_B);
	request(B, SCENE_PSN_B + 1);
	scene.now_ns += 30 * MS;
	request(B, SCENE_PSN_B);
	scene.now_ns += 300 * MS;
	request(B, SCENE_PSN_B);
	SEND(&scene, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = SCENE_PSN_B,
		.syndrome = WIRE_NAK_SEQUENCE);
	request(B, SCENE_PSN_B);
	times = times_of(1, ND_TRACE_TIME_REPEAT);
	cr_expect_eq(times.count, 3);
	cr_expect_eq(times.min_ns, 20 * MS + 2 * US);
	cr_expect_eq(times.max_ns, 300 * MS + US);
	cr_expect_eq(stats_of(0).side[1].repeated_early, 2);
}

Test(trace_stats, stalls_and_pauses)
{
	struct nd_trace_stats stats;
	uint64_t stalled;

	request(A, SCENE_PSN_A);
	scene.now_ns += 10 * MS - US;
	request(A, SCENE_PSN_A);
	scene.now_ns += 30 * MS;
	stalled = request(A, SCENE_PSN_A);
	scene.now_ns += 20 * MS;
	ACK(&scene, SCENE_PSN_A, 1);
	scene.now_ns += 50 * MS;
	request(A, SCENE_PSN_A + 1);
	stats = stats_of(0);
	cr_expect_eq(stats.stalls.count, 2);
	cr_expect_eq(stats.stalls.longest_ns, 30 * MS + US);
	cr_expect_eq(stats.stalls.longest_frame, stalled);
	cr_expect_eq(stats.stalls.total_ns, 50 * MS + 2 * US);
	cr_expect_eq(stats.pauses.count, 1);
	cr_expect_eq(stats.pauses.longest_ns, 50 * MS + US);
	cr_expect_eq(stats.pauses.longest_frame, stalled + 2);
}

Test(trace_stats_bare, threshold_of_silences)
{
	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(&(struct nd_trace_config){.stall_ns = 5 * US});
	cr_assert_not_null(scene.trace);
	scene_connect(&scene);
	request(A, SCENE_PSN_A);
	scene.now_ns += 4 * US;
	request(A, SCENE_PSN_A + 1);
	scene.now_ns += 5 * US;
	request(A, SCENE_PSN_A + 2);
	cr_expect_eq(stats_of(0).stalls.count, 1);
}

Test(trace_stats, clock_steps_back)
{
	struct nd_trace_stats stats;

	for (uint32_t i = 0; i < 10; i++) {
		scene.now_ns -= 50 * MS;
		request(A, SCENE_PSN_A + i);
	}
	stats = stats_of(0);
	cr_expect_eq(stats.last_ns, stats.first_ns);
	cr_expect_eq(stats.stalls.count, 0);
	cr_expect_eq(times_of(0, ND_TRACE_TIME_BETWEEN).max_ns, 0);
}

Test(trace_stats, congestion_marks)
{
	struct nd_trace_stats stats;

	for (uint8_t ecn = 0; ecn < 4; ecn++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A + ecn, .bytes = 4,
			.tos = 0x68u | ecn);
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
	scene.now_ns += 3 * US;
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
	stats = stats_of(0);
	cr_expect_eq(stats.side[0].ect, 2);
	cr_expect_eq(stats.side[0].ce, 1);
	cr_expect_eq(stats.side[1].ce, 0);
	cr_expect_eq(stats.side[1].cnps_close, 1);
	cr_expect_eq(stats.side[1].cnp_least_ns, US);
	cr_expect_eq(stats.side[0].cnp_least_ns, 0);
}

Test(trace_stats, all_is_judged_behind_a_cm_exchange)
{
	request(A, SCENE_PSN_A);
	ACK(&scene, SCENE_PSN_A, 1);
	nd_trace_finish(scene.trace);
	cr_expect_eq(stats_of(0).side[0].judged, ND_TRACE_JUDGED_FULLY);
	cr_expect_eq(stats_of(0).side[1].judged, ND_TRACE_JUDGED_FULLY);
	cr_expect_eq(coverage_of().judged, 5);
	cr_expect_eq(coverage_of().without_cm, 0);
	cr_expect_eq(coverage_of().one_way, 0);
	cr_expect_eq(coverage_of().alone, 0);
	cr_expect_eq(coverage_of().early, 0);
}

/* The first answer shows that two sides are one connection. Then their statistics are combined. */
Test(trace_stats_bare, capture_begins_in_the_middle)
{
	struct nd_trace_stats stats;

	request(A, SCENE_PSN_A);
	request(A, SCENE_PSN_A + 1);
	request(B, SCENE_PSN_B);
	ACK(&scene, SCENE_PSN_A + 1, 7);
	nd_trace_finish(scene.trace);
	stats = stats_of(0);
	cr_expect_eq(nd_trace_connection_count(scene.trace), 1);
	cr_expect_eq(stats.last_ns - stats.first_ns, 3 * US);
	cr_expect_eq(stats.side[0].wire_bytes, 2 * FRAME_BYTES);
	cr_expect_eq(stats.side[1].wire_bytes, FRAME_BYTES + ACK_BYTES);
	cr_expect_eq(stats.side[0].judged, ND_TRACE_JUDGED_PARTLY);
	cr_expect_eq(stats.side[1].judged, ND_TRACE_JUDGED_PARTLY);
	cr_expect_eq(coverage_of().early, 3);
	cr_expect_eq(coverage_of().judged, 1);
	cr_expect_eq(coverage_of().without_cm, 1);
}

Test(trace_stats_bare, one_direction_only)
{
	for (uint32_t i = 0; i < 4; i++)
		ACK(&scene, SCENE_PSN_A + i, i + 1);
	nd_trace_finish(scene.trace);
	cr_expect_eq(stats_of(0).side[0].judged, ND_TRACE_JUDGED_ALONE);
	cr_expect_eq(stats_of(0).side[1].judged, ND_TRACE_JUDGED_NONE);
	cr_expect_eq(coverage_of().alone, 4);
	cr_expect_eq(coverage_of().judged, 0);
	cr_expect_eq(coverage_of().one_way, 1);
}

/* A CNP alone makes no connection. A datagram that is no CM message belongs to no connection. */
Test(trace_stats_bare, packets_of_no_connection)
{
	SEND(&scene, .opcode = WIRE_CNP);
	SEND(&scene, .opcode = WIRE_UD_SEND_ONLY, .qpn = 0x99, .bytes = 8);
	SEND(&scene, .opcode = WIRE_UD_SEND_ONLY, .qpn = 0x99, .bytes = 8);
	cr_expect_eq(coverage_of().alone, 1);
	cr_expect_eq(coverage_of().unfollowed, 0);
	cr_expect_eq(coverage_of().datagrams, 2);
	cr_expect_eq(coverage_of().judged, 0);
}

static struct nd_trace_seen
last(void)
{
	struct nd_trace_seen seen;

	nd_trace_last(scene.trace, &seen);
	return seen;
}

static void
expect_kind(enum nd_trace_kind kind, uint32_t psn, uint32_t payload_bytes)
{
	cr_expect_eq(
		last().kind, kind, "frame %lu: %d", (unsigned long)last().frame, (int)last().kind);
	cr_expect_eq(last().psn, psn);
	cr_expect_eq(last().payload_bytes, payload_bytes);
}

Test(trace_stats, kinds_of_packets)
{
	expect_kind(ND_TRACE_KIND_NONE, 0, 0);
	request(A, SCENE_PSN_A);
	expect_kind(ND_TRACE_KIND_REQUEST, SCENE_PSN_A, 100);
	READ(&scene, SCENE_PSN_A + 1, 8);
	expect_kind(ND_TRACE_KIND_REQUEST, SCENE_PSN_A + 1, 0);
	NAK(&scene, SCENE_PSN_A, 0, WIRE_NAK_SEQUENCE);
	expect_kind(ND_TRACE_KIND_NAK_SEQUENCE, SCENE_PSN_A, 0);
	NAK(&scene, SCENE_PSN_A, 0, WIRE_SYNDROME_RNR);
	expect_kind(ND_TRACE_KIND_RNR_NAK, SCENE_PSN_A, 0);
	ACK(&scene, SCENE_PSN_A, 1);
	expect_kind(ND_TRACE_KIND_ACK, SCENE_PSN_A, 0);
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = SCENE_PSN_A + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2, .bytes = 8);
	expect_kind(ND_TRACE_KIND_RESPONSE, SCENE_PSN_A + 1, 8);
	request(A, SCENE_PSN_A + 2);
	NAK(&scene, SCENE_PSN_A + 2, 2, WIRE_NAK_REMOTE_ACCESS);
	expect_kind(ND_TRACE_KIND_NAK_FATAL, SCENE_PSN_A + 2, 0);
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
	expect_kind(ND_TRACE_KIND_CNP, 0, 0);
}

/*
 * Two halves (sides) had connection numbers before they were joined. Both numbers then lead to the
 * whole connection.
 */
Test(trace_stats_bare, halves_become_one)
{
	struct nd_trace_seen seen[3];

	request(A, SCENE_PSN_A);
	seen[0] = last();
	request(B, SCENE_PSN_B);
	seen[1] = last();
	ACK(&scene, SCENE_PSN_A, 1);
	seen[2] = last();
	nd_trace_finish(scene.trace);
	cr_expect_neq(seen[0].connection, seen[1].connection);
	for (unsigned i = 0; i < 3; i++) {
		unsigned side = nd_trace_side(scene.trace, seen[i].connection, seen[i].side);

		cr_expect_eq(nd_trace_index(scene.trace, seen[i].connection), 0);
		cr_expect_eq(side, i == 0 ? 0 : 1, "frame %u: side %u", i + 1, side);
	}
}
