/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_WIN_H
#define NDPDK_WIN_WIN_H

/**
 * @file
 * Interface of the Windows layer for the facades of Network Direct: handles of overlapped files,
 * operations with an OVERLAPPED, and the idle hook, with which a blocked thread drives the
 * engines.
 *
 * All functions may be called from any thread, even while the thread holds the lock of an engine,
 * because they never call the facade. The exception: functions that wait call the idle hook.
 */

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/win/windows.h>

/**
 * Create a file for operations with an OVERLAPPED. CreateIoCompletionPort() associates it with a
 * completion port, CloseHandle() closes it.
 *
 * @return the handle, which holds the only reference; NULL: out of memory
 */
HANDLE win_file_create(void);

/**
 * Take a reference of a file, so that the file exists after CloseHandle().
 *
 * @return false: not an open handle from win_file_create(), no reference was taken
 */
bool win_file_ref(HANDLE file);

void win_file_unref(HANDLE file);

/**
 * Begin an operation: its status becomes STATUS_PENDING, and its event is reset.
 *
 * A second operation may use the same OVERLAPPED before the first has ended. The OVERLAPPED then
 * contains the status of the operation that ended last.
 *
 * @param file file of which the caller holds a reference; its handle may have been closed
 * @return STATUS_SUCCESS: the caller must call win_overlapped_complete() or
 *         win_overlapped_abandon() exactly once. Otherwise the operation has not begun.
 *         STATUS_INVALID_HANDLE: hEvent is neither NULL nor an open event.
 *         STATUS_INSUFFICIENT_RESOURCES: out of memory.
 */
NTSTATUS win_overlapped_begin(HANDLE file, OVERLAPPED *overlapped);

/**
 * End an operation and report it: set the event in hEvent, and, unless the lowest bit of hEvent is
 * set, queue a packet to the completion port of the file. The call returns after both actions.
 * Cannot fail, because win_overlapped_begin() has allocated the memory.
 *
 * @param status status of the operation, not STATUS_PENDING; negative values are failures, also for
 *        GetQueuedCompletionStatus()
 * @param bytes value for InternalHigh and the packet
 */
void win_overlapped_complete(HANDLE file, OVERLAPPED *overlapped, NTSTATUS status, ULONG_PTR bytes);

/**
 * End an operation without a report, because the call that began it returns the status itself. The
 * event and the port do not change.
 */
void win_overlapped_abandon(HANDLE file, OVERLAPPED *overlapped, NTSTATUS status);

/**
 * Get the status of an operation.
 *
 * @param wait true: wait until the operation has ended. This wait resets an auto-reset event in
 *         hEvent, as on Windows, but does not need an event.
 * @return STATUS_PENDING, or the final status
 */
NTSTATUS win_overlapped_status(OVERLAPPED *overlapped, BOOL wait);

/**
 * Type of the idle hook: a function that does pending work.
 *
 * @return true if there was work; the function is then called again at once
 */
typedef bool (*win_progress_fn)(void *arg);

/**
 * Set the function that blocked threads call while they wait in WaitForSingleObject(),
 * WaitForMultipleObjects(), GetQueuedCompletionStatus(), Sleep(), SleepEx() and
 * win_overlapped_status().
 *
 * Only one blocked thread at a time calls the hook, and the others sleep. When that thread ends its
 * wait, another thread continues. After WIN_IDLE_ROUNDS calls without work the thread naps between
 * the calls, up to WIN_IDLE_NAP_MAX_NS. A nap ends at once when the wait of the thread ends. A
 * thread that begins to wait during a nap calls the hook at once, because it may have created work.
 *
 * The hook may complete operations and set events. It must not wait, and must not take a lock that
 * a caller of this function holds.
 *
 * @param hook NULL: blocked threads only sleep. When the call returns, the old hook is no longer
 *         running. Must not be called from the hook.
 */
void win_set_idle_hook(win_progress_fn hook, void *arg);

/**
 * Optional. If a facade uses this function, a thread of the facade calls it about 2000 times per
 * second while there is traffic. The calls start with the first idle hook.
 *
 * If this function is called, the leader sleeps without a timer after it has ended the wait of
 * another thread. The leader needs no timer, because this function wakes a blocked thread to call
 * the hook if no wait has begun since the previous call.
 */
void win_idle_watch(void);

/**
 * Delay the waking of threads. If the calling thread ends the wait of another thread, the other
 * thread sleeps until win_release_wakes(). This is useful if the calling thread holds a lock that
 * the woken threads need at once. Calls may be nested. The hook need not call this function.
 */
void win_hold_wakes(void);

/** Wake the delayed threads. Call after the lock is released. */
void win_release_wakes(void);

#define WIN_IDLE_ROUNDS     64u
#define WIN_IDLE_NAP_MIN_NS 2000u
#define WIN_IDLE_NAP_MAX_NS 250000u

/**
 * Set the function in which a thread sleeps between two calls of the idle hook. Without this
 * function, the thread sleeps for a fixed time (a nap). Call once, before the first idle hook.
 *
 * @param nap sleeps for at most timeout_ns. Returns earlier if the hook may have work, or if wake()
 *         is called. NULL: use the layer's own naps
 * @param wake ends the nap; called by any thread, also with locks of the facade held. If wake is
 *         called before the nap, the nap must return at once.
 */
void
win_set_idle_nap(void (*nap)(void *arg, uint64_t timeout_ns), void (*wake)(void *arg), void *arg);

#endif
