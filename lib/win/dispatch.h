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
 * Blocking and waking. One lock protects the state of all objects that can be waited for, so that
 * what a wait for several objects sees and takes is consistent, and an operation ends for its
 * status, its event and its port at the same moment.
 */

/** Threads to wake when the lock is released. */
struct win_wakes {
	unsigned int count;
	bool nap; /**< the thread that drives the engines sleeps in the facade's nap */
	_Atomic uint32_t *words[16];
};

/** Take the lock. It is held for a bounded number of instructions and never across a wait. */
void win_lock(struct win_wakes *wakes);

/** Release the lock, then wake who has to be woken. */
void win_unlock(struct win_wakes *wakes);

/** A thread that waits; on its stack. */
struct win_waiter {
	_Atomic uint32_t state;
	/** Look again although the wait is not over. */
	_Atomic bool recheck;
	/** Among the threads that could drive the engines. */
	struct base_list follower;
	/** Was taken from them, to lead. */
	_Atomic bool chosen;
	/** Was the leader, and has become one of them. */
	_Atomic bool deposed;
	/** Leads, and has ended waits of others: its next step is a nap. */
	_Atomic bool will_nap;
	/** Where the waiter is registered; what is done with it is up to the kind of wait. */
	struct base_list node;
};

/** How a wait has gone on. */
enum win_outcome {
	WIN_DONE,
	WIN_TIMED_OUT,
	WIN_RECHECK,
};

#define WIN_NO_DEADLINE UINT64_MAX

void win_waiter_init(struct win_waiter *waiter);

/** End a wait: with the lock held, and after what the waiter reads. The waiter may be gone then. */
void win_waiter_finish(struct win_waiter *waiter, struct win_wakes *wakes);

/** Make a waiter look again. With the lock held; the waiter has not finished. */
void win_waiter_kick(struct win_waiter *waiter, struct win_wakes *wakes);

/** Whether the wait was ended by win_waiter_finish(). */
bool win_waiter_is_done(struct win_waiter *waiter);

/**
 * Block until the wait has ended. Called without the lock. After any other outcome than WIN_DONE
 * the caller takes the lock and asks win_waiter_is_done() once more before it withdraws the waiter.
 *
 * @param deadline_ns
 *   By win_now_ns(); WIN_NO_DEADLINE: none.
 */
enum win_outcome win_waiter_block(struct win_waiter *waiter, uint64_t deadline_ns);

/** Drive the engines once, if no blocked thread does: for waits of no length. */
void win_idle_poll(void);

/** A clock that never goes back, in ns. */
uint64_t win_now_ns(void);

/** When a wait of that many milliseconds, or INFINITE, has to end. */
uint64_t win_deadline(uint32_t milliseconds);

#endif
