/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/keep_bench.h"

/*
 * Requests that arrive after a lost request are kept. They are executed when the lost request
 * arrives (RC-111, RC-112). The NAK for a gap is delayed, because the missing packet may only be
 * late (RC-116).
 */

/*
 * RC-111: the responder sends one NAK for a gap. The retransmitted packet fills the gap, and one
 * ACK acknowledges all packets.
 */
Test(keep, gap_is_closed_by_the_packet_that_was_lost_rc111)
{
	start_keeping();
	for (uint32_t i = 1; i <= 10; i++)
		write_cell(i);
	expect_nak(0);
	write_cell(11);
	expect_nothing(); /* RC-023: only one NAK per gap */
	expect_cells(0, 12, false);
	write_cell(0);
	expect_cells(0, 12, true);
	expect_ack(11);
	expect_nothing();
	cr_assert_eq(b.peer.qp->responder.msn, 12);
	cr_assert_eq(counters()->rx_ahead, 11);
	cr_assert_eq(counters()->tx_naks_sequence, 1);
	cr_assert_eq(counters()->tx_acks, 1);
	expect_all_gone(11, 0);
	stop();
}

Test(keep, any_order_and_the_wrap_rc111)
{
	static const uint32_t order[] = {7, 3, 1, 6, 2, 5, 4, 0};
	struct rc_peer_options options;
	struct wire_reth_value at;

	defaults(&options);
	options.connect.receive_psn = PSN_MASK - 3;
	start_with(&options);
	for (uint32_t i = 0; i < RTE_DIM(order); i++) {
		at = reth((uint64_t)order[i] * CELL, 8);
		rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, PSN_MASK - 3 + order[i], &at,
			b.data + order[i], 8);
	}
	expect_cells(0, 8, true);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, 3);
	expect_all_gone(7, 0);
	stop();
}

/*
 * When a gap is filled, an ACK is sent even if no packet has the AckReq bit. Otherwise the peer
 * would not know that the gap is filled.
 */
Test(keep, ack_that_nobody_asks_for_rc111)
{
	struct wire_reth_value at;

	start_keeping();
	at = reth(0, 4 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_MIDDLE, FIRST_PSN + 1, NULL, b.data, PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_MIDDLE, FIRST_PSN + 2, NULL, b.data, PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN, &at, b.data, PMTU);
	expect_ack(2);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_LAST, FIRST_PSN + 3, NULL, b.data, PMTU);
	expect_ack(3);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_arr_eq(b.memory + (size_t)i * PMTU, b.data, PMTU);
	stop();
}

/*
 * RC-112: while the First packet of a SEND is missing, its kept packets make no completion and do
 * not change the MSN.
 */
Test(keep, send_of_several_packets_rc112)
{
	struct rc_completion completion;

	start_keeping();
	post_receives(2);
	rc_peer_send(&b.peer, WIRE_RC_SEND_MIDDLE, FIRST_PSN + 1, b.data + 1, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, FIRST_PSN + 2, b.data + 2, 100);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY_IMM, FIRST_PSN + 3, b.data + 3, 50);
	expect_nak(0);
	cr_assert_eq(rc_cq_occupied(&b.peer.receive_cq), 0);
	cr_assert_eq(b.peer.qp->responder.msn, 0);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	expect_ack(3);
	cr_assert_eq(b.peer.qp->responder.msn, 2);
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.bytes, 2 * PMTU + 100);
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.bytes, 50);
	cr_assert_eq(completion.flags, RC_WITH_IMMEDIATE);
	expect_all_gone(3, 0);
	stop();
}

/* RC-112: kept READs and atomics are executed in order when the gap is filled. */
Test(keep, reads_and_atomics_wait_for_the_gap_rc112)
{
	struct rc_peer_packet packet;
	uint64_t value = 5;

	start_keeping();
	memcpy(b.memory + 8, &value, sizeof(value));
	atomic_request(WIRE_RC_FETCH_ADD, FIRST_PSN + 1, 8, 3, 0);
	read_request(FIRST_PSN + 2, 3 * PMTU);
	write_cell(5);
	expect_nak(0);
	memcpy(&value, b.memory + 8, sizeof(value));
	cr_assert_eq(value, 5);
	write_cell(0);
	memcpy(&value, b.memory + 8, sizeof(value));
	cr_assert_eq(value, 8);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_ATOMIC_ACKNOWLEDGE);
	cr_assert_eq(packet.view.atomic_original, 5);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, FIRST_PSN + 2 + i);
	}
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 5);
	expect_all_gone(3, 0);
	stop();
}

/*
 * If the last kept packet is a READ, its response acknowledges all earlier requests, so no separate
 * ACK is sent.
 */
Test(keep, read_at_the_end_is_the_answer_rc111)
{
	struct rc_peer_packet packet;

	start_keeping();
	write_cell(1);
	read_request(FIRST_PSN + 2, 16);
	write_cell(0);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
	rc_peer_expect_silence(&b.peer);
	expect_all_gone(2, 0);
	stop();
}

/*
 * RC-112: the key of a kept packet is checked when the packet is executed. Here the key is
 * invalidated while the packet is kept.
 */
Test(keep, key_is_checked_at_execution_rc112)
{
	struct mem_bind bind = {.address = BASE, .length_bytes = PMTU, .rights = MEM_REMOTE_WRITE};
	struct wire_reth_value at = {.address = BASE, .length_bytes = 8};
	struct mem_window *window;
	struct mem_key_end end;

	start_keeping();
	cr_assert_eq(mem_window_create(b.peer.mem, NULL, &window), RC_OK);
	bind.window = window;
	bind.region = b.region;
	cr_assert_eq(mem_bind_now(b.peer.mem, &bind, b.peer.qp->qpn), RC_OK);
	at.rkey = bind.key;
	write_cell(2);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1, &at, b.data, 8);
	write_cell(3);
	expect_nak(0);
	cr_assert_eq(mem_key_invalidate(b.peer.mem, bind.key, b.peer.qp->qpn, &end), RC_OK);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, NULL, b.data, 0);
	cr_assert_eq(b.memory[0], 0);
	expect_cells(2, 4, false);
	expect_all_gone(0, 3); /* RC-035: kept packets after the refused packet are freed */
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 1, "dead key");
	stop();
}

/* RC-112: a kept SEND with Invalidate is executed after the packets before it. */
Test(keep, send_with_invalidate_waits_for_the_gap_rc112)
{
	struct mem_bind bind = {.address = BASE, .length_bytes = PMTU, .rights = MEM_REMOTE_WRITE};
	struct wire_headers headers = {
		.bth = {.opcode = WIRE_RC_SEND_ONLY_INV, .psn = FIRST_PSN + 1}};
	struct wire_reth_value at = {.address = BASE, .length_bytes = 8};
	struct mem_window *window;

	start_keeping();
	post_receives(1);
	cr_assert_eq(mem_window_create(b.peer.mem, NULL, &window), RC_OK);
	bind.window = window;
	bind.region = b.region;
	cr_assert_eq(mem_bind_now(b.peer.mem, &bind, b.peer.qp->qpn), RC_OK);
	headers.invalidate_rkey = bind.key;
	at.rkey = bind.key;
	rc_peer_inject(&b.peer, &headers, b.data, 8);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 2, &at, b.data, 8);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, &at, b.data, 8);
	cr_assert_arr_eq(b.memory, b.data, 8);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 2, "key after its invalidation");
	expect_all_gone(1, 1);
	stop();
}

/* Inject a one-packet SEND that invalidates a new window. */
static void
send_invalidate(uint32_t i)
{
	struct mem_bind bind = {.address = BASE, .length_bytes = PMTU, .rights = MEM_REMOTE_WRITE};

	bind.region = b.region;
	cr_assert_eq(mem_window_create(b.peer.mem, NULL, &bind.window), RC_OK);
	cr_assert_eq(mem_bind_now(b.peer.mem, &bind, b.peer.qp->qpn), RC_OK);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_SEND_ONLY_INV, .psn = FIRST_PSN + i},
			.invalidate_rkey = bind.key,
		},
		b.data, 8);
}

/*
 * RC-112, B-086: two kept SENDs with Invalidate wait for another engine one after the other, and
 * the packets after them wait for both. A packet that waits is not missing, so no NAK requests it.
 */
Test(keep, each_send_with_invalidate_waits_for_other_engines_rc112)
{
	struct rte_rcu_qsbr *qsbr;

	start_keeping();
	post_receives(2);
	qsbr = mem_domain_qsbr(b.peer.mem);
	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 1), 0);
	rte_rcu_qsbr_thread_online(qsbr, 1);
	send_invalidate(1);
	send_invalidate(2);
	write_cell(3);
	expect_nak(0);
	write_cell(0);
	expect_ack(0);
	expect_nothing();
	rte_rcu_qsbr_quiescent(qsbr, 1);
	expect_ack(1);
	expect_nothing();
	expect_cell(3, false);
	rte_rcu_qsbr_quiescent(qsbr, 1);
	expect_ack(3);
	expect_cell(3, true);
	expect_all_gone(3, 0);
	rte_rcu_qsbr_thread_offline(qsbr, 1);
	stop();
}

/* RC-112: an error in a kept packet is reported only when the packet is due in PSN order. */
Test(keep, error_is_reported_in_its_turn_rc112)
{
	start_keeping();
	write_cell(1);
	rc_peer_send(&b.peer, WIRE_RC_SEND_MIDDLE, FIRST_PSN + 2, b.data, 3);
	write_cell(3);
	expect_nak(0);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	write_cell(0);
	expect_cells(0, 2, true);
	expect_all_gone(1, 2);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 2, "out of sequence");
	stop();
}

Test(keep, refusal_of_the_lost_packet_frees_the_rest)
{
	start_keeping();
	write_cell(1);
	read_request(FIRST_PSN, AREA + 1);
	expect_all_gone(0, 1);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, "READ");
	stop();
}

/* RC-116: if two packets arrive in swapped order, no NAK is sent. */
Test(keep, reordered_packet_causes_no_nak_rc116)
{
	start_keeping();
	write_cell(1);
	expect_nothing();
	cr_assert_eq(rc_qp_deadline(b.peer.qp), b.peer.now_ns + REORDER);
	wait_ns(REORDER - 1);
	write_cell(2);
	expect_nothing();
	write_cell(0);
	expect_ack(2);
	cr_assert_eq(counters()->tx_naks_sequence, 0);
	cr_assert_eq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER);
	stop();
}

/* RC-116: the NAK for a gap is sent after the reorder time, keep.reorder_ns. */
Test(keep, nak_leaves_when_the_window_is_over_rc116)
{
	start_keeping();
	write_cell(1);
	expect_nothing();
	wait_ns(REORDER);
	expect_nak(0);
	wait_ns(REORDER);
	expect_nothing();
	write_cell(0);
	expect_ack(1);
	stop();
}

/*
 * RC-116: if three packets after the gap have arrived, the NAK is sent at once, because the missing
 * packet is probably lost.
 */
Test(keep, nak_leaves_behind_three_packets_rc116)
{
	start_keeping();
	for (uint32_t i = 1; i < RC_REORDER_PACKETS; i++)
		write_cell(i);
	expect_nothing();
	write_cell(RC_REORDER_PACKETS);
	expect_nak(0);
	stop();
}

Test(keep, nak_without_window_leaves_at_once_rc116)
{
	struct rc_peer_options options;

	defaults(&options);
	options.keep.reorder_ns = 0;
	start_with(&options);
	write_cell(1);
	expect_nak(0);
	write_cell(0);
	expect_ack(1);
	stop();
}

/*
 * RC-116: if the missing packet arrives twice after its NAK, the packet was only late. From then
 * on, the NAK for a gap is sent after twice as many later packets. A gap that was filled before
 * does not change this.
 */
Test(keep, wrong_nak_lets_the_next_wait_rc116)
{
	start_keeping();
	for (uint32_t i = 1; i <= RC_REORDER_PACKETS; i++)
		write_cell(i);
	expect_nak(0);
	write_cell(0);
	expect_ack(3);
	write_cell(0); /* the retransmission */
	expect_ack(3);
	wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
	write_cell(5);
	write_cell(7);
	write_cell(8);
	write_cell(9);
	expect_nothing();
	write_cell(4);
	expect_nothing();
	write_cell(10);
	write_cell(11);
	expect_nothing();
	write_cell(12);
	expect_nak(6);
	write_cell(6);
	expect_ack(12);
	stop();
}

Test(keep, further_gap_has_its_nak_at_once_rc111)
{
	start_keeping();
	write_cell(1);
	write_cell(3);
	expect_nothing();
	write_cell(0);
	expect_nak(2);
	expect_cells(0, 2, true);
	expect_cell(3, false);
	wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
	expect_nothing();
	write_cell(2);
	expect_ack(3);
	expect_all_gone(2, 0);
	stop();
}

/* SEC-025: a minimum time passes between the NAKs for two gaps. */
Test(keep, naks_of_gaps_keep_their_distance_sec025)
{
	start_keeping();
	write_cell(1);
	write_cell(3);
	write_cell(4);
	expect_nak(0);
	write_cell(0);
	expect_nothing();
	wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
	expect_nak(2);
	stop();
}

/*
 * A peer that goes back retransmits the missing packets one by one. Until all have arrived, no new
 * NAK is sent.
 */
Test(keep, rest_of_a_gap_has_time_to_come_rc116)
{
	start_keeping();
	for (uint32_t i = 4; i < 8; i++)
		write_cell(i);
	expect_nak(0);
	for (uint32_t i = 0; i < 3; i++) {
		wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
		write_cell(i);
		expect_nothing();
	}
	wait_ns(REORDER);
	expect_nak(3); /* it was lost again */
	write_cell(3);
	expect_ack(7);
	expect_all_gone(4, 0);
	stop();
}

/*
 * A peer that goes back retransmits even requests that the responder has kept. The responder
 * executes no request twice (RC-055, RC-058).
 */
Test(keep, repeated_tail_is_duplicate_rc111)
{
	struct rc_peer_packet packet;
	uint64_t value = 0;

	start_keeping();
	write_cell(2);
	atomic_request(WIRE_RC_FETCH_ADD, FIRST_PSN + 1, 16 * CELL, 1, 0);
	write_cell(0);
	memset(b.memory, 0, CELL);
	memset(b.memory + (size_t)2 * CELL, 0, CELL);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 2);
	atomic_request(WIRE_RC_FETCH_ADD, FIRST_PSN + 1, 16 * CELL, 1, 0);
	write_cell(2);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.atomic_original, 0);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 2);
	memcpy(&value, b.memory + (size_t)16 * CELL, sizeof(value));
	cr_assert_eq(value, 1);
	expect_cell(2, false);
	cr_assert_eq(counters()->rx_duplicates, 2);
	stop();
}

Test(keep, duplicate_of_a_kept_packet_is_dropped_rc111)
{
	struct wire_reth_value at;

	start_keeping();
	at = reth((uint64_t)40 * CELL, 8);
	write_cell(1);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1, &at, b.data, 8);
	write_cell(1);
	cr_assert_eq(counters()->rx_kept_duplicates, 2);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 1);
	expect_nothing(); /* RC-116: duplicates do not count towards the three packets */
	write_cell(0);
	expect_ack(1);
	expect_cells(0, 2, true);
	cr_assert_eq(b.memory[40 * CELL], 0);
	expect_all_gone(1, 0);
	stop();
}
