/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Queries to the owner of an engine from other threads, with a time limit, because an engine may
 * not be polled. The ring does not allow removal of a query that was given up. While such a query
 * is in the ring, the next query takes its place. So queries use at most one ring entry of an
 * engine.
 *
 *   IDLE -> WAITING -> RUNNING -> IDLE      requested and answered
 *   WAITING -> GIVEN_UP -> IDLE             the owner came too late, and ignores it
 *   GIVEN_UP -> WAITING                     the next query
 */

#include <time.h>

#include <rte_pause.h>

#include "engine/command.h"

enum question_state {
	QUESTION_IDLE,
	QUESTION_WAITING,  /* in the ring, waiting for the owner */
	QUESTION_RUNNING,  /* the owner is executing it and will finish soon */
	QUESTION_GIVEN_UP, /* in the ring, to be ignored */
};

/* A polled engine answers within microseconds. After this number of spins, check less often. */
#define QUESTION_SPINS    1000
#define QUESTION_SLEEP_NS 50000

static bool
state_change(struct command_question *question, uint32_t from, enum question_state to)
{
	/* Release data for the other side, and acquire its data. */
	return __atomic_compare_exchange_n(
		&question->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* On the owner's thread. */
static void
question_run(void *arg)
{
	struct command_question *question = arg;

	/*
	 * Loop, because between the two attempts a query that was given up may be replaced by the
	 * next query.
	 */
	while (!state_change(question, QUESTION_WAITING, QUESTION_RUNNING))
		if (state_change(question, QUESTION_GIVEN_UP, QUESTION_IDLE))
			return;
	question->fn(question->arg);
	__atomic_store_n(&question->state, QUESTION_IDLE, __ATOMIC_RELEASE);
}

/* @return whether the query is in the ring, newly added or in place of one that was given up. */
static bool
question_put(struct command_queue *queue, struct command_question *question)
{
	if (state_change(question, QUESTION_GIVEN_UP, QUESTION_WAITING))
		return true;
	/* Only once, because the owner may still write `done` of the previous query. */
	if (question->command.fn == NULL)
		question->command = (struct command){.fn = question_run, .arg = question};
	__atomic_store_n(&question->state, QUESTION_WAITING, __ATOMIC_RELEASE);
	if (rte_ring_enqueue(queue->ring, &question->command) == 0) {
		command_ring_filled(queue);
		return true;
	}
	/* The ring is full, so the engine is not polled. */
	__atomic_store_n(&question->state, QUESTION_IDLE, __ATOMIC_RELAXED);
	return false;
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
command_ask_cancel(struct command_question *question)
{
	__atomic_store_n(&question->cancelled, true, __ATOMIC_RELAXED);
}

bool
command_ask(struct command_queue *queue, struct command_question *question, command_fn fn,
	void *arg, uint64_t timeout_ns)
{
	const struct timespec pause = {.tv_nsec = QUESTION_SLEEP_NS};
	uint64_t end_ns = now_ns() + timeout_ns;
	unsigned int spins = 0;

	if (command_owner_is_self(queue))
		return command_run_owned(queue, fn, arg);
	if (command_run_shared(queue, fn, arg))
		return true;
	question->fn = fn;
	question->arg = arg;
	if (!question_put(queue, question))
		return false;
	while (__atomic_load_n(&question->state, __ATOMIC_ACQUIRE) != QUESTION_IDLE) {
		if (++spins < QUESTION_SPINS) {
			rte_pause();
			continue;
		}
		command_serve_shared(queue);
		if ((now_ns() > end_ns ||
			    __atomic_load_n(&question->cancelled, __ATOMIC_RELAXED)) &&
			state_change(question, QUESTION_WAITING, QUESTION_GIVEN_UP))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}
