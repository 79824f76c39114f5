/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_WIN_H
#define NDPDK_WIN_WIN_H

/**
 * @file
 * What the facades of Network Direct need of the Windows layer: handles of overlapped files,
 * operations with an OVERLAPPED, and the hook by which a blocked thread drives the engines.
 *
 * All functions may be called from any thread, also with the lock of an engine held: none of them
 * calls back into the facade, except that waits call the idle hook.
 */

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/win/windows.h>

/**
 * Create a file that operations with an OVERLAPPED belong to. CreateIoCompletionPort() associates
 * it with a completion port, CloseHandle() closes it.
 *
 * @return
 *   The handle, which holds the only reference; NULL: no memory.
 */
HANDLE win_file_create(void);

/**
 * Keep a file, also beyond its CloseHandle().
 *
 * @return
 *   false: not an open handle of win_file_create(); nothing is kept.
 */
bool win_file_ref(HANDLE file);

/** Give back a reference of win_file_ref(). */
void win_file_unref(HANDLE file);

/**
 * Begin an operation: its status becomes STATUS_PENDING and its event is reset.
 *
 * One OVERLAPPED may carry a second operation before the first has ended; its status is then that
 * of the operation that ended last.
 *
 * @param file
 *   A file that the caller holds a reference of; it may have been closed.
 * @return
 *   STATUS_SUCCESS: exactly one call of win_overlapped_complete() or win_overlapped_abandon() has
 *   to follow.
 *   Otherwise nothing was begun. STATUS_INVALID_HANDLE: hEvent is neither NULL nor an open event.
 *   STATUS_INSUFFICIENT_RESOURCES: no memory.
 */
NTSTATUS win_overlapped_begin(HANDLE file, OVERLAPPED *overlapped);

/**
 * End an operation and report it: set the event of hEvent; and queue a packet to the completion
 * port of the file, unless the lowest bit of hEvent is set. Event and packet are there when the
 * call returns. Does not fail: win_overlapped_begin() has allocated what it needs.
 *
 * @param status
 *   Status of the operation, not STATUS_PENDING. Negative values are failures, also for
 *   GetQueuedCompletionStatus().
 * @param bytes
 *   For InternalHigh and for the packet.
 */
void win_overlapped_complete(HANDLE file, OVERLAPPED *overlapped, NTSTATUS status, ULONG_PTR bytes);

/**
 * End an operation without a report, because the call that began it returns its status itself.
 * Neither the event nor the port is touched.
 */
void win_overlapped_abandon(HANDLE file, OVERLAPPED *overlapped, NTSTATUS status);

/**
 * Status of the operation that an OVERLAPPED carries.
 *
 * @param wait
 *   Whether to wait until it has ended. An event of hEvent that resets itself is reset by a wait,
 *   as on Windows. The wait does not need an event.
 * @return
 *   STATUS_PENDING or the status it ended with.
 */
NTSTATUS win_overlapped_status(OVERLAPPED *overlapped, BOOL wait);

/**
 * Does the work that is due.
 *
 * @return
 *   Whether there was any. It is then called again at once.
 */
typedef bool (*win_progress_fn)(void *arg);

/**
 * Set what blocked threads do while they wait: WaitForSingleObject(), WaitForMultipleObjects(),
 * GetQueuedCompletionStatus(), Sleep(), SleepEx() and win_overlapped_status() call it.
 *
 * One blocked thread at a time calls the hook, the others sleep; when that thread ends its wait,
 * another one takes over. After WIN_IDLE_ROUNDS calls without work it takes naps between the
 * calls, which grow to WIN_IDLE_NAP_MAX_NS; what the thread waits for ends a nap at once. A thread
 * that begins to wait during a nap takes over at once, since it may have made work.
 *
 * The hook may complete operations and set events. It must not wait itself, and must not hold a
 * lock that a caller of this function holds.
 *
 * @param hook
 *   NULL: nothing to drive, blocked threads sleep until they are woken. The old hook is not running
 *   any more when the call returns. Not to be called from the hook.
 */
void win_set_idle_hook(win_progress_fn hook, void *arg);

/**
 * To be called again and again by a thread of the layer's user, some 2000 times a second while
 * there is traffic, from the first idle hook on, or never. It lets a thread that has ended the wait
 * of another one sleep without a timer: if no wait begins from one call to the next, a blocked
 * thread is woken to call the hook.
 */
void win_idle_watch(void);

/**
 * Until win_release_wakes(), let threads sleep on whose waits the calling thread ends. It may hold
 * a lock meanwhile that they want as soon as they run. Calls nest; the hook need not call it.
 */
void win_hold_wakes(void);

/** Behind the lock: wake them. */
void win_release_wakes(void);

#define WIN_IDLE_ROUNDS     64u
#define WIN_IDLE_NAP_MIN_NS 2000u
#define WIN_IDLE_NAP_MAX_NS 250000u

/**
 * Replace the naps of the thread that calls the idle hook. Set once, before the first idle hook.
 *
 * @param nap
 *   Sleeps until there may be work for the hook, at most timeout_ns, or until wake(). NULL: the
 *   layer's own naps.
 * @param wake
 *   Ends the nap; called by any thread, also with locks of the layer's user held. A wake that comes
 *   before the nap makes it return at once.
 */
void
win_set_idle_nap(void (*nap)(void *arg, uint64_t timeout_ns), void (*wake)(void *arg), void *arg);

#endif
