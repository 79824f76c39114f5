/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_trace_stats.h>

#include "base/encoded_time.h"
#include "unit/trace_suite.h"

/*
 * Test retransmissions that break RC-085 and RC-096, and retransmissions that break no rule. Side B
 * accepted the connection, so the REQ from A limits the retransmissions by B (CM-024).
 */

#define MS         UINT64_C(1000000)
/* 655.36 ms, 163.84 ms */
#define RNR_LONG   WIRE_SYNDROME_RNR
#define RNR_MIDDLE (WIRE_SYNDROME_RNR | 28)
#define RNR_SHORT  (WIRE_SYNDROME_RNR | 12)

static const uint32_t first_psn[2] = {SCENE_PSN_A, SCENE_PSN_B};

static uint64_t
request(enum scene_host from, uint32_t index)
{
	return SEND(&scene, .from = from, .opcode = WIRE_RC_SEND_ONLY,
		.psn = first_psn[from] + index, .bytes = 100);
}

static uint64_t
request_after(uint64_t wait_ns, enum scene_host from, uint32_t index)
{
	scene.now_ns += wait_ns;
	return request(from, index);
}

/* Send an answer to a request from `requester`. Each request is one message. */
static void
answer(enum scene_host requester, uint32_t index, uint8_t syndrome)
{
	SEND(&scene, .from = !requester, .opcode = WIRE_RC_ACKNOWLEDGE,
		.psn = first_psn[requester] + index, .syndrome = syndrome,
		.msn = index + (wire_aeth_type(syndrome) == WIRE_AETH_ACK));
}

/* Retransmit a request `times` times, each after a timeout. @return number of the last frame */
static uint64_t
repeat(uint32_t times, enum scene_host from, uint32_t index)
{
	uint64_t frame = 0;

	for (uint32_t i = 0; i < times; i++)
		frame = request_after(SECOND, from, index);
	return frame;
}

static void
connect_granting(uint8_t retries, uint8_t rnr_retries, uint8_t ack_timeout)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();

	req.req.retry_count = retries;
	req.req.rnr_retry_count = rnr_retries;
	req.req.ack_timeout = ack_timeout;
	rep.rep.rnr_retry_count = rnr_retries;
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rep);
}

TestSuite(trace_retry_found, .init = connected_open, .fini = just_close);
TestSuite(trace_retry_fine, .init = connected_open, .fini = just_close);
TestSuite(trace_retry_granted, .init = bare_open, .fini = just_close);
TestSuite(trace_retry_bare, .init = bare_open, .fini = just_close);

Test(trace_retry_found, one_timeout_too_many)
{
	const struct nd_trace_violation *violation;
	uint64_t frame;

	request(B, 0);
	frame = repeat(SCENE_RETRIES + 1, B, 0);
	repeat(2, B, 0);
	scene_expect(&scene, "told once", "RC-096", frame);
	violation = nd_trace_violation(scene.trace, 0);
	cr_expect_str_eq(violation->text,
		"PSN 5000 is retransmitted after 4 timeouts, but the retry count of the REQ is 3");
	cr_expect_eq(violation->connection, 0);
	cr_expect_eq(violation->side, 1);
	cr_expect_str_eq(violation->sender, "192.0.2.2");
}

/*
 * At each timeout, later requests are retransmitted together with the oldest one. Only timeouts of
 * the oldest request count.
 */
Test(trace_retry_found, timeouts_of_several_requests)
{
	uint64_t frame = 0;

	request(B, 0);
	request(B, 1);
	answer(B, 0, WIRE_SYNDROME_ACK);
	request(B, 2);
	for (uint32_t i = 0; i <= SCENE_RETRIES; i++) {
		frame = repeat(1, B, 1);
		request(B, 2);
	}
	scene_expect(&scene, "oldest", "RC-096", frame);
}

Test(trace_retry_found, timeouts_of_read)
{
	uint64_t frame = 0;

	for (uint32_t i = 0; i <= SCENE_RETRIES + 1; i++) {
		scene.now_ns += SECOND;
		frame = SEND(&scene, .from = B, .opcode = WIRE_RC_READ_REQUEST, .psn = SCENE_PSN_B,
			.length = 8);
	}
	scene_expect(&scene, "read", "RC-096", frame);
}

/*
 * A retransmission after a NAK is no timeout. Earlier timeouts count, since a NAK is no progress.
 */
Test(trace_retry_found, timeouts_around_nak)
{
	uint64_t frame;

	request(B, 0);
	request(B, 1);
	repeat(SCENE_RETRIES - 1, B, 0);
	answer(B, 0, WIRE_NAK_SEQUENCE);
	request(B, 0);
	repeat(1, B, 0);
	frame = repeat(1, B, 0);
	scene_expect(&scene, "nak", "RC-096", frame);
}

/* The NAKs caused the first retransmission, so it does not count as a timeout. */
Test(trace_retry_found, timeouts_behind_rnr_nak)
{
	uint64_t frame;

	request(B, 0);
	request(B, 1);
	answer(B, 0, RNR_SHORT);
	answer(B, 0, WIRE_NAK_SEQUENCE);
	repeat(1, B, 0);
	frame = repeat(SCENE_RETRIES + 1, B, 0);
	scene_expect(&scene, "behind rnr", "RC-096", frame);
}

CleanTest(trace_retry_fine, timeouts_as_granted)
{
	request(B, 0);
	repeat(SCENE_RETRIES, B, 0);
}

CleanTest(trace_retry_fine, progress_between_timeouts)
{
	request(B, 0);
	request(B, 1);
	repeat(SCENE_RETRIES, B, 0);
	answer(B, 0, WIRE_SYNDROME_ACK);
	repeat(SCENE_RETRIES, B, 1);
	answer(B, 1, WIRE_SYNDROME_ACK);
	request(B, 2);
	repeat(SCENE_RETRIES, B, 2);
}

CleanTest(trace_retry_fine, newer_request_repeated)
{
	request(B, 0);
	request(B, 1);
	repeat(SCENE_RETRIES, B, 0);
	repeat(SCENE_RETRIES, B, 1);
}

CleanTest(trace_retry_fine, progress_of_read)
{
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_REQUEST, .psn = SCENE_PSN_B,
		.length = 4 * SCENE_MTU);
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t j = 0; j < SCENE_RETRIES; j++) {
			scene.now_ns += SECOND;
			SEND(&scene, .from = B, .opcode = WIRE_RC_READ_REQUEST,
				.psn = SCENE_PSN_B + i, .length = (4 - i) * SCENE_MTU,
				.address = i * SCENE_MTU);
		}
		SEND(&scene, .from = A,
			.opcode = i == 3 ? WIRE_RC_READ_RESPONSE_ONLY : WIRE_RC_READ_RESPONSE_FIRST,
			.psn = SCENE_PSN_B + i, .syndrome = WIRE_SYNDROME_ACK, .msn = 1,
			.bytes = SCENE_MTU);
	}
}

CleanTest(trace_retry_fine, naks_ask_for_repetitions)
{
	request(B, 0);
	request(B, 1);
	for (uint32_t i = 0; i <= SCENE_RETRIES; i++) {
		answer(B, 0, WIRE_NAK_SEQUENCE);
		repeat(1, B, 0);
	}
}

/* The connecting side is not judged, because no CM message contains a retry count for it. */
CleanTest(trace_retry_fine, connecting_side_not_judged)
{
	request(A, 0);
	repeat(20, A, 0);
}

/* A retransmission before the ACK timeout, by an adaptive timer, does not count. */
CleanTest(trace_retry_fine, earlier_than_ack_timeout)
{
	request(B, 0);
	for (uint32_t i = 0; i < 4; i++)
		request_after(base_timeout_ns(SCENE_ACK_TIMEOUT) / 2, B, 0);
	repeat(1, B, 0);
}

/* The ACK may have been lost on its way from the place of capture to the requester. */
CleanTest(trace_retry_fine, sender_missed_the_ack)
{
	request(B, 0);
	request(B, 1);
	answer(B, 0, WIRE_SYNDROME_ACK);
	for (uint32_t i = 0; i < SCENE_RETRIES; i++) {
		repeat(1, B, 0);
		repeat(1, B, 1);
	}
	repeat(SCENE_RETRIES - 1, B, 1);
}

CleanTest(trace_retry_fine, clock_steps_back)
{
	request(B, 0);
	for (uint32_t i = 0; i < 10; i++) {
		scene.now_ns -= SECOND;
		request(B, 0);
	}
	answer(B, 0, RNR_LONG);
	scene.now_ns -= SECOND;
	request(B, 0);
}

/*
 * With Soft-RoCE, a retry count of 7 means no limit. An RNR retry count of 7 means no limit for
 * every peer.
 */
CleanTest(trace_retry_granted, seven_is_no_limit)
{
	connect_granting(7, 7, SCENE_ACK_TIMEOUT);
	request(B, 0);
	repeat(20, B, 0);
	for (uint32_t i = 0; i < 20; i++) {
		answer(B, 0, RNR_LONG);
		repeat(1, B, 0);
	}
}

/* Duplicates by the network do not count, however short the ACK timeout is (here 1 ms). */
CleanTest(trace_retry_granted, network_repeats_packets)
{
	connect_granting(3, 3, 8);
	request(B, 0);
	for (uint32_t i = 0; i < 3; i++) {
		repeat(1, B, 0);
		for (uint32_t j = 0; j < 4; j++)
			request_after(20 * MS, B, 0);
	}
}

CleanTest(trace_retry_granted, network_repeats_a_packet_after_a_pause)
{
	connect_granting(0, 0, 8);
	request(B, 0);
	answer(B, 0, WIRE_SYNDROME_ACK);
	request_after(10 * SECOND, B, 1);
	request_after(90 * MS, B, 1);
}

/* With ACK timeout code 0 (no timer), the trace cannot tell which retransmissions are timeouts. */
CleanTest(trace_retry_granted, no_ack_timeout_not_judged)
{
	connect_granting(0, 0, 0);
	request(B, 0);
	repeat(5, B, 0);
}

CleanTest(trace_retry_granted, six_is_a_limit)
{
	connect_granting(6, 6, SCENE_ACK_TIMEOUT);
	request(B, 0);
	repeat(6, B, 0);
	for (uint32_t i = 0; i < 6; i++) {
		answer(B, 0, RNR_LONG);
		repeat(1, B, 0);
	}
}

Test(trace_retry_found, timeouts_where_none_is_granted)
{
	scene_close(&scene);
	scene_open(&scene);
	connect_granting(0, 0, SCENE_ACK_TIMEOUT);
	request(B, 0);
	scene_expect(&scene, "none", "RC-096", repeat(1, B, 0));
}

Test(trace_retry_bare, lacking_capture_gives_doubts)
{
	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(NULL);
	cr_assert_not_null(scene.trace);
	scene_connect(&scene);
	request(B, 0);
	repeat(SCENE_RETRIES + 1, B, 0);
	request(A, 0);
	for (uint32_t i = 0; i <= SCENE_RNR_RETRIES_A; i++) {
		answer(A, 0, RNR_LONG);
		request_after(300 * MS, A, 0);
	}
	nd_trace_finish(scene.trace);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 0);
	cr_expect_eq(nd_trace_doubt_count(scene.trace), 1 + SCENE_RNR_RETRIES_A + 1 + 1);
	cr_expect_str_eq(nd_trace_doubt(scene.trace, 0)->rule, "RC-096");
	cr_expect_str_eq(nd_trace_doubt(scene.trace, 1)->rule, "RC-085");
}

Test(trace_retry_found, rnr_wait_cut_short)
{
	uint64_t frame;

	request(A, 0);
	answer(A, 0, RNR_LONG);
	frame = request_after(300 * MS, A, 0);
	scene_expect(&scene, "rnr", "RC-085", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 1000 is retransmitted 300001 us after the RNR NAK in frame 5, which requires "
		"a wait of 655360 us");
}

/* RC-086: after an RNR NAK, Soft-RoCE sends a sequence NAK, which does not end the RNR wait. */
Test(trace_retry_found, rnr_wait_cut_short_by_nak)
{
	uint64_t frame;

	request(A, 0);
	request(A, 1);
	answer(A, 0, RNR_LONG);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	frame = request_after(300 * MS, A, 0);
	scene_expect(&scene, "rnr", "RC-085", frame);
}

/* The rule holds without CM messages, because the RNR NAK contains the length of the wait. */
Test(trace_retry_bare, rnr_wait_cut_short)
{
	uint64_t frame;

	request(A, 0);
	answer(A, 0, RNR_LONG);
	frame = request_after(300 * MS, A, 0);
	scene_expect(&scene, "rnr", "RC-085", frame);
}

CleanTest(trace_retry_fine, rnr_wait_kept)
{
	request(A, 0);
	request(A, 1);
	for (uint32_t i = 0; i < SCENE_RNR_RETRIES_A; i++) {
		answer(A, 0, RNR_LONG);
		answer(A, 0, WIRE_NAK_SEQUENCE);
		request_after(656 * MS, A, 0);
		request(A, 1);
	}
	answer(A, 1, WIRE_SYNDROME_ACK);
}

/* No violation: the packet was in flight when the NAK was sent, or the network duplicated it. */
CleanTest(trace_retry_fine, rnr_nak_crossed)
{
	request(A, 0);
	answer(A, 0, RNR_LONG);
	request_after(90 * MS, A, 0);
	answer(A, 0, RNR_LONG);
	request_after(566 * MS, A, 0);
}

/* An RNR wait may be shorter than required, within the tolerance. */
CleanTest(trace_retry_fine, rnr_wait_nearly_kept)
{
	request(A, 0);
	answer(A, 0, RNR_LONG);
	request_after(560 * MS, A, 0);
}

CleanTest(trace_retry_fine, rnr_wait_too_short_to_judge)
{
	request(A, 0);
	answer(A, 0, RNR_MIDDLE);
	request_after(110 * MS, A, 0);
}

/* Two RNR NAKs for one packet may request different waits, and one NAK may overtake the other. */
CleanTest(trace_retry_fine, rnr_wait_changed)
{
	static const uint8_t syndromes[2] = {RNR_LONG, RNR_SHORT};

	for (uint32_t i = 0; i < 2; i++) {
		request(A, i);
		request(A, i);
		answer(A, i, syndromes[i]);
		answer(A, i, syndromes[!i]);
		request_after(200 * MS, A, i);
		answer(A, i, WIRE_SYNDROME_ACK);
	}
}

/* The sender missed an ACK and the RNR NAK, so it retransmits from an earlier packet on. */
CleanTest(trace_retry_fine, sender_missed_the_rnr_nak)
{
	request(A, 0);
	request(A, 1);
	answer(A, 1, RNR_LONG);
	request_after(300 * MS, A, 0);
	request(A, 1);
}

Test(trace_retry_found, one_rnr_nak_too_many)
{
	uint64_t frame = request(B, 0);

	for (uint32_t i = 0; i <= SCENE_RNR_RETRIES_B; i++) {
		answer(B, 0, RNR_SHORT);
		frame = repeat(1, B, 0);
	}
	scene_expect(&scene, "rnr", "RC-085", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 5000 is retransmitted after 2 RNR NAKs, but the RNR retry count of the peer "
		"is 1");
}

CleanTest(trace_retry_fine, progress_between_rnr_naks)
{
	for (uint32_t i = 0; i < 3; i++) {
		request(A, i);
		for (uint32_t j = 0; j < SCENE_RNR_RETRIES_A; j++) {
			answer(A, i, RNR_SHORT);
			repeat(1, A, i);
		}
		answer(A, i, WIRE_SYNDROME_ACK);
	}
}

/* 40.96 ms */
#define RNR_SHORTER (WIRE_SYNDROME_RNR | 24)

/*
 * Send a retransmission with a new IP identification. The identification shows that the packet is
 * not a duplicate made by the network.
 */
static uint64_t
numbered_after(uint64_t wait_ns, enum scene_host from, uint32_t index, uint16_t ip_id)
{
	scene.now_ns += wait_ns;
	return SEND(&scene, .from = from, .opcode = WIRE_RC_SEND_ONLY,
		.psn = first_psn[from] + index, .bytes = 100, .ip_id = ip_id);
}

static struct nd_trace_coverage
coverage(void)
{
	struct nd_trace_coverage report;

	nd_trace_coverage(scene.trace, &report);
	return report;
}

Test(trace_retry_found, short_rnr_wait_cut_short)
{
	uint64_t frame;

	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	frame = numbered_after(20 * MS, A, 0, 2);
	scene_expect(&scene, "rnr", "RC-085", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 1000 is retransmitted 20001 us after the RNR NAK in frame 5, which requires "
		"a wait of 40960 us");
	cr_expect_eq(coverage().rnr_waits, 0);
}

Test(trace_retry_found, short_rnr_waits_too_often)
{
	uint64_t frame = numbered_after(0, B, 0, 1);

	for (uint16_t i = 0; i <= SCENE_RNR_RETRIES_B; i++) {
		answer(B, 0, RNR_SHORTER);
		frame = numbered_after(42 * MS, B, 0, i + 2);
	}
	scene_expect(&scene, "rnr", "RC-085", frame);
	cr_expect_eq(coverage().rnr_waits, 0);
}

/*
 * A timer may expire one tick early. A packet with the same IP identification is a duplicate made
 * by the network.
 */
CleanTest(trace_retry_fine, short_rnr_wait_nearly_kept)
{
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	numbered_after(20 * MS, A, 0, 1);
	cr_expect_eq(coverage().rnr_waits, 1, "what ended it may be a copy");
	numbered_after(12 * MS, A, 0, 2);
	cr_expect_eq(coverage().rnr_waits, 1);
}

CleanTest(trace_retry_fine, short_rnr_wait_with_late_duplicates)
{
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	numbered_after(42 * MS, A, 0, 2);
	answer(A, 0, RNR_SHORTER);
	numbered_after(20 * MS, A, 0, 1);
	numbered_after(MS, A, 0, 2);
}

/*
 * The packet may have been sent before the NAK arrived, because the CM messages show a long delay
 * to this side.
 */
CleanTest(trace_retry_fine, short_rnr_wait_crossed)
{
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	numbered_after(MS / 2, A, 0, 2);
	cr_expect_eq(coverage().rnr_waits, 1);
	numbered_after(42 * MS, A, 0, 3);
	cr_expect_eq(coverage().rnr_waits, 1);
}

/* A wait of 0.64 ms is too short to be judged from this place of capture. */
CleanTest(trace_retry_fine, rnr_wait_of_a_moment)
{
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORT);
	numbered_after(2 * MS, A, 0, 2);
	cr_expect_eq(coverage().rnr_waits, 1);
}

/* The RTU comes 15 ms after the REP. This shows that the side is far from the place of capture. */
CleanTest(trace_retry_granted, short_rnr_wait_of_a_far_side)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();
	struct wire_cm_msg rtu = {.attribute = WIRE_CM_RTU,
		.transaction_id = SCENE_TID,
		.local_comm_id = SCENE_ID_A,
		.remote_comm_id = SCENE_ID_B};

	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rep);
	scene.now_ns += 15 * MS;
	scene_cm(&scene, A, &rtu);
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	numbered_after(20 * MS, A, 0, 2);
	cr_expect_eq(coverage().rnr_waits, 1);
}

/*
 * Without CM messages, the trace does not know the delay between the side and the place of capture.
 */
Test(trace_retry_bare, short_rnr_wait_without_cm)
{
	numbered_after(0, A, 0, 1);
	answer(A, 0, RNR_SHORTER);
	numbered_after(20 * MS, A, 0, 2);
	nd_trace_finish(scene.trace);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 0);
	cr_expect_eq(coverage().rnr_waits, 1);
}

CleanTest(trace_retry_fine, timeouts_grow)
{
	request(B, 0);
	for (uint64_t wait_ns = 300 * MS; wait_ns < 2 * SECOND; wait_ns *= 2)
		request_after(wait_ns, B, 0);
	cr_expect_eq(coverage().timeouts, 0);
}

/* The first interval is long, because the host paused. The later retransmissions include probes. */
CleanTest(trace_retry_fine, timeouts_that_shrink)
{
	request(B, 0);
	request_after(2 * SECOND, B, 0);
	request_after(300 * MS, B, 0);
	numbered_after(5 * MS, B, 0, 7);
	numbered_after(0, A, 0, 1);
	numbered_after(SECOND, A, 0, 2);
	numbered_after(110 * MS, A, 0, 3);
}

/*
 * Intervals between timeouts may shrink: probes and adaptive timers expire earlier, progress
 * restarts timers, and a clock may be set back.
 */
CleanTest(trace_retry_fine, timeouts_that_need_not_grow)
{
	request(B, 0);
	request_after(150 * MS, B, 0);
	request_after(120 * MS, B, 0);
	repeat(1, B, 0);
	answer(B, 0, WIRE_SYNDROME_ACK);
	request(B, 1);
	request_after(150 * MS, B, 1);
	numbered_after(300 * MS, B, 1, 6);
	scene.now_ns -= SECOND;
	numbered_after(0, B, 1, 7);
	request(A, 0);
	request(A, 1);
	repeat(1, A, 0);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(110 * MS, A, 0);
	repeat(1, A, 0);
}
