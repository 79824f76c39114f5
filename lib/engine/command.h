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

/*
 * Control calls of other threads: a call is put into the engine's ring and executed by its owner in
 * the next turn, while the caller waits. The owner executes its own calls directly.
 *
 * The opener owns the engine until the first poll or launch claims it, which another thread may do
 * at any moment; the claim waits for the call in progress.
 */

typedef void (*command_fn)(void *arg);

/** One call; of its caller until done. */
struct command {
	command_fn fn;
	void *arg;
	bool done; /**< set by the owner with release, read by the caller with acquire */
};

struct command_queue {
	struct rte_ring *ring; /**< of struct command *, many producers, one consumer */
	uint64_t owner;        /**< thread that may touch the engine, 0 = none yet; atomic */
	bool claimed;          /**< by a poll or a launch, not only by having been opened; atomic */
	/** recursive; before the claim the owner holds it during each call */
	pthread_mutex_t handover;
};

/**
 * @param name unique in the process. @return 0, or -1 when the ring cannot be made. The caller
 *         becomes the owner.
 */
int command_queue_init(
	struct command_queue *queue, const char *name, int socket_id) __rte_warn_unused_result;
void command_queue_fini(struct command_queue *queue);

/** @return whether the calling thread is the owner. */
bool command_owner_is_self(const struct command_queue *queue);

/** Make the calling thread the owner: no other thread may be executing a turn. */
void command_owner_take(struct command_queue *queue);

/** The first turn: make the calling thread the owner when the one before has finished its call. */
void command_claim(struct command_queue *queue);

/**
 * Claim the engine for a thread that is about to start and will take the ownership. Until then
 * there is no owner, and calls wait.
 */
void command_claim_for_other(struct command_queue *queue);

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
 */
void command_serve_owned(void);

/**
 * A call that does not wait for ever (question.c). It is in the ring once at most: when it was
 * given up, the owner takes it out as if it were nothing, or the next one takes its place.
 */
struct command_question {
	struct command command;
	command_fn fn; /**< what the owner executes, as arg; written while it does not look */
	void *arg;
	uint32_t state; /**< of enum question_state in question.c; atomic */
};

/**
 * Execute fn(arg) on the owner, unless it does not come round to it in time.
 *
 * @param question of this queue, zeroed at first; one thread uses it at a time
 * @return whether it was executed; if not, it will not be any more
 */
bool command_ask(struct command_queue *queue, struct command_question *question, command_fn fn,
	void *arg, uint64_t timeout_ns) __rte_warn_unused_result;

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
