/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_trace.h>

#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Two queue pairs joined back to back, in virtual time: a perfect wire without latency, and one
 * that drops, repeats and reorders packets as a seed says. Every request must complete once, with
 * success, and with the right bytes at the right place; and who reads along must find no fault.
 */

#define BASE       UINT64_C(0x5000000)
#define AREA       (1u << 18)
#define LONG_BYTES 65536u
#define LINK_MAX   4096
#define STEPS_MAX  2000000
#define LATENCY_NS 1000
#define RIGHTS                                                                                     \
	(MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC | MEM_WINDOW_BIND)

struct in_flight {
	struct rte_mbuf *mbuf;
	struct rc_peer *to;
	uint64_t due_ns;
	uint64_t order; /* of two due at the same time, the older goes first */
};

struct end {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t *memory;
	struct end *other;
	uint64_t adds; /* posted: what the next one must find in the other's memory */
};

struct pair {
	struct end a;
	struct end b;
	/* Wire: of 1000 packets so many are dropped, repeated, and late. */
	unsigned drop;
	unsigned duplicate;
	unsigned late;
	uint64_t seed;
	uint64_t state;
	struct in_flight link[LINK_MAX];
	unsigned link_count;
	uint64_t link_order;
	uint64_t now_ns;
	struct nd_trace *trace; /* follows what is sent */
};

static struct pair p;
static struct rc_completion taken; /* by the last expect() */

static uint32_t
next(void)
{
	p.state = p.state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(p.state >> 33);
}

static void
start_end(struct end *end, struct end *other, const struct rc_peer_options *options)
{
	rc_peer_start(&end->peer, options);
	end->other = other;
	end->adds = 0;
	end->memory = calloc(1, AREA);
	end->region = rc_peer_region(&end->peer, end->memory, AREA, BASE, RIGHTS);
}

static void
start(uint16_t pmtu_bytes, uint32_t first_psn)
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
	options.pool_mbufs = 2047;
	start_end(&p.a, &p.b, &options);

	back = options.connect.path;
	back.src = options.connect.path.dst;
	back.dst = options.connect.path.src;
	options.connect.path = back;
	options.connect.send_psn = first_psn ^ 0x5A5A;
	options.connect.receive_psn = first_psn;
	options.connect.remote_qpn = RC_PEER_QPN;
	options.qp.qpn = RC_PEER_REMOTE_QPN;
	start_end(&p.b, &p.a, &options);
	p.now_ns = 1000;
	p.trace = nd_trace_open(&(struct nd_trace_config){.complete = true});
	cr_assert_not_null(p.trace);
}

static void
check_trace(void)
{
	const struct nd_trace_violation *violation = nd_trace_violation(p.trace, 0);
	const struct nd_trace_connection *report;

	cr_assert_eq(nd_trace_violation_count(p.trace), 0, "frame %lu: %s: %s; seed %lu",
		violation->frame, violation->rule, violation->text, p.seed);
	cr_assert_eq(nd_trace_connection_count(p.trace), 1);
	report = nd_trace_connection(p.trace, 0);
	cr_assert_eq(report->side[0].atomics + report->side[1].atomics, p.a.adds + p.b.adds);
	nd_trace_close(p.trace);
}

static void
stop(void)
{
	struct rc_completion completion;

	cr_assert_eq(p.link_count, 0);
	check_trace();
	cr_assert_eq(rc_cq_poll(&p.a.peer.send_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&p.b.peer.send_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&p.a.peer.receive_cq, &completion, 1), 0, "left over");
	cr_assert_eq(rc_cq_poll(&p.b.peer.receive_cq, &completion, 1), 0, "left over");
	rc_peer_stop(&p.a.peer);
	rc_peer_stop(&p.b.peer);
	free(p.a.memory);
	free(p.b.memory);
}

static void
lossy(uint64_t seed, unsigned drop, unsigned duplicate, unsigned late)
{
	p = (struct pair){
		.seed = seed, .state = seed, .drop = drop, .duplicate = duplicate, .late = late};
}

static void
put_on_link(struct end *from, struct rte_mbuf *mbuf)
{
	bool perfect = p.drop + p.duplicate + p.late == 0;
	uint64_t due_ns = p.now_ns + (perfect ? 0 : LATENCY_NS);
	uint8_t scratch[LIMIT_PMTU_MAX + 256];

	nd_trace_frame(p.trace, p.now_ns, rte_pktmbuf_read(mbuf, 0, mbuf->pkt_len, scratch),
		mbuf->pkt_len, mbuf->pkt_len);
	if (next() % 1000 < p.drop) {
		rte_pktmbuf_free(mbuf);
		return;
	}
	if (next() % 1000 < p.late)
		due_ns += next() % 20000;
	cr_assert_lt(p.link_count, LINK_MAX);
	p.link[p.link_count++] = (struct in_flight){
		.mbuf = mbuf,
		.to = &from->other->peer,
		.due_ns = due_ns,
		.order = p.link_order++,
	};
}

static void
collect(struct end *end)
{
	struct rc_context *ctx = &end->peer.ctx;

	for (unsigned i = 0; i < ctx->packet_count; i++) {
		struct rte_mbuf *mbuf = ctx->packets[i];

		if (next() % 1000 < p.duplicate) {
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

	for (unsigned i = 1; i < p.link_count; i++)
		if (p.link[i].due_ns < p.link[best].due_ns ||
			(p.link[i].due_ns == p.link[best].due_ns &&
				p.link[i].order < p.link[best].order))
			best = i;
	return best;
}

/* Deliver what is due next, up to a burst. */
static void
deliver(void)
{
	p.now_ns = RTE_MAX(p.now_ns, p.link[earliest()].due_ns);
	for (unsigned i = 0; i < LIMIT_BURST && p.link_count > 0; i++) {
		unsigned best = earliest();
		struct in_flight packet = p.link[best];

		if (packet.due_ns > p.now_ns)
			break;
		p.link[best] = p.link[--p.link_count];
		packet.to->now_ns = p.now_ns;
		rc_peer_input(packet.to, packet.mbuf);
	}
}

static bool
progress(struct end *end)
{
	bool again;

	end->peer.now_ns = p.now_ns;
	again = rc_peer_progress(&end->peer);
	collect(end);
	return again;
}

/* Until nothing moves any more and nobody waits for time. */
static void
run(void)
{
	for (unsigned step = 0; step < STEPS_MAX; step++) {
		bool again = progress(&p.a);

		again |= progress(&p.b);

		if (p.link_count > 0) {
			deliver();
		} else if (!again) {
			uint64_t deadline_ns =
				RTE_MIN(rc_qp_deadline(p.a.peer.qp), rc_qp_deadline(p.b.peer.qp));

			if (deadline_ns == BASE_TIME_NEVER)
				return;
			p.now_ns = RTE_MAX(p.now_ns, deadline_ns);
		}
	}
	cr_assert_fail("stuck, seed %lu, time %lu ns", p.seed, p.now_ns);
}

static struct mem_sge
local(struct end *end, uint64_t offset, uint32_t bytes)
{
	return (struct mem_sge){BASE + offset, bytes, end->region};
}

static void
post(struct end *end, struct rc_send_wr *wr, uint64_t offset, uint32_t bytes)
{
	struct mem_sge sge = local(end, offset, bytes);
	enum rc_status status;

	wr->sgl = (struct mem_sgl){&sge, bytes > 0};
	status = rc_post_send(end->peer.qp, wr);
	cr_assert_eq(status, RC_OK, "%s", rc_status_name(status));
}

static void
expect(struct rc_cq *cq, enum rc_completion_kind kind, void *context, uint32_t bytes)
{
	struct rc_completion completion = rc_peer_completion(cq);

	taken = completion;
	cr_assert_eq(completion.status, RC_OK, "%s, seed %lu", rc_status_name(completion.status),
		p.seed);
	cr_assert_eq(completion.kind, kind, "kind %u, %u expected", completion.kind, kind);
	cr_assert_eq(completion.context, context, "seed %lu", p.seed);
	if (kind != RC_COMPLETION_BIND && kind != RC_COMPLETION_INVALIDATE &&
		kind != RC_COMPLETION_WINDOW_INVALIDATED)
		cr_assert_eq(
			completion.bytes, bytes, "%u bytes, %u expected", completion.bytes, bytes);
}

static void
expect_equal(const uint8_t *got, const uint8_t *want, uint32_t bytes, const char *what)
{
	for (uint32_t i = 0; i < bytes; i++)
		cr_assert_eq(got[i], want[i],
			"%s of %u bytes: byte %u is 0x%02x, not 0x%02x; seed %lu", what, bytes, i,
			got[i], want[i], p.seed);
}

/*
 * From the lower half of one memory to the upper half of the other, odd offsets, neighbours
 * untouched.
 */
#define FROM 33
#define TO   (AREA / 2 + 7)

static void
prepare(struct end *from, struct end *to, uint32_t bytes)
{
	rc_peer_pattern(from->memory + FROM, bytes, next());
	memset(to->memory + TO - 1, 0xEE, bytes + 2);
}

static void
check(struct end *from, struct end *to, uint32_t bytes, const char *what)
{
	expect_equal(to->memory + TO, from->memory + FROM, bytes, what);
	cr_assert_eq(to->memory[TO - 1], 0xEE, "%s: byte in front", what);
	cr_assert_eq(to->memory[TO + bytes], 0xEE, "%s: byte behind", what);
}

static void
try_send(uint32_t bytes, bool invalidate, uint32_t key, void *cookie)
{
	struct rc_send_wr wr = {
		.opcode = invalidate ? RC_SEND_INVALIDATE : RC_SEND, .context = &wr, .rkey = key};

	prepare(&p.a, &p.b, bytes);
	rc_peer_post_receive(&p.b.peer, &p.b, p.b.region, BASE + TO, bytes);
	post(&p.a, &wr, FROM, bytes);
	run();
	expect(&p.a.peer.send_cq, RC_COMPLETION_SEND, &wr, bytes);
	if (invalidate)
		expect(&p.b.peer.receive_cq, RC_COMPLETION_WINDOW_INVALIDATED, cookie, 0);
	expect(&p.b.peer.receive_cq, RC_COMPLETION_RECEIVE, &p.b, bytes);
	check(&p.a, &p.b, bytes, invalidate ? "SEND w/ Invalidate" : "SEND");
}

static void
try_write(uint32_t bytes, uint32_t key)
{
	struct rc_send_wr wr = {
		.opcode = RC_WRITE, .context = &wr, .rkey = key, .remote_address = BASE + TO};

	prepare(&p.a, &p.b, bytes);
	post(&p.a, &wr, FROM, bytes);
	run();
	expect(&p.a.peer.send_cq, RC_COMPLETION_WRITE, &wr, bytes);
	check(&p.a, &p.b, bytes, "WRITE");
}

static void
try_read(uint32_t bytes, uint32_t key)
{
	struct rc_send_wr wr = {
		.opcode = RC_READ, .context = &wr, .rkey = key, .remote_address = BASE + FROM};

	prepare(&p.b, &p.a, bytes);
	post(&p.a, &wr, TO, bytes);
	run();
	expect(&p.a.peer.send_cq, RC_COMPLETION_READ, &wr, bytes);
	check(&p.b, &p.a, bytes, "READ");
}

/* Bind on b, use the window from a, end it either way. */
static void
try_window(uint32_t bytes, bool remotely)
{
	struct rc_send_wr wr = {.opcode = RC_BIND, .context = &wr};

	wr.bind = (struct mem_bind){
		.region = p.b.region,
		.address = BASE,
		.length_bytes = AREA,
		.rights = MEM_REMOTE_READ | MEM_REMOTE_WRITE,
	};
	cr_assert_eq(mem_window_create(p.b.peer.mem, &wr, &wr.bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(p.b.peer.mem, &wr.bind), RC_OK);
	post(&p.b, &wr, 0, 0);
	run();
	expect(&p.b.peer.send_cq, RC_COMPLETION_BIND, &wr, 0);
	try_write(bytes, wr.bind.key);
	try_read(bytes, wr.bind.key);
	if (remotely) {
		try_send(bytes, true, wr.bind.key, &wr);
	} else {
		struct rc_send_wr end = {
			.opcode = RC_INVALIDATE, .context = &end, .window = wr.bind.window};

		cr_assert_eq(mem_invalidate_prepare(p.b.peer.mem, wr.bind.window), RC_OK);
		post(&p.b, &end, 0, 0);
		run();
		expect(&p.b.peer.send_cq, RC_COMPLETION_INVALIDATE, &end, 0);
	}
	cr_assert_eq(mem_window_destroy(p.b.peer.mem, wr.bind.window), RC_OK);
}

static void
try_all_sizes(uint16_t pmtu)
{
	const uint32_t sizes[] = {0, 1, pmtu - 1u, pmtu, pmtu + 1u, LONG_BYTES};

	for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
		try_send(sizes[i], false, 0, NULL);
		try_write(sizes[i], mem_region_key(p.b.region));
		try_read(sizes[i], mem_region_key(p.b.region));
		try_window(sizes[i], false);
		try_window(sizes[i], true);
	}
}

static const uint16_t pmtus[] = {256, 512, 1024, 2048, 4096};

Test(rc_pair, perfect_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		const struct rc_counters *a, *b;

		lossy(1, 0, 0, 0);
		start(pmtus[m], 0x123456);
		try_all_sizes(pmtus[m]);
		a = &p.a.peer.ctx.counters;
		b = &p.b.peer.ctx.counters;
		cr_assert_eq(a->retransmitted_packets + b->retransmitted_packets, 0);
		cr_assert_eq(a->rx_duplicates + b->rx_duplicates, 0);
		cr_assert_eq(a->rx_ahead + b->rx_ahead, 0);
		cr_assert_eq(a->drop_ghost + b->drop_ghost, 0);
		cr_assert_eq(p.now_ns, 1000, "B-041: nothing waited for a timer");
		stop();
	}
}

/* B-028 with both halves real. */
Test(rc_pair, perfect_wire_over_psn_wrap_b028)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		lossy(1, 0, 0, 0);
		start(pmtus[m], 0xFFFFFF - m);
		try_all_sizes(pmtus[m]);
		stop();
	}
}

Test(rc_pair, lossy_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			lossy(seed, 20, 20, 0);
			start(pmtus[m], 0xFFFFF0);
			try_all_sizes(pmtus[m]);
			cr_assert_gt(p.a.peer.ctx.counters.retransmitted_packets, 0);
			stop();
		}
}

Test(rc_pair, reordering_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		lossy(40 + m, 0, 10, 30);
		start(pmtus[m], 0x7FFFF0);
		try_all_sizes(pmtus[m]);
		stop();
	}
}

/* ---- many requests at once, in both directions ---- */

#define BATCH 14
#define PLACE (AREA / 64)
#define WORD  (UINT64_C(30) * PLACE) /* that FETCH_ADDs work on */

struct planned {
	enum rc_send_opcode opcode;
	uint32_t bytes;
	uint32_t immediate;
	uint64_t original; /* FETCH_ADD: what it must find */
};

/* Each adds 1, and is executed once, whatever happens to its packets. */
static void
post_fetch_add(struct end *end, struct planned *planned, uint64_t sink)
{
	struct rc_send_wr wr = {
		.opcode = RC_FETCH_ADD,
		.context = planned,
		.rkey = mem_region_key(end->other->region),
		.remote_address = BASE + WORD,
		.operands = {.swap_add = 1},
	};

	planned->bytes = RC_ATOMIC_BYTES;
	planned->original = end->adds++;
	post(end, &wr, sink, RC_ATOMIC_BYTES);
}

/*
 * Request i of an end uses place i: of its own memory for what it sends, of the other's for what it
 * writes.
 */
static void
post_batch(struct end *end, struct planned *plan)
{
	struct end *other = end->other;
	uint8_t seed = end == &p.a ? 1 : 2;

	for (uint32_t i = 0; i < BATCH; i++) {
		static const enum rc_send_opcode opcodes[] = {RC_SEND, RC_WRITE, RC_READ,
			RC_SEND_IMMEDIATE, RC_WRITE_IMMEDIATE, RC_FETCH_ADD};
		struct rc_send_wr wr = {.context = &plan[i], .immediate = next()};
		uint64_t source = i * PLACE, target = (32 + i) * PLACE;

		plan[i].opcode = wr.opcode = opcodes[next() % RTE_DIM(opcodes)];
		plan[i].bytes = next() % PLACE;
		plan[i].immediate = wr.immediate;
		wr.rkey = mem_region_key(other->region);
		wr.flags = wr.opcode == RC_SEND && next() % 2 ? RC_FENCE : 0;
		rc_peer_pattern(end->memory + source, PLACE, seed * 100 + i);
		memset(other->memory + target, 0, PLACE);
		if (wr.opcode == RC_READ) {
			/*
			 * READ reads what the other end sends from, into the upper quarter of its
			 * own.
			 */
			wr.remote_address = BASE + source;
			post(end, &wr, (48 + i) * PLACE, plan[i].bytes);
			continue;
		}
		if (wr.opcode == RC_FETCH_ADD) {
			post_fetch_add(end, &plan[i], (48 + i) * PLACE);
			continue;
		}
		wr.remote_address = BASE + target;
		if (wr.opcode == RC_SEND || wr.opcode == RC_SEND_IMMEDIATE)
			rc_peer_post_receive(&other->peer, &plan[i], other->region, BASE + target,
				plan[i].bytes);
		if (wr.opcode == RC_WRITE_IMMEDIATE)
			rc_peer_post_receive(&other->peer, &plan[i], NULL, 0, 0);
		post(end, &wr, source, plan[i].bytes);
	}
}

static void
check_receive(struct end *end, struct planned *planned)
{
	static const uint8_t flags[] = {
		[RC_SEND] = 0,
		[RC_SEND_IMMEDIATE] = RC_WITH_IMMEDIATE,
		[RC_WRITE_IMMEDIATE] = RC_WITH_IMMEDIATE | RC_OF_WRITE,
	};
	uint32_t immediate = planned->opcode == RC_SEND ? 0 : rte_cpu_to_be_32(planned->immediate);

	expect(&end->peer.receive_cq, RC_COMPLETION_RECEIVE, planned, planned->bytes);
	cr_assert_eq(
		taken.flags, flags[planned->opcode], "flags %u, seed %lu", taken.flags, p.seed);
	cr_assert_eq(taken.immediate, immediate, "seed %lu", p.seed);
}

static void
check_original(const struct end *end, const struct planned *planned, uint64_t sink)
{
	uint64_t original;

	memcpy(&original, end->memory + sink, sizeof(original));
	cr_assert_eq(original, planned->original, "%lu was there, not %lu, seed %lu", original,
		planned->original, p.seed);
}

static void
check_batch(struct end *end, struct planned *plan)
{
	static const enum rc_completion_kind kinds[] = {
		[RC_SEND] = RC_COMPLETION_SEND,
		[RC_SEND_IMMEDIATE] = RC_COMPLETION_SEND,
		[RC_WRITE] = RC_COMPLETION_WRITE,
		[RC_WRITE_IMMEDIATE] = RC_COMPLETION_WRITE,
		[RC_READ] = RC_COMPLETION_READ,
		[RC_FETCH_ADD] = RC_COMPLETION_ATOMIC,
	};
	struct end *other = end->other;

	for (uint32_t i = 0; i < BATCH; i++) {
		expect(&end->peer.send_cq, kinds[plan[i].opcode], &plan[i], plan[i].bytes);
		if (plan[i].opcode == RC_SEND || plan[i].opcode == RC_SEND_IMMEDIATE ||
			plan[i].opcode == RC_WRITE_IMMEDIATE)
			check_receive(other, &plan[i]);
		if (plan[i].opcode == RC_FETCH_ADD)
			check_original(end, &plan[i], (48 + i) * PLACE);
		else if (plan[i].opcode == RC_READ)
			expect_equal(end->memory + (48 + i) * PLACE, other->memory + i * PLACE,
				plan[i].bytes, "READ");
		else
			expect_equal(other->memory + (32 + i) * PLACE, end->memory + i * PLACE,
				plan[i].bytes, "SEND or WRITE");
	}
}

static void
batches(unsigned count)
{
	struct planned plan_a[BATCH], plan_b[BATCH];

	for (unsigned round = 0; round < count; round++) {
		post_batch(&p.a, plan_a);
		post_batch(&p.b, plan_b);
		run();
		check_batch(&p.a, plan_a);
		check_batch(&p.b, plan_b);
	}
	/* RC-058: no atomic was executed twice. */
	cr_assert_eq(memcmp(p.b.memory + WORD, &p.a.adds, 8), 0, "seed %lu", p.seed);
	cr_assert_eq(memcmp(p.a.memory + WORD, &p.b.adds, 8), 0, "seed %lu", p.seed);
	cr_assert_gt(p.a.adds + p.b.adds, 0);
}

Test(rc_pair, perfect_wire_pipelined_both_ways)
{
	lossy(5, 0, 0, 0);
	start(1024, 0x10);
	batches(40);
	cr_assert_eq(p.a.peer.ctx.counters.retransmitted_packets, 0);
	stop();
}

Test(rc_pair, lossy_wire_pipelined_both_ways)
{
	for (uint64_t seed = 100; seed < 120; seed++) {
		lossy(seed, 10 + (unsigned)seed % 3 * 20, 10, (unsigned)seed % 2 * 20);
		start(pmtus[seed % RTE_DIM(pmtus)], 0xFFFF00);
		batches(10);
		stop();
	}
}

/* Receives that come late: RNR NAKs on a lossy wire, nothing lost, order kept. */
Test(rc_pair, late_receives_on_lossy_wire)
{
	lossy(9, 30, 10, 10);
	start(512, 0x42);
	for (unsigned round = 0; round < 20; round++) {
		uint32_t bytes = next() % 5000;
		struct rc_send_wr wr = {.opcode = RC_SEND, .context = &wr};

		prepare(&p.a, &p.b, bytes);
		post(&p.a, &wr, FROM, bytes);
		for (unsigned step = 0; step < 30; step++) {
			progress(&p.a);
			progress(&p.b);
			if (p.link_count > 0)
				deliver();
		}
		rc_peer_post_receive(&p.b.peer, &p.b, p.b.region, BASE + TO, bytes);
		run();
		expect(&p.a.peer.send_cq, RC_COMPLETION_SEND, &wr, bytes);
		expect(&p.b.peer.receive_cq, RC_COMPLETION_RECEIVE, &p.b, bytes);
		check(&p.a, &p.b, bytes, "SEND");
	}
	cr_assert_gt(p.b.peer.ctx.counters.tx_rnr_naks, 0);
	stop();
}

/*
 * B-086, B-087, ND-049: the window ends under running WRITEs: both ends fail, and not a byte
 * follows.
 */
Test(rc_pair, write_through_dead_window_fails_both_ends_nd049)
{
	struct rc_send_wr bind = {.opcode = RC_BIND};
	struct rc_send_wr wr = {.opcode = RC_WRITE, .remote_address = BASE};
	struct rc_completion completion;

	lossy(1, 0, 0, 0);
	start(1024, 0x42);
	bind.bind = (struct mem_bind){
		.region = p.b.region,
		.address = BASE,
		.length_bytes = AREA,
		.rights = MEM_REMOTE_WRITE,
	};
	cr_assert_eq(mem_window_create(p.b.peer.mem, NULL, &bind.bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(p.b.peer.mem, &bind.bind), RC_OK);
	post(&p.b, &bind, 0, 0);
	run();
	expect(&p.b.peer.send_cq, RC_COMPLETION_BIND, NULL, 0);
	rc_peer_post_receive(&p.b.peer, NULL, p.b.region, BASE, 16);
	rc_peer_pattern(p.a.memory, LONG_BYTES, 3);
	wr.rkey = bind.bind.key;
	post(&p.a, &wr, 0, LONG_BYTES);
	progress(&p.a);
	deliver(); /* one burst of 32 packets of 64 */
	cr_assert_eq(
		mem_window_invalidate(p.b.peer.mem, bind.bind.window, RC_PEER_REMOTE_QPN), RC_OK);
	run();
	completion = rc_peer_completion(&p.a.peer.send_cq);
	cr_assert_eq(completion.status, RC_REMOTE_ACCESS);
	cr_assert_eq(p.a.peer.qp->state, RC_QP_ERROR);
	cr_assert_eq(p.b.peer.qp->state, RC_QP_ERROR);
	completion = rc_peer_completion(&p.b.peer.receive_cq);
	cr_assert_eq(completion.status, RC_FLUSHED, "ND-054");
	expect_equal(p.b.memory, p.a.memory, LIMIT_BURST * 1024, "WRITE");
	for (uint32_t i = LIMIT_BURST * 1024; i < AREA; i++)
		cr_assert_eq(p.b.memory[i], 0, "byte %u written through a dead key", i);
	stop();
}
