/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test the keepalives of a queue pair packet by packet (lib/rc/keepalive.c). */

#include "rc/keepalive.h"
#include "rc/keepalive_waiting.h"
#include "requester_rig.h"

#define ACK_TIMEOUT  8
#define INTERVAL_NS  (UINT64_C(4096) << ACK_TIMEOUT)
#define KEEPALIVE_NS UINT64_C(1000000000)
#define HALF_NS      (KEEPALIVE_NS / 2)
#define RETRIES      3
#define NAK_SEQUENCE WIRE_NAK_SEQUENCE
#define PROBE_PSN    RIG_PSN
#define SEND_ENTRIES 4

static struct rig *
rig_watching(void)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	rig->options.connect.retry_count = RETRIES;
	rig->options.connect.rnr_retry_count = 7;
	rig->options.qp.send_entries = SEND_ENTRIES;
	rig_start(rig);
	rc_keepalive_set(rig->peer.qp, KEEPALIVE_NS, rig->peer.now_ns);
	return rig;
}

/* Advance the time to the next check of the peer. @return true if it sends a keepalive */
static bool
look(struct rig *rig)
{
	struct rc_qp *qp = rig->peer.qp;
	bool ask;

	cr_assert_eq(qp->keepalive.deadline_ns, rig->peer.now_ns + HALF_NS);
	rig->peer.now_ns = qp->keepalive.deadline_ns;
	ask = rc_keepalive_look(qp, rig->peer.now_ns);
	if (ask)
		rig_progress(rig);
	return ask;
}

static const struct wire_view *
expect_probe(struct rig *rig)
{
	const struct wire_view *view = rig_expect(rig, WIRE_RC_WRITE_ONLY, PROBE_PSN);

	cr_assert(view->bth.ack_request);
	cr_assert_eq(view->payload_bytes, 0);
	cr_assert_eq(view->reth.length_bytes, 0);
	cr_assert_eq(view->reth.rkey, 0);
	return view;
}

static void
ask(struct rig *rig)
{
	cr_assert_not(look(rig));
	cr_assert(look(rig));
	expect_probe(rig);
	rc_peer_expect_silence(&rig->peer);
}

static void
expect_next(struct rig *rig, uintptr_t number)
{
	rig_post(rig, number, RC_SEND, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	rig_answer(rig, PROBE_PSN + 1, RIG_ACK);
	rig_completed(rig, number, RC_OK);
}

static void
expect_idle(struct rig *rig)
{
	rig_not_completed(rig);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	cr_assert_not(rc_keepalive_waiting(rig->peer.qp));
	rig_progress(rig);
	rc_peer_expect_silence(&rig->peer);
}

/*
 * If no packet from the peer arrives for two half intervals, a keepalive (an empty WRITE) is sent.
 * RC-012: its key is not checked.
 */
Test(keepalive, silent_peer_is_asked_with_an_empty_write_rc012)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	expect_idle(rig);
	cr_assert_eq(rig_counters(rig)->tx_keepalives, 1);
	cr_assert_eq(rig_counters(rig)->drop_ghost, 0);
	expect_next(rig, 1);
	rig_stop(rig);
}

Test(keepalive, second_answer_is_a_duplicate)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_answer(rig, PROBE_PSN - 1, RIG_ACK);
	cr_assert(rc_keepalive_waiting(rig->peer.qp));
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	rig_answer(rig, PROBE_PSN, NAK_SEQUENCE);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 2);
	cr_assert_eq(rig_counters(rig)->drop_forged_nak, 1);
	expect_idle(rig);
	rig_stop(rig);
}

/* If the peer sends a request or an ACK in either half of the interval, no keepalive is sent. */
Test(keepalive, peer_that_is_heard_is_not_asked)
{
	struct rig *rig = rig_watching();
	struct wire_reth_value reth = {0};
	uint32_t psn = RC_PEER_PSN;

	for (unsigned int i = 0; i < 5; i++) {
		cr_assert_not(look(rig));
		rc_peer_write(&rig->peer, WIRE_RC_WRITE_ONLY, psn++, &reth, NULL, 0);
		cr_assert_not(look(rig));
	}
	rig_progress(rig);
	rc_peer_drain(&rig->peer);
	cr_assert_not(look(rig));
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	cr_assert_not(look(rig));
	cr_assert_eq(rig_counters(rig)->tx_keepalives, 0);
	cr_assert_not(look(rig));
	cr_assert(look(rig));
	rig_expect(rig, WIRE_RC_WRITE_ONLY, PROBE_PSN + 1);
	rig_stop(rig);
}

/*
 * While a request is outstanding, no keepalive is sent, because the retries of the request detect a
 * dead peer.
 */
Test(keepalive, outstanding_request_needs_none)
{
	struct rig *rig = rig_watching();

	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	for (unsigned int i = 0; i < 6; i++)
		look(rig);
	cr_assert_eq(rig_counters(rig)->tx_keepalives, 0);
	rig_stop(rig);
}

/* A keepalive uses no entry of the send queue. ACKs for later requests acknowledge it, too. */
Test(keepalive, takes_no_entry_and_is_answered_with_later_requests)
{
	struct rig *rig = rig_watching();
	struct rc_send_wr wr = {.opcode = RC_SEND};

	ask(rig);
	for (uint32_t i = 0; i < SEND_ENTRIES; i++)
		rig_post(rig, i, RC_SEND, 0, 8);
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_QUEUE_FULL);
	rig_progress(rig);
	for (uint32_t i = 0; i < SEND_ENTRIES; i++)
		rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1 + i);
	rig_answer(rig, PROBE_PSN + SEND_ENTRIES, RIG_ACK);
	for (uint32_t i = 0; i < SEND_ENTRIES; i++)
		rig_completed(rig, i, RC_OK);
	expect_idle(rig);
	rig_stop(rig);
}

Test(keepalive, answer_before_that_of_later_requests)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_post(rig, 1, RC_READ, 0, 8);
	rig_post_bind(rig, 2, rig_window(rig), 0);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_READ_REQUEST, PROBE_PSN + 1);
	rig_not_completed(rig);
	rig->peer.now_ns += 1000;
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	rig_not_completed(rig);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + INTERVAL_NS);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, PROBE_PSN + 1, rig->memory, 8);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 2, RC_OK);
	expect_idle(rig);
	rig_stop(rig);
}

/* A keepalive is no READ, so fences do not wait for it. Limits do not count it (RC-009, RC-142). */
Test(keepalive, is_no_read_rc009_rc142)
{
	struct rig *rig = rig_new();

	rig->options.connect.outbound_reads = 1;
	rig = rig_watching();
	ask(rig);
	rig_post(rig, 1, RC_SEND, RC_FENCE, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	rig_expect(rig, WIRE_RC_READ_REQUEST, PROBE_PSN + 2);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, PROBE_PSN + 2, rig->memory, 8);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 2, RC_OK);
	expect_idle(rig);
	rig_stop(rig);
}

/*
 * RC-098: after the loss of a keepalive, the peer accepts no later request. So the keepalive is
 * retransmitted first.
 */
Test(keepalive, lost_one_is_sent_again_before_later_requests_rc098)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_run(rig);
	rig_answer(rig, PROBE_PSN, NAK_SEQUENCE);
	rig_answer(rig, PROBE_PSN, NAK_SEQUENCE);
	rig_progress(rig);
	expect_probe(rig);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	rig_expect(rig, WIRE_RC_READ_REQUEST, PROBE_PSN + 2);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 1);
	rig_answer(rig, PROBE_PSN + 1, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, PROBE_PSN + 2, rig->memory, 8);
	rig_completed(rig, 2, RC_OK);
	expect_idle(rig);
	rig_stop(rig);
}

Test(keepalive, nak_of_a_later_request_answers_it)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, PROBE_PSN, NAK_SEQUENCE);
	rig_answer(rig, PROBE_PSN + 1, NAK_SEQUENCE);
	cr_assert_not(rc_keepalive_waiting(rig->peer.qp));
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, PROBE_PSN + 1, WIRE_SYNDROME_RNR | 1);
	cr_assert(rc_timer_rnr_waiting(&rig_requester(rig)->timer));
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	rig_answer(rig, PROBE_PSN + 1, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	expect_idle(rig);
	rig_stop(rig);
}

/*
 * RC-095, RC-096, RC-097: let all retries of a keepalive expire. Fail unless it is retransmitted at
 * the same times as a request.
 */
static void
exhaust(struct rig *rig, bool request_behind)
{
	for (unsigned int i = 0; i < RETRIES; i++) {
		cr_assert_eq(rc_qp_deadline(rig->peer.qp),
			rig->peer.now_ns + (INTERVAL_NS << RTE_MIN(i, 2u)));
		rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
		rig_progress(rig);
		expect_probe(rig);
		if (request_behind)
			rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
		rc_peer_expect_silence(&rig->peer);
	}
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
	rc_peer_expect_silence(&rig->peer);
	if (request_behind)
		rig_completed(rig, 1, RC_PEER_SILENT);
	rig_not_completed(rig);
	rig_in_error(rig, RC_PEER_SILENT);
	rig->peer.now_ns = rig->peer.qp->keepalive.deadline_ns;
	cr_assert_not(rc_keepalive_look(rig->peer.qp, rig->peer.now_ns));
	cr_assert_eq(rig->peer.qp->keepalive.deadline_ns, BASE_TIME_NEVER);
	rig_stop(rig);
}

Test(keepalive, unanswered_ends_after_the_retries_rc096)
{
	struct rig *rig = rig_watching();

	ask(rig);
	exhaust(rig, false);
}

Test(keepalive, unanswered_with_a_request_behind_ends_it_rc096)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, PROBE_PSN + 1);
	exhaust(rig, true);
}

/* RC-097: an ACK resets the retry counter, so the next keepalive has the full number of retries. */
Test(keepalive, answer_reloads_the_retries_rc097)
{
	struct rig *rig = rig_watching();
	uint64_t asked_ns;

	ask(rig);
	asked_ns = rig->peer.now_ns;
	for (unsigned int i = 0; i < RETRIES; i++) {
		rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
		rig_progress(rig);
		expect_probe(rig);
	}
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	expect_idle(rig);
	cr_assert_eq(rig_requester(rig)->retries_left, RETRIES);
	cr_assert_eq(rig->peer.qp->keepalive.deadline_ns, asked_ns + HALF_NS);
	rig_stop(rig);
}

Test(keepalive, refused_ends_the_connection)
{
	struct rig *rig = rig_watching();

	ask(rig);
	rig_answer(rig, PROBE_PSN, WIRE_NAK_INVALID_REQUEST);
	rig_in_error(rig, RC_REMOTE_INVALID_REQUEST);
	rig_stop(rig);
}

/*
 * If no packet buffer is free, a keepalive and later requests wait. The connection ends after
 * RC_STUCK_NS.
 */
Test(keepalive, no_room_holds_requests_and_ends)
{
	struct rig *rig = rig_watching();
	struct rte_mbuf *taken[4096];
	unsigned int count = rte_mempool_avail_count(rig->peer.pool);

	cr_assert_leq(count, RTE_DIM(taken));
	cr_assert_eq(rte_mempool_get_bulk(rig->peer.pool, (void **)taken, count), 0);
	cr_assert_not(look(rig));
	cr_assert(look(rig));
	rig_post(rig, 1, RC_SEND, 0, 8);
	cr_assert(rig_progress(rig));
	rig->peer.now_ns += RC_STUCK_NS;
	/* Pretend that the port has accepted a packet of another queue pair. */
	rig->peer.qp->ctx->taken_count++;
	cr_assert(rig_progress(rig));
	rig->peer.now_ns += RC_STUCK_NS - 1;
	cr_assert(rig_progress(rig));
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	rig->peer.now_ns += 1;
	rig_progress(rig);
	rig_completed(rig, 1, RC_PORT_STUCK);
	rig_in_error(rig, RC_PORT_STUCK);
	rte_mempool_put_bulk(rig->peer.pool, (void **)taken, count);
	rig_stop(rig);
}

Test(keepalive, off_and_on)
{
	struct rig *rig = rig_watching();

	rc_keepalive_set(rig->peer.qp, 0, rig->peer.now_ns);
	cr_assert_eq(rig->peer.qp->keepalive.deadline_ns, BASE_TIME_NEVER);
	rc_keepalive_set(rig->peer.qp, KEEPALIVE_NS, rig->peer.now_ns);
	ask(rig);
	/* When keepalives are switched off, a keepalive already sent still waits for its ACK. */
	rc_keepalive_set(rig->peer.qp, 0, rig->peer.now_ns);
	cr_assert(rc_keepalive_waiting(rig->peer.qp));
	rig_answer(rig, PROBE_PSN, RIG_ACK);
	expect_idle(rig);
	rig_stop(rig);
}
