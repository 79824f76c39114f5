/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINBASE_H
#define NDPDK_WINBASE_H

/**
 * @file
 * Handles, waiting, events, OVERLAPPED and completion ports.
 *
 * All functions may be called from any thread. A handle that is NULL, closed or of another kind is
 * refused with ERROR_INVALID_HANDLE. Security attributes are ignored, and names of objects have to
 * be NULL: no other process could open them (ERROR_NOT_SUPPORTED).
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
 * Carries an operation. Internal is its status (STATUS_PENDING until it ends), InternalHigh the
 * bytes it moved. hEvent is NULL or an event; with its lowest bit set no packet is queued.
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

/** What a completion port hands out. Internal is the status of the operation. */
typedef struct ndwin_overlapped_entry {
	ULONG_PTR lpCompletionKey;
	LPOVERLAPPED lpOverlapped;
	ULONG_PTR Internal;
	DWORD dwNumberOfBytesTransferred;
} OVERLAPPED_ENTRY, *LPOVERLAPPED_ENTRY;

/** Whether an operation has ended: read once, with what the operation did before it. */
#define HasOverlappedIoCompleted(overlapped)                                                       \
	(NDWIN_CAST(DWORD, __atomic_load_n(&(overlapped)->Internal, __ATOMIC_ACQUIRE)) !=          \
		NDWIN_CAST(DWORD, STATUS_PENDING))

/** Error of the calling thread's last call that failed. */
NDWIN_API DWORD GetLastError(void) NDWIN_LINK(GetLastError);
/** Set what GetLastError() returns to this thread. */
NDWIN_API void SetLastError(DWORD error) NDWIN_LINK(SetLastError);
/** The error that goes with a status; ERROR_MR_MID_NOT_FOUND: none. */
NDWIN_API ULONG RtlNtStatusToDosError(NTSTATUS status) NDWIN_LINK(RtlNtStatusToDosError);
/** Close a handle. Threads that wait for the object continue to wait. */
NDWIN_API BOOL CloseHandle(HANDLE handle) NDWIN_LINK(CloseHandle);

/** Create an event. manual: it stays set until ResetEvent(); otherwise one wait takes it. */
NDWIN_API HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial,
	LPCSTR name) NDWIN_LINK(CreateEventA);
NDWIN_API HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL initial,
	LPCWSTR name) NDWIN_LINK(CreateEventW);
#ifdef UNICODE
#define CreateEvent CreateEventW
#else
#define CreateEvent CreateEventA
#endif
/** Set an event: all waits end, or one where it resets itself. */
NDWIN_API BOOL SetEvent(HANDLE event) NDWIN_LINK(SetEvent);
/** Reset an event. */
NDWIN_API BOOL ResetEvent(HANDLE event) NDWIN_LINK(ResetEvent);

/** Wait for an event, a thread or a file: WAIT_OBJECT_0, WAIT_TIMEOUT, WAIT_FAILED. */
NDWIN_API DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds)
	NDWIN_LINK(WaitForSingleObject);
NDWIN_API DWORD WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL alertable)
	NDWIN_LINK(WaitForSingleObjectEx);
/** Wait for one of up to 64 objects, WAIT_OBJECT_0 + its index, or for all of them at once. */
NDWIN_API DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all,
	DWORD milliseconds) NDWIN_LINK(WaitForMultipleObjects);
NDWIN_API DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE *handles, BOOL all,
	DWORD milliseconds, BOOL alertable) NDWIN_LINK(WaitForMultipleObjectsEx);

/**
 * Create a completion port (existing NULL), associate a file with a port, or both.
 *
 * @param file
 *   INVALID_HANDLE_VALUE: no file. A file is associated once (ERROR_INVALID_PARAMETER).
 * @param threads
 *   How many threads may be busy with packets of the port before others are left waiting; 0: as
 *   many as there are processors. A thread is busy until its next call of
 *   GetQueuedCompletionStatus(), and not while it waits in a function of this file or sleeps. A
 *   packet that is held back is handed out after 10 ms all the same.
 */
NDWIN_API HANDLE CreateIoCompletionPort(HANDLE file, HANDLE existing, ULONG_PTR key, DWORD threads)
	NDWIN_LINK(CreateIoCompletionPort);

/**
 * Take the oldest packet of a port. Of several waiting threads the last one to come is served.
 *
 * @return
 *   TRUE: a packet of an operation that succeeded, or of PostQueuedCompletionStatus().
 *   FALSE and *overlapped not NULL: a packet of an operation that failed; GetLastError() is why.
 *   FALSE and *overlapped NULL: no packet. WAIT_TIMEOUT; ERROR_ABANDONED_WAIT_0: the port was
 *   closed during the wait; ERROR_INVALID_HANDLE.
 */
NDWIN_API BOOL GetQueuedCompletionStatus(HANDLE port, LPDWORD bytes, ULONG_PTR *key,
	LPOVERLAPPED *overlapped, DWORD milliseconds) NDWIN_LINK(GetQueuedCompletionStatus);
/** Take up to count packets; waits for the first. TRUE: *removed is at least 1. */
NDWIN_API BOOL GetQueuedCompletionStatusEx(HANDLE port, LPOVERLAPPED_ENTRY entries, ULONG count,
	PULONG removed, DWORD milliseconds, BOOL alertable) NDWIN_LINK(GetQueuedCompletionStatusEx);
/** Queue a packet of the program, with any values. */
NDWIN_API BOOL PostQueuedCompletionStatus(HANDLE port, DWORD bytes, ULONG_PTR key,
	LPOVERLAPPED overlapped) NDWIN_LINK(PostQueuedCompletionStatus);

#endif
