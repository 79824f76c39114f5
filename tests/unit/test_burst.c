/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/burst.h"

#include <string.h>

#include <criterion/criterion.h>

#include "rc/payload.h"
#include "support/rc_peer.h"

/*
 * A burst (rc/burst.c) must send the same packets as the slow path (rc/request.c). Two queue pairs
 * get the same requests and the same answers. The burst code accepts the requests of the first
 * queue pair. It refuses the requests of the second queue pair, which have a fence with nothing to
 * wait for or an additional empty list entry. On the wire, the requests of both are the same. After
 * each step, packets, state, counters and completions must be equal.
 */

/* payloads of WIRE_FUSED_BYTES_MIN bytes or more use a different copy function */
#define PMTU_MAX     2048u
#define ENTRIES      64u
#define MEMORY_BYTES (8 * PMTU_MAX)
#define BASE         UINT64_C(0x40000)
#define RUNS         60u
#define STEPS        120u

enum unusual {
	UNUSUAL_FENCE,
	UNUSUAL_LIST,
};

struct side {
	struct rc_peer peer;
	struct mem_region *region; /* one buffer */
	struct mem_region *chain;  /* two buffers */
	struct mem_region *dead;   /* deregistered during the run */
};

struct pair {
	struct side sides[2]; /* the burst code accepts the requests of sides[0] only */
	enum unusual unusual;
	uint32_t pmtu;
	struct base_random random;
	uint8_t memory[MEMORY_BYTES];
	bool deregistered;
	uint64_t packets;
	uint64_t retransmitted;
	struct rc_send_wr last; /* the request posted last; its sgl pointer is no longer valid */
	uint64_t last_bytes;
};

static struct pair pair;

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&pair.random, bound);
}

static struct mem_region *
chain_register(struct rc_peer *peer)
{
	const struct mem_buffer buffers[2] = {
		{.address = pair.memory, .length_bytes = 100},
		{.address = pair.memory + 100, .length_bytes = MEMORY_BYTES - 100},
	};
	const struct mem_region_attr attr = {
		.base = BASE, .buffers = buffers, .buffer_count = 2, .rights = MEM_LOCAL_WRITE};
	struct mem_region *region = NULL;

	cr_assert_eq(mem_region_register(peer->mem, &attr, &region), RC_OK);
	return region;
}

static const struct cc_parameters unlimited = {.algorithm = CC_NONE};

static void
side_start(struct side *side, const struct rc_peer_options *options)
{
	rc_peer_start(&side->peer, options);
	side->region =
		rc_peer_region(&side->peer, pair.memory, MEMORY_BYTES, BASE, MEM_LOCAL_WRITE);
	side->dead = rc_peer_region(&side->peer, pair.memory, MEMORY_BYTES, BASE, MEM_LOCAL_WRITE);
	side->chain = chain_register(&side->peer);
}

static void
pair_start(uint32_t run)
{
	const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {(uint8_t)run, 77};
	struct rc_peer_options options;

	memset(&pair, 0, sizeof(pair));
	base_random_seed(&pair.random, seed);
	rc_peer_pattern(pair.memory, sizeof(pair.memory), run);
	pair.unusual = run % 2 == 0 ? UNUSUAL_FENCE : UNUSUAL_LIST;
	rc_peer_defaults(&options);
	options.qp.send_entries = ENTRIES;
	options.cq_entries = 1024;
	pair.pmtu = run % 3 == 0 ? PMTU_MAX : 256;
	options.connect.pmtu_bytes = (uint16_t)pair.pmtu;
	options.connect.ack_timeout = 10;
	options.connect.retry_count = 7;
	options.connect.rnr_retry_count = 7;
	options.connect.send_psn = PSN_MASK - below(200);
	options.connect.path.vlan = run % 5 == 1;
	options.pool_mbufs = run % 3 == 2 ? 24 : 511;
	if (run % 7 == 3) {
		options.connect.path.src.raw[0] = 0xFD;
		options.connect.path.dst.raw[0] = 0xFD;
	}
	options.qp.cc = run % 4 < 2 ? &unlimited : NULL;
	for (int i = 0; i < 2; i++)
		side_start(&pair.sides[i], &options);
}

static void
pair_stop(void)
{
	for (int i = 0; i < 2; i++)
		rc_peer_stop(&pair.sides[i].peer);
}

static uint32_t
length_choose(void)
{
	const uint32_t edges[] = {0, 1, 2, 3, 4, 64, pair.pmtu - 1, pair.pmtu, pair.pmtu + 1,
		3 * pair.pmtu, pair.pmtu - 4};

	return below(2) == 0 ? edges[below(RTE_DIM(edges))] : below(pair.pmtu + 1);
}

/* Post a request on one side. If other is true, change it to a request that bursts refuse. */
static void
request_post(struct side *side, struct rc_send_wr wr, const struct mem_sge *sge, uint32_t from,
	bool other)
{
	struct mem_sge sges[2] = {*sge, {.region = NULL}};

	if ((wr.flags & RC_INLINE) == 0)
		sges[0].region = from == 0 ? side->region : from == 1 ? side->chain : side->dead;
	wr.sgl = (struct mem_sgl){.sges = sges, .count = 1};
	if (other && pair.unusual == UNUSUAL_FENCE)
		wr.flags |= RC_FENCE;
	if (other && pair.unusual == UNUSUAL_LIST)
		wr.sgl.count = 2;
	cr_assert_eq(rc_post_send(side->peer.qp, &wr), RC_OK);
}

static void
post(void)
{
	static const enum rc_send_opcode messages[] = {
		RC_SEND, RC_WRITE, RC_SEND_INVALIDATE, RC_SEND_IMMEDIATE, RC_WRITE_IMMEDIATE};
	static const enum rc_send_opcode asking[] = {
		RC_READ, RC_READ, RC_FETCH_ADD, RC_COMPARE_SWAP};
	struct rc_send_wr wr = {
		.opcode = messages[below(RTE_DIM(messages))],
		.context = (void *)(uintptr_t)(1 + base_random_u32(&pair.random)),
		.flags = below(4) == 0 ? RC_SILENT : 0,
		.remote_address = base_random_u64(&pair.random),
		.rkey = base_random_u32(&pair.random),
		.immediate = base_random_u32(&pair.random),
		.operands = {base_random_u64(&pair.random), base_random_u64(&pair.random)},
	};
	uint32_t offset = below(pair.pmtu), from = below(20);
	struct mem_sge sge = {.address = BASE + offset, .length_bytes = length_choose()};

	if (wr.opcode != RC_WRITE && below(3) == 0)
		wr.flags |= RC_SOLICITED;
	/* READs and atomics need UNUSUAL_LIST, because a fence would wait for them on one side. */
	if (pair.unusual == UNUSUAL_LIST && below(3) == 0) {
		wr.opcode = asking[below(RTE_DIM(asking))];
		wr.flags &= RC_SILENT;
		if (wr.opcode != RC_READ)
			sge.length_bytes = RC_ATOMIC_BYTES;
	} else if (pair.unusual == UNUSUAL_FENCE && below(5) == 0) {
		wr.flags |= RC_INLINE;
		sge.address = (uintptr_t)pair.memory + offset;
		sge.length_bytes = RTE_MIN(sge.length_bytes, 64);
	}
	/* Some requests repeat the last headers, because bursts prepare equal headers only once. */
	if (below(2) == 0 && pair.last.context != NULL &&
		((pair.last.flags ^ wr.flags) & RC_INLINE) == 0) {
		wr.opcode = pair.last.opcode;
		wr.flags = pair.last.flags;
		sge.length_bytes = pair.last_bytes;
	}
	pair.last = wr;
	pair.last_bytes = sge.length_bytes;
	if (from == 2 && below(8) != 0)
		from = 0;
	for (int i = 0; i < 2; i++)
		request_post(&pair.sides[i], wr, &sge, from > 2 ? 0 : from, i == 1);
}

static void
deregister(void)
{
	for (int i = 0; i < 2 && !pair.deregistered; i++) {
		struct side *side = &pair.sides[i];
		uint64_t release;

		cr_assert_eq(mem_region_deregister(side->peer.mem, side->dead, &release), RC_OK);
	}
	pair.deregistered = true;
}

static void
drain(void)
{
	for (int i = 0; i < 2; i++)
		rc_peer_drain(&pair.sides[i].peer);
}

static void
answer(uint8_t syndrome)
{
	const struct rc_requester *r = &pair.sides[0].peer.qp->requester;
	uint32_t outstanding = psn_distance(r->max_sent_psn, r->una_psn);
	uint32_t psn;

	if (outstanding == 0)
		return;
	if (rte_mempool_avail_count(pair.sides[0].peer.pool) == 0)
		drain(); /* the answer needs a packet buffer */
	psn = psn_add(r->una_psn, below(outstanding));
	for (int i = 0; i < 2; i++)
		rc_peer_inject_ack(&pair.sides[i].peer, psn, syndrome, 0);
}

/*
 * Make the response for the oldest PSN. @return false if the oldest request is no READ or atomic
 * and so has no response
 */
static bool
response_make(const struct rc_requester *r, struct wire_headers *headers, uint16_t *bytes)
{
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);
	uint32_t index = psn_distance(r->una_psn, wqe->first_psn);
	bool ends = index + 1 == wqe->packet_count;

	if (r->una_psn == r->max_sent_psn || wqe->opcode < RC_READ)
		return false;
	*bytes = wqe->opcode != RC_READ ? 0
		: ends                  ? (uint16_t)(wqe->length_bytes - index * pair.pmtu)
					: (uint16_t)pair.pmtu;
	headers->bth.psn = r->una_psn;
	headers->bth.opcode = wqe->opcode != RC_READ ? WIRE_RC_ATOMIC_ACKNOWLEDGE
		: index == 0 ? (ends ? WIRE_RC_READ_RESPONSE_ONLY : WIRE_RC_READ_RESPONSE_FIRST)
			     : (ends ? WIRE_RC_READ_RESPONSE_LAST : WIRE_RC_READ_RESPONSE_MIDDLE);
	return true;
}

static void
respond(void)
{
	const struct rc_requester *r = &pair.sides[0].peer.qp->requester;
	struct wire_headers headers = {.aeth = {.syndrome = WIRE_SYNDROME_ACK}};
	uint16_t bytes;

	for (uint32_t count = below(8); count > 0 && response_make(r, &headers, &bytes); count--) {
		if (rte_mempool_avail_count(pair.sides[0].peer.pool) == 0)
			drain();
		for (int i = 0; i < 2; i++)
			rc_peer_inject(&pair.sides[i].peer, &headers, pair.memory, bytes);
	}
}

static void
pass(uint64_t ns)
{
	for (int i = 0; i < 2; i++)
		pair.sides[i].peer.now_ns += ns;
}

static void
progress(void)
{
	bool again = rc_peer_progress(&pair.sides[0].peer);

	cr_assert_eq(rc_peer_progress(&pair.sides[1].peer), again);
}

static void
step(void)
{
	uint32_t choice = below(32);

	if (pair.sides[0].peer.qp->state == RC_QP_RTS && choice < 14) {
		uint32_t room = ENTRIES - rc_ring_count(&pair.sides[0].peer.qp->requester.ring);

		for (uint32_t count = room == 0 ? 0 : below(RTE_MIN(room, 24) + 1); count > 0;
			count--)
			post();
	} else if (choice < 20) {
		answer(WIRE_SYNDROME_ACK);
	} else if (choice == 20) {
		answer(WIRE_NAK_SEQUENCE);
	} else if (choice == 21) {
		answer(WIRE_SYNDROME_RNR | 1);
	} else if (choice == 22) {
		pass(below(4) * UINT64_C(2000000));
	} else if (choice == 23 && below(4) == 0) {
		deregister();
	} else if (choice < 28) {
		drain();
	} else if (choice < 31) {
		respond();
	}
	progress();
}

static void
expect_packets_equal(void)
{
	const struct rc_peer *a = &pair.sides[0].peer, *b = &pair.sides[1].peer;

	cr_assert_eq(a->ctx.packet_count, b->ctx.packet_count);
	for (uint32_t i = a->taken; i < a->ctx.packet_count; i++) {
		const struct rte_mbuf *one = a->ctx.packets[i], *other = b->ctx.packets[i];

		cr_assert_eq(one->nb_segs, 1);
		cr_assert_eq(one->data_len, one->pkt_len);
		cr_assert_eq(one->ol_flags, 0);
		cr_assert_eq(one->pkt_len, other->pkt_len, "packet %u", i);
		cr_assert_arr_eq(rte_pktmbuf_mtod(one, const uint8_t *),
			rte_pktmbuf_mtod(other, const uint8_t *), one->pkt_len, "packet %u", i);
	}
}

#define SAME(a, b, member)                                                                         \
	cr_assert_eq((a)->member, (b)->member, #member ": %lu, %lu", (unsigned long)(a)->member,   \
		(unsigned long)(b)->member)

static void
expect_requesters_equal(const struct rc_requester *a, const struct rc_requester *b)
{
	SAME(a, b, ring.head);
	SAME(a, b, ring.tail);
	SAME(a, b, una_psn);
	SAME(a, b, send_psn);
	SAME(a, b, next_psn);
	SAME(a, b, max_sent_psn);
	SAME(a, b, ack_wanted_psn);
	SAME(a, b, send_index);
	SAME(a, b, start_index);
	SAME(a, b, reads_outstanding);
	SAME(a, b, since_ack_request);
	SAME(a, b, retries_left);
	SAME(a, b, rnr_retries_left);
	SAME(a, b, timer.kind);
	SAME(a, b, timer.deadline_ns);
	for (uint32_t i = a->ring.head; i != a->start_index; i++) {
		const struct rc_send_wqe *one = rc_ring_at(&a->ring, i);
		const struct rc_send_wqe *other = rc_ring_at(&b->ring, i);

		SAME(one, other, first_psn);
		SAME(one, other, packet_count);
	}
}

static void
expect_equal(void)
{
	struct rc_peer *a = &pair.sides[0].peer, *b = &pair.sides[1].peer;
	struct rc_completion one[8], other[8];
	size_t count = rc_cq_poll(&a->send_cq, one, RTE_DIM(one));

	SAME(a->qp, b->qp, state);
	SAME(a->qp, b->qp, error);
	SAME(a, b, ctx.ip_id);
	SAME(a->qp, b->qp, cc.window);
	expect_requesters_equal(&a->qp->requester, &b->qp->requester);
	cr_assert_arr_eq(&a->ctx.counters, &b->ctx.counters, sizeof(a->ctx.counters));
	expect_packets_equal();
	cr_assert_eq(rc_cq_poll(&b->send_cq, other, RTE_DIM(other)), count);
	for (size_t i = 0; i < count; i++) {
		SAME(&one[i], &other[i], context);
		SAME(&one[i], &other[i], status);
		SAME(&one[i], &other[i], bytes);
	}
}

Test(burst, makes_what_the_cut_makes)
{
	uint64_t packets = 0, again = 0, failed = 0;

	for (uint32_t run = 0; run < RUNS; run++) {
		pair_start(run);
		for (uint32_t i = 0; i < STEPS; i++) {
			step();
			expect_equal();
		}
		packets += pair.sides[0].peer.ctx.counters.tx_packets;
		again += pair.sides[0].peer.ctx.counters.retransmitted_packets;
		failed += pair.sides[0].peer.qp->error == RC_LOCAL_PROTECTION;
		pair_stop();
	}
	cr_assert_gt(packets, RUNS * STEPS);
	cr_assert_gt(again, RUNS);
	cr_assert_gt(failed, 0);
}

static struct side *
one_start(void)
{
	struct rc_peer_options options;

	memset(&pair, 0, sizeof(pair));
	rc_peer_defaults(&options);
	options.qp.send_entries = ENTRIES;
	options.connect.pmtu_bytes = PMTU_MAX;
	options.qp.cc = &unlimited;
	side_start(&pair.sides[0], &options);
	return &pair.sides[0];
}

static void
one_post(struct side *side, enum rc_send_opcode opcode, uint32_t flags,
	const struct mem_region *region, uint64_t bytes)
{
	const struct mem_sge sge = {.region = region, .address = BASE, .length_bytes = bytes};
	const struct rc_send_wr wr = {
		.opcode = opcode, .flags = flags, .sgl = {.sges = &sge, .count = 1}};

	cr_assert_eq(rc_post_send(side->peer.qp, &wr), RC_OK);
}

static uint32_t
one_send(struct side *side)
{
	return rc_burst_send(side->peer.qp, RC_BURST_MAX, UINT32_MAX, side->peer.now_ns);
}

Test(burst, takes_all_usual_requests_and_stops_in_front_of_another)
{
	struct side *side = one_start();

	one_post(side, RC_WRITE, 0, side->region, 0);
	one_post(side, RC_WRITE, RC_SILENT, side->region, PMTU_MAX);
	one_post(side, RC_SEND, RC_SOLICITED, side->region, 1);
	one_post(side, RC_SEND_IMMEDIATE, 0, side->region, 9);
	one_post(side, RC_SEND, 0, side->region, PMTU_MAX + 1);
	one_post(side, RC_SEND, 0, side->region, 1);
	cr_assert_eq(one_send(side), 4);
	cr_assert_eq(side->peer.ctx.packet_count, 4);
	cr_assert_eq(one_send(side), 0);
	rc_peer_stop(&side->peer);
}

/* RC-009: a burst of READs and atomics obeys the limit of outstanding READs. */
Test(burst, takes_reads_and_atomics_up_to_their_limit)
{
	struct side *side = one_start();
	struct rc_requester *r = &side->peer.qp->requester;

	r->reads_max = 3;
	one_post(side, RC_READ, 0, side->region, PMTU_MAX);
	one_post(side, RC_FETCH_ADD, RC_SILENT, side->chain, RC_ATOMIC_BYTES);
	one_post(side, RC_SEND, 0, side->region, 1);
	for (uint32_t i = 0; i < 3; i++)
		one_post(side, RC_READ, 0, side->region, 0);
	cr_assert_eq(one_send(side), 2);
	cr_assert_eq(r->reads_outstanding, 2);
	cr_assert_eq(one_send(side), 1);
	cr_assert_eq(one_send(side), 1);
	cr_assert_eq(r->reads_outstanding, 3);
	cr_assert_eq(one_send(side), 0);

	/* READs and atomics that are retransmitted after a sequence NAK are not counted again. */
	rc_peer_inject_ack(&side->peer, r->una_psn, WIRE_NAK_SEQUENCE, 0);
	cr_assert_eq(r->send_index, r->ring.head);
	cr_assert_eq(one_send(side), 2);
	cr_assert_eq(one_send(side), 1);
	cr_assert_eq(one_send(side), 1);
	cr_assert_eq(one_send(side), 0);
	cr_assert_eq(r->reads_outstanding, 3);
	rc_peer_stop(&side->peer);
}

Test(burst, takes_a_single_request)
{
	struct side *side = one_start();

	one_post(side, RC_WRITE, 0, side->region, PMTU_MAX);
	cr_assert_eq(one_send(side), 1);
	one_post(side, RC_SEND, 0, side->region, 64);
	one_post(side, RC_SEND_IMMEDIATE, 0, side->region, 64);
	cr_assert_eq(rc_burst_send(side->peer.qp, 1, UINT32_MAX, side->peer.now_ns), 1);
	cr_assert_eq(rc_burst_send(side->peer.qp, 1, 0, side->peer.now_ns), 0);
	cr_assert_eq(rc_burst_send(side->peer.qp, 1, 1, side->peer.now_ns), 1);
	cr_assert_eq(one_send(side), 0);
	cr_assert_eq(side->peer.ctx.packet_count, 3);
	rc_peer_stop(&side->peer);
}

Test(burst, call_ends_behind_64_kb)
{
	const uint32_t packets = RC_BYTES_PER_CALL / PMTU_MAX;
	struct side *side = one_start();

	for (uint32_t i = 0; i < packets + 3; i++)
		one_post(side, RC_WRITE, RC_SILENT, side->region, PMTU_MAX);
	cr_assert(rc_requester_progress(side->peer.qp, side->peer.now_ns), "more is to be sent");
	cr_assert_eq(side->peer.ctx.packet_count, packets);
	cr_assert_not(rc_requester_progress(side->peer.qp, side->peer.now_ns));
	cr_assert_eq(side->peer.ctx.packet_count, packets + 3);
	rc_peer_stop(&side->peer);

	side = one_start();
	for (uint32_t i = 0; i < 5; i++)
		one_post(side, RC_WRITE, RC_SILENT, side->region, 8 * PMTU_MAX);
	cr_assert(rc_requester_progress(side->peer.qp, side->peer.now_ns));
	cr_assert_eq(side->peer.ctx.packet_count, packets);
	cr_assert_not(rc_requester_progress(side->peer.qp, side->peer.now_ns));
	cr_assert_eq(side->peer.ctx.packet_count, 5 * 8);
	rc_peer_stop(&side->peer);
}

/* The burst code leaves unusual requests to request.c, and changes no state for them. */
Test(burst, leaves_what_is_unusual)
{
	static const struct {
		enum rc_send_opcode opcode;
		uint32_t flags, bytes;
		bool chain, dead;
	} rows[] = {
		{RC_READ, 0, PMTU_MAX + 1, false, false},
		{RC_READ, RC_FENCE, 8, false, false},
		{RC_READ, 0, 8, false, true},
		{RC_FETCH_ADD, RC_FENCE, 8, false, false},
		{RC_FETCH_ADD, 0, 8, false, true},
		{RC_SEND, RC_FENCE, 8, false, false},
		{RC_WRITE, 0, PMTU_MAX + 1, false, false},
		{RC_WRITE, 0, 8, true, false},
		{RC_WRITE, 0, 8, false, true},
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct side *side = one_start();
		uint64_t release;
		struct rc_requester before;

		cr_assert_eq(mem_region_deregister(side->peer.mem, side->dead, &release), RC_OK);
		one_post(side, rows[i].opcode, rows[i].flags,
			rows[i].chain          ? side->chain
				: rows[i].dead ? side->dead
					       : side->region,
			rows[i].bytes);
		before = side->peer.qp->requester;
		cr_assert_eq(one_send(side), 0, "row %zu", i);
		cr_assert_arr_eq(&before, &side->peer.qp->requester, sizeof(before));
		cr_assert_eq(side->peer.ctx.packet_count, 0);
		rc_peer_check_leaks(&side->peer);
		rc_peer_stop(&side->peer);
	}
}
