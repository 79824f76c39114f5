/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stddef.h>

#include "unit/responder_bench.h"

/*
 * Test the verdict (what the queue pair does with a packet) for each of the 256 opcodes. The packet
 * has the expected PSN. The queue pair is in RTS, between messages, and has everything that a
 * request may need. The test derives the verdicts from the rules, and not from the table that the
 * code uses.
 */

enum verdict {
	EXECUTED,   /* executed and answered */
	INVALID,    /* answered with NAK 0x61, which ends the queue pair (RC-025, RC-026) */
	GHOST,      /* dropped and counted: a response without a request (RC-070) */
	NOT_SPOKEN, /* dropped by the parser, with reason "opcode" (RC-020, RC-166) */
	/* dropped and counted: a known UD opcode, which no connection uses (RC-166) */
	NOT_CONNECTED,
	CONGESTION, /* CNP: counted, not answered */
};

static enum verdict
verdict_rc(uint8_t opcode)
{
	switch (opcode) {
	case 0x00: /* SEND First */
	case 0x04: /* SEND Only */
	case 0x05: /* SEND Only w/ Immediate */
	case 0x06: /* WRITE First */
	case 0x0A: /* WRITE Only */
	case 0x0B: /* WRITE Only w/ Immediate */
	case 0x0C: /* READ Request */
	case 0x13: /* Compare & Swap */
	case 0x14: /* Fetch & Add */
	case 0x17: /* SEND Only w/ Invalidate */
		return EXECUTED;
	case 0x01: /* SEND Middle, Last, Last w/ Immediate: invalid without a First */
	case 0x02:
	case 0x03:
	case 0x07: /* WRITE Middle, Last, Last w/ Immediate: invalid without a First */
	case 0x08:
	case 0x09:
	case 0x16: /* SEND Last w/ Invalidate */
		return INVALID;
	case 0x0D: /* READ responses */
	case 0x0E:
	case 0x0F:
	case 0x10:
	case 0x11: /* Acknowledge */
	case 0x12: /* ATOMIC Acknowledge */
		return GHOST;
	default: /* 0x1C FLUSH, 0x1D ATOMIC WRITE; 0x15, 0x18..0x1B, 0x1E, 0x1F reserved */
		return INVALID;
	}
}

static enum verdict
verdict_of(uint8_t opcode)
{
	if (opcode < 0x20)
		return verdict_rc(opcode);
	/* SEND Only and SEND Only w/ Immediate of transport UD */
	if (opcode == 0x64 || opcode == 0x65)
		return NOT_CONNECTED;
	return opcode == 0x81 ? CONGESTION : NOT_SPOKEN;
}

static uint32_t
window_key(void)
{
	struct mem_bind bind = {
		.region = b.region,
		.address = BASE,
		.length_bytes = 8,
		.rights = MEM_REMOTE_READ,
	};

	cr_assert_eq(mem_window_create(b.peer.mem, NULL, &bind.window), RC_OK);
	cr_assert_eq(mem_bind_now(b.peer.mem, &bind, RC_PEER_QPN), RC_OK);
	return bind.key;
}

static struct rte_mbuf *
frame_of(uint8_t opcode, uint16_t unknown_bytes)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	bool middle = traits->has_payload && !traits->ends;
	uint16_t bytes = middle ? PMTU : traits->has_payload ? 64 : 0;
	struct wire_headers headers = {
		.bth = {.opcode = opcode,
			.psn = FIRST_PSN,
			.ack_request = true,
			.becn = opcode == WIRE_CNP},
		.aeth = {.syndrome = WIRE_SYNDROME_ACK},
		.atomic = {.address = BASE, .rkey = mem_region_key(b.region)},
		.invalidate_rkey = window_key(),
	};

	headers.reth = reth(0, middle ? 2 * PMTU : 64);
	if (traits->kind == WIRE_KIND_UNKNOWN)
		bytes = unknown_bytes;
	return rc_peer_frame(&b.peer, &headers, b.data, bytes);
}

/*
 * Fail unless this counter, and no other counter, has changed. NULL: no counter may change.
 * Counters that change with every packet or with a CNP are not checked.
 */
static void
expect_counted(uint8_t opcode, const uint64_t *counter)
{
	const struct rc_counters *counters = &b.peer.ctx.counters;
	const uint64_t *words = (const uint64_t *)counters;

	for (size_t i = 0; i < sizeof(*counters) / sizeof(*words); i++) {
		if (&words[i] == &counters->rx_packets || &words[i] == &counters->rx_bytes ||
			&words[i] == &counters->tx_packets || &words[i] == &counters->rate_cuts)
			continue;
		cr_assert_eq(words[i], &words[i] == counter, "opcode 0x%02x: counter %zu is %lu",
			opcode, i, words[i]);
	}
}

/* Fail unless the state is unchanged, so that a request with the same PSN is executed. */
static void
expect_untouched(uint8_t opcode)
{
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS, "opcode 0x%02x", opcode);
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
}

static void
expect_executed(uint8_t opcode)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	uint8_t answer = opcode == 0x0C            ? WIRE_RC_READ_RESPONSE_ONLY
		: opcode >= 0x13 && opcode <= 0x14 ? WIRE_RC_ATOMIC_ACKNOWLEDGE
						   : WIRE_RC_ACKNOWLEDGE;
	struct rc_peer_packet packet;

	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet), "%s: no answer", traits->name);
	cr_assert_eq(
		packet.view.bth.opcode, answer, "%s: %s", traits->name, packet.view.traits->name);
	cr_assert_eq(packet.view.aeth.syndrome, WIRE_SYNDROME_ACK, "%s: 0x%02x", traits->name,
		packet.view.aeth.syndrome);
	cr_assert_eq(packet.view.bth.psn, FIRST_PSN);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	rc_peer_expect_silence(&b.peer);
}

static void
judge(uint8_t opcode, uint16_t unknown_bytes)
{
	struct rc_counters *counters = &b.peer.ctx.counters;
	enum verdict verdict = verdict_of(opcode);
	enum wire_drop drop, expected;
	struct wire_view view;
	struct rte_mbuf *mbuf;

	start();
	post_receives(2);
	mbuf = frame_of(opcode, unknown_bytes);
	expected = verdict == NOT_SPOKEN ? WIRE_DROP_OPCODE : WIRE_OK;
	drop = wire_parse(mbuf, &view);
	cr_assert_eq(drop, expected, "opcode 0x%02x: %s", opcode, wire_drop_name(drop));
	if (drop == WIRE_OK)
		rc_qp_input(b.peer.qp, mbuf, &view, b.peer.now_ns);
	rte_pktmbuf_free(mbuf);
	switch (verdict) {
	case EXECUTED:
		expect_executed(opcode);
		break;
	case INVALID:
		expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN, wire_opcode_traits(opcode)->name);
		expect_counted(opcode, &counters->tx_naks_invalid);
		break;
	case GHOST:
		expect_counted(opcode, &counters->drop_ghost);
		expect_untouched(opcode);
		break;
	case NOT_SPOKEN:
		expect_counted(opcode, NULL);
		expect_untouched(opcode);
		break;
	case NOT_CONNECTED:
		expect_counted(opcode, &counters->drop_transport);
		expect_untouched(opcode);
		break;
	case CONGESTION:
		expect_counted(opcode, &counters->rx_cnps);
		expect_untouched(opcode);
		break;
	}
	stop();
}

/* B-008: try each opcode as the first packet of a connection. */
Test(opcode_verdict, every_opcode_rc026_rc166)
{
	for (unsigned opcode = 0; opcode < 256; opcode++)
		judge((uint8_t)opcode, 0);
}

Test(opcode_verdict, unknown_opcode_of_any_length)
{
	static const uint16_t lengths[] = {4, 28, PMTU, LIMIT_PMTU_MAX};

	for (unsigned opcode = 0; opcode < 256; opcode++) {
		if (wire_opcode_traits((uint8_t)opcode)->kind != WIRE_KIND_UNKNOWN)
			continue;
		judge((uint8_t)opcode, lengths[opcode % RTE_DIM(lengths)]);
	}
}
