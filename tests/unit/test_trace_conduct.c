/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/trace_suite.h"

/*
 * Test whether the trace finds wrong reactions of a side: RC-023 (NAKs), RC-030 (keys), RC-085 (RNR
 * waits), RC-095 (timers), RC-098 (requests after a NAK), CC-002 (CNPs). Side B accepted the
 * connection, so the REQ from A contains the ACK timeout of B: 268 ms.
 */

#define MS       UINT64_C(1000000)
#define US       UINT64_C(1000)
/* 655.36 ms */
#define RNR_LONG WIRE_SYNDROME_RNR
#define KEY      0x1234u

static const uint32_t first_psn[2] = {SCENE_PSN_A, SCENE_PSN_B};

static uint64_t
request(enum scene_host from, uint32_t index)
{
	return SEND(&scene, .from = from, .opcode = WIRE_RC_SEND_ONLY,
		.psn = first_psn[from] + index, .bytes = 100, .ack_request = true);
}

static uint64_t
request_after(uint64_t wait_ns, enum scene_host from, uint32_t index)
{
	scene.now_ns += wait_ns;
	return request(from, index);
}

/* Send an answer to a request from `requester`. Each request is one message. */
static uint64_t
answer(enum scene_host requester, uint32_t index, uint8_t syndrome)
{
	return SEND(&scene, .from = !requester, .opcode = WIRE_RC_ACKNOWLEDGE,
		.psn = first_psn[requester] + index, .syndrome = syndrome,
		.msn = index + (wire_aeth_type(syndrome) == WIRE_AETH_ACK));
}

static uint64_t
nak_after(uint64_t wait_ns, enum scene_host requester, uint32_t index)
{
	scene.now_ns += wait_ns;
	return answer(requester, index, WIRE_NAK_SEQUENCE);
}

/* Open a trace for a capture that may lack frames. Call this before the scene's first packet. */
static void
lacking_open(void)
{
	scene_open(&scene);
	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(NULL);
	cr_assert_not_null(scene.trace);
	scene_connect(&scene);
}

static void
expect_doubt(const char *rule, uint64_t frame)
{
	nd_trace_finish(scene.trace);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 0);
	cr_assert_eq(nd_trace_doubt_count(scene.trace), 1);
	cr_expect_str_eq(nd_trace_doubt(scene.trace, 0)->rule, rule);
	cr_expect_eq(nd_trace_doubt(scene.trace, 0)->frame, frame);
}

TestSuite(trace_conduct_found, .init = connected_open, .fini = just_close);
TestSuite(trace_conduct_fine, .init = connected_open, .fini = just_close);
TestSuite(trace_conduct_lacking, .init = lacking_open, .fini = just_close);
TestSuite(trace_conduct_unknown, .init = bare_open, .fini = just_close);

/* RC-098: after a sequence NAK, a requester must retransmit before it sends new requests. */

Test(trace_conduct_found, new_requests_instead_of_what_is_asked_for)
{
	uint64_t frame;

	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 2);
	request_after(60 * MS, A, 3);
	frame = request_after(60 * MS, A, 4);
	request_after(60 * MS, A, 5);
	scene_expect(&scene, "told once", "RC-098", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 1004 is sent, but PSN 1000, requested by the sequence NAK in frame 6, was not "
		"retransmitted");
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->sender, "192.0.2.1");
}

Test(trace_conduct_found, repetition_begins_behind_what_is_asked_for)
{
	uint64_t frame;

	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 1);
	request_after(99 * MS, A, 1);
	frame = request_after(2 * MS, A, 1);
	scene_expect(&scene, "repetition", "RC-098", frame);
}

Test(trace_conduct_lacking, repetition_may_be_missing)
{
	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 2);
	request_after(99 * MS, A, 3);
	expect_doubt("RC-098", request_after(2 * MS, A, 4));
}

/* No violation: after a pause, a host sends a burst before it reads the NAK. */
Test(trace_conduct_fine, pause_behind_nak)
{
	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(3 * SECOND, A, 2);
	request_after(90 * MS, A, 3);
	request_after(3 * SECOND, A, 4);
	request_after(90 * MS, A, 5);
	request(A, 0);
	request_after(101 * MS, A, 6);
}

CleanTest(trace_conduct_fine, nak_crossed)
{
	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(90 * MS, A, 2);
	request(A, 0);
	request_after(101 * MS, A, 3);
}

CleanTest(trace_conduct_fine, goes_back)
{
	request(A, 0);
	request(A, 1);
	request(A, 2);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	for (uint32_t i = 0; i < 4; i++)
		request_after(101 * MS, A, i);
}

CleanTest(trace_conduct_fine, sends_again_only_what_is_missing)
{
	request(A, 0);
	request(A, 1);
	request(A, 2);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 0);
	request_after(101 * MS, A, 3);
}

/*
 * No violation: the retransmission was lost, and Soft-RoCE ignores NAKs for the same gap until its
 * timer expires.
 */
CleanTest(trace_conduct_fine, repetition_was_lost_too)
{
	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request(A, 0);
	request(A, 1);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 2);
}

CleanTest(trace_conduct_fine, repetition_crossed_the_nak)
{
	request(A, 0);
	request(A, 1);
	request_after(500 * MS, A, 0);
	answer(A, 0, WIRE_NAK_SEQUENCE);
	request_after(101 * MS, A, 2);
}

/* No violation: a packet was lost before the place of capture, so only its copy is captured. */
CleanTest(trace_conduct_fine, first_time_behind_the_nak)
{
	request(A, 0);
	request(A, 2);
	nak_after(10 * US, A, 1);
	request_after(101 * MS, A, 1);
	request_after(101 * MS, A, 2);
	request_after(101 * MS, A, 3);
}

/* RC-023: a responder sends one sequence NAK for a gap. */

Test(trace_conduct_found, second_nak_of_a_gap)
{
	uint64_t frame;

	request(A, 0);
	request(A, 1);
	nak_after(0, A, 0);
	frame = nak_after(101 * MS, A, 0);
	nak_after(101 * MS, A, 0);
	scene_expect(&scene, "told once", "RC-023", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"sequence NAK expects PSN 1000, like the NAK in frame 6, but this PSN was not sent "
		"in between");
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->sender, "192.0.2.2");
}

Test(trace_conduct_lacking, what_a_nak_asked_for_may_be_missing)
{
	request(A, 0);
	request(A, 1);
	nak_after(0, A, 0);
	expect_doubt("RC-023", nak_after(101 * MS, A, 0));
}

CleanTest(trace_conduct_fine, network_repeats_a_nak)
{
	request(A, 0);
	request(A, 1);
	nak_after(0, A, 0);
	nak_after(99 * MS, A, 0);
}

CleanTest(trace_conduct_fine, nak_for_each_attempt)
{
	request(A, 0);
	request(A, 1);
	for (uint32_t i = 0; i < 3; i++) {
		nak_after(200 * MS, A, 0);
		request_after(200 * MS, A, 0);
		request(A, 1);
	}
}

CleanTest(trace_conduct_fine, nak_for_each_gap)
{
	for (uint32_t i = 0; i < 4; i++)
		request(A, i);
	for (uint32_t i = 0; i < 3; i++) {
		nak_after(200 * MS, A, i);
		request(A, i);
	}
}

/* RC-085: a requester sends no new requests during an RNR wait. */

Test(trace_conduct_found, new_request_during_rnr_wait)
{
	uint64_t frame;

	request(A, 0);
	answer(A, 0, RNR_LONG);
	frame = request_after(300 * MS, A, 1);
	request_after(10 * MS, A, 2);
	scene_expect(&scene, "told once", "RC-085", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 1001 is sent 300001 us after the RNR NAK in frame 5, which requires a wait "
		"of 655360 us");
}

CleanTest(trace_conduct_fine, new_requests_around_rnr_wait)
{
	request(A, 0);
	answer(A, 0, RNR_LONG);
	request_after(90 * MS, A, 1);
	request_after(470 * MS, A, 2);
	request_after(96 * MS, A, 0);
	request_after(101 * MS, A, 3);
}

/* RC-095: a requester retransmits after a timeout. */

Test(trace_conduct_found, nothing_is_repeated)
{
	uint64_t frame;

	request(B, 0);
	request_after(1100 * MS, B, 1);
	request_after(200 * MS, B, 2);
	request_after(60 * MS, B, 3);
	frame = request_after(60 * MS, B, 4);
	request_after(60 * MS, B, 5);
	scene_expect(&scene, "told once", "RC-095", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"PSN 5004 is sent, but PSN 5000, unanswered for 1420004 us, was not "
		"retransmitted; the ACK timeout is 268435 us");
}

Test(trace_conduct_lacking, answer_may_be_missing)
{
	request(B, 0);
	request_after(1300 * MS, B, 1);
	request_after(99 * MS, B, 2);
	expect_doubt("RC-095", request_after(2 * MS, B, 3));
}

/* No violation: after a pause, the host sends new requests before the retransmission. */
Test(trace_conduct_fine, pause_behind_timer)
{
	request(B, 0);
	request_after(1300 * MS, B, 1);
	request_after(90 * MS, B, 2);
	request_after(1300 * MS, B, 3);
	request_after(90 * MS, B, 4);
	request(B, 0);
	request_after(101 * MS, B, 5);
}

CleanTest(trace_conduct_fine, repeated_in_time)
{
	request(B, 0);
	request_after(1100 * MS, B, 0);
	request_after(1100 * MS, B, 1);
}

/* No violation: an adaptive timer may retransmit too early to count as a timeout. */
CleanTest(trace_conduct_fine, repeated_early)
{
	request(B, 0);
	request_after(250 * MS, B, 0);
	request_after(950 * MS, B, 1);
}

/* No violation: no packet has requested an ACK, so no timeout is expected. */
CleanTest(trace_conduct_fine, no_answer_wanted)
{
	SEND(&scene, .from = B, .opcode = WIRE_RC_SEND_FIRST, .psn = SCENE_PSN_B,
		.bytes = SCENE_MTU);
	scene.now_ns += 2 * SECOND;
	SEND(&scene, .from = B, .opcode = WIRE_RC_SEND_LAST, .psn = SCENE_PSN_B + 1, .bytes = 9,
		.ack_request = true);
}

CleanTest(trace_conduct_fine, progress_restarts_the_timer)
{
	for (uint32_t i = 0; i < 5; i++) {
		request(B, 2 * i);
		request(B, 2 * i + 1);
		scene.now_ns += 900 * MS;
		answer(B, 2 * i, WIRE_SYNDROME_ACK);
		scene.now_ns += 900 * MS;
		answer(B, 2 * i + 1, WIRE_SYNDROME_ACK);
	}
}

/* The timer of the connecting side is not judged, because no CM message contains this timer. */
CleanTest(trace_conduct_fine, timer_of_the_connecting_side)
{
	request(A, 0);
	request_after(30 * SECOND, A, 1);
}

/* RC-030: a key is used after a SEND with Invalidate has made the key invalid. */

static void
invalidate(void)
{
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = SCENE_PSN_A, .bytes = 4,
		.immediate = KEY, .ack_request = true);
	answer(A, 0, WIRE_SYNDROME_ACK);
}

static void
write_with(uint32_t key, uint32_t index)
{
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = SCENE_PSN_A + index, .bytes = 8,
		.length = 8, .rkey = key, .address = 0x1000, .ack_request = true);
}

Test(trace_conduct_found, write_with_an_invalidated_key)
{
	invalidate();
	write_with(KEY + 1, 1);
	write_with(KEY, 2);
	scene_expect(&scene, "write", "RC-030", answer(A, 2, WIRE_SYNDROME_ACK));
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"the request in frame 7 was executed with key 0x00001234, which frame 4 "
		"invalidated");
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->sender, "192.0.2.2");
}

Test(trace_conduct_found, read_with_an_invalidated_key)
{
	uint64_t frame;

	invalidate();
	SEND(&scene, .opcode = WIRE_RC_READ_REQUEST, .psn = SCENE_PSN_A + 1, .length = 8,
		.rkey = KEY, .ack_request = true);
	frame = SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY,
		.psn = SCENE_PSN_A + 1, .syndrome = WIRE_SYNDROME_ACK, .msn = 2, .bytes = 8);
	scene_expect(&scene, "read", "RC-030", frame);
}

Test(trace_conduct_found, atomic_with_an_invalidated_key)
{
	uint64_t frame;

	invalidate();
	SEND(&scene, .opcode = WIRE_RC_FETCH_ADD, .psn = SCENE_PSN_A + 1, .rkey = KEY,
		.ack_request = true);
	frame = SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE,
		.psn = SCENE_PSN_A + 1, .syndrome = WIRE_SYNDROME_ACK, .msn = 2);
	scene_expect(&scene, "atomic", "RC-030", frame);
}

Test(trace_conduct_lacking, new_key_may_be_missing)
{
	invalidate();
	write_with(KEY, 1);
	expect_doubt("RC-030", answer(A, 1, WIRE_SYNDROME_ACK));
}

CleanTest(trace_conduct_fine, invalidated_key_is_refused)
{
	invalidate();
	write_with(KEY, 1);
	answer(A, 1, WIRE_NAK_REMOTE_ACCESS);
}

/*
 * A key may be valid again after its owner has sent a message, because the message may announce the
 * key.
 */
CleanTest(trace_conduct_fine, key_told_again)
{
	invalidate();
	request(B, 0);
	write_with(KEY, 1);
	answer(A, 1, WIRE_SYNDROME_ACK);
}

CleanTest(trace_conduct_fine, key_read)
{
	invalidate();
	SEND(&scene, .opcode = WIRE_RC_READ_REQUEST, .psn = SCENE_PSN_A + 1, .length = 8,
		.rkey = KEY + 1, .ack_request = true);
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = SCENE_PSN_A + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2, .bytes = 8);
	write_with(KEY, 2);
	answer(A, 2, WIRE_SYNDROME_ACK);
}

/* A request without data may contain an invalid key, because the key is not checked. */
CleanTest(trace_conduct_fine, key_of_nothing)
{
	invalidate();
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = SCENE_PSN_A + 1, .rkey = KEY,
		.ack_request = true);
	answer(A, 1, WIRE_SYNDROME_ACK);
}

CleanTest(trace_conduct_fine, answers_before_the_refusal)
{
	invalidate();
	request(A, 1);
	write_with(KEY, 2);
	answer(A, 1, WIRE_SYNDROME_ACK);
	answer(A, 2, WIRE_NAK_REMOTE_ACCESS);
}

/* No violation: the key is used before the SEND with Invalidate. One ACK is for both requests. */
CleanTest(trace_conduct_fine, key_used_before)
{
	write_with(KEY, 0);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = SCENE_PSN_A + 1, .bytes = 4,
		.immediate = KEY, .ack_request = true);
	write_with(KEY, 0);
	answer(A, 1, WIRE_SYNDROME_ACK);
}

/* CC-002: the rate of CNPs is limited. */

static uint64_t
cnp_after(uint64_t wait_ns)
{
	scene.now_ns += wait_ns;
	return SEND(&scene, .from = B, .opcode = WIRE_CNP);
}

Test(trace_conduct_found, flood_of_cnps)
{
	uint64_t frame = 0;

	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	/*
	 * Each CNP adds 4 us to a debt, and each passing us reduces the debt by 1 us. The CNPs are
	 * 1 us apart. So after 334 CNPs the debt is 4 + 3 * 333 us, which is more than 1 ms.
	 */
	for (uint32_t i = 0; i < 334; i++)
		frame = cnp_after(0);
	for (uint32_t i = 0; i < 50; i++)
		cnp_after(0);
	scene_expect(&scene, "told once", "CC-002", frame);
	cr_expect_str_eq(nd_trace_violation(scene.trace, 0)->text,
		"CNPs exceed the rate of one per 4 us by 250 CNPs");
}

Test(trace_conduct_found, each_flood_of_cnps)
{
	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	for (uint32_t i = 0; i < 400; i++)
		cnp_after(0);
	scene.now_ns += SECOND;
	for (uint32_t i = 0; i < 400; i++)
		cnp_after(0);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 2);
}

/* No violation: a queue in the network has moved CNPs closer together. */
CleanTest(trace_conduct_fine, cnps_in_bursts)
{
	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	for (uint32_t i = 0; i < 10; i++) {
		for (uint32_t j = 0; j < 200; j++)
			cnp_after(0);
		scene.now_ns += 700 * US;
	}
}

CleanTest(trace_conduct_fine, cnps_at_their_rate)
{
	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	for (uint32_t i = 0; i < 2000; i++)
		cnp_after(3 * US);
}

/*
 * No violation: a port mirror duplicates CNPs. Each duplicate has the same IP identification, and
 * comes 20 CNPs later.
 */
CleanTest(trace_conduct_fine, cnps_duplicated)
{
	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	for (uint32_t i = 0; i < 2000; i++) {
		SEND(&scene, .from = B, .opcode = WIRE_CNP, .ip_id = (uint16_t)(100 + i));
		scene.now_ns += US;
		if (i >= 20)
			SEND(&scene, .from = B, .opcode = WIRE_CNP, .ip_id = (uint16_t)(80 + i));
		scene.now_ns += 2 * US;
	}
}

/*
 * The capture lacks the fourth READ. The trace must not conclude that the sides use different path
 * MTUs, because older READs have shown their path MTUs.
 */
Test(trace_conduct_unknown, missing_read_is_no_other_path_mtu)
{
	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(NULL);
	cr_assert_not_null(scene.trace);
	for (uint32_t i = 0; i < 6; i++) {
		if (i == 3)
			continue;
		scene.now_ns += 60 * MS;
		READ(&scene, SCENE_PSN_A + 2 * i, 2 * SCENE_MTU);
		for (uint32_t j = 0; j < 2; j++)
			SEND(&scene, .from = B,
				.opcode = j == 0 ? WIRE_RC_READ_RESPONSE_FIRST
						 : WIRE_RC_READ_RESPONSE_LAST,
				.psn = SCENE_PSN_A + 2 * i + j, .syndrome = WIRE_SYNDROME_ACK,
				.msn = i + 1, .bytes = SCENE_MTU);
	}
	expect_doubt("RC-005", 11);
	cr_expect_not_null(strstr(nd_trace_doubt(scene.trace, 0)->text, "was never sent"));
}

/*
 * The capture lacks the first transmission of a request, but has an ACK for it and a
 * retransmission. The MSN in the ACK does not count the message. So the missing request may be the
 * middle of a message, or a SEND with Invalidate that Soft-RoCE refused.
 */
static void
ack_of_uncaptured(uint8_t opcode, uint32_t bytes)
{
	uint64_t frame;

	request(A, 0);
	answer(A, 0, WIRE_SYNDROME_ACK);
	SEND(&scene, .opcode = WIRE_RC_SEND_FIRST, .psn = SCENE_PSN_A + 1, .bytes = SCENE_MTU);
	frame = ACK(&scene, SCENE_PSN_A + 2, 1);
	scene.now_ns += SECOND;
	SEND(&scene, .opcode = opcode, .psn = SCENE_PSN_A + 2, .bytes = bytes);
	expect_doubt("RC-070", frame);
}

Test(trace_conduct_lacking, ack_of_an_uncaptured_middle)
{
	ack_of_uncaptured(WIRE_RC_SEND_MIDDLE, SCENE_MTU);
}

Test(trace_conduct_lacking, ack_of_an_uncaptured_send_with_invalidate)
{
	ack_of_uncaptured(WIRE_RC_SEND_LAST_INV, 100);
}

CleanTest(trace_conduct_fine, cnp_after_own_dreq)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ);

	scene_cm(&scene, A, &dreq);
	scene.now_ns += SECOND;
	SEND(&scene, .opcode = WIRE_CNP);
}

/* A UC queue pair may send CNPs, because all transports use them. */
CleanTest(trace_conduct_unknown, cnp_of_uc)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();

	req.req.transport_service = 1;
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rep);
	SEND(&scene, .from = B, .opcode = WIRE_CNP);
}
