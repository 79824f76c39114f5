/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/rc_pair.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define STEPS_MAX  2000000
#define LATENCY_NS 1000
#define RIGHTS                                                                                     \
	(MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC | MEM_WINDOW_BIND)

struct rc_pair rc_pair;
static struct rc_completion taken;

uint32_t
rc_pair_random(void)
{
	rc_pair.state =
		rc_pair.state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(rc_pair.state >> 33);
}

static void
start_end(struct rc_pair_end *end, struct rc_pair_end *other, const struct rc_peer_options *options)
{
	rc_peer_start(&end->peer, options);
	end->other = other;
	end->adds = 0;
	end->memory = calloc(1, RC_PAIR_BYTES);
	end->region = rc_peer_region(&end->peer, end->memory, RC_PAIR_BYTES, RC_PAIR_BASE, RIGHTS);
}

void
rc_pair_start(uint16_t pmtu_bytes, uint32_t first_psn)
{
	struct rc_peer_options options;
	struct wire_path back;

	rc_peer_defaults(&options);
	options.connect.pmtu_bytes = pmtu_bytes;
	options.connect.ack_timeout = 8; /* 1 ms */
	options.connect.retry_count = 7;
	options.connect.rnr_retry_count = 7;
	options.connect.send_psn = first_psn;
	options.connect.receive_psn = first_psn ^ 0x5A5A;
	options.connect.selective = rc_pair.selective;
	options.connect.keep_packets = rc_pair.keep;
	options.keep.mbufs_max = rc_pair.keep;
	options.keep.reorder_ns = 10000;
	options.pool_mbufs = 2047;
	start_end(&rc_pair.a, &rc_pair.b, &options);

	back = options.connect.path;
	back.src = options.connect.path.dst;
	back.dst = options.connect.path.src;
	options.connect.path = back;
	options.connect.send_psn = first_psn ^ 0x5A5A;
	options.connect.receive_psn = first_psn;
	options.connect.remote_qpn = RC_PEER_QPN;
	options.qp.qpn = RC_PEER_REMOTE_QPN;
	start_end(&rc_pair.b, &rc_pair.a, &options);
	rc_pair.now_ns = 1000;
	rc_pair.trace = nd_trace_open(&(struct nd_trace_config){.complete = true});
	cr_assert_not_null(rc_pair.trace);
}

static void
check_trace(void)
{
	const struct nd_trace_violation *violation = nd_trace_violation(rc_pair.trace, 0);
	const struct nd_trace_connection *report;

	cr_assert_eq(nd_trace_violation_count(rc_pair.trace), 0, "frame %lu: %s: %s; seed %lu",
		violation->frame, violation->rule, violation->text, rc_pair.seed);
	cr_assert_eq(nd_trace_connection_count(rc_pair.trace), 1);
	report = nd_trace_connection(rc_pair.trace, 0);
	cr_assert_eq(
		report->side[0].atomics + report->side[1].atomics, rc_pair.a.adds + rc_pair.b.adds);
	nd_trace_close(rc_pair.trace);
}

void
rc_pair_stop(void)
{
	struct rc_completion completion;

	cr_assert_eq(rc_pair.link_count, 0);
	check_trace();
	cr_assert_eq(rc_cq_poll(&rc_pair.a.peer.send_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&rc_pair.b.peer.send_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&rc_pair.a.peer.receive_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&rc_pair.b.peer.receive_cq, &completion, 1), 0, "left over");
	rc_peer_stop(&rc_pair.a.peer);
	rc_peer_stop(&rc_pair.b.peer);
	free(rc_pair.a.memory);
	free(rc_pair.b.memory);
}

void
rc_pair_lossy(uint64_t seed, unsigned drop, unsigned duplicate, unsigned late)
{
	rc_pair = (struct rc_pair){
		.seed = seed, .state = seed, .drop = drop, .duplicate = duplicate, .late = late};
}

void
rc_pair_recovery(bool selective, uint16_t keep)
{
	rc_pair.selective = selective;
	rc_pair.keep = keep;
}

static void
put_on_link(struct rc_pair_end *from, struct rte_mbuf *mbuf)
{
	bool perfect = rc_pair.drop + rc_pair.duplicate + rc_pair.late == 0;
	uint64_t due_ns = rc_pair.now_ns + (perfect ? 0 : LATENCY_NS);
	uint8_t scratch[LIMIT_PMTU_MAX + 256];

	nd_trace_frame(rc_pair.trace, rc_pair.now_ns,
		rte_pktmbuf_read(mbuf, 0, mbuf->pkt_len, scratch), mbuf->pkt_len, mbuf->pkt_len);
	if (rc_pair_random() % 1000 < rc_pair.drop) {
		rte_pktmbuf_free(mbuf);
		return;
	}
	if (rc_pair_random() % 1000 < rc_pair.late)
		due_ns += rc_pair_random() % 20000;
	cr_assert_lt(rc_pair.link_count, RC_PAIR_LINK_MAX);
	rc_pair.link[rc_pair.link_count++] = (struct rc_pair_packet){
		.mbuf = mbuf,
		.to = &from->other->peer,
		.due_ns = due_ns,
		.order = rc_pair.link_order++,
	};
}

static void
collect(struct rc_pair_end *end)
{
	struct rc_context *ctx = &end->peer.ctx;

	for (unsigned i = 0; i < ctx->packet_count; i++) {
		struct rte_mbuf *mbuf = ctx->packets[i];

		if (rc_pair_random() % 1000 < rc_pair.duplicate) {
			struct rte_mbuf *copy =
				rte_pktmbuf_copy(mbuf, end->peer.pool, 0, UINT32_MAX);

			if (copy != NULL)
				put_on_link(end, copy);
		}
		put_on_link(end, mbuf);
	}
	ctx->packet_count = 0;
}

static unsigned
earliest(void)
{
	unsigned best = 0;

	for (unsigned i = 1; i < rc_pair.link_count; i++)
		if (rc_pair.link[i].due_ns < rc_pair.link[best].due_ns ||
			(rc_pair.link[i].due_ns == rc_pair.link[best].due_ns &&
				rc_pair.link[i].order < rc_pair.link[best].order))
			best = i;
	return best;
}

void
rc_pair_deliver(void)
{
	rc_pair.now_ns = RTE_MAX(rc_pair.now_ns, rc_pair.link[earliest()].due_ns);
	for (unsigned i = 0; i < LIMIT_BURST && rc_pair.link_count > 0; i++) {
		unsigned best = earliest();
		struct rc_pair_packet packet = rc_pair.link[best];

		if (packet.due_ns > rc_pair.now_ns)
			break;
		rc_pair.link[best] = rc_pair.link[--rc_pair.link_count];
		packet.to->now_ns = rc_pair.now_ns;
		rc_peer_input(packet.to, packet.mbuf);
	}
}

bool
rc_pair_progress(struct rc_pair_end *end)
{
	bool again;

	end->peer.now_ns = rc_pair.now_ns;
	again = rc_peer_progress(&end->peer);
	collect(end);
	return again;
}

void
rc_pair_run(void)
{
	for (unsigned step = 0; step < STEPS_MAX; step++) {
		bool again = rc_pair_progress(&rc_pair.a);

		again |= rc_pair_progress(&rc_pair.b);

		if (rc_pair.link_count > 0) {
			rc_pair_deliver();
		} else if (!again) {
			uint64_t deadline_ns = RTE_MIN(rc_qp_deadline(rc_pair.a.peer.qp),
				rc_qp_deadline(rc_pair.b.peer.qp));

			if (deadline_ns == BASE_TIME_NEVER)
				return;
			rc_pair.now_ns = RTE_MAX(rc_pair.now_ns, deadline_ns);
		}
	}
	cr_assert_fail("stuck, seed %lu, time %lu ns", rc_pair.seed, rc_pair.now_ns);
}

static struct mem_sge
local(struct rc_pair_end *end, uint64_t offset, uint32_t bytes)
{
	return (struct mem_sge){RC_PAIR_BASE + offset, bytes, end->region};
}

void
rc_pair_post(struct rc_pair_end *end, struct rc_send_wr *wr, uint64_t offset, uint32_t bytes)
{
	struct mem_sge sge = local(end, offset, bytes);
	enum rc_status status;

	wr->sgl = (struct mem_sgl){&sge, bytes > 0};
	status = rc_post_send(end->peer.qp, wr);
	cr_assert_eq(status, RC_OK, "%s", rc_status_name(status));
}

void
rc_pair_expect(struct rc_cq *cq, enum rc_completion_kind kind, void *context, uint32_t bytes)
{
	struct rc_completion completion = rc_peer_completion(cq);

	taken = completion;
	cr_assert_eq(completion.status, RC_OK, "%s, seed %lu", rc_status_name(completion.status),
		rc_pair.seed);
	cr_assert_eq(completion.kind, kind, "kind %u, %u expected", completion.kind, kind);
	cr_assert_eq(completion.context, context, "seed %lu", rc_pair.seed);
	if (kind != RC_COMPLETION_BIND && kind != RC_COMPLETION_INVALIDATE &&
		kind != RC_COMPLETION_WINDOW_INVALIDATED)
		cr_assert_eq(
			completion.bytes, bytes, "%u bytes, %u expected", completion.bytes, bytes);
}

void
rc_pair_expect_equal(const uint8_t *got, const uint8_t *want, uint32_t bytes, const char *what)
{
	for (uint32_t i = 0; i < bytes; i++)
		cr_assert_eq(got[i], want[i],
			"%s of %u bytes: byte %u is 0x%02x, not 0x%02x; seed %lu", what, bytes, i,
			got[i], want[i], rc_pair.seed);
}

void
rc_pair_prepare(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes)
{
	rc_peer_pattern(from->memory + RC_PAIR_FROM, bytes, rc_pair_random());
	memset(to->memory + RC_PAIR_TO - 1, 0xEE, bytes + 2);
}

void
rc_pair_check(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes, const char *what)
{
	rc_pair_expect_equal(to->memory + RC_PAIR_TO, from->memory + RC_PAIR_FROM, bytes, what);
	cr_assert_eq(to->memory[RC_PAIR_TO - 1], 0xEE, "%s: byte in front", what);
	cr_assert_eq(to->memory[RC_PAIR_TO + bytes], 0xEE, "%s: byte behind", what);
}

static void
try_send(uint32_t bytes, bool invalidate, uint32_t key, void *cookie)
{
	struct rc_send_wr wr = {
		.opcode = invalidate ? RC_SEND_INVALIDATE : RC_SEND, .context = &wr, .rkey = key};

	rc_pair_prepare(&rc_pair.a, &rc_pair.b, bytes);
	rc_peer_post_receive(
		&rc_pair.b.peer, &rc_pair.b, rc_pair.b.region, RC_PAIR_BASE + RC_PAIR_TO, bytes);
	rc_pair_post(&rc_pair.a, &wr, RC_PAIR_FROM, bytes);
	rc_pair_run();
	rc_pair_expect(&rc_pair.a.peer.send_cq, RC_COMPLETION_SEND, &wr, bytes);
	if (invalidate)
		rc_pair_expect(
			&rc_pair.b.peer.receive_cq, RC_COMPLETION_WINDOW_INVALIDATED, cookie, 0);
	rc_pair_expect(&rc_pair.b.peer.receive_cq, RC_COMPLETION_RECEIVE, &rc_pair.b, bytes);
	rc_pair_check(&rc_pair.a, &rc_pair.b, bytes, invalidate ? "SEND w/ Invalidate" : "SEND");
}

static void
try_write(uint32_t bytes, uint32_t key)
{
	struct rc_send_wr wr = {.opcode = RC_WRITE,
		.context = &wr,
		.rkey = key,
		.remote_address = RC_PAIR_BASE + RC_PAIR_TO};

	rc_pair_prepare(&rc_pair.a, &rc_pair.b, bytes);
	rc_pair_post(&rc_pair.a, &wr, RC_PAIR_FROM, bytes);
	rc_pair_run();
	rc_pair_expect(&rc_pair.a.peer.send_cq, RC_COMPLETION_WRITE, &wr, bytes);
	rc_pair_check(&rc_pair.a, &rc_pair.b, bytes, "WRITE");
}

static void
try_read(uint32_t bytes, uint32_t key)
{
	struct rc_send_wr wr = {.opcode = RC_READ,
		.context = &wr,
		.rkey = key,
		.remote_address = RC_PAIR_BASE + RC_PAIR_FROM};

	rc_pair_prepare(&rc_pair.b, &rc_pair.a, bytes);
	rc_pair_post(&rc_pair.a, &wr, RC_PAIR_TO, bytes);
	rc_pair_run();
	rc_pair_expect(&rc_pair.a.peer.send_cq, RC_COMPLETION_READ, &wr, bytes);
	rc_pair_check(&rc_pair.b, &rc_pair.a, bytes, "READ");
}

/* Bind a window on b, access it from a, and let a (`remotely`) or b invalidate it. */
static void
try_window(uint32_t bytes, bool remotely)
{
	struct rc_send_wr wr = {.opcode = RC_BIND, .context = &wr};

	wr.bind = (struct mem_bind){
		.region = rc_pair.b.region,
		.address = RC_PAIR_BASE,
		.length_bytes = RC_PAIR_BYTES,
		.rights = MEM_REMOTE_READ | MEM_REMOTE_WRITE,
	};
	cr_assert_eq(mem_window_create(rc_pair.b.peer.mem, &wr, &wr.bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(rc_pair.b.peer.mem, &wr.bind, rc_pair.b.peer.qp->qpn), RC_OK);
	rc_pair_post(&rc_pair.b, &wr, 0, 0);
	rc_pair_run();
	rc_pair_expect(&rc_pair.b.peer.send_cq, RC_COMPLETION_BIND, &wr, 0);
	try_write(bytes, wr.bind.key);
	try_read(bytes, wr.bind.key);
	if (remotely) {
		try_send(bytes, true, wr.bind.key, &wr);
	} else {
		struct rc_send_wr end = {
			.opcode = RC_INVALIDATE, .context = &end, .window = wr.bind.window};

		cr_assert_eq(mem_invalidate_prepare(
				     rc_pair.b.peer.mem, wr.bind.window, rc_pair.b.peer.qp->qpn),
			RC_OK);
		rc_pair_post(&rc_pair.b, &end, 0, 0);
		rc_pair_run();
		rc_pair_expect(&rc_pair.b.peer.send_cq, RC_COMPLETION_INVALIDATE, &end, 0);
	}
	cr_assert_eq(mem_window_destroy(rc_pair.b.peer.mem, wr.bind.window, &(struct mem_grace){0}),
		RC_OK);
}

void
rc_pair_all_sizes(uint16_t pmtu)
{
	const uint32_t sizes[] = {0, 1, pmtu - 1u, pmtu, pmtu + 1u, RC_PAIR_LONG};

	for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
		try_send(sizes[i], false, 0, NULL);
		try_write(sizes[i], mem_region_key(rc_pair.b.region));
		try_read(sizes[i], mem_region_key(rc_pair.b.region));
		try_window(sizes[i], false);
		try_window(sizes[i], true);
	}
}

/* ---- many requests at once, in both directions ---- */

#define BATCH 14
#define PLACE (RC_PAIR_BYTES / 64)
#define WORD  (UINT64_C(30) * PLACE)

struct planned {
	enum rc_send_opcode opcode;
	uint32_t bytes;
	uint32_t immediate;
	uint64_t original; /* FETCH_ADD: expected original value */
};

/*
 * Post a FETCH_ADD of 1, which must be executed exactly once even if packets are lost or
 * duplicated.
 */
static void
post_fetch_add(struct rc_pair_end *end, struct planned *planned, uint64_t sink)
{
	struct rc_send_wr wr = {
		.opcode = RC_FETCH_ADD,
		.context = planned,
		.rkey = mem_region_key(end->other->region),
		.remote_address = RC_PAIR_BASE + WORD,
		.operands = {.swap_add = 1},
	};

	planned->bytes = RC_ATOMIC_BYTES;
	planned->original = end->adds++;
	rc_pair_post(end, &wr, sink, RC_ATOMIC_BYTES);
}

/*
 * Request i of an end uses place i, which is an area of PLACE bytes. The data to send are in place
 * i of the end that posts the request. The data to write go to place i of the peer's end.
 */
static void
post_batch(struct rc_pair_end *end, struct planned *plan)
{
	struct rc_pair_end *other = end->other;
	uint8_t seed = end == &rc_pair.a ? 1 : 2;

	for (uint32_t i = 0; i < BATCH; i++) {
		static const enum rc_send_opcode opcodes[] = {RC_SEND, RC_WRITE, RC_READ,
			RC_SEND_IMMEDIATE, RC_WRITE_IMMEDIATE, RC_FETCH_ADD};
		struct rc_send_wr wr = {.context = &plan[i], .immediate = rc_pair_random()};
		uint64_t source = i * PLACE, target = (32 + i) * PLACE;

		plan[i].opcode = wr.opcode = opcodes[rc_pair_random() % RTE_DIM(opcodes)];
		plan[i].bytes = rc_pair_random() % PLACE;
		plan[i].immediate = wr.immediate;
		wr.rkey = mem_region_key(other->region);
		wr.flags = wr.opcode == RC_SEND && rc_pair_random() % 2 ? RC_FENCE : 0;
		rc_peer_pattern(end->memory + source, PLACE, seed * 100 + i);
		memset(other->memory + target, 0, PLACE);
		if (wr.opcode == RC_READ) {
			/*
			 * The READ copies the source place of the peer's end into the upper quarter
			 * of this end's memory.
			 */
			wr.remote_address = RC_PAIR_BASE + source;
			rc_pair_post(end, &wr, (48 + i) * PLACE, plan[i].bytes);
			continue;
		}
		if (wr.opcode == RC_FETCH_ADD) {
			post_fetch_add(end, &plan[i], (48 + i) * PLACE);
			continue;
		}
		wr.remote_address = RC_PAIR_BASE + target;
		if (wr.opcode == RC_SEND || wr.opcode == RC_SEND_IMMEDIATE)
			rc_peer_post_receive(&other->peer, &plan[i], other->region,
				RC_PAIR_BASE + target, plan[i].bytes);
		if (wr.opcode == RC_WRITE_IMMEDIATE)
			rc_peer_post_receive(&other->peer, &plan[i], NULL, 0, 0);
		rc_pair_post(end, &wr, source, plan[i].bytes);
	}
}

static void
check_receive(struct rc_pair_end *end, struct planned *planned)
{
	static const uint8_t flags[] = {
		[RC_SEND] = 0,
		[RC_SEND_IMMEDIATE] = RC_WITH_IMMEDIATE,
		[RC_WRITE_IMMEDIATE] = RC_WITH_IMMEDIATE | RC_OF_WRITE,
	};
	uint32_t immediate = planned->opcode == RC_SEND ? 0 : rte_cpu_to_be_32(planned->immediate);

	rc_pair_expect(&end->peer.receive_cq, RC_COMPLETION_RECEIVE, planned, planned->bytes);
	cr_assert_eq(taken.flags, flags[planned->opcode], "flags %u, seed %lu", taken.flags,
		rc_pair.seed);
	cr_assert_eq(taken.immediate, immediate, "seed %lu", rc_pair.seed);
}

static void
check_original(const struct rc_pair_end *end, const struct planned *planned, uint64_t sink)
{
	uint64_t original;

	memcpy(&original, end->memory + sink, sizeof(original));
	cr_assert_eq(original, planned->original, "%lu was there, not %lu, seed %lu", original,
		planned->original, rc_pair.seed);
}

static void
check_batch(struct rc_pair_end *end, struct planned *plan)
{
	static const enum rc_completion_kind kinds[] = {
		[RC_SEND] = RC_COMPLETION_SEND,
		[RC_SEND_IMMEDIATE] = RC_COMPLETION_SEND,
		[RC_WRITE] = RC_COMPLETION_WRITE,
		[RC_WRITE_IMMEDIATE] = RC_COMPLETION_WRITE,
		[RC_READ] = RC_COMPLETION_READ,
		[RC_FETCH_ADD] = RC_COMPLETION_ATOMIC,
	};
	struct rc_pair_end *other = end->other;

	for (uint32_t i = 0; i < BATCH; i++) {
		rc_pair_expect(&end->peer.send_cq, kinds[plan[i].opcode], &plan[i], plan[i].bytes);
		if (plan[i].opcode == RC_SEND || plan[i].opcode == RC_SEND_IMMEDIATE ||
			plan[i].opcode == RC_WRITE_IMMEDIATE)
			check_receive(other, &plan[i]);
		if (plan[i].opcode == RC_FETCH_ADD)
			check_original(end, &plan[i], (48 + i) * PLACE);
		else if (plan[i].opcode == RC_READ)
			rc_pair_expect_equal(end->memory + (48 + i) * PLACE,
				other->memory + i * PLACE, plan[i].bytes, "READ");
		else
			rc_pair_expect_equal(other->memory + (32 + i) * PLACE,
				end->memory + i * PLACE, plan[i].bytes, "SEND or WRITE");
	}
}

void
rc_pair_batches(unsigned count)
{
	struct planned plan_a[BATCH], plan_b[BATCH];

	for (unsigned round = 0; round < count; round++) {
		post_batch(&rc_pair.a, plan_a);
		post_batch(&rc_pair.b, plan_b);
		rc_pair_run();
		check_batch(&rc_pair.a, plan_a);
		check_batch(&rc_pair.b, plan_b);
	}
	/* RC-058: no atomic was executed twice, because the word equals the number of adds. */
	cr_assert_eq(
		memcmp(rc_pair.b.memory + WORD, &rc_pair.a.adds, 8), 0, "seed %lu", rc_pair.seed);
	cr_assert_eq(
		memcmp(rc_pair.a.memory + WORD, &rc_pair.b.adds, 8), 0, "seed %lu", rc_pair.seed);
	cr_assert_gt(rc_pair.a.adds + rc_pair.b.adds, 0);
}
