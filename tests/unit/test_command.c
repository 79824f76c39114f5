/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <pthread.h>

#include <criterion/criterion.h>

#include <rte_memory.h>

#include "support/eal.h"

#define CALLS 1000

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
