/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/response_usual.h"

#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/rc_peer.h"

/*
 * Two identical queue pairs, the twins, get the same responses. The first twin uses the fast path,
 * and falls back to the slow path if the fast path does not accept a packet. The second twin uses
 * only the slow path. Their state, completions, counters and memory must be equal. A fast path that
 * does not accept a packet must not change anything.
 */

#define PMTU    256u
#define BASE    UINT64_C(0x40000)
#define AREA    4096u
#define ENTRIES 16u
#define RUNS    300u
#define STEPS   300u

/*
 * A packet does not have all headers of the view. Poison the headers that it lacks, so that
 * AddressSanitizer reports any read of them.
 */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
#include <sanitizer/asan_interface.h>
#define UNREADABLE(member) ASAN_POISON_MEMORY_REGION(member, sizeof(*(member)))
#define READABLE(member)   ASAN_UNPOISON_MEMORY_REGION(member, sizeof(*(member)))
#else
#define UNREADABLE(member) ((void)(member))
#define READABLE(member)   ((void)(member))
#endif

struct twin {
	struct rc_peer peer;
	struct mem_region *regions[2]; /* regions[1] is deregistered during the run */
	alignas(8) uint8_t memory[AREA];
};

struct snapshot {
	struct rc_qp qp;
	struct rc_counters counters;
	struct rc_cq cq;
	uint8_t memory[AREA];
};

static struct twin twins[2]; /* only twins[0] uses the fast path */
static struct base_random source;
static bool deregistered;
static uint32_t accepted[256], left, failed;

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&source, bound);
}

static bool
one_in(uint32_t count)
{
	return below(count) == 0;
}

static void
start(uint32_t run)
{
	const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {(uint8_t)run, (uint8_t)(run >> 8), 79};
	struct rc_peer_options options;

	base_random_seed(&source, seed);
	rc_peer_defaults(&options);
	options.qp.send_entries = ENTRIES;
	options.cq_entries = one_in(10) ? 4 : 64;
	options.connect.pmtu_bytes = PMTU;
	options.connect.ack_timeout = 10;
	options.connect.retry_count = 7;
	options.connect.send_psn = PSN_MASK - below(100);
	deregistered = false;
	for (int i = 0; i < 2; i++) {
		struct twin *twin = &twins[i];

		memset(twin, 0, sizeof(*twin));
		rc_peer_start(&twin->peer, &options);
		for (int j = 0; j < 2; j++)
			twin->regions[j] = rc_peer_region(
				&twin->peer, twin->memory, AREA, BASE, MEM_LOCAL_WRITE);
	}
}

static void
post(void)
{
	static const enum rc_send_opcode opcodes[] = {
		RC_READ, RC_READ, RC_READ, RC_FETCH_ADD, RC_COMPARE_SWAP, RC_SEND, RC_WRITE};
	enum rc_send_opcode opcode = opcodes[below(RTE_DIM(opcodes))];
	uint32_t bytes = one_in(4) ? below(3 * PMTU) : one_in(8) ? 0 : 1 + below(PMTU);
	uint32_t offset = 8 * below(64), cut = one_in(6) ? bytes / 2 : bytes;
	uint32_t region = one_in(50), flags = one_in(5) ? RC_SILENT : 0;
	void *context = (void *)(uintptr_t)base_random_u32(&source);

	if (opcode == RC_FETCH_ADD || opcode == RC_COMPARE_SWAP)
		bytes = cut = RC_ATOMIC_BYTES;
	for (int i = 0; i < 2; i++) {
		const struct mem_region *to = twins[i].regions[region];
		const struct mem_sge sges[2] = {
			{BASE + offset, cut, to}, {BASE + AREA / 2 + offset, bytes - cut, to}};
		const struct rc_send_wr wr = {
			.opcode = opcode,
			.flags = flags,
			.context = context,
			.sgl = {sges, cut == bytes ? 1 : 2},
		};

		cr_assert_eq(rc_post_send(twins[i].peer.qp, &wr), RC_OK);
	}
}

static void
application(void)
{
	const struct rc_ring *ring = &twins[0].peer.qp->requester.ring;
	bool poll = !one_in(3), passing = !deregistered && one_in(200);
	uint64_t ns = one_in(20) ? 5000000 : 1000;
	struct rc_completion completions[ENTRIES];
	uint64_t release;

	for (uint32_t count = below(6); count > 0 && !rc_ring_full(ring); count--)
		post();
	for (int i = 0; i < 2; i++) {
		struct twin *twin = &twins[i];

		if (poll)
			rc_cq_poll(&twin->peer.send_cq, completions, ENTRIES);
		if (passing)
			cr_assert_eq(
				mem_region_deregister(twin->peer.mem, twin->regions[1], &release),
				RC_OK);
		twin->peer.now_ns += ns;
		while (rc_peer_progress(&twin->peer))
			rc_peer_drain(&twin->peer);
		rc_peer_drain(&twin->peer);
	}
	deregistered |= passing;
}

/* @return opcode of a response to the oldest request; rarely a wrong one */
static uint8_t
random_opcode(const struct rc_send_wqe *wqe, uint32_t index)
{
	static const uint8_t any[] = {WIRE_RC_READ_RESPONSE_ONLY, WIRE_RC_READ_RESPONSE_FIRST,
		WIRE_RC_READ_RESPONSE_MIDDLE, WIRE_RC_READ_RESPONSE_LAST,
		WIRE_RC_ATOMIC_ACKNOWLEDGE, WIRE_RC_ACKNOWLEDGE};
	bool ends = index + 1 == wqe->packet_count;

	if (one_in(300))
		return any[below(RTE_DIM(any))];
	if (wqe->opcode == RC_SEND || wqe->opcode == RC_WRITE)
		return WIRE_RC_ACKNOWLEDGE;
	if (wqe->opcode != RC_READ)
		return WIRE_RC_ATOMIC_ACKNOWLEDGE;
	if (index == 0)
		return ends ? WIRE_RC_READ_RESPONSE_ONLY : WIRE_RC_READ_RESPONSE_FIRST;
	return ends ? WIRE_RC_READ_RESPONSE_LAST : WIRE_RC_READ_RESPONSE_MIDDLE;
}

static struct rte_mbuf *
random_frame(struct wire_view *view)
{
	const struct rc_requester *r = &twins[0].peer.qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);
	uint32_t index = psn_distance(r->una_psn, wqe->first_psn);
	struct wire_headers headers = {
		.bth = {.opcode = random_opcode(wqe, index), .psn = r->una_psn},
		.aeth = {.syndrome = one_in(300) ? (uint8_t)below(256) : WIRE_SYNDROME_ACK},
		.atomic_original = base_random_u64(&source),
	};
	uint16_t bytes = (uint16_t)RTE_MIN(wqe->length_bytes - index * PMTU, PMTU);
	uint8_t payload[3 * PMTU + 4];
	struct rte_mbuf *mbuf;

	if (wqe->opcode == RC_READ && one_in(200)) {
		headers.bth.opcode = WIRE_RC_READ_RESPONSE_ONLY;
		bytes = (uint16_t)wqe->length_bytes; /* length that may exceed the path MTU */
	}
	if (one_in(20))
		headers.bth.psn = psn_add(r->una_psn, below(5) - 2);
	if (one_in(300))
		bytes = (uint16_t)below(PMTU);
	if (!wire_opcode_traits(headers.bth.opcode)->has_payload)
		bytes = 0;
	rc_peer_pattern(payload, sizeof(payload), base_random_u32(&source));
	mbuf = rc_peer_frame(&twins[0].peer, &headers, payload, bytes);
	cr_assert_eq(wire_parse(mbuf, view), WIRE_OK);
	if (one_in(20))
		rc_peer_split(mbuf, 1 + below(mbuf->data_len - 1u));
	return mbuf;
}

static void
snapshot_take(struct snapshot *snapshot)
{
	const struct rc_peer *peer = &twins[0].peer;

	snapshot->qp = *peer->qp;
	snapshot->counters = peer->ctx.counters;
	snapshot->cq = peer->send_cq;
	memcpy(snapshot->memory, twins[0].memory, AREA);
}

static void
fast_input(const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	static struct snapshot before, after;
	struct rc_peer *peer = &twins[0].peer;

	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	snapshot_take(&before);
	if (rc_response_usual(peer->qp, mbuf, view, peer->now_ns)) {
		accepted[view->bth.opcode]++;
		return;
	}
	left++;
	snapshot_take(&after);
	cr_assert_arr_eq(&before, &after, sizeof(before), "changed, though not accepted: %s",
		view->traits->name);
	rc_response_ladder(peer->qp, mbuf, view, peer->now_ns);
}

static void
response(void)
{
	struct wire_view view;
	struct rte_mbuf *mbuf = random_frame(&view);

	if (!view.traits->has_aeth)
		UNREADABLE(&view.aeth);
	if (!view.traits->has_atomic_ack_eth)
		UNREADABLE(&view.atomic_original);
	fast_input(mbuf, &view);
	rc_response_ladder(twins[1].peer.qp, mbuf, &view, twins[1].peer.now_ns);
	for (int i = 0; i < 2; i++) {
		if (rc_qp_failed(twins[i].peer.qp))
			rc_qp_end(twins[i].peer.qp);
		rc_peer_events(&twins[i].peer);
	}
	rte_pktmbuf_free(mbuf);
	READABLE(&view);
}

#define SAME(a, b, member)                                                                         \
	cr_assert_eq((a)->member, (b)->member, #member ": %lu, %lu", (unsigned long)(a)->member,   \
		(unsigned long)(b)->member)

static void
requesters_compare(const struct rc_requester *a, const struct rc_requester *b)
{
	SAME(a, b, ring.head);
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
	SAME(a, b, go_back_pending);
	SAME(a, b, went_back);
	SAME(a, b, timer.kind);
	SAME(a, b, timer.doublings);
	SAME(a, b, timer.deadline_ns);
}

static void
cqs_compare(const struct rc_cq *a, const struct rc_cq *b)
{
	SAME(a, b, head);
	SAME(a, b, tail);
	SAME(a, b, overrun);
	for (uint32_t i = a->head; i != a->tail; i++) {
		const struct rc_completion *one = &a->ring[i & a->mask];
		const struct rc_completion *other = &b->ring[i & b->mask];

		SAME(one, other, context);
		SAME(one, other, status);
		SAME(one, other, kind);
		SAME(one, other, bytes);
	}
}

static void
compare(void)
{
	const struct rc_peer *a = &twins[0].peer, *b = &twins[1].peer;

	SAME(a->qp, b->qp, state);
	SAME(a->qp, b->qp, error);
	SAME(a->qp, b->qp, duties);
	SAME(a->qp, b->qp, cc.window);
	requesters_compare(&a->qp->requester, &b->qp->requester);
	cqs_compare(&a->send_cq, &b->send_cq);
	cr_assert_arr_eq(&a->ctx.counters, &b->ctx.counters, sizeof(a->ctx.counters));
	cr_assert_arr_eq(twins[0].memory, twins[1].memory, AREA);
}

Test(response_usual, both_ways_are_one)
{
	const struct rc_peer *peer = &twins[0].peer;

	for (uint32_t run = 0; run < RUNS; run++) {
		start(run);
		for (uint32_t i = 0; i < STEPS && peer->qp->state == RC_QP_RTS; i++) {
			const struct rc_requester *r = &peer->qp->requester;

			if (one_in(4) || r->una_psn == r->max_sent_psn)
				application();
			else
				response();
			compare();
		}
		failed += peer->qp->state == RC_QP_ERROR;
		for (int i = 0; i < 2; i++)
			rc_peer_stop(&twins[i].peer);
	}
	cr_assert_gt(accepted[WIRE_RC_READ_RESPONSE_ONLY], 10 * RUNS);
	cr_assert_eq(accepted[WIRE_RC_ATOMIC_ACKNOWLEDGE] + accepted[WIRE_RC_READ_RESPONSE_FIRST] +
			accepted[WIRE_RC_READ_RESPONSE_LAST] +
			accepted[WIRE_RC_READ_RESPONSE_MIDDLE] + accepted[WIRE_RC_ACKNOWLEDGE],
		0);
	cr_assert_gt(left, 10 * RUNS);
	cr_assert_gt(failed, RUNS / 4);
}
