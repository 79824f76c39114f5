/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "requester_rig.h"

#define PMTU 1024u

/* @return opcode of packet `index` in a message of `count` packets (RC-001) */
static uint8_t
opcode_at(enum rc_send_opcode opcode, uint32_t index, uint32_t count)
{
	static const uint8_t send[] = {
		WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE, WIRE_RC_SEND_LAST, WIRE_RC_SEND_ONLY};
	static const uint8_t invalidate[] = {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE,
		WIRE_RC_SEND_LAST_INV, WIRE_RC_SEND_ONLY_INV};
	static const uint8_t send_immediate[] = {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE,
		WIRE_RC_SEND_LAST_IMM, WIRE_RC_SEND_ONLY_IMM};
	static const uint8_t write[] = {
		WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE, WIRE_RC_WRITE_LAST, WIRE_RC_WRITE_ONLY};
	static const uint8_t write_immediate[] = {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE,
		WIRE_RC_WRITE_LAST_IMM, WIRE_RC_WRITE_ONLY_IMM};
	static const uint8_t *const rows[] = {
		[RC_SEND] = send,
		[RC_SEND_INVALIDATE] = invalidate,
		[RC_SEND_IMMEDIATE] = send_immediate,
		[RC_WRITE] = write,
		[RC_WRITE_IMMEDIATE] = write_immediate,
	};
	const uint8_t *row = rows[opcode];

	if (count == 1)
		return row[3];
	return index == 0 ? row[0] : index == count - 1 ? row[2] : row[1];
}

/* Check headers, PSNs and flags of a message: RC-001 to RC-003, RC-005, RC-007, RC-008, RC-012. */
static void
check_message(struct rig *rig, enum rc_send_opcode opcode, uint32_t bytes, uint32_t psn)
{
	uint32_t count = bytes == 0 ? 1 : (bytes + PMTU - 1) / PMTU;

	struct mem_sge sge = rig_sge(rig, 0, bytes);
	struct rc_send_wr wr = rig_request(rig, 1, opcode, &sge);

	wr.flags = opcode == RC_WRITE ? 0 : RC_SOLICITED;
	wr.immediate = 0xC0DE0000 + bytes;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	cr_assert_not(rig_progress(rig));
	for (uint32_t i = 0; i < count; i++) {
		uint8_t wire = opcode_at(opcode, i, count);
		const struct wire_view *view = rig_expect(rig, wire, psn + i);
		uint32_t payload_bytes = RTE_MIN(bytes - i * PMTU, PMTU);

		cr_assert_eq(view->payload_bytes, payload_bytes, "%u bytes: packet %u has %u",
			bytes, i, view->payload_bytes);
		cr_assert_arr_eq(rig->packet.payload, rig->memory + i * PMTU, payload_bytes);
		cr_assert_eq(view->bth.ack_request, i == count - 1);
		cr_assert_eq(view->bth.solicited, opcode != RC_WRITE && i == count - 1);
		if (view->traits->has_reth) {
			cr_assert_eq(view->reth.address, RIG_REMOTE);
			cr_assert_eq(view->reth.rkey, RIG_RKEY);
			cr_assert_eq(view->reth.length_bytes, bytes);
		}
		if (view->traits->has_ieth)
			cr_assert_eq(view->invalidate_rkey, RIG_RKEY);
		if (view->traits->has_imm)
			cr_assert_eq(view->immediate, 0xC0DE0000 + bytes);
	}
	rc_peer_expect_silence(&rig->peer);
	rig_not_completed(rig);
	rig_answer(rig, psn + count - 1, RIG_ACK);
	cr_assert_eq(rig_completed(rig, 1, RC_OK).bytes, bytes);
	rig_not_completed(rig);
}

Test(requester, messages_cut_by_pmtu)
{
	static const uint32_t lengths[] = {
		0, 1, 3, PMTU - 1, PMTU, PMTU + 1, 2 * PMTU, 2 * PMTU + 1, 3 * PMTU, 7 * PMTU + 5};
	struct rig *rig = rig_new();
	uint32_t psn = 0xFFFFF0; /* B-028: the PSN wraps within the message */

	rig->options.connect.send_psn = psn;
	rig_start(rig);
	for (size_t i = 0; i < RTE_DIM(lengths); i++) {
		for (enum rc_send_opcode opcode = RC_SEND; opcode <= RC_WRITE_IMMEDIATE; opcode++) {
			check_message(rig, opcode, lengths[i], psn);
			psn += lengths[i] == 0 ? 1 : (lengths[i] + PMTU - 1) / PMTU;
		}
	}
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 0);
	rig_stop(rig);
}

/* RC-007, RC-013: AckReq is set in every 64th packet, and in the packet that fills the window. */
Test(requester, ack_requested_within_long_message_and_at_window_end)
{
	struct rig *rig = rig_new();
	uint32_t sent = 0, since = 0;
	bool last_requested = false;

	rig->options.connect.pmtu_bytes = 256;
	rig->options.pool_mbufs = 256;
	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, (LIMIT_SEND_WINDOW + 100) * 256);
	for (bool again = true; again;) {
		again = rig_progress(rig);
		while (rc_peer_next(&rig->peer, &rig->packet)) {
			last_requested = rig->packet.view.bth.ack_request;
			since = last_requested ? 0 : since + 1;
			cr_assert_lt(since, 64, "packet %u", sent);
			sent++;
		}
	}
	cr_assert_eq(sent, LIMIT_SEND_WINDOW, "%u packets in the window", sent);
	cr_assert(last_requested);

	rig_answer(rig, RIG_PSN + 9, RIG_ACK);
	rig_progress(rig);
	for (uint32_t i = 0; i < 10; i++)
		rig_expect(rig, WIRE_RC_WRITE_MIDDLE, RIG_PSN + LIMIT_SEND_WINDOW + i);
	cr_assert(rig->packet.view.bth.ack_request);
	rc_peer_expect_silence(&rig->peer);
	rig_stop(rig);
}

/* B-043: each call sends a limited number of packets. */
Test(requester, budget_per_call)
{
	struct rig *rig = rig_new();
	unsigned sent;

	rig_start(rig);
	for (uintptr_t i = 0; i < 10; i++)
		rig_post(rig, i, RC_SEND, 0, 50 * PMTU);
	cr_assert(rig_progress(rig));
	sent = rc_peer_drain(&rig->peer);
	cr_assert_eq(sent, 64, "%u packets in one call", sent);
	cr_assert_eq(rig_run(rig), 500 - 64);
	rig_stop(rig);
}

/* RC-071: one ACK may acknowledge several messages, or only a part of a message. */
Test(requester, acknowledgements_coalesced)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	for (uintptr_t i = 0; i < 5; i++)
		rig_post(rig, i, RC_SEND, i == 1 ? RC_SILENT : 0, 2 * PMTU);
	cr_assert_eq(rig_run(rig), 10);
	rig_answer(rig, RIG_PSN + 6, RIG_ACK);
	rig_completed(rig, 0, RC_OK);
	rig_completed(rig, 2, RC_OK);
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN + 6, RIG_ACK); /* duplicate: RC-168 */
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 2);
	cr_assert_eq(rig_counters(rig)->drop_ghost, 0);
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN + 9, 0x1E); /* credits are ignored */
	rig_completed(rig, 3, RC_OK);
	rig_completed(rig, 4, RC_OK);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_stop(rig);
}

/* RC-070, RC-099, SEC-024: a response has no effect if its PSN is not outstanding. */
Test(requester, forged_responses_dropped)
{
	static const uint8_t syndromes[] = {RIG_ACK, WIRE_SYNDROME_RNR | 1, WIRE_NAK_SEQUENCE,
		WIRE_NAK_INVALID_REQUEST, WIRE_NAK_REMOTE_ACCESS, WIRE_NAK_REMOTE_OPERATION};
	struct rig *rig = rig_new();

	rig_start(rig);
	for (uint32_t i = 0; i < 65536; i++)
		rig_answer(rig, base_random_u32(&rig->peer.random) & PSN_MASK,
			syndromes[i % RTE_DIM(syndromes)]);
	cr_assert_eq(rig_counters(rig)->drop_ghost + rig_counters(rig)->rx_duplicate_responses +
			rig_counters(rig)->drop_forged_nak,
		65536);
	for (uint8_t opcode = WIRE_RC_READ_RESPONSE_FIRST; opcode <= WIRE_RC_READ_RESPONSE_ONLY;
		opcode++)
		rig_read_response(rig, opcode, RIG_PSN, rig->memory, PMTU);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);

	rig_post(rig, 1, RC_SEND, 0, 3 * PMTU);
	for (size_t i = 0; i < RTE_DIM(syndromes); i++)
		rig_answer(rig, RIG_PSN, syndromes[i]);
	rig->peer.ctx.packet_count = LIMIT_OUT_PACKETS - 1; /* room for one packet */
	cr_assert(rig_progress(rig));
	rte_pktmbuf_free(rig->peer.ctx.packets[LIMIT_OUT_PACKETS - 1]);
	rig->peer.ctx.packet_count = 0;
	for (size_t i = 0; i < RTE_DIM(syndromes); i++)
		rig_answer(rig, RIG_PSN + 1, syndromes[i]);
	rig_not_completed(rig);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);

	cr_assert_not(rig_progress(rig));
	rig_expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 1);
	rig_expect(rig, WIRE_RC_SEND_LAST, RIG_PSN + 2);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}

/* RC-100, RC-123: after a fatal NAK, earlier requests succeed, and later requests are flushed. */
static void
check_fatal(uint8_t syndrome, enum rc_status status)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 2 * PMTU);
	rig_post(rig, 2, RC_WRITE, RC_SILENT, 2 * PMTU);
	rig_post(rig, 3, RC_SEND, RC_SILENT, 8);
	cr_assert_eq(rig_run(rig), 5);
	rig_answer(rig, RIG_PSN + 3, syndrome);
	rig_completed(rig, 1, RC_OK);
	cr_assert(rig_completed(rig, 2, status).solicited);
	rig_completed(rig, 3, RC_FLUSHED);
	rig_not_completed(rig);
	rig_in_error(rig, status);
	cr_assert_eq(rig_counters(rig)->rx_naks_fatal, 1);
	rig_answer(rig, RIG_PSN + 4, syndrome);
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

Test(requester, nak_invalid_request_ends)
{
	check_fatal(WIRE_NAK_INVALID_REQUEST, RC_REMOTE_INVALID_REQUEST);
}

Test(requester, nak_remote_access_ends)
{
	check_fatal(WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS);
}

Test(requester, nak_remote_operation_ends)
{
	check_fatal(WIRE_NAK_REMOTE_OPERATION, RC_REMOTE_OPERATION);
}

Test(requester, reserved_syndromes_dropped)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	for (uint8_t syndrome = 0x40; syndrome < 0x60; syndrome++)
		rig_answer(rig, RIG_PSN, syndrome);
	for (uint8_t syndrome = 0x64; syndrome < 0x80; syndrome++)
		rig_answer(rig, RIG_PSN, syndrome);
	cr_assert_eq(rig_counters(rig)->drop_aeth, 32 + 28);
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}

/* Bit 7 of a syndrome is reserved, so the value of the bit does not change the meaning. */
Test(requester, reserved_bit_of_syndrome_ignored)
{
	static const struct {
		uint8_t syndrome;
		/* status with which the queue pair ends; RC_OK: queue pair continues */
		enum rc_status ends;
	} naks[] = {
		{WIRE_NAK_INVALID_REQUEST, RC_REMOTE_INVALID_REQUEST},
		{WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS},
		{WIRE_NAK_REMOTE_OPERATION, RC_REMOTE_OPERATION},
		{WIRE_NAK_SEQUENCE, RC_OK},
		{WIRE_SYNDROME_RNR | 1, RC_OK},
		{RIG_ACK, RC_OK},
	};

	for (unsigned int i = 0; i < RTE_DIM(naks); i++) {
		struct rig *rig = rig_new();

		rig_start(rig);
		rig_post(rig, 1, RC_SEND, 0, 8);
		rig_run(rig);
		rig_answer(rig, RIG_PSN, naks[i].syndrome | 0x80);
		cr_assert_eq(rig_counters(rig)->drop_aeth, 0, "syndrome 0x%02x was dropped",
			naks[i].syndrome | 0x80);
		if (naks[i].ends != RC_OK)
			rig_completed(rig, 1, naks[i].ends);
		else if (naks[i].syndrome == RIG_ACK)
			rig_completed(rig, 1, RC_OK);
		else
			cr_assert_eq(rig_counters(rig)->rx_naks_sequence +
					rig_counters(rig)->rx_rnr_naks,
				1);
		rig_stop(rig);
	}
}

Test(requester, reserved_bit_of_read_response_ignored)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_READ, 0, 8);
	rig_run(rig);
	rc_peer_inject(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = RIG_PSN},
			.aeth = {.syndrome = RIG_ACK | 0x80},
		},
		rig->memory, 8);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}

/* RC-142, B-056, RC-006: a fenced request waits for READs, not for SENDs. Later requests wait. */
Test(requester, fence_waits_for_reads_only)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_post(rig, 3, RC_SEND, RC_FENCE, 8);
	rig_post(rig, 4, RC_SEND, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
	rig_expect(rig, WIRE_RC_READ_REQUEST, RIG_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN + 1, "12345678", 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 2);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 3);

	rig_post(rig, 5, RC_WRITE, RC_FENCE, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + 4);
	rig_answer(rig, RIG_PSN + 4, RIG_ACK);
	for (uintptr_t i = 1; i <= 5; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}

/* RC-009, B-060: at the READ limit, all requests wait in order. The count of READs stays right. */
Test(requester, read_limit_kept)
{
	struct rig *rig = rig_new();
	uint32_t psn = RIG_PSN;

	rig->options.connect.outbound_reads = 2;
	rig_start(rig);
	for (uintptr_t round = 0; round < 3000; round++) {
		for (uintptr_t i = 0; i < 3; i++)
			rig_post(rig, i, RC_READ, 0, 8);
		rig_post(rig, 3, RC_SEND, 0, 0);
		rig_progress(rig);
		rig_expect(rig, WIRE_RC_READ_REQUEST, psn);
		rig_expect(rig, WIRE_RC_READ_REQUEST, psn + 1);
		rc_peer_expect_silence(&rig->peer);
		cr_assert_eq(rig_requester(rig)->reads_outstanding, 2);
		rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, psn, "abcdefgh", 8);
		rig_progress(rig);
		rig_expect(rig, WIRE_RC_READ_REQUEST, psn + 2);
		rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 3);
		rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, psn + 1, "abcdefgh", 8);
		rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, psn + 2, "abcdefgh", 8);
		rig_answer(rig, psn + 3, RIG_ACK);
		for (uintptr_t i = 0; i < 4; i++)
			rig_completed(rig, i, RC_OK);
		psn += 4;
	}
	cr_assert_eq(rig_requester(rig)->reads_outstanding, 0);
	rig_stop(rig);
}

/* RC-143: binds and invalidates do not wait for ACKs of earlier requests, and complete in order. */
Test(requester, bind_and_invalidate_in_queue_order)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	uint32_t key, second;

	rig_start(rig);
	window = rig_window(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	key = rig_post_bind(rig, 2, window, 0);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_not(rig_key_live(rig, key), "dead until executed");
	cr_assert_eq(rig_run(rig), 2);
	cr_assert(rig_key_live(rig, key));
	rig_not_completed(rig);

	rig_post_invalidate(rig, 4, window, 0);
	second = rig_post_bind(rig, 5, window, RC_SILENT);
	rig_run(rig);
	cr_assert_not(rig_key_live(rig, key));
	cr_assert(rig_key_live(rig, second));
	rig_not_completed(rig);

	rig_answer(rig, RIG_PSN, RIG_ACK);
	cr_assert_eq(rig_completed(rig, 1, RC_OK).kind, RC_COMPLETION_SEND);
	cr_assert_eq(rig_completed(rig, 2, RC_OK).kind, RC_COMPLETION_BIND);
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN + 1, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	cr_assert_eq(rig_completed(rig, 4, RC_OK).kind, RC_COMPLETION_INVALIDATE);
	rig_not_completed(rig);
	cr_assert_eq(rc_ring_count(&rig_requester(rig)->ring), 0);
	rig_stop(rig);
}

Test(requester, fenced_invalidate_waits_for_read)
{
	struct rig *rig = rig_new();
	struct mem_window *window;
	uint32_t key;

	rig_start(rig);
	window = rig_window(rig);
	key = rig_post_bind(rig, 1, window, 0);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_post_invalidate(rig, 3, window, RC_FENCE);
	cr_assert_eq(rig_run(rig), 1);
	cr_assert(rig_key_live(rig, key));
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN, "abcdefgh", 8);
	rig_run(rig);
	cr_assert_not(rig_key_live(rig, key));
	for (uintptr_t i = 1; i <= 3; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}

/* B-055: silent binds and invalidates that are the oldest requests do not block the queue. */
Test(requester, silent_local_requests_never_hang)
{
	struct rig *rig = rig_new();
	struct mem_window *window;

	rig_start(rig);
	window = rig_window(rig);
	for (int i = 0; i < 1000; i++) {
		if (rc_ring_full(&rig_requester(rig)->ring) ||
			rc_ring_count(&rig_requester(rig)->ring) == 63)
			rig_run(rig);
		rig_post_bind(rig, 1, window, RC_SILENT);
		rig_post_invalidate(rig, 2, window, RC_SILENT);
	}
	rig_run(rig);
	cr_assert_eq(rc_ring_count(&rig_requester(rig)->ring), 0);
	rig_post_bind(rig, 1, window, RC_SILENT);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	rig_not_completed(rig);
	rig_stop(rig);
}

/* RC-077: if a bind fails, earlier requests complete first, and later requests are not sent. */
Test(requester, failing_bind_completes_in_order)
{
	struct rig *rig = rig_new();
	struct mem_window *window, *other;
	struct mem_domain_stats stats;

	rig_start(rig);
	window = rig_window(rig);
	other = rig_window(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post_bind(rig, 2, window, 0);
	/* Make the next bind fail: prepare an invalidate of its window, but never post it. */
	cr_assert_eq(mem_invalidate_prepare(rig->peer.mem, window, rig->peer.qp->qpn), RC_OK);
	rig_post_bind(rig, 3, window, RC_SILENT);
	rig_post_bind(rig, 4, other, 0);
	rig_post(rig, 5, RC_SEND, RC_SILENT, 8);
	cr_assert_eq(rig_run(rig), 1, "only the first SEND goes");
	rig_not_completed(rig);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 2, RC_OK);
	rig_completed(rig, 3, RC_BIND_FAILED);
	rig_completed(rig, 4, RC_FLUSHED);
	rig_completed(rig, 5, RC_FLUSHED);
	rig_not_completed(rig);
	rig_in_error(rig, RC_BIND_FAILED);
	mem_domain_stats(rig->peer.mem, &stats);
	cr_assert_eq(stats.binds_queued, 0);
	rig_stop(rig);
}

Test(requester, failing_invalidate_ends)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post_invalidate(rig, 1, rig_window(rig), RC_SILENT);
	rig_run(rig);
	rig_completed(rig, 1, RC_INVALIDATE_FAILED);
	rig_in_error(rig, RC_INVALIDATE_FAILED);
	rig_stop(rig);
}

/*
 * RC-130, B-053: if a packet cannot be built, earlier requests complete, and later ones are
 * flushed.
 */
Test(requester, local_protection_in_the_middle_completes_in_order)
{
	struct rig *rig = rig_new();
	struct mem_sge sges[2];
	struct rc_send_wr wr;

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	sges[0] = rig_sge(rig, 0, 2 * PMTU);
	sges[1] = rig_sge(rig, RIG_MEMORY_BYTES, 1); /* one byte beyond the region */
	wr = rig_request(rig, 2, RC_WRITE, sges);
	wr.sgl.count = 2;
	wr.flags = RC_SILENT;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_not(rig_progress(rig));
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
	rig_expect(rig, WIRE_RC_WRITE_FIRST, RIG_PSN + 1);
	rig_expect(rig, WIRE_RC_WRITE_MIDDLE, RIG_PSN + 2);
	rc_peer_expect_silence(&rig->peer);
	rig_not_completed(rig);
	cr_assert_not(rig_progress(rig), "waits for the acknowledgement");
	rc_peer_check_leaks(&rig->peer);

	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 2, RC_LOCAL_PROTECTION);
	rig_completed(rig, 3, RC_FLUSHED);
	rig_in_error(rig, RC_LOCAL_PROTECTION);
	rig_stop(rig);
}

Test(requester, local_protection_when_alone_ends_at_once)
{
	struct rig *rig = rig_new();
	struct mem_sge sge;
	struct rc_send_wr wr;
	uint64_t token;

	rig_start(rig);
	sge = rig_sge(rig, 0, 8);
	wr = rig_request(rig, 1, RC_SEND, &sge);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_in_error(rig, RC_LOCAL_PROTECTION);
	rig_stop(rig);
}

/*
 * B-050: before each packet of a long message, the output is full or no mbuf is free. A later call
 * continues with this packet.
 */
static void
check_interrupted(bool empty_pool)
{
	struct rig *rig = rig_new();
	static uint8_t received[100 * PMTU];
	static struct rte_mbuf *taken[512];
	struct mem_sge sges[5];
	struct rc_send_wr wr;
	uint32_t offset = 0;

	rig->options.qp.send_sge_max = 5;
	rig->options.pool_mbufs = 511;
	rig_start(rig);
	for (uint32_t i = 0; i < 5; i++) {
		static const uint32_t bytes[] = {1, 30000, 0, 40001, 100 * PMTU - 70002};

		sges[i] = rig_sge(rig, offset, bytes[i]);
		offset += bytes[i];
	}
	wr = rig_request(rig, 1, RC_WRITE, sges);
	wr.sgl.count = 5;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	if (empty_pool)
		cr_assert_eq(rte_pktmbuf_alloc_bulk(rig->peer.pool, taken, 511), 0);

	for (uint32_t i = 0; i < 100; i++) {
		uint32_t full = LIMIT_OUT_PACKETS;
		struct rte_mbuf *mbuf;

		/* The first call sends no packet, and the second call sends exactly one. */
		if (!empty_pool)
			rig->peer.ctx.packet_count = full;
		cr_assert(rig_progress(rig));
		if (!empty_pool)
			rig->peer.ctx.packet_count = full - 1;
		else
			rte_pktmbuf_free(taken[0]);
		cr_assert(rig_progress(rig) || i == 99);
		cr_assert_eq(rig->peer.ctx.packet_count, empty_pool ? 1 : full);
		mbuf = rig->peer.ctx.packets[empty_pool ? 0 : full - 1];
		rig->peer.ctx.packets[0] = mbuf;
		rig->peer.ctx.packet_count = 1;
		rig_expect(rig, opcode_at(RC_WRITE, i, 100), RIG_PSN + i);
		memcpy(received + i * PMTU, rig->packet.payload, PMTU);
		if (empty_pool)
			taken[0] = rte_pktmbuf_alloc(rig->peer.pool);
	}
	cr_assert_arr_eq(received, rig->memory, sizeof(received));
	if (empty_pool)
		rte_pktmbuf_free_bulk(taken, 511);
	rig_answer(rig, RIG_PSN + 99, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}

Test(requester, no_room_at_each_packet_resumed)
{
	check_interrupted(false);
}

Test(requester, empty_pool_at_each_packet_resumed)
{
	check_interrupted(true);
}

/*
 * B-057: when the queue pair ends, acknowledged requests complete first. Then the other requests
 * are flushed. Each request completes once.
 */
Test(requester, flush_after_success_in_order)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	for (uintptr_t i = 0; i < 20; i++)
		rig_post(rig, i, RC_SEND, i % 3 == 0 ? RC_SILENT : 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 6, RIG_ACK);
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	for (uintptr_t i = 0; i < 20; i++) {
		if (i > 6 || i % 3 != 0)
			rig_completed(rig, i, i <= 6 ? RC_OK : RC_FLUSHED);
	}
	rig_not_completed(rig);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_stop(rig);
}

/* RC-129: an ACK that causes an overrun of the completion queue ends the queue pair. */
Test(requester, cq_overrun_ends)
{
	struct rig *rig = rig_new();

	rig->options.cq_entries = 4;
	rig_start(rig);
	for (uintptr_t i = 0; i < 8; i++)
		rig_post(rig, i, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 7, RIG_ACK);
	cr_assert(rig->peer.notify_overrun);
	rig_in_error(rig, RC_INTERNAL);
	for (uintptr_t i = 0; i < 4; i++)
		rig_completed(rig, i, RC_OK);
	rig_not_completed(rig);
	rig_stop(rig);
}

Test(requester, cq_overrun_by_failing_request_ends)
{
	struct rig *rig = rig_new();

	rig->options.cq_entries = 1;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 1, WIRE_NAK_REMOTE_ACCESS);
	rig_in_error(rig, RC_REMOTE_ACCESS);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}
