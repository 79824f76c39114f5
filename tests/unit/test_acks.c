/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/responder_bench.h"

/* Test which ACKs and NAKs the responder sends and when, including duplicates and a PSN wrap. */

/* RC-045, RC-046: the responder answers a burst by one ACK, with the PSN of the newest packet. */
Test(acks, burst_one_ack_rc046)
{
	struct rc_peer_packet packet;

	start();
	for (uint32_t i = 0; i < 10; i++)
		write_only(FIRST_PSN + i, 64);
	rc_peer_expect_silence(&b.peer);
	cr_assert_not(rc_peer_progress(&b.peer));
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.aeth.syndrome, WIRE_SYNDROME_ACK, "RC-049: credits not used");
	cr_assert_eq(packet.view.aeth.msn, 10, "RC-041: %u", packet.view.aeth.msn);
	cr_assert_eq(packet.view.bth.psn, FIRST_PSN + 9);
	cr_assert_eq(packet.view.bth.pkey, WIRE_PKEY_DEFAULT);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.tx_acks, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_arr_eq(b.memory, b.data, 64);
	stop();
}

/*
 * RC-046, Q1: a packet with AckReq in the middle of a message is acknowledged. RC-048: a packet
 * without AckReq is not.
 */
Test(acks, ack_request_mid_message_acknowledged_rc046)
{
	struct wire_reth_value at;

	start();
	at = reth(0, 4 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN, &at, b.data, PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_WRITE_MIDDLE,
				.psn = FIRST_PSN + 1,
				.ack_request = true},
		},
		b.data, PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1);
	stop();
}

/* RC-050: if no packet buffer is free or the output is full, a pending ACK is sent later. */
Test(acks, ack_without_mbuf_stays_owed_rc050)
{
	struct rte_mbuf *taken[1024];
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.pool_mbufs = 31;
	start_with(&options);
	write_only(FIRST_PSN, 8);
	cr_assert_eq(rte_pktmbuf_alloc_bulk(b.peer.pool, taken, 31), 0);
	cr_assert(rc_peer_progress(&b.peer), "call me again");
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_no_mbuf, 1);
	rte_pktmbuf_free_bulk(taken, 31);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

Test(acks, ack_without_room_stays_owed_rc050)
{
	start();
	write_only(FIRST_PSN, 8);
	for (unsigned i = 0; i < LIMIT_OUT_PACKETS; i++)
		b.peer.ctx.packets[i] = rte_pktmbuf_alloc(b.peer.pool);
	b.peer.ctx.packet_count = LIMIT_OUT_PACKETS;
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(rc_peer_drain(&b.peer), LIMIT_OUT_PACKETS);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/*
 * Permit delayed ACKs. `prompt` says that the application posts soon after a turn. `patient` says
 * that the engine permits delays.
 */
static void
converse(void)
{
	b.peer.qp->prompt = true;
	b.peer.ctx.patient = true;
}

/* An ACK may be delayed only until the engine's next turn (call of its poll function). */
Test(acks, ack_in_a_conversation_waits_for_one_turn)
{
	start();
	converse();
	write_only(FIRST_PSN, 8);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert(rc_peer_progress(&b.peer), "call me again");
		rc_peer_expect_silence(&b.peer);
		cr_assert(b.peer.ctx.ack_waits, "the engine has to know");
	}
	b.peer.ctx.patient = false;
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	cr_assert_not(b.peer.qp->prompt, "another answer is needed before another ACK waits");
	stop();
}

/*
 * An ACK is not delayed if the application has not posted soon or the engine does not permit
 * delays.
 */
Test(acks, ack_out_of_a_conversation_does_not_wait)
{
	for (unsigned i = 0; i < 3; i++) {
		start();
		b.peer.qp->prompt = i == 1;
		b.peer.ctx.patient = i == 2;
		write_only(FIRST_PSN, 8);
		cr_assert_not(rc_peer_progress(&b.peer));
		rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
		stop();
	}
}

/*
 * One delayed ACK acknowledges later packets, too. If the output is full when the ACK is due, the
 * ACK stays pending.
 */
Test(acks, ack_that_waits_stays_owed_without_room_rc050)
{
	start();
	converse();
	write_only(FIRST_PSN, 8);
	cr_assert(rc_peer_progress(&b.peer));
	for (unsigned i = 0; i < LIMIT_OUT_PACKETS; i++)
		b.peer.ctx.packets[i] = rte_pktmbuf_alloc(b.peer.pool);
	b.peer.ctx.packet_count = LIMIT_OUT_PACKETS;
	b.peer.ctx.patient = false;
	b.peer.ctx.ack_waits = false;
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(rc_peer_drain(&b.peer), LIMIT_OUT_PACKETS);
	b.peer.ctx.patient = true;
	write_only(FIRST_PSN + 1, 8);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert(b.peer.ctx.ack_waits, "the engine has to know");
	b.peer.ctx.patient = false;
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1);
	stop();
}

/* An ACK within a message is not delayed, because the peer's send window may depend on it. */
Test(acks, ack_within_a_message_does_not_wait)
{
	struct wire_reth_value at;

	start();
	converse();
	at = reth(0, 4 * PMTU);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_WRITE_FIRST,
				.psn = FIRST_PSN,
				.ack_request = true},
			.reth = at,
		},
		b.data, PMTU);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

Test(acks, nak_and_response_of_a_read_do_not_wait)
{
	struct rc_peer_packet packet;

	start();
	converse();
	write_only(FIRST_PSN, 8);
	cr_assert(rc_peer_progress(&b.peer));
	write_only(FIRST_PSN + 2, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + 1);
	converse();
	write_only(FIRST_PSN + 1, 8);
	cr_assert(rc_peer_progress(&b.peer));
	read_request(FIRST_PSN + 2, 8);
	cr_assert_not(rc_peer_progress(&b.peer));
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
	rc_peer_expect_silence(&b.peer); /* RC-074: the response acknowledges the WRITE, too */
	stop();
}

/*
 * If the owner ends the queue pair while an ACK is delayed, the ACK is still sent, because the
 * message was executed.
 */
Test(acks, ack_that_waits_is_sent_at_the_end_of_the_queue_pair)
{
	start();
	converse();
	write_only(FIRST_PSN, 8);
	cr_assert(rc_peer_progress(&b.peer));
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/* As above, if the owner ends the queue pair in the turn in which the message arrived. */
Test(acks, ack_that_is_owed_is_sent_at_the_end_of_the_queue_pair)
{
	start();
	write_only(FIRST_PSN, 8);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/*
 * RC-129: an ACK is delayed, and the completion of the next message overruns the queue. The next
 * message must not be acknowledged.
 */
Test(acks, ack_that_waits_is_not_sent_after_an_overrun)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.cq_entries = 1;
	start_with(&options);
	converse();
	for (unsigned i = 0; i < 2; i++)
		rc_peer_post_receive(&b.peer, NULL, b.region, BASE, 64);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 4);
	cr_assert(rc_peer_progress(&b.peer));
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 1, b.data, 4);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	rc_peer_expect_silence(&b.peer);
	stop();
}

Test(acks, ack_at_the_end_does_not_overtake_the_response_of_a_read)
{
	start();
	read_request(FIRST_PSN, 8);
	write_only(FIRST_PSN + 1, 8);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	rc_peer_expect_silence(&b.peer);
	stop();
}

/*
 * RC-023, RC-024, B-030: the responder sends one NAK per gap, however many packets follow the gap.
 */
Test(acks, gap_one_nak_per_gap_rc023_b030)
{
	start();
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	for (uint32_t i = 2; i < 12; i++) {
		write_only(FIRST_PSN + i, 8);
		rc_peer_progress(&b.peer);
		if (i == 2)
			rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + 1);
		rc_peer_expect_silence(&b.peer);
	}
	cr_assert_eq(b.peer.qp->responder.expected_psn, FIRST_PSN + 1);
	cr_assert_eq(b.peer.ctx.counters.rx_ahead, 10);

	b.peer.now_ns += 50000;
	write_only(FIRST_PSN + 1, 8); /* fills the gap */
	write_only(FIRST_PSN + 3, 8); /* opens another gap */
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + 2);
	cr_assert_eq(b.peer.ctx.counters.tx_naks_sequence, 2);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	stop();
}

/* SEC-025: the responder limits the rate of NAKs, because each NAK causes a go-back. */
Test(acks, gaps_in_quick_succession_rate_limited_sec025)
{
	uint64_t deadline;

	start();
	write_only(FIRST_PSN + 1, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN);
	write_only(FIRST_PSN, 8);
	write_only(FIRST_PSN + 2, 8);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_silence(&b.peer);
	deadline = rc_qp_deadline(b.peer.qp);
	cr_assert_eq(deadline, b.peer.now_ns + RC_SEQUENCE_NAK_DISTANCE_NS);
	b.peer.now_ns = deadline;
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + 1);
	cr_assert_eq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER);
	stop();
}

Test(acks, reordered_in_burst_nak_names_what_is_missing)
{
	start();
	write_only(FIRST_PSN + 1, 8);
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + 1);
	b.peer.now_ns += 50000;
	write_only(FIRST_PSN + 2, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer); /* the only NAK for this gap was already sent */
	stop();
}

Test(acks, reordered_in_burst_and_repeated_is_acknowledged)
{
	start();
	write_only(FIRST_PSN + 1, 8);
	write_only(FIRST_PSN, 8);
	write_only(FIRST_PSN + 1, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1);
	cr_assert_eq(b.peer.ctx.counters.tx_naks_sequence, 0);
	stop();
}

/* Without keep_packets (RC-111), a packet after a gap has no effect until it is retransmitted. */
Test(acks, packets_ahead_are_not_kept_unless_asked_for_rc111)
{
	struct wire_reth_value ahead;

	start();
	ahead = reth(PMTU, 8);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1, &ahead, b.data, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN);
	cr_assert_eq(b.memory[PMTU], 0);
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	cr_assert_arr_eq(b.memory, b.data, 8);
	cr_assert_eq(b.memory[PMTU], 0);
	cr_assert_eq(b.peer.qp->responder.expected_psn, FIRST_PSN + 1);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1, &ahead, b.data, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1);
	cr_assert_arr_eq(b.memory + PMTU, b.data, 8);
	stop();
}

/*
 * RC-028, RC-086: without a receive, the responder sends one RNR NAK. It drops later packets until
 * the PSN of the NAK arrives again.
 */
Test(acks, no_receive_rnr_then_ahead_silent_rc028_rc086)
{
	start();
	write_only(FIRST_PSN, 8);
	for (uint32_t round = 0; round < 3; round++) {
		rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 1, b.data, 10);
		write_only(FIRST_PSN + 2, 8);
		rc_peer_progress(&b.peer);
		rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN + 1);
		write_only(FIRST_PSN + 3, 8);
		rc_peer_progress(&b.peer);
		rc_peer_expect_silence(&b.peer);
		cr_assert_eq(b.peer.qp->responder.msn, 1);
	}
	cr_assert_eq(b.peer.ctx.counters.drop_rnr_wait, 6);
	cr_assert_eq(b.peer.ctx.counters.tx_rnr_naks, 3);
	post_receives(1);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 1, b.data, 10);
	write_only(FIRST_PSN + 2, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 2);
	cr_assert_eq(rc_peer_completion(&b.peer.receive_cq).bytes, 10);
	stop();
}

/* If a receive is posted after a message was refused, the RNR NAK for the message is still sent. */
Test(acks, receive_posted_before_rnr_is_sent_keeps_order)
{
	start();
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 10);
	post_receives(1);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 10);
	cr_assert_eq(rc_cq_occupied(&b.peer.receive_cq), 0, "not taken before the RNR NAK is sent");
	cr_assert_eq(b.peer.ctx.counters.drop_rnr_wait, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 10);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/*
 * RC-035, RC-050: a NAK that ends the queue pair is sent exactly once, even if no packet buffer is
 * free at first.
 */
Test(acks, fatal_nak_once_then_silence_rc035)
{
	struct rte_mbuf *taken[31];
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.pool_mbufs = 31;
	start_with(&options);
	read_request(FIRST_PSN, AREA + 1);
	cr_assert_eq(rte_pktmbuf_alloc_bulk(b.peer.pool, taken, 31), 0);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS, "NAK not sent yet");
	rte_pktmbuf_free_bulk(taken, 31);
	write_only(FIRST_PSN, 8); /* this WRITE is not executed, and the pending NAK stays */
	write_only(FIRST_PSN + 1, 8);
	write_only(FIRST_PSN - 1, 8);
	cr_assert_eq(b.memory[0], 0);
	cr_assert_eq(b.peer.ctx.counters.drop_state, 3);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, "READ");
	read_request(FIRST_PSN, AREA + 1);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_state, 4);
	cr_assert_eq(b.peer.event_error_count, 1);
	stop();
}

/* RC-034: a NAK replaces a pending ACK, because the NAK acknowledges all earlier requests. */
Test(acks, nak_replaces_ack_rc034)
{
	struct rc_peer_packet packet;

	start();
	write_only(FIRST_PSN, 8);
	write_only(FIRST_PSN + 1, 8);
	read_request(FIRST_PSN + 2, AREA + 1);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.aeth.syndrome, WIRE_NAK_REMOTE_ACCESS);
	cr_assert_eq(packet.view.bth.psn, FIRST_PSN + 2);
	cr_assert_eq(packet.view.aeth.msn, 2);
	rc_peer_expect_silence(&b.peer);
	stop();
}

/*
 * RC-055: a duplicate is acknowledged with the newest PSN. It is not executed, and uses neither a
 * receive nor a key.
 */
Test(acks, duplicate_send_and_write_only_acknowledged_rc055)
{
	struct rc_completion completion;
	struct wire_reth_value wrong;

	start();
	post_receives(2);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 16);
	write_only(FIRST_PSN + 1, 8);
	write_only(FIRST_PSN + 2, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	memset(b.memory, 0, sizeof(b.memory));

	wrong = reth(0, 8);
	wrong.rkey ^= 0xFF;
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 16);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1, &wrong, b.data, 8);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_LAST, FIRST_PSN + 1, NULL, b.data, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 2);
	cr_assert_eq(b.memory[0], 0);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 1);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0);
	cr_assert_eq(b.peer.ctx.counters.rx_duplicates, 3);
	cr_assert_eq(b.peer.qp->responder.msn, 3);

	/* SEC-025: a duplicate without AckReq is not answered. */
	rc_peer_inject(&b.peer,
		&(struct wire_headers){.bth = {.opcode = WIRE_RC_SEND_ONLY, .psn = FIRST_PSN}},
		b.data, 4);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	stop();
}

/*
 * Before the first request is executed, a packet with an old PSN gets no answer, because there is
 * nothing to acknowledge.
 */
Test(acks, duplicate_before_anything_silent)
{
	start();
	write_only(FIRST_PSN - 1, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	read_request(FIRST_PSN, 8);
	write_only(FIRST_PSN, 8); /* no ACK, because the newest PSN belongs to a READ (RC-047) */
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 1);
	stop();
}

/*
 * A duplicate gets no ACK if the PSN of the ACK would be 2^23 older than the expected PSN. The peer
 * would take such an old PSN for a future PSN.
 */
Test(acks, duplicate_after_half_a_lap_of_reads_silent_rc047)
{
	start();
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	/* state after READs that use 2^23 PSNs */
	b.peer.qp->responder.position += UINT64_C(1) << 23;
	b.peer.qp->responder.expected_psn = psn_add(b.peer.qp->responder.expected_psn, 1 << 23);
	write_only(FIRST_PSN + 100, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_duplicates, 1);
	stop();
}

/* RC-024: an invalid packet with an old PSN causes neither a NAK nor an error. */
Test(acks, duplicate_rubbish_no_nak_rc024)
{
	start();
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	for (unsigned opcode = 0; opcode < 0x20; opcode++)
		if (!wire_opcode_traits((uint8_t)opcode)->response &&
			opcode != WIRE_RC_READ_REQUEST)
			rc_peer_inject(&b.peer,
				&(struct wire_headers){
					.bth = {.opcode = (uint8_t)opcode, .psn = FIRST_PSN}},
				NULL, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	stop();
}

/*
 * B-020, RC-056: a READ (PSNs 0..2) and a WRITE First (PSN 3) have arrived. Then duplicates of both
 * arrive. The WRITE Last (PSN 4) must still complete the WRITE.
 */
Test(acks, duplicates_leave_write_in_progress_alone_b020)
{
	struct wire_reth_value at;
	struct rc_peer_packet packet;

	start();
	memcpy(b.memory, b.data, 3 * PMTU);
	read_request(FIRST_PSN, 3 * PMTU);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 3);
	at = reth(4 * PMTU, 2 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN + 3, &at, b.data, PMTU);
	read_request(FIRST_PSN, 3 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN + 3, &at, b.data, PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_LAST, FIRST_PSN + 4, NULL, b.data + PMTU, PMTU);
	rc_peer_progress(&b.peer);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, FIRST_PSN + i);
		cr_assert_arr_eq(packet.payload, b.data + i * PMTU, PMTU);
	}
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 4);
	cr_assert_arr_eq(b.memory + 4 * PMTU, b.data, 2 * PMTU);
	stop();
}

/*
 * B-021, RC-047: after a WRITE (PSN 0) and a READ (PSN 1), a duplicate of the WRITE arrives. Its
 * ACK has PSN 0, because an ACK must not acknowledge a READ.
 */
Test(acks, duplicate_write_never_acknowledges_read_b021)
{
	start();
	write_only(FIRST_PSN, 8);
	read_request(FIRST_PSN + 1, 8);
	rc_peer_progress(&b.peer);
	cr_assert_eq(
		rc_peer_drain(&b.peer), 1, "the READ response acknowledges the WRITE (RC-074)");
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/* B-028: a READ, a SEND, a sequence NAK and duplicates cross the PSN wrap. */
Test(acks, psn_wrap_b028)
{
	struct rc_peer_options options;
	struct rc_peer_packet packet;
	uint32_t psn = 0xFFFFF0;

	rc_peer_defaults(&options);
	options.connect.receive_psn = psn;
	start_with(&options);
	post_receives(4);
	read_request(psn, 15 * PMTU); /* 0xFFFFF0 .. 0xFFFFFE */
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 15);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, 0xFFFFFF, b.data, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, 1, b.data, 4); /* PSN 0 is missing */
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, 0);
	rc_peer_send(&b.peer, WIRE_RC_SEND_MIDDLE, 0, b.data, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, 1, b.data, 4);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, 0xFFFFFF, b.data, PMTU); /* duplicate */
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, 1);
	cr_assert_eq(rc_peer_completion(&b.peer.receive_cq).bytes, 2 * PMTU + 4);
	read_request(psn, 15 * PMTU); /* duplicate of the READ that began before the wrap */
	rc_peer_progress(&b.peer);
	for (uint32_t i = 0; i < 15; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, psn + i);
	}
	rc_peer_expect_silence(&b.peer);
	stop();
}

/* B-028: a READ crosses the PSN wrap. A duplicate of its second part begins after the wrap. */
Test(acks, read_over_wrap_b028)
{
	struct rc_peer_options options;
	struct rc_peer_packet packet;
	struct wire_reth_value at;

	rc_peer_defaults(&options);
	options.connect.receive_psn = 0xFFFFFE;
	start_with(&options);
	rc_peer_pattern(b.memory, AREA, 3);
	read_request(0xFFFFFE, 5 * PMTU);
	rc_peer_progress(&b.peer);
	for (uint32_t i = 0; i < 5; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, psn_add(0xFFFFFE, i));
	}
	at = reth(3 * PMTU, 2 * PMTU);
	rc_peer_read(&b.peer, 1, &at);
	rc_peer_progress(&b.peer);
	for (uint32_t i = 0; i < 2; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, 1 + i);
		cr_assert_arr_eq(packet.payload, b.memory + (3 + i) * PMTU, PMTU);
	}
	stop();
}

/* RC-041: the MSN counts modulo 2^24. */
Test(acks, msn_wraps_rc041)
{
	struct rc_peer_packet packet;

	start();
	b.peer.qp->responder.msn = PSN_MASK;
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.aeth.msn, 0);
	stop();
}
