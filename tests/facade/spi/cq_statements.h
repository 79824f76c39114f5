/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CQ_STATEMENTS_H
#define NDPDK_SPI_CQ_STATEMENTS_H

/*
 * Tests of Network Direct statements (docs/rules.md) about notifications, for both versions of the
 * SPI. The tests belong to the suite CQ_SUITE. A file that includes this file defines the
 * operations below for its version. Queue 0 gets the results of the receiver's receives. Queue 1 is
 * another queue of the same adapter.
 */

/** Call Notify on a queue. The Notify must be pending. */
static void arm(unsigned int queue, ULONG type, OVERLAPPED *overlapped);
/** Fail unless a Notify is complete, or pending if `complete` is false. */
static void must_be(OVERLAPPED *overlapped, bool complete);
/** @return status that GetOverlappedResult returns without waiting */
static HRESULT status_of(OVERLAPPED *overlapped);
static HRESULT cancel(unsigned int queue);
static HRESULT resize(ULONG depth);
/** Send a message, and wait until the receiver's result is in queue 0. */
static void message(ULONG flags);
/** Take the result of the next receive from queue 0. @return status of this result */
static HRESULT receive_status(void);
/**
 * Cause a failed result by cancelling a receive, or by a message that is longer than its receive.
 */
static void receive_canceled(void);
static void receive_short(void);
/** Fail if a result arrives at the receiver or the sender within a short time. */
static void quiet(bool receiver);
/** @return file handle of the adapter, to which the operations of both queues report */
static HANDLE queue_file(void);

static void
take(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(receive_status(), ND_SUCCESS);
}

/**
 * Take the next packet of the completion port.
 *
 * @param expected TRUE to wait for a packet, FALSE to fail if the port has one
 * @return OVERLAPPED of the packet, or NULL
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

Test(CQ_SUITE, nd_135_all_outstanding_are_completed)
{
	OVERLAPPED any[5];

	for (unsigned int i = 0; i < 5; i++)
		arm(0, i % 2 == 0 ? ND_CQ_NOTIFY_ANY : ND_CQ_NOTIFY_SOLICITED, &any[i]);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	for (unsigned int i = 0; i < 5; i++)
		must_be(&any[i], true);
}

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

Test(CQ_SUITE, nd_137_any_turns_the_arming_into_any)
{
	static OVERLAPPED solicited, any;

	arm(0, ND_CQ_NOTIFY_SOLICITED, &solicited);
	arm(0, ND_CQ_NOTIFY_ANY, &any);
	message(0);
	must_be(&any, true);
	must_be(&solicited, true);
}

/* A second Notify never weakens the first one. Of ERRORS and SOLICITED, SOLICITED applies. */
Test(CQ_SUITE, nd_138_second_arming_does_not_weaken_the_first)
{
	static const struct {
		ULONG first, second;
		ULONG flags; /**< flags of a message that completes both notifications */
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

/*
 * A resize below the number of results returns ND_BUFFER_OVERFLOW and changes nothing. Other sizes
 * are accepted, and no result is lost.
 */
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

/*
 * Queue 1 is cancelled before queue 0. The packets are in this order, and for each queue in the
 * order of the Notify calls.
 */
Test(CQ_SUITE, nd_147_cancellations_are_reported_in_order)
{
	HANDLE port = CreateIoCompletionPort(queue_file(), NULL, 0, 0);
	OVERLAPPED notified[4], *taken[4];

	cancel_two_queues(port, taken, notified);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(taken[i], &notified[(i + 2) % 4]);
	CloseHandle(port);
}

/*
 * For a cancelled Notify, GetQueuedCompletionStatus returns FALSE, and GetOverlappedResult returns
 * ND_CANCELED. The test repeats this many times.
 */
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
