/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/responder_bench.h"

/*
 * Test a WRITE with immediate in one packet. Like a SEND, it uses a receive. Longer WRITEs are
 * tested in test_receive.c.
 */

#define IMMEDIATE 0x01020304u

static void
write_immediate(uint32_t psn, const struct wire_reth_value *at, uint16_t bytes, bool solicited)
{
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth =
				{
					.opcode = WIRE_RC_WRITE_ONLY_IMM,
					.psn = psn & PSN_MASK,
					.ack_request = true,
					.solicited = solicited,
				},
			.reth = *at,
			.immediate = IMMEDIATE,
		},
		b.data, bytes);
}

static void
expect_received(uint32_t bytes, bool solicited)
{
	struct rc_completion completion = rc_peer_completion(&b.peer.receive_cq);

	cr_assert_eq(completion.status, RC_OK, "%s", rc_status_name(completion.status));
	cr_assert_eq(completion.kind, RC_COMPLETION_RECEIVE);
	cr_assert_eq(completion.flags, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	cr_assert_eq(completion.immediate, rte_cpu_to_be_32(IMMEDIATE));
	cr_assert_eq(completion.bytes, bytes, "%u bytes, %u expected", completion.bytes, bytes);
	cr_assert_eq(completion.solicited, solicited);
}

/*
 * RC-028: without a receive, no byte is written. Then a receive is posted, and the retransmitted
 * WRITE uses it.
 */
Test(immediate, without_receive_nothing_written_rc028)
{
	struct wire_reth_value at;

	start();
	at = reth(2048, 100);
	for (unsigned i = 0; i < 3; i++) {
		write_immediate(FIRST_PSN, &at, 100, false);
		rc_peer_progress(&b.peer);
		rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
		for (unsigned n = 0; n < AREA; n++)
			cr_assert_eq(b.memory[n], 0, "byte %u", n);
		cr_assert_eq(b.peer.qp->responder.expected_psn, FIRST_PSN);
		cr_assert_eq(b.peer.qp->responder.msn, 0);
	}
	post_receives(1);
	write_immediate(FIRST_PSN, &at, 100, false);
	expect_received(100, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	cr_assert_arr_eq(b.memory + 2048, b.data, 100);
	cr_assert_eq(b.memory[0], 0, "the receive's own memory");
	cr_assert_eq(b.peer.ctx.counters.tx_rnr_naks, 3);
	stop();
}

/*
 * RC-028 is checked before RC-030: if there is no receive, an RNR NAK is sent, even if the key is
 * invalid.
 */
Test(immediate, receive_asked_for_before_key_rc030)
{
	struct rc_completion completion;
	struct wire_reth_value at;

	start();
	at = reth(0, 100);
	at.rkey ^= 1;
	write_immediate(FIRST_PSN, &at, 100, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
	post_receives(1);
	write_immediate(FIRST_PSN, &at, 100, false);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, "key");
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(
		completion.status, RC_FLUSHED, "not used: %s", rc_status_name(completion.status));
	cr_assert_eq(completion.flags, 0);
	cr_assert_eq(completion.immediate, 0);
	stop();
}

/* RC-012: a WRITE of 0 bytes needs no valid key. With immediate data, it still needs a receive. */
Test(immediate, of_no_bytes_needs_no_key_rc012)
{
	struct wire_reth_value at = {.address = 12345, .rkey = 0xBAD};

	start();
	write_immediate(FIRST_PSN, &at, 0, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
	post_receives(1);
	write_immediate(FIRST_PSN, &at, 0, false);
	expect_received(0, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/* RC-161: if the packet has the solicited bit, so has the completion of the receive. */
Test(immediate, solicited_event_rc161)
{
	struct wire_reth_value at;

	start();
	post_receives(3);
	at = reth(0, 8);
	rc_cq_request_notify(&b.peer.receive_cq, RC_CQ_ARM_SOLICITED);
	write_immediate(FIRST_PSN, &at, 8, false);
	cr_assert_eq(b.peer.receive_notify_count, 0);
	write_immediate(FIRST_PSN + 1, &at, 8, true);
	cr_assert_eq(b.peer.receive_notify_count, 1);
	write_immediate(FIRST_PSN + 2, &at, 8, true);
	cr_assert_eq(b.peer.receive_notify_count, 1, "once per arming");
	expect_received(8, false);
	expect_received(8, true);
	expect_received(8, true);
	stop();
}

/* RC-055: a duplicate uses no receive and writes nothing. It is acknowledged. */
Test(immediate, duplicate_takes_no_receive_rc055)
{
	struct rc_completion completion;
	struct wire_reth_value at;

	start();
	post_receives(2);
	at = reth(2048, 8);
	write_immediate(FIRST_PSN, &at, 8, false);
	expect_received(8, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	memset(b.memory, 0, sizeof(b.memory));
	write_immediate(FIRST_PSN, &at, 8, false);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0);
	cr_assert_eq(b.memory[2048], 0);
	stop();
}

/* RC-129: if the completion of the receive overruns its completion queue, the queue pair ends. */
Test(immediate, completion_queue_overrun_rc129)
{
	struct rc_peer_options options;
	struct wire_reth_value at;

	rc_peer_defaults(&options);
	options.cq_entries = 1;
	start_with(&options);
	post_receives(2);
	at = reth(0, 8);
	write_immediate(FIRST_PSN, &at, 8, false);
	write_immediate(FIRST_PSN + 1, &at, 8, false);
	cr_assert(b.peer.notify_overrun);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	expect_received(8, false);
	stop();
}
