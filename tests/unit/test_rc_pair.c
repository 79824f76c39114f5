/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "support/eal.h"
#include "support/rc_pair.h"

static const uint16_t pmtus[] = {256, 512, 1024, 2048, 4096};

Test(rc_pair, perfect_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		const struct rc_counters *a, *b;

		rc_pair_lossy(1, 0, 0, 0);
		rc_pair_start(pmtus[m], 0x123456);
		rc_pair_all_sizes(pmtus[m]);
		a = &rc_pair.a.peer.ctx.counters;
		b = &rc_pair.b.peer.ctx.counters;
		cr_assert_eq(a->retransmitted_packets + b->retransmitted_packets, 0);
		cr_assert_eq(a->rx_duplicates + b->rx_duplicates, 0);
		cr_assert_eq(a->rx_ahead + b->rx_ahead, 0);
		cr_assert_eq(a->drop_ghost + b->drop_ghost, 0);
		cr_assert_eq(rc_pair.now_ns, 1000, "B-041: nothing waited for a timer");
		rc_pair_stop();
	}
}

/* B-028: a real requester and a real responder work across the PSN wrap. */
Test(rc_pair, perfect_wire_over_psn_wrap_b028)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		rc_pair_lossy(1, 0, 0, 0);
		rc_pair_start(pmtus[m], 0xFFFFFF - m);
		rc_pair_all_sizes(pmtus[m]);
		rc_pair_stop();
	}
}

Test(rc_pair, lossy_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			rc_pair_lossy(seed, 20, 20, 0);
			rc_pair_start(pmtus[m], 0xFFFFF0);
			rc_pair_all_sizes(pmtus[m]);
			cr_assert_gt(rc_pair.a.peer.ctx.counters.retransmitted_packets, 0);
			rc_pair_stop();
		}
}

Test(rc_pair, reordering_wire_all_operations_and_sizes)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		rc_pair_lossy(40 + m, 0, 10, 30);
		rc_pair_start(pmtus[m], 0x7FFFF0);
		rc_pair_all_sizes(pmtus[m]);
		rc_pair_stop();
	}
}

Test(rc_pair, perfect_wire_pipelined_both_ways)
{
	rc_pair_lossy(5, 0, 0, 0);
	rc_pair_start(1024, 0x10);
	rc_pair_batches(40);
	cr_assert_eq(rc_pair.a.peer.ctx.counters.retransmitted_packets, 0);
	rc_pair_stop();
}

Test(rc_pair, lossy_wire_pipelined_both_ways)
{
	for (uint64_t seed = 100; seed < 120; seed++) {
		rc_pair_lossy(seed, 10 + (unsigned)seed % 3 * 20, 10, (unsigned)seed % 2 * 20);
		rc_pair_start(pmtus[seed % RTE_DIM(pmtus)], 0xFFFF00);
		rc_pair_batches(10);
		rc_pair_stop();
	}
}

/*
 * Receives are posted late, so the responder sends RNR NAKs, and the wire loses packets.
 * Nevertheless all messages arrive, in order.
 */
Test(rc_pair, late_receives_on_lossy_wire)
{
	rc_pair_lossy(9, 30, 10, 10);
	rc_pair_start(512, 0x42);
	for (unsigned round = 0; round < 20; round++) {
		uint32_t bytes = rc_pair_random() % 5000;
		struct rc_send_wr wr = {.opcode = RC_SEND, .context = &wr};

		rc_pair_prepare(&rc_pair.a, &rc_pair.b, bytes);
		rc_pair_post(&rc_pair.a, &wr, RC_PAIR_FROM, bytes);
		for (unsigned step = 0; step < 30; step++) {
			rc_pair_progress(&rc_pair.a);
			rc_pair_progress(&rc_pair.b);
			if (rc_pair.link_count > 0)
				rc_pair_deliver();
		}
		rc_peer_post_receive(&rc_pair.b.peer, &rc_pair.b, rc_pair.b.region,
			RC_PAIR_BASE + RC_PAIR_TO, bytes);
		rc_pair_run();
		rc_pair_expect(&rc_pair.a.peer.send_cq, RC_COMPLETION_SEND, &wr, bytes);
		rc_pair_expect(
			&rc_pair.b.peer.receive_cq, RC_COMPLETION_RECEIVE, &rc_pair.b, bytes);
		rc_pair_check(&rc_pair.a, &rc_pair.b, bytes, "SEND");
	}
	cr_assert_gt(rc_pair.b.peer.ctx.counters.tx_rnr_naks, 0);
	rc_pair_stop();
}

/*
 * B-086, B-087, ND-049: if a window is invalidated while WRITEs use it, the queue pairs of both
 * ends fail. No further byte is written.
 */
Test(rc_pair, write_through_dead_window_fails_both_ends_nd049)
{
	struct rc_send_wr bind = {.opcode = RC_BIND};
	struct rc_send_wr wr = {.opcode = RC_WRITE, .remote_address = RC_PAIR_BASE};
	struct rc_completion completion;

	rc_pair_lossy(1, 0, 0, 0);
	rc_pair_start(1024, 0x42);
	bind.bind = (struct mem_bind){
		.region = rc_pair.b.region,
		.address = RC_PAIR_BASE,
		.length_bytes = RC_PAIR_BYTES,
		.rights = MEM_REMOTE_WRITE,
	};
	cr_assert_eq(mem_window_create(rc_pair.b.peer.mem, NULL, &bind.bind.window), RC_OK);
	cr_assert_eq(
		mem_bind_prepare(rc_pair.b.peer.mem, &bind.bind, rc_pair.b.peer.qp->qpn), RC_OK);
	rc_pair_post(&rc_pair.b, &bind, 0, 0);
	rc_pair_run();
	rc_pair_expect(&rc_pair.b.peer.send_cq, RC_COMPLETION_BIND, NULL, 0);
	rc_peer_post_receive(&rc_pair.b.peer, NULL, rc_pair.b.region, RC_PAIR_BASE, 16);
	rc_peer_pattern(rc_pair.a.memory, RC_PAIR_LONG, 3);
	wr.rkey = bind.bind.key;
	rc_pair_post(&rc_pair.a, &wr, 0, RC_PAIR_LONG);
	rc_pair_progress(&rc_pair.a);
	rc_pair_deliver(); /* deliver one burst: 32 of the 64 packets */
	cr_assert_eq(
		mem_window_invalidate(rc_pair.b.peer.mem, bind.bind.window, RC_PEER_REMOTE_QPN),
		RC_OK);
	rc_pair_run();
	completion = rc_peer_completion(&rc_pair.a.peer.send_cq);
	cr_assert_eq(completion.status, RC_REMOTE_ACCESS);
	cr_assert_eq(rc_pair.a.peer.qp->state, RC_QP_ERROR);
	cr_assert_eq(rc_pair.b.peer.qp->state, RC_QP_ERROR);
	completion = rc_peer_completion(&rc_pair.b.peer.receive_cq);
	cr_assert_eq(completion.status, RC_FLUSHED, "ND-054");
	rc_pair_expect_equal(rc_pair.b.memory, rc_pair.a.memory, LIMIT_BURST * 1024, "WRITE");
	for (uint32_t i = LIMIT_BURST * 1024; i < RC_PAIR_BYTES; i++)
		cr_assert_eq(rc_pair.b.memory[i], 0, "byte %u written through a dead key", i);
	rc_pair_stop();
}
