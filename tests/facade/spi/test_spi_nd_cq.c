/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Statements of chapter H through version 2: completion queues and notifications. */

#include "spi_scene.h"

TestSuite(spi_nd_cq, .init = scene_connected, .fini = scene_close);

static void
notify(IND2CompletionQueue *cq, ULONG type, OVERLAPPED *overlapped)
{
	memset(overlapped, 0, sizeof(*overlapped));
	ASSERT_HR(IND2CompletionQueue_Notify(cq, type, overlapped), ND_PENDING);
}

static void
must_be(OVERLAPPED *overlapped, bool reported)
{
	cr_assert_eq(scene_notified(OWNER->cq, overlapped, reported), reported);
}

/** Send a message from the peer and wait until the owner's result is in the queue. */
static void
message(ULONG flags)
{
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, flags), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
}

static void
take(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
}

/* GetResults does not block, returns at most the requested number, and 0 if empty. */
Test(spi_nd_cq, nd_127_get_results_takes_what_is_there)
{
	ND2_RESULT results[8];

	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, results, 8), 0);
	for (unsigned int i = 0; i < 5; i++)
		message(0);
	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, results, 0), 0);
	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, results, 2), 2);
	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, results, 8), 3);
	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, results, 8), 0);
}

/* Without Notify there is no notification: nothing comes to the completion port. */
Test(spi_nd_cq, nd_128_no_notification_without_notify)
{
	HANDLE port = CreateIoCompletionPort(OWNER->file, NULL, 0, 0);
	OVERLAPPED *got = NULL, any;
	ULONG_PTR key;
	DWORD bytes;

	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	take(1);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, INFINITE), TRUE);
	cr_assert_eq(got, &any);
	take(1);
	CloseHandle(port);
}

/* Notify ANY completes on the next completion of any kind. */
Test(spi_nd_cq, nd_129_any_is_completed_by_any_completion)
{
	OVERLAPPED any;

	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	must_be(&any, false);
	message(0);
	must_be(&any, true);
	take(1);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	must_be(&any, false);
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_SUCCESS);
	must_be(&any, true);
}

/* A solicited Receive completes Notify SOLICITED after its result is in the queue. */
Test(spi_nd_cq, nd_130_solicited_is_completed_by_a_solicited_receive)
{
	OVERLAPPED solicited;
	ND2_RESULT result;

	notify(OWNER->cq, ND_CQ_NOTIFY_SOLICITED, &solicited);
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS);
	must_be(&solicited, true);
	cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, &result, 1), 1);
	cr_assert_eq(result.RequestType, Nd2RequestTypeReceive);
}

/* Other receives and own requests that succeed do not complete Notify SOLICITED. */
Test(spi_nd_cq, nd_131_solicited_is_not_completed_by_others)
{
	OVERLAPPED solicited;

	notify(OWNER->cq, ND_CQ_NOTIFY_SOLICITED, &solicited);
	message(0);
	take(1);
	ASSERT_HR(scene_bind(OWNER->mw, 0, 64, READ_WRITE), ND_SUCCESS);
	scene_quiet();
	must_be(&solicited, false);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	must_be(&solicited, true);
}

/* A completion in error completes Notify of every type. */
Test(spi_nd_cq, nd_132_error_completes_every_notify)
{
	OVERLAPPED notified[3];

	for (ULONG type = 0; type < 3; type++)
		notify(OWNER->cq, type, &notified[type]);
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
	for (ULONG type = 0; type < 3; type++)
		must_be(&notified[type], true);
}

/* Notify ERRORS is completed by errors only. */
Test(spi_nd_cq, nd_133_errors_is_completed_by_errors_only)
{
	OVERLAPPED errors;

	notify(OWNER->cq, ND_CQ_NOTIFY_ERRORS, &errors);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	message(0);
	take(2);
	scene_quiet();
	must_be(&errors, false);
	scene_receive(OWNER, 1, 0, 4);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
	must_be(&errors, true);
}

/* A completion triggers one notification: an old one does not complete a later Notify. */
Test(spi_nd_cq, nd_134_completion_notifies_once)
{
	OVERLAPPED any;

	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	spi_pair_quiet(PEER->cq);
	must_be(&any, false);
	message(0);
	must_be(&any, true);
	take(2);
}

/* All Notify requests that are outstanding are completed by one completion. */
Test(spi_nd_cq, nd_135_all_outstanding_are_completed)
{
	OVERLAPPED any[5];

	for (unsigned int i = 0; i < 5; i++)
		notify(OWNER->cq, i % 2 == 0 ? ND_CQ_NOTIFY_ANY : ND_CQ_NOTIFY_SOLICITED, &any[i]);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	for (unsigned int i = 0; i < 5; i++)
		must_be(&any[i], true);
}

/* A completion between GetResults and Notify is not lost. */
Test(spi_nd_cq, nd_136_no_wake_up_is_lost)
{
	OVERLAPPED any;
	ND2_RESULT result;

	for (unsigned int i = 0; i < 50; i++) {
		cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, &result, 1), 0);
		message(0);
		notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
		must_be(&any, true);
		take(1);
	}
}

/* ANY while SOLICITED is outstanding: an unsolicited completion is reported. */
Test(spi_nd_cq, nd_137_any_turns_the_arming_into_any)
{
	static OVERLAPPED solicited, any;

	notify(OWNER->cq, ND_CQ_NOTIFY_SOLICITED, &solicited);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
}

/* A second arming never weakens the first; ERRORS and then SOLICITED is SOLICITED. */
Test(spi_nd_cq, nd_138_second_arming_does_not_weaken_the_first)
{
	static const struct {
		ULONG first, second, flags;
		unsigned int told; /**< index of the Notify that must complete */
	} rows[] = {
		{ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_SOLICITED, 0, 0},
		{ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_ERRORS, 0, 0},
		{ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ERRORS, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT, 0},
		{ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_SOLICITED, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT, 1},
		{ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_ANY, 0, 1},
		{ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ANY, 0, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OVERLAPPED armed[2];

		notify(OWNER->cq, rows[i].first, &armed[0]);
		notify(OWNER->cq, rows[i].second, &armed[1]);
		message(rows[i].flags);
		must_be(&armed[rows[i].told], true);
		take(1);
		ASSERT_HR(IND2CompletionQueue_CancelOverlappedRequests(OWNER->cq), ND_SUCCESS);
	}
}

/* Arming with old completions only: the next completion is reported (at once is allowed). */
Test(spi_nd_cq, nd_139_old_completions_do_not_have_to_be_told)
{
	OVERLAPPED any;

	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	must_be(&any, false);
	take(1);
	message(0);
	must_be(&any, true);
}

/* Arming with a completion newer than the last notification: reported at once. */
Test(spi_nd_cq, nd_140_newer_completion_is_told_at_once)
{
	OVERLAPPED any;

	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	message(0);
	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &any);
	must_be(&any, true);
	take(2);
}

/* Overrun: Notify ends with ND_BUFFER_OVERFLOW; queue and queue pairs are unusable. */
Test(spi_nd_cq, nd_141_overrun)
{
	IND2CompletionQueue *cq = scene_cq(PEER, 2);
	OVERLAPPED pending, late = {0};
	ND2_RESULT results[8];

	scene_second(NULL);
	scene_keep(PEER->qp);
	PEER->qp = scene_queue_pair(PEER, cq, cq);
	scene_keep(OWNER->qp);
	OWNER->qp = spi_pair_queue_pair(&scene, 1, 8);
	scene_join();
	notify(cq, ND_CQ_NOTIFY_ERRORS, &pending);
	for (unsigned int i = 0; i < 6; i++)
		scene_receive(OWNER, i, 0, 8);
	for (unsigned int i = 0; i < 6; i++)
		ASSERT_HR(scene_send_post(PEER, i, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(cq, ND_PENDING, &pending), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2CompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &late), ND_BUFFER_OVERFLOW);
	cr_assert_leq(IND2CompletionQueue_GetResults(cq, results, 8), 2);
	cr_assert_eq(IND2CompletionQueue_GetResults(cq, results, 8), 0);
	cr_assert_neq(scene_send_post(PEER, 7, 0, 8, 0), ND_SUCCESS);
}

/* Destroying the queue completes a pending Notify with ND_CANCELED. */
Test(spi_nd_cq, nd_142_released_queue_cancels_its_notifications)
{
	IND2CompletionQueue *cq = scene_cq(OWNER, 4);
	OVERLAPPED any;

	notify(cq, ND_CQ_NOTIFY_ANY, &any);
	scene_release(cq);
	ASSERT_HR(spi_pair_finish(OWNER->cq, ND_PENDING, &any), ND_CANCELED);
}

/* Resize below the fill: ND_BUFFER_OVERFLOW, nothing changes; otherwise no result is lost. */
Test(spi_nd_cq, nd_143_resize_loses_nothing)
{
	for (unsigned int i = 0; i < 6; i++)
		message(0);
	ASSERT_HR(IND2CompletionQueue_Resize(OWNER->cq, 5), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2CompletionQueue_Resize(OWNER->cq, 6), ND_SUCCESS);
	take(2);
	ASSERT_HR(IND2CompletionQueue_Resize(OWNER->cq, 1000), ND_SUCCESS);
	message(0);
	take(5);
	spi_pair_quiet(OWNER->cq);
}

/* CancelOverlappedRequests cancels the notifications of its queue only. */
Test(spi_nd_cq, nd_145_cancel_is_for_one_queue)
{
	IND2CompletionQueue *other = scene_cq(OWNER, 4);
	OVERLAPPED own, foreign;

	notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &own);
	notify(other, ND_CQ_NOTIFY_ANY, &foreign);
	ASSERT_HR(IND2CompletionQueue_CancelOverlappedRequests(other), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(other, ND_PENDING, &foreign), ND_CANCELED);
	must_be(&own, false);
	message(0);
	must_be(&own, true);
}

static HANDLE port;

/** Two notifications of each of two queues, cancelled; then take their packets. */
static void
cancel_two_queues(IND2CompletionQueue *other, OVERLAPPED *taken[4], OVERLAPPED notified[4])
{
	for (unsigned int i = 0; i < 4; i++)
		notify(i < 2 ? OWNER->cq : other, ND_CQ_NOTIFY_ANY, &notified[i]);
	ASSERT_HR(IND2CompletionQueue_CancelOverlappedRequests(other), ND_SUCCESS);
	ASSERT_HR(IND2CompletionQueue_CancelOverlappedRequests(OWNER->cq), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; i++) {
		ULONG_PTR key;
		DWORD bytes;

		cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &taken[i], 0), FALSE);
	}
}

/* When Cancel returns, the reports are in the completion port. */
Test(spi_nd_cq, nd_146_cancellation_is_in_the_port_when_cancel_returns)
{
	OVERLAPPED notified[4], *taken[4] = {NULL, NULL, NULL, NULL};

	port = CreateIoCompletionPort(OWNER->file, NULL, 0, 0);
	cancel_two_queues(scene_cq(OWNER, 4), taken, notified);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_not_null(taken[i]);
	CloseHandle(port);
}

/* Queue 2 cancelled before queue 1: in that order, and of each in the order of the calls. */
Test(spi_nd_cq, nd_147_cancellations_are_reported_in_order)
{
	OVERLAPPED notified[4], *taken[4];

	port = CreateIoCompletionPort(OWNER->file, NULL, 0, 0);
	cancel_two_queues(scene_cq(OWNER, 4), taken, notified);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(taken[i], &notified[(i + 2) % 4]);
	CloseHandle(port);
}

/* The dequeue reports failure, GetOverlappedResult ND_CANCELED; that works again and again. */
Test(spi_nd_cq, nd_148_cancel_again_and_again)
{
	IND2CompletionQueue *other = scene_cq(OWNER, 4);
	OVERLAPPED notified[4], *taken[4];

	port = CreateIoCompletionPort(OWNER->file, NULL, 0, 0);
	for (unsigned int round = 0; round < 500; round++) {
		cancel_two_queues(other, taken, notified);
		for (unsigned int i = 0; i < 4; i++)
			ASSERT_HR(
				IND2CompletionQueue_GetOverlappedResult(OWNER->cq, taken[i], FALSE),
				ND_CANCELED);
		cr_assert_eq(taken[0], &notified[2]);
	}
	CloseHandle(port);
}

/* The last Release of a queue ends its Notify with ND_CANCELED. */
Test(spi_nd_cq, release_cancels_notifications)
{
	IND2CompletionQueue *cq = scene_cq(OWNER, 4);
	OVERLAPPED overlapped;

	memset(&overlapped, 0, sizeof(overlapped));
	ASSERT_HR(IND2CompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &overlapped), ND_PENDING);
	scene_release(cq);
	ASSERT_HR(spi_pair_finish(OWNER->cq, ND_PENDING, &overlapped), ND_CANCELED);
}
