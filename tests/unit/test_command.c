/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/command.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_log.h>
#include <rte_memory.h>
#include <rte_pause.h>

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

static void *
hold_caller(void *arg)
{
	command_call(&queue, hold, arg);
	return NULL;
}

Test(command, claim_waits_for_a_call_that_the_owner_serves_before)
{
	pthread_t thread, caller_thread;

	cr_assert_eq(pthread_create(&caller_thread, NULL, hold_caller, &thread), 0);
	while (rte_ring_empty(queue.ring))
		sched_yield();
	cr_assert(command_serve_owned());
	pthread_join(caller_thread, NULL);
	pthread_join(thread, NULL);
	cr_assert(claimed);
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

/*
 * A thread that claims an engine for an lcore does not become the owner, so it executes no calls
 * before the lcore starts.
 */
Test(command, claim_for_another_thread_leaves_nobody_the_owner)
{
	uint64_t value = 1;

	cr_assert(command_claim_for_other(&queue));
	cr_assert_not(command_owner_is_self(&queue));
	cr_assert_not(command_run_owned(&queue, add, &value));
	cr_assert_eq(sum, 0);
	command_owner_take(&queue);
	cr_assert(command_run_owned(&queue, add, &value));
	cr_assert_eq(sum, 1);
	command_queue_fini(&queue);
}

static uint64_t one = 1;

static void *
asker(void *arg)
{
	for (unsigned int i = 0; i < CALLS; i++)
		*(unsigned int *)arg += command_call_timed(&queue, add, &one, 0) ? 1 : 0;
	return NULL;
}

/*
 * If no thread drains the ring, all calls with a deadline time out. All of them together occupy one
 * entry of the ring.
 */
Test(command, timed_calls_that_are_given_up_leave_one_entry_that_does_nothing)
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
	/* Use four deadlines, so that some calls time out and others are answered. */
	for (uint64_t i = 0; i < 50 * CALLS; i++)
		*(unsigned int *)arg +=
			command_call_timed(&queue, add, &one, i % 4 * 20000) ? 1 : 0;
	__atomic_store_n(&callers_done, true, __ATOMIC_RELEASE);
	return NULL;
}

Test(command, timed_call_is_executed_exactly_when_it_is_answered)
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

static void *
asker_without_end(void *arg)
{
	*(bool *)arg = command_call_timed(&queue, add, &one, UINT64_MAX / 2);
	return NULL;
}

Test(command, cancelled_timed_call_is_given_up_at_once)
{
	bool answered[2] = {true, true};
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, asker_without_end, &answered[0]), 0);
	while (rte_ring_empty(queue.ring))
		usleep(100);
	command_call_timed_cancel(&queue);
	pthread_join(thread, NULL);
	cr_assert_eq(pthread_create(&thread, NULL, asker_without_end, &answered[1]), 0);
	pthread_join(thread, NULL);
	cr_assert(!answered[0] && !answered[1]);
	cr_assert_eq(command_drain(&queue), 1);
	cr_assert_eq(sum, 0);
	command_queue_fini(&queue);
}

Test(command, owner_executes_its_own_timed_call_directly)
{
	cr_assert(command_call_timed(&queue, add, &one, 0));
	cr_assert_eq(sum, 1);
	command_queue_fini(&queue);
}

/* ---- shared queues ---- */

static bool
in(void)
{
	return command_enter(&queue, false);
}

static bool
out(void)
{
	return command_leave(&queue, false);
}

static bool entered, left;

static void *
enterer(void *arg)
{
	(void)arg;
	entered = in();
	left = out();
	return NULL;
}

static void
thread_run(void *(*function)(void *))
{
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, function, NULL), 0);
	pthread_join(thread, NULL);
}

Test(command, threads_enter_and_leave_in_turn)
{
	cr_assert_not(out(), "left without having entered");
	cr_assert(in());
	cr_assert(command_owner_is_self(&queue));
	cr_assert(in());
	cr_assert(out());
	cr_assert(command_owner_is_self(&queue), "left after one of two");
	cr_assert(out());
	cr_assert_not(command_owner_is_self(&queue));
	cr_assert_not(out());
	thread_run(enterer);
	cr_assert(entered && left);
	command_queue_fini(&queue);
}

Test(command, queue_that_another_thread_has_claimed_is_not_entered)
{
	command_claim(&queue);
	thread_run(enterer);
	cr_assert_not(entered);
	cr_assert_not(left);
	cr_assert(in());
	cr_assert(out());
	thread_run(enterer);
	cr_assert(entered);
	command_queue_fini(&queue);
}

/* Store the id of the thread that executes this call. The caller does not own the queue. */
static void
note_self(void *arg)
{
	*(pthread_t *)arg = pthread_self();
}

Test(command, call_to_a_shared_queue_with_nobody_inside_runs_on_its_caller)
{
	pthread_t ran = 0;

	thread_run(enterer);
	cr_assert_not(command_owner_is_self(&queue));
	command_call(&queue, note_self, &ran);
	cr_assert(pthread_equal(ran, pthread_self()));
	cr_assert_not(command_owner_is_self(&queue), "still inside after the call");
	cr_assert(rte_ring_empty(queue.ring));
	ran = 0;
	cr_assert(command_call_timed(&queue, note_self, &ran, 0));
	cr_assert(pthread_equal(ran, pthread_self()));
	command_queue_fini(&queue);
}

static bool call_over;

static void *
one_caller(void *arg)
{
	command_call(&queue, note_self, arg);
	__atomic_store_n(&call_over, true, __ATOMIC_RELEASE);
	return NULL;
}

Test(command, call_while_a_thread_is_inside_is_executed_when_it_leaves)
{
	pthread_t thread, ran = 0;

	cr_assert(in());
	cr_assert_eq(pthread_create(&thread, NULL, one_caller, &ran), 0);
	while (rte_ring_empty(queue.ring))
		usleep(100);
	cr_assert_not(__atomic_load_n(&call_over, __ATOMIC_ACQUIRE));
	cr_assert(out());
	pthread_join(thread, NULL);
	cr_assert(pthread_equal(ran, pthread_self()));
	command_queue_fini(&queue);
}

static enum command_entry tried;

static void *
tryer(void *arg)
{
	(void)arg;
	tried = command_try_enter(&queue, false);
	left = tried == COMMAND_INSIDE && out();
	return NULL;
}

Test(command, try_enters_only_when_nobody_is_inside)
{
	cr_assert_eq(command_try_enter(&queue, false), COMMAND_INSIDE);
	cr_assert_eq(command_try_enter(&queue, false), COMMAND_INSIDE);
	thread_run(tryer);
	cr_assert_eq(tried, COMMAND_BUSY);
	cr_assert(out());
	cr_assert(out());
	thread_run(tryer);
	cr_assert_eq(tried, COMMAND_INSIDE);
	cr_assert(left);
	command_owner_take(&queue);
	thread_run(tryer);
	cr_assert_eq(tried, COMMAND_FOREIGN);
	command_queue_fini(&queue);
}

static bool within_left;

static void
callback(void *arg)
{
	(void)arg;
	/* The queue is not shared yet. A call must not make it shared. */
	cr_assert(command_enter(&queue, true));
	thread_run(enterer);
	cr_assert(command_leave(&queue, true));
	within_left = command_leave(&queue, true);
}

Test(command, callback_is_inside_already_and_cannot_leave_its_call)
{
	command_claim(&queue);
	command_call(&queue, callback, NULL);
	cr_assert_not(entered, "shared by a callback");
	cr_assert_not(within_left);
	cr_assert(command_owner_is_self(&queue));
	cr_assert(in());
	cr_assert_not(command_leave(&queue, true), "left within a call that began inside");
	cr_assert(out());
	command_queue_fini(&queue);
}

Test(command, launched_queue_is_not_shared_any_more)
{
	cr_assert(in());
	cr_assert_not(command_claim_for_other(&queue), "launched by a thread inside");
	cr_assert(out());
	cr_assert(command_claim_for_other(&queue));
	cr_assert_not(in());
	command_owner_take(&queue);
	cr_assert(in());
	cr_assert(out());
	command_queue_fini(&queue);
}

#define STAYS 100

static bool greedy_stop;
static uint64_t greedy_rounds, guarded;

/* Enter and leave without a pause, so that this thread is inside nearly all the time. */
static void *
greedy(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&greedy_stop, __ATOMIC_ACQUIRE)) {
		if (!in())
			break;
		for (unsigned int i = 0; i < 50; i++) {
			guarded++;
			for (unsigned int k = 0; k < 100; k++)
				rte_pause();
		}
		__atomic_fetch_add(&greedy_rounds, 1, __ATOMIC_RELAXED);
		(void)out();
	}
	return NULL;
}

/*
 * A thread that enters and leaves without a pause does not keep other threads out, because waiting
 * threads queue up.
 */
Test(command, thread_that_comes_again_and_again_keeps_nobody_out, .timeout = 60)
{
	uint64_t before, own = 0, others = 0;
	pthread_t threads[2];

	cr_assert(in());
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, greedy, NULL), 0);
	cr_assert(out());
	while (__atomic_load_n(&greedy_rounds, __ATOMIC_RELAXED) < 4)
		usleep(100);
	before = __atomic_load_n(&greedy_rounds, __ATOMIC_RELAXED);
	/*
	 * The other threads must enter in the short moments in which this thread is outside. A busy
	 * machine may delay them, so continue until they have entered often enough.
	 */
	for (; own < STAYS || others < STAYS / 2; own++) {
		cr_assert(in());
		guarded++;
		cr_assert(out());
		others = __atomic_load_n(&greedy_rounds, __ATOMIC_RELAXED) - before;
	}
	/*
	 * The other two threads together enter about twice for each entry of this thread, or more
	 * often if this thread is preempted.
	 */
	cr_assert_leq(others, 6 * own, "%lu stays of others, %lu own ones", others, own);
	__atomic_store_n(&greedy_stop, true, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(guarded, 50 * greedy_rounds + own);
	command_queue_fini(&queue);
}

static struct command_queue second;
static uint32_t inside_both;

static void *
crossing(void *arg)
{
	struct command_queue *own = arg, *other = own == &queue ? &second : &queue;
	pthread_t ran;

	for (unsigned int i = 0; i < CALLS; i++) {
		if (!command_enter(own, false))
			return NULL;
		/* Wait until this thread and the other thread are inside, each in its own queue. */
		__atomic_fetch_add(&inside_both, 1, __ATOMIC_ACQ_REL);
		while (__atomic_load_n(&inside_both, __ATOMIC_ACQUIRE) < 2 * (i + 1))
			sched_yield();
		command_call(other, note_self, &ran);
		if (!command_leave(own, false))
			return NULL;
	}
	return NULL;
}

Test(command, threads_inside_one_queue_each_may_call_the_other_one, .timeout = 60)
{
	pthread_t threads[2];

	cr_assert_eq(command_queue_init(&second, "test_second", SOCKET_ID_ANY), 0);
	cr_assert_eq(pthread_create(&threads[0], NULL, crossing, &queue), 0);
	cr_assert_eq(pthread_create(&threads[1], NULL, crossing, &second), 0);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	cr_assert_eq(inside_both, 2 * CALLS);
	command_queue_fini(&second);
	command_queue_fini(&queue);
}

static void *
many_calls(void *arg)
{
	for (unsigned int i = 0; i < 10 * CALLS; i++) {
		command_call(&queue, add, arg);
		if (i % 4 == 0 && in()) {
			sum += one;
			(void)out();
		}
	}
	return NULL;
}

/* Both calls and threads that entered the queue change sum. Only the queue protects sum. */
Test(command, calls_and_stays_of_many_threads_exclude_each_other, .timeout = 60)
{
	pthread_t threads[4];

	cr_assert(in());
	cr_assert(out());
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, many_calls, &one), 0);
	for (unsigned int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(sum, 4 * (10 * CALLS + 10 * CALLS / 4), "%lu", sum);
	command_queue_fini(&queue);
}

Test(command, call_that_waits_long_is_logged_once)
{
	static const char expected[] =
		"adapter here: a control call has waited for 1 s, because the thread that owns the "
		"engine does not poll it\n";
	char text[256] = "";
	pthread_t thread, ran = 0;
	int ends[2];
	FILE *log;

	cr_assert_eq(pipe(ends), 0);
	log = fdopen(ends[1], "w");
	cr_assert_not_null(log);
	setvbuf(log, NULL, _IOLBF, sizeof(text));
	cr_assert_eq(rte_openlog_stream(log), 0);
	queue.label = "here";
	cr_assert_eq(pthread_create(&thread, NULL, one_caller, &ran), 0);
	cr_assert_eq(read(ends[0], text, sizeof(text) - 1), (ssize_t)strlen(expected));
	cr_assert_str_eq(text, expected);
	cr_assert_eq(command_drain(&queue), 1);
	pthread_join(thread, NULL);
	cr_assert(pthread_equal(ran, owner));
	cr_assert_eq(rte_openlog_stream(stderr), 0);
	fclose(log);
	cr_assert_eq(read(ends[0], text, sizeof(text)), 0);
	close(ends[0]);
	command_queue_fini(&queue);
}
