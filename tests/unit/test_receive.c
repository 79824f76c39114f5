/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Test the receive queue: posting receives, scattering messages, completions, immediate data, SEND
 * with Invalidate.
 */

#define PMTU      1024
#define BASE      UINT64_C(0x40000000)
#define AREA      (16 * PMTU)
#define FIRST_PSN RC_PEER_PSN
#define RIGHTS    (MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_WINDOW_BIND)

struct bench {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t memory[AREA];
	uint8_t data[8 * PMTU];
};

static struct bench b;
static int context[8]; /* the address of an element is the context of a receive */

static void
start_with(const struct rc_peer_options *options)
{
	memset(&b, 0, sizeof(b));
	rc_peer_pattern(b.data, sizeof(b.data), 5);
	rc_peer_start(&b.peer, options);
	b.region = rc_peer_region(&b.peer, b.memory, sizeof(b.memory), BASE, RIGHTS);
}

static void
start(void)
{
	start_with(NULL);
}

static void
stop(void)
{
	struct rc_completion completion;

	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0,
		"completion kind %u, status %s left", completion.kind,
		rc_status_name(completion.status));
	rc_peer_stop(&b.peer);
}

static void
expect_completion(void *expected, enum rc_status status, uint32_t bytes)
{
	struct rc_completion completion = rc_peer_completion(&b.peer.receive_cq);

	cr_assert_eq(completion.context, expected);
	cr_assert_eq(completion.kind, RC_COMPLETION_RECEIVE);
	cr_assert_eq(completion.status, status, "%s, %s expected",
		rc_status_name(completion.status), rc_status_name(status));
	cr_assert_eq(completion.bytes, bytes, "%u bytes, %u expected", completion.bytes, bytes);
	cr_assert_eq(completion.owner, RC_PEER_OWNER);
}

static void
expect_nak(uint8_t syndrome, uint32_t psn)
{
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, syndrome, psn);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
}

/* RC-042: a message of several packets is scattered over several entries, some of them empty. */
Test(receive, long_send_scattered_rc042)
{
	const struct mem_sge sges[4] = {
		{0, 0, b.region},
		{0, 100, b.region},
		{0, 0, b.region},
		{0, 3 * PMTU, b.region},
	};
	struct mem_sge given[4];
	struct rc_completion completion;

	start();
	memcpy(given, sges, sizeof(sges));
	for (unsigned i = 0; i < 4; i++) {
		given[i].region = b.region;
		given[i].address = BASE + i * 4000;
	}
	cr_assert_eq(rc_post_receive(b.peer.qp,
			     &(struct rc_receive_wr){.context = &context[0], .sgl = {given, 4}}),
		RC_OK);
	/* ND-098: overwrite the array that was posted, because a caller may reuse it. */
	memset(given, 0xFF, sizeof(given));
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_MIDDLE, FIRST_PSN + 1, b.data + PMTU, PMTU);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0, "not complete yet");
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, FIRST_PSN + 2, b.data + 2 * PMTU, 33);
	expect_completion(&context[0], RC_OK, 2 * PMTU + 33);
	cr_assert_arr_eq(b.memory + 4000, b.data, 100);
	cr_assert_arr_eq(b.memory + 12000, b.data + 100, 2 * PMTU + 33 - 100);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 2);
	stop();
}

/* SEC-029: the payload may be spread over several segments of an mbuf. */
Test(receive, segmented_mbuf_placed_sec029)
{
	struct rte_mbuf *whole, *head, *tail;
	const char *bytes;

	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, AREA);
	whole = rc_peer_frame(&b.peer,
		&(struct wire_headers){.bth = {.opcode = WIRE_RC_SEND_ONLY, .psn = FIRST_PSN}},
		b.data, 500);
	bytes = rte_pktmbuf_mtod(whole, const char *);
	head = rte_pktmbuf_alloc(b.peer.pool);
	tail = rte_pktmbuf_alloc(b.peer.pool);
	memcpy(rte_pktmbuf_append(head, 200), bytes, 200);
	memcpy(rte_pktmbuf_append(tail, (uint16_t)(whole->pkt_len - 200)), bytes + 200,
		whole->pkt_len - 200);
	cr_assert_eq(rte_pktmbuf_chain(head, tail), 0);
	rte_pktmbuf_free(whole);
	rc_peer_input(&b.peer, head);
	expect_completion(&context[0], RC_OK, 500);
	cr_assert_arr_eq(b.memory, b.data, 500);
	stop();
}

/* ND-102, RC-012: a message without data uses a receive. */
Test(receive, empty_send_completes_nd102)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], NULL, 0, 0);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, NULL, 0);
	expect_completion(&context[0], RC_OK, 0);
	stop();
}

/* RC-044: the completion is in the completion queue before the ACK is sent. */
/* B-059: when the completion is in the completion queue, the data are in memory. */
Test(receive, completion_before_acknowledgement_rc044)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 64);
	rc_peer_expect_silence(&b.peer);
	cr_assert_arr_eq(b.memory, b.data, 64);
	expect_completion(&context[0], RC_OK, 64);
	stop();
}

/* ND-096: receives complete in posting order. */
Test(receive, order_of_posting_nd096)
{
	start();
	for (unsigned i = 0; i < 8; i++)
		rc_peer_post_receive(&b.peer, &context[i], b.region, BASE + 64 * i, 64);
	for (unsigned i = 0; i < 8; i++)
		rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + i, b.data + 64 * i, 64);
	for (unsigned i = 0; i < 8; i++)
		expect_completion(&context[i], RC_OK, 64);
	cr_assert_arr_eq(b.memory, b.data, 512);
	stop();
}

/* RC-161, ND-130, ND-131: the receive's completion has the solicited bit of the message. */
Test(receive, solicited_bit_reported_rc161)
{
	start();
	rc_cq_request_notify(&b.peer.receive_cq, RC_CQ_ARM_SOLICITED);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	rc_peer_post_receive(&b.peer, &context[1], b.region, BASE, 64);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 4);
	cr_assert_eq(b.peer.receive_notify_count, 0);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){.bth = {.opcode = WIRE_RC_SEND_ONLY,
					       .psn = FIRST_PSN + 1,
					       .solicited = true}},
		b.data, 4);
	cr_assert_eq(b.peer.receive_notify_count, 1);
	expect_completion(&context[0], RC_OK, 4);
	expect_completion(&context[1], RC_OK, 4);
	stop();
}

/*
 * RC-029, B-094, ND-117: if a message is too long for its receive, the NAK syndrome is 0x61
 * (invalid request). The packet that does not fit is not written to memory. The data of the packets
 * before it are undefined.
 */
Test(receive, send_too_long_rc029_b094)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 1023);
	rc_peer_post_receive(&b.peer, &context[1], b.region, BASE, 1023);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 1024);
	expect_completion(&context[0], RC_RECEIVE_TOO_SMALL, 0);
	expect_nak(WIRE_NAK_INVALID_REQUEST, FIRST_PSN);
	expect_completion(&context[1], RC_FLUSHED, 0);
	cr_assert_eq(b.peer.qp->error, RC_RECEIVE_TOO_SMALL);
	for (unsigned i = 0; i < AREA; i++)
		cr_assert_eq(b.memory[i], 0);
	stop();
}

Test(receive, send_too_long_in_last_packet_rc029)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 2 * PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_MIDDLE, FIRST_PSN + 1, b.data, PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, FIRST_PSN + 2, b.data, 1);
	expect_completion(&context[0], RC_RECEIVE_TOO_SMALL, 2 * PMTU);
	expect_nak(WIRE_NAK_INVALID_REQUEST, FIRST_PSN + 2);
	cr_assert_eq(b.memory[2 * PMTU], 0);
	stop();
}

/* RC-032, ND-112: a receive fails if its buffer extends beyond the region. */
Test(receive, buffer_outside_region_local_protection_rc032)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE + AREA - 10, 20);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 16);
	expect_completion(&context[0], RC_LOCAL_PROTECTION, 0);
	expect_nak(WIRE_NAK_REMOTE_OPERATION, FIRST_PSN);
	cr_assert_eq(b.peer.ctx.counters.tx_naks_operation, 1);
	stop();
}

Test(receive, region_deregistered_local_protection_rc032)
{
	uint64_t token;

	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, AREA);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	cr_assert_eq(mem_region_deregister(b.peer.mem, b.region, &token), RC_OK);
	rc_peer_send(&b.peer, WIRE_RC_SEND_LAST, FIRST_PSN + 1, b.data, 16);
	expect_completion(&context[0], RC_LOCAL_PROTECTION, PMTU);
	expect_nak(WIRE_NAK_REMOTE_OPERATION, FIRST_PSN + 1);
	cr_assert_eq(b.memory[PMTU], 0);
	stop();
}

/* RC-043, RC-160: immediate data are delivered in the byte order in which they were sent. */
Test(receive, send_with_immediate_delivered_rc160)
{
	struct rc_completion completion;

	start();
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_SEND_ONLY_IMM, .psn = FIRST_PSN},
			.immediate = 0x01020304,
		},
		b.data, 64);
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.flags, RC_WITH_IMMEDIATE);
	cr_assert_eq(completion.immediate, rte_cpu_to_be_32(0x01020304));
	cr_assert_eq(completion.bytes, 64);
	stop();
}

static void
write_last_imm(uint32_t psn)
{
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_WRITE_LAST_IMM, .psn = psn, .ack_request = true},
			.immediate = 77,
		},
		b.data + PMTU, 100);
}

/*
 * B-074, RC-028, RC-087, RC-043: without a receive, only the last packet of a WRITE with immediate
 * gets an RNR NAK. The whole WRITE uses one receive.
 */
Test(receive, write_with_immediate_waits_for_receive_b074)
{
	struct rc_completion completion;

	start();
	rc_peer_write(&b.peer, WIRE_RC_WRITE_FIRST, FIRST_PSN,
		&(struct wire_reth_value){BASE, mem_region_key(b.region), PMTU + 100}, b.data,
		PMTU);
	write_last_imm(FIRST_PSN + 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN + 1);
	cr_assert_eq(b.memory[PMTU], 0);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE + 8 * PMTU, 10);
	rc_peer_post_receive(&b.peer, &context[1], b.region, BASE + 8 * PMTU, 10);
	memset(b.memory, 0, PMTU);
	write_last_imm(FIRST_PSN + 1);
	completion = rc_peer_completion(&b.peer.receive_cq);
	cr_assert_eq(completion.context, &context[0]);
	cr_assert_eq(completion.flags, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	cr_assert_eq(completion.immediate, rte_cpu_to_be_32(77));
	cr_assert_eq(completion.bytes, PMTU + 100, "length of the message, not of the packet");
	cr_assert_eq(b.memory[0], 0, "First is not written again");
	cr_assert_arr_eq(b.memory + PMTU, b.data + PMTU, 100);
	cr_assert_eq(b.memory[8 * PMTU], 0, "receive buffer untouched");
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	expect_completion(&context[1], RC_FLUSHED, 0);
	stop();
}

/* RC-012: a WRITE with immediate uses a receive, even without data. */
Test(receive, empty_write_with_immediate_uses_receive_rc012)
{
	start();
	rc_peer_post_receive(&b.peer, &context[0], NULL, 0, 0);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_WRITE_ONLY_IMM, .psn = FIRST_PSN},
			.reth = {.rkey = 0x12345678},
		},
		NULL, 0);
	expect_completion(&context[0], RC_OK, 0);
	stop();
}

static struct mem_bind
bind_window(uint32_t owner, void *cookie)
{
	struct mem_bind bind = {
		.region = b.region,
		.address = BASE,
		.length_bytes = PMTU,
		.rights = MEM_REMOTE_WRITE,
	};

	cr_assert_eq(mem_window_create(b.peer.mem, cookie, &bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(b.peer.mem, &bind, b.peer.qp->qpn), RC_OK);
	cr_assert_eq(mem_bind_execute(b.peer.mem, &bind, owner), RC_OK);
	return bind;
}

static void
send_invalidate(uint32_t psn, uint32_t key, uint16_t bytes)
{
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_SEND_ONLY_INV, .psn = psn, .ack_request = true},
			.invalidate_rkey = key,
		},
		b.data, bytes);
}

static void
expect_window_invalidated(void *cookie)
{
	struct rc_completion completion = rc_peer_completion(&b.peer.receive_cq);

	cr_assert_eq(completion.kind, RC_COMPLETION_WINDOW_INVALIDATED);
	cr_assert_eq(completion.context, cookie);
	cr_assert_eq(completion.status, RC_OK);
}

/*
 * RC-090, RC-092, ND-056, ND-057: a SEND with Invalidate has these effects in this order: the data
 * are placed, the window is invalidated, the window's completion is made, the receive completes,
 * the ACK is sent.
 */
Test(receive, send_invalidate_window_first_nd056_rc090)
{
	struct mem_domain_stats stats;
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, &context[7]);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	send_invalidate(FIRST_PSN, bind.key, 64);
	mem_domain_stats(b.peer.mem, &stats);
	cr_assert_eq(stats.windows_bound, 0);
	expect_window_invalidated(&context[7]);
	expect_completion(&context[0], RC_OK, 64);
	cr_assert_arr_eq(b.memory, b.data, 64);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);

	/* RC-157: from now on, an access with the key is refused. */
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 1,
		&(struct wire_reth_value){BASE, bind.key, 4}, b.data, 4);
	expect_nak(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 1);
	stop();
}

/* In a message of several packets, the Last packet has the key. ND-063: a message may be empty. */
Test(receive, send_invalidate_long_and_empty_nd063)
{
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, &context[7]);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, AREA);
	rc_peer_post_receive(&b.peer, &context[1], NULL, 0, 0);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_SEND_LAST_INV, .psn = FIRST_PSN + 1},
			.invalidate_rkey = bind.key,
		},
		b.data, 9);
	expect_window_invalidated(&context[7]);
	expect_completion(&context[0], RC_OK, PMTU + 9);
	bind = bind_window(RC_PEER_QPN, &context[6]);
	send_invalidate(FIRST_PSN + 2, bind.key, 0);
	expect_window_invalidated(&context[6]);
	expect_completion(&context[1], RC_OK, 0);
	stop();
}

/*
 * RC-091, RC-093, B-073, B-087, B-093, ND-065: a SEND with Invalidate fails unless its key belongs
 * to a window that is bound to this queue pair.
 */
Test(receive, send_invalidate_wrong_key_rc093_b087)
{
	for (unsigned what = 0; what < 4; what++) {
		struct mem_bind own, foreign;
		uint32_t key;

		start();
		own = bind_window(RC_PEER_QPN, NULL);
		foreign = bind_window(RC_PEER_QPN + 1, NULL);
		key = what == 0     ? foreign.key
			: what == 1 ? mem_region_key(b.region)
			: what == 2 ? own.key ^ 1
				    : own.key;
		if (what == 3)
			cr_assert_eq(
				mem_window_invalidate(b.peer.mem, own.window, RC_PEER_QPN), RC_OK);
		rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
		rc_peer_post_receive(&b.peer, &context[1], b.region, BASE, 64);
		send_invalidate(FIRST_PSN, key, 64);
		expect_completion(&context[0], RC_INVALIDATE_FAILED, 64);
		expect_nak(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN);
		expect_completion(&context[1], RC_FLUSHED, 0);
		cr_assert_eq(b.peer.qp->error, RC_INVALIDATE_FAILED);
		cr_assert_eq(b.peer.event_refused_count, 1);
		cr_assert_eq(b.peer.ctx.counters.refused_invalidate, 1);
		stop();
	}
}

/* RC-094: after a new bind, a duplicate SEND with Invalidate does not invalidate the window. */
Test(receive, duplicate_send_invalidate_harmless_rc094)
{
	struct mem_domain_stats stats;
	struct mem_bind bind, again;

	start();
	bind = bind_window(RC_PEER_QPN, NULL);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	send_invalidate(FIRST_PSN, bind.key, 4);
	expect_window_invalidated(NULL);
	expect_completion(&context[0], RC_OK, 4);
	again = bind_window(RC_PEER_QPN, NULL);
	send_invalidate(FIRST_PSN, again.key, 4);
	mem_domain_stats(b.peer.mem, &stats);
	cr_assert_eq(stats.windows_bound, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/* ND-059: if there is no receive, an RNR NAK is sent, and the window stays bound. */
Test(receive, send_invalidate_without_receive_rnr_nd059)
{
	struct mem_domain_stats stats;
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, NULL);
	send_invalidate(FIRST_PSN, bind.key, 4);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
	mem_domain_stats(b.peer.mem, &stats);
	cr_assert_eq(stats.windows_bound, 1);
	stop();
}

/* ND-061: the window was already invalidated locally, so the SEND with Invalidate fails. */
Test(receive, send_invalidate_after_local_invalidate_fails_nd061)
{
	struct mem_bind bind;

	start();
	bind = bind_window(RC_PEER_QPN, NULL);
	rc_peer_post_receive(&b.peer, &context[0], b.region, BASE, 64);
	cr_assert_eq(mem_window_invalidate(b.peer.mem, bind.window, RC_PEER_QPN), RC_OK);
	send_invalidate(FIRST_PSN, bind.key, 4);
	expect_completion(&context[0], RC_INVALIDATE_FAILED, 4);
	expect_nak(WIRE_NAK_REMOTE_ACCESS, FIRST_PSN);
	stop();
}

/*
 * RC-129: if the completion of a message overruns the queue, the message is not acknowledged, and
 * its window stays bound.
 */
Test(receive, completion_queue_overrun_error_rc129)
{
	struct rc_completion completions[4];
	struct mem_domain_stats stats;
	struct rc_peer_options options;
	struct mem_bind bind;

	rc_peer_defaults(&options);
	options.cq_entries = 1;
	start_with(&options);
	bind = bind_window(RC_PEER_QPN, &context[7]);
	for (unsigned i = 0; i < 3; i++)
		rc_peer_post_receive(&b.peer, &context[i], b.region, BASE, 64);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 4);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	send_invalidate(FIRST_PSN + 1, bind.key, 4);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	cr_assert(b.peer.notify_overrun);
	cr_assert_eq(b.peer.event_error_count, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, completions, 4), 1);
	cr_assert_eq(completions[0].context, &context[0]);
	mem_domain_stats(b.peer.mem, &stats);
	cr_assert_eq(stats.windows_bound, 0, "by the end of the queue pair (RC-158)");
	stop();
}

/* ND-104, ND-105, RC-120: receives can be posted in any state, but not beyond the limits. */
Test(receive, post_limits_checked_nd105)
{
	struct rc_peer_options options;
	struct mem_sge sges[3];

	rc_peer_defaults(&options);
	options.stay_init = true;
	options.qp.receive_entries = 3;
	options.qp.receive_sge_max = 2;
	start_with(&options);
	for (unsigned i = 0; i < 3; i++)
		sges[i] = (struct mem_sge){BASE, 1, b.region};
	cr_assert_eq(rc_post_receive(b.peer.qp, &(struct rc_receive_wr){.sgl = {sges, 3}}),
		RC_TOO_MANY_SGE);
	sges[0].length_bytes = LIMIT_MESSAGE_BYTES;
	cr_assert_eq(rc_post_receive(b.peer.qp, &(struct rc_receive_wr){.sgl = {sges, 2}}),
		RC_MESSAGE_TOO_LONG);
	sges[0].length_bytes = UINT64_MAX;
	cr_assert_eq(rc_post_receive(b.peer.qp, &(struct rc_receive_wr){.sgl = {sges, 2}}),
		RC_MESSAGE_TOO_LONG);
	sges[0].length_bytes = LIMIT_MESSAGE_BYTES;
	cr_assert_eq(rc_post_receive(b.peer.qp, &(struct rc_receive_wr){.sgl = {sges, 1}}), RC_OK);
	rc_peer_post_receive(&b.peer, &context[1], NULL, 0, 0);
	rc_peer_post_receive(&b.peer, &context[2], NULL, 0, 0);
	cr_assert_eq(rc_post_receive(b.peer.qp, &(struct rc_receive_wr){.sgl = {sges, 1}}),
		RC_QUEUE_FULL);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	expect_completion(NULL, RC_FLUSHED, 0);
	expect_completion(&context[1], RC_FLUSHED, 0);
	expect_completion(&context[2], RC_FLUSHED, 0);
	stop();
}

/*
 * RC-123, ND-124, RC-128: at the end of the queue pair, receives are flushed in order, including a
 * partly filled receive. Receives posted later are flushed at once.
 */
/* RC-125: receives are flushed even if the application itself ends the queue pair. */
Test(receive, error_flushes_in_order_rc123_nd124)
{
	start();
	rc_cq_request_notify(&b.peer.receive_cq, RC_CQ_ARM_ANY);
	for (unsigned i = 0; i < 3; i++)
		rc_peer_post_receive(&b.peer, &context[i], b.region, BASE, AREA);
	rc_peer_send(&b.peer, WIRE_RC_SEND_FIRST, FIRST_PSN, b.data, PMTU);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	cr_assert_eq(b.peer.receive_notify_count, 1);
	rc_peer_post_receive(&b.peer, &context[3], b.region, BASE, AREA);
	for (unsigned i = 0; i < 4; i++)
		expect_completion(&context[i], RC_FLUSHED, 0);
	rc_qp_error(b.peer.qp, RC_INTERNAL);
	rc_peer_events(&b.peer);
	cr_assert_eq(b.peer.event_error_count, 0, "told of what was asked for");
	cr_assert_eq(b.peer.qp->error, RC_FLUSHED, "the first reason stays");
	stop();
}
