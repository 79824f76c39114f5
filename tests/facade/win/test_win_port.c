/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <ndpdk/win/windows.h>

static HANDLE port;

static void
port_make(DWORD threads)
{
	port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, threads);
	cr_assert_not_null(port);
}

static OVERLAPPED *
marker(int number)
{
	static OVERLAPPED overlapped[16];

	return &overlapped[number];
}

/** Take a packet. @return its number of bytes, or -1 if there is none */
static long
take(DWORD milliseconds)
{
	OVERLAPPED *overlapped;
	ULONG_PTR key;
	DWORD bytes;

	if (!GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, milliseconds)) {
		cr_assert_null(overlapped);
		return -1;
	}
	return bytes;
}

Test(win_port, packets_of_the_program_come_in_order_and_unchanged)
{
	OVERLAPPED *overlapped;
	ULONG_PTR key;
	DWORD bytes;

	port_make(0);
	for (int i = 0; i < 16; i++)
		cr_expect(PostQueuedCompletionStatus(
			port, 0xFFFFFFF0u + (DWORD)i, UINT64_MAX - (ULONG_PTR)i, marker(i)));
	cr_expect(PostQueuedCompletionStatus(port, 0, 0, NULL));
	for (int i = 0; i < 16; i++) {
		cr_assert(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, INFINITE));
		cr_expect_eq(bytes, 0xFFFFFFF0u + (DWORD)i);
		cr_expect_eq(key, UINT64_MAX - (ULONG_PTR)i);
		cr_expect_eq(overlapped, marker(i));
	}
	cr_expect(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, 0));
	cr_expect_null(overlapped, "posted like that");
}

Test(win_port, without_a_packet_the_outputs_say_so)
{
	OVERLAPPED *overlapped = marker(1);
	ULONG_PTR key = 5;
	DWORD bytes = 6;

	port_make(1);
	for (DWORD wait = 0; wait < 4; wait += 3) {
		cr_expect_not(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, wait));
		cr_expect_null(overlapped);
		cr_expect_eq(GetLastError(), WAIT_TIMEOUT);
	}
	cr_expect_not(GetQueuedCompletionStatus(port, &bytes, &key, NULL, 0));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect_not(GetQueuedCompletionStatus(port, NULL, &key, &overlapped, 0));
	cr_expect_not(GetQueuedCompletionStatus(port, &bytes, NULL, &overlapped, 0));
	cr_expect_eq(key, 5);
	cr_expect_eq(bytes, 6);
}

Test(win_port, several_packets_at_once)
{
	OVERLAPPED_ENTRY entries[8];
	ULONG removed = 99;

	port_make(0);
	cr_expect_not(GetQueuedCompletionStatusEx(port, entries, 8, &removed, 1, FALSE));
	cr_expect_eq(GetLastError(), WAIT_TIMEOUT);
	cr_expect_eq(removed, 0);
	for (DWORD i = 0; i < 10; i++)
		PostQueuedCompletionStatus(port, i, i + 100, marker((int)i));
	cr_expect(GetQueuedCompletionStatusEx(port, entries, 8, &removed, INFINITE, FALSE));
	cr_expect_eq(removed, 8);
	for (DWORD i = 0; i < 8; i++) {
		cr_expect_eq(entries[i].dwNumberOfBytesTransferred, i);
		cr_expect_eq(entries[i].lpCompletionKey, i + 100);
		cr_expect_eq(entries[i].lpOverlapped, marker((int)i));
		cr_expect_eq(entries[i].Internal, 0);
	}
	cr_expect(GetQueuedCompletionStatusEx(port, entries, 8, &removed, 0, FALSE));
	cr_expect_eq(removed, 2);
	cr_expect_not(GetQueuedCompletionStatusEx(port, NULL, 8, &removed, 0, FALSE));
	cr_expect_not(GetQueuedCompletionStatusEx(port, entries, 0, &removed, 0, FALSE));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
}

static DWORD
closed_main(LPVOID arg)
{
	OVERLAPPED *overlapped = marker(2);
	ULONG_PTR key;
	DWORD bytes;

	SetEvent(arg);
	if (GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, INFINITE) || overlapped)
		return 0;
	return GetLastError();
}

Test(win_port, closing_a_port_ends_the_waits)
{
	enum { THREADS = 4 };
	HANDLE ready = CreateEvent(NULL, FALSE, FALSE, NULL);
	HANDLE threads[THREADS];

	port_make(0);
	for (int i = 0; i < THREADS; i++) {
		threads[i] = CreateThread(NULL, 0, closed_main, ready, 0, NULL);
		WaitForSingleObject(ready, INFINITE);
	}
	/*
	 * Now all threads wait, except perhaps the last one. The last thread also waits, or finds
	 * that the port is closed.
	 */
	Sleep(20);
	cr_expect(CloseHandle(port));
	cr_expect_eq(WaitForMultipleObjects(THREADS, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (int i = 0; i < THREADS; i++) {
		DWORD error;

		cr_expect(GetExitCodeThread(threads[i], &error));
		cr_expect(error == ERROR_ABANDONED_WAIT_0 || error == ERROR_INVALID_HANDLE,
			"error %u", error);
		CloseHandle(threads[i]);
	}
	cr_expect_not(CloseHandle(port));
}

Test(win_port, closing_a_port_frees_what_is_queued)
{
	port_make(0);
	for (int i = 0; i < 100; i++)
		PostQueuedCompletionStatus(port, 0, 0, NULL);
	cr_expect_eq(take(0), 0);
	cr_expect(CloseHandle(port));
	cr_expect_not(PostQueuedCompletionStatus(port, 0, 0, NULL));
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
}

/**
 * A thread that takes packets and signals `taken`. Then it is busy, or waits, according to `waits`.
 */
struct worker {
	HANDLE taken;
	HANDLE go;
	volatile LONG free; /**< the thread is busy until this flag is set */
	bool waits;         /**< true to wait for `go` in a function of the layer first */
};

static DWORD
worker_main(LPVOID arg)
{
	struct worker *worker = arg;

	while (take(INFINITE) == 1) {
		SetEvent(worker->taken);
		if (worker->waits)
			WaitForSingleObject(worker->go, INFINITE);
		while (!InterlockedCompareExchange(&worker->free, 0, 0))
			SwitchToThread();
	}
	return 0;
}

static void
workers_end(HANDLE *threads, DWORD count)
{
	for (DWORD i = 0; i < count; i++)
		PostQueuedCompletionStatus(port, 2, 0, NULL);
	cr_expect_eq(WaitForMultipleObjects(count, threads, TRUE, INFINITE), WAIT_OBJECT_0);
	for (DWORD i = 0; i < count; i++)
		CloseHandle(threads[i]);
	CloseHandle(port);
}

Test(win_port, a_packet_beyond_the_concurrency_is_held_back_but_not_for_ever)
{
	struct worker worker = {.taken = CreateEvent(NULL, FALSE, FALSE, NULL)};
	LARGE_INTEGER start, end, per_second;
	HANDLE threads[2];

	port_make(1);
	for (int i = 0; i < 2; i++)
		threads[i] = CreateThread(NULL, 0, worker_main, &worker, 0, NULL);
	PostQueuedCompletionStatus(port, 1, 0, NULL);
	cr_expect_eq(WaitForSingleObject(worker.taken, INFINITE), WAIT_OBJECT_0);
	/* The first thread is busy. With a concurrency of 1, the second packet is delayed. */
	QueryPerformanceFrequency(&per_second);
	QueryPerformanceCounter(&start);
	PostQueuedCompletionStatus(port, 1, 0, NULL);
	cr_expect_eq(WaitForSingleObject(worker.taken, INFINITE), WAIT_OBJECT_0);
	QueryPerformanceCounter(&end);
	cr_expect_geq((end.QuadPart - start.QuadPart) * 1000 / per_second.QuadPart, 9);
	InterlockedExchange(&worker.free, 1);
	workers_end(threads, 2);
	CloseHandle(worker.taken);
}

Test(win_port, a_thread_that_waits_is_not_busy)
{
	struct worker worker = {
		.taken = CreateEvent(NULL, FALSE, FALSE, NULL),
		.go = CreateEvent(NULL, TRUE, FALSE, NULL),
		.free = 1,
		.waits = true,
	};
	ULONGLONG shortest = UINT64_MAX;
	HANDLE threads[16];

	port_make(1);
	for (int i = 0; i < 16; i++)
		threads[i] = CreateThread(NULL, 0, worker_main, &worker, 0, NULL);
	for (int i = 0; i < 16; i++) {
		ULONGLONG start = GetTickCount64();

		PostQueuedCompletionStatus(port, 1, 0, NULL);
		cr_expect_eq(WaitForSingleObject(worker.taken, INFINITE), WAIT_OBJECT_0);
		if (i > 0)
			shortest = min(shortest, GetTickCount64() - start);
	}
	/*
	 * Threads that wait do not count as busy. Otherwise each packet would be delayed for 10 ms.
	 */
	cr_expect_lt(shortest, 9);
	SetEvent(worker.go);
	workers_end(threads, 16);
	CloseHandle(worker.taken);
	CloseHandle(worker.go);
}

Test(win_port, a_thread_that_ends_is_not_busy)
{
	HANDLE thread;

	port_make(1);
	for (int i = 0; i < 50; i++) {
		struct worker worker = {.taken = CreateEvent(NULL, FALSE, FALSE, NULL), .free = 1};

		PostQueuedCompletionStatus(port, 2, 0, NULL);
		thread = CreateThread(NULL, 0, worker_main, &worker, 0, NULL);
		cr_assert_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
		CloseHandle(thread);
		CloseHandle(worker.taken);
	}
	cr_expect_eq(take(0), -1);
	CloseHandle(port);
}

Test(win_port, who_asks_without_waiting_is_not_held_back)
{
	struct worker worker = {.taken = CreateEvent(NULL, FALSE, FALSE, NULL)};
	HANDLE thread;

	port_make(1);
	thread = CreateThread(NULL, 0, worker_main, &worker, 0, NULL);
	PostQueuedCompletionStatus(port, 1, 0, NULL);
	cr_expect_eq(WaitForSingleObject(worker.taken, INFINITE), WAIT_OBJECT_0);
	PostQueuedCompletionStatus(port, 3, 0, NULL);
	cr_expect_eq(take(0), 3);
	InterlockedExchange(&worker.free, 1);
	workers_end(&thread, 1);
	CloseHandle(worker.taken);
}
