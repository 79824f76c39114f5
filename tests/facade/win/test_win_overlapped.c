/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "win/win.h"

static HANDLE file;
static HANDLE port;

static void
setup(void)
{
	file = win_file_create();
	cr_assert_not_null(file);
	port = CreateIoCompletionPort(file, NULL, 77, 0);
	cr_assert_not_null(port);
}

static void
teardown(void)
{
	CloseHandle(file);
	CloseHandle(port);
}

TestSuite(win_overlapped, .init = setup, .fini = teardown);

/**
 * Take the next packet.
 * @param ok is set to the result of GetQueuedCompletionStatus()
 * @return OVERLAPPED of the packet, or NULL
 */
static OVERLAPPED *
dequeue(BOOL *ok)
{
	OVERLAPPED *overlapped = (OVERLAPPED *)8;
	ULONG_PTR key = 0;
	DWORD bytes = 0;

	*ok = GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, 0);
	if (overlapped)
		cr_expect_eq(key, 77);
	else
		cr_expect_eq(GetLastError(), WAIT_TIMEOUT);
	return overlapped;
}

static void
begin(OVERLAPPED *overlapped)
{
	cr_assert_eq(win_overlapped_begin(file, overlapped), STATUS_SUCCESS);
}

/* ND-211: an operation without an event queues exactly one packet. */
Test(win_overlapped, nd211_without_an_event_there_is_exactly_one_packet)
{
	OVERLAPPED overlapped = {.hEvent = NULL};
	BOOL ok;

	for (int i = 0; i < 3; i++) {
		begin(&overlapped);
		cr_expect_not(HasOverlappedIoCompleted(&overlapped));
		cr_expect_null(dequeue(&ok));
		win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 5);
		cr_expect(HasOverlappedIoCompleted(&overlapped));
		cr_expect_eq(overlapped.InternalHigh, 5);
		cr_expect_eq(dequeue(&ok), &overlapped);
		cr_expect(ok);
		cr_expect_null(dequeue(&ok));
	}
}

/* ND-211: if the lowest bit of hEvent is set, an operation only signals the event. */
Test(win_overlapped, nd211_with_the_lowest_bit_of_the_event_there_is_no_packet)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = (HANDLE)((ULONG_PTR)event | 1)};
	BOOL ok;

	begin(&overlapped);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);
	win_overlapped_complete(file, &overlapped, STATUS_CANCELLED, 0);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	cr_expect_null(dequeue(&ok));
	cr_expect_eq(win_overlapped_status(&overlapped, FALSE), STATUS_CANCELLED);
	CloseHandle(event);
}

Test(win_overlapped, with_an_event_there_are_a_signal_and_a_packet)
{
	HANDLE event = CreateEvent(NULL, TRUE, TRUE, NULL);
	OVERLAPPED overlapped = {.hEvent = event};
	BOOL ok;

	begin(&overlapped);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT, "reset by the operation");
	win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 0);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	cr_expect_eq(dequeue(&ok), &overlapped);
	CloseHandle(event);
}

/* ND-146, ND-147, ND-148: cancelled operations queue packets in order. */
Test(win_overlapped, nd147_cancelled_operations_are_dequeued_in_order_as_failures)
{
	OVERLAPPED overlapped[3] = {{0}, {0}, {0}};
	static const int order[] = {2, 0, 1};
	BOOL ok;

	for (int round = 0; round < 1000; round++) {
		for (int i = 0; i < 3; i++)
			begin(&overlapped[i]);
		for (int i = 0; i < 3; i++)
			win_overlapped_complete(file, &overlapped[order[i]], STATUS_CANCELLED, 0);
		for (int i = 0; i < 3; i++) {
			cr_assert_eq(dequeue(&ok), &overlapped[order[i]]);
			cr_assert_not(ok);
			cr_assert_eq(GetLastError(), ERROR_OPERATION_ABORTED);
			cr_assert_eq(win_overlapped_status(&overlapped[order[i]], FALSE),
				STATUS_CANCELLED);
		}
		cr_assert_null(dequeue(&ok));
	}
}

Test(win_overlapped, a_status_that_is_no_failure_is_none_for_the_port)
{
	OVERLAPPED overlapped = {0};
	BOOL ok;

	begin(&overlapped);
	win_overlapped_complete(file, &overlapped, STATUS_TIMEOUT, 0);
	cr_expect_eq(dequeue(&ok), &overlapped);
	cr_expect(ok);
	cr_expect_eq(win_overlapped_status(&overlapped, FALSE), STATUS_TIMEOUT);
	begin(&overlapped);
	win_overlapped_complete(file, &overlapped, STATUS_BUFFER_OVERFLOW, 0);
	cr_expect_eq(dequeue(&ok), &overlapped);
	cr_expect_not(ok);
	cr_expect_eq(GetLastError(), ERROR_MORE_DATA);
}

Test(win_overlapped, an_operation_that_is_abandoned_is_not_reported)
{
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = event};
	BOOL ok;

	begin(&overlapped);
	win_overlapped_abandon(file, &overlapped, STATUS_INVALID_PARAMETER);
	cr_expect_eq(win_overlapped_status(&overlapped, TRUE), STATUS_INVALID_PARAMETER);
	cr_expect_null(dequeue(&ok));
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);
	CloseHandle(event);
}

Test(win_overlapped, what_cannot_begin)
{
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = event, .Internal = 7};

	CloseHandle(event);
	cr_expect_eq(win_overlapped_begin(file, &overlapped), STATUS_INVALID_HANDLE);
	overlapped.hEvent = port;
	cr_expect_eq(win_overlapped_begin(file, &overlapped), STATUS_INVALID_HANDLE);
	overlapped.hEvent = NULL;
	cr_expect_eq(win_overlapped_begin(port, &overlapped), STATUS_INVALID_HANDLE);
	cr_expect_eq(overlapped.Internal, 7, "untouched");
}

Test(win_overlapped, the_event_and_the_port_may_be_closed_before_the_end)
{
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = event};

	begin(&overlapped);
	CloseHandle(event);
	CloseHandle(port);
	win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 3);
	cr_expect_eq(win_overlapped_status(&overlapped, FALSE), STATUS_SUCCESS);
}

Test(win_overlapped, a_file_that_is_kept_works_after_its_close)
{
	OVERLAPPED overlapped = {0};
	BOOL ok;

	cr_assert(win_file_ref(file));
	cr_assert(CloseHandle(file));
	cr_expect_not(win_file_ref(file), "closed");
	begin(&overlapped);
	win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 0);
	cr_expect_eq(dequeue(&ok), &overlapped);
	win_file_unref(file);
	cr_expect_eq(win_overlapped_begin(file, &overlapped), STATUS_INVALID_HANDLE, "gone");
}

Test(win_overlapped, a_file_has_one_port)
{
	HANDLE other = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);

	cr_expect_null(CreateIoCompletionPort(file, other, 0, 0));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect_null(CreateIoCompletionPort(file, NULL, 0, 0));
	cr_expect_null(CreateIoCompletionPort(INVALID_HANDLE_VALUE, other, 0, 0));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	CloseHandle(other);
}

Test(win_overlapped, two_operations_in_a_row_give_two_packets)
{
	OVERLAPPED overlapped = {0};
	BOOL ok;

	begin(&overlapped);
	begin(&overlapped);
	win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 0);
	win_overlapped_complete(file, &overlapped, STATUS_CANCELLED, 0);
	cr_expect_eq(dequeue(&ok), &overlapped);
	cr_expect(ok);
	cr_expect_eq(dequeue(&ok), &overlapped);
	cr_expect_not(ok);
}

/**
 * Argument of a thread that ends operations as fast as they are started. The number of bytes
 * increases.
 */
struct source {
	HANDLE go;
	OVERLAPPED *overlapped;
	int rounds;
};

static DWORD
source_main(LPVOID arg)
{
	struct source *source = arg;

	for (int i = 0; i < source->rounds; i++) {
		WaitForSingleObject(source->go, INFINITE);
		win_overlapped_complete(file, source->overlapped, STATUS_SUCCESS, (ULONG_PTR)i);
	}
	return 0;
}

/*
 * Run many operations, and wait in different ways. The status becomes visible when the operation
 * has ended. The event must not be set later, because it would then end the wait of the next
 * operation.
 */
static void
run_source(HANDLE event)
{
	OVERLAPPED overlapped = {.hEvent = event ? (HANDLE)((ULONG_PTR)event | 1) : NULL};
	struct source source = {CreateEvent(NULL, FALSE, FALSE, NULL), &overlapped, 3000};
	HANDLE thread = CreateThread(NULL, 0, source_main, &source, 0, NULL);

	for (int i = 0; i < source.rounds; i++) {
		begin(&overlapped);
		SetEvent(source.go);
		if (event && i % 3 == 0) {
			cr_assert_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
		} else if (i % 3 == 1) {
			while (!HasOverlappedIoCompleted(&overlapped))
				SwitchToThread();
		} else {
			win_overlapped_status(&overlapped, TRUE);
		}
		cr_assert_eq(win_overlapped_status(&overlapped, FALSE), STATUS_SUCCESS);
		cr_assert_eq(overlapped.InternalHigh, (ULONG_PTR)i);
	}
	cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	CloseHandle(thread);
	CloseHandle(source.go);
}

Test(win_overlapped, no_signal_comes_after_the_status)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);

	run_source(event);
	CloseHandle(event);
}

Test(win_overlapped, a_wait_needs_no_event)
{
	run_source(NULL);
}

/** Idle hook that ends the operation while the thread waits for it. */
static bool
end_it(void *arg)
{
	OVERLAPPED *overlapped = arg;

	if (!HasOverlappedIoCompleted(overlapped))
		win_overlapped_complete(file, overlapped, STATUS_SUCCESS, 0);
	return true;
}

Test(win_overlapped, a_wait_resets_an_automatic_event)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = event};

	begin(&overlapped);
	win_set_idle_hook(end_it, &overlapped);
	cr_expect_eq(win_overlapped_status(&overlapped, TRUE), STATUS_SUCCESS);
	win_set_idle_hook(NULL, NULL);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);

	/* If the status is available without a wait, the event stays signalled, as on Windows. */
	begin(&overlapped);
	win_overlapped_complete(file, &overlapped, STATUS_SUCCESS, 0);
	cr_expect_eq(win_overlapped_status(&overlapped, TRUE), STATUS_SUCCESS);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	CloseHandle(event);
}
