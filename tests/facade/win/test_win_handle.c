/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "win/win.h"

static HANDLE
event_make(void)
{
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);

	cr_assert_not_null(event);
	return event;
}

/** Fail unless all calls that take a handle refuse this handle with ERROR_INVALID_HANDLE. */
static void
expect_refused(HANDLE handle)
{
	OVERLAPPED *overlapped;
	ULONG_PTR key;
	DWORD value;

#define REFUSED(call, failure)                                                                     \
	do {                                                                                       \
		SetLastError(0);                                                                   \
		cr_expect_eq(call, failure, "%s of %p", #call, handle);                            \
		cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE, "%s of %p", #call, handle);     \
	} while (0)
	REFUSED(SetEvent(handle), FALSE);
	REFUSED(ResetEvent(handle), FALSE);
	REFUSED(CloseHandle(handle), FALSE);
	REFUSED(WaitForSingleObject(handle, 0), WAIT_FAILED);
	REFUSED(WaitForSingleObject(handle, INFINITE), WAIT_FAILED);
	REFUSED(GetExitCodeThread(handle, &value), FALSE);
	REFUSED(PostQueuedCompletionStatus(handle, 0, 0, NULL), FALSE);
	REFUSED(GetQueuedCompletionStatus(handle, &value, &key, &overlapped, INFINITE), FALSE);
	REFUSED(CreateIoCompletionPort(handle, NULL, 0, 0), NULL);
	REFUSED(ResumeThread(handle), (DWORD)-1);
#undef REFUSED
	cr_expect_not(win_file_ref(handle));
}

Test(win_handle, what_was_never_a_handle_is_refused)
{
	static const uint64_t wrong[] = {
		0,
		4,
		1000,
		0x12345678,
		UINT64_C(2) << 22,
		UINT64_C(1) << 40,
		UINT64_C(3) << 60,
		UINT64_C(0x7fffffffffff0000),
		UINT64_MAX - 7,
	};

	event_make();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_refused((HANDLE)(uintptr_t)wrong[i]);
}

Test(win_handle, a_closed_handle_is_refused_also_when_its_place_is_used_again)
{
	HANDLE event = event_make();
	HANDLE next;

	cr_assert(CloseHandle(event));
	expect_refused(event);
	for (int i = 0; i < 1000; i++) {
		next = event_make();
		cr_assert_neq(next, event);
		expect_refused(event);
		cr_assert(CloseHandle(next));
	}
}

Test(win_handle, a_handle_of_another_kind_is_refused)
{
	HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);
	HANDLE event = event_make();
	HANDLE file = win_file_create();
	DWORD value;

	cr_expect_not(SetEvent(port));
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
	cr_expect_not(SetEvent(file));
	cr_expect_not(PostQueuedCompletionStatus(event, 0, 0, NULL));
	cr_expect_not(GetExitCodeThread(event, &value));
	cr_expect_null(CreateIoCompletionPort(event, port, 0, 0));
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
	cr_expect_null(CreateIoCompletionPort(file, event, 0, 0));
	cr_expect_eq(WaitForSingleObject(port, 0), WAIT_FAILED);
	cr_expect_not(win_file_ref(event));
	/* The refused calls have closed nothing and kept no references. */
	cr_expect(CloseHandle(port));
	cr_expect(CloseHandle(event));
	cr_expect(CloseHandle(file));
}

Test(win_handle, the_lowest_bits_of_a_handle_do_not_count)
{
	HANDLE event = event_make();
	HANDLE marked = (HANDLE)((ULONG_PTR)event | 1);

	cr_expect(SetEvent(marked));
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	cr_expect(CloseHandle(marked));
	expect_refused(event);
}

Test(win_handle, many_handles_are_different)
{
	enum { COUNT = 5000 };
	static HANDLE events[COUNT];

	for (int i = 0; i < COUNT; i++) {
		events[i] = event_make();
		cr_assert_eq((ULONG_PTR)events[i] & 3, 0);
	}
	for (int i = 0; i < COUNT; i += 2)
		cr_assert(SetEvent(events[i]));
	for (int i = 0; i < COUNT; i++)
		cr_assert_eq(WaitForSingleObject(events[i], 0), i % 2 ? WAIT_TIMEOUT : 0);
	for (int i = 0; i < COUNT; i++)
		cr_assert(CloseHandle(events[i]));
}

/*
 * If several threads close the same handle, exactly one succeeds. Threads that use the handle do
 * not crash.
 */
static DWORD
close_all(LPVOID arg)
{
	HANDLE *handles = arg;
	DWORD closed = 0;

	for (int i = 0; handles[i]; i++) {
		SetEvent(handles[i]);
		closed += (DWORD)CloseHandle(handles[i]);
		ResetEvent(handles[i]);
	}
	return closed;
}

Test(win_handle, one_of_many_closes_succeeds)
{
	enum { HANDLES = 2000, THREADS = 4 };
	static HANDLE handles[HANDLES + 1];
	HANDLE threads[THREADS];
	DWORD total = 0;

	for (int i = 0; i < HANDLES; i++)
		handles[i] = event_make();
	for (int i = 0; i < THREADS; i++)
		threads[i] = CreateThread(NULL, 0, close_all, handles, 0, NULL);
	cr_assert_eq(WaitForMultipleObjects(THREADS, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (int i = 0; i < THREADS; i++) {
		DWORD closed;

		cr_assert(GetExitCodeThread(threads[i], &closed));
		total += closed;
		CloseHandle(threads[i]);
	}
	cr_expect_eq(total, HANDLES);
}

Test(win_handle, errors_belong_to_a_thread)
{
	SetLastError(1234);
	HANDLE thread = CreateThread(NULL, 0, close_all, (HANDLE[]){(HANDLE)4, NULL}, 0, NULL);

	cr_assert_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	cr_expect_eq(GetLastError(), 1234);
	CloseHandle(thread);
}
