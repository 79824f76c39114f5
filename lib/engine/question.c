/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Questions to the owner of an engine from threads that look inside: the engine may be one that
 * nobody polls, and then the answer is that. A question that is given up stays in the ring, which
 * has no way to take it out; as long as it is there, the next question is put in its place. So
 * however often somebody asks, an engine has one entry of its ring taken at most.
 *
 *   IDLE -> WAITING -> RUNNING -> IDLE      asked and answered
 *   WAITING -> GIVEN_UP -> IDLE             the owner came too late, and does nothing
 *   GIVEN_UP -> WAITING                     the next question
 */

#include <time.h>

#include <rte_pause.h>

#include "engine/command.h"

enum question_state {
	QUESTION_IDLE,
	QUESTION_WAITING,  /* in the ring */
	QUESTION_RUNNING,  /* the owner is at it: its end is near */
	QUESTION_GIVEN_UP, /* in the ring, to be ignored */
};

/* A turn of an engine that is polled is over in microseconds: then look less often. */
#define QUESTION_SPINS    1000
#define QUESTION_SLEEP_NS 50000

static bool
state_change(struct command_question *question, uint32_t from, enum question_state to)
{
	/* Release what was written for the other side, acquire what that wrote. */
	return __atomic_compare_exchange_n(
		&question->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* On the owner's thread. */
static void
question_run(void *arg)
{
	struct command_question *question = arg;

	/* Between the two looks, one that was given up may have been replaced by the next. */
	while (!state_change(question, QUESTION_WAITING, QUESTION_RUNNING))
		if (state_change(question, QUESTION_GIVEN_UP, QUESTION_IDLE))
			return;
	question->fn(question->arg);
	__atomic_store_n(&question->state, QUESTION_IDLE, __ATOMIC_RELEASE);
}

/* @return whether the question is in the ring, anew or in place of the one given up. */
static bool
question_put(struct command_queue *queue, struct command_question *question)
{
	if (state_change(question, QUESTION_GIVEN_UP, QUESTION_WAITING))
		return true;
	/* Once: the owner may still be about to write that the one before is done. */
	if (question->command.fn == NULL)
		question->command = (struct command){.fn = question_run, .arg = question};
	__atomic_store_n(&question->state, QUESTION_WAITING, __ATOMIC_RELEASE);
	if (rte_ring_enqueue(queue->ring, &question->command) == 0) {
		command_ring_filled(queue);
		return true;
	}
	/* Full of calls that wait longer than this one will: it is not polled. */
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
