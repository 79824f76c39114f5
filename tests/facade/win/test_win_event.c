/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <ndpdk/win/windows.h>

static HANDLE
event_make(BOOL manual, BOOL initial)
{
	HANDLE event = CreateEvent(NULL, manual, initial, NULL);

	cr_assert_not_null(event);
	return event;
}

Test(win_event, a_manual_event_stays_set)
{
	HANDLE event = event_make(TRUE, FALSE);

	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);
	cr_expect(SetEvent(event));
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
	cr_expect(ResetEvent(event));
	cr_expect_eq(WaitForSingleObject(event, 5), WAIT_TIMEOUT);
}

Test(win_event, an_automatic_event_is_taken_by_one_wait)
{
	HANDLE event = event_make(FALSE, TRUE);

	cr_expect_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);
	cr_expect(SetEvent(event));
	cr_expect(SetEvent(event));
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT, "two sets are one signal");
}

Test(win_event, a_wait_for_any_takes_the_first_and_leaves_the_others)
{
	HANDLE events[] = {
		event_make(FALSE, FALSE), event_make(FALSE, TRUE), event_make(FALSE, TRUE)};

	cr_expect_eq(WaitForMultipleObjects(3, events, FALSE, 0), WAIT_OBJECT_0 + 1);
	cr_expect_eq(WaitForMultipleObjects(3, events, FALSE, INFINITE), WAIT_OBJECT_0 + 2);
	cr_expect_eq(WaitForMultipleObjects(3, events, FALSE, 2), WAIT_TIMEOUT);
}

Test(win_event, a_wait_for_all_takes_all_or_nothing)
{
	HANDLE events[] = {event_make(FALSE, TRUE), event_make(FALSE, FALSE)};

	cr_expect_eq(WaitForMultipleObjects(2, events, TRUE, 2), WAIT_TIMEOUT);
	cr_expect_eq(WaitForSingleObject(events[0], 0), WAIT_OBJECT_0, "was not taken");
	cr_expect(SetEvent(events[0]));
	cr_expect(SetEvent(events[1]));
	cr_expect_eq(WaitForMultipleObjects(2, events, TRUE, 0), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(events[0], 0), WAIT_TIMEOUT);
	cr_expect_eq(WaitForSingleObject(events[1], 0), WAIT_TIMEOUT);
}

Test(win_event, wrong_arguments_of_waits)
{
	HANDLE events[MAXIMUM_WAIT_OBJECTS + 1];

	for (int i = 0; i <= MAXIMUM_WAIT_OBJECTS; i++)
		events[i] = event_make(FALSE, i == MAXIMUM_WAIT_OBJECTS - 1);
	cr_expect_eq(WaitForMultipleObjects(0, events, FALSE, 0), WAIT_FAILED);
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect_eq(WaitForMultipleObjects(1, NULL, FALSE, 0), WAIT_FAILED);
	cr_expect_eq(
		WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS + 1, events, FALSE, 0), WAIT_FAILED);
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect_eq(WaitForMultipleObjects(2, (HANDLE[]){events[0], events[0]}, TRUE, 0),
		WAIT_FAILED, "the same handle twice");
	cr_expect_eq(
		WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS, events, FALSE, 0), WAIT_OBJECT_0 + 63);
	cr_expect(CloseHandle(events[5]));
	cr_expect_eq(WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS, events, FALSE, 0), WAIT_FAILED);
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
	cr_expect_null(CreateEventA(NULL, FALSE, FALSE, "name"));
	cr_expect_eq(GetLastError(), ERROR_NOT_SUPPORTED);
	cr_expect_null(CreateEventW(NULL, FALSE, FALSE, L"name"));
}

struct relay {
	HANDLE go;
	HANDLE done;
	int rounds;
};

static DWORD
relay_main(LPVOID arg)
{
	struct relay *relay = arg;

	for (int i = 0; i < relay->rounds; i++) {
		if (WaitForSingleObject(relay->go, INFINITE) != WAIT_OBJECT_0)
			return 1;
		SetEvent(relay->done);
	}
	return 0;
}

static DWORD
signal_and_wait(const struct relay *relay)
{
	return SetEvent(relay->go) ? WaitForSingleObject(relay->done, INFINITE) : WAIT_FAILED;
}

Test(win_event, threads_wake_each_other)
{
	struct relay relay = {event_make(FALSE, FALSE), event_make(FALSE, FALSE), 5000};
	HANDLE thread = CreateThread(NULL, 0, relay_main, &relay, 0, NULL);
	DWORD code = 5;

	for (int i = 0; i < relay.rounds; i++)
		cr_assert_eq(signal_and_wait(&relay), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(relay.done, 0), WAIT_TIMEOUT);
	cr_expect(GetExitCodeThread(thread, &code));
	cr_expect_eq(code, 0);
	CloseHandle(thread);
}

/*
 * Threads that wait for two events. Each signal of an auto-reset event ends one wait. A
 * manual-reset event ends all waits.
 */
struct takers {
	HANDLE events[2]; /**< auto-reset event, manual-reset event */
	HANDLE taken;
};

static DWORD
taker_main(LPVOID arg)
{
	struct takers *takers = arg;

	if (WaitForMultipleObjects(2, takers->events, TRUE, INFINITE) != WAIT_OBJECT_0)
		return 1;
	SetEvent(takers->taken);
	return 0;
}

Test(win_event, each_signal_is_taken_by_one_wait_for_all)
{
	enum { THREADS = 8 };
	struct takers takers = {
		{event_make(FALSE, FALSE), event_make(TRUE, FALSE)}, event_make(FALSE, FALSE)};
	HANDLE threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		threads[i] = CreateThread(NULL, 0, taker_main, &takers, 0, NULL);
	cr_expect(SetEvent(takers.events[0]));
	cr_expect_eq(WaitForSingleObject(takers.taken, 20), WAIT_TIMEOUT, "one of two is set");
	cr_expect(SetEvent(takers.events[1]));
	for (int i = 0; i < THREADS; i++) {
		cr_assert_eq(WaitForSingleObject(takers.taken, INFINITE), WAIT_OBJECT_0);
		cr_assert_eq(WaitForSingleObject(takers.taken, 2), WAIT_TIMEOUT);
		if (i + 1 < THREADS)
			cr_expect(SetEvent(takers.events[0]));
	}
	cr_expect_eq(WaitForMultipleObjects(THREADS, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (int i = 0; i < THREADS; i++)
		CloseHandle(threads[i]);
}

static DWORD
close_later(LPVOID arg)
{
	Sleep(20);
	return (DWORD)CloseHandle(arg);
}

Test(win_event, a_wait_survives_the_close_of_its_handle)
{
	HANDLE event = event_make(TRUE, FALSE);
	HANDLE thread = CreateThread(NULL, 0, close_later, event, 0, NULL);

	cr_expect_eq(WaitForSingleObject(event, 100), WAIT_TIMEOUT);
	cr_expect_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	cr_expect_eq(WaitForSingleObject(event, 100), WAIT_FAILED);
	CloseHandle(thread);
}
