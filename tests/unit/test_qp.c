/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include <rte_malloc.h>

#include "support/eal.h"
#include "support/rc_peer.h"

/* Test how queue pairs are created and end, and which packets they accept without damage. */

#define PMTU      1024
#define BASE      UINT64_C(0x80000000)
#define AREA      (8 * PMTU)
#define FIRST_PSN RC_PEER_PSN

Test(qp, create_attributes_out_of_range_refused)
{
	struct rc_peer_options options;
	struct rc_qp_attr attr;
	struct rc_peer peer;
	struct rc_qp *qp;

	rc_peer_start(&peer, NULL);
	rc_peer_defaults(&options);
	options.qp.send_cq = &peer.send_cq;
	options.qp.receive_cq = &peer.receive_cq;
#define REFUSED(member, value)                                                                     \
	do {                                                                                       \
		attr = options.qp;                                                                 \
		attr.member = (value);                                                             \
		cr_assert_eq(rc_qp_create(&peer.ctx, &attr, &qp), RC_INVALID_ARGUMENT, #member);   \
	} while (0)
	REFUSED(qpn, 0);
	REFUSED(qpn, 1);
	REFUSED(qpn, 0xFFFFFF);
	REFUSED(qpn, 0x1000000);
	REFUSED(send_cq, NULL);
	REFUSED(receive_cq, NULL);
	REFUSED(receive_entries, LIMIT_QUEUE_ENTRIES + 1);
	REFUSED(send_entries, LIMIT_QUEUE_ENTRIES + 1);
	REFUSED(receive_sge_max, LIMIT_SGE + 1);
	REFUSED(send_sge_max, LIMIT_SGE + 1);
	REFUSED(inline_max, LIMIT_INLINE_BYTES + 1);
	REFUSED(inbound_reads_max, LIMIT_READS + 1);
#undef REFUSED

	attr = options.qp;
	attr.receive_sge_max = attr.send_sge_max = LIMIT_SGE;
	attr.inline_max = LIMIT_INLINE_BYTES;
	attr.inbound_reads_max = LIMIT_READS;
	cr_assert_eq(rc_qp_create(&peer.ctx, &attr, &qp), RC_OK, "ND-082: the maxima");
	rc_qp_destroy(qp);
	attr = (struct rc_qp_attr){
		.qpn = 2,
		.send_cq = &peer.send_cq,
		.receive_cq = &peer.send_cq,
		.socket_id = SOCKET_ID_ANY,
	};
	cr_assert_eq(rc_qp_create(&peer.ctx, &attr, &qp), RC_OK, "ND-079, ND-081: the minima");
	rc_qp_destroy(qp);
	rc_peer_stop(&peer);
}

/*
 * The caller provides the memory for a queue pair. Even a full receive queue must not write beyond
 * rc_qp_bytes().
 */
Test(qp, memory_of_the_caller_is_used_and_stays)
{
	enum { GUARD = RTE_CACHE_LINE_SIZE };
	struct rc_receive_wr receive = {.context = &receive};
	struct rc_peer_options options;
	struct rc_peer peer;
	struct rc_qp *qp;
	uint8_t *memory;
	size_t bytes;

	rc_peer_start(&peer, NULL);
	rc_peer_defaults(&options);
	options.qp.send_cq = &peer.send_cq;
	options.qp.receive_cq = &peer.receive_cq;
	bytes = rc_qp_bytes(&options.qp);
	cr_assert_eq(bytes % RTE_CACHE_LINE_SIZE, 0);
	memory = rte_zmalloc(NULL, bytes + GUARD, RTE_CACHE_LINE_SIZE);
	memset(memory + bytes, 0xA5, GUARD);
	options.qp.memory = memory;
	cr_assert_eq(rc_qp_create(&peer.ctx, &options.qp, &qp), RC_OK);
	cr_assert_eq((void *)qp, (void *)memory);
	while (rc_post_receive(qp, &receive) == RC_OK)
		;
	cr_assert_eq(rc_ring_count(&qp->responder.ring), options.qp.receive_entries);
	rc_qp_destroy(qp);
	for (size_t i = 0; i < GUARD; i++)
		cr_assert_eq(memory[bytes + i], 0xA5);
	cr_assert_eq(rte_malloc_validate(memory, NULL), 0, "still allocated");
	rte_free(memory);
	rc_peer_stop(&peer);
}

Test(qp, connect_attributes_out_of_range_refused)
{
	struct rc_qp_connect_attr attr;
	struct rc_peer_options options;
	struct rc_peer peer;

	rc_peer_defaults(&options);
	options.stay_init = true;
	rc_peer_start(&peer, &options);
#define REFUSED(member, value)                                                                     \
	do {                                                                                       \
		attr = options.connect;                                                            \
		attr.member = (value);                                                             \
		cr_assert_eq(rc_qp_connect(peer.qp, &attr), RC_INVALID_ARGUMENT, #member);         \
	} while (0)
	REFUSED(remote_qpn, 0);
	REFUSED(remote_qpn, 0x1000001);
	REFUSED(pmtu_bytes, 0);
	REFUSED(pmtu_bytes, 128);
	REFUSED(pmtu_bytes, 1000);
	REFUSED(pmtu_bytes, 8192);
	REFUSED(send_psn, 0x1000000);
	REFUSED(receive_psn, 0x1000000);
	REFUSED(outbound_reads, LIMIT_READS + 1);
	REFUSED(inbound_reads, 5);
	REFUSED(ack_timeout, 32);
	REFUSED(retry_count, 8);
	REFUSED(rnr_retry_count, 8);
	REFUSED(rnr_timer, 32);
	REFUSED(path.dst.raw[0], 0xFE);
#undef REFUSED
	cr_assert_eq(peer.qp->state, RC_QP_INIT);
	cr_assert_eq(rc_qp_connect(peer.qp, &options.connect), RC_OK);
	cr_assert_eq(peer.qp->state, RC_QP_RTS);
	cr_assert_eq(rc_qp_connect(peer.qp, &options.connect), RC_INVALID_ARGUMENT, "once");
	rc_qp_error(peer.qp, RC_FLUSHED);
	cr_assert_eq(rc_qp_connect(peer.qp, &options.connect), RC_INVALID_ARGUMENT, "ND-190");
	rc_peer_stop(&peer);
}

static struct wire_view
parsed(struct rte_mbuf *mbuf)
{
	struct wire_view view;

	cr_assert_eq(wire_parse(mbuf, &view), WIRE_OK);
	return view;
}

static struct rte_mbuf *
empty_send(struct rc_peer *peer)
{
	return rc_peer_frame(peer,
		&(struct wire_headers){.bth = {.opcode = WIRE_RC_SEND_ONLY, .psn = FIRST_PSN}},
		NULL, 0);
}

/* RC-020, RC-121: packets are accepted only in state RTS. */
Test(qp, packets_dropped_unless_ready_rc020_rc121)
{
	struct rc_peer_options options;
	struct rc_peer peer;

	rc_peer_defaults(&options);
	options.stay_init = true;
	rc_peer_start(&peer, &options);
	rc_peer_input(&peer, empty_send(&peer));
	cr_assert_eq(peer.ctx.counters.drop_state, 1);
	cr_assert_not(rc_peer_progress(&peer));
	cr_assert_eq(rc_qp_deadline(peer.qp), BASE_TIME_NEVER);
	cr_assert_eq(rc_qp_connect(peer.qp, &options.connect), RC_OK);
	rc_qp_error(peer.qp, RC_FLUSHED);
	rc_peer_input(&peer, empty_send(&peer));
	cr_assert_eq(peer.ctx.counters.drop_state, 2);
	cr_assert_eq(peer.ctx.counters.rx_packets, 0);
	rc_peer_expect_silence(&peer);
	rc_peer_stop(&peer);
}

/* RC-166: an RC queue pair drops UD, RD and XRC packets. */
Test(qp, other_transports_dropped_rc166)
{
	static const uint8_t opcodes[] = {
		0x24, 0x2A, 0x44, WIRE_UD_SEND_ONLY, 0x80, 0xA4, 0xC4, 0xFF};
	struct rte_mbuf *mbuf;
	struct rc_peer peer;

	rc_peer_start(&peer, NULL);
	mbuf = empty_send(&peer);
	for (unsigned i = 0; i < RTE_DIM(opcodes); i++) {
		struct wire_view view = parsed(mbuf);

		view.bth.opcode = opcodes[i];
		view.traits = wire_opcode_traits(opcodes[i]);
		rc_qp_input(peer.qp, mbuf, &view, peer.now_ns);
		cr_assert_eq(peer.ctx.counters.drop_transport, i + 1, "opcode 0x%02x", opcodes[i]);
	}
	rte_pktmbuf_free(mbuf);
	rc_peer_progress(&peer);
	rc_peer_expect_silence(&peer);
	rc_peer_stop(&peer);
}

/* RC-021, SEC-021: a packet is dropped without effect unless both addresses match. */
Test(qp, foreign_addresses_dropped_rc021_sec021)
{
	struct rte_mbuf *mbuf;
	struct wire_view view;
	struct rc_peer peer;

	rc_peer_start(&peer, NULL);
	rc_peer_post_receive(&peer, NULL, NULL, 0, 0);
	mbuf = empty_send(&peer);
	for (unsigned i = 0; i < 16; i++) {
		view = parsed(mbuf);
		view.src.raw[i] ^= 1;
		rc_qp_input(peer.qp, mbuf, &view, peer.now_ns);
		view = parsed(mbuf);
		view.dst.raw[i] ^= 1;
		rc_qp_input(peer.qp, mbuf, &view, peer.now_ns);
	}
	cr_assert_eq(peer.ctx.counters.drop_address, 32);
	cr_assert_eq(peer.event_first_count, 0);
	cr_assert_eq(peer.qp->responder.expected_psn, FIRST_PSN);

	view = parsed(mbuf);
	view.udp_src_port ^= 1;
	view.src_mac.addr_bytes[5] ^= 1;
	rc_qp_input(peer.qp, mbuf, &view, peer.now_ns);
	cr_assert_eq(peer.ctx.counters.rx_packets, 1);
	cr_assert_eq(peer.qp->responder.expected_psn, FIRST_PSN + 1);
	rte_pktmbuf_free(mbuf);
	rc_peer_stop(&peer);
}

/* RC-122: the first packet of the peer is reported once, because it establishes the connection. */
Test(qp, first_packet_told_once_rc122)
{
	struct rc_peer peer;

	rc_peer_start(&peer, NULL);
	rc_peer_inject(
		&peer, &(struct wire_headers){.bth = {.opcode = WIRE_CNP, .becn = true}}, NULL, 0);
	cr_assert_eq(peer.event_first_count, 0, "a CNP says nothing");
	for (unsigned i = 0; i < 3; i++)
		rc_peer_input(&peer, empty_send(&peer));
	cr_assert_eq(peer.event_first_count, 1);
	rc_peer_stop(&peer);
}

Test(qp, cnp_counted)
{
	struct rc_peer peer;

	rc_peer_start(&peer, NULL);
	for (unsigned i = 0; i < 3; i++)
		rc_peer_inject(&peer,
			&(struct wire_headers){.bth = {.opcode = WIRE_CNP, .becn = true}}, NULL, 0);
	cr_assert_eq(peer.ctx.counters.rx_cnps, 3);
	cr_assert_eq(peer.ctx.counters.rx_packets, 0);
	rc_peer_progress(&peer);
	rc_peer_expect_silence(&peer);
	rc_peer_stop(&peer);
}

static struct mem_bind
bound_window(struct rc_peer *peer, struct mem_region *region)
{
	struct mem_bind bind = {
		.region = region,
		.address = BASE,
		.length_bytes = 64,
		.rights = MEM_REMOTE_WRITE,
	};

	cr_assert_eq(mem_window_create(peer->mem, NULL, &bind.window), RC_OK);
	cr_assert_eq(mem_bind_prepare(peer->mem, &bind, peer->qp->qpn), RC_OK);
	cr_assert_eq(mem_bind_execute(peer->mem, &bind, RC_PEER_QPN), RC_OK);
	return bind;
}

/*
 * RC-158, B-090, SEC-011, ND-006: the end of a queue pair invalidates its windows. Afterwards other
 * queue pairs can bind these windows.
 */
Test(qp, end_invalidates_windows_rc158_b090)
{
	static uint8_t memory[64];

	for (unsigned destroy = 0; destroy < 2; destroy++) {
		struct mem_domain_stats stats;
		struct mem_region *region;
		struct mem_bind bind;
		struct rc_peer peer;

		rc_peer_start(&peer, NULL);
		region = rc_peer_region(
			&peer, memory, sizeof(memory), BASE, MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
		bind = bound_window(&peer, region);
		if (destroy) {
			struct rc_peer_options options;

			rc_qp_destroy(peer.qp);
			rc_peer_defaults(&options);
			options.qp.send_cq = &peer.send_cq;
			options.qp.receive_cq = &peer.receive_cq;
			cr_assert_eq(rc_qp_create(&peer.ctx, &options.qp, &peer.qp), RC_OK);
		} else {
			rc_qp_error(peer.qp, RC_FLUSHED);
		}
		mem_domain_stats(peer.mem, &stats);
		cr_assert_eq(stats.windows_bound, 0);
		cr_assert_eq(mem_bind_prepare(peer.mem, &bind, peer.qp->qpn), RC_OK);
		cr_assert_eq(mem_bind_execute(peer.mem, &bind, 77), RC_OK);
		cr_assert_eq(
			mem_window_destroy(peer.mem, bind.window, &(struct mem_grace){0}), RC_OK);
		rc_peer_stop(&peer);
	}
}

/*
 * RC-123: rc_qp_error() flushes both queues. The owner of the queue pair gets no event, because it
 * caused the error itself.
 */
Test(qp, error_flushes_both_queues_rc123)
{
	struct rc_completion completion;
	struct rc_peer peer;

	rc_peer_start(&peer, NULL);
	rc_peer_post_receive(&peer, &peer, NULL, 0, 0);
	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(rc_post_send(peer.qp, &(struct rc_send_wr){.opcode = RC_SEND}), RC_OK);
	rc_qp_error(peer.qp, RC_FLUSHED);
	cr_assert_eq(rc_peer_completion(&peer.receive_cq).status, RC_FLUSHED);
	for (unsigned i = 0; i < 3; i++) {
		completion = rc_peer_completion(&peer.send_cq);
		cr_assert_eq(completion.status, RC_FLUSHED);
		cr_assert_eq(completion.kind, RC_COMPLETION_SEND);
	}
	rc_peer_events(&peer);
	cr_assert_eq(peer.event_error_count, 0);
	rc_peer_stop(&peer);
}

/* ---- random packets ---- */

#define FUZZ_VIEWS 100000
#define FUZZ_SEED  UINT64_C(0x9E3779B97F4A7C15)

struct fuzz {
	struct rc_peer peer;
	uint64_t state;
	uint8_t guard_before[64];
	uint8_t memory[AREA];
	uint8_t guard_behind[64];
	struct mem_region *region;
	uint32_t keys[4];
	uint64_t inputs;
	unsigned errors;
};

static uint32_t
next(struct fuzz *fuzz)
{
	fuzz->state = fuzz->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(fuzz->state >> 33);
}

static uint32_t
pick(struct fuzz *fuzz, const uint32_t *values, unsigned count)
{
	return values[next(fuzz) % count];
}

static void
fuzz_queue_pair(struct fuzz *fuzz)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.qp.send_cq = &fuzz->peer.send_cq;
	options.qp.receive_cq = &fuzz->peer.receive_cq;
	options.connect.receive_psn = next(fuzz) & PSN_MASK;
	options.connect.send_psn = next(fuzz) & PSN_MASK;
	cr_assert_eq(rc_qp_create(&fuzz->peer.ctx, &options.qp, &fuzz->peer.qp), RC_OK);
	cr_assert_eq(rc_qp_connect(fuzz->peer.qp, &options.connect), RC_OK);
}

/*
 * Fill a view with values. Most values pass the next check of the code, and some are random. The
 * payload is never longer than the mbuf.
 */
static void
fuzz_view(struct fuzz *fuzz, struct wire_view *view)
{
	static const uint32_t sizes[] = {0, 0, 1, 64, PMTU - 1, PMTU, PMTU, PMTU, PMTU + 1, 4096};
	static const uint32_t lengths[] = {0, 1, 64, PMTU, PMTU + 64, 2 * PMTU, AREA, AREA + 1,
		0x80000000, 0x80000001, 0xFFFFFFFF};
	static const uint32_t distances[] = {0, 0, 0, 0, 0, 0, 1, 2, (uint32_t)-1, (uint32_t)-2,
		(uint32_t)-9, 0x7FFFFF, 0x800000};
	uint32_t random = next(fuzz);
	uint32_t origin = random & 1 << 20 ? fuzz->peer.qp->requester.una_psn
					   : fuzz->peer.qp->responder.expected_psn;

	view->bth.opcode = (uint8_t)(random % 100 == 0 ? random >> 8 : (random >> 8) % 0x20);
	view->traits = wire_opcode_traits(view->bth.opcode);
	view->bth.psn = (origin + pick(fuzz, distances, RTE_DIM(distances))) & PSN_MASK;
	view->bth.ack_request = random & 1 << 21;
	view->bth.solicited = random & 1 << 22;
	view->payload_bytes = (uint16_t)pick(fuzz, sizes, RTE_DIM(sizes));
	view->bth.pad_count =
		(uint8_t)(next(fuzz) % 20 == 0 ? next(fuzz) & 3 : -view->payload_bytes & 3);
	view->reth.rkey = pick(fuzz, fuzz->keys, RTE_DIM(fuzz->keys));
	view->reth.address = BASE + next(fuzz) % 3 * PMTU;
	view->reth.length_bytes = pick(fuzz, lengths, RTE_DIM(lengths));
	view->invalidate_rkey = pick(fuzz, fuzz->keys, RTE_DIM(fuzz->keys));
	view->aeth.syndrome = (uint8_t)(next(fuzz) % 4 == 0 ? next(fuzz) : WIRE_SYNDROME_ACK);
	view->aeth.msn = next(fuzz) & PSN_MASK;
	if (random % 997 == 0)
		view->src.raw[15] ^= 1;
}

static void
fuzz_application(struct fuzz *fuzz)
{
	const struct mem_sge sge = {BASE, next(fuzz) % 2 ? AREA : 2 * PMTU, fuzz->region};
	struct rc_completion completions[64];
	struct rc_send_wr wr = {
		.opcode = (enum rc_send_opcode[]){RC_SEND, RC_WRITE, RC_READ}[next(fuzz) % 3],
		.sgl = {&sge, 1},
		.remote_address = BASE,
	};
	enum rc_status status;

	status = rc_post_receive(fuzz->peer.qp, &(struct rc_receive_wr){.sgl = {&sge, 1}});
	cr_assert(status == RC_OK || status == RC_QUEUE_FULL);
	if (next(fuzz) % 4 == 0) {
		status = rc_post_send(fuzz->peer.qp, &wr);
		cr_assert(status == RC_OK || status == RC_QUEUE_FULL, "%s", rc_status_name(status));
	}
	while (rc_cq_poll(&fuzz->peer.receive_cq, completions, 64) > 0)
		;
	while (rc_cq_poll(&fuzz->peer.send_cq, completions, 64) > 0)
		;
}

static void
fuzz_check(struct fuzz *fuzz)
{
	const struct rc_counters *counters = &fuzz->peer.ctx.counters;
	const struct rc_qp *qp = fuzz->peer.qp;
	uint64_t seen = counters->rx_packets + counters->drop_address + counters->drop_transport +
		counters->rx_cnps;

	cr_assert_geq(fuzz->inputs, seen, "%lu inputs, %lu counted", fuzz->inputs, seen);
	cr_assert_leq(fuzz->inputs, seen + counters->drop_state, "%lu inputs, %lu counted",
		fuzz->inputs, seen + counters->drop_state);
	cr_assert_leq(qp->responder.expected_psn, PSN_MASK);
	cr_assert_leq(qp->responder.msn, PSN_MASK);
	cr_assert_eq(qp->responder.expected_psn,
		(qp->connection.receive_psn + qp->responder.position) & PSN_MASK);
	cr_assert_leq(rc_ring_count(&qp->responder.ring), 16);
	for (unsigned i = 0; i < 64; i++)
		cr_assert(fuzz->guard_before[i] == 0xA5 && fuzz->guard_behind[i] == 0xA5);
}

static void
fuzz_start(struct fuzz *fuzz)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.cq_entries = 256;
	rc_peer_start(&fuzz->peer, &options);
	fuzz->state = FUZZ_SEED;
	memset(fuzz->guard_before, 0xA5, 64);
	memset(fuzz->guard_behind, 0xA5, 64);
	fuzz->region = rc_peer_region(&fuzz->peer, fuzz->memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_WINDOW_BIND);
	fuzz->keys[0] = fuzz->keys[1] = fuzz->keys[2] = mem_region_key(fuzz->region);
	fuzz->keys[3] = ~fuzz->keys[0];
}

Test(qp, garbage_never_harms)
{
	static struct fuzz fuzz;
	struct wire_view valid;
	struct rte_mbuf *mbuf;

	fuzz_start(&fuzz);
	mbuf = rc_peer_frame(&fuzz.peer,
		&(struct wire_headers){.bth = {.opcode = WIRE_RC_SEND_ONLY}}, fuzz.memory, 4096);
	valid = parsed(mbuf);
	for (unsigned i = 0; i < FUZZ_VIEWS; i++) {
		struct wire_view view = valid;

		fuzz_view(&fuzz, &view);
		rc_qp_input(fuzz.peer.qp, mbuf, &view, fuzz.peer.now_ns);
		fuzz.inputs++;
		fuzz.peer.now_ns += next(&fuzz) % 4000;
		if (next(&fuzz) % 4 == 0) {
			for (unsigned n = 0; n < 20 && rc_peer_progress(&fuzz.peer); n++)
				rc_peer_drain(&fuzz.peer);
			rc_peer_drain(&fuzz.peer);
			fuzz_application(&fuzz);
		}
		fuzz_check(&fuzz);
		if (fuzz.peer.qp->state == RC_QP_ERROR && next(&fuzz) % 4 == 0) {
			fuzz.errors++;
			fuzz_application(&fuzz);
			rc_qp_destroy(fuzz.peer.qp);
			fuzz_queue_pair(&fuzz);
		}
	}
	rte_pktmbuf_free(mbuf);
	cr_assert_gt(fuzz.errors, 100, "the fuzzer reaches fatal refusals: %u", fuzz.errors);
	cr_assert_gt(fuzz.peer.ctx.counters.rx_duplicates, 1000);
	cr_assert_gt(fuzz.peer.ctx.counters.tx_acks, 50);
	rc_peer_stop(&fuzz.peer);
}

/*
 * The requester or responder of a queue pair is polled only while it has a duty. A duty ends when
 * nothing is left to do, now or later.
 */
Test(qp, duties_begin_with_a_request_and_end_with_its_answer)
{
	const struct rc_send_wr wr = {.opcode = RC_SEND};
	const struct wire_reth_value nothing = {.length_bytes = 0};
	struct rc_peer_options options;
	struct rc_peer peer;

	rc_peer_defaults(&options);
	options.connect.ack_timeout = 10;
	rc_peer_start(&peer, &options);
	cr_assert_eq(peer.qp->duties, 0);
	rc_peer_write(&peer, WIRE_RC_WRITE_ONLY, FIRST_PSN, &nothing, NULL, 0);
	cr_assert_eq(peer.qp->duties, RC_DUTY_ANSWERS);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, 0);
	rc_peer_expect_ack(&peer, WIRE_SYNDROME_ACK, FIRST_PSN);

	rc_peer_read(&peer, psn_add(FIRST_PSN, 1), &nothing);
	cr_assert_eq(peer.qp->duties, RC_DUTY_ANSWERS | RC_DUTY_READS);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, 0);
	cr_assert_eq(rc_peer_drain(&peer), 1);

	cr_assert_eq(rc_post_send(peer.qp, &wr), RC_OK);
	cr_assert_eq(peer.qp->duties, RC_DUTY_REQUESTS);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, RC_DUTY_REQUESTS, "the timer runs");
	cr_assert_neq(rc_qp_deadline(peer.qp), BASE_TIME_NEVER);
	rc_peer_inject_ack(&peer, peer.qp->requester.una_psn, WIRE_SYNDROME_ACK, 1);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, 0);
	cr_assert_eq(rc_qp_deadline(peer.qp), BASE_TIME_NEVER);
	rc_peer_stop(&peer);
}

Test(qp, duty_lasts_as_long_as_a_nak_is_held_back)
{
	struct rc_peer peer;
	uint64_t due_ns;

	rc_peer_start(&peer, NULL);
	rc_peer_send(&peer, WIRE_RC_SEND_ONLY, psn_add(FIRST_PSN, 1), NULL, 0);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, 0);
	due_ns = peer.now_ns + RC_SEQUENCE_NAK_DISTANCE_NS;
	rc_peer_post_receive(&peer, NULL, NULL, 0, 0);
	rc_peer_send(&peer, WIRE_RC_SEND_ONLY, FIRST_PSN, NULL, 0);
	rc_peer_send(&peer, WIRE_RC_SEND_ONLY, psn_add(FIRST_PSN, 2), NULL, 0);
	rc_peer_progress(&peer);
	cr_assert_eq(peer.qp->duties, RC_DUTY_ANSWERS);
	cr_assert_eq(rc_qp_deadline(peer.qp), due_ns);
	peer.now_ns = due_ns;
	rc_peer_drain(&peer);
	rc_peer_progress(&peer);
	rc_peer_expect_ack(&peer, WIRE_NAK_SEQUENCE, psn_add(FIRST_PSN, 1));
	cr_assert_eq(peer.qp->duties, 0);
	rc_peer_stop(&peer);
}

struct part {
	const uint8_t *at;
	size_t bytes;
};

static struct part
part(const void *at, size_t count, size_t each_bytes)
{
	return (struct part){.at = at, .bytes = count * each_bytes};
}

static void
parts_check(const struct rc_qp *qp)
{
	const struct rc_ring *send = &qp->requester.ring, *receive = &qp->responder.ring;
	uint32_t extra_bytes = rc_send_extra_bytes(qp->requester.inline_max);
	const struct rc_reads *reads = &qp->responder.reads;
	const struct part parts[] = {
		part(qp, 1, sizeof(*qp)),
		part(send->elements, send->mask + 1, send->stride_bytes),
		part(rc_ring_beside(send, 0, extra_bytes), send->mask + 1, extra_bytes),
		part(receive->elements, receive->mask + 1, receive->stride_bytes),
		part(reads->records, reads->slots_max, sizeof(*reads->records)),
		part(reads->jobs, 2 * reads->slots_max, sizeof(*reads->jobs)),
	};
	size_t end_bytes;

	cr_assert_eq(parts[1].at, (const uint8_t *)(qp + 1), "see rc_qp_prefetch_requester()");
	for (unsigned i = 1; i < RTE_DIM(parts); i++)
		cr_assert_geq(parts[i].at, parts[i - 1].at + parts[i - 1].bytes, "part %u", i);
	cr_assert_eq(rte_malloc_validate(qp, &end_bytes), 0);
	cr_assert_leq(parts[5].at + parts[5].bytes, (const uint8_t *)qp + end_bytes);
}

/*
 * A queue pair has one block of memory. The block begins with the send queue, and its parts do not
 * overlap.
 */
Test(qp, parts_of_its_memory_do_not_overlap)
{
	static const uint32_t reads[] = {0, 1, 5, LIMIT_READS};

	for (unsigned i = 0; i < RTE_DIM(reads); i++) {
		struct rc_peer_options options;
		struct rc_peer peer;

		rc_peer_defaults(&options);
		options.qp.send_entries = 5 + i;
		options.qp.receive_entries = 3 * i;
		options.qp.receive_sge_max = 3;
		options.qp.inline_max = 13 * i;
		options.qp.inbound_reads_max = reads[i];
		options.stay_init = true;
		rc_peer_start(&peer, &options);
		parts_check(peer.qp);
		rc_peer_stop(&peer);
	}
}
