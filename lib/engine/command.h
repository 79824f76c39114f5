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
 * Control calls from other threads. A call is put into the engine's ring; the owner executes it in
 * the next turn, while the caller waits. The owner executes its own calls directly.
 *
 * The thread that opened the adapter owns the engine until the first poll or launch claims it.
 * Another thread may claim it at any time; the claim waits for the call in progress.
 *
 * A queue may be shared. Then it has an owner only while a thread is inside, that is, while the
 * thread holds the gate (gate.h). A call from another thread takes the gate, if it is free, and the
 * caller executes it. Otherwise the call goes into the ring, and the thread inside executes it, at
 * the latest when it leaves. So calls never wait for the gate, and two threads that are inside one
 * queue each can call each other's queue without deadlock.
 */

typedef void (*command_fn)(void *arg);

/**
 * State of a command.
 *
 *   IDLE -> WAITING -> RUNNING -> IDLE      requested and executed
 *   WAITING -> GIVEN_UP -> IDLE             the owner came after the deadline, and ignores it
 *   GIVEN_UP -> WAITING                     the next call with a deadline takes its place
 */
enum command_state {
	COMMAND_IDLE,     /**< not in the ring, or executed */
	COMMAND_WAITING,  /**< in the ring, waiting for the queue's owner */
	COMMAND_RUNNING,  /**< being executed by the queue's owner */
	COMMAND_GIVEN_UP, /**< in the ring, to be ignored */
};

/**
 * One call. The caller owns it until its state is IDLE. The queue owns the command of calls with a
 * deadline, because it may stay in the ring after the call.
 */
struct command {
	/** The owner of the queue reads fn and arg only in state RUNNING. */
	command_fn fn;
	void *arg;
	uint32_t state; /**< of enum command_state; atomic */
};

/** Bit of command_queue.told: the eventfd was written and not read since. */
#define COMMAND_TOLD UINT64_C(1)

/** pthread_self() is never 0. */
#define COMMAND_OWNER_NONE 0

struct command_queue {
	struct rte_ring *ring; /**< struct command pointers; many producers, one consumer */
	/** pthread_self() of the thread that may use the engine; 0 = none; atomic */
	uint64_t owner;
	bool claimed; /**< claimed by a poll or a launch, not only opened; atomic */
	/** Recursive. Until the claim, the owner holds it during each call that it executes. */
	pthread_mutex_t handover;

	bool shared; /**< atomic; changed while holding handover, or while no thread is inside */
	/** nesting depth: calls of command_enter() without command_leave(); used by the owner */
	uint32_t depth;
	struct gate gate;
	struct command timed; /**< command of command_call_timed(), in the ring at most once */
	bool timed_cancelled; /**< command_call_timed_cancel() was called; atomic */
	/* Threads that sleep until there is work (sleep.h). All members are atomic. */
	uint32_t sleepers; /**< number of these threads; only the owner increments it */
	uint32_t wakes;    /**< calls of command_wake() */
	/** value of wakes up to which calls have ended a sleep; used by the owner */
	uint32_t wakes_seen;
	uint64_t told; /**< bit 0: COMMAND_TOLD; other bits: number of reads of the eventfd */
	int wake_fd;   /**< eventfd that sleeping threads watch; -1: no thread has slept yet */
};

/**
 * @param name unique in the process. @return 0, or -1 if the ring cannot be created. The caller
 *        becomes the owner.
 */
int command_queue_init(
	struct command_queue *queue, const char *name, int socket_id) __rte_warn_unused_result;
void command_queue_fini(struct command_queue *queue);

/** @return whether the calling thread is the owner. */
static inline bool
command_owner_is_self(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->owner, __ATOMIC_ACQUIRE) == (uint64_t)pthread_self();
}

/** Make the calling thread the owner. No other thread may be in a turn. */
void command_owner_take(struct command_queue *queue);

/**
 * Called in the first turn: make the calling thread the owner, after the previous owner has
 * finished its call.
 */
void command_claim(struct command_queue *queue);

/**
 * Claim the engine for a thread that will start and take the ownership. Until then there is no
 * owner, and calls wait. A shared queue stops being shared.
 * @return false: the caller is inside
 */
bool command_claim_for_other(struct command_queue *queue) __rte_warn_unused_result;

/**
 * Enter the queue: become the owner until command_leave(). Waits until other threads have left. The
 * first call makes the queue shared. Nested calls only increment depth.
 *
 * @param within a call or turn of the owner is in progress; if the caller is this owner, only depth
 *        is incremented
 * @return false: another thread has claimed the queue
 */
bool command_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** Result of command_try_enter(). */
enum command_entry {
	COMMAND_INSIDE,  /**< the caller is inside */
	COMMAND_BUSY,    /**< another thread is inside, or has waited longer for the gate */
	COMMAND_FOREIGN, /**< the queue is another thread's, which has claimed it */
};

/** As command_enter(), without waiting. */
enum command_entry
command_try_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** @return false: the caller has not entered, or has entered only before the call in progress */
bool command_leave(struct command_queue *queue, bool within) __rte_warn_unused_result;

/**
 * Leave all nesting levels, for command_return(). @return depth; 0: not shared, nothing was done
 */
uint32_t command_step_out(struct command_queue *queue);

/**
 * Enter again with the depth of command_step_out(). @return false: the queue is not shared any more
 */
bool command_return(struct command_queue *queue, uint32_t depth) __rte_warn_unused_result;

/**
 * Fast path of command_enter(), for a thread that is outside and to which the gate is biased.
 * @return false: nothing was done; use command_enter()
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
 * @return false: nothing was done; use command_leave()
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

/** @return whether the calling thread is inside through the bias of the gate, with depth 1 */
static inline bool
command_is_inside_by_bias(const struct command_queue *queue)
{
	return gate_is_inside_by_bias(&queue->gate) && queue->depth == 1;
}

/** @return whether the caller is inside, and other threads wait to enter. */
static inline bool
command_is_wanted(const struct command_queue *queue)
{
	return queue->depth != 0 && gate_is_wanted(&queue->gate);
}

/**
 * Enter and execute fn(arg), if the queue is shared and no thread is inside. @return whether it was
 * executed
 */
bool
command_run_shared(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute the commands in the ring of a shared queue, if no thread is inside. */
void command_serve_shared(struct command_queue *queue);

/** @return whether threads sleep and no wake-up is in progress */
static inline bool
command_sleeps(const struct command_queue *queue)
{
	return __atomic_load_n(&queue->sleepers, __ATOMIC_SEQ_CST) != 0 &&
		(__atomic_load_n(&queue->told, __ATOMIC_SEQ_CST) & COMMAND_TOLD) == 0;
}

/**
 * The last sleeping thread has woken: clear the eventfd and COMMAND_TOLD, so that the next command
 * after a new sleep writes the eventfd again.
 */
void command_awake(struct command_queue *queue);

/** Wake all sleeping threads. If no thread sleeps, end the next sleep at once. From any thread. */
void command_wake(struct command_queue *queue);

/** A command was put into the ring: wake sleeping threads. From any thread. */
void command_ring_filled(struct command_queue *queue);

/**
 * Execute fn(arg) if the calling thread is the owner. The thread stays the owner until fn returns.
 * @return whether it was the owner
 */
bool
command_run_owned(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/**
 * Execute fn(arg) on the owner's thread and wait for it. Meanwhile the calling thread executes
 * commands in the queues that it owns, of any adapter, so that threads that call each other do not
 * deadlock.
 */
void command_call(struct command_queue *queue, command_fn fn, void *arg);

/**
 * Execute commands of other threads in all queues that the calling thread owns. For a thread that
 * waits for another thread.
 * @return whether it owns any queue
 */
bool command_serve_owned(void);

/**
 * As command_call(), if the owner gets to it before the timeout, because an engine may not be
 * polled. Otherwise the caller gives up: the command stays in the ring, the owner removes it
 * without executing it, or the next call takes its place. So these calls use at most one entry of
 * the ring. Meanwhile the calling thread executes no commands of its own queues.
 *
 * One thread at a time may call this for a queue.
 * @return whether fn was executed; if not, it will not be executed later
 */
bool command_call_timed(struct command_queue *queue, command_fn fn, void *arg,
	uint64_t timeout_ns) __rte_warn_unused_result;

/** From now on, command_call_timed() returns false instead of waiting. From any thread. */
void command_call_timed_cancel(struct command_queue *queue);

#define COMMANDS_PER_TURN 8

/** As command_drain(), for a queue that is not empty. */
unsigned int command_drain_some(struct command_queue *queue);

/** Execute commands of other threads, at most COMMANDS_PER_TURN. @return their number */
static inline unsigned int
command_drain(struct command_queue *queue)
{
	return likely(rte_ring_empty(queue->ring)) ? 0 : command_drain_some(queue);
}

#endif
