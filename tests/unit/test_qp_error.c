/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "requester_rig.h"

/*
 * For all causes, a queue pair ends in the same way. The failed request completes with its status.
 * Then both queues are flushed in posting order, sends before receives, and the windows are
 * invalidated. The owner gets one event, and no packet is sent afterwards. If two causes occur in
 * one call, the first cause is reported. In these tests, both queues use the same completion queue,
 * so that the order can be checked.
 */

#define SENDS    4u
#define RECEIVES 3u
/* Context of the first receive; later receives count up. The contexts of sends begin at 0. */
#define RECEIVE  100u

static void
rig_start_shared(struct rig *rig)
{
	rig_start(rig);
	rig->peer.qp->receive_cq = &rig->peer.send_cq;
}

static struct rig *
rig_shared(uint32_t cq_entries)
{
	struct rig *rig = rig_new();

	rig->options.cq_entries = cq_entries;
	rig_start_shared(rig);
	return rig;
}

static void
post_receives(struct rig *rig)
{
	for (uintptr_t i = 0; i < RECEIVES; i++)
		rc_peer_post_receive(
			&rig->peer, rig_context(RECEIVE + i), rig->region, RIG_BASE, 64);
}

static void
post_sends(struct rig *rig)
{
	for (uintptr_t i = 0; i < SENDS; i++)
		rig_post(rig, i, RC_SEND, 0, 8);
}

/*
 * Fail unless the remaining completions are exactly the flushed sends from first_send on, and the
 * flushed receives from first_receive on.
 */
static void
expect_flushed(struct rig *rig, uintptr_t first_send, uintptr_t first_receive)
{
	for (uintptr_t i = first_send; i < SENDS; i++)
		rig_completed(rig, i, RC_FLUSHED);
	for (uintptr_t i = first_receive; i < RECEIVES; i++)
		rig_completed(rig, RECEIVE + i, RC_FLUSHED);
	rig_not_completed(rig);
}

static void
expect_over(struct rig *rig, enum rc_status why)
{
	rig_in_error(rig, why);
	rc_peer_expect_silence(&rig->peer);
	rig->peer.now_ns += UINT64_C(10000000000);
	cr_assert_not(rig_progress(rig));
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_in_error(rig, why);
}

static void
send_from_peer(struct rig *rig, uint8_t opcode, uint32_t psn, uint16_t bytes)
{
	rc_peer_send(&rig->peer, opcode, psn, rig->memory, bytes);
}

/*
 * RC-077, RC-123: if a request in the middle of the queue fails, the requests before it succeed,
 * and the requests after it are flushed.
 */
Test(qp_error, fatal_nak_completes_then_flushes)
{
	struct rig *rig = rig_shared(64);
	uint32_t key = 0;

	post_receives(rig);
	key = rig_post_bind(rig, 50, rig_window(rig), RC_SILENT);
	post_sends(rig);
	rig_run(rig);
	cr_assert(rig_key_live(rig, key));
	rig_answer(rig, RIG_PSN + 1, WIRE_NAK_REMOTE_OPERATION);
	cr_assert_not(rig_key_live(rig, key));
	rig_completed(rig, 0, RC_OK);
	rig_completed(rig, 1, RC_REMOTE_OPERATION);
	expect_flushed(rig, 2, 0);
	expect_over(rig, RC_REMOTE_OPERATION);
	rig_stop(rig);
}

Test(qp_error, timeout_completes_then_flushes)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = 10;
	rig->options.connect.retry_count = 0;
	rig_start_shared(rig);
	post_receives(rig);
	post_sends(rig);
	rig_run(rig);
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	cr_assert_not(rig_progress(rig));
	rig_completed(rig, 0, RC_RETRY_EXCEEDED);
	expect_flushed(rig, 1, 0);
	expect_over(rig, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}

Test(qp_error, failing_invalidate_sends_nothing_behind_it)
{
	struct rig *rig = rig_shared(64);

	post_receives(rig);
	rig_post_invalidate(rig, 50, rig_window(rig), 0);
	post_sends(rig);
	cr_assert_not(rig_progress(rig));
	rig_completed(rig, 50, RC_INVALIDATE_FAILED);
	expect_flushed(rig, 0, 0);
	expect_over(rig, RC_INVALIDATE_FAILED);
	rig_stop(rig);
}

Test(qp_error, failed_invalidate_ends_when_it_is_the_oldest)
{
	struct rig *rig = rig_shared(64);

	post_receives(rig);
	rig_post(rig, 40, RC_SEND, 0, 8);
	rig_post_invalidate(rig, 50, rig_window(rig), 0);
	post_sends(rig);
	cr_assert_eq(rig_run(rig), 1, "what is behind it was sent");
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 40, RC_OK);
	rig_completed(rig, 50, RC_INVALIDATE_FAILED);
	expect_flushed(rig, 0, 0);
	expect_over(rig, RC_INVALIDATE_FAILED);
	rig_stop(rig);
}

/*
 * If the queue pair ends for a different cause before a failed invalidate is the oldest request,
 * the invalidate is flushed.
 */
Test(qp_error, failed_invalidate_is_flushed_when_another_ends)
{
	struct rig *rig = rig_shared(64);

	post_receives(rig);
	rig_post(rig, 40, RC_SEND, 0, 8);
	rig_post_invalidate(rig, 50, rig_window(rig), 0);
	post_sends(rig);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, WIRE_NAK_REMOTE_ACCESS);
	rig_completed(rig, 40, RC_REMOTE_ACCESS);
	rig_completed(rig, 50, RC_FLUSHED);
	expect_flushed(rig, 0, 0);
	expect_over(rig, RC_REMOTE_ACCESS);
	rig_stop(rig);
}

/*
 * RC-129: if the completion of a queued bind overruns the completion queue, later requests are not
 * sent.
 */
Test(qp_error, overrun_by_queued_bind_sends_nothing_behind_it)
{
	struct rig *rig = rig_shared(1);
	uint32_t key;

	key = rig_post_bind(rig, 50, rig_window(rig), 0);
	rig_post_bind(rig, 51, rig_window(rig), 0);
	post_sends(rig);
	cr_assert_not(rig_progress(rig));
	cr_assert(rig->peer.notify_overrun);
	cr_assert_not(rig_key_live(rig, key));
	rig_completed(rig, 50, RC_OK);
	rig_not_completed(rig);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

/*
 * RC-129: a NAK acknowledges the requests before the refused request, too. If the completions of
 * these requests overrun the completion queue, the overrun is reported, not the refusal.
 */
Test(qp_error, overrun_before_a_fatal_nak_is_the_cause)
{
	struct rig *rig = rig_shared(1);

	post_sends(rig);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 3, WIRE_NAK_REMOTE_ACCESS);
	rig_completed(rig, 0, RC_OK);
	rig_not_completed(rig);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

/*
 * A NAK that only requests an RNR wait or a retransmission acknowledges earlier requests, too. If
 * the completions of these requests overrun the completion queue, the queue pair ends.
 */
Test(qp_error, overrun_before_another_nak_is_the_cause)
{
	static const uint8_t syndromes[] = {WIRE_SYNDROME_RNR | 1, WIRE_NAK_SEQUENCE};

	for (unsigned i = 0; i < RTE_DIM(syndromes); i++) {
		struct rig *rig = rig_shared(1);

		post_sends(rig);
		rig_run(rig);
		rig_answer(rig, RIG_PSN + 3, syndromes[i]);
		rig_completed(rig, 0, RC_OK);
		rig_not_completed(rig);
		expect_over(rig, RC_INTERNAL);
		rig_stop(rig);
	}
}

Test(qp_error, overrun_before_a_bad_response_is_the_cause)
{
	struct rig *rig = rig_shared(1);

	rig_post(rig, 0, RC_SEND, 0, 8);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_run(rig);
	rig_read_response(
		rig, WIRE_RC_READ_RESPONSE_ONLY, RIG_PSN + 2, rig->memory, 4 /* of 8 bytes */);
	rig_completed(rig, 0, RC_OK);
	rig_not_completed(rig);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

/*
 * RC-124: if the responder refuses a message, the receive for it completes with the status. The
 * other receives are flushed after the NAK was sent.
 */
Test(qp_error, refusal_completes_receive_then_flushes)
{
	struct rig *rig = rig_shared(64);

	post_receives(rig);
	post_sends(rig);
	rig_run(rig);
	send_from_peer(rig, WIRE_RC_SEND_ONLY, RC_PEER_PSN, 65);
	rig_completed(rig, RECEIVE, RC_RECEIVE_TOO_SMALL);
	rig_not_completed(rig);
	cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	cr_assert_not(rig_progress(rig));
	rc_peer_expect_ack(&rig->peer, WIRE_NAK_INVALID_REQUEST, RC_PEER_PSN);
	expect_flushed(rig, 0, 1);
	expect_over(rig, RC_RECEIVE_TOO_SMALL);
	rig_stop(rig);
}

Test(qp_error, nak_owed_is_forgotten_when_another_ends)
{
	struct rig *rig = rig_shared(64);

	post_receives(rig);
	post_sends(rig);
	rig_run(rig);
	send_from_peer(rig, WIRE_RC_SEND_ONLY, RC_PEER_PSN, 65);
	rig_answer(rig, RIG_PSN, WIRE_NAK_INVALID_REQUEST);
	rig_completed(rig, RECEIVE, RC_RECEIVE_TOO_SMALL);
	rig_completed(rig, 0, RC_REMOTE_INVALID_REQUEST);
	expect_flushed(rig, 1, 1);
	expect_over(rig, RC_REMOTE_INVALID_REQUEST);
	rig_stop(rig);
}

/*
 * RC-129: if the completion of the receive for a refused message overruns the queue, the queue pair
 * ends without a NAK.
 */
Test(qp_error, overrun_by_refused_receive_ends_without_nak)
{
	struct rig *rig = rig_shared(1);

	post_receives(rig);
	send_from_peer(rig, WIRE_RC_SEND_ONLY, RC_PEER_PSN, 8);
	send_from_peer(rig, WIRE_RC_SEND_ONLY, RC_PEER_PSN + 1, 65);
	cr_assert(rig->peer.notify_overrun);
	rig_completed(rig, RECEIVE, RC_OK);
	rig_not_completed(rig);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

Test(qp_error, overrun_flushes_the_other_queue)
{
	struct rig *rig = rig_new();

	rig->options.cq_entries = 8;
	rig_start(rig);
	post_receives(rig);
	for (uintptr_t i = 0; i < 9; i++)
		rig_post(rig, i, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 8, RIG_ACK);
	for (uintptr_t i = 0; i < RECEIVES; i++) {
		struct rc_completion completion = rc_peer_completion(&rig->peer.receive_cq);

		cr_assert_eq(completion.context, rig_context(RECEIVE + i));
		cr_assert_eq(completion.status, RC_FLUSHED);
	}
	for (uintptr_t i = 0; i < 8; i++)
		rig_completed(rig, i, RC_OK);
	rig_not_completed(rig);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

/* RC-122: the first packet of the peer is reported, even if it ends the queue pair. */
Test(qp_error, first_packet_that_ends_is_told)
{
	struct rig *rig = rig_shared(1);

	rig_post_bind(rig, 50, rig_window(rig), 0);
	rig_run(rig);
	post_receives(rig);
	cr_assert_eq(rig->peer.event_first_count, 0);
	send_from_peer(rig, WIRE_RC_SEND_ONLY, RC_PEER_PSN, 8);
	cr_assert_eq(rig->peer.event_first_count, 1);
	expect_over(rig, RC_INTERNAL);
	rig_stop(rig);
}

/* RC-123: requests posted after the end are flushed at once. The owner gets no further event. */
Test(qp_error, later_posts_flush_without_another_event)
{
	struct rig *rig = rig_shared(64);
	uint32_t key;

	post_sends(rig);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, WIRE_NAK_REMOTE_ACCESS);
	rig_completed(rig, 0, RC_REMOTE_ACCESS);
	expect_flushed(rig, 1, RECEIVES);
	rig_post(rig, 20, RC_WRITE, RC_SILENT, 8);
	rig_completed(rig, 20, RC_FLUSHED);
	key = rig_post_bind(rig, 21, rig_window(rig), 0);
	rig_completed(rig, 21, RC_FLUSHED);
	cr_assert_not(rig_key_live(rig, key));
	post_receives(rig);
	expect_flushed(rig, SENDS, 0);
	expect_over(rig, RC_REMOTE_ACCESS);
	rig_stop(rig);
}
