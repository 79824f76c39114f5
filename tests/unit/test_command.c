/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <pthread.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_memory.h>

#include "support/eal.h"

#define CALLS 200

static struct command_queue queue;
static pthread_t owner;
static uint64_t sum;
static bool foreign;
static bool callers_done;

static void
add(void *arg)
{
	if (!pthread_equal(pthread_self(), owner))
		foreign = true;
	sum += *(uint64_t *)arg;
}

static void *
caller(void *arg)
{
	for (uint64_t i = 0; i < CALLS; i++) {
		uint64_t value = i;

		command_call(&queue, add, &value);
	}
	(void)arg;
	return NULL;
}

static void *
callers_run(void *arg)
{
	pthread_t threads[2];

	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, caller, arg), 0);
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&callers_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void
setup(void)
{
	test_eal_init();
	cr_assert_eq(command_queue_init(&queue, "test_commands", SOCKET_ID_ANY), 0);
	owner = pthread_self();
}

TestSuite(command, .init = setup);

Test(command, owner_executes_its_own_call_directly)
{
	uint64_t value = 5;

	cr_assert(command_owner_is_self(&queue));
	command_call(&queue, add, &value);
	cr_assert_eq(sum, 5);
	cr_assert_eq(command_drain(&queue), 0);
	command_queue_fini(&queue);
}

Test(command, calls_of_other_threads_run_on_the_owner_and_all_run)
{
	uint64_t executed = 0;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, callers_run, NULL), 0);
	while (!__atomic_load_n(&callers_done, __ATOMIC_ACQUIRE)) {
		unsigned int count = command_drain(&queue);

		cr_assert_leq(count, COMMANDS_PER_TURN);
		executed += count;
	}
	pthread_join(thread, NULL);
	cr_assert_eq(executed, 2 * CALLS);
	cr_assert_eq(sum, (uint64_t)CALLS * (CALLS - 1), "sum %lu", sum);
	cr_assert_not(foreign);
	command_queue_fini(&queue);
}

static bool claimed;

static void *
claimer(void *arg)
{
	(void)arg;
	command_claim(&queue);
	__atomic_store_n(&claimed, true, __ATOMIC_RELEASE);
	return NULL;
}

static void
hold(void *arg)
{
	pthread_t *thread = arg;

	cr_assert_eq(pthread_create(thread, NULL, claimer, NULL), 0);
	usleep(50000);
	cr_assert_not(
		__atomic_load_n(&claimed, __ATOMIC_ACQUIRE), "claimed in the middle of a call");
	cr_assert(command_owner_is_self(&queue));
}

Test(command, claim_waits_for_the_call_of_the_owner_before)
{
	pthread_t thread;

	command_call(&queue, hold, &thread);
	pthread_join(thread, NULL);
	cr_assert(claimed);
	cr_assert_not(command_owner_is_self(&queue));
	cr_assert_not(command_run_owned(&queue, add, NULL));
	command_queue_fini(&queue);
}

static void
nest(void *arg)
{
	command_call(&queue, add, arg);
}

Test(command, call_within_a_call_runs_at_once)
{
	uint64_t value = 7;

	command_call(&queue, nest, &value);
	cr_assert_eq(sum, 7);
	command_queue_fini(&queue);
}

/* From a launch until the lcore is there, who launched executes nothing itself. */
Test(command, claim_for_another_thread_leaves_nobody_the_owner)
{
	uint64_t value = 1;

	command_claim_for_other(&queue);
	cr_assert_not(command_owner_is_self(&queue));
	cr_assert_not(command_run_owned(&queue, add, &value));
	cr_assert_eq(sum, 0);
	command_owner_take(&queue);
	cr_assert(command_run_owned(&queue, add, &value));
	cr_assert_eq(sum, 1);
	command_queue_fini(&queue);
}

static struct command_question question;
static uint64_t one = 1;

static void *
asker(void *arg)
{
	for (unsigned int i = 0; i < CALLS; i++)
		*(unsigned int *)arg += command_ask(&queue, &question, add, &one, 0) ? 1 : 0;
	return NULL;
}

/* Nobody drains: questions are given up, and take one entry of the ring in all. */
Test(command, questions_that_are_given_up_leave_one_entry_that_does_nothing)
{
	unsigned int answered = 0;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, asker, &answered), 0);
	pthread_join(thread, NULL);
	cr_assert_eq(answered, 0);
	cr_assert_eq(rte_ring_count(queue.ring), 1);
	cr_assert_eq(command_drain(&queue), 1);
	cr_assert_eq(sum, 0);
	command_queue_fini(&queue);
}

static void *
patient_asker(void *arg)
{
	/* Some are given up, and others are answered. */
	for (uint64_t i = 0; i < 50 * CALLS; i++)
		*(unsigned int *)arg +=
			command_ask(&queue, &question, add, &one, i % 4 * 20000) ? 1 : 0;
	__atomic_store_n(&callers_done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* A question is executed once if it is answered, and never if it is not. */
Test(command, question_is_executed_exactly_when_it_is_answered)
{
	unsigned int answered = 0;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, patient_asker, &answered), 0);
	while (!__atomic_load_n(&callers_done, __ATOMIC_ACQUIRE)) {
		command_drain(&queue);
		usleep(20);
	}
	pthread_join(thread, NULL);
	while (command_drain(&queue) != 0)
		;
	cr_assert_gt(answered, 0);
	cr_assert_eq(sum, answered, "%lu executed, %u answered", sum, answered);
	cr_assert_not(foreign);
	command_queue_fini(&queue);
}

Test(command, owner_answers_its_own_question_directly)
{
	cr_assert(command_ask(&queue, &question, add, &one, 0));
	cr_assert_eq(sum, 1);
	command_queue_fini(&queue);
}
