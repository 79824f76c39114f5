/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROCESSTHREADSAPI_H
#define NDPDK_PROCESSTHREADSAPI_H

/**
 * @file
 * Threads, thread-local values and locks.
 *
 * All functions may be called from any thread.
 */

#include <pthread.h>

#include <ndpdk/win/winbase.h>

#define CREATE_SUSPENDED                  0x4u
#define STACK_SIZE_PARAM_IS_A_RESERVATION 0x10000u
#define STILL_ACTIVE                      259u
#define TLS_OUT_OF_INDEXES                0xFFFFFFFFu

typedef DWORD (*LPTHREAD_START_ROUTINE)(LPVOID parameter);
typedef LPTHREAD_START_ROUTINE PTHREAD_START_ROUTINE;

/**
 * Start a thread. stack_size is in bytes; at least 1 MiB is used. 0: the default of the system.
 */
NDWIN_API HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack_size,
	LPTHREAD_START_ROUTINE start, LPVOID parameter, DWORD flags, LPDWORD id)
	NDWIN_LINK(CreateThread);
/** End the calling thread with pthread_exit(). Destructors of C++ objects run. */
NDWIN_API void ExitThread(DWORD exit_code) NDWIN_LINK(ExitThread) DECLSPEC_NORETURN;
/** Get the exit code of a thread. STILL_ACTIVE: the thread is running. */
NDWIN_API BOOL GetExitCodeThread(HANDLE thread, LPDWORD exit_code) NDWIN_LINK(GetExitCodeThread);
/** Start a thread that was created suspended. Returns 1; 0: the thread had already been started. */
NDWIN_API DWORD ResumeThread(HANDLE thread) NDWIN_LINK(ResumeThread);
/** Get a pseudo handle, which is valid for SetThreadAffinityMask() and SetThreadPriority(). */
NDWIN_API HANDLE GetCurrentThread(void) NDWIN_LINK(GetCurrentThread);
NDWIN_API HANDLE GetCurrentProcess(void) NDWIN_LINK(GetCurrentProcess);
/** Get the Linux thread ID of the calling thread, or the process ID. */
NDWIN_API DWORD GetCurrentThreadId(void) NDWIN_LINK(GetCurrentThreadId);
NDWIN_API DWORD GetCurrentProcessId(void) NDWIN_LINK(GetCurrentProcessId);
/** Get the number of the processor on which the calling thread runs. */
NDWIN_API DWORD GetCurrentProcessorNumber(void) NDWIN_LINK(GetCurrentProcessorNumber);
/** Restrict a thread to some of the first 64 processors. Returns the old mask; 0 is a failure. */
NDWIN_API DWORD_PTR SetThreadAffinityMask(HANDLE thread, DWORD_PTR mask)
	NDWIN_LINK(SetThreadAffinityMask);
/** The functions have no effect, because priorities do not change. */
NDWIN_API BOOL SetThreadPriority(HANDLE thread, int priority) NDWIN_LINK(SetThreadPriority);
NDWIN_API BOOL SetPriorityClass(HANDLE process, DWORD priority) NDWIN_LINK(SetPriorityClass);
/** Sleep; with 0, yield the processor. Like all waits, this call may also run the engines. */
NDWIN_API void Sleep(DWORD milliseconds) NDWIN_LINK(Sleep);
NDWIN_API DWORD SleepEx(DWORD milliseconds, BOOL alertable) NDWIN_LINK(SleepEx);
/** Yield the processor to another thread. */
NDWIN_API BOOL SwitchToThread(void) NDWIN_LINK(SwitchToThread);
/** End the process with exit(). */
NDWIN_API void ExitProcess(UINT exit_code) NDWIN_LINK(ExitProcess) DECLSPEC_NORETURN;

#define THREAD_PRIORITY_NORMAL        0
#define THREAD_PRIORITY_ABOVE_NORMAL  1
#define THREAD_PRIORITY_HIGHEST       2
#define THREAD_PRIORITY_TIME_CRITICAL 15
#define NORMAL_PRIORITY_CLASS         0x20u
#define HIGH_PRIORITY_CLASS           0x80u
#define REALTIME_PRIORITY_CLASS       0x100u

/** Thread-local values. The layer does not free the memory to which a value points. */
NDWIN_API DWORD TlsAlloc(void) NDWIN_LINK(TlsAlloc);
NDWIN_API LPVOID TlsGetValue(DWORD index) NDWIN_LINK(TlsGetValue);
NDWIN_API BOOL TlsSetValue(DWORD index, LPVOID value) NDWIN_LINK(TlsSetValue);
NDWIN_API BOOL TlsFree(DWORD index) NDWIN_LINK(TlsFree);

/** A recursive lock: its owner may take it again. */
typedef struct ndwin_critical_section {
	pthread_mutex_t lock;
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

NDWIN_API void
InitializeCriticalSection(LPCRITICAL_SECTION section) NDWIN_LINK(InitializeCriticalSection);
NDWIN_API BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins)
	NDWIN_LINK(InitializeCriticalSectionAndSpinCount);
NDWIN_API BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD flags)
	NDWIN_LINK(InitializeCriticalSectionEx);
NDWIN_API void EnterCriticalSection(LPCRITICAL_SECTION section) NDWIN_LINK(EnterCriticalSection);
/** FALSE: another thread holds the lock. */
NDWIN_API BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section)
	NDWIN_LINK(TryEnterCriticalSection);
NDWIN_API void LeaveCriticalSection(LPCRITICAL_SECTION section) NDWIN_LINK(LeaveCriticalSection);
NDWIN_API void DeleteCriticalSection(LPCRITICAL_SECTION section) NDWIN_LINK(DeleteCriticalSection);

/** A lock for many readers or one writer. Not recursive. All bytes zero: unlocked. */
typedef struct ndwin_srwlock {
	/** Storage of a pthread_rwlock_t, which <pthread.h> does not declare in strict C11. */
	void *reserved[7];
} SRWLOCK, *PSRWLOCK;
#define SRWLOCK_INIT                                                                               \
	{                                                                                          \
		{                                                                                  \
			NULL                                                                       \
		}                                                                                  \
	}

NDWIN_API void InitializeSRWLock(PSRWLOCK lock) NDWIN_LINK(InitializeSRWLock);
NDWIN_API void AcquireSRWLockExclusive(PSRWLOCK lock) NDWIN_LINK(AcquireSRWLockExclusive);
NDWIN_API void AcquireSRWLockShared(PSRWLOCK lock) NDWIN_LINK(AcquireSRWLockShared);
NDWIN_API void ReleaseSRWLockExclusive(PSRWLOCK lock) NDWIN_LINK(ReleaseSRWLockExclusive);
NDWIN_API void ReleaseSRWLockShared(PSRWLOCK lock) NDWIN_LINK(ReleaseSRWLockShared);

#endif
