/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, section ND H), version 2 of the SPI: completion queues and
 * notifications.
 */

#include "spi_scene.h"

#define CQ_SUITE spi_nd_cq
#include "cq_statements.h"

TestSuite(spi_nd_cq, .init = scene_connected, .fini = scene_close);

static void
notify(IND2CompletionQueue *cq, ULONG type, OVERLAPPED *overlapped)
{
	memset(overlapped, 0, sizeof(*overlapped));
	ASSERT_HR(IND2CompletionQueue_Notify(cq, type, overlapped), ND_PENDING);
}

static IND2CompletionQueue *
queue_of(unsigned int queue)
{
	static IND2CompletionQueue *other;

	if (queue == 0)
		return OWNER->cq;
	if (other == NULL)
		other = scene_cq(OWNER, 4);
	return other;
}

static void
arm(unsigned int queue, ULONG type, OVERLAPPED *overlapped)
{
	notify(queue_of(queue), type, overlapped);
}

static void
must_be(OVERLAPPED *overlapped, bool complete)
{
	cr_assert_eq(scene_notified(OWNER->cq, overlapped, complete), complete);
}

static HRESULT
status_of(OVERLAPPED *overlapped)
{
	return IND2CompletionQueue_GetOverlappedResult(OWNER->cq, overlapped, FALSE);
}

static HRESULT
cancel(unsigned int queue)
{
	return IND2CompletionQueue_CancelOverlappedRequests(queue_of(queue));
}

static HRESULT
resize(ULONG depth)
{
	return IND2CompletionQueue_Resize(OWNER->cq, depth);
}

static void
receive_canceled(void)
{
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
}

static void
receive_short(void)
{
	scene_receive(OWNER, 1, 0, 4);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
}

static void
quiet(bool receiver)
{
	spi_pair_quiet(receiver ? OWNER->cq : PEER->cq);
}

static HANDLE
queue_file(void)
{
	return OWNER->file;
}

/** Send a message from the peer and wait until the owner's result is in the queue. */
static void
message(ULONG flags)
{
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, flags), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
}

static HRESULT
receive_status(void)
{
	return spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1));
}

/*
 * GetResults does not block. It returns at most the requested number of results, and 0 if the queue
 * is empty.
 */
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

/* If all completions are old, Notify completes at the next completion or at once. */
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

/*
 * If a queue overruns, Notify ends with ND_BUFFER_OVERFLOW. The queue and its queue pairs cannot be
 * used afterwards.
 */
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

Test(spi_nd_cq, nd_142_released_queue_cancels_its_notifications)
{
	IND2CompletionQueue *cq = scene_cq(OWNER, 4);
	OVERLAPPED any;

	notify(cq, ND_CQ_NOTIFY_ANY, &any);
	scene_release(cq);
	ASSERT_HR(spi_pair_finish(OWNER->cq, ND_PENDING, &any), ND_CANCELED);
}
