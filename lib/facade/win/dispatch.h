/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_DISPATCH_H
#define NDPDK_WIN_DISPATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "win/handle.h"

/**
 * @file
 * Blocking and waking. One lock protects the state of all objects for which threads can wait. So a
 * wait for several objects sees a consistent state, and the status, event and port of an operation
 * change at the same moment.
 */

/** Threads to wake after the lock is released. */
struct win_wakes {
	unsigned int count;
	bool nap; /**< also wake the thread in the nap function of win_set_idle_nap() */
	_Atomic uint32_t *words[16];
};

/** Take the lock. Release the lock after a bounded number of instructions, and before any wait. */
void win_lock(struct win_wakes *wakes);

/** Release the lock, then wake the threads in wakes. */
void win_unlock(struct win_wakes *wakes);

/** A waiting thread. The structure is on the stack of the thread. */
struct win_waiter {
	_Atomic uint32_t state;
	/** True: the thread must check its condition, although the wait has not ended. */
	_Atomic bool recheck;
	/** Node in the list of followers, which are threads that could call the idle hook. */
	struct base_list follower;
	/** True: removed from the list of followers to become the leader. */
	_Atomic bool chosen;
	/** True: was the leader, and another thread has taken the lead. */
	_Atomic bool deposed;
	/** True: this leader has ended waits of other threads, so it will nap. */
	_Atomic bool will_nap;
	/** List node for the code that waits, such as a completion port. */
	struct base_list node;
};

/** Result of win_waiter_block(). */
enum win_outcome {
	WIN_DONE,
	WIN_TIMED_OUT,
	WIN_RECHECK,
};

#define WIN_NO_DEADLINE UINT64_MAX

void win_waiter_init(struct win_waiter *waiter);

/**
 * End a wait. Requires the lock. Store the results of the wait before, because the waiter may
 * disappear as soon as its wait has ended.
 */
void win_waiter_finish(struct win_waiter *waiter, struct win_wakes *wakes);

/** Make a waiter check its condition again. Requires the lock. The wait must not have ended. */
void win_waiter_kick(struct win_waiter *waiter, struct win_wakes *wakes);

/** @return true if win_waiter_finish() has ended the wait */
bool win_waiter_is_done(struct win_waiter *waiter);

/**
 * Block until the wait has ended. Call without the lock. If the result is not WIN_DONE, the caller
 * takes the lock and calls win_waiter_is_done() again before it removes the waiter.
 *
 * @param deadline_ns time of win_now_ns(); WIN_NO_DEADLINE: none
 */
enum win_outcome win_waiter_block(struct win_waiter *waiter, uint64_t deadline_ns);

/** Call the idle hook once, unless a blocked thread calls it. Used for waits with timeout 0. */
void win_idle_poll(void);

/** @return time of a monotonic clock, in ns */
uint64_t win_now_ns(void);

/**
 * @return deadline of a wait of so many milliseconds, as a time of win_now_ns(); INFINITE:
 *         WIN_NO_DEADLINE
 */
uint64_t win_deadline(uint32_t milliseconds);

#endif
