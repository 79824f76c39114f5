/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <unistd.h>

#include <ndpdk/win/process.h>
#include <ndpdk/win/windows.h>

static DWORD
start_returns(LPVOID arg)
{
	return (DWORD)(ULONG_PTR)arg;
}

static DWORD
start_exits(LPVOID arg)
{
	ExitThread((DWORD)(ULONG_PTR)arg + 1);
}

static unsigned int
start_c(void *arg)
{
	if (arg)
		_endthreadex(9);
	return 8;
}

static void
start_simple(void *arg)
{
	SetEvent(arg);
	_endthread();
}

static DWORD
code_of(HANDLE thread)
{
	DWORD code = 0;

	cr_assert_neq(thread, NULL);
	cr_assert_eq(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
	cr_assert(GetExitCodeThread(thread, &code));
	cr_assert(CloseHandle(thread));
	return code;
}

Test(win_thread, exit_codes)
{
	HANDLE done = CreateEvent(NULL, FALSE, FALSE, NULL);
	DWORD id = 0;

	cr_expect_eq(code_of(CreateThread(NULL, 0, start_returns, (LPVOID)7, 0, &id)), 7);
	cr_expect_neq(id, 0);
	cr_expect_neq(id, GetCurrentThreadId());
	cr_expect_eq(code_of(CreateThread(NULL, 4096, start_exits, (LPVOID)7, 0, NULL)), 8);
	cr_expect_eq(code_of((HANDLE)_beginthreadex(NULL, 0, start_c, NULL, 0, NULL)), 8);
	cr_expect_eq(code_of((HANDLE)_beginthreadex(NULL, 0, start_c, done, 0, NULL)), 9);
	cr_expect_neq(_beginthread(start_simple, 0, done), UINTPTR_MAX);
	cr_expect_eq(WaitForSingleObject(done, INFINITE), WAIT_OBJECT_0);
	cr_expect_null(CreateThread(NULL, 0, NULL, NULL, 0, NULL));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	CloseHandle(done);
}

Test(win_thread, a_thread_created_suspended_waits_for_its_start)
{
	HANDLE thread = CreateThread(NULL, 0, start_returns, (LPVOID)3, CREATE_SUSPENDED, NULL);
	DWORD code = 0;

	cr_expect_eq(WaitForSingleObject(thread, 20), WAIT_TIMEOUT);
	cr_expect(GetExitCodeThread(thread, &code));
	cr_expect_eq(code, STILL_ACTIVE);
	cr_expect_eq(ResumeThread(thread), 1);
	cr_expect_eq(ResumeThread(thread), 0);
	cr_expect_eq(code_of(thread), 3);
}

Test(win_thread, a_thread_runs_on_without_its_handle)
{
	HANDLE done = CreateEvent(NULL, TRUE, FALSE, NULL);

	for (int i = 0; i < 20; i++) {
		HANDLE thread = CreateThread(
			NULL, 0, (LPTHREAD_START_ROUTINE)(void (*)(void))SetEvent, done, 0, NULL);

		cr_assert(CloseHandle(thread));
		cr_assert_eq(WaitForSingleObject(done, INFINITE), WAIT_OBJECT_0);
		ResetEvent(done);
	}
}

Test(win_thread, affinity)
{
	DWORD_PTR all = SetThreadAffinityMask(GetCurrentThread(), 1);

	if (!(all & 1))
		cr_skip("processor 0 is not for this process");
	cr_expect_eq(GetCurrentProcessorNumber(), 0);
	cr_expect_eq(SetThreadAffinityMask(GetCurrentThread(), all), 1);
	cr_expect_eq(SetThreadAffinityMask(GetCurrentThread(), 0), 0);
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
	cr_expect_eq(SetThreadAffinityMask(NULL, 1), 0);
	cr_expect_eq(GetLastError(), ERROR_INVALID_HANDLE);
}

static CRITICAL_SECTION section;
static SRWLOCK lock = SRWLOCK_INIT;
static long counters[2];

static DWORD
count_main(LPVOID arg)
{
	(void)arg;
	for (int i = 0; i < 20000; i++) {
		EnterCriticalSection(&section);
		EnterCriticalSection(&section);
		counters[0]++;
		LeaveCriticalSection(&section);
		LeaveCriticalSection(&section);
		AcquireSRWLockExclusive(&lock);
		counters[1]++;
		ReleaseSRWLockExclusive(&lock);
		AcquireSRWLockShared(&lock);
		ReleaseSRWLockShared(&lock);
	}
	return 0;
}

static DWORD
try_main(LPVOID arg)
{
	(void)arg;
	if (!TryEnterCriticalSection(&section))
		return FALSE;
	LeaveCriticalSection(&section);
	return TRUE;
}

Test(win_thread, locks)
{
	HANDLE threads[2];

	InitializeCriticalSection(&section);
	for (int i = 0; i < 2; i++)
		threads[i] = CreateThread(NULL, 0, count_main, NULL, 0, NULL);
	for (int i = 0; i < 2; i++)
		code_of(threads[i]);
	cr_expect_eq(counters[0], 40000);
	cr_expect_eq(counters[1], 40000);
	cr_expect(TryEnterCriticalSection(&section));
	cr_expect_eq(code_of(CreateThread(NULL, 0, try_main, NULL, 0, NULL)), FALSE);
	LeaveCriticalSection(&section);
	cr_expect_eq(code_of(CreateThread(NULL, 0, try_main, NULL, 0, NULL)), TRUE);
	DeleteCriticalSection(&section);
}

Test(win_thread, atomic_operations)
{
	volatile LONG value = 5;
	volatile LONG64 wide = INT64_MAX - 1;
	volatile unsigned long natural = 0;
	PVOID pointer = NULL;
	int target = 0;

	cr_expect_eq(InterlockedIncrement(&value), 6);
	cr_expect_eq(InterlockedDecrement(&value), 5);
	cr_expect_eq(InterlockedExchange(&value, 9), 5);
	cr_expect_eq(InterlockedExchangeAdd(&value, -2), 9);
	cr_expect_eq(InterlockedAdd(&value, 1), 8);
	cr_expect_eq(InterlockedCompareExchange(&value, 1, 7), 8);
	cr_expect_eq(InterlockedCompareExchange(&value, 1, 8), 8);
	cr_expect_eq(value, 1);
	cr_expect_eq(InterlockedOr(&value, 6), 1);
	cr_expect_eq(InterlockedAnd(&value, 3), 7);
	cr_expect_eq(InterlockedXor(&value, 1), 3);
	cr_expect_eq(InterlockedIncrement64(&wide), INT64_MAX);
	cr_expect_eq(InterlockedExchangeAdd64(&wide, -1), INT64_MAX);
	cr_expect_eq(InterlockedIncrement(&natural), 1);
	cr_expect_eq(InterlockedCompareExchangePointer(&pointer, &target, NULL), NULL);
	cr_expect_eq(InterlockedExchangePointer(&pointer, NULL), &target);
}

Test(win_thread, values_of_a_threads_own)
{
	DWORD index = TlsAlloc();

	cr_assert_neq(index, TLS_OUT_OF_INDEXES);
	cr_expect_null(TlsGetValue(index));
	cr_expect(TlsSetValue(index, &index));
	cr_expect_eq(TlsGetValue(index), &index);
	cr_expect(TlsFree(index));
	cr_expect_not(TlsSetValue(index, NULL));
	cr_expect_eq(GetLastError(), ERROR_INVALID_PARAMETER);
}
