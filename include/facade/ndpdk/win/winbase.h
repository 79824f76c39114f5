/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINBASE_H
#define NDPDK_WINBASE_H

/**
 * @file
 * Handles, waiting, events, OVERLAPPED and completion ports.
 *
 * All functions may be called from any thread. If a handle is NULL, closed or of another kind, a
 * function fails with ERROR_INVALID_HANDLE. Security attributes are ignored. Names of objects must
 * be NULL (ERROR_NOT_SUPPORTED), because objects cannot be shared with other processes.
 */

#include <ndpdk/win/ntstatus.h>
#include <ndpdk/win/winerror.h>

#define INFINITE             0xFFFFFFFFu
#define WAIT_OBJECT_0        0u
#define WAIT_ABANDONED       0x80u
#define WAIT_ABANDONED_0     0x80u
#define WAIT_IO_COMPLETION   0xC0u
#define WAIT_FAILED          0xFFFFFFFFu
#define MAXIMUM_WAIT_OBJECTS 64
#define INVALID_HANDLE_VALUE NDWIN_HANDLE(-1)

typedef struct ndwin_security_attributes {
	DWORD nLength;
	LPVOID lpSecurityDescriptor;
	BOOL bInheritHandle;
} SECURITY_ATTRIBUTES, *PSECURITY_ATTRIBUTES, *LPSECURITY_ATTRIBUTES;

/**
 * State of an overlapped operation. Internal is its status, STATUS_PENDING until the operation
 * ends. InternalHigh is the number of bytes transferred. hEvent is NULL or an event to set at the
 * end. If the lowest bit of hEvent is set, no packet is queued to the completion port.
 */
typedef struct ndwin_overlapped {
	ULONG_PTR Internal;
	ULONG_PTR InternalHigh;
	__extension__ union {
		__extension__ struct {
			DWORD Offset;
			DWORD OffsetHigh;
		};
		PVOID Pointer;
	};
	HANDLE hEvent;
} OVERLAPPED, *LPOVERLAPPED;

/** A packet of a completion port. Internal is the status of the operation. */
typedef struct ndwin_overlapped_entry {
	ULONG_PTR lpCompletionKey;
	LPOVERLAPPED lpOverlapped;
	ULONG_PTR Internal;
	DWORD dwNumberOfBytesTransferred;
} OVERLAPPED_ENTRY, *LPOVERLAPPED_ENTRY;

/** True if an operation has ended. The load has acquire order, so the results are visible. */
#define HasOverlappedIoCompleted(overlapped)                                                       \
	(NDWIN_CAST(DWORD, __atomic_load_n(&(overlapped)->Internal, __ATOMIC_ACQUIRE)) !=          \
		NDWIN_CAST(DWORD, STATUS_PENDING))

/** Return the error of the last failed call on the calling thread. */
NDWIN_API DWORD GetLastError(void) NDWIN_LINK(GetLastError);
/** Set the value that GetLastError() returns on this thread. */
NDWIN_API void SetLastError(DWORD error) NDWIN_LINK(SetLastError);
/** Convert an NTSTATUS to an error code. ERROR_MR_MID_NOT_FOUND: no error code corresponds. */
NDWIN_API ULONG RtlNtStatusToDosError(NTSTATUS status) NDWIN_LINK(RtlNtStatusToDosError);
/** Close a handle. Threads that wait for an event or a thread continue to wait. */
NDWIN_API BOOL CloseHandle(HANDLE handle) NDWIN_LINK(CloseHandle);

/** Create an event. manual FALSE: an auto-reset event, which is reset when it ends a wait. */
NDWIN_API HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial,
	LPCSTR name) NDWIN_LINK(CreateEventA);
NDWIN_API HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial,
	LPCWSTR name) NDWIN_LINK(CreateEventW);
#ifdef UNICODE
#define CreateEvent CreateEventW
#else
#define CreateEvent CreateEventA
#endif
/** Set an event. All waits for the event end. If it is an auto-reset event, only one wait ends. */
NDWIN_API BOOL SetEvent(HANDLE event) NDWIN_LINK(SetEvent);
/** Reset an event. */
NDWIN_API BOOL ResetEvent(HANDLE event) NDWIN_LINK(ResetEvent);

/** Wait for an event, a thread or a file. Returns WAIT_OBJECT_0, WAIT_TIMEOUT or WAIT_FAILED. */
NDWIN_API DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds)
	NDWIN_LINK(WaitForSingleObject);
NDWIN_API DWORD WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL alertable)
	NDWIN_LINK(WaitForSingleObjectEx);
/**
 * Wait for up to 64 objects. If all is FALSE, wait for any object, and return WAIT_OBJECT_0 + its
 * index. If all is TRUE, wait until all are signalled at the same time.
 */
NDWIN_API DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all,
	DWORD milliseconds) NDWIN_LINK(WaitForMultipleObjects);
NDWIN_API DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE *handles, BOOL all,
	DWORD milliseconds, BOOL alertable) NDWIN_LINK(WaitForMultipleObjectsEx);

/**
 * Create a completion port (existing is NULL), associate a file with a port, or both.
 *
 * @param file
 *   INVALID_HANDLE_VALUE: no file. A file can be associated only once (ERROR_INVALID_PARAMETER).
 * @param threads
 *   Maximum number of threads that are busy with packets of the port; 0: the number of processors.
 *   While so many threads are busy, other threads wait, but a packet waits at most 10 ms. A thread
 *   that has taken a packet is busy until its next call of GetQueuedCompletionStatus(), except
 *   while it waits in a function of this file or sleeps.
 */
NDWIN_API HANDLE CreateIoCompletionPort(HANDLE file, HANDLE existing, ULONG_PTR key, DWORD threads)
	NDWIN_LINK(CreateIoCompletionPort);

/**
 * Take the oldest packet of a port. The thread that began to wait last is served first.
 *
 * @return
 *   TRUE: a packet of an operation that succeeded, or of PostQueuedCompletionStatus().
 *   FALSE and *overlapped not NULL: a packet of an operation that failed. GetLastError() returns
 *   the reason.
 *   FALSE and *overlapped NULL: no packet. Errors: WAIT_TIMEOUT, ERROR_INVALID_HANDLE, and
 *   ERROR_ABANDONED_WAIT_0: the port was closed during the wait.
 */
NDWIN_API BOOL GetQueuedCompletionStatus(HANDLE port, LPDWORD bytes, ULONG_PTR *key,
	LPOVERLAPPED *overlapped, DWORD milliseconds) NDWIN_LINK(GetQueuedCompletionStatus);
/** Take up to count packets. Waits only for the first packet. TRUE: *removed is at least 1. */
NDWIN_API BOOL GetQueuedCompletionStatusEx(HANDLE port, LPOVERLAPPED_ENTRY entries, ULONG count,
	PULONG removed, DWORD milliseconds, BOOL alertable) NDWIN_LINK(GetQueuedCompletionStatusEx);
/** Queue a packet with arbitrary values to a port. */
NDWIN_API BOOL PostQueuedCompletionStatus(HANDLE port, DWORD bytes, ULONG_PTR key,
	LPOVERLAPPED overlapped) NDWIN_LINK(PostQueuedCompletionStatus);

#endif
