/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/trace_suite.h"

/*
 * Test traffic that breaks no rule, and conclusions without CM messages. Effects of the network,
 * and the known behaviour of Soft-RoCE, must not be reported as violations.
 */

#define P SCENE_PSN_A

#define PART(scene, psn_, skipped_, length_)                                                       \
	SEND(scene, .opcode = WIRE_RC_READ_REQUEST, .psn = (psn_), .length = (length_),            \
		.address = 0x10000 + (skipped_), .rkey = 0x77)
#define ANSWER(scene, opcode_, psn_, bytes_, msn_)                                                 \
	SEND(scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_##opcode_, .psn = (psn_),           \
		.syndrome = WIRE_SYNDROME_ACK, .msn = (msn_), .bytes = (bytes_))
#define RESPONSE(scene, opcode_, psn_, bytes_) ANSWER(scene, opcode_, psn_, bytes_, 1)

TestSuite(trace_quirk, .init = connected_open, .fini = just_close);
TestSuite(trace_bare, .init = bare_open, .fini = just_close);

/* Open a capture that may lack frames. A problem that missing frames explain becomes a doubt. */
static void
lacking_begin(void)
{
	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(NULL);
	cr_assert_not_null(scene.trace);
}

static const struct nd_trace_connection *
connection_only(void)
{
	cr_assert_eq(nd_trace_connection_count(scene.trace), 1, "%zu connections, not 1",
		nd_trace_connection_count(scene.trace));
	return nd_trace_connection(scene.trace, 0);
}

/* A packet was lost before the place of capture. So the capture has only its retransmission. */
CleanTest(trace_quirk, loss_then_go_back_clean)
{
	const struct nd_trace_side *side;

	SEND(&scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_SEND_LAST, .psn = P + 2, .bytes = 10);
	NAK(&scene, P + 1, 0, WIRE_NAK_SEQUENCE);
	NAK(&scene, P + 1, 0, WIRE_NAK_SEQUENCE);
	SEND(&scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_SEND_LAST, .psn = P + 2, .bytes = 10);
	ACK(&scene, P + 2, 1);
	side = connection_only()->side;
	cr_expect_eq(side[0].sends, 1);
	cr_expect_eq(side[0].bytes, 2 * SCENE_MTU + 10);
	cr_expect_eq(side[0].retransmitted, 1);
	cr_expect_eq(side[1].naks_sequence, 2);
	cr_expect_eq(side[1].acks, 1);
}

CleanTest(trace_quirk, requests_reordered_clean)
{
	SEND(&scene, .opcode = WIRE_RC_WRITE_LAST, .psn = P + 2, .bytes = 1);
	SEND(&scene, .opcode = WIRE_RC_WRITE_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = P, .bytes = SCENE_MTU,
		.length = 2 * SCENE_MTU + 1);
	ACK(&scene, P + 2, 1);
	cr_expect_eq(connection_only()->side[0].writes, 1);
}

/* The ACK for a retransmission may overtake the NAK that caused it. Then the NAK's MSN is lower. */
CleanTest(trace_quirk, nak_overtaken_by_ack_clean)
{
	for (uint32_t i = 0; i < 3; i++)
		ONLY(&scene, P + i);
	ACK(&scene, P + 1, 2);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
}

/* If more packets were in flight, Soft-RoCE sends a sequence NAK after each RNR NAK. */
CleanTest(trace_quirk, rnr_then_sequence_nak_clean)
{
	ONLY(&scene, P);
	ONLY(&scene, P + 1);
	NAK(&scene, P, 0, WIRE_SYNDROME_RNR);
	NAK(&scene, P, 0, WIRE_NAK_SEQUENCE);
	scene.now_ns += SECOND;
	ONLY(&scene, P);
	ONLY(&scene, P + 1);
	ACK(&scene, P + 1, 2);
	cr_expect_eq(connection_only()->side[1].rnr_naks, 1);
}

/* Soft-RoCE answers a request for the rest of a READ with the opcodes of the original responses. */
CleanTest(trace_quirk, part_answered_as_original_clean)
{
	READ(&scene, P, 2 * SCENE_MTU + 100);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	PART(&scene, P + 1, SCENE_MTU, SCENE_MTU + 100);
	RESPONSE(&scene, MIDDLE, P + 1, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 2, 100);
	cr_expect_eq(connection_only()->side[0].bytes, 2 * SCENE_MTU + 100);
}

/* Soft-RoCE answers a request for a part in the middle of a READ with Middle and Last. */
CleanTest(trace_quirk, part_in_the_middle_ends_with_last_clean)
{
	READ(&scene, P, 5 * SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 4, SCENE_MTU);
	PART(&scene, P + 1, SCENE_MTU, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 1, SCENE_MTU);
	PART(&scene, P + 2, 2 * SCENE_MTU, 2 * SCENE_MTU);
	RESPONSE(&scene, MIDDLE, P + 2, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 3, SCENE_MTU);
}

CleanTest(trace_quirk, part_answered_as_part_clean)
{
	READ(&scene, P, 3 * SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	PART(&scene, P + 1, SCENE_MTU, SCENE_MTU);
	RESPONSE(&scene, ONLY, P + 1, SCENE_MTU);
	PART(&scene, P + 2, 2 * SCENE_MTU, SCENE_MTU);
	RESPONSE(&scene, ONLY, P + 2, SCENE_MTU);
}

/* The first response to a READ is lost. A later SEND's ACK comes before the second response. */
CleanTest(trace_quirk, read_again_answered_after_send_clean)
{
	READ(&scene, P, SCENE_MTU);
	ONLY(&scene, P + 1);
	READ(&scene, P, SCENE_MTU);
	ACK(&scene, P + 1, 2);
	scene.now_ns += SECOND;
	RESPONSE(&scene, ONLY, P, SCENE_MTU);
}

CleanTest(trace_quirk, read_again_answered_again_clean)
{
	READ(&scene, P, 2 * SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 1, SCENE_MTU);
	scene.now_ns += SECOND;
	READ(&scene, P, 2 * SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 1, SCENE_MTU);
}

CleanTest(trace_quirk, responses_reordered_and_doubled_clean)
{
	READ(&scene, P, 3 * SCENE_MTU);
	ONLY(&scene, P + 3);
	RESPONSE(&scene, MIDDLE, P + 1, SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	ACK(&scene, P + 3, 2);
	RESPONSE(&scene, LAST, P + 2, SCENE_MTU);
}

/* Soft-RoCE acknowledges a duplicate SEND with the PSN of a later atomic that it has answered. */
CleanTest(trace_quirk, ack_with_psn_of_answered_atomic_clean)
{
	ONLY(&scene, P);
	SEND(&scene, .opcode = WIRE_RC_FETCH_ADD, .psn = P + 1, .address = 8);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2, .value = 7);
	ONLY(&scene, P);
	ACK(&scene, P + 1, 2);
}

/* Soft-RoCE acknowledges a failed SEND with Invalidate, but does not count it in the MSN. */
CleanTest(trace_quirk, failed_invalidate_not_counted_clean)
{
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = P, .bytes = 64, .immediate = 0x77);
	ACK(&scene, P, 0);
	cr_expect_eq(connection_only()->side[0].sends_invalidate, 1);
}

/* When a responder fails, the requester sends more packets until the NAK arrives. */
CleanTest(trace_quirk, traffic_around_fatal_nak_clean)
{
	ONLY(&scene, P);
	ONLY(&scene, P + 1);
	NAK(&scene, P + 1, 1, WIRE_NAK_REMOTE_ACCESS);
	ACK(&scene, P, 1);
	NAK(&scene, P + 1, 1, WIRE_NAK_REMOTE_ACCESS);
	ONLY(&scene, P + 2);
	cr_expect_eq(connection_only()->side[1].naks_fatal, 2);
}

CleanTest(trace_quirk, zero_lengths_clean)
{
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P);
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P + 1);
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY_IMM, .psn = P + 2, .solicited = true);
	READ(&scene, P + 3, 0);
	ACK(&scene, P + 2, 4);
	ANSWER(&scene, ONLY, P + 3, 0, 4);
	cr_expect_eq(connection_only()->side[0].writes, 2);
}

CleanTest(trace_quirk, depth_rounded_up_clean)
{
	for (uint32_t i = 0; i < 4; i++)
		READ(&scene, P + i, 100);
	for (uint32_t i = 0; i < 4; i++)
		ANSWER(&scene, ONLY, P + i, 100, i + 1);
	READ(&scene, P + 4, 100);
}

CleanTest(trace_quirk, cnp_counted)
{
	ONLY(&scene, P);
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
	cr_expect_eq(connection_only()->side[1].cnps, 1);
}

CleanTest(trace_quirk, requests_both_ways_clean)
{
	ONLY(&scene, P);
	SEND(&scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B, .bytes = 8);
	SEND(&scene, .from = A, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = SCENE_PSN_B,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1);
	ACK(&scene, P, 1);
	cr_expect_eq(connection_only()->side[0].acks, 1);
	cr_expect_eq(connection_only()->side[1].acks, 1);
	cr_expect_eq(connection_only()->side[1].sends, 1);
}

CleanTest(trace_quirk, numbered_answers_reordered)
{
	for (uint32_t i = 0; i < 16; i++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P + i, .bytes = 8);
	for (uint32_t i = 0; i < 16; i++) {
		const uint32_t at = i == 12 ? 13 : i == 13 ? 12 : i;

		for (uint32_t copy = 0; copy < (i == 14 ? 2u : 1u); copy++)
			SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = P + at,
				.msn = at + 1, .ip_id = (uint16_t)(100 + at));
	}
}

/* The network may duplicate every ACK, and the duplicates may come 90 ms late (RC-055). */
CleanTest(trace_quirk, numbered_answers_duplicated_late)
{
	for (uint32_t i = 0; i < 40; i++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P + i, .bytes = 8);
	for (uint32_t i = 0; i < 40; i++) {
		const uint32_t at = i < 20 ? i : i - 20;

		if (i == 20)
			scene.now_ns += 90000000;
		SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = P + at, .msn = at + 1,
			.ip_id = (uint16_t)(100 + at));
	}
}

/* A late duplicate of a response may come between the responses to a repeated READ (RC-073). */
CleanTest(trace_quirk, numbered_response_duplicated_late)
{
	uint16_t id = 100;

	for (uint32_t i = 0; i < 10; i++)
		ONLY(&scene, P + i);
	for (uint32_t i = 0; i < 10; i++)
		SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = P + i, .msn = i + 1,
			.ip_id = id++);
	for (uint32_t pass = 0; pass < 2; pass++) {
		READ(&scene, P + 10, 2 * SCENE_MTU);
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_FIRST, .psn = P + 10,
			.msn = 11, .bytes = SCENE_MTU, .ip_id = id++);
		if (pass == 1)
			SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_LAST, .psn = P + 11,
				.msn = 11, .bytes = SCENE_MTU, .ip_id = (uint16_t)(id - 2));
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_LAST, .psn = P + 11,
			.msn = 11, .bytes = SCENE_MTU, .ip_id = id++);
	}
}

/*
 * READs of 300 bytes have one or two PSNs. The capture lacks the request of an atomic. The atomic's
 * PSN is between two READs (way 0), after an unanswered READ (way 1), or after an answered READ
 * (way 2).
 */
Test(trace_bare, atomic_without_request)
{
	for (unsigned int way = 0; way < 3; way++) {
		lacking_begin();
		READ(&scene, P, 300);
		if (way == 0)
			READ(&scene, P + 2, 300);
		if (way == 2)
			RESPONSE(&scene, ONLY, P, 300);
		SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
			.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
		nd_trace_finish(scene.trace);
		cr_expect_eq(nd_trace_connection_count(scene.trace), 1);
		cr_expect_eq(nd_trace_violation_count(scene.trace), 0);
		cr_assert_eq(nd_trace_doubt_count(scene.trace), 1, "way %u", way);
		cr_expect_str_eq(nd_trace_doubt(scene.trace, 0)->rule, "RC-070");
	}
}

/* A complete capture may begin after a READ, and contain only its retransmission and responses. */
CleanTest(trace_bare, atomic_without_request_in_a_complete_capture)
{
	READ(&scene, P, 300);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
}

/* The responder may refuse a fourth outstanding READ, because the CM messages allow three. */
CleanTest(trace_quirk, reads_refused_beyond_the_limit)
{
	READ(&scene, P, 100);
	RESPONSE(&scene, ONLY, P, 100);
	for (uint32_t i = 1; i < 5; i++)
		READ(&scene, P + i, 100);
	for (uint32_t i = 1; i < 4; i++)
		ANSWER(&scene, ONLY, P + i, 100, i + 1);
	NAK(&scene, P + 4, 4, WIRE_NAK_INVALID_REQUEST);
}

/* The responder may refuse a READ, because the queue pair may allow no READs at all. */
CleanTest(trace_quirk, reads_not_allowed)
{
	READ(&scene, P, 100);
	NAK(&scene, P, 0, WIRE_NAK_INVALID_REQUEST);
}

/* Fail unless there is one doubt: a READ has 2 responses, but 8 PSNs are reserved for them. */
static void
path_mtus_expect(uint64_t frame)
{
	nd_trace_finish(scene.trace);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 0);
	cr_assert_eq(nd_trace_doubt_count(scene.trace), 1);
	cr_expect_str_eq(nd_trace_doubt(scene.trace, 0)->rule, "RC-005");
	cr_expect_eq(nd_trace_doubt(scene.trace, 0)->frame, frame);
	cr_expect_str_eq(nd_trace_doubt(scene.trace, 0)->text,
		"the sides use different path MTUs (4096, 1024): the READ in frame 1 has 2 "
		"responses, but its requester reserved 8 PSNs for them");
}

static void
reads_at_two_path_mtus(uint64_t between_ns)
{
	lacking_begin();
	for (uint32_t i = 0; i < 12; i++) {
		READ(&scene, P + 8 * i, 8192);
		scene.now_ns += 30000000;
		ANSWER(&scene, FIRST, P + 8 * i, 4096, i + 1);
		scene.now_ns += between_ns;
		ANSWER(&scene, LAST, P + 8 * i + 1, 4096, i + 1);
		scene.now_ns += between_ns;
	}
	path_mtus_expect(4);
}

/* Without CM messages, PSNs of READs and response sizes show that the path MTUs differ. */
Test(trace_bare, sides_use_different_path_mtus)
{
	reads_at_two_path_mtus(0);
	/* After 100 ms, the trace knows all older requests, and could report unsent PSNs. */
	reads_at_two_path_mtus(30000000);
}

Test(trace_bare, atomic_after_read_shows_path_mtu)
{
	lacking_begin();
	READ(&scene, P, 8192);
	scene.now_ns += SECOND;
	ANSWER(&scene, FIRST, P, 4096, 1);
	ANSWER(&scene, LAST, P + 1, 4096, 1);
	SEND(&scene, .opcode = WIRE_RC_FETCH_ADD, .psn = P + 8, .address = 0x10000, .rkey = 0x77);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 8,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
	path_mtus_expect(4);
}

/* Three READs are outstanding at the same time. The responder answers one, two or three of them. */
Test(trace_bare, outstanding_reads_show_different_path_mtus)
{
	for (uint32_t answered = 1; answered <= 3; answered++) {
		scene_close(&scene);
		scene_open(&scene);
		lacking_begin();
		for (uint32_t i = 0; i < 3; i++)
			READ(&scene, P + 8 * i, 8192);
		for (uint32_t i = 0; i < answered; i++) {
			ANSWER(&scene, FIRST, P + 8 * i, 4096, i + 1);
			ANSWER(&scene, LAST, P + 8 * i + 1, 4096, i + 1);
		}
		path_mtus_expect(2);
	}
}

Test(trace_quirk, responder_has_another_path_mtu)
{
	const struct nd_trace_violation *violation;

	READ(&scene, P, 8192);
	RESPONSE(&scene, FIRST, P, 4096);
	RESPONSE(&scene, LAST, P + 1, 4096);
	nd_trace_finish(scene.trace);
	cr_assert_eq(nd_trace_violation_count(scene.trace), 1);
	violation = nd_trace_violation(scene.trace, 0);
	cr_expect_str_eq(violation->rule, "RC-073");
	cr_expect_eq(strstr(violation->text, "the sides use different path MTUs (4096, 1024): "),
		violation->text);
}

/*
 * PSNs wrap many times, because each READ uses 2^22 PSNs. Most responses are left out, as in a
 * capture that lacks frames.
 */
CleanTest(trace_bare, psn_wraps_clean)
{
	uint32_t psn = 0xFFFFF0;

	lacking_begin();
	SEND(&scene, .opcode = WIRE_RC_SEND_FIRST, .psn = psn++, .bytes = 256);
	SEND(&scene, .opcode = WIRE_RC_SEND_LAST, .psn = psn, .bytes = 1);
	ACK(&scene, psn++, 1);
	for (uint32_t i = 0; i < 10; i++) {
		READ(&scene, psn, 256u << 22);
		psn += 1u << 22;
		ONLY(&scene, psn);
		ANSWER(&scene, LAST, psn - 1, 256, 2 + 2 * i);
		SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = psn++,
			.syndrome = WIRE_SYNDROME_ACK, .msn = 3 + 2 * i);
	}
	cr_expect_eq(connection_only()->side[0].retransmitted, 0);
	cr_expect_eq(connection_only()->side[0].sends, 11);
}

CleanTest(trace_bare, pairs_by_psn_then_port)
{
	for (uint32_t i = 0; i < 2; i++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 77, .bytes = 8, .qpn = 0x20 + i,
			.port = (uint16_t)(0xC000 + i));
	for (uint32_t i = 0; i < 2; i++)
		SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = 77, .qpn = 0x11 - i,
			.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .port = (uint16_t)(0xC001 - i));
	cr_assert_eq(nd_trace_connection_count(scene.trace), 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct nd_trace_connection *connection = nd_trace_connection(scene.trace, i);

		cr_expect_eq(connection->side[0].qpn, 0x10 + i);
		cr_expect_eq(connection->side[1].qpn, 0x20 + i);
		cr_expect_eq(connection->side[0].sends, 1);
		cr_expect_eq(connection->side[1].acks, 1);
	}
}

CleanTest(trace_bare, ambiguous_answer_stays_alone)
{
	for (uint32_t i = 0; i < 2; i++)
		SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 77, .bytes = 8, .qpn = 0x20 + i,
			.port = 0xC005);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = 77,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .port = 0xC005);
	cr_expect_eq(nd_trace_connection_count(scene.trace), 3);
}

/* Both sides have sent requests before an answer shows that they are one connection. */
CleanTest(trace_bare, halves_meet_later)
{
	const struct nd_trace_connection *connection;

	ONLY(&scene, P);
	SEND(&scene, .from = B, .opcode = WIRE_RC_WRITE_ONLY, .psn = SCENE_PSN_B, .bytes = 8,
		.length = 8);
	cr_expect_eq(nd_trace_connection_count(scene.trace), 2);
	ACK(&scene, P, 1);
	connection = connection_only();
	cr_expect_eq(connection->side[0].sends, 1);
	cr_expect_eq(connection->side[1].writes, 1);
	cr_expect_eq(connection->side[1].acks, 1);
	cr_expect_eq(connection->side[0].qpn, SCENE_QPN_A);
	cr_expect_eq(connection->side[1].qpn, SCENE_QPN_B);
	cr_expect_eq(connection->path_mtu_bytes, 256);
	cr_expect_eq(connection->last_frame, 3);
}

CleanTest(trace_bare, violation_follows_its_half)
{
	const struct nd_trace_violation *violation;
	const struct nd_trace_connection *connection;
	struct scene other;

	scene_open(&other);
	SEND(&other, .opcode = WIRE_RC_SEND_ONLY, .psn = 1, .qpn = 0x99, .port = 0xC999);
	ONLY(&other, P);
	SEND(&other, .from = B, .opcode = WIRE_RC_WRITE_ONLY, .psn = SCENE_PSN_B, .bytes = 8,
		.length = 9);
	violation = nd_trace_violation(other.trace, 0);
	cr_assert_not_null(violation);
	cr_expect_eq(violation->connection, ND_TRACE_NO_CONNECTION, "before the end");
	ACK(&other, P, 1);
	scene_expect(&other, "half", "RC-003", 3);
	cr_assert_eq(violation->connection, 1);
	cr_expect_eq(violation->side, 1);
	cr_expect_str_eq(violation->sender, "192.0.2.2");
	cr_expect_str_eq(violation->receiver, "192.0.2.1");
	connection = nd_trace_connection(other.trace, violation->connection);
	cr_expect_eq(connection->side[1].qpn, SCENE_QPN_B);
	cr_expect_eq(connection->side[0].qpn, SCENE_QPN_A);
	scene_close(&other);
}

/* A capture may begin with a Last packet, an old retransmission, or answers to older requests. */
CleanTest(trace_bare, capture_starts_late_clean)
{
	ACK(&scene, P - 3, 500);
	SEND(&scene, .opcode = WIRE_RC_SEND_LAST, .psn = P, .bytes = 8);
	ONLY(&scene, P + 10);
	ACK(&scene, P + 10, 510);
	ACK(&scene, P + 12, 512);
	RESPONSE(&scene, ONLY, P + 13, 8);
}

/* After the newest request was answered and some time has passed, all violations are reported. */
CleanTest(trace_bare, late_capture_becomes_trusted)
{
	struct scene other;
	uint64_t frame;

	scene_open(&other);
	ONLY(&other, P);
	ACK(&other, P, 9);
	other.now_ns += SECOND;
	ONLY(&other, P + 1);
	ACK(&other, P + 1, 10);
	frame = ACK(&other, P + 2, 11);
	scene_expect(&other, "trusted", "RC-070", frame);
	scene_close(&other);
}

/* The path MTU is unknown until the first answer. So the PSNs that READs use are unknown, too. */
CleanTest(trace_bare, path_mtu_from_answers_clean)
{
	READ(&scene, P, 4000);
	READ(&scene, P + 8, 4000);
	RESPONSE(&scene, FIRST, P, 512);
	for (uint32_t i = 1; i < 7; i++)
		RESPONSE(&scene, MIDDLE, P + i, 512);
	RESPONSE(&scene, LAST, P + 7, 4000 - 7 * 512);
	cr_expect_eq(connection_only()->path_mtu_bytes, 512);
	cr_expect_eq(connection_only()->side[0].bytes, 4000);
}

CleanTest(trace_bare, path_mtu_from_answers_reveals_overlap)
{
	struct scene other;
	uint64_t frame;

	scene_open(&other);
	READ(&other, P, 4000);
	frame = READ(&other, P + 8, 4000);
	RESPONSE(&other, FIRST, P, 256);
	scene_expect(&other, "overlap", "RC-005", frame);
	scene_close(&other);
}

/* Without CM messages, a PSN far from earlier ones shows a new connection on the queue pair. */
CleanTest(trace_bare, new_life_clean)
{
	ONLY(&scene, P);
	ACK(&scene, P, 1);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 0x800000, .bytes = 44);
	ACK(&scene, 0x800000, 1);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 45);
	ACK(&scene, P, 1);
	cr_expect_eq(connection_only()->side[0].sends, 3);
	cr_expect_eq(connection_only()->side[0].retransmitted, 0);
}

CleanTest(trace_bare, long_capture_clean)
{
	for (uint32_t i = 0; i < 20000; i++) {
		ONLY(&scene, P + i);
		if (i % 100 == 99)
			ACK(&scene, P + i, i + 1);
	}
	cr_expect_eq(connection_only()->side[0].sends, 20000);
	cr_expect_eq(connection_only()->side[1].acks, 200);
}

/* While a packet is missing, more messages follow than the trace remembers: no violation. */
CleanTest(trace_quirk, gap_older_than_memory_clean)
{
	ONLY(&scene, P);
	for (uint32_t i = 2; i < 9000; i++)
		ONLY(&scene, P + i);
	ACK(&scene, P + 8999, 9000);
	cr_expect_eq(connection_only()->side[0].sends, 8999);
}

CleanTest(trace_quirk, read_before_sends_is_no_other_path_mtu_clean)
{
	READ(&scene, P, 2 * SCENE_MTU);
	ONLY(&scene, P + 2);
	ONLY(&scene, P + 3);
	READ(&scene, P + 4, 100);
	RESPONSE(&scene, FIRST, P, SCENE_MTU);
	RESPONSE(&scene, LAST, P + 1, SCENE_MTU);
	ACK(&scene, P + 3, 3);
	ANSWER(&scene, ONLY, P + 4, 100, 4);
}

/* A READ within another message is an error of the requester. The responder may refuse it. */
Test(trace_quirk, read_within_message_may_be_refused)
{
	READ(&scene, P, 100);
	RESPONSE(&scene, ONLY, P, 100);
	SEND(&scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P + 1, .bytes = SCENE_MTU);
	READ(&scene, P + 2, 100);
	ONLY(&scene, P + 3);
	NAK(&scene, P + 2, 1, WIRE_NAK_INVALID_REQUEST);
	nd_trace_finish(scene.trace);
	for (size_t i = 0; i < nd_trace_violation_count(scene.trace); i++)
		cr_expect_str_neq(nd_trace_violation(scene.trace, i)->rule, "RC-028");
}

/* The clock of the capturing host is set back, which must not look like a long wait. */
CleanTest(trace_quirk, clock_set_back_clean)
{
	for (uint32_t i = 0; i < 3; i++)
		ONLY(&scene, P + i);
	READ(&scene, P + 3, 2 * SCENE_MTU);
	ACK(&scene, P + 1, 2);
	scene.now_ns -= SECOND / 2;
	ACK(&scene, P, 1);
	NAK(&scene, P, 0, WIRE_NAK_SEQUENCE);
	ACK(&scene, P + 2, 3);
	ANSWER(&scene, LAST, P + 4, SCENE_MTU, 4);
	scene.now_ns -= SECOND / 4;
	ANSWER(&scene, FIRST, P + 3, SCENE_MTU, 4);
}

#define WRITE(scene, opcode_, psn_, bytes_)                                                        \
	SEND(scene, .opcode = WIRE_RC_WRITE_##opcode_, .psn = (psn_), .bytes = (bytes_),           \
		.length = (bytes_) * (WIRE_RC_WRITE_##opcode_ == WIRE_RC_WRITE_FIRST ? 2 : 1),     \
		.address = 0x5000, .rkey = 0x77)

/*
 * Without a REQ, only one fact shows that the peer has a smaller path MTU: it refuses a long WRITE.
 */
Test(trace_bare, long_write_refused_is_doubt_about_path_mtu)
{
	uint64_t frame;

	WRITE(&scene, ONLY, P, 64);
	ACK(&scene, P, 1);
	frame = WRITE(&scene, FIRST, P + 1, 4096);
	WRITE(&scene, LAST, P + 2, 4096);
	NAK(&scene, P + 1, 1, WIRE_NAK_INVALID_REQUEST);
	scene_expect(&scene, "long WRITE", "RC-002", frame);
}

/* The peer accepted this packet length before, so the path MTU does not explain the refusal. */
CleanTest(trace_bare, long_write_refused_after_another_clean)
{
	WRITE(&scene, FIRST, P, 4096);
	WRITE(&scene, LAST, P + 1, 4096);
	ACK(&scene, P + 1, 1);
	WRITE(&scene, FIRST, P + 2, 4096);
	NAK(&scene, P + 2, 1, WIRE_NAK_INVALID_REQUEST);
}

/* The peer sent packets of this length before, so the path MTU does not explain the refusal. */
CleanTest(trace_bare, long_write_refused_after_long_read_clean)
{
	WRITE(&scene, ONLY, P, 64);
	READ(&scene, P + 1, 8192);
	ACK(&scene, P, 1);
	ANSWER(&scene, FIRST, P + 1, 4096, 2);
	ANSWER(&scene, LAST, P + 2, 4096, 2);
	WRITE(&scene, FIRST, P + 3, 4096);
	NAK(&scene, P + 3, 2, WIRE_NAK_INVALID_REQUEST);
}

/* The peer may refuse all WRITEs, because the connection may not permit WRITEs. */
CleanTest(trace_bare, first_write_refused_clean)
{
	ONLY(&scene, P);
	ACK(&scene, P, 1);
	WRITE(&scene, FIRST, P + 1, 4096);
	NAK(&scene, P + 1, 1, WIRE_NAK_INVALID_REQUEST);
}
