/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/responder_bench.h"

/* Test the slow path of the responder: refused requests, their NAKs, and what stays unchanged. */

/*
 * RC-025, RC-026: the test tries every RC opcode in every state that the responder has within a
 * message. This function brings the responder into such a state.
 */
static void
bring_into(enum rc_message_kind message)
{
	struct wire_reth_value at = reth(0, 3 * PMTU);

	if (message == RC_MESSAGE_SEND)
		rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	else if (message == RC_MESSAGE_WRITE)
		rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN, &at, b.data, PMTU);
	else
		write_only(FIRST_PSN, 4);
	cr_assert_eq(b.peer.qp->responder.message, message);
}

static bool
opcode_fits(enum rc_message_kind message, uint8_t opcode)
{
	switch (opcode) {
	case WIRE_RC_SEND_MIDDLE:
	case WIRE_RC_SEND_LAST:
	case WIRE_RC_SEND_LAST_IMM:
		return message == RC_MESSAGE_SEND;
	case WIRE_RC_WRITE_MIDDLE:
		return message == RC_MESSAGE_WRITE;
	case WIRE_RC_SEND_FIRST:
	case WIRE_RC_SEND_ONLY:
	case WIRE_RC_SEND_ONLY_IMM:
	case WIRE_RC_WRITE_FIRST:
	case WIRE_RC_WRITE_ONLY:
	case WIRE_RC_WRITE_ONLY_IMM:
	case WIRE_RC_READ_REQUEST:
	case WIRE_RC_COMPARE_SWAP:
	case WIRE_RC_FETCH_ADD:
		return message == RC_MESSAGE_NONE;
	default:
		return false;
	}
}

/*
 * Inject a request with this opcode and with suitable payload and RETH, so that only its position
 * in the message may be wrong.
 */
static void
inject_opcode(uint8_t opcode, uint32_t psn)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	uint16_t bytes = traits->has_payload ? (traits->ends ? 64 : PMTU) : 0;
	struct wire_reth_value at = reth(0, traits->ends ? (bytes > 0 ? 64 : 128) : 2 * PMTU);

	if (traits->kind == WIRE_KIND_ATOMIC)
		atomic_request(opcode, psn, 8, 1, 2);
	else
		rc_peer_write(&b.peer, opcode, psn, &at, b.data, bytes);
}

Test(responder, opcode_sequence_matrix_rc025_rc026)
{
	for (unsigned message = RC_MESSAGE_NONE; message <= RC_MESSAGE_WRITE; message++)
		for (unsigned opcode = 0; opcode < 0x20; opcode++) {
			const struct wire_opcode_traits *traits =
				wire_opcode_traits((uint8_t)opcode);

			if (traits->response)
				continue;
			/*
			 * Skip these opcodes: they need the exact rest of the WRITE, or the key of
			 * a window.
			 */
			if ((opcode == WIRE_RC_WRITE_LAST || opcode == WIRE_RC_WRITE_LAST_IMM) &&
				message == RC_MESSAGE_WRITE)
				continue;
			if ((opcode == WIRE_RC_SEND_LAST_INV && message == RC_MESSAGE_SEND) ||
				(opcode == WIRE_RC_SEND_ONLY_INV && message == RC_MESSAGE_NONE))
				continue;
			start();
			post_receives(2);
			bring_into((enum rc_message_kind)message);
			rc_peer_progress(&b.peer);
			rc_peer_drain(&b.peer);
			inject_opcode((uint8_t)opcode, FIRST_PSN + 1);
			if (opcode_fits((enum rc_message_kind)message, (uint8_t)opcode)) {
				rc_peer_progress(&b.peer);
				cr_assert_eq(b.peer.qp->state, RC_QP_RTS, "%s in state %u",
					traits->name, message);
				cr_assert_eq(b.peer.qp->responder.expected_psn, FIRST_PSN + 2);
				rc_peer_drain(&b.peer);
			} else {
				expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 1, traits->name);
				cr_assert_eq(b.peer.qp->error, RC_REMOTE_INVALID_REQUEST);
			}
			stop();
		}
}

/* RC-124: the receive of the message completes with the reason. Other receives are flushed. */
Test(responder, violation_inside_send_completes_receive_rc124)
{
	struct rc_completion completion;

	start();
	post_receives(2);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	write_only(FIRST_PSN + 1, 8);
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.status, RC_REMOTE_INVALID_REQUEST);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 1, "WRITE in SEND");
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.status, RC_FLUSHED);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0);
	stop();
}

/* RC-027, SEC-012: if the queue pair does not permit a request, the NAK is "invalid request". */
Test(responder, queue_pair_rights_missing_invalid_request_rc027)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.connect.remote_write = false;
	start_with(&options);
	read_request(FIRST_PSN, 16);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 1);
	write_only(FIRST_PSN + 1, 8);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 1, "WRITE");
	stop();

	rc_peer_defaults(&options);
	options.connect.remote_read = false;
	start_with(&options);
	write_only(FIRST_PSN, 8);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	read_request(FIRST_PSN + 1, 16);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 1, "READ");
	stop();
}

/* RC-028: a READ is invalid if it exceeds the number of READ resources, which may be 0. */
Test(responder, reads_beyond_limit_invalid_request_rc028)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.connect.inbound_reads = 0;
	start_with(&options);
	read_request(FIRST_PSN, 16);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN, "READ without resources");
	stop();

	rc_peer_defaults(&options);
	/* the peer may use 4, because it may round up (RC-009) */
	options.connect.inbound_reads = 3;
	start_with(&options);
	for (uint32_t i = 0; i < 4; i++)
		read_request(FIRST_PSN + i, 16);
	read_request(FIRST_PSN + 4, 16);
	rc_peer_progress(&b.peer);
	cr_assert_eq(b.peer.ctx.packet_count, 5, "four responses, then the NAK");
	for (uint32_t i = 0; i < 4; i++) {
		struct rc_peer_packet packet;

		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
	}
	rc_peer_expect_ack(&b.peer, WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 4);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	stop();
}

/* RC-029, RC-002, B-002, B-005: packets with these lengths are invalid. */
struct length_case {
	const char *what;
	uint8_t opcode[2]; /* opcodes of one or two packets; only the last packet is invalid */
	uint16_t bytes[2];
	uint32_t reth_bytes;
};

Test(responder, length_violations_invalid_request_rc029_b002)
{
	static const struct length_case cases[] = {
		{"SEND First short", {WIRE_RC_SEND_FIRST}, {PMTU - 4}, 0},
		{"SEND First long", {WIRE_RC_SEND_FIRST}, {PMTU + 4}, 0},
		{"SEND First empty", {WIRE_RC_SEND_FIRST}, {0}, 0},
		{"SEND Only long", {WIRE_RC_SEND_ONLY}, {PMTU + 4}, 0},
		{"SEND Middle short", {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE}, {PMTU, PMTU - 1},
			0},
		{"SEND Middle long", {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_MIDDLE}, {PMTU, PMTU + 1},
			0},
		{"SEND Last empty", {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_LAST}, {PMTU, 0}, 0},
		{"SEND Last long", {WIRE_RC_SEND_FIRST, WIRE_RC_SEND_LAST}, {PMTU, PMTU + 1}, 0},
		{"WRITE First short", {WIRE_RC_WRITE_FIRST}, {PMTU - 4}, 2 * PMTU},
		{"WRITE First long", {WIRE_RC_WRITE_FIRST}, {PMTU + 4}, 2 * PMTU},
		{"WRITE First of one packet", {WIRE_RC_WRITE_FIRST}, {PMTU}, PMTU},
		{"WRITE First of less", {WIRE_RC_WRITE_FIRST}, {PMTU}, PMTU - 1},
		{"WRITE First of nothing", {WIRE_RC_WRITE_FIRST}, {PMTU}, 0},
		{"WRITE Only more than said", {WIRE_RC_WRITE_ONLY}, {17}, 16},
		{"WRITE Only less than said", {WIRE_RC_WRITE_ONLY}, {16}, 17},
		{"WRITE Only long", {WIRE_RC_WRITE_ONLY}, {PMTU + 4}, PMTU + 4},
		{"WRITE Only over 2^31", {WIRE_RC_WRITE_ONLY}, {16}, 0x80000001},
		{"WRITE First over 2^31", {WIRE_RC_WRITE_FIRST}, {PMTU}, 0xFFFFFFFF},
		{"WRITE Middle takes the rest", {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE},
			{PMTU, PMTU}, 2 * PMTU},
		{"WRITE Middle short", {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_MIDDLE},
			{PMTU, PMTU - 4}, 4 * PMTU},
		{"WRITE Last empty", {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_LAST}, {PMTU, 0},
			PMTU + 4},
		{"WRITE Last too much", {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_LAST}, {PMTU, 5},
			PMTU + 4},
		{"WRITE Last too little", {WIRE_RC_WRITE_FIRST, WIRE_RC_WRITE_LAST}, {PMTU, 3},
			PMTU + 4},
		{"READ over 2^31", {WIRE_RC_READ_REQUEST}, {0}, 0x80000001},
	};

	for (unsigned i = 0; i < RTE_DIM(cases); i++) {
		bool second = cases[i].opcode[1] != 0;
		struct wire_reth_value at;

		start();
		post_receives(1);
		at = reth(0, cases[i].reth_bytes);
		for (unsigned n = 0; n <= second; n++)
			rc_peer_write(&b.peer, cases[i].opcode[n], FIRST_PSN + n, &at, b.data,
				cases[i].bytes[n]);
		expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + second, cases[i].what);
		stop();
	}
}

/*
 * RC-029: a wrong pad count is invalid. The test changes the parsed view, because it cannot build
 * such a packet.
 */
Test(responder, pad_wrong_invalid_request_rc029)
{
	struct wire_reth_value at;
	struct wire_headers headers = {
		.bth = {.opcode = WIRE_RC_WRITE_ONLY, .psn = FIRST_PSN},
	};
	struct wire_view view;
	struct rte_mbuf *mbuf;

	start();
	at = reth(0, 7);
	headers.reth = at;
	mbuf = rc_peer_frame(&b.peer, &headers, b.data, 7);
	cr_assert_eq(wire_parse(mbuf, &view), WIRE_OK);
	cr_assert_eq(view.bth.pad_count, 1);
	view.bth.pad_count = 2;
	rc_qp_input(b.peer.qp, mbuf, &view, b.peer.now_ns);
	rte_pktmbuf_free(mbuf);
	expect_fatal(WIRE_NAK_INVALID_REQUEST, FIRST_PSN, "pad");
	stop();
}

/*
 * RC-030, SEC-010, SEC-030, B-004: each row violates one condition for an access by WRITE or READ.
 * The peer gets the same NAK for all violations.
 */
struct key_case {
	const char *what;
	uint64_t address;
	uint32_t bytes;
	uint32_t key_change;
	uint32_t rights; /* rights of the region */
	enum mem_refusal refusal;
};

/* RC-030: each violation is refused. RC-033: the NAK has the PSN of the refused packet. */
Test(responder, key_violations_access_nak_rc030_sec010_b004)
{
	const uint32_t both = MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE;
	const struct key_case cases[] = {
		{"tag", BASE, 8, 1, both, MEM_REFUSED_KEY},
		{"slot", BASE, 8, 0x01000000, both, MEM_REFUSED_KEY},
		{"before", BASE - 1, 8, 0, both, MEM_REFUSED_RANGE},
		{"behind", BASE + AREA, 8, 0, both, MEM_REFUSED_RANGE},
		{"over the end", BASE + AREA - 7, 8, 0, both, MEM_REFUSED_RANGE},
		{"far", 0, 8, 0, both, MEM_REFUSED_RANGE},
		{"wrap", UINT64_MAX - 3, 8, 0, both, MEM_REFUSED_RANGE},
		{"last byte", UINT64_MAX, 8, 0, both, MEM_REFUSED_RANGE},
		{"rights", BASE, 8, 0, MEM_LOCAL_WRITE, MEM_REFUSED_RIGHTS},
	};

	for (unsigned i = 0; i < 2 * RTE_DIM(cases); i++) {
		const struct key_case *c = &cases[i / 2];
		struct mem_region *region;
		struct wire_reth_value at;

		start();
		region = rc_peer_region(&b.peer, b.memory, AREA, BASE, c->rights);
		at = (struct wire_reth_value){
			.address = c->address,
			.rkey = mem_region_key(region) ^ c->key_change,
			.length_bytes = c->bytes,
		};
		if (i % 2 == 0)
			rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, &at, b.data, 8);
		else
			rc_peer_read(&b.peer, FIRST_PSN, &at);
		expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, c->what);
		cr_assert_eq(b.peer.qp->error, RC_REMOTE_ACCESS);
		cr_assert_eq(b.peer.ctx.counters.refused[c->refusal], 1, "%s", c->what);
		cr_assert_eq(b.peer.ctx.counters.tx_naks_access, 1);
		for (unsigned n = 0; n < AREA; n++)
			cr_assert_eq(b.memory[n], 0, "%s: byte %u written", c->what, n);
		stop();
	}
}

/* RC-030: if the whole message is too long for the key's range, the First packet is refused. */
Test(responder, write_first_checked_for_whole_message_rc030)
{
	struct wire_reth_value at;

	start();
	at = reth(AREA - 2 * PMTU + 1, 2 * PMTU);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN, &at, b.data, PMTU);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, "one byte too far");
	cr_assert_eq(b.memory[AREA - 2 * PMTU + 1], 0);
	stop();
}

static struct mem_bind
bind_window(uint32_t owner, uint64_t offset, uint64_t bytes, uint32_t rights)
{
	struct mem_bind bind = {
		.region = b.region,
		.address = BASE + offset,
		.length_bytes = bytes,
		.rights = rights,
	};

	cr_assert_eq(mem_window_create(b.peer.mem, NULL, &bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(b.peer.mem, &bind, b.peer.qp->qpn), RC_OK);
	cr_assert_eq(mem_bind_execute(b.peer.mem, &bind, owner), RC_OK);
	return bind;
}

/*
 * SEC-011, B-091: the bounds, rights and owner of the window are checked, not those of the region.
 */
Test(responder, window_bounds_enforced_sec011_b091)
{
	static const struct {
		const char *what;
		uint64_t offset;
		uint16_t bytes;
		uint32_t owner;
		uint8_t opcode;
	} cases[] = {
		{"before", 255, 1, RC_PEER_QPN, WIRE_RC_WRITE_ONLY},
		{"behind", 512, 1, RC_PEER_QPN, WIRE_RC_WRITE_ONLY},
		{"over the start", 255, 2, RC_PEER_QPN, WIRE_RC_WRITE_ONLY},
		{"over the end", 511, 2, RC_PEER_QPN, WIRE_RC_WRITE_ONLY},
		{"whole region", 0, PMTU, RC_PEER_QPN, WIRE_RC_WRITE_ONLY},
		{"owner", 256, 1, RC_PEER_QPN + 1, WIRE_RC_WRITE_ONLY},
		{"rights", 256, 1, RC_PEER_QPN, WIRE_RC_READ_REQUEST},
	};

	for (unsigned i = 0; i < RTE_DIM(cases); i++) {
		struct wire_reth_value at;
		struct mem_bind bind;

		start();
		bind = bind_window(cases[i].owner, 256, 256, MEM_REMOTE_WRITE);
		at = reth(cases[i].offset, cases[i].bytes);
		at.rkey = bind.key;
		rc_peer_write(&b.peer, cases[i].opcode, FIRST_PSN, &at, b.data,
			cases[i].opcode == WIRE_RC_READ_REQUEST ? 0 : cases[i].bytes);
		expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN, cases[i].what);
		for (unsigned n = 0; n < AREA; n++)
			cr_assert_eq(b.memory[n], 0);
		stop();
	}
}

Test(responder, window_whole_range_works)
{
	struct wire_reth_value at;
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, 256, 256, MEM_REMOTE_WRITE);
	at = reth(256, 256);
	at.rkey = bind.key;
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, &at, b.data, 256);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	cr_assert_arr_eq(b.memory + 256, b.data, 256);
	stop();
}

/*
 * RC-157, B-086, ND-048: if a window is invalidated while a WRITE uses it, the rest of the WRITE is
 * refused.
 */
Test(responder, window_invalidated_inside_write_refused_b086)
{
	struct wire_reth_value at;
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, 0, AREA, MEM_REMOTE_WRITE);
	at = reth(0, 3 * PMTU);
	at.rkey = bind.key;
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN, &at, b.data, PMTU);
	cr_assert_arr_eq(b.memory, b.data, PMTU);
	cr_assert_eq(mem_window_invalidate(b.peer.mem, bind.window, RC_PEER_QPN), RC_OK);
	rc_peer_write(&b.peer, WIRE_RC_WRITE_MIDDLE, FIRST_PSN + 1, NULL, b.data, PMTU);
	expect_fatal(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 1, "Middle");
	for (unsigned n = PMTU; n < AREA; n++)
		cr_assert_eq(b.memory[n], 0, "byte %u written", n);
	stop();
}

/* RC-012, SEC-032, B-088: the key of a request without data is not checked. */
Test(responder, zero_length_ignores_key_rc012_b088)
{
	const struct wire_reth_value nonsense = {.address = UINT64_MAX, .rkey = 0xDEADBEEF};
	struct rc_peer_packet packet;

	start();
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, &nonsense, NULL, 0);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	rc_peer_read(&b.peer, FIRST_PSN + 1, &nonsense);
	rc_peer_progress(&b.peer);
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY, "Q23");
	cr_assert_eq(packet.view.payload_bytes, 0);
	cr_assert_eq(packet.view.bth.psn, FIRST_PSN + 1);
	rc_peer_expect_silence(&b.peer);
	stop();
}
