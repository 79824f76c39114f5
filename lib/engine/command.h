/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_COMMAND_H
#define NDPDK_ENGINE_COMMAND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_ring.h>

#include "engine/gate.h"

/*
 * Control calls from any thread. A call from a thread that is not the owner is put into the
 * engine's ring; the owner executes it in the next turn, while the caller waits. The owner
 * executes its own calls directly.
 *
 * The thread that opened the adapter owns the engine until the first poll or launch claims it.
 * Another thread may claim the engine at any time. The claim waits for the call in progress.
 *
 * A queue may be shared. Then it has an owner only while a thread is inside, that is, while the
 * thread holds the gate (gate.h). If the gate is free, a calling thread takes it and executes its
 * call itself. Otherwise the call goes into the ring, and the thread inside executes it, at the
 * latest when it leaves. So calls never wait for the gate, and two threads that are inside one
 * queue each can call each other's queue without deadlock.
 */

typedef void (*command_fn)(void *arg);

/**
 * State of a command.
 *
 *   IDLE -> WAITING -> RUNNING -> IDLE      requested and executed
 *   WAITING -> GIVEN_UP -> IDLE             the owner came after the deadline, and ignores it
 *   GIVEN_UP -> WAITING                     the next call with a deadline reuses the command
 */
enum command_state {
	COMMAND_IDLE,     /**< not in the ring, or already executed */
	COMMAND_WAITING,  /**< in the ring, waiting for the queue's owner */
	COMMAND_RUNNING,  /**< the queue's owner is executing it */
	COMMAND_GIVEN_UP, /**< in the ring, but given up by the caller and ignored */
};

/**
 * A call that another thread executes. The caller owns the structure until its state is IDLE. The
 * command for calls with a deadline belongs to the queue, because it may stay in the ring after the
 * call has returned.
 */
struct command {
	/** Function and argument. The queue's owner reads them only in state RUNNING. */
	command_fn fn;
	void *arg;
	uint32_t state; /**< of enum command_state; atomic */
};

/**
 * Bit of command_queue.told. If set, the eventfd was written, and no thread has read the eventfd
 * since then.
 */
#define COMMAND_TOLD UINT64_C(1)

/** pthread_self() is never 0. */
#define COMMAND_OWNER_NONE 0

struct command_queue {
	/** Ring of pointers to pending struct command, with many producers and one consumer. */
	struct rte_ring *ring;
	/**
	 * pthread_self() of the thread that may use the engine now. COMMAND_OWNER_NONE (0): no
	 * thread. Atomic.
	 */
	uint64_t owner;
	bool claimed; /**< true: a poll or a launch has claimed the queue for a thread; atomic */
	/**
	 * Recursive mutex for changes of the owner. Before the queue is claimed, the owner holds it
	 * during each call that it executes.
	 */
	pthread_mutex_t handover;

	bool shared; /**< true: several threads use the queue in turn (command_enter()); atomic */
	/**
	 * Nesting depth: number of calls of command_enter() that have no command_leave() yet. Used
	 * by the owner.
	 */
	uint32_t depth;
	struct gate gate;
	/** Command that command_call_timed() uses. It is in the ring at most once. */
	struct command timed;
	bool timed_cancelled; /**< command_call_timed_cancel() was called; atomic */
	/* Threads that sleep until there is work (sleep.h). All members below are atomic. */
	uint32_t sleepers; /**< number of sleeping threads, which only the owner increments */
	uint32_t wakes;    /**< calls of command_wake() */
	/** Value of wakes when command_wake() last ended a sleep. Used by the owner. */
	uint32_t wakes_seen;
	uint64_t told;     /**< COMMAND_TOLD in bit 0, number of eventfd reads in other bits */
	int wake_fd;       /**< eventfd that sleeping threads watch; -1: no thread has slept yet */
	const char *label; /**< name of the adapter in log messages */
};

/**
 * Create the queue. The caller becomes its owner.
 * @param name unique in the process
 * @return 0, or -1 if the ring cannot be created
 */
int command_queue_init(
	struct command_queue *queue, const char *name, int socket_id) __rte_warn_unused_result;
void command_queue_fini(struct command_queue *queue);

static inline bool
command_owner_is_self(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->owner, __ATOMIC_ACQUIRE) == (uint64_t)pthread_self();
}

/** Make the calling thread the owner. No other thread may be in a turn. */
void command_owner_take(struct command_queue *queue);

/**
 * Make the calling thread the owner, after waiting until the previous owner has finished its call.
 * Called in the first turn.
 */
void command_claim(struct command_queue *queue);

/**
 * Claim the queue for another thread, which will take the ownership. Until that thread takes it,
 * there is no owner, and calls wait. A shared queue stops being shared.
 * @return false: nothing was done, because the caller is inside the queue
 */
bool command_claim_for_other(struct command_queue *queue) __rte_warn_unused_result;

/**
 * Enter the queue: become the owner until command_leave(). Waits until no other thread is inside.
 * The first call makes the queue shared. If the caller is already inside, only depth is
 * incremented.
 *
 * @param within true: the owner is in a call or turn. If the caller is the owner, only depth is
 *        incremented, even from 0
 * @return false: another thread has claimed the queue
 */
bool command_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** Result of command_try_enter(). */
enum command_entry {
	COMMAND_INSIDE,  /**< the caller is inside */
	COMMAND_BUSY,    /**< another thread is inside, or starving threads wait for the gate */
	COMMAND_FOREIGN, /**< another thread has claimed the queue */
};

/** As command_enter(), without waiting. */
enum command_entry
command_try_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/**
 * Undo one command_enter().
 * @return false: the caller has not entered, or only before the call in progress began
 */
bool command_leave(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** Leave all nesting levels. @return their number, for command_return(); 0: queue not shared */
uint32_t command_step_out(struct command_queue *queue);

/** Undo command_step_out(), which returned depth. @return false: the queue is no longer shared */
bool command_return(struct command_queue *queue, uint32_t depth) __rte_warn_unused_result;

/**
 * Fast path of command_enter(), for a thread that is not inside and to which the gate is biased.
 * @return false: nothing was done; call command_enter()
 */
static inline bool
command_enter_again(struct command_queue *queue)
{
	if (!gate_again(&queue->gate))
		return false;
	if (unlikely(!__atomic_load_n(&queue->shared, __ATOMIC_ACQUIRE))) {
		gate_leave(&queue->gate);
		return false;
	}
	__atomic_store_n(&queue->owner, gate_self->thread, __ATOMIC_RELEASE);
	queue->depth = 1;
	return true;
}

/**
 * Fast path of command_leave() after command_enter_again(), if the ring is empty.
 * @return false: nothing was done; call command_leave()
 */
static inline bool
command_leave_again(struct command_queue *queue)
{
	if (!rte_ring_empty(queue->ring))
		return false;
	queue->depth = 0;
	__atomic_store_n(&queue->owner, COMMAND_OWNER_NONE, __ATOMIC_RELEASE);
	gate_leave_by_bias(&queue->gate);
	return true;
}

/** @return whether the calling thread has entered through the bias of the gate, and depth is 1 */
static inline bool
command_is_inside_by_bias(const struct command_queue *queue)
{
	return gate_is_inside_by_bias(&queue->gate) && queue->depth == 1;
}

/** @return whether the caller is inside and starving threads wait to enter */
static inline bool
command_is_wanted(const struct command_queue *queue)
{
	return queue->depth != 0 && gate_is_wanted(&queue->gate);
}

/**
 * If the queue is shared and no thread is inside: enter, execute fn(arg) and leave. @return whether
 * fn was executed
 */
bool
command_run_shared(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute the commands in the ring of a shared queue, if no thread is inside. */
void command_serve_shared(struct command_queue *queue);

/** @return whether at least one thread sleeps and no wake-up of the sleepers is in progress */
static inline bool
command_sleeps(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->sleepers, __ATOMIC_SEQ_CST) != 0 &&
		(__atomic_load_n(&queue->told, __ATOMIC_SEQ_CST) & COMMAND_TOLD) == 0;
}

/**
 * Called when the last sleeping thread has woken: clear the eventfd and COMMAND_TOLD. So a thread
 * that queues a command during the next sleep writes the eventfd again.
 */
void command_awake(struct command_queue *queue);

/** Wake all sleeping threads. If none sleeps, the next sleep ends at once. From any thread. */
void command_wake(struct command_queue *queue);

/**
 * Called after a command was put into the ring: wake sleeping threads. May be called from any
 * thread.
 */
void command_ring_filled(struct command_queue *queue);

/**
 * Execute fn(arg) if the calling thread is the owner. It remains the owner until fn returns.
 * @return whether the calling thread is the owner and fn was executed
 */
bool
command_run_owned(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/**
 * Execute fn(arg) on the owner's thread and wait until fn has returned. While waiting, the calling
 * thread executes the commands in all queues that it owns itself, also of other adapters. So
 * threads that call each other's queues do not deadlock.
 */
void command_call(struct command_queue *queue, command_fn fn, void *arg);

/**
 * Execute other threads' commands in all queues that the calling thread owns. Called by a thread
 * while it waits for another thread.
 * @return whether the calling thread owns any queue
 */
bool command_serve_owned(void);

/**
 * Execute fn(arg) as command_call() does, but give up after the timeout, because the engine may not
 * be polled. A command that was given up stays in the ring until the owner removes it without
 * executing it, or until the next call reuses it. So calls with a timeout use at most one entry of
 * the ring. While waiting, the calling thread executes no commands of its own queues.
 *
 * Only one thread at a time may call this function for a queue.
 * @return whether fn was executed; if not, it will not be executed later
 */
bool command_call_timed(struct command_queue *queue, command_fn fn, void *arg,
	uint64_t timeout_ns) __rte_warn_unused_result;

/** Let command_call_timed() return false instead of waiting, from now on. From any thread. */
void command_call_timed_cancel(struct command_queue *queue);

#define COMMANDS_PER_TURN 8

/** Slow path of command_drain(), if the queue is not empty. */
unsigned int command_drain_some(struct command_queue *queue);

/**
 * Execute at most COMMANDS_PER_TURN commands of other threads. @return number of executed commands
 */
static inline unsigned int
command_drain(struct command_queue *queue)
{
	return likely(rte_ring_empty(queue->ring)) ? 0 : command_drain_some(queue);
}

#endif
