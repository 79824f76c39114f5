/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/responder_usual.h"

#include <inttypes.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/random.h"
#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Two identical queue pairs, the twins, get the same packets. The first twin uses the fast path,
 * and falls back to the slow path if the fast path does not accept a packet. The second twin uses
 * only the slow path. After each packet, their state, answers, completions, counters and memory
 * must be equal. A fast path that does not accept a packet must not change anything.
 */

#define PMTU    256u
#define BASE    UINT64_C(0x7000000000)
#define AREA    2048u
#define HALF    (AREA / 2)
#define ENTRIES 3u
#define STEPS   150000u

enum key {
	KEY_REGION,
	KEY_WINDOW,
	KEY_READ_ONLY,
	KEY_OF_ANOTHER,
	KEY_DEAD,
	KEY_NONE,
	KEYS,
};

struct twin {
	struct rc_peer peer;
	struct rc_srq srq; /* used in both_ways_are_one_with_shared_receives only */
	struct mem_region *region;
	struct mem_region *read_only; /* for receives; not writable */
	/* Region for receives. NULL while it is deregistered. */
	struct mem_region *passing;
	struct mem_window *windows[KEYS];
	uint32_t keys[KEYS];
	uint8_t memory[AREA];
};

struct snapshot {
	struct rc_qp qp;
	struct rc_counters counters;
	struct rc_srq srq;
	struct rc_cq cq;
	struct rc_completion ring[2 * RTE_ALIGN(ENTRIES, 8)];
	uint8_t memory[AREA];
};

static struct twin fast, slow;
static struct twin *const twins[2] = {&fast, &slow};
static struct base_random source;
static unsigned int accepted[256], refused_count;
static bool shared;

static uint32_t
below(uint32_t limit)
{
	return base_random_below(&source, limit);
}

static bool
one_in(uint32_t count)
{
	return below(count) == 0;
}

static uint32_t
window_bind(struct twin *twin, enum key key, uint32_t rights, uint32_t owner)
{
	struct mem_bind bind = {
		.region = twin->region,
		.address = BASE + 64,
		.length_bytes = HALF,
		.rights = rights,
	};

	cr_assert_eq(mem_window_create(twin->peer.mem, NULL, &twin->windows[key]), RC_OK);
	bind.window = twin->windows[key];
	cr_assert_eq(mem_bind_now(twin->peer.mem, &bind, owner), RC_OK);
	return bind.key;
}

static void
windows_make(struct twin *twin)
{
	uint32_t own = twin->peer.qp->qpn;

	twin->keys[KEY_WINDOW] = window_bind(twin, KEY_WINDOW, MEM_REMOTE_WRITE, own);
	twin->keys[KEY_READ_ONLY] = window_bind(twin, KEY_READ_ONLY, MEM_REMOTE_READ, own);
	twin->keys[KEY_OF_ANOTHER] = window_bind(twin, KEY_OF_ANOTHER, MEM_REMOTE_WRITE, own + 1);
	twin->keys[KEY_DEAD] = window_bind(twin, KEY_DEAD, MEM_REMOTE_WRITE, own);
	cr_assert_eq(mem_window_invalidate(twin->peer.mem, twin->windows[KEY_DEAD], own), RC_OK);
}

static void
windows_drop(struct twin *twin)
{
	for (enum key key = KEY_WINDOW; key <= KEY_DEAD; key++)
		cr_assert_eq(mem_window_destroy(
				     twin->peer.mem, twin->windows[key], &(struct mem_grace){0}),
			RC_OK);
}

static void
options_make(struct twin *twin, struct rc_peer_options *options, bool remote, uint32_t psn)
{
	rc_peer_defaults(options);
	options->cq_entries = ENTRIES;
	options->qp.receive_entries = shared ? 0 : 4;
	options->qp.srq = shared ? &twin->srq : NULL;
	options->connect.inbound_reads = 2;
	options->connect.pmtu_bytes = PMTU;
	options->connect.receive_psn = psn;
	options->connect.remote_write = remote;
	options->connect.remote_read = remote;
}

static void
twin_start(struct twin *twin)
{
	struct rc_peer_options options;

	memset(twin, 0, sizeof(*twin));
	test_eal_init();
	cr_assert_eq(
		rc_srq_init(&twin->srq,
			&(struct rc_srq_attr){
				.entries = 4, .sge_max = 4, .low = 2, .socket_id = SOCKET_ID_ANY}),
		RC_OK);
	options_make(twin, &options, true, RC_PEER_PSN);
	rc_peer_start(&twin->peer, &options);
	twin->region = rc_peer_region(&twin->peer, twin->memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC |
			MEM_WINDOW_BIND);
	twin->read_only = rc_peer_region(&twin->peer, twin->memory, AREA, BASE, MEM_REMOTE_READ);
	twin->keys[KEY_REGION] = mem_region_key(twin->region);
	twin->keys[KEY_NONE] = ~twin->keys[KEY_REGION];
	windows_make(twin);
}

/* Replace a queue pair that has ended by a new one with an empty receive queue. */
static void
twin_replace(struct twin *twin, bool remote, uint32_t psn)
{
	struct rc_peer *peer = &twin->peer;
	struct rc_peer_options options;

	rc_qp_destroy(peer->qp);
	rc_cq_fini(&peer->receive_cq);
	cr_assert_eq(
		rc_cq_init(&peer->receive_cq, ENTRIES, SOCKET_ID_ANY, peer->send_cq.notify, peer),
		RC_OK);
	options_make(twin, &options, remote, psn);
	options.qp.send_cq = &peer->send_cq;
	options.qp.receive_cq = &peer->receive_cq;
	cr_assert_eq(rc_qp_create(&peer->ctx, &options.qp, &peer->qp), RC_OK);
	cr_assert_eq(rc_qp_connect(peer->qp, &options.connect), RC_OK);
	windows_drop(twin);
	windows_make(twin);
}

static void
snapshot_take(struct snapshot *snapshot, const struct twin *twin)
{
	const struct rc_cq *cq = &twin->peer.receive_cq;

	snapshot->qp = *twin->peer.qp;
	snapshot->counters = twin->peer.ctx.counters;
	snapshot->cq = *cq;
	snapshot->srq = twin->srq;
	cr_assert_leq(cq->mask + 1, RTE_DIM(snapshot->ring));
	memcpy(snapshot->ring, cq->ring, (cq->mask + 1) * sizeof(snapshot->ring[0]));
	memcpy(snapshot->memory, twin->memory, AREA);
}

#define EQUAL(a, b, member)                                                                        \
	cr_assert_eq((a)->member, (b)->member,                                                     \
		"step %u: " #member " is 0x%" PRIx64 " by the fast path, 0x%" PRIx64, step,        \
		(uint64_t)(a)->member, (uint64_t)(b)->member)

static void
acks_compare(uint32_t step, const struct rc_acks *a, const struct rc_acks *b)
{
	EQUAL(a, b, owed);
	EQUAL(a, b, syndrome);
	EQUAL(a, b, sequence_nak);
	EQUAL(a, b, rnr_nak);
	EQUAL(a, b, executed);
	EQUAL(a, b, nak_psn);
	EQUAL(a, b, fatal);
	EQUAL(a, b, ack_psn);
	EQUAL(a, b, ahead_psn);
	EQUAL(a, b, ack_position);
	EQUAL(a, b, deadline_ns);
}

static void
record_compare(uint32_t step, const struct rc_read_record *a, const struct rc_read_record *b)
{
	EQUAL(a, b, position);
	EQUAL(a, b, packet_count);
	EQUAL(a, b, address);
	EQUAL(a, b, length_bytes);
	EQUAL(a, b, opcode);
}

static void
job_compare(uint32_t step, const struct rc_read_job *a, const struct rc_read_job *b)
{
	EQUAL(a, b, psn);
	EQUAL(a, b, packets_left);
	EQUAL(a, b, address);
	EQUAL(a, b, rkey);
	EQUAL(a, b, bytes_left);
	EQUAL(a, b, msn);
	EQUAL(a, b, first);
	EQUAL(a, b, replay);
	EQUAL(a, b, atomic);
}

static void
reads_compare(uint32_t step, const struct rc_reads *a, const struct rc_reads *b)
{
	EQUAL(a, b, record_count);
	EQUAL(a, b, job_head);
	EQUAL(a, b, job_tail);
	EQUAL(a, b, replay_count);
	EQUAL(a, b, paced_until_ns);
	if (a->record_count != 0)
		record_compare(step, &a->records[(a->record_count - 1) & (a->slots_max - 1)],
			&b->records[(b->record_count - 1) & (b->slots_max - 1)]);
	for (uint32_t i = a->job_head; i != a->job_tail; i++)
		job_compare(step, rc_reads_job(a, i), rc_reads_job(b, i));
}

static void
responder_compare(uint32_t step, const struct rc_responder *a, const struct rc_responder *b)
{
	EQUAL(a, b, expected_psn);
	EQUAL(a, b, msn);
	EQUAL(a, b, position);
	EQUAL(a, b, message);
	EQUAL(a, b, receive_offset);
	/* With a shared queue, only the slow path uses this ring for one-packet messages. */
	cr_assert_eq(rc_ring_count(&a->ring), rc_ring_count(&b->ring), "step %u", step);
	if (!shared)
		EQUAL(a, b, ring.head);
	EQUAL(a, b, next_nak_ns);
	reads_compare(step, &a->reads, &b->reads);
	acks_compare(step, &a->acks, &b->acks);
	if (a->message != RC_MESSAGE_WRITE)
		return; /* the members after this point are valid only during a WRITE */
	EQUAL(a, b, write_address);
	EQUAL(a, b, write_rkey);
	EQUAL(a, b, write_bytes_left);
	EQUAL(a, b, write_bytes);
}

static void
completion_compare(uint32_t step, const struct rc_completion *a, const struct rc_completion *b)
{
	EQUAL(a, b, context);
	EQUAL(a, b, status);
	EQUAL(a, b, kind);
	EQUAL(a, b, solicited);
	EQUAL(a, b, bytes);
	EQUAL(a, b, owner);
	EQUAL(a, b, flags);
	EQUAL(a, b, immediate);
}

static void
cq_compare(uint32_t step, const struct rc_cq *a, const struct rc_cq *b)
{
	EQUAL(a, b, head);
	EQUAL(a, b, tail);
	EQUAL(a, b, invalidated);
	EQUAL(a, b, arm);
	EQUAL(a, b, unseen);
	EQUAL(a, b, unseen_solicited);
	EQUAL(a, b, unseen_error);
	EQUAL(a, b, overrun);
	for (uint32_t i = a->head; i != a->tail; i++)
		completion_compare(step, &a->ring[i & a->mask], &b->ring[i & b->mask]);
}

static void
twins_compare(uint32_t step)
{
	const struct rc_peer *a = &fast.peer, *b = &slow.peer;

	EQUAL(a->qp, b->qp, state);
	EQUAL(a->qp, b->qp, events);
	EQUAL(a->qp, b->qp, duties);
	EQUAL(a->qp, b->qp, error);
	EQUAL(a, b, send_notify_count);
	EQUAL(a, b, receive_notify_count);
	responder_compare(step, &a->qp->responder, &b->qp->responder);
	cq_compare(step, &a->receive_cq, &b->receive_cq);
	EQUAL(&fast.srq, &slow.srq, ring.head);
	EQUAL(&fast.srq, &slow.srq, ring.tail);
	EQUAL(&fast.srq, &slow.srq, fell);
	cr_assert_arr_eq(
		&a->ctx.counters, &b->ctx.counters, sizeof(a->ctx.counters), "step %u", step);
	cr_assert_arr_eq(fast.memory, slow.memory, AREA, "step %u", step);
}

static void
answers_compare(uint32_t step)
{
	struct rc_context *a = &fast.peer.ctx, *b = &slow.peer.ctx;

	while (rc_peer_progress(&fast.peer))
		;
	while (rc_peer_progress(&slow.peer))
		;
	EQUAL(a, b, packet_count);
	for (uint16_t i = 0; i < a->packet_count; i++) {
		const struct rte_mbuf *one = a->packets[i], *other = b->packets[i];

		EQUAL(one, other, pkt_len);
		cr_assert_arr_eq(rte_pktmbuf_mtod(one, const void *),
			rte_pktmbuf_mtod(other, const void *), one->pkt_len, "step %u", step);
	}
	rc_peer_drain(&fast.peer);
	rc_peer_drain(&slow.peer);
}

static uint8_t
random_opcode(void)
{
	static const uint8_t usual[] = {WIRE_RC_WRITE_ONLY, WIRE_RC_WRITE_ONLY,
		WIRE_RC_WRITE_ONLY_IMM, WIRE_RC_SEND_ONLY, WIRE_RC_SEND_ONLY, WIRE_RC_SEND_ONLY_IMM,
		WIRE_RC_READ_REQUEST};
	static const uint8_t others[] = {WIRE_RC_SEND_ONLY_INV, WIRE_RC_FETCH_ADD,
		WIRE_RC_COMPARE_SWAP, WIRE_RC_SEND_FIRST, WIRE_RC_WRITE_FIRST, WIRE_RC_FLUSH};
	static const uint8_t next_of_send[] = {
		WIRE_RC_SEND_MIDDLE, WIRE_RC_SEND_LAST, WIRE_RC_SEND_LAST_IMM};
	static const uint8_t next_of_write[] = {
		WIRE_RC_WRITE_MIDDLE, WIRE_RC_WRITE_LAST, WIRE_RC_WRITE_LAST_IMM};
	enum rc_message_kind message = fast.peer.qp->responder.message;

	if (message == RC_MESSAGE_SEND && !one_in(10))
		return next_of_send[below(RTE_DIM(next_of_send))];
	if (message == RC_MESSAGE_WRITE && !one_in(10))
		return next_of_write[below(RTE_DIM(next_of_write))];
	return one_in(6) ? others[below(RTE_DIM(others))] : usual[below(RTE_DIM(usual))];
}

static uint32_t
random_psn(void)
{
	uint32_t expected = fast.peer.qp->responder.expected_psn;

	return psn_add(expected, one_in(12) ? below(5) - 2 : 0);
}

static uint16_t
random_bytes(uint8_t opcode)
{
	static const uint16_t edges[] = {0, 1, 3, 4, PMTU - 1, PMTU, PMTU, PMTU + 1};
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	uint32_t left = fast.peer.qp->responder.write_bytes_left;

	if (!traits->has_payload)
		return 0;
	if (traits->kind == WIRE_KIND_WRITE && !traits->starts && traits->ends && left <= PMTU)
		return (uint16_t)left;
	if (!traits->ends && !one_in(20))
		return PMTU;
	return (uint16_t)(one_in(4) ? edges[below(RTE_DIM(edges))] : below(PMTU) + 1);
}

static struct wire_reth_value
random_reth(uint8_t opcode, uint32_t bytes)
{
	static const uint64_t addresses[] = {0, BASE - 1, BASE + AREA - 1, UINT64_MAX};
	struct wire_reth_value reth = {
		.address = BASE + 64 + below(HALF - PMTU),
		.rkey = fast.keys[one_in(12) ? below(KEYS) : below(2)],
		.length_bytes = bytes,
	};

	if (one_in(20))
		reth.address = addresses[below(RTE_DIM(addresses))];
	if (opcode == WIRE_RC_READ_REQUEST)
		reth.length_bytes = one_in(6) ? 0 : below(2 * PMTU);
	if (opcode == WIRE_RC_READ_REQUEST && !one_in(12))
		reth.rkey = fast.keys[one_in(2) ? KEY_REGION : KEY_READ_ONLY];
	if (!wire_opcode_traits(opcode)->ends)
		reth.length_bytes = bytes + 1 + below(2 * PMTU);
	if (one_in(20))
		reth.length_bytes = one_in(2) ? bytes + below(3) - 1 : base_random_u32(&source);
	return reth;
}

static struct rte_mbuf *
random_frame(struct wire_view *view)
{
	uint8_t opcode = random_opcode(), payload[PMTU + 4];
	uint16_t bytes = random_bytes(opcode);
	struct wire_reth_value reth = random_reth(opcode, bytes);
	struct wire_headers headers = {
		.bth =
			{
				.opcode = opcode,
				.psn = random_psn(),
				.ack_request = one_in(2),
				.solicited = one_in(3),
			},
		.reth = reth,
		.atomic = {.address = reth.address & ~UINT64_C(7), .rkey = reth.rkey},
		.immediate = base_random_u32(&source),
		.invalidate_rkey = fast.keys[below(KEYS)],
	};
	struct rte_mbuf *mbuf;

	for (uint32_t i = 0; i < bytes; i++)
		payload[i] = (uint8_t)base_random_u32(&source);
	mbuf = rc_peer_frame(&fast.peer, &headers, payload, bytes);
	cr_assert_eq(wire_parse(mbuf, view), WIRE_OK);
	if (one_in(100))
		view->bth.pad_count = (uint8_t)below(4); /* changed after parsing */
	if (!view->traits->has_payload && one_in(50))
		view->payload_bytes = 4; /* changed after parsing */
	if (one_in(20))
		rc_peer_split(mbuf, 1 + below(mbuf->data_len - 1u));
	return mbuf;
}

static void
fast_input(uint32_t step, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	static struct snapshot before, after;
	struct rc_qp *qp = fast.peer.qp;

	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	snapshot_take(&before, &fast);
	if (rc_responder_usual(qp, mbuf, view)) {
		accepted[view->bth.opcode]++;
		return;
	}
	snapshot_take(&after, &fast);
	cr_assert_arr_eq(&before, &after, sizeof(before),
		"step %u: changed, though not accepted: %s", step, view->traits->name);
	rc_responder_ladder(qp, mbuf, view);
}

/* Do what rc_qp_input() does at its end. */
static void
end(struct twin *twin)
{
	if (rc_qp_failed(twin->peer.qp))
		rc_qp_end(twin->peer.qp);
	rc_peer_events(&twin->peer);
}

static void
packet(uint32_t step)
{
	struct wire_view view;
	struct rte_mbuf *mbuf = random_frame(&view);

	fast_input(step, mbuf, &view);
	rc_responder_ladder(slow.peer.qp, mbuf, &view);
	end(&fast);
	end(&slow);
	rte_pktmbuf_free(mbuf);
}

static void
receive_post(void)
{
	uint32_t count = one_in(3) ? below(5) : 1, number = base_random_u32(&source);
	uint32_t which[4], offset[4], length[4];

	for (uint32_t i = 0; i < 4; i++) {
		which[i] = one_in(12) ? below(3) : 0;
		offset[i] = one_in(20) ? AREA - 1 : HALF + below(HALF - 2 * PMTU);
		length[i] = one_in(6) ? below(8) : PMTU + below(PMTU);
	}
	for (unsigned int side = 0; side < 2; side++) {
		struct twin *twin = twins[side];
		const struct mem_region *regions[] = {twin->region, twin->read_only, twin->passing};
		struct rc_receive_wr wr = {.context = (void *)(uintptr_t)number};
		struct mem_sge sges[4];
		enum rc_status status;

		for (uint32_t i = 0; i < count; i++)
			sges[i] = (struct mem_sge){BASE + offset[i], length[i], regions[which[i]]};
		wr.sgl = (struct mem_sgl){sges, count};
		status =
			shared ? rc_srq_post(&twin->srq, &wr) : rc_post_receive(twin->peer.qp, &wr);
		cr_assert(status == RC_OK || status == RC_QUEUE_FULL);
	}
}

static void
passing_change(struct twin *twin)
{
	uint64_t release;

	if (twin->passing == NULL) {
		twin->passing =
			rc_peer_region(&twin->peer, twin->memory, AREA, BASE, MEM_LOCAL_WRITE);
		return;
	}
	cr_assert_eq(mem_region_deregister(twin->peer.mem, twin->passing, &release), RC_OK);
	twin->passing = NULL;
}

static void
application(void)
{
	enum rc_cq_arm arm = (enum rc_cq_arm)below(RC_CQ_ARM_ANY + 1);
	bool poll = !one_in(8), armed = one_in(8), passing = one_in(8);
	struct rc_completion completions[2 * ENTRIES];

	for (uint32_t i = below(3); i > 0; i--)
		receive_post();
	for (unsigned int side = 0; side < 2; side++) {
		struct rc_cq *cq = &twins[side]->peer.receive_cq;

		if (poll)
			rc_cq_poll(cq, completions, RTE_DIM(completions));
		if (armed)
			rc_cq_request_notify(cq, arm);
		if (passing)
			passing_change(twins[side]);
	}
}

static void
replace(void)
{
	bool remote = !one_in(16);
	uint32_t psn = one_in(2) ? PSN_MASK - below(8) : base_random_u32(&source) & PSN_MASK;

	twin_replace(&fast, remote, psn);
	twin_replace(&slow, remote, psn);
	cr_assert_arr_eq(fast.keys, slow.keys, sizeof(fast.keys));
	refused_count++;
}

static void
twin_stop(struct twin *twin)
{
	rc_peer_stop(&twin->peer);
	rc_srq_fini(&twin->srq);
}

static void
both_ways(void)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {7};
	static const uint8_t opcodes[] = {WIRE_RC_WRITE_ONLY, WIRE_RC_WRITE_ONLY_IMM,
		WIRE_RC_SEND_ONLY, WIRE_RC_SEND_ONLY_IMM, WIRE_RC_READ_REQUEST};

	base_random_seed(&source, seed);
	twin_start(&fast);
	twin_start(&slow);
	for (uint32_t step = 0; step < STEPS; step++) {
		packet(step);
		twins_compare(step);
		if (one_in(3))
			answers_compare(step);
		if (one_in(2))
			application();
		fast.peer.now_ns += 1000;
		slow.peer.now_ns = fast.peer.now_ns;
		if (fast.peer.qp->state == RC_QP_ERROR) {
			twins_compare(step);
			rc_peer_drain(&fast.peer);
			rc_peer_drain(&slow.peer);
			replace();
		}
	}
	for (unsigned int i = 0; i < RTE_DIM(opcodes); i++)
		cr_assert_gt(accepted[opcodes[i]], STEPS / 50, "opcode 0x%02x: %u accepted",
			opcodes[i], accepted[opcodes[i]]);
	for (unsigned int opcode = 0; opcode < 256; opcode++)
		cr_assert(accepted[opcode] == 0 || memchr(opcodes, (int)opcode, sizeof(opcodes)),
			"opcode 0x%02x is not usual", opcode);
	cr_assert_gt(refused_count, STEPS / 100, "%u queue pairs ended", refused_count);
	twin_stop(&fast);
	twin_stop(&slow);
}

Test(responder_usual, both_ways_are_one)
{
	both_ways();
}

Test(responder_usual, both_ways_are_one_with_shared_receives)
{
	shared = true;
	both_ways();
}
