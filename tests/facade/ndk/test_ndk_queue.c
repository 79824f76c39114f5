/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Completion queues and queue pairs: results, notifications, silent and deferred requests, flushes.
 */

#include <string.h>

#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_queue, .init = pair_connected, .fini = pair_close);

static void
arm(ULONG type)
{
	PASSIVE->cq->Dispatch->NdkArmCq(PASSIVE->cq, type);
}

static void
receive(PVOID context)
{
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, context, NULL, 0), STATUS_SUCCESS);
}

static void
message_send(ULONG flags)
{
	NDK_RESULT_EX result;

	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, NULL, NULL, 0, flags), STATUS_SUCCESS);
	result = side_result(ACTIVE);
	ASSERT_NT(result.Status, STATUS_SUCCESS);
	pair_quiet();
}

/** Post a receive of the passive side, and send an empty message to it. */
static void
message(ULONG flags)
{
	receive(NULL);
	message_send(flags);
}

static void
message_for(PVOID context)
{
	receive(context);
	message_send(0);
}

static void
drain(struct ndk_side *side)
{
	NDK_RESULT results[4];

	while (side->cq->Dispatch->NdkGetCqResults(side->cq, results, 4) != 0)
		;
}

/** Let a request of the passive side fail. The failure ends the connection. */
static void
fail(void)
{
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkWrite(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_SUCCESS);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
}

/* ND-128, ND-129. Each arming causes one notification. Without arming there is none. */
Test(ndk_queue, one_notification_for_each_arming)
{
	message(0);
	cr_assert_eq(PASSIVE->notified, 0);
	drain(PASSIVE);
	arm(NDK_CQ_NOTIFY_ANY);
	/*
	 * ND-140: arming notifies at once, because the completion is newer than the last
	 * notification.
	 */
	cr_assert_eq(PASSIVE->notified, 1);
	ASSERT_NT(PASSIVE->notified_status, STATUS_SUCCESS);
	arm(NDK_CQ_NOTIFY_ANY);
	pair_quiet();
	cr_assert_eq(PASSIVE->notified, 1);
	message(0);
	cr_assert_eq(PASSIVE->notified, 2);
	message(0);
	cr_assert_eq(PASSIVE->notified, 2);
}

/** Messages that notify after the queue was armed twice without a notification in between. */
static const struct {
	ULONG first;
	ULONG second;
	bool plain;     /* true if a message notifies */
	bool solicited; /* true if a message with the solicit flag notifies */
} matrix[] = {
	{NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_ANY, true, true},
	{NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_ERRORS, true, true},
	{NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_SOLICITED, true, true},
	{NDK_CQ_NOTIFY_ERRORS, NDK_CQ_NOTIFY_ANY, true, true},
	{NDK_CQ_NOTIFY_ERRORS, NDK_CQ_NOTIFY_ERRORS, false, false},
	{NDK_CQ_NOTIFY_ERRORS, NDK_CQ_NOTIFY_SOLICITED, false, true},
	{NDK_CQ_NOTIFY_SOLICITED, NDK_CQ_NOTIFY_ANY, true, true},
	{NDK_CQ_NOTIFY_SOLICITED, NDK_CQ_NOTIFY_ERRORS, false, true},
	{NDK_CQ_NOTIFY_SOLICITED, NDK_CQ_NOTIFY_SOLICITED, false, true},
};

static void
matrix_row(unsigned int row)
{
	/*
	 * Cause a completion and its notification, so that later armings only wait for new
	 * completions.
	 */
	message(0);
	drain(PASSIVE);
	arm(NDK_CQ_NOTIFY_ANY);
	PASSIVE->notified = 0;
	arm(matrix[row].first);
	arm(matrix[row].second);
	cr_assert_eq(PASSIVE->notified, 0);
	message(0);
	cr_assert_eq(PASSIVE->notified, matrix[row].plain, "row %u: %u", row, PASSIVE->notified);
	message(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(
		PASSIVE->notified, matrix[row].solicited, "row %u: %u", row, PASSIVE->notified);
	drain(PASSIVE);
	/* Let the pending arming notify before the next row. */
	if (!matrix[row].solicited) {
		arm(NDK_CQ_NOTIFY_ANY);
		cr_assert_eq(PASSIVE->notified, 1, "row %u: %u", row, PASSIVE->notified);
	}
}

/*
 * ND-138, ND-137. A second arming never weakens the first one. Two armings cause one notification.
 */
Test(ndk_queue, nd_138_arming_twice)
{
	for (unsigned int row = 0; row < sizeof(matrix) / sizeof(matrix[0]); row++)
		matrix_row(row);
}

/* Arming repeatedly with the same type has the effect of one arming. The queue can be closed. */
Test(ndk_queue, arming_twice_with_one_type_is_one_arming)
{
	static const ULONG types[] = {
		NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_SOLICITED, NDK_CQ_NOTIFY_ERRORS};

	for (unsigned int i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		static struct ndk_call calls[sizeof(types) / sizeof(types[0])];
		NDK_CQ *cq = side_cq(PASSIVE, 4);

		for (unsigned int again = 0; again < 3; again++)
			cq->Dispatch->NdkArmCq(cq, types[i]);
		pair_quiet();
		ASSERT_NT(cq->Dispatch->NdkCloseCq(&cq->Header, close_over, &calls[i]),
			STATUS_SUCCESS);
		cr_assert_eq(PASSIVE->notified, 0);
	}
}

/* ND-132. A failure notifies, whatever the armed type is. */
Test(ndk_queue, failures_notify_whatever_is_armed)
{
	arm(NDK_CQ_NOTIFY_ERRORS);
	fail();
	POLL_UNTIL(PASSIVE->notified == 1);
	ASSERT_NT(side_result(PASSIVE).Status, STATUS_CANCELLED);
}

static unsigned int depth, deepest;

/**
 * In the notification callback, take the results and arm the queue again. The arming may notify at
 * once.
 */
static void
rearm(struct ndk_side *side)
{
	depth++;
	deepest = depth > deepest ? depth : deepest;
	drain(side);
	receive(NULL);
	if (side->notified < 50)
		arm(NDK_CQ_NOTIFY_ANY);
	depth--;
}

/*
 * NDK documentation (KC): the notification callback is not called again while it runs. ND-136: no
 * message is missed.
 */
Test(ndk_queue, notifications_come_one_at_a_time)
{
	depth = deepest = 0;
	PASSIVE->at_notification = rearm;
	receive(NULL);
	arm(NDK_CQ_NOTIFY_ANY);
	while (PASSIVE->notified < 50) {
		NTSTATUS status = ACTIVE->qp->Dispatch->NdkSend(
			ACTIVE->qp, NULL, NULL, 0, NDK_OP_FLAG_SILENT_SUCCESS);

		cr_assert(status == STATUS_SUCCESS || status == STATUS_INSUFFICIENT_RESOURCES);
		for (unsigned int i = 0; i < 8; i++)
			pair_poll();
	}
	cr_assert_eq(deepest, 1);
}

/*
 * ND-139. Old completions need not cause a notification. New completions must cause one, even if
 * their results were taken.
 */
Test(ndk_queue, nd_139_old_completions_do_not_notify)
{
	message(0);
	message(0);
	arm(NDK_CQ_NOTIFY_ANY);
	cr_assert_eq(PASSIVE->notified, 1);
	arm(NDK_CQ_NOTIFY_ANY);
	pair_quiet();
	cr_assert_leq(PASSIVE->notified, 2);
}

/* ND-142. A closed queue does not call its notification callback. */
Test(ndk_queue, closed_queue_does_not_notify)
{
	static struct ndk_call call = {0};
	NDK_CQ *cq = side_cq(PASSIVE, 4);

	cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
	ASSERT_NT(cq->Dispatch->NdkCloseCq(&cq->Header, close_over, &call), STATUS_SUCCESS);
	cr_assert_eq(PASSIVE->notified, 0);
}

/* ND-141. An overrun is notified. The queue cannot be used afterwards. */
Test(ndk_queue, overrun_is_told)
{
	NDK_CQ *cq = side_cq(PASSIVE, 2);
	NDK_QP *qp = side_qp(PASSIVE, cq, 8, PASSIVE);

	cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ERRORS);
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_NT(qp->Dispatch->NdkReceive(qp, NULL, NULL, 0), STATUS_SUCCESS);
	qp->Dispatch->NdkFlush(qp);
	POLL_UNTIL(PASSIVE->notified != 0);
	PASSIVE->notified = 0;
	cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ERRORS);
	POLL_UNTIL(PASSIVE->notified != 0);
	ASSERT_NT(PASSIVE->notified_status, STATUS_BUFFER_OVERFLOW);
}

/* ND-143. A resize keeps the results. A depth below their number is refused. */
Test(ndk_queue, resizing_keeps_results)
{
	static struct ndk_call call = {0};
	static int contexts[4];

	for (unsigned int i = 0; i < 3; i++)
		message_for(&contexts[i]);
	ASSERT_NT(PASSIVE->cq->Dispatch->NdkResizeCq(PASSIVE->cq, 2, call_over, &call),
		STATUS_BUFFER_OVERFLOW);
	ASSERT_NT(PASSIVE->cq->Dispatch->NdkResizeCq(PASSIVE->cq, 3, call_over, &call),
		STATUS_SUCCESS);
	/* The ring wraps around, so the fourth result is stored in the slot of the first result. */
	side_expect(PASSIVE, &contexts[0], NdkOperationTypeReceive, STATUS_SUCCESS);
	message_for(&contexts[3]);
	ASSERT_NT(PASSIVE->cq->Dispatch->NdkResizeCq(PASSIVE->cq, 128, call_over, &call),
		STATUS_SUCCESS);
	for (unsigned int i = 1; i < 4; i++)
		side_expect(PASSIVE, &contexts[i], NdkOperationTypeReceive, STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
}

Test(ndk_queue, results_wait_while_requests_are_posted)
{
	static int contexts[3 * NDK_DEPTH];
	NTSTATUS status = STATUS_SUCCESS;
	unsigned int posted = 0;

	for (unsigned int i = 0; i < 3 * NDK_DEPTH; i++) {
		ASSERT_NT(ACTIVE->qp->Dispatch->NdkWrite(ACTIVE->qp, &contexts[i], NULL, 0, 0, 0,
				  i % 3 == 0 ? 0 : NDK_OP_FLAG_SILENT_SUCCESS),
			STATUS_SUCCESS);
		pair_quiet();
	}
	/* The number of accepted requests is the depth of the queue pair. */
	while ((status = ACTIVE->qp->Dispatch->NdkWrite(ACTIVE->qp, NULL, NULL, 0, 0, 0,
			NDK_OP_FLAG_SILENT_SUCCESS)) == STATUS_SUCCESS)
		posted++;
	ASSERT_NT(status, STATUS_INSUFFICIENT_RESOURCES);
	cr_assert_eq(posted, NDK_DEPTH);
	for (unsigned int i = 0; i < 3 * NDK_DEPTH; i += 3)
		side_expect(ACTIVE, &contexts[i], NdkOperationTypeWrite, STATUS_SUCCESS);
	pair_quiet();
	pair_expect_alive();
}

Test(ndk_queue, silent_requests_need_no_results)
{
	unsigned int posted = 0;

	while (posted < 20 * NDK_DEPTH) {
		NTSTATUS status = ACTIVE->qp->Dispatch->NdkWrite(
			ACTIVE->qp, NULL, NULL, 0, 0, 0, NDK_OP_FLAG_SILENT_SUCCESS);

		cr_assert(status == STATUS_SUCCESS || status == STATUS_INSUFFICIENT_RESOURCES);
		posted += status == STATUS_SUCCESS;
		pair_poll();
	}
	pair_quiet();
	pair_expect_alive();
}

/*
 * NDK documentation (KC), deferred processing: if a request is refused, the requests that were
 * deferred before it are executed.
 */
Test(ndk_queue, refusal_hands_deferred_requests_over)
{
	static int received, sent;

	receive(&received);
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, &sent, NULL, 0, NDK_OP_FLAG_DEFER),
		STATUS_SUCCESS);
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, NULL, NULL, 1, NDK_OP_FLAG_DEFER),
		STATUS_INVALID_PARAMETER);
	side_expect(PASSIVE, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
	side_expect(ACTIVE, &sent, NdkOperationTypeSend, STATUS_SUCCESS);
}

/*
 * Deferred requests are also executed if flags or an object are invalid, or if the native interface
 * refuses the request.
 */
Test(ndk_queue, every_refusal_hands_deferred_requests_over)
{
	static int received[3], sent[3];
	NDK_SGE sge = side_sge(ACTIVE, 0, 1);

	sge.MemoryRegionToken = 0;
	for (unsigned int i = 0; i < 3; i++) {
		receive(&received[i]);
		ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(
				  ACTIVE->qp, &sent[i], NULL, 0, NDK_OP_FLAG_DEFER),
			STATUS_SUCCESS);
		if (i == 0)
			ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(
					  ACTIVE->qp, NULL, NULL, 0, 0x80000000u),
				STATUS_INVALID_PARAMETER);
		else if (i == 1)
			ASSERT_NT(ACTIVE->qp->Dispatch->NdkInvalidate(
					  ACTIVE->qp, NULL, &ACTIVE->cq->Header, NDK_OP_FLAG_DEFER),
				STATUS_INVALID_PARAMETER);
		else
			ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(
					  ACTIVE->qp, NULL, &sge, 1, NDK_OP_FLAG_DEFER),
				STATUS_ACCESS_VIOLATION);
		side_expect(PASSIVE, &received[i], NdkOperationTypeReceive, STATUS_SUCCESS);
		side_expect(ACTIVE, &sent[i], NdkOperationTypeSend, STATUS_SUCCESS);
	}
}

/* ND-126. After a flush, the results of all requests are in the completion queue. */
Test(ndk_queue, nd_126_flush_is_seen_in_the_queue)
{
	static int received[4];

	for (unsigned int i = 0; i < 4; i++)
		receive(&received[i]);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	for (unsigned int i = 0; i < 4; i++)
		side_expect(PASSIVE, &received[i], NdkOperationTypeReceive, STATUS_CANCELLED);
	cr_assert_neq(
		PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, NULL, NULL, 0), STATUS_PENDING);
}

/*
 * Results of a closed queue pair may still be taken. The queue pair's records are freed after that.
 */
Test(ndk_queue, results_outlive_their_queue_pair)
{
	static struct ndk_call call = {0};
	NDK_QP *qp = side_qp(PASSIVE, PASSIVE->cq, 4, PASSIVE);
	NDK_RESULT_EX result;
	static int received[3];

	for (unsigned int i = 0; i < 3; i++)
		ASSERT_NT(qp->Dispatch->NdkReceive(qp, &received[i], NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(qp->Dispatch->NdkCloseQp(&qp->Header, close_over, &call), STATUS_SUCCESS);
	for (unsigned int i = 0; i < 3; i++)
		side_expect(PASSIVE, &received[i], NdkOperationTypeReceive, STATUS_CANCELLED);
	cr_assert_eq(PASSIVE->cq->Dispatch->NdkGetCqResultsEx(PASSIVE->cq, &result, 1), 0);
}

Test(ndk_queue, plain_results_in_pieces)
{
	NDK_QP *qp;
	NDK_CQ *cq = side_cq(PASSIVE, 128);
	static int received[100];
	NDK_RESULT results[70];
	ULONG taken = 0;

	qp = side_qp(PASSIVE, cq, 100, PASSIVE);
	for (unsigned int i = 0; i < 100; i++)
		ASSERT_NT(qp->Dispatch->NdkReceive(qp, &received[i], NULL, 0), STATUS_SUCCESS);
	qp->Dispatch->NdkFlush(qp);
	taken = cq->Dispatch->NdkGetCqResults(cq, results, 70);
	cr_assert_eq(taken, 70);
	for (unsigned int i = 0; i < 70; i++)
		cr_assert_eq(results[i].RequestContext, &received[i]);
	taken = cq->Dispatch->NdkGetCqResults(cq, results, 70);
	cr_assert_eq(taken, 30);
	for (unsigned int i = 0; i < 30; i++)
		cr_assert_eq(results[i].RequestContext, &received[70 + i]);
}

static NTSTATUS
moderate(ULONG interval, ULONG count)
{
	return PASSIVE->cq->Dispatch->NdkControlCqInterruptModeration(PASSIVE->cq, interval, count);
}

/*
 * Interrupt moderation by count delays the callback only if the interval is UINT32_MAX, because the
 * library has no timer for moderation.
 */
Test(ndk_queue, moderation_counts_results)
{
	ASSERT_NT(moderate(UINT32_MAX, UINT32_MAX), STATUS_INVALID_PARAMETER_MIX);
	ASSERT_NT(moderate(UINT32_MAX, 3), STATUS_SUCCESS);
	arm(NDK_CQ_NOTIFY_ANY);
	message(0);
	message(0);
	cr_assert_eq(PASSIVE->notified, 0);
	message(0);
	cr_assert_eq(PASSIVE->notified, 1);
	drain(PASSIVE);
	/* A new moderation setting also applies to results that are already waiting. */
	arm(NDK_CQ_NOTIFY_ANY);
	message(0);
	message(0);
	cr_assert_eq(PASSIVE->notified, 1);
	ASSERT_NT(moderate(UINT32_MAX, 2), STATUS_SUCCESS);
	cr_assert_eq(PASSIVE->notified, 2);
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_NT(moderate(i == 0 ? 0 : 1000000, i), STATUS_SUCCESS);
		arm(NDK_CQ_NOTIFY_ANY);
		message(0);
		cr_assert_eq(PASSIVE->notified, 3 + i);
	}
}

Test(ndk_queue, moderation_counts_what_was_taken)
{
	ASSERT_NT(moderate(UINT32_MAX, 3), STATUS_SUCCESS);
	arm(NDK_CQ_NOTIFY_ANY);
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(PASSIVE->notified, 0);
		message(0);
		drain(PASSIVE);
	}
	cr_assert_eq(PASSIVE->notified, 1);
}
