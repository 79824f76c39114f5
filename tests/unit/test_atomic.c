/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/responder_bench.h"

/*
 * Test that the responder executes an atomic once and answers a duplicate with the recorded result
 * (RC-058).
 */

#define FA WIRE_RC_FETCH_ADD
#define CS WIRE_RC_COMPARE_SWAP

static uint64_t
value(uint64_t offset)
{
	uint64_t value;

	memcpy(&value, b.memory + offset, sizeof(value));
	return value;
}

static void
set_value(uint64_t offset, uint64_t value)
{
	memcpy(b.memory + offset, &value, sizeof(value));
}

static void
expect_packet(uint8_t opcode, uint32_t psn, uint32_t msn, struct rc_peer_packet *packet)
{
	cr_assert(rc_peer_next(&b.peer, packet), "%s 0x%06x is missing",
		wire_opcode_traits(opcode)->name, psn & PSN_MASK);
	cr_assert_eq(packet->view.bth.opcode, opcode, "%s 0x%06x, %s expected",
		packet->view.traits->name, packet->view.bth.psn, wire_opcode_traits(opcode)->name);
	cr_assert_eq(packet->view.bth.psn, psn & PSN_MASK, "PSN 0x%06x, 0x%06x expected",
		packet->view.bth.psn, psn & PSN_MASK);
	cr_assert_eq(packet->view.aeth.syndrome, WIRE_SYNDROME_ACK);
	cr_assert_eq(packet->view.aeth.msn, msn, "MSN %u, %u expected", packet->view.aeth.msn, msn);
}

static void
expect_original(uint32_t psn, uint32_t msn, uint64_t original)
{
	struct rc_peer_packet packet;

	expect_packet(WIRE_RC_ATOMIC_ACKNOWLEDGE, psn, msn, &packet);
	cr_assert_eq(packet.view.atomic_original, original, "0x%lx came, 0x%lx expected",
		packet.view.atomic_original, original);
	cr_assert_eq(packet.view.payload_bytes, 0);
}

/*
 * Send a duplicate of an atomic. Fail unless the responder answers with the recorded value and does
 * not execute the atomic again.
 */
static void
expect_replay(uint8_t opcode, uint32_t psn, uint64_t swap_add, uint64_t compare, uint64_t original)
{
	uint64_t before = value(8);

	atomic_request(opcode, psn, 8, swap_add, compare);
	rc_peer_progress(&b.peer);
	expect_original(psn, b.peer.qp->responder.msn, original);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(value(8), before, "executed again");
}

Test(atomic, executed_and_answered)
{
	start();
	set_value(8, UINT64_C(0x0102030405060708));
	atomic_request(FA, FIRST_PSN, 8, 0x10, 0);
	rc_peer_expect_silence(&b.peer);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, UINT64_C(0x0102030405060708));
	cr_assert_eq(value(8), UINT64_C(0x0102030405060718));

	atomic_request(CS, FIRST_PSN + 1, 8, 42, UINT64_C(0x0102030405060718));
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN + 1, 2, UINT64_C(0x0102030405060718));
	cr_assert_eq(value(8), 42);

	atomic_request(CS, FIRST_PSN + 2, 8, 43, 41);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN + 2, 3, 42);
	cr_assert_eq(value(8), 42);
	cr_assert_eq(value(0), 0);
	cr_assert_eq(value(16), 0);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_atomics, 3);
	stop();
}

/*
 * RC-060, RC-047: a response acknowledges earlier requests, too. The ACK for later requests follows
 * the response.
 */
Test(atomic, answers_in_psn_order_rc060)
{
	struct rc_peer_packet packet;

	start();
	write_only(FIRST_PSN, 8);
	read_request(FIRST_PSN + 1, 2 * PMTU);
	atomic_request(FA, FIRST_PSN + 3, 4096, 1, 0);
	read_request(FIRST_PSN + 4, 16);
	atomic_request(FA, FIRST_PSN + 5, 4096, 1, 0);
	write_only(FIRST_PSN + 6, 8);
	rc_peer_progress(&b.peer);
	expect_packet(WIRE_RC_READ_RESPONSE_FIRST, FIRST_PSN + 1, 2, &packet);
	expect_packet(WIRE_RC_READ_RESPONSE_LAST, FIRST_PSN + 2, 2, &packet);
	expect_original(FIRST_PSN + 3, 3, 0);
	expect_packet(WIRE_RC_READ_RESPONSE_ONLY, FIRST_PSN + 4, 4, &packet);
	expect_original(FIRST_PSN + 5, 5, 1);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 6);
	stop();
}

/* RC-055, RC-047: a duplicate WRITE is acknowledged with its own PSN, not that of the atomic. */
Test(atomic, never_acknowledged_plainly_rc047)
{
	start();
	write_only(FIRST_PSN, 8);
	atomic_request(FA, FIRST_PSN + 1, 8, 1, 0);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN + 1, 2, value(8) - 1);
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

Test(atomic, duplicate_answered_from_record_rc058_b025)
{
	start();
	set_value(8, 100);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, 100);
	for (unsigned i = 0; i < 3; i++)
		expect_replay(FA, FIRST_PSN, 7, 0, 100);
	atomic_request(CS, FIRST_PSN + 1, 8, 200, 107);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN + 1, 2, 107);
	/* The recorded result is 107. A second execution would return 200. */
	expect_replay(CS, FIRST_PSN + 1, 200, 107, 107);
	expect_replay(FA, FIRST_PSN, 7, 0, 100);
	cr_assert_eq(b.peer.ctx.counters.rx_atomics, 2);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_atomic, 0);
	stop();
}

Test(atomic, duplicate_of_waiting_answer)
{
	start();
	set_value(8, 100);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, 100);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(value(8), 107);
	stop();
}

/* RC-056: a duplicate atomic interrupts neither the responses of a READ nor a WRITE in progress. */
Test(atomic, duplicate_in_the_middle_rc056)
{
	struct wire_reth_value at;
	struct rc_peer_packet packet;

	start();
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	read_request(FIRST_PSN + 1, 2 * PMTU);
	at = reth(2048, 2 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN + 3, &at, b.data, PMTU);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_LAST, FIRST_PSN + 4, NULL, b.data + PMTU, PMTU);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, 0);
	expect_packet(WIRE_RC_READ_RESPONSE_FIRST, FIRST_PSN + 1, 2, &packet);
	expect_packet(WIRE_RC_READ_RESPONSE_LAST, FIRST_PSN + 2, 2, &packet);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 4);
	cr_assert_arr_eq(b.memory + 2048, b.data, 2 * PMTU);
	cr_assert_eq(value(8), 7);
	stop();
}

/* RC-058: a duplicate is answered from the record, even if its key has become invalid since. */
Test(atomic, duplicate_answered_though_key_is_dead_rc058)
{
	uint64_t token;

	start();
	set_value(8, 5);
	atomic_request(FA, FIRST_PSN, 8, 7, 0);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, 5);
	cr_assert_eq(mem_region_deregister(b.peer.mem, b.region, &token), RC_OK);
	expect_replay(FA, FIRST_PSN, 7, 0, 5);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	stop();
}

/*
 * RC-058: a duplicate atomic with other operands than the original is dropped. RC-057: a READ with
 * the PSN of an atomic is dropped, too.
 */
Test(atomic, duplicate_with_other_operands_dropped_rc058)
{
	start();
	set_value(8, 5);
	atomic_request(CS, FIRST_PSN, 8, 7, 5);
	rc_peer_progress(&b.peer);
	expect_original(FIRST_PSN, 1, 5);
	atomic_request(CS, FIRST_PSN, 8, 8, 5);
	atomic_request(CS, FIRST_PSN, 8, 7, 6);
	atomic_request(CS, FIRST_PSN, 16, 7, 5);
	atomic_request(FA, FIRST_PSN, 8, 7, 5);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_atomic, 4);
	read_request(FIRST_PSN, 8);
	read_request(FIRST_PSN, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 2);
	cr_assert_eq(value(8), 7);

	read_request(FIRST_PSN + 1, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	atomic_request(FA, FIRST_PSN + 1, 0, 0, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_atomic, 5);
	stop();
}

/* RC-059: READs and atomics share four records. A duplicate without a record is dropped. */
Test(atomic, duplicate_beyond_records_dropped_rc059)
{
	start();
	set_value(8, 0);
	for (uint32_t i = 0; i < 5; i++) {
		if (i == 2)
			read_request(FIRST_PSN + i, 16);
		else
			atomic_request(FA, FIRST_PSN + i, 8, 1, 0);
		rc_peer_progress(&b.peer);
		rc_peer_drain(&b.peer);
	}
	cr_assert_eq(value(8), 4);
	atomic_request(FA, FIRST_PSN, 8, 1, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_atomic, 1);
	expect_replay(FA, FIRST_PSN + 1, 1, 0, 1);
	expect_replay(FA, FIRST_PSN + 3, 1, 0, 2);
	expect_replay(FA, FIRST_PSN + 4, 1, 0, 3);
	stop();
}

/* RC-028: READs and atomics count towards one limit. */
Test(atomic, beyond_limit_invalid_request_rc028)
{
	struct rc_peer_options options;
	struct rc_peer_packet packet;

	rc_peer_defaults(&options);
	options.connect.inbound_reads = 0;
	start_with(&options);
	atomic_request(FA, FIRST_PSN, 8, 1, 0);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN, "without resources");
	cr_assert_eq(value(8), 0);
	stop();

	rc_peer_defaults(&options);
	options.connect.inbound_reads = 2;
	start_with(&options);
	read_request(FIRST_PSN, 16);
	atomic_request(FA, FIRST_PSN + 1, 2048, 1, 0);
	atomic_request(FA, FIRST_PSN + 2, 2048, 1, 0);
	rc_peer_progress(&b.peer);
	expect_packet(WIRE_RC_READ_RESPONSE_ONLY, FIRST_PSN, 1, &packet);
	expect_original(FIRST_PSN + 1, 2, 0);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 2);
	cr_assert_eq(value(2048), 1);
	stop();
}

/*
 * RC-027: if the queue pair does not permit atomics, the responder sends the NAK "invalid request",
 * not "remote access error".
 */
Test(atomic, queue_pair_right_missing_invalid_request_rc027)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.connect.remote_atomic = false;
	start_with(&options);
	read_request(FIRST_PSN, 16);
	write_only(FIRST_PSN + 1, 8);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 2);
	atomic_request(FA, FIRST_PSN + 2, 2048, 1, 0);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 2, "right of the queue pair");
	cr_assert_eq(value(2048), 0);
	stop();
}

/*
 * RC-031: an atomic with a misaligned address gets the NAK "invalid request". RC-030: an invalid
 * key is detected before the misaligned address.
 */
Test(atomic, misaligned_address_invalid_request_rc031)
{
	for (uint64_t offset = 1; offset < 8; offset++) {
		start();
		atomic_request(offset % 2 ? FA : CS, FIRST_PSN, offset, 1, 0);
		expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN, "misaligned");
		for (unsigned i = 0; i < 16; i++)
			cr_assert_eq(b.memory[i], 0);
		cr_assert_eq(b.peer.ctx.counters.rx_atomics, 0);
		stop();
	}
	start();
	atomic_request(FA, FIRST_PSN, AREA - 4, 1, 0);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, "misaligned, and out of bounds");
	stop();
}

struct refusal_case {
	const char *what;
	uint64_t address;
	uint32_t key_xor;
	uint32_t rights;
	enum mem_refusal refusal;
};

/* RC-030: the counters tell why a key was refused, but the NAK is the same for all reasons. */
Test(atomic, key_not_good_access_error_rc030)
{
	static const struct refusal_case cases[] = {
		{"wrong key", BASE, 1, MEM_REMOTE_ATOMIC, MEM_REFUSED_KEY},
		{"first bytes before", BASE - 8, 0, MEM_REMOTE_ATOMIC, MEM_REFUSED_RANGE},
		{"first byte behind", BASE + 64, 0, MEM_REMOTE_ATOMIC, MEM_REFUSED_RANGE},
		{"end of the address space", UINT64_MAX - 7, 0, MEM_REMOTE_ATOMIC,
			MEM_REFUSED_RANGE},
		{"right to write only", BASE, 0, MEM_REMOTE_WRITE, MEM_REFUSED_RIGHTS},
		{"rights to read and write", BASE, 0, MEM_REMOTE_READ | MEM_REMOTE_WRITE,
			MEM_REFUSED_RIGHTS},
	};

	for (unsigned i = 0; i < RTE_DIM(cases); i++) {
		static uint64_t bytes[8];
		struct mem_region *region;

		start();
		region = rc_peer_region(
			&b.peer, bytes, sizeof(bytes), BASE, MEM_LOCAL_WRITE | cases[i].rights);
		rc_peer_inject(&b.peer,
			&(struct wire_headers){
				.bth = {.opcode = FA, .psn = FIRST_PSN},
				.atomic =
					{
						.address = cases[i].address,
						.rkey = mem_region_key(region) ^ cases[i].key_xor,
						.swap_add = 1,
					},
			},
			NULL, 0);
		expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, cases[i].what);
		cr_assert_eq(b.peer.ctx.counters.refused[cases[i].refusal], 1, "%s", cases[i].what);
		for (unsigned n = 0; n < RTE_DIM(bytes); n++)
			cr_assert_eq(bytes[n], 0, "%s", cases[i].what);
		stop();
	}
}

/*
 * RC-050: if no packet buffer is free, the response stays pending, and the atomic is not executed
 * again.
 */
Test(atomic, answer_kept_without_mbuf_rc050)
{
	struct rte_mbuf *held[2048];
	unsigned count = 0;

	start();
	atomic_request(FA, FIRST_PSN, 8, 3, 0);
	while (count < RTE_DIM(held) && (held[count] = rte_pktmbuf_alloc(b.peer.pool)) != NULL)
		count++;
	cr_assert_lt(count, RTE_DIM(held));
	cr_assert(rc_peer_progress(&b.peer));
	rc_peer_expect_silence(&b.peer);
	while (count > 0)
		rte_pktmbuf_free(held[--count]);
	cr_assert_not(rc_peer_progress(&b.peer));
	expect_original(FIRST_PSN, 1, 0);
	cr_assert_eq(value(8), 3);
	stop();
}

/* B-028: two atomics are answered from their records, although the PSN wraps between them. */
Test(atomic, duplicate_over_psn_wrap_b028)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.connect.receive_psn = 0xFFFFFF;
	start_with(&options);
	atomic_request(FA, 0xFFFFFF, 8, 3, 0);
	atomic_request(FA, 0, 8, 3, 0);
	rc_peer_progress(&b.peer);
	expect_original(0xFFFFFF, 1, 0);
	expect_original(0, 2, 3);
	expect_replay(FA, 0xFFFFFF, 3, 0, 0);
	expect_replay(FA, 0, 3, 0, 3);
	stop();
}
