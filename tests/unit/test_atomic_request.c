/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "requester_rig.h"

/* Test atomics in the requester, and RNR NAKs for a WRITE with immediate. */

#define PMTU 1024u
#define ACK  WIRE_RC_ATOMIC_ACKNOWLEDGE

static void
post_atomic(struct rig *rig, uintptr_t number, enum rc_send_opcode opcode, uint32_t flags)
{
	struct mem_sge sge = rig_sge(rig, number * 8, 8);
	struct rc_send_wr wr = rig_request(rig, number, opcode, &sge);
	enum rc_status status;

	wr.flags = flags;
	wr.operands = (struct rc_operands){
		UINT64_C(0x1100000000000000) + number,
		opcode == RC_COMPARE_SWAP ? UINT64_C(0x2200000000000000) + number : 0,
	};
	status = rc_post_send(rig->peer.qp, &wr);
	cr_assert_eq(status, RC_OK, "%s", rc_status_name(status));
}

static void
expect_atomic(struct rig *rig, uintptr_t number, enum rc_send_opcode opcode, uint32_t psn)
{
	const struct wire_view *view = rig_expect(
		rig, opcode == RC_FETCH_ADD ? WIRE_RC_FETCH_ADD : WIRE_RC_COMPARE_SWAP, psn);

	cr_assert_eq(view->atomic.address, RIG_REMOTE);
	cr_assert_eq(view->atomic.rkey, RIG_RKEY);
	cr_assert_eq(view->atomic.swap_add, UINT64_C(0x1100000000000000) + number);
	cr_assert_eq(view->atomic.compare,
		opcode == RC_FETCH_ADD ? 0 : UINT64_C(0x2200000000000000) + number);
	cr_assert(view->bth.ack_request);
	cr_assert_not(view->bth.solicited);
	cr_assert_eq(view->payload_bytes, 0);
}

static void
answer_with(struct rig *rig, uint32_t psn, uint8_t syndrome, uint64_t original)
{
	rc_peer_inject(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = ACK, .psn = psn & PSN_MASK},
			.aeth = {.syndrome = syndrome},
			.atomic_original = original,
		},
		NULL, 0);
}

static void
answer(struct rig *rig, uint32_t psn, uint64_t original)
{
	answer_with(rig, psn, RIG_ACK, original);
}

static void
expect_result(struct rig *rig, uintptr_t number, uint64_t original)
{
	struct rc_completion completion = rig_completed(rig, number, RC_OK);
	uint64_t value;

	memcpy(&value, rig->memory + number * 8, sizeof(value));
	cr_assert_eq(completion.kind, RC_COMPLETION_ATOMIC);
	cr_assert_eq(completion.bytes, 8);
	cr_assert_eq(completion.flags, 0);
	cr_assert_eq(value, original, "request %lu: 0x%lx, 0x%lx expected", (unsigned long)number,
		value, original);
}

/* RC-075: the value of the response is stored in host byte order. No other bytes are changed. */
Test(atomic_request, sent_and_answered_rc075)
{
	struct rig *rig = rig_new();
	uint8_t before[8], behind[8];

	rig_start(rig);
	memcpy(before, rig->memory, 8);
	memcpy(behind, rig->memory + 24, 8);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	post_atomic(rig, 2, RC_COMPARE_SWAP, 0);
	rig_progress(rig);
	expect_atomic(rig, 1, RC_FETCH_ADD, RIG_PSN);
	expect_atomic(rig, 2, RC_COMPARE_SWAP, RIG_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_not_completed(rig);
	answer(rig, RIG_PSN, UINT64_C(0x0123456789ABCDEF));
	expect_result(rig, 1, UINT64_C(0x0123456789ABCDEF));
	rig_not_completed(rig);
	answer(rig, RIG_PSN + 1, 99);
	expect_result(rig, 2, 99);
	cr_assert_arr_eq(rig->memory, before, 8);
	cr_assert_arr_eq(rig->memory + 24, behind, 8);
	cr_assert_eq(rig_requester(rig)->reads_outstanding, 0);
	rig_stop(rig);
}

Test(atomic_request, result_scattered)
{
	struct rig *rig = rig_new();
	struct mem_sge sges[2];
	struct rc_send_wr wr;
	uint64_t value;
	uint8_t joined[8];

	rig_start(rig);
	sges[0] = rig_sge(rig, 100, 3);
	sges[1] = rig_sge(rig, 200, 5);
	wr = rig_request(rig, 1, RC_FETCH_ADD, sges);
	wr.sgl.count = 2;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	rig_run(rig);
	answer(rig, RIG_PSN, UINT64_C(0x1112131415161718));
	rig_completed(rig, 1, RC_OK);
	memcpy(joined, rig->memory + 100, 3);
	memcpy(joined + 3, rig->memory + 200, 5);
	memcpy(&value, joined, 8);
	cr_assert_eq(value, UINT64_C(0x1112131415161718));
	rig_stop(rig);
}

/*
 * RC-009: READs and atomics share one limit. B-060: reads_outstanding is 0 after all of them have
 * completed.
 */
Test(atomic_request, counts_as_outstanding_read_rc009_b060)
{
	struct rig *rig = rig_new();

	rig->options.connect.outbound_reads = 2;
	rig_start(rig);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	rig_post(rig, 2, RC_READ, 0, 8);
	post_atomic(rig, 3, RC_COMPARE_SWAP, 0);
	rig_post(rig, 4, RC_SEND, 0, 8);
	cr_assert_eq(rig_run(rig), 2, "nothing overtakes the third");
	answer(rig, RIG_PSN, 1);
	rig_progress(rig);
	expect_atomic(rig, 3, RC_COMPARE_SWAP, RIG_PSN + 2);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 3);
	rc_peer_expect_silence(&rig->peer);
	rig_completed(rig, 1, RC_OK);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN + 1, rig->memory, 8);
	answer(rig, RIG_PSN + 2, 1);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	for (uintptr_t i = 2; i <= 4; i++)
		rig_completed(rig, i, RC_OK);
	cr_assert_eq(rig_requester(rig)->reads_outstanding, 0);
	rig_stop(rig);
}

/* RC-142: a fenced request waits until all earlier atomics have completed. */
Test(atomic_request, fence_waits_for_atomic_rc142)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	rig_post(rig, 2, RC_WRITE, RC_FENCE, 8);
	cr_assert_eq(rig_run(rig), 1);
	answer(rig, RIG_PSN, 1);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + 1);
	/* A fence waits only for READs and atomics, so this atomic does not wait for the WRITE. */
	post_atomic(rig, 3, RC_COMPARE_SWAP, RC_FENCE);
	rig_progress(rig);
	expect_atomic(rig, 3, RC_COMPARE_SWAP, RIG_PSN + 2);
	rig_stop(rig);
}

/*
 * RC-072, RC-101: an ACK for a later request implies that the response of the atomic was lost. The
 * atomic is retransmitted once.
 */
Test(atomic_request, implied_nak_sends_again_rc072_rc101)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, 8);
	post_atomic(rig, 2, RC_FETCH_ADD, 0);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_eq(rig_run(rig), 3);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_not_completed(rig);
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	rig_progress(rig);
	expect_atomic(rig, 2, RC_FETCH_ADD, RIG_PSN + 1);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 2);
	answer(rig, RIG_PSN + 1, 7);
	expect_result(rig, 2, 7);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	rig_stop(rig);
}

/* RC-074: the response of an atomic acknowledges earlier WRITEs. */
Test(atomic_request, answer_acknowledges_earlier_writes)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, 3 * PMTU);
	post_atomic(rig, 2, RC_FETCH_ADD, 0);
	rig_run(rig);
	answer(rig, RIG_PSN + 3, 5);
	rig_completed(rig, 1, RC_OK);
	expect_result(rig, 2, 5);
	rig_stop(rig);
}

/*
 * If the response of a later atomic arrives first, the earlier atomic is retransmitted. Then
 * duplicate responses are dropped.
 */
Test(atomic_request, answers_out_of_order_rc072_rc076)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	post_atomic(rig, 2, RC_FETCH_ADD, 0);
	rig_run(rig);
	answer(rig, RIG_PSN + 1, 6);
	rig_not_completed(rig);
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	rig_progress(rig);
	expect_atomic(rig, 1, RC_FETCH_ADD, RIG_PSN);
	expect_atomic(rig, 2, RC_FETCH_ADD, RIG_PSN + 1);
	answer(rig, RIG_PSN, 5);
	expect_result(rig, 1, 5);
	answer(rig, RIG_PSN, 77);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 1);
	answer(rig, RIG_PSN + 1, 6);
	expect_result(rig, 2, 6);
	answer(rig, RIG_PSN + 1, 77);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 2);
	cr_assert_eq(*(uint64_t *)(rig->memory + 8), 5, "the first result stays");
	rig_stop(rig);
}

/* RC-047: a plain ACK with the PSN of an atomic does not complete the atomic. */
Test(atomic_request, plain_acknowledge_is_no_answer_rc047)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_not_completed(rig);
	cr_assert_eq(rig_run(rig), 0);
	answer(rig, RIG_PSN, 5);
	expect_result(rig, 1, 5);
	rig_stop(rig);
}

/* RC-096: after a timeout, the atomic is retransmitted, at most retry_count times. */
Test(atomic_request, timeout_sends_again_rc096)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = 8;
	rig->options.connect.retry_count = 2;
	rig_start(rig);
	post_atomic(rig, 1, RC_COMPARE_SWAP, 0);
	for (unsigned i = 0; i < 3; i++) {
		rig_progress(rig);
		expect_atomic(rig, 1, RC_COMPARE_SWAP, RIG_PSN);
		rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	}
	rig_progress(rig);
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}

Test(atomic_request, naks_fail_it_rc100)
{
	static const struct {
		uint8_t syndrome;
		enum rc_status status;
	} cases[] = {
		{WIRE_NAK_INVALID_REQUEST, RC_REMOTE_INVALID_REQUEST},
		{WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS},
		{WIRE_NAK_REMOTE_OPERATION, RC_REMOTE_OPERATION},
	};

	for (unsigned i = 0; i < RTE_DIM(cases); i++) {
		struct rig *rig = rig_new();

		rig_start(rig);
		post_atomic(rig, 1, RC_FETCH_ADD, RC_SILENT);
		rig_run(rig);
		rig_answer(rig, RIG_PSN, cases[i].syndrome);
		rig_completed(rig, 1, cases[i].status);
		rig_in_error(rig, cases[i].status);
		rig_stop(rig);
	}
}

/*
 * RC-075: three responses are invalid: a NAK syndrome in an atomic response, an atomic response for
 * a WRITE, and a READ response for an atomic.
 */
Test(atomic_request, bad_responses_rc075)
{
	for (unsigned i = 0; i < 3; i++) {
		struct rig *rig = rig_new();

		rig_start(rig);
		if (i == 1)
			rig_post(rig, 1, RC_WRITE, 0, 8);
		else
			post_atomic(rig, 1, RC_FETCH_ADD, 0);
		rig_run(rig);
		if (i == 2)
			rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN, rig->memory, 8);
		else
			answer_with(rig, RIG_PSN, i == 0 ? WIRE_NAK_REMOTE_ACCESS : RIG_ACK, 5);
		rig_completed(rig, 1, RC_BAD_RESPONSE);
		rig_in_error(rig, RC_BAD_RESPONSE);
		rig_stop(rig);
	}
}

Test(atomic_request, sink_not_accessible_fails_locally)
{
	struct rig *rig = rig_new();
	uint64_t token;

	rig_start(rig);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	rig_run(rig);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	answer(rig, RIG_PSN, 5);
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_stop(rig);

	rig = rig_new();
	rig_start(rig);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	post_atomic(rig, 1, RC_FETCH_ADD, 0);
	cr_assert_eq(rig_run(rig), 0, "not asked for");
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_stop(rig);
}

/*
 * RC-087: for a WRITE with immediate, an RNR NAK is valid only for the Last packet. The requester
 * retransmits from this packet on.
 */
Test(atomic_request, write_immediate_resumed_at_its_end_rc087)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_WRITE_IMMEDIATE, RC_SOLICITED, 3 * PMTU);
	cr_assert_eq(rig_run(rig), 3);
	rig_answer(rig, RIG_PSN + 1, WIRE_SYNDROME_RNR | 1);
	cr_assert_eq(rig_counters(rig)->drop_forged_nak, 1, "a Middle wants none (SEC-024)");
	rig_answer(rig, RIG_PSN + 2, WIRE_SYNDROME_RNR | 1);
	cr_assert_eq(rig_counters(rig)->rx_rnr_naks, 1);
	cr_assert_eq(rig_run(rig), 0);
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_LAST_IMM, RIG_PSN + 2);
	cr_assert(rig->packet.view.bth.solicited);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	cr_assert_eq(rig_completed(rig, 1, RC_OK).kind, RC_COMPLETION_WRITE);

	/* A WRITE without immediate data needs no receive, so an RNR NAK for it is dropped. */
	rig_post(rig, 2, RC_WRITE, 0, 3 * PMTU);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 5, WIRE_SYNDROME_RNR | 1);
	cr_assert_eq(rig_counters(rig)->drop_forged_nak, 2);
	rig_stop(rig);
}
