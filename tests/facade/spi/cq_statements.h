/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ_STATEMENTS_H
#define NDPDK_SPI_CQ_STATEMENTS_H

/*
 * Statements on notifications that both versions share, as tests of CQ_SUITE. The file that
 * includes this one defines the operations of its version. Queue 0 gets the results of the
 * receiver's receives; queue 1 is another queue of the same adapter.
 */

/** Begin Notify on a queue. */
static void arm(unsigned int queue, ULONG type, OVERLAPPED *overlapped);
/** Check that a Notify is complete or pending. */
static void must_be(OVERLAPPED *overlapped, bool complete);
/** @return what GetOverlappedResult returns without waiting */
static HRESULT status_of(OVERLAPPED *overlapped);
static HRESULT cancel(unsigned int queue);
static HRESULT resize(ULONG depth);
/** Send a message, and wait until the receiver's result is in queue 0. */
static void message(ULONG flags);
/** Take the result of the next receive from queue 0. @return its status */
static HRESULT receive_status(void);
/** Cause a result in error: a receive is cancelled; a receive is too short for its message. */
static void receive_canceled(void);
static void receive_short(void);
/** Check that no result arrives at a side for a short time. */
static void quiet(bool receiver);
/** @return file for the overlapped operations of both queues */
static HANDLE queue_file(void);

/** Take results of messages from queue 0. */
static void
take(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(receive_status(), ND_SUCCESS);
}

/**
 * @param expected result of GetQueuedCompletionStatus. TRUE: wait for the packet
 * @return the OVERLAPPED of the next packet; NULL: there is none
 */
static OVERLAPPED *
packet(HANDLE port, BOOL expected)
{
	OVERLAPPED *got = NULL;
	ULONG_PTR key;
	DWORD bytes;

	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, expected ? INFINITE : 0),
		expected);
	return got;
}

/* Without Notify there is no notification: nothing comes to the completion port. */
Test(CQ_SUITE, nd_128_no_notification_without_notify)
{
	HANDLE port = CreateIoCompletionPort(queue_file(), NULL, 0, 0);
	OVERLAPPED any;

	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	take(2);
	cr_assert_null(packet(port, FALSE));
	arm(0, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	cr_assert_eq(packet(port, TRUE), &any);
	must_be(&any, true);
	take(1);
	CloseHandle(port);
}

/* A completion in error completes Notify of every type. */
Test(CQ_SUITE, nd_132_error_completes_every_notify)
{
	OVERLAPPED notified[3];

	for (ULONG type = 0; type < 3; type++)
		arm(0, type, &notified[type]);
	receive_canceled();
	for (ULONG type = 0; type < 3; type++)
		must_be(&notified[type], true);
	cr_assert_eq(receive_status(), ND_CANCELED);
}

/* Notify ERRORS is completed by errors only. */
Test(CQ_SUITE, nd_133_errors_is_completed_by_errors_only)
{
	OVERLAPPED errors;

	arm(0, ND_CQ_NOTIFY_ERRORS, &errors);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	message(0);
	take(2);
	quiet(true);
	quiet(false);
	must_be(&errors, false);
	receive_short();
	must_be(&errors, true);
}

/* A completion triggers one notification: an old one does not complete a later Notify. */
Test(CQ_SUITE, nd_134_completion_notifies_once)
{
	OVERLAPPED any;

	arm(0, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	arm(0, ND_CQ_NOTIFY_ANY, &any);
	quiet(false);
	must_be(&any, false);
	take(1);
	must_be(&any, false);
	message(0);
	must_be(&any, true);
	take(1);
}

/* All Notify requests that are outstanding are completed by one completion. */
Test(CQ_SUITE, nd_135_all_outstanding_are_completed)
{
	OVERLAPPED any[5];

	for (unsigned int i = 0; i < 5; i++)
		arm(0, i % 2 == 0 ? ND_CQ_NOTIFY_ANY : ND_CQ_NOTIFY_SOLICITED, &any[i]);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	for (unsigned int i = 0; i < 5; i++)
		must_be(&any[i], true);
}

/* A completion between GetResults and Notify is not lost. */
Test(CQ_SUITE, nd_136_no_wake_up_is_lost)
{
	OVERLAPPED any;

	for (unsigned int i = 0; i < 50; i++) {
		quiet(true);
		message(0);
		arm(0, ND_CQ_NOTIFY_ANY, &any);
		must_be(&any, true);
		take(1);
	}
}

/* ANY while SOLICITED is outstanding: an unsolicited completion is reported. */
Test(CQ_SUITE, nd_137_any_turns_the_arming_into_any)
{
	static OVERLAPPED solicited, any;

	arm(0, ND_CQ_NOTIFY_SOLICITED, &solicited);
	arm(0, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	must_be(&solicited, true);
}

/* A second arming never weakens the first; ERRORS and then SOLICITED is SOLICITED. */
Test(CQ_SUITE, nd_138_second_arming_does_not_weaken_the_first)
{
	static const struct {
		ULONG first, second;
		ULONG flags; /**< of a message that completes both; others complete none */
	} rows[] = {
		{ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_SOLICITED, 0},
		{ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_ERRORS, 0},
		{ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ERRORS, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT},
		{ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_SOLICITED, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT},
		{ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_ANY, 0},
		{ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ANY, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OVERLAPPED armed[2];

		arm(0, rows[i].first, &armed[0]);
		arm(0, rows[i].second, &armed[1]);
		for (unsigned int last = rows[i].flags == 0; last < 2; last++) {
			message(last != 0 ? rows[i].flags : 0);
			must_be(&armed[0], last != 0);
			must_be(&armed[1], last != 0);
			take(1);
		}
	}
}

/* Arming with a completion newer than the last notification: reported at once. */
Test(CQ_SUITE, nd_140_newer_completion_is_told_at_once)
{
	OVERLAPPED any;

	arm(0, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	message(0);
	arm(0, ND_CQ_NOTIFY_ANY, &any);
	cr_assert(HasOverlappedIoCompleted(&any));
	must_be(&any, true);
	take(2);
}

/* Resize below the fill: ND_BUFFER_OVERFLOW, nothing changes; otherwise no result is lost. */
Test(CQ_SUITE, nd_143_resize_loses_nothing)
{
	for (unsigned int i = 0; i < 6; i++)
		message(0);
	cr_assert_eq(resize(5), ND_BUFFER_OVERFLOW);
	cr_assert_eq(resize(6), ND_SUCCESS);
	take(2);
	cr_assert_eq(resize(1000), ND_SUCCESS);
	message(0);
	take(5);
	quiet(true);
	cr_assert_eq(resize(0), ND_INVALID_PARAMETER);
}

/* CancelOverlappedRequests cancels the notifications of its queue only. */
Test(CQ_SUITE, nd_145_cancel_is_for_one_queue)
{
	OVERLAPPED own, foreign;

	arm(0, ND_CQ_NOTIFY_ANY, &own);
	arm(1, ND_CQ_NOTIFY_ANY, &foreign);
	cr_assert_eq(cancel(1), ND_SUCCESS);
	cr_assert_eq(status_of(&foreign), ND_CANCELED);
	must_be(&own, false);
	message(0);
	must_be(&own, true);
}

/** Two notifications of each of two queues, cancelled; then take their packets. */
static void
cancel_two_queues(HANDLE port, OVERLAPPED *taken[4], OVERLAPPED notified[4])
{
	for (unsigned int i = 0; i < 4; i++)
		arm(i / 2, ND_CQ_NOTIFY_ANY, &notified[i]);
	cr_assert_null(packet(port, FALSE));
	cr_assert_eq(cancel(1), ND_SUCCESS);
	cr_assert_eq(cancel(0), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; i++)
		taken[i] = packet(port, FALSE);
}

/* When Cancel returns, the reports are in the completion port. */
Test(CQ_SUITE, nd_146_cancellation_is_in_the_port_when_cancel_returns)
{
	HANDLE port = CreateIoCompletionPort(queue_file(), NULL, 0, 0);
	OVERLAPPED notified[4], *taken[4];

	cancel_two_queues(port, taken, notified);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_not_null(taken[i]);
	cr_assert_null(packet(port, FALSE));
	CloseHandle(port);
}

/* Queue 1 cancelled before queue 0: in that order, and of each in the order of the calls. */
Test(CQ_SUITE, nd_147_cancellations_are_reported_in_order)
{
	HANDLE port = CreateIoCompletionPort(queue_file(), NULL, 0, 0);
	OVERLAPPED notified[4], *taken[4];

	cancel_two_queues(port, taken, notified);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(taken[i], &notified[(i + 2) % 4]);
	CloseHandle(port);
}

/* The dequeue reports failure, GetOverlappedResult(FALSE) ND_CANCELED; repeated many times. */
Test(CQ_SUITE, nd_148_cancel_again_and_again)
{
	HANDLE port = CreateIoCompletionPort(queue_file(), NULL, 0, 0);
	OVERLAPPED notified[4], *taken[4];

	for (unsigned int round = 0; round < 500; round++) {
		cancel_two_queues(port, taken, notified);
		for (unsigned int i = 0; i < 4; i++)
			cr_assert_eq(status_of(taken[i]), ND_CANCELED);
		cr_assert_eq(taken[0], &notified[2]);
	}
	CloseHandle(port);
}

#endif
