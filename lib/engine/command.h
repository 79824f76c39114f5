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
 * Control calls of other threads: a call is put into the engine's ring and executed by its owner in
 * the next turn, while the caller waits. The owner executes its own calls directly.
 *
 * The opener owns the engine until the first poll or launch claims it, which another thread may do
 * at any moment; the claim waits for the call in progress.
 *
 * A queue may be shared: then it has an owner only while a thread is inside, which holds the gate.
 * A call of another thread takes the gate, if it is free, and is executed by its caller; else it
 * goes into the ring, too, and who is inside executes it at the latest when it leaves. So calls
 * never wait for the gate, and threads that are inside one queue each may call the other one.
 */

typedef void (*command_fn)(void *arg);

/** One call; of its caller until done. */
struct command {
	command_fn fn;
	void *arg;
	bool done; /**< set by the owner with release, read by the caller with acquire */
};

/** Bit of command_queue.told: the eventfd was written, and has not been read since. */
#define COMMAND_TOLD UINT64_C(1)

/** pthread_self() is never 0. */
#define COMMAND_OWNER_NONE 0

struct command_queue {
	struct rte_ring *ring; /**< of struct command *, many producers, one consumer */
	uint64_t owner;        /**< thread that may touch the engine, 0 = none yet; atomic */
	bool claimed;          /**< by a poll or a launch, not only by having been opened; atomic */
	/** recursive; before the claim the owner holds it during each call */
	pthread_mutex_t handover;

	bool shared;    /**< atomic; changes under handover, or when nobody is inside */
	uint32_t depth; /**< of the owner: how often it has entered and not left */
	struct gate gate;
	/* Threads that sleep until there is work (sleep.h). All members are atomic. */
	uint32_t sleepers;   /**< number of these threads; only the owner increments it */
	uint32_t wakes;      /**< calls of command_wake() */
	uint32_t wakes_seen; /**< of wakes: calls that have ended a sleep; used by the owner */
	uint64_t told;       /**< bit 0: COMMAND_TOLD; above it: how often the eventfd was read */
	int wake_fd;         /**< eventfd that sleepers watch; -1: nobody ever slept */
};

/**
 * @param name unique in the process. @return 0, or -1 when the ring cannot be made. The caller
 *         becomes the owner.
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

/** Make the calling thread the owner: no other thread may be executing a turn. */
void command_owner_take(struct command_queue *queue);

/** The first turn: make the calling thread the owner when the one before has finished its call. */
void command_claim(struct command_queue *queue);

/**
 * Claim the engine for a thread that is about to start and will take the ownership. Until then
 * there is no owner, and calls wait. A shared queue is not shared any more.
 * @return false: the caller is inside
 */
bool command_claim_for_other(struct command_queue *queue) __rte_warn_unused_result;

/**
 * Become the owner until command_leave(), or enter once more; wait for other threads that are
 * inside. The first call makes the queue shared.
 *
 * @param within a call or turn of the owner is under way, if this is the owner: it only counts
 * @return false: the queue is another thread's, which has claimed it
 */
bool command_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** What command_try_enter() found. */
enum command_entry {
	COMMAND_INSIDE,  /**< the caller is inside */
	COMMAND_BUSY,    /**< another thread is, or waits for a while already */
	COMMAND_FOREIGN, /**< the queue is another thread's, which has claimed it */
};

/** The same, without waiting. */
enum command_entry
command_try_enter(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** @return false: the caller has not entered, or only outside the call that is under way */
bool command_leave(struct command_queue *queue, bool within) __rte_warn_unused_result;

/** Leave altogether, for command_return(). @return depth; 0: not shared, nothing was done */
uint32_t command_step_out(struct command_queue *queue);

/** Be inside again as before. @return false: the queue is not shared any more */
bool command_return(struct command_queue *queue, uint32_t depth) __rte_warn_unused_result;

/**
 * command_enter() of a thread to which the gate is biased, and which is outside.
 * @return false: nothing was done; command_enter() does it
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
 * command_leave() of a thread that command_enter_again() has let in, if nothing is in the ring.
 * @return false: nothing was done; command_leave() does it
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

/** @return whether the calling thread is inside by the bias of the gate, and once */
static inline bool
command_is_inside_by_bias(const struct command_queue *queue)
{
	return gate_is_inside_by_bias(&queue->gate) && queue->depth == 1;
}

/** @return whether the caller is inside, and others wait to get in. */
static inline bool
command_is_wanted(const struct command_queue *queue)
{
	return queue->depth != 0 && gate_is_wanted(&queue->gate);
}

/** Execute fn(arg) inside, if the queue is shared and nobody is. @return whether it was executed */
bool
command_run_shared(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute what is in the ring of a shared queue, if nobody is inside. */
void command_serve_shared(struct command_queue *queue);

/** @return whether threads sleep that are not being woken */
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

/** Wake the threads that sleep, or else the next one that wants to. From any thread. */
void command_wake(struct command_queue *queue);

/** Something was put into the ring: wake the threads that sleep. From any thread. */
void command_ring_filled(struct command_queue *queue);

/**
 * Execute fn(arg) if the calling thread is the owner; it stays the owner until fn returns.
 * @return whether it was the owner
 */
bool
command_run_owned(struct command_queue *queue, command_fn fn, void *arg) __rte_warn_unused_result;

/**
 * Execute fn(arg) on the owner and wait for it. Meanwhile the calling thread executes what others
 * ask of the queues that it owns itself, of whichever adapter: so threads that wait for each other
 * go on.
 */
void command_call(struct command_queue *queue, command_fn fn, void *arg);

/**
 * Execute what other threads ask of the queues that the calling thread owns: for a thread that
 * waits for another one.
 * @return whether it owns some
 */
bool command_serve_owned(void);

/**
 * A call that does not wait for ever (question.c). It is in the ring once at most: when it was
 * given up, the owner takes it out as if it were nothing, or the next one takes its place.
 */
struct command_question {
	struct command command;
	command_fn fn; /**< what the owner executes, as arg; written while it does not look */
	void *arg;
	uint32_t state; /**< of enum question_state in question.c; atomic */
	bool cancelled; /**< command_ask_cancel() was called; atomic */
};

/**
 * Execute fn(arg) on the owner, unless it does not come round to it in time.
 *
 * @param question of this queue, zeroed at first; one thread uses it at a time
 * @return whether it was executed; if not, it will not be any more
 */
bool command_ask(struct command_queue *queue, struct command_question *question, command_fn fn,
	void *arg, uint64_t timeout_ns) __rte_warn_unused_result;

/** From here on no question waits: command_ask() returns false instead. From any thread. */
void command_ask_cancel(struct command_question *question);

#define COMMANDS_PER_TURN 8

/** command_drain() of a queue that is not empty. */
unsigned int command_drain_some(struct command_queue *queue);

/** Execute what other threads have asked for, at most COMMANDS_PER_TURN. @return how many. */
static inline unsigned int
command_drain(struct command_queue *queue)
{
	return likely(rte_ring_empty(queue->ring)) ? 0 : command_drain_some(queue);
}

#endif
