/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/response_burst.h"

#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/rc_peer.h"

/*
 * Responses that are built in bursts must equal responses built one by one. Two queue pairs get the
 * same requests. The second queue pair sends no bursts, because its congestion control needs an
 * event for each packet. After each step, packets, state and counters of both queue pairs must be
 * equal.
 */

/* payloads of WIRE_FUSED_BYTES_MIN bytes or more use a different copy function */
#define PMTU_MAX     2048u
#define MEMORY_BYTES (16 * PMTU_MAX)
#define BASE         UINT64_C(0x40000)
#define READS        16u
#define RUNS         60u
#define STEPS        200u

struct side {
	struct rc_peer peer;
	struct mem_region *region; /* a region of one buffer */
	struct mem_region *chain;  /* a region of two buffers */
	struct mem_window *window;
	uint32_t keys[3]; /* keys of region, chain and window */
	alignas(8) uint8_t memory[MEMORY_BYTES];
};

struct request {
	struct wire_headers headers;
	uint32_t key; /* index in side.keys */
};

struct pair {
	struct side sides[2]; /* sides[0] builds bursts */
	struct base_random random;
	struct request past[8]; /* earlier requests, of which the test may send duplicates */
	uint32_t requests;
	uint32_t pmtu;
	bool dead; /* the window is invalidated */
};

static struct pair pair;

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&pair.random, bound);
}

static void
told(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns)
{
	(void)flow;
	(void)frame_bytes;
	(void)now_ns;
}

static const struct cc_events one_by_one = {.packet_sent = told};
static const struct cc_events in_bursts = {0};

static void
keys_make(struct side *side)
{
	const uint32_t rights = MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_ATOMIC;
	const struct mem_buffer buffers[2] = {
		{.address = side->memory, .length_bytes = 100},
		{.address = side->memory + 100, .length_bytes = MEMORY_BYTES - 100},
	};
	const struct mem_region_attr chain = {
		.base = BASE, .buffers = buffers, .buffer_count = 2, .rights = rights};
	struct mem_bind bind = {
		.address = BASE, .length_bytes = MEMORY_BYTES, .rights = MEM_REMOTE_READ};

	side->region = rc_peer_region(
		&side->peer, side->memory, MEMORY_BYTES, BASE, rights | MEM_WINDOW_BIND);
	cr_assert_eq(mem_region_register(side->peer.mem, &chain, &side->chain), RC_OK);
	cr_assert_eq(mem_window_create(side->peer.mem, NULL, &side->window), RC_OK);
	bind.region = side->region;
	bind.window = side->window;
	cr_assert_eq(mem_bind_now(side->peer.mem, &bind, side->peer.qp->qpn), RC_OK);
	side->keys[0] = mem_region_key(side->region);
	side->keys[1] = mem_region_key(side->chain);
	side->keys[2] = bind.key;
}

static void
pair_start(uint32_t run)
{
	const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {(uint8_t)run, 78};
	struct rc_peer_options options;

	memset(&pair, 0, sizeof(pair));
	base_random_seed(&pair.random, seed);
	pair.pmtu = run % 3 == 0 ? PMTU_MAX : 256;
	rc_peer_defaults(&options);
	options.qp.inbound_reads_max = READS;
	options.connect.inbound_reads = READS;
	options.connect.pmtu_bytes = (uint16_t)pair.pmtu;
	options.connect.receive_psn = PSN_MASK - below(100);
	options.connect.path.vlan = run % 5 == 1;
	options.pool_mbufs = run % 3 == 2 ? 12 : 511;
	for (int i = 0; i < 2; i++) {
		struct side *side = &pair.sides[i];

		rc_peer_start(&side->peer, &options);
		rc_peer_pattern(side->memory, MEMORY_BYTES, run);
		side->peer.qp->cc.events = i == 0 ? &in_bursts : &one_by_one;
		keys_make(side);
	}
}

static void
pair_stop(void)
{
	for (int i = 0; i < 2; i++)
		rc_peer_stop(&pair.sides[i].peer);
}

static void
drain(void)
{
	for (int i = 0; i < 2; i++)
		rc_peer_drain(&pair.sides[i].peer);
}

static void
inject(const struct request *request)
{
	struct wire_headers headers = request->headers;

	if (rte_mempool_avail_count(pair.sides[0].peer.pool) == 0)
		drain(); /* the request needs an mbuf, too */
	for (int i = 0; i < 2; i++) {
		headers.reth.rkey = headers.atomic.rkey = pair.sides[i].keys[request->key];
		rc_peer_inject(&pair.sides[i].peer, &headers, NULL, 0);
	}
}

static uint32_t
length_choose(void)
{
	const uint32_t edges[] = {
		0, 1, 2, 3, 64, 64, 64, pair.pmtu - 1, pair.pmtu, pair.pmtu + 1, 3 * pair.pmtu};

	return below(2) == 0 ? edges[below(RTE_DIM(edges))] : below(pair.pmtu + 1);
}

static void
request_send(void)
{
	static const uint8_t opcodes[] = {WIRE_RC_READ_REQUEST, WIRE_RC_READ_REQUEST,
		WIRE_RC_READ_REQUEST, WIRE_RC_FETCH_ADD, WIRE_RC_COMPARE_SWAP};
	struct request request = {.key = below(16)};
	struct wire_headers *headers = &request.headers;

	if (!rc_reads_room(&pair.sides[0].peer.qp->responder.reads))
		return;
	request.key = request.key < 2 ? request.key : request.key < 8 && !pair.dead ? 2 : 0;
	headers->bth.opcode = opcodes[below(RTE_DIM(opcodes))];
	headers->bth.psn = pair.sides[0].peer.qp->responder.expected_psn;
	headers->reth.address = BASE + below(200);
	headers->reth.length_bytes = length_choose();
	headers->atomic.address = BASE + 8 * below(8);
	headers->atomic.swap_add = base_random_u64(&pair.random);
	if (headers->bth.opcode != WIRE_RC_READ_REQUEST && request.key == 2)
		request.key = 0; /* the window permits no atomics */
	pair.past[pair.requests++ % RTE_DIM(pair.past)] = request;
	inject(&request);
}

static void
window_invalidate(void)
{
	for (int i = 0; i < 2; i++) {
		const struct side *side = &pair.sides[i];

		cr_assert_eq(
			mem_window_invalidate(side->peer.mem, side->window, side->peer.qp->qpn),
			RC_OK);
	}
	pair.dead = true;
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

	if (choice < 16)
		for (uint32_t count = below(READS + 1); count > 0; count--)
			request_send();
	else if (choice < 20 && pair.requests != 0)
		inject(&pair.past[below(RTE_MIN(pair.requests, RTE_DIM(pair.past)))]);
	else if (choice == 20 && !pair.dead && below(4) == 0)
		window_invalidate();
	else if (choice < 28)
		drain();
	if (below(4) != 0)
		progress();
}

#define SAME(a, b, member)                                                                         \
	cr_assert_eq((a)->member, (b)->member, #member ": %lu, %lu", (unsigned long)(a)->member,   \
		(unsigned long)(b)->member)

static void
expect_packets_equal(const struct rc_context *a, const struct rc_context *b)
{
	SAME(a, b, packet_count);
	for (uint32_t i = 0; i < a->packet_count; i++) {
		const struct rte_mbuf *one = a->packets[i], *other = b->packets[i];

		SAME(one, other, nb_segs);
		SAME(one, other, data_len);
		SAME(one, other, pkt_len);
		SAME(one, other, ol_flags);
		cr_assert_arr_eq(rte_pktmbuf_mtod(one, const uint8_t *),
			rte_pktmbuf_mtod(other, const uint8_t *), one->pkt_len, "packet %u", i);
	}
}

static void
expect_equal(void)
{
	const struct rc_peer *a = &pair.sides[0].peer, *b = &pair.sides[1].peer;
	const struct rc_reads *one = &a->qp->responder.reads, *other = &b->qp->responder.reads;

	SAME(a->qp, b->qp, state);
	SAME(a->qp, b->qp, error);
	SAME(a->qp, b->qp, duties);
	SAME(one, other, record_count);
	SAME(one, other, job_head);
	SAME(one, other, job_tail);
	SAME(one, other, replay_count);
	SAME(one, other, paced_until_ns);
	SAME(a, b, ctx.ip_id);
	cr_assert_arr_eq(&a->ctx.counters, &b->ctx.counters, sizeof(a->ctx.counters));
	expect_packets_equal(&a->ctx, &b->ctx);
}

Test(response_burst, makes_what_is_made_one_by_one)
{
	uint64_t packets = 0, refused = 0;

	for (uint32_t run = 0; run < RUNS; run++) {
		const struct rc_peer *peer = &pair.sides[0].peer;

		pair_start(run);
		for (uint32_t i = 0; i < STEPS && peer->qp->state == RC_QP_RTS; i++) {
			step();
			expect_equal();
		}
		packets += peer->ctx.counters.tx_packets;
		refused += peer->ctx.counters.refused[MEM_REFUSED_KEY];
		pair_stop();
	}
	cr_assert_gt(packets, RUNS * STEPS);
	cr_assert_gt(refused, 5);
}

static struct side *
one_start(void)
{
	pair_start(0);
	return &pair.sides[0];
}

static void
one_read(struct side *side, uint32_t key, uint32_t bytes)
{
	const struct wire_reth_value reth = {
		.address = BASE, .rkey = side->keys[key], .length_bytes = bytes};

	rc_peer_read(&side->peer, side->peer.qp->responder.expected_psn, &reth);
}

static uint32_t
one_send(struct side *side)
{
	return rc_response_burst_send(side->peer.qp, RC_BURST_MAX, UINT32_MAX, side->peer.now_ns);
}

Test(response_burst, takes_all_usual_responses_and_stops_in_front_of_another)
{
	struct side *side = one_start();
	uint32_t psn = side->peer.qp->responder.expected_psn;

	one_read(side, 0, 0);
	one_read(side, 0, PMTU_MAX);
	one_read(side, 2, 64);
	one_read(side, 0, PMTU_MAX + 1);
	one_read(side, 0, 64);
	cr_assert_eq(rc_response_burst_send(side->peer.qp, 1, UINT32_MAX, 0), 1);
	cr_assert_eq(rc_response_burst_send(side->peer.qp, RC_BURST_MAX, 1, 0), 1);
	cr_assert_eq(one_send(side), 1);
	cr_assert_eq(one_send(side), 0);
	for (uint32_t i = 0; i < 3; i++) {
		struct rc_peer_packet packet;

		cr_assert(rc_peer_next(&side->peer, &packet));
		cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
		cr_assert_eq(packet.view.bth.psn, psn_add(psn, i));
		cr_assert_eq(packet.view.aeth.msn, i + 1);
	}
	pair_stop();
}

/* The burst code refuses these READs without changing anything. read_response.c answers them. */
Test(response_burst, leaves_what_is_unusual)
{
	struct side *side = one_start();
	struct rc_reads before;

	one_read(side, 1, 101); /* two buffers */
	one_read(side, 2, 8);
	for (int i = 0; i < 2; i++) {
		before = side->peer.qp->responder.reads;
		cr_assert_eq(one_send(side), 0);
		cr_assert_arr_eq(&before, &side->peer.qp->responder.reads, sizeof(before));
		cr_assert_eq(side->peer.ctx.packet_count, 0);
		rc_peer_check_leaks(&side->peer);
		side->peer.qp->responder.reads.job_head++;
		if (i == 0)
			window_invalidate(); /* now the key of the second READ is invalid */
	}
	pair_stop();
}

/* RC-159: if a READ has an invalid key, earlier READs are answered, and later READs are not. */
Test(response_burst, nothing_is_read_through_a_key_that_died)
{
	struct side *side = one_start();
	uint32_t psn = side->peer.qp->responder.expected_psn;
	struct rc_peer_packet packet;

	one_read(side, 0, 64);
	one_read(side, 2, 64);
	one_read(side, 0, 64);
	window_invalidate();
	rc_peer_progress(&side->peer);
	cr_assert_eq(side->peer.ctx.packet_count, 2);
	cr_assert_eq(side->peer.ctx.counters.refused[MEM_REFUSED_KEY], 1);
	cr_assert(rc_peer_next(&side->peer, &packet));
	rc_peer_expect_ack(&side->peer, WIRE_NAK_REMOTE_ACCESS, psn_add(psn, 1));
	pair_stop();
}
