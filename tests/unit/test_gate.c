/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/gate.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include <criterion/criterion.h>

#include <rte_pause.h>

static struct gate gate, other_gate;

/* number of next membarrier(2) calls that must fail with ENOMEM */
static unsigned int failures;
static unsigned int barriers;

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long
__wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long result;

	if (number != SYS_membarrier)
		return __real_syscall(number, a, b, c, d, e, f);
	if (failures != 0) {
		failures--;
		errno = ENOMEM;
		return -1;
	}
	result = __real_syscall(number, a, b, c, d, e, f);
	barriers += result == 0;
	return result;
}

static void
setup(void)
{
	if (!gates_init())
		cr_skip_test("no membarrier(2): an old kernel, or a filter of system calls");
}

TestSuite(gate, .init = setup);

static bool
nothing_meanwhile(void)
{
	return false;
}

static void
stay(struct gate *one)
{
	if (!gate_try(one))
		gate_wait(one, nothing_meanwhile);
	gate_leave(one);
}

static void
stays(struct gate *one, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		stay(one);
}

static bool
in_thread(void *(*fn)(void *))
{
	pthread_t thread;
	void *result;

	cr_assert_eq(pthread_create(&thread, NULL, fn, NULL), 0);
	pthread_join(thread, &result);
	return result != NULL;
}

static void *
try_and_leave(void *arg)
{
	(void)arg;
	if (!gate_try(&gate))
		return NULL;
	gate_leave(&gate);
	return &gate;
}

Test(gate, is_biased_after_enough_stays_of_one_thread_only)
{
	stays(&gate, GATE_BIAS_STAYS - 1);
	cr_assert_null(gate.guest);
	cr_assert_eq(gate.held, 0);
	cr_assert(in_thread(try_and_leave));
	stays(&gate, GATE_BIAS_STAYS - 1);
	cr_assert_null(gate.guest);
	stay(&gate);
	cr_assert_not_null(gate.guest);
	cr_assert_eq(gate.held, 1, "it is left to the thread");
}

Test(gate, biased_one_is_free_for_others_while_its_guest_is_outside)
{
	stays(&gate, GATE_BIAS_STAYS + 10);
	cr_assert(in_thread(try_and_leave));
	cr_assert_null(gate.guest);
	cr_assert_eq(gate.held, 0);
	cr_assert(gate_try(&gate));
	cr_assert_eq(gate.held, 1);
	gate_leave(&gate);
	cr_assert_eq(gate.held, 0);
}

Test(gate, biased_one_is_not_free_while_its_guest_is_inside)
{
	stays(&gate, GATE_BIAS_STAYS);
	cr_assert(gate_try(&gate));
	cr_assert_not(in_thread(try_and_leave));
	cr_assert_null(gate.guest);
	cr_assert_eq(gate.held, 1, "the guest is inside");
	cr_assert_not(in_thread(try_and_leave));
	gate_leave(&gate);
	cr_assert_eq(gate.held, 0);
	cr_assert(in_thread(try_and_leave));
}

/*
 * The guest is the thread that may enter without the lock (the gate is biased to it). If
 * membarrier(2) fails, other threads may not see that the guest is inside. Therefore no thread
 * enters until membarrier(2) succeeds.
 */
Test(gate, bias_is_revoked_when_the_kernel_has_memory_again)
{
	stays(&gate, GATE_BIAS_STAYS);
	barriers = 0;
	failures = 5;
	cr_assert(in_thread(try_and_leave));
	cr_assert_eq(failures, 0);
	cr_assert_eq(barriers, 1);
	cr_assert_null(gate.guest);
	stays(&gate, 4 * GATE_BIAS_STAYS);
	cr_assert_null(gate.guest);
}

/** Fail unless the gate is biased again after exactly count stays (times a thread was inside). */
static void
needs(uint32_t count)
{
	cr_assert(in_thread(try_and_leave));
	stays(&gate, count - 1);
	cr_assert_null(gate.guest);
	stay(&gate);
	cr_assert_not_null(gate.guest);
}

Test(gate, bias_that_was_used_little_doubles_the_stays_of_the_next_one)
{
	needs(GATE_BIAS_STAYS);
	for (uint32_t doubles = 1; doubles <= GATE_BIAS_DOUBLES; doubles++) {
		stays(&gate, GATE_BIAS_PAID - 1);
		needs(GATE_BIAS_STAYS << doubles);
	}
	needs(GATE_BIAS_STAYS << GATE_BIAS_DOUBLES);
	stays(&gate, GATE_BIAS_PAID);
	needs(GATE_BIAS_STAYS);
}

Test(gate, thread_is_inside_one_gate_by_its_bias_and_inside_others_without)
{
	stays(&gate, GATE_BIAS_STAYS);
	stays(&other_gate, GATE_BIAS_STAYS);
	cr_assert_not_null(gate.guest);
	cr_assert_eq(other_gate.guest, gate.guest);
	cr_assert(gate_try(&gate));
	cr_assert(gate_is_inside_by_bias(&gate));
	cr_assert(gate_try(&other_gate));
	cr_assert_null(other_gate.guest);
	cr_assert_not(gate_is_inside_by_bias(&other_gate));
	gate_leave(&other_gate);
	cr_assert_eq(other_gate.held, 0);
	gate_leave(&gate);
	cr_assert(gate_again(&gate));
	gate_leave(&gate);
}

Test(gate, bias_that_comes_while_a_thread_is_hungry_is_not_given)
{
	stays(&gate, GATE_BIAS_STAYS - 1);
	cr_assert(gate_try(&gate) || gate.guest != NULL);
	gate_revoke(&gate);
	gate_leave(&gate);
	gate.hungry++;
	gate_bias(&gate);
	cr_assert_null(gate.guest);
}

/* ---- many threads ---- */

#define THREADS 3
#define STAYS   200000
/**
 * Number of stays that a thread has alone. The gate is biased only if one thread enters alone for
 * some time.
 */
#define ALONE   512

static uint64_t count; /* number of stays (times that a thread was inside), protected by the gate */
static uint64_t biases;
static uint32_t inside_now;
/* pthread_self() of the thread that runs alone; 0: all threads run; atomic */
static uint64_t alone;

static void
work(uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		if (!gate_try(&gate))
			gate_wait(&gate, nothing_meanwhile);
		cr_assert_eq(__atomic_fetch_add(&inside_now, 1, __ATOMIC_RELAXED), 0);
		count++;
		biases += gate_is_inside_by_bias(&gate) ? 1 : 0;
		if (!gate_is_inside_by_bias(&gate))
			gate_bias(&gate);
		__atomic_fetch_sub(&inside_now, 1, __ATOMIC_RELAXED);
		gate_leave(&gate);
	}
}

/**
 * Let this thread enter alone. Threads that already wait enter first, and then stay outside.
 * @return number of rounds; 0: another thread runs alone
 */
static uint32_t
work_alone(void)
{
	uint64_t nobody = 0;

	if (!__atomic_compare_exchange_n(&alone, &nobody, (uint64_t)pthread_self(), false,
		    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return 0;
	work(ALONE);
	__atomic_store_n(&alone, 0, __ATOMIC_SEQ_CST);
	return ALONE;
}

static void *
come_and_go(void *arg)
{
	uint32_t rounds = 0;

	while (rounds < STAYS) {
		uint32_t some = 1 + (rounds * 2654435761u >> 26);

		while (__atomic_load_n(&alone, __ATOMIC_SEQ_CST) != 0)
			sched_yield();
		if (some == 1)
			rounds += work_alone();
		work(some);
		rounds += some;
		for (uint32_t i = some; i < 64; i++)
			rte_pause();
	}
	__atomic_fetch_add((uint64_t *)arg, rounds, __ATOMIC_RELAXED);
	return NULL;
}

Test(gate, threads_are_inside_one_at_a_time_while_biases_come_and_go, .timeout = 120)
{
	pthread_t threads[THREADS];
	uint64_t wanted = 0;

	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, come_and_go, &wanted), 0);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(count, wanted, "%lu stays, %lu counted", wanted, count);
	cr_assert_gt(biases, 0, "no stay was by a bias: the test has tested nothing");
}

static bool guest_gone;

static void *
wait_in_line(void *arg)
{
	stay(arg);
	cr_assert(__atomic_load_n(&guest_gone, __ATOMIC_ACQUIRE), "in before the guest was out");
	return arg;
}

Test(gate, hungry_thread_gets_the_lock_when_the_guest_leaves)
{
	pthread_t thread;

	stays(&gate, GATE_BIAS_STAYS);
	cr_assert(gate_try(&gate));
	cr_assert_eq(pthread_create(&thread, NULL, wait_in_line, &gate), 0);
	while (!gate_is_wanted(&gate))
		sched_yield();
	__atomic_store_n(&guest_gone, true, __ATOMIC_RELEASE);
	gate_leave(&gate);
	pthread_join(thread, NULL);
	cr_assert_eq(gate.held, 0);
}

/*
 * A signal can stop the guest (the thread to which the gate is biased) between any two
 * instructions. While the guest is stopped, the thread that sent the signal tries to take the lock.
 */

#define STOPS      3000
/** Maximum number of times that stopped() checks go_ons, about 20 ms on an idle machine. */
#define STOP_LOOKS 500000

static pthread_t guest_thread;
/* number of signals that stopped the guest; atomic */
static uint32_t stops;
static uint32_t go_ons; /* number of signals after which the guest may continue; atomic */
static uint32_t over;
static uint32_t other_in;
static uint32_t clashes;
static uint32_t rounds; /* rounds of the guest */

/** Wait a moment for the other thread, which may need the processor of this thread. */
static void
wait_a_little(uint32_t *looks)
{
	if (++*looks % 1000 == 0)
		sched_yield();
	else
		rte_pause();
}

/**
 * Signal handler: stop the guest until it may continue. A guest that is stopped inside gate_bias()
 * may hold the mutex of all gates. If the other thread waits for this mutex, the other thread
 * cannot let the guest continue, so the wait has a limit.
 */
static void
stopped(int number)
{
	uint32_t stop = __atomic_add_fetch(&stops, 1, __ATOMIC_SEQ_CST), looks = 0;

	(void)number;
	while (__atomic_load_n(&go_ons, __ATOMIC_SEQ_CST) < stop && looks < STOP_LOOKS)
		wait_a_little(&looks);
}

static void *
guest_run(void *arg)
{
	while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST)) {
		if (!gate_try(&gate))
			gate_wait(&gate, nothing_meanwhile);
		clashes += __atomic_load_n(&other_in, __ATOMIC_SEQ_CST);
		if (!gate_is_inside_by_bias(&gate))
			gate_bias(&gate);
		gate_leave(&gate);
		/* gate_again() enters by the bias, unless a signal has revoked the bias. */
		biases += gate_again(&gate) ? (gate_leave(&gate), 1) : 0;
		__atomic_add_fetch(&rounds, 1, __ATOMIC_SEQ_CST);
	}
	return arg;
}

static bool
let_go_on(void)
{
	__atomic_store_n(&go_ons, __atomic_load_n(&stops, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
	return false;
}

static void
be_inside(void)
{
	__atomic_store_n(&other_in, 1, __ATOMIC_SEQ_CST);
	let_go_on();
	for (unsigned int i = 0; i < 50; i++)
		rte_pause();
	__atomic_store_n(&other_in, 0, __ATOMIC_SEQ_CST);
	gate_leave(&gate);
}

static void
let_run(void)
{
	uint32_t before, looks = 0;

	let_go_on();
	before = __atomic_load_n(&rounds, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&rounds, __ATOMIC_SEQ_CST) == before)
		wait_a_little(&looks);
}

Test(gate, guest_may_be_stopped_anywhere, .timeout = 170)
{
	const struct sigaction action = {.sa_handler = stopped, .sa_flags = SA_RESTART};
	uint32_t got = 0, looks = 0;

	cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
	cr_assert_eq(pthread_create(&guest_thread, NULL, guest_run, NULL), 0);
	for (uint32_t stop = 1; stop <= STOPS; stop++) {
		cr_assert_eq(pthread_kill(guest_thread, SIGUSR1), 0);
		while (__atomic_load_n(&stops, __ATOMIC_SEQ_CST) < stop)
			wait_a_little(&looks);
		if (gate_try(&gate)) {
			got++;
			be_inside();
		} else if (stop % 2 == 0) {
			/* The guest may continue as soon as this thread waits for the lock. */
			gate_wait(&gate, let_go_on);
			be_inside();
		}
		let_run();
	}
	__atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
	pthread_join(guest_thread, NULL);
	cr_assert_eq(clashes, 0);
	cr_assert_gt(biases, 0);
	cr_assert_gt(got, 0, "it was never stopped outside");
	cr_assert_lt(got, STOPS, "it was never stopped inside");
}
