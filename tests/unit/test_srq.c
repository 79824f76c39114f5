/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include "rc/srq.h"
#include "support/eal.h"
#include "support/rc_peer.h"

/* Test the shared receive queue: two queue pairs take receives from the same queue. */

#define PMTU     1024
#define BASE     UINT64_C(0x40000000)
#define SLOT     4096u /* bytes of memory that each receive has */
#define SLOTS    16u
#define ENTRIES  8u
#define QPS      2u
#define RIGHTS   (MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_WINDOW_BIND)
/* Owner of queue pair i; its completions contain this value. */
#define OWNER(i) ((void *)(uintptr_t)(0x100 + (i)))

static struct bench {
	struct rc_peer peer;
	struct rc_srq srq;
	struct rc_qp *qps[QPS];
	uint32_t psn[QPS]; /* for each queue pair, the next PSN that its peer sends */
	struct mem_region *region;
	unsigned int told;
	uint8_t memory[SLOTS * SLOT];
	uint8_t data[QPS][SLOT];
} b;

static void
told(void *arg)
{
	cr_assert_eq(arg, &b);
	b.told++;
}

static void
start_with(uint32_t cq_entries, uint16_t keep_packets, uint32_t low)
{
	struct rc_peer_options options;

	memset(&b, 0, sizeof(b));
	test_eal_init();
	cr_assert_eq(rc_srq_init(&b.srq,
			     &(struct rc_srq_attr){.entries = ENTRIES,
				     .sge_max = 2,
				     .low = low,
				     .socket_id = SOCKET_ID_ANY,
				     .low_fn = told,
				     .low_arg = &b}),
		RC_OK);
	rc_peer_defaults(&options);
	options.cq_entries = cq_entries;
	options.connect.keep_packets = keep_packets;
	options.keep.mbufs_max = keep_packets;
	options.qp.srq = &b.srq;
	options.qp.receive_entries = 0;
	options.qp.receive_sge_max = 2;
	options.qp.owner = OWNER(0);
	rc_peer_start(&b.peer, &options);
	b.qps[0] = b.peer.qp;
	options.qp.owner = OWNER(1);
	options.qp.qpn = RC_PEER_QPN + 1;
	options.qp.send_cq = &b.peer.send_cq;
	options.qp.receive_cq = &b.peer.receive_cq;
	cr_assert_eq(rc_qp_create(&b.peer.ctx, &options.qp, &b.qps[1]), RC_OK);
	cr_assert_eq(rc_qp_connect(b.qps[1], &options.connect), RC_OK);
	b.psn[0] = b.psn[1] = RC_PEER_PSN;
	b.region = rc_peer_region(&b.peer, b.memory, sizeof(b.memory), BASE, RIGHTS);
	for (unsigned int i = 0; i < QPS; i++)
		rc_peer_pattern(b.data[i], SLOT, 7 + i);
}

static void
start(void)
{
	start_with(64, 0, 0);
}

static void
stop(void)
{
	struct rc_completion completion;

	cr_assert_eq(rc_cq_poll(&b.peer.receive_cq, &completion, 1), 0);
	rc_qp_destroy(b.qps[1]);
	b.peer.qp = b.qps[0];
	rc_peer_stop(&b.peer);
	rc_srq_fini(&b.srq);
}

/* Post a receive with this number. The number is its context and selects its memory. */
static enum rc_status
post(uint32_t number)
{
	const struct mem_sge sges[2] = {
		{(number % SLOTS) * SLOT, SLOT / 2, b.region},
		{(number % SLOTS) * SLOT + SLOT / 2, SLOT / 2, b.region},
	};
	struct mem_sge based[2];

	for (unsigned int i = 0; i < 2; i++) {
		based[i] = sges[i];
		based[i].address += BASE;
	}
	return rc_srq_post(&b.srq,
		&(struct rc_receive_wr){
			.context = (void *)(uintptr_t)number, .sgl = {.sges = based, .count = 2}});
}

static void
post_all(uint32_t from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		cr_assert_eq(post(from + i), RC_OK);
}

/* Inject a packet into a queue pair. Its data begin at this offset of the peer's pattern. */
static void
packet(unsigned int qp, uint8_t opcode, uint32_t offset, uint16_t bytes)
{
	b.peer.qp = b.qps[qp];
	rc_peer_send(&b.peer, opcode, b.psn[qp]++, b.data[qp] + offset, bytes);
}

static void
expect(uint32_t number, unsigned int qp, enum rc_status status, uint32_t bytes)
{
	struct rc_completion completion = rc_peer_completion(&b.peer.receive_cq);

	cr_assert_eq((uintptr_t)completion.context, number, "receive %lu, %u expected",
		(unsigned long)(uintptr_t)completion.context, number);
	cr_assert_eq(completion.owner, OWNER(qp));
	cr_assert_eq(completion.kind, RC_COMPLETION_RECEIVE);
	cr_assert_eq(completion.status, status, "%s", rc_status_name(completion.status));
	cr_assert_eq(completion.bytes, bytes);
	if (status == RC_OK)
		cr_assert_arr_eq(b.memory + (number % SLOTS) * SLOT, b.data[qp], bytes);
}

static void
expect_answer(unsigned int qp, uint8_t syndrome, uint32_t psn)
{
	b.peer.qp = b.qps[qp];
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, syndrome, psn);
}

/* RC-042: receives are taken in posting order, in the order in which messages arrive. */
Test(srq, first_come_first_served_rc042)
{
	static const unsigned int order[] = {1, 0, 0, 1, 1, 1, 0, 0};

	start();
	post_all(1, ENTRIES);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		packet(order[i], WIRE_RC_SEND_ONLY, 0, (uint16_t)(10 * i));
		expect(1 + i, order[i], RC_OK, 10 * i);
	}
	cr_assert_eq(rc_srq_count(&b.srq), 0);
	stop();
}

/*
 * RC-042, SEC-046: the First packet of a message takes a receive, which the message uses until it
 * ends. A peer that never ends its message occupies only this one receive.
 */
Test(srq, message_of_packets_keeps_its_receive_rc042)
{
	start();
	post_all(1, 3);
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	cr_assert_eq(rc_srq_count(&b.srq), 2);
	packet(1, WIRE_RC_SEND_FIRST, 0, PMTU);
	packet(1, WIRE_RC_SEND_MIDDLE, PMTU, PMTU);
	packet(0, WIRE_RC_SEND_MIDDLE, PMTU, PMTU);
	packet(1, WIRE_RC_SEND_LAST, 2 * PMTU, 5);
	expect(2, 1, RC_OK, 2 * PMTU + 5);
	packet(1, WIRE_RC_SEND_ONLY, 0, 100);
	expect(3, 1, RC_OK, 100);
	packet(0, WIRE_RC_SEND_LAST, 2 * PMTU, PMTU);
	expect(1, 0, RC_OK, 3 * PMTU);
	stop();
}

/* RC-028: if the queue is empty, a new message gets an RNR NAK. A started message continues. */
Test(srq, empty_queue_is_rnr_nak_rc028)
{
	start();
	post_all(1, 1);
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	packet(1, WIRE_RC_SEND_ONLY, 0, 9);
	b.psn[1]--;
	expect_answer(1, WIRE_SYNDROME_RNR | 12, RC_PEER_PSN);
	cr_assert_eq(b.qps[1]->state, RC_QP_RTS);
	packet(0, WIRE_RC_SEND_LAST, PMTU, 1);
	expect(1, 0, RC_OK, PMTU + 1);
	post_all(2, 1);
	packet(1, WIRE_RC_SEND_ONLY, 0, 9);
	expect(2, 1, RC_OK, 9);
	stop();
}

/* RC-123: a queue pair that ends flushes only the receive that its current message has taken. */
Test(srq, flush_gives_back_what_was_taken_rc123)
{
	start();
	post_all(1, 4);
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	rc_qp_error(b.qps[0], RC_FLUSHED);
	expect(1, 0, RC_FLUSHED, 0);
	cr_assert_eq(rc_srq_count(&b.srq), 3);
	rc_qp_error(b.qps[0], RC_FLUSHED);
	packet(1, WIRE_RC_SEND_ONLY, 0, 77);
	expect(2, 1, RC_OK, 77);
	rc_qp_error(b.qps[1], RC_FLUSHED);
	cr_assert_eq(rc_srq_count(&b.srq), 2);
	stop();
}

/*
 * RC-124: if an error ends a message, the receive that the message has taken completes with the
 * error.
 */
Test(srq, broken_message_fails_its_receive_rc124)
{
	start();
	post_all(1, 2);
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	packet(0, WIRE_RC_SEND_ONLY, 0, 3); /* an Only packet is invalid within a message */
	expect(1, 0, RC_REMOTE_INVALID_REQUEST, PMTU);
	expect_answer(0, WIRE_NAK_INVALID_REQUEST, RC_PEER_PSN + 1);
	cr_assert_eq(rc_srq_count(&b.srq), 1);
	stop();
}

/*
 * RC-029: if a message is too long for its receive, the receive completes with an error, whichever
 * packet of the message is too long.
 */
Test(srq, too_long_message_rc029)
{
	const struct mem_sge small = {BASE, 16, NULL};
	struct mem_sge sge = small;

	start();
	sge.region = b.region;
	for (uintptr_t i = 1; i <= 2; i++)
		cr_assert_eq(rc_srq_post(&b.srq,
				     &(struct rc_receive_wr){.context = (void *)i,
					     .sgl = {.sges = &sge, .count = 1}}),
			RC_OK);
	packet(0, WIRE_RC_SEND_ONLY, 0, 17);
	expect(1, 0, RC_RECEIVE_TOO_SMALL, 0);
	expect_answer(0, WIRE_NAK_INVALID_REQUEST, RC_PEER_PSN);
	packet(1, WIRE_RC_SEND_FIRST, 0, PMTU);
	expect(2, 1, RC_RECEIVE_TOO_SMALL, 0);
	expect_answer(1, WIRE_NAK_INVALID_REQUEST, RC_PEER_PSN);
	stop();
}

static void
write_imm(unsigned int qp, uint8_t opcode, uint32_t rkey, uint32_t bytes, uint16_t payload)
{
	b.peer.qp = b.qps[qp];
	rc_peer_write(&b.peer, opcode, b.psn[qp]++,
		&(struct wire_reth_value){BASE + (SLOTS - 1) * SLOT, rkey, bytes}, b.data[qp],
		payload);
}

/*
 * RC-028, RC-043: the Last packet of a WRITE with immediate takes a receive, but does not write to
 * its memory.
 */
Test(srq, write_with_immediate_takes_one_rc043)
{
	uint32_t key;

	start();
	key = mem_region_key(b.region);
	post_all(1, 2);
	memset(b.memory, 0xEE, 2 * SLOT);
	write_imm(0, WIRE_RC_WRITE_ONLY_IMM, key, 40, 40);
	cr_assert_eq(rc_peer_completion(&b.peer.receive_cq).flags, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	write_imm(0, WIRE_RC_WRITE_FIRST, key, PMTU + 8, PMTU);
	cr_assert_eq(rc_srq_count(&b.srq), 1);
	write_imm(0, WIRE_RC_WRITE_LAST_IMM, key, 0, 8);
	cr_assert_eq(rc_srq_count(&b.srq), 0);
	cr_assert_eq((uintptr_t)rc_peer_completion(&b.peer.receive_cq).context, 2);
	for (uint32_t i = 0; i < 2 * SLOT; i++)
		cr_assert_eq(b.memory[i], 0xEE);
	expect_answer(0, WIRE_SYNDROME_ACK, RC_PEER_PSN + 2);
	write_imm(1, WIRE_RC_WRITE_FIRST, key, PMTU + 8, PMTU);
	write_imm(1, WIRE_RC_WRITE_LAST_IMM, key, 0, 8);
	expect_answer(1, WIRE_SYNDROME_RNR | 12, RC_PEER_PSN + 1);
	stop();
}

/*
 * RC-030: a WRITE that is refused because of its key takes no receive. So the next message gets
 * this receive.
 */
Test(srq, refused_write_takes_none_rc030)
{
	start();
	post_all(1, 1);
	write_imm(0, WIRE_RC_WRITE_ONLY_IMM, 0xBAD00BAD, 40, 40);
	expect_answer(0, WIRE_NAK_REMOTE_ACCESS, RC_PEER_PSN);
	cr_assert_eq(b.qps[0]->state, RC_QP_ERROR);
	packet(1, WIRE_RC_SEND_ONLY, 0, 20);
	expect(1, 1, RC_OK, 20);
	stop();
}

/*
 * RC-129: if the completion queue overruns, the queue pair ends. Other queue pairs can still take
 * the posted receives.
 */
Test(srq, full_completion_queue_rc129)
{
	start_with(2, 0, 0);
	post_all(1, 4);
	for (unsigned int i = 0; i < 3; i++)
		packet(0, WIRE_RC_SEND_ONLY, 0, 8);
	cr_assert_eq(b.qps[0]->state, RC_QP_ERROR);
	cr_assert(b.peer.notify_overrun);
	expect(1, 0, RC_OK, 8);
	expect(2, 0, RC_OK, 8);
	cr_assert_eq(rc_srq_count(&b.srq), 1);
	stop();
}

/* RC-111: when a gap is filled, the packets that were kept after it take receives in PSN order. */
Test(srq, kept_packets_take_in_order_rc111)
{
	start_with(64, 16, 0);
	post_all(1, 4);
	b.psn[0] += 1;
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	packet(0, WIRE_RC_SEND_LAST, PMTU, 3);
	cr_assert_eq(rc_srq_count(&b.srq), 4, "unread as long as they are kept");
	packet(1, WIRE_RC_SEND_ONLY, 0, 2);
	expect(1, 1, RC_OK, 2);
	b.psn[0] = RC_PEER_PSN;
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	expect(2, 0, RC_OK, 1);
	expect(3, 0, RC_OK, PMTU + 3);
	cr_assert_eq(rc_srq_count(&b.srq), 1);
	stop();
}

/*
 * RC-028: if no receive is left while kept packets are executed, the remaining kept packets are
 * dropped.
 */
Test(srq, kept_packets_find_it_empty_rc028)
{
	start_with(64, 16, 0);
	post_all(1, 1);
	b.psn[0] += 1;
	packet(0, WIRE_RC_SEND_ONLY, 0, 5);
	packet(0, WIRE_RC_SEND_ONLY, 0, 6);
	b.psn[0] = RC_PEER_PSN;
	packet(0, WIRE_RC_SEND_ONLY, 0, 4);
	expect(1, 0, RC_OK, 4);
	expect_answer(0, WIRE_SYNDROME_RNR | 12, RC_PEER_PSN + 1);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 0);
	post_all(2, 1);
	packet(0, WIRE_RC_SEND_ONLY, 0, 5);
	expect(2, 0, RC_OK, 5);
	stop();
}

/*
 * B-065: rc_srq_post() checks limits, because each queue pair copies a receive that it takes. A
 * queue pair with a shared queue has no receive queue of its own.
 */
Test(srq, posting_has_limits)
{
	struct mem_sge many[3] = {{0}};
	struct rc_receive_wr wr = {.sgl = {.sges = many, .count = 3}};

	start();
	cr_assert_eq(rc_srq_post(&b.srq, &wr), RC_TOO_MANY_SGE);
	many[0].length_bytes = LIMIT_MESSAGE_BYTES;
	many[1].length_bytes = 1;
	wr.sgl.count = 2;
	cr_assert_eq(rc_srq_post(&b.srq, &wr), RC_MESSAGE_TOO_LONG);
	post_all(1, ENTRIES);
	cr_assert_eq(post(99), RC_QUEUE_FULL);
	cr_assert_eq(rc_post_receive(b.qps[0], &(struct rc_receive_wr){0}), RC_QUEUE_FULL);
	rc_qp_error(b.qps[0], RC_FLUSHED);
	cr_assert_eq(rc_post_receive(b.qps[0], &(struct rc_receive_wr){0}), RC_QUEUE_FULL);
	cr_assert_eq(rc_srq_count(&b.srq), ENTRIES);
	stop();
}

Test(srq, creation_has_limits)
{
	static const struct rc_srq_attr bad[] = {
		{.entries = 0, .sge_max = 1},
		{.entries = LIMIT_QUEUE_ENTRIES + 1, .sge_max = 1},
		{.entries = 1, .sge_max = LIMIT_SGE + 1},
	};
	struct rc_peer_options options;
	struct rc_srq srq;
	struct rc_qp *qp;

	start();
	for (unsigned int i = 0; i < RTE_DIM(bad); i++)
		cr_assert_eq(rc_srq_init(&srq, &bad[i]), RC_INVALID_ARGUMENT);
	rc_peer_defaults(&options);
	options.qp.send_cq = options.qp.receive_cq = &b.peer.receive_cq;
	options.qp.srq = &b.srq;
	options.qp.receive_entries = 1; /* both queues */
	options.qp.receive_sge_max = 2;
	cr_assert_eq(rc_qp_create(&b.peer.ctx, &options.qp, &qp), RC_INVALID_ARGUMENT);
	options.qp.receive_entries = 0;
	options.qp.receive_sge_max = 1; /* limit below that of the shared queue */
	cr_assert_eq(rc_qp_create(&b.peer.ctx, &options.qp, &qp), RC_INVALID_ARGUMENT);
	stop();
}

/* B-067: the queue can be resized while messages use its receives, and after its ring wrapped. */
Test(srq, resize_keeps_what_is_posted_b067)
{
	start();
	for (uint32_t i = 0; i < 2 * ENTRIES + 3; i++) {
		post_all(100 + i, 1);
		packet(1, WIRE_RC_SEND_ONLY, 0, 4);
		expect(100 + i, 1, RC_OK, 4);
	}
	post_all(1, 5);
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	cr_assert_eq(rc_srq_resize(&b.srq, 3), RC_QUEUE_FULL);
	cr_assert_eq(rc_srq_resize(&b.srq, 0), RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_srq_resize(&b.srq, LIMIT_QUEUE_ENTRIES + 1), RC_INVALID_ARGUMENT);
	cr_assert_eq(rc_srq_resize(&b.srq, 4), RC_OK);
	cr_assert_eq(post(6), RC_QUEUE_FULL);
	cr_assert_eq(rc_srq_resize(&b.srq, 5), RC_OK);
	post_all(6, 1);
	packet(0, WIRE_RC_SEND_LAST, PMTU, 9);
	expect(1, 0, RC_OK, PMTU + 9);
	for (uint32_t i = 2; i <= 6; i++) {
		packet(1, WIRE_RC_SEND_ONLY, 0, (uint16_t)i);
		expect(i, 1, RC_OK, i);
	}
	stop();
}

/*
 * RC-162: if fewer receives than the watermark are left, each arming causes one notification. A
 * long message can cause the notification, too.
 */
Test(srq, low_mark_is_told_once_per_arming_rc162)
{
	start_with(64, 0, 2);
	cr_assert(rc_srq_arm(&b.srq), "nothing has fallen: the queue was never filled");
	cr_assert_eq(b.told, 0);
	post_all(1, 3);
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	expect(1, 0, RC_OK, 1);
	cr_assert_eq(b.told, 0, "two are left");
	packet(0, WIRE_RC_SEND_FIRST, 0, PMTU);
	cr_assert_eq(b.told, 1);
	packet(1, WIRE_RC_SEND_ONLY, 0, 1);
	expect(3, 1, RC_OK, 1);
	cr_assert_eq(b.told, 1, "once");
	cr_assert_not(rc_srq_arm(&b.srq), "it is low since, and nobody knows");
	post_all(4, 3);
	cr_assert(rc_srq_arm(&b.srq));
	rc_srq_disarm(&b.srq);
	for (unsigned int i = 0; i < 3; i++) {
		packet(1, WIRE_RC_SEND_ONLY, 0, 1);
		expect(4 + i, 1, RC_OK, 1);
	}
	cr_assert_eq(b.told, 1, "disarmed");
	packet(0, WIRE_RC_SEND_LAST, PMTU, 1);
	expect(2, 0, RC_OK, PMTU + 1);
	stop();
}

Test(srq, low_mark_that_was_told_is_no_news)
{
	start_with(64, 0, 2);
	post_all(1, 3);
	cr_assert(rc_srq_arm(&b.srq));
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	expect(1, 0, RC_OK, 1);
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	expect(2, 0, RC_OK, 1);
	cr_assert_eq(b.told, 1);
	cr_assert(rc_srq_arm(&b.srq), "it is low as it was told");
	packet(1, WIRE_RC_SEND_ONLY, 0, 1);
	expect(3, 1, RC_OK, 1);
	cr_assert_eq(b.told, 2);
	stop();
}

Test(srq, message_without_receive_is_told_rc162)
{
	start_with(64, 0, 1);
	cr_assert(rc_srq_arm(&b.srq));
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	cr_assert_eq(b.told, 1);
	expect_answer(0, WIRE_SYNDROME_RNR | 12, RC_PEER_PSN);
	stop();
}

Test(srq, raised_mark_is_told_at_once)
{
	start();
	post_all(1, 4);
	cr_assert(rc_srq_arm(&b.srq));
	rc_srq_set_low(&b.srq, 4);
	cr_assert_eq(b.told, 0);
	rc_srq_set_low(&b.srq, 5);
	cr_assert_eq(b.told, 1);
	rc_srq_set_low(&b.srq, 6);
	cr_assert_eq(b.told, 1, "nobody has asked again");
	cr_assert_not(rc_srq_arm(&b.srq));
	stop();
}

Test(srq, no_mark_no_notification)
{
	start();
	cr_assert(rc_srq_arm(&b.srq));
	post_all(1, 1);
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	expect(1, 0, RC_OK, 1);
	packet(0, WIRE_RC_SEND_ONLY, 0, 1);
	cr_assert_eq(b.told, 0);
	stop();
}
