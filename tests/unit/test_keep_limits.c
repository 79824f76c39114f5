/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/keep_bench.h"

/*
 * Test RC-111: the number of kept packets is limited. All kept packets are freed when their gap or
 * queue pair ends.
 */

/*
 * RC-111: a queue pair keeps packets up to a maximum distance from the expected PSN. It drops
 * packets beyond this distance.
 */
Test(keep_limits, too_far_ahead_is_dropped_rc111)
{
	start_keeping();
	write_cell(KEEP + 1);
	cr_assert_eq(counters()->rx_keep_full, 1);
	/* the NAK is not delayed, because the peer must retransmit the dropped packet anyway */
	expect_nak(0);
	for (uint32_t i = 1; i <= KEEP; i++)
		write_cell(i);
	write_cell(0);
	expect_cells(0, KEEP + 1, true);
	expect_cell(KEEP + 1, false);
	wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
	expect_nak(KEEP + 1);
	expect_all_gone(KEEP, 0);
	stop();
}

Test(keep_limits, nak_does_not_wait_for_what_was_dropped_rc116)
{
	start_keeping();
	write_cell(1);
	expect_nothing();
	write_cell(KEEP + 1);
	expect_nak(0);
	stop();
}

/* RC-111: all queue pairs together keep a limited number of packets, and drop further ones. */
Test(keep_limits, total_is_bounded_rc111)
{
	struct rc_peer_options options;

	defaults(&options);
	options.keep.mbufs_max = 5;
	start_with(&options);
	for (uint32_t i = 1; i <= 7; i++)
		write_cell(i);
	cr_assert_eq(counters()->rx_kept, 5);
	cr_assert_eq(counters()->rx_keep_full, 2);
	expect_nak(0);
	write_cell(0);
	wait_ns(RC_SEQUENCE_NAK_DISTANCE_NS);
	expect_nak(6); /* the first dropped packet */
	expect_cells(0, 6, true);
	expect_all_gone(5, 0);
	stop();
}

/* A kept packet with two segments counts as two packet buffers. */
Test(keep_limits, segments_count_rc111)
{
	struct rc_peer_options options;
	struct wire_reth_value at;

	defaults(&options);
	options.keep.mbufs_max = 5;
	start_with(&options);
	for (uint32_t i = 1; i <= 3; i++) {
		struct rte_mbuf *mbuf;

		at = reth((uint64_t)i * CELL, 8);
		mbuf = rc_peer_frame(&b.peer,
			&(struct wire_headers){
				.bth = {.opcode = WIRE_RC_WRITE_ONLY, .psn = FIRST_PSN + i},
				.reth = at},
			b.data + i, 8);
		rc_peer_split(mbuf, mbuf->data_len - 9u);
		rc_peer_input(&b.peer, mbuf);
	}
	cr_assert_eq(counters()->rx_kept, 2);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 4);
	write_cell(0);
	expect_cells(0, 3, true);
	expect_all_gone(2, 0);
	rc_peer_check_leaks(&b.peer);
	stop();
}

Test(keep_limits, low_pool_gives_up_what_is_kept)
{
	struct rte_mbuf *taken[192];
	struct rc_peer_options options;

	defaults(&options);
	options.pool_mbufs = 255;
	options.connect.keep_packets = 2 * KEEP;
	start_with(&options);
	write_cell(1);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 1);
	cr_assert_eq(rte_pktmbuf_alloc_bulk(b.peer.pool, taken, RTE_DIM(taken)), 0);
	/* Send many packets, because the pool is checked only once in many packets. */
	for (uint32_t i = 2; i <= KEEP + 2; i++)
		write_cell(i);
	expect_all_gone(0, counters()->rx_kept);
	cr_assert_gt(counters()->rx_keep_full, 0);
	expect_nak(0);
	rte_pktmbuf_free_bulk(taken, RTE_DIM(taken));
	write_cell(0);
	expect_ack(0);
	expect_cell(1, false);
	stop();
}

static struct rc_qp *
other_create(struct rc_peer_options *options, uint32_t number)
{
	struct rc_qp *qp;

	options->qp.send_cq = &b.peer.send_cq;
	options->qp.receive_cq = &b.peer.receive_cq;
	options->qp.qpn = RC_PEER_QPN + number;
	cr_assert_eq(rc_qp_create(&b.peer.ctx, &options->qp, &qp), RC_OK);
	cr_assert_eq(rc_qp_connect(qp, &options->connect), RC_OK);
	return qp;
}

/* Inject a WRITE with the second PSN, so that the packet with the first PSN is missing. */
static void
other_write(struct rc_qp *qp, uint32_t cell)
{
	const struct wire_headers headers = {
		.bth = {.opcode = WIRE_RC_WRITE_ONLY, .dest_qp = qp->qpn, .psn = FIRST_PSN + 1},
		.reth = reth((uint64_t)cell * CELL, 8),
	};
	struct rte_mbuf *mbuf = rc_peer_frame(&b.peer, &headers, b.data + cell, 8);
	struct wire_view view;

	cr_assert_eq(wire_parse(mbuf, &view), WIRE_OK);
	rc_qp_input(qp, mbuf, &view, b.peer.now_ns);
	rte_pktmbuf_free(mbuf);
}

/*
 * RC-111: if two queue pairs keep packets with the same PSN, the packets are not mixed up, even in
 * one hash chain.
 */
Test(keep_limits, same_psn_of_two_queue_pairs_rc111)
{
	struct rc_peer_options options;
	struct rc_qp *other;

	defaults(&options);
	start_with(&options);
	b.peer.ctx.keep->bucket_mask = 0;
	other = other_create(&options, 1);
	other_write(other, 20);
	write_cell(2);
	write_cell(0);
	expect_cell(20, false);
	write_cell(1);
	expect_ack(2);
	expect_cells(0, 3, true);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 1);
	rc_qp_destroy(other);
	expect_all_gone(1, 1);
	stop();
}

Test(keep_limits, gaps_of_many_queue_pairs_cost_the_bound)
{
	struct rc_peer_options options;
	struct rc_qp *qps[40];

	defaults(&options);
	options.keep.mbufs_max = 16;
	start_with(&options);
	for (uint32_t i = 0; i < RTE_DIM(qps); i++) {
		qps[i] = other_create(&options, 1 + i);
		other_write(qps[i], i);
	}
	cr_assert_eq(b.peer.ctx.keep->mbufs, 16);
	cr_assert_eq(counters()->rx_keep_full, RTE_DIM(qps) - 16);
	write_cell(0);
	expect_ack(0);
	for (uint32_t i = 0; i < RTE_DIM(qps); i++)
		rc_qp_destroy(qps[i]);
	expect_all_gone(0, 16);
	stop();
}

/*
 * RC-028, RC-087: if no receive is posted for a kept packet, this packet and all later ones are
 * dropped. The peer retransmits them.
 */
Test(keep_limits, missing_receive_drops_the_rest_rc028_rc087)
{
	start_keeping();
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 1, b.data, 10);
	write_cell(2);
	write_cell(0);
	expect_all_gone(0, 2);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN + 1);
	write_cell(2); /* RC-086: after the RNR NAK, no packet is kept */
	expect_nothing();
	cr_assert_eq(counters()->drop_rnr_wait, 1);
	post_receives(1);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 1, b.data, 10);
	write_cell(2);
	expect_ack(2);
	expect_cells(2, 3, true);
	expect_all_gone(0, 2);
	stop();
}

/* RC-028: if no receive is posted for the packet that fills the gap, kept packets are dropped. */
Test(keep_limits, missing_receive_for_the_lost_packet_drops_the_rest_rc028)
{
	start_keeping();
	write_cell(1);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 10);
	expect_all_gone(0, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN);
	stop();
}

/* RC-129: if a kept packet overruns the completion queue, the remaining kept packets are freed. */
Test(keep_limits, overrun_frees_the_rest_rc129)
{
	struct rc_peer_options options;

	defaults(&options);
	options.cq_entries = 2;
	start_with(&options);
	post_receives(4);
	for (uint32_t i = 1; i < 4; i++)
		rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + i, b.data, 10);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN, b.data, 10);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 0);
	cr_assert_eq(
		counters()->rx_kept, counters()->rx_kept_executed + counters()->rx_kept_dropped);
	stop();
}

/* A READ uses the PSNs of its responses. A kept packet with one of these PSNs is dropped. */
Test(keep_limits, packet_inside_a_read_is_dropped)
{
	start_keeping();
	read_request(FIRST_PSN + 1, 3 * PMTU);
	write_cell(2);
	write_cell(0);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 3);
	expect_cell(2, false);
	expect_all_gone(1, 1);
	write_cell(4);
	expect_ack(4);
	stop();
}

Test(keep_limits, error_frees_what_is_kept)
{
	start_keeping();
	write_cell(1);
	write_cell(2);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	expect_all_gone(0, 2);
	rc_peer_check_leaks(&b.peer);
	stop();
}

Test(keep_limits, destroying_frees_what_is_kept)
{
	start_keeping();
	write_cell(1);
	stop(); /* checks for leaks */
	cr_assert_eq(counters()->rx_kept_dropped, 1);
}

/* If a gap is not filled for RC_KEEP_NS, the kept packets are freed. */
Test(keep_limits, idle_gap_is_given_up)
{
	start_keeping();
	write_cell(1);
	expect_nothing();
	wait_ns(REORDER);
	expect_nak(0);
	cr_assert_eq(rc_qp_deadline(b.peer.qp), b.peer.now_ns - REORDER + RC_KEEP_NS);
	wait_ns(RC_KEEP_NS - REORDER - 1);
	expect_nothing();
	cr_assert_eq(b.peer.ctx.keep->mbufs, 1);
	wait_ns(1);
	expect_nothing();
	expect_all_gone(0, 1);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER);
	write_cell(0);
	expect_ack(0);
	write_cell(1);
	expect_ack(1);
	stop();
}

Test(keep_limits, connection_that_keeps_nothing)
{
	struct rc_peer_options options;

	defaults(&options);
	options.connect.keep_packets = 0;
	start_with(&options);
	write_cell(1);
	expect_nak(0);
	write_cell(0);
	expect_ack(0);
	expect_cell(1, false);
	expect_all_gone(0, 0);
	stop();
}
