/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Completion queues and notifications: statements of docs/rules.md, section ND H. test_ndk_queue.c
 * has tests that arm a queue repeatedly.
 */

#include <string.h>

#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_notify, .init = pair_connected, .fini = pair_close);

static int contexts[16];

static void
arm(ULONG type)
{
	PASSIVE->cq->Dispatch->NdkArmCq(PASSIVE->cq, type);
}

/** Post a receive of the passive side, and send an empty message to it. */
static void
message(ULONG flags)
{
	side_receive(PASSIVE, NULL);
	side_send(ACTIVE, NULL, flags | NDK_OP_FLAG_SILENT_SUCCESS);
	pair_quiet();
}

static ULONG
take(ULONG count)
{
	NDK_RESULT results[16];

	return PASSIVE->cq->Dispatch->NdkGetCqResults(PASSIVE->cq, results, count);
}

/** Take all results, and let all earlier completions be notified. */
static void
settle(void)
{
	arm(NDK_CQ_NOTIFY_ANY);
	if (PASSIVE->notified == 0)
		message(0);
	while (take(16) != 0)
		;
	cr_assert_eq(PASSIVE->notified, 1);
	PASSIVE->notified = 0;
}

/* ND-127. NdkGetCqResults() returns at once, with at most the requested number of results. */
Test(ndk_notify, nd_127_results_that_are_there)
{
	cr_assert_eq(take(16), 0);
	for (unsigned int i = 0; i < 5; i++)
		message(0);
	cr_assert_eq(take(0), 0);
	cr_assert_eq(take(3), 3);
	cr_assert_eq(take(16), 2);
	cr_assert_eq(take(16), 0);
}

/* ND-128. Without NdkArmCq(), the notification callback is not called. */
Test(ndk_notify, nd_128_no_notification_without_arming)
{
	message(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	pair_quiet();
	cr_assert_eq(PASSIVE->notified, 0);
}

/* ND-129. With ANY, the completion of a receive or of a request calls the callback. */
Test(ndk_notify, nd_129_any_completion)
{
	settle();
	arm(NDK_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(PASSIVE->notified, 1);
	ASSERT_NT(PASSIVE->notified_status, STATUS_SUCCESS);
	arm(NDK_CQ_NOTIFY_ANY);
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkWrite(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_SUCCESS);
	POLL_UNTIL(PASSIVE->notified == 2);
}

static ULONG found;

static void
take_all(struct ndk_side *side)
{
	(void)side;
	found += take(16);
}

/*
 * ND-130. With SOLICITED, the callback is called when the result of a solicited receive can be
 * taken.
 */
Test(ndk_notify, nd_130_solicited_receive)
{
	settle();
	found = 0;
	PASSIVE->at_notification = take_all;
	arm(NDK_CQ_NOTIFY_SOLICITED);
	message(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(PASSIVE->notified, 1);
	cr_assert_eq(found, 1);
}

/* ND-131. With SOLICITED, other successful completions do not call the callback. */
Test(ndk_notify, nd_131_unsolicited_completions)
{
	settle();
	arm(NDK_CQ_NOTIFY_SOLICITED);
	message(0);
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkWrite(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_SUCCESS);
	side_receive(ACTIVE, NULL);
	side_send(PASSIVE, NULL, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	pair_quiet();
	cr_assert_eq(take(16), 3);
	cr_assert_eq(PASSIVE->notified, 0);
}

static void
failure_notifies(ULONG type)
{
	settle();
	arm(type);
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkRead(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_SUCCESS);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	POLL_UNTIL(PASSIVE->notified == 1);
	ASSERT_NT(PASSIVE->notified_status, STATUS_SUCCESS);
}

/* ND-132. A failure calls the callback, whatever the armed type is. */
Test(ndk_notify, nd_132_failure_satisfies_any)
{
	failure_notifies(NDK_CQ_NOTIFY_ANY);
}

Test(ndk_notify, nd_132_failure_satisfies_solicited)
{
	failure_notifies(NDK_CQ_NOTIFY_SOLICITED);
}

Test(ndk_notify, nd_132_failure_satisfies_errors)
{
	failure_notifies(NDK_CQ_NOTIFY_ERRORS);
}

/* ND-133. With ERRORS, only failures call the callback. */
Test(ndk_notify, nd_133_errors_only)
{
	settle();
	arm(NDK_CQ_NOTIFY_ERRORS);
	message(0);
	message(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(PASSIVE->notified, 0);
	side_receive(PASSIVE, NULL);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	POLL_UNTIL(PASSIVE->notified == 1);
}

/* ND-134. One completion causes at most one notification. */
Test(ndk_notify, nd_134_completion_notifies_once)
{
	settle();
	arm(NDK_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(PASSIVE->notified, 1);
	arm(NDK_CQ_NOTIFY_ANY);
	pair_quiet();
	cr_assert_eq(PASSIVE->notified, 1);
	message(0);
	cr_assert_eq(PASSIVE->notified, 2);
}

/* ND-136. A completion between NdkGetCqResults() and NdkArmCq() causes a notification. */
Test(ndk_notify, nd_136_no_wakeup_is_lost)
{
	settle();
	cr_assert_eq(take(16), 0);
	message(0);
	arm(NDK_CQ_NOTIFY_ANY);
	pair_quiet();
	cr_assert_eq(PASSIVE->notified, 1);
}

/* ND-137. If ANY is armed after SOLICITED, ANY applies. */
Test(ndk_notify, nd_137_any_on_top_of_solicited)
{
	settle();
	arm(NDK_CQ_NOTIFY_SOLICITED);
	arm(NDK_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(PASSIVE->notified, 1);
	message(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(PASSIVE->notified, 1);
}

/*
 * ND-140. If a completion is newer than the last notification, arming notifies at once, even if the
 * result was taken.
 */
Test(ndk_notify, nd_140_new_completion_satisfies_at_once)
{
	settle();
	message(0);
	arm(NDK_CQ_NOTIFY_ANY);
	cr_assert_eq(PASSIVE->notified, 1);
	message(0);
	cr_assert_eq(take(16), 2);
	arm(NDK_CQ_NOTIFY_ANY);
	cr_assert_eq(PASSIVE->notified, 2);
}

/*
 * ND-141. An overrun is notified. Afterwards the queue and its queue pairs return no more results.
 */
Test(ndk_notify, nd_141_overrun)
{
	NDK_CQ *cq = side_cq(PASSIVE, 2);
	NDK_QP *qp = side_qp(PASSIVE, cq, 8, PASSIVE);
	NDK_RESULT results[8];

	for (unsigned int i = 0; i < 4; i++)
		ASSERT_NT(qp->Dispatch->NdkReceive(qp, NULL, NULL, 0), STATUS_SUCCESS);
	qp->Dispatch->NdkFlush(qp);
	cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
	POLL_UNTIL(PASSIVE->notified == 1);
	ASSERT_NT(PASSIVE->notified_status, STATUS_BUFFER_OVERFLOW);
	cr_assert_leq(cq->Dispatch->NdkGetCqResults(cq, results, 8), 2);
	cr_assert_eq(cq->Dispatch->NdkGetCqResults(cq, results, 8), 0);
	pair_expect_alive();
}

static NTSTATUS closed;
static struct ndk_call cq_close;

static void
close_queue(struct ndk_side *side)
{
	closed = side->cq->Dispatch->NdkCloseCq(&side->cq->Header, close_over, &cq_close);
}

/*
 * NDK documentation (KC): a notification callback may close its queue. Here the queue pair was
 * flushed before, so NdkArmCq() itself calls the callback. No operation keeps a reference to the
 * queue.
 */
Test(ndk_notify, closed_by_the_callback_of_an_arming)
{
	static struct ndk_call connector, qp;
	NTSTATUS status;

	side_receive(PASSIVE, NULL);
	side_disconnect(ACTIVE);
	POLL_UNTIL(PASSIVE->disconnected == 1);
	/* The native receive is already cancelled. NDK withholds its result until the flush. */
	pair_quiet();
	cr_assert_eq(take(16), 0);
	status = PASSIVE->connector->Dispatch->NdkCloseConnector(
		&PASSIVE->connector->Header, close_over, &connector);
	POLL_UNTIL(status == STATUS_SUCCESS || connector.count == 1);
	status = PASSIVE->qp->Dispatch->NdkCloseQp(&PASSIVE->qp->Header, close_over, &qp);
	POLL_UNTIL(status == STATUS_SUCCESS || qp.count == 1);
	cr_assert_eq(PASSIVE->notified, 0);
	closed = STATUS_PENDING;
	PASSIVE->at_notification = close_queue;
	arm(NDK_CQ_NOTIFY_ANY);
	cr_assert_eq(PASSIVE->notified, 1);
	/* The close completes after the callback has returned. */
	ASSERT_NT(closed, STATUS_PENDING);
	cr_assert_eq(cq_close.count, 1);
}

static NTSTATUS
resize(ULONG depth)
{
	struct ndk_call call = {0};
	NTSTATUS status = PASSIVE->cq->Dispatch->NdkResizeCq(PASSIVE->cq, depth, call_over, &call);

	cr_assert_eq(call.count, 0);
	return status;
}

/*
 * ND-143. A resize keeps all results, including results that the library has already taken from the
 * native queue. A depth below their number is refused.
 */
Test(ndk_notify, nd_143_resizing_loses_nothing)
{
	for (unsigned int i = 0; i < 4; i++) {
		side_receive(PASSIVE, &contexts[i]);
		side_send(ACTIVE, NULL, NDK_OP_FLAG_SILENT_SUCCESS);
		pair_quiet();
		/*
		 * NdkArmCq() takes the native results, because it must know whether a failure is
		 * among them.
		 */
		if (i == 1)
			arm(NDK_CQ_NOTIFY_ERRORS);
	}
	ASSERT_NT(resize(3), STATUS_BUFFER_OVERFLOW);
	ASSERT_NT(resize(4), STATUS_SUCCESS);
	ASSERT_NT(resize(100), STATUS_SUCCESS);
	for (unsigned int i = 0; i < 4; i++)
		side_expect(PASSIVE, &contexts[i], NdkOperationTypeReceive, STATUS_SUCCESS);
	side_no_result(PASSIVE);
}
