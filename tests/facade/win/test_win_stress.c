/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "win/win.h"

/*
 * Many threads use one port. Producers post packets and run operations of files. Consumers take one
 * or several packets at a time, and wait for events in between. The idle hook runs. Each packet
 * must arrive once. Operations of one file must arrive in the order in which they ended.
 */
enum {
	PRODUCERS = 4,
	CONSUMERS = 6,
	ROUNDS = 4000,
	PENDING = 8,
	STOP = 0xDEAD,
};

struct producer {
	HANDLE file;
	OVERLAPPED operations[PENDING];
	/** true if the operation was dequeued and may be used again */
	volatile LONG free[PENDING];
	volatile LONG taken;  /**< number of dequeued packets of operations */
	volatile LONG failed; /**< number of dequeued packets of cancelled operations */
	/** Number of dequeued packets that were posted with PostQueuedCompletionStatus(). */
	volatile LONG posted;
};

static HANDLE port;
static HANDLE tick;
static struct producer producers[PRODUCERS];
static volatile LONG strangers;
static volatile LONG hook_calls;

static DWORD
produce(LPVOID arg)
{
	struct producer *producer = arg;

	for (DWORD i = 0; i < ROUNDS; i++) {
		DWORD slot = i % PENDING;
		OVERLAPPED *overlapped = &producer->operations[slot];

		while (!InterlockedExchange(&producer->free[slot], 0))
			Sleep(i % 64 == 0);
		if (win_overlapped_begin(producer->file, overlapped) != STATUS_SUCCESS)
			return 1;
		win_overlapped_complete(producer->file, overlapped,
			i % 3 == 0 ? STATUS_CANCELLED : STATUS_SUCCESS, i);
		if (!PostQueuedCompletionStatus(port, i, (ULONG_PTR)producer, NULL))
			return 2;
		SetEvent(tick);
	}
	return 0;
}

static void
consume_one(ULONG_PTR key, OVERLAPPED *overlapped, DWORD bytes, bool failed)
{
	struct producer *producer = (struct producer *)key;

	if (!overlapped) {
		InterlockedIncrement(&producer->posted);
		return;
	}
	if (overlapped < producer->operations || overlapped >= producer->operations + PENDING ||
		bytes % PENDING != (DWORD)(overlapped - producer->operations) ||
		failed != (bytes % 3 == 0) || overlapped->InternalHigh != bytes)
		InterlockedIncrement(&strangers);
	InterlockedIncrement(&producer->taken);
	if (failed)
		InterlockedIncrement(&producer->failed);
	InterlockedExchange(&producer->free[overlapped - producer->operations], 1);
}

static DWORD
consume(LPVOID arg)
{
	DWORD number = (DWORD)(ULONG_PTR)arg;

	for (DWORD i = 0;; i++) {
		OVERLAPPED_ENTRY entries[4];
		ULONG count = 1;
		int stops = 0;

		if (number % 2 == 0) {
			OVERLAPPED_ENTRY *e = &entries[0];
			BOOL ok = GetQueuedCompletionStatus(port, &e->dwNumberOfBytesTransferred,
				&e->lpCompletionKey, &e->lpOverlapped, i % 5 == 0 ? 1 : INFINITE);

			if (!ok && !e->lpOverlapped)
				continue;
			e->Internal = ok ? 0 : 0xC0000000u;
		} else if (!GetQueuedCompletionStatusEx(
				   port, entries, 4, &count, INFINITE, FALSE)) {
			return 1;
		}
		for (ULONG j = 0; j < count; j++) {
			if (entries[j].lpCompletionKey == STOP)
				stops++;
			else
				consume_one(entries[j].lpCompletionKey, entries[j].lpOverlapped,
					entries[j].dwNumberOfBytesTransferred,
					(entries[j].Internal & 0x80000000u) != 0);
		}
		/*
		 * Each stop packet ends one thread. If this call has taken several, post the others
		 * again, for other threads.
		 */
		for (int j = 1; j < stops; j++)
			PostQueuedCompletionStatus(port, 0, STOP, NULL);
		if (stops > 0)
			return 0;
		if (i % 16 == 0)
			WaitForSingleObject(tick, 1);
	}
}

static bool
count_hook(void *arg)
{
	(void)arg;
	return InterlockedIncrement(&hook_calls) % 32 != 0;
}

static void
run(DWORD concurrency)
{
	HANDLE threads[PRODUCERS + CONSUMERS];
	DWORD code;

	port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, concurrency);
	tick = CreateEvent(NULL, FALSE, FALSE, NULL);
	for (ULONG_PTR i = 0; i < CONSUMERS; i++)
		threads[PRODUCERS + i] = CreateThread(NULL, 0, consume, (LPVOID)i, 0, NULL);
	for (int i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){.file = win_file_create()};
		for (int j = 0; j < PENDING; j++)
			producers[i].free[j] = 1;
		cr_assert_eq(CreateIoCompletionPort(
				     producers[i].file, port, (ULONG_PTR)&producers[i], 0),
			port);
		threads[i] = CreateThread(NULL, 0, produce, &producers[i], 0, NULL);
	}
	cr_assert_eq(WaitForMultipleObjects(PRODUCERS, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (int i = 0; i < PRODUCERS; i++) {
		while (producers[i].taken + producers[i].posted < 2 * ROUNDS)
			Sleep(1);
	}
	for (int i = 0; i < CONSUMERS; i++)
		PostQueuedCompletionStatus(port, 0, STOP, NULL);
	cr_assert_eq(WaitForMultipleObjects(CONSUMERS, threads + PRODUCERS, TRUE, INFINITE),
		WAIT_OBJECT_0);
	for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
		cr_expect(GetExitCodeThread(threads[i], &code));
		cr_expect_eq(code, 0);
		CloseHandle(threads[i]);
	}
	for (int i = 0; i < PRODUCERS; i++) {
		cr_expect_eq(producers[i].taken, ROUNDS);
		cr_expect_eq(producers[i].posted, ROUNDS);
		cr_expect_eq(producers[i].failed, (ROUNDS + 2) / 3);
		cr_expect(CloseHandle(producers[i].file));
	}
	cr_expect_eq(strangers, 0);
	cr_expect(CloseHandle(port));
	cr_expect(CloseHandle(tick));
}

Test(win_stress, many_threads_on_one_port)
{
	run(0);
}

Test(win_stress, with_a_concurrency_of_one)
{
	run(1);
}

Test(win_stress, while_the_engines_are_driven)
{
	win_set_idle_hook(count_hook, NULL);
	run(2);
	win_set_idle_hook(NULL, NULL);
	cr_expect_gt(hook_calls, 0);
}
