/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test each event that must wake a thread that sleeps in nd_engine_wait(). In these tests a sleep
 * has no timeout, even if the engine has deadlines. The port claims to have interrupts but never
 * raises one. Only the event itself ends the sleep, so a lost wake-up fails the test.
 */

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/syscall.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include "engine/engine.h"
#include "engines_net.h"
#include "hold.h"

static struct engines_net net;
static struct engines_link link_1; /* connection between the second engines */
static struct hold_caller caller;

/* ---- sleeping ---- */

static bool endless;    /* atomic; true if sleeps have no timeout */
static uint32_t asleep; /* atomic; number of threads that are in a sleep without timeout */
static uint32_t sleeps; /* atomic; number of sleeps without timeout that began */
static uint32_t slept;  /* atomic; number of threads that began a sleep without timeout */
static _Thread_local bool has_slept;

/** A point in the code at which one thread is held, as if the scheduler had preempted it. */
struct held {
	bool wanted; /* atomic; true to hold the next thread that arrives */
	bool there;  /* atomic; true if a thread is held */
	bool free;   /* atomic; true if the held thread may continue */
};

static struct held held_sleeper; /* holds a woken thread before it takes the engine */
static struct held held_waker;   /* holds a thread that is about to write the eventfd */

static void
held_wait(struct held *held)
{
	if (!__atomic_exchange_n(&held->wanted, false, __ATOMIC_ACQ_REL))
		return;
	__atomic_store_n(&held->there, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&held->free, __ATOMIC_ACQUIRE))
		usleep(1000);
}

static void
held_there(struct held *held)
{
	time_t since = 0;

	while (!__atomic_load_n(&held->there, __ATOMIC_ACQUIRE)) {
		cr_assert(engines_patience(&since), "no thread is held");
		sched_yield();
	}
}

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long
__wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_write)
		held_wait(&held_waker);
	return __real_syscall(number, a, b, c, d, e, f);
}

int __real_ppoll(
	struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *signals);
int __wrap_ppoll(
	struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *signals);

int
__wrap_ppoll(
	struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *signals)
{
	int ready;

	/* A call without a descriptor is the nap of a thread that lets others run. */
	if (!__atomic_load_n(&endless, __ATOMIC_ACQUIRE) || fds->fd < 0)
		return __real_ppoll(fds, count, timeout, signals);
	__atomic_fetch_add(&sleeps, 1, __ATOMIC_ACQ_REL);
	if (!has_slept)
		__atomic_fetch_add(&slept, 1, __ATOMIC_ACQ_REL);
	has_slept = true;
	__atomic_fetch_add(&asleep, 1, __ATOMIC_ACQ_REL);
	ready = __real_ppoll(fds, count, NULL, signals);
	held_wait(&held_sleeper);
	__atomic_fetch_sub(&asleep, 1, __ATOMIC_ACQ_REL);
	return ready;
}

/** State for holding a thread between its last check of the rings and its sleep. */
static struct {
	bool wanted;   /* atomic; true if the hold is enabled */
	bool armed[2]; /* per engine, true if the thread sleeps unless this turn finds work */
	bool open;     /* atomic; true if the thread has checked its rings and waits for the test */
	bool done;     /* atomic; true if the thread may continue */
} gap;

static bool
interrupt(void *arg, enum port_interrupt what, int epoll_fd)
{
	const struct queue *queue = arg;

	(void)epoll_fd;
	if (queue->side == 1 && what == PORT_INTERRUPT_ENABLE)
		gap.armed[queue->index] = true;
	return true;
}

static void
before_receive(struct queue *queue)
{
	bool armed = queue->side == 1 && gap.armed[queue->index];

	if (queue->side == 1)
		gap.armed[queue->index] = false;
	if (!armed || !__atomic_exchange_n(&gap.wanted, false, __ATOMIC_ACQ_REL))
		return;
	__atomic_store_n(&gap.open, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&gap.done, __ATOMIC_ACQUIRE))
		sched_yield();
	/* A real driver may make a system call here, which is a cancellation point as well. */
	pthread_testcancel();
}

static void
sleep_turn(struct nd_engine *engine, void *arg)
{
	(void)arg;
	(void)nd_engine_wait(engine, UINT64_MAX);
}

/** Open the adapters, with a thread for one engine of side 1. The test polls the other engines. */
static void
open_with(unsigned int index, unsigned int offset)
{
	engines_open_as(&net,
		&(struct engines_config){.count = 2,
			.offset = offset,
			.interrupt = interrupt,
			.before_receive = before_receive});
	engines_run_one(&net, 1, index);
	engines_connect(&net, &link_1, 1, 1);
}

static void
close_net(void)
{
	__atomic_store_n(&gap.done, true, __ATOMIC_RELEASE);
	__atomic_store_n(&held_sleeper.free, true, __ATOMIC_RELEASE);
	__atomic_store_n(&held_waker.free, true, __ATOMIC_RELEASE);
	__atomic_store_n(&endless, false, __ATOMIC_RELEASE);
	/* Wake the threads, because a sleep without timeout ends only by a wake-up. */
	for (unsigned int i = 0; i < net.config.count; i++)
		nd_engine_wake(engines_engine(&net, 1, i));
	if (caller.started)
		(void)hold_caller_end(&caller, &net);
	engines_close(&net);
}

TestSuite(sleepers, .fini = close_net, .timeout = 120);

static uint32_t
turns_of(unsigned int index)
{
	return __atomic_load_n(&net.workers[1][index].turns, __ATOMIC_ACQUIRE);
}

/** Let the thread of the engine sleep, and wait until it sleeps. @return number of its turns */
static uint32_t
fall_asleep(unsigned int index)
{
	time_t since = 0;

	__atomic_store_n(&endless, true, __ATOMIC_RELEASE);
	engines_give(&net, 1, index, sleep_turn, NULL);
	while (__atomic_load_n(&asleep, __ATOMIC_ACQUIRE) == 0) {
		cr_assert(engines_patience(&since), "the thread does not sleep");
		sched_yield();
	}
	return turns_of(index);
}

/** Poll these engines until the thread has returned from its sleep. */
static void
wakes_up(unsigned int index, uint32_t turns, struct nd_engine *const *polled, unsigned int count)
{
	time_t since = 0;

	while (turns_of(index) == turns) {
		cr_assert(engines_patience(&since), "the thread was not woken");
		for (unsigned int i = 0; i < count; i++)
			nd_engine_poll(polled[i]);
		sched_yield();
	}
}

/* ---- frames ---- */

static struct nd_result written;

/**
 * Let the peer write to the second engine. With an offset of 1, the packets arrive on the queue of
 * the first engine, which hands them over.
 */
static void
peer_writes(void)
{
	struct nd_sge from = {net.memory[0], ENGINES_PMTU, net.mrs[0]};
	struct nd_buffer to = {net.memory[1], ENGINES_PMTU};
	struct nd_mw_descriptor key = {.base = rte_cpu_to_be_64((uintptr_t)net.memory[1]),
		.length = rte_cpu_to_be_64(ENGINES_PMTU)};
	struct nd_mr *mr;
	uint32_t token;

	cr_assert_eq(nd_adapter_register_region(net.adapters[1], &to, 1, NULL,
			     ND_MR_FLAG_ALLOW_REMOTE_WRITE, NULL, &mr),
		ND_SUCCESS);
	cr_assert_eq(nd_mr_get_remote_token(net.adapters[1], mr, &token), ND_SUCCESS);
	key.token = token;
	cr_assert_eq(
		nd_endpoint_write(link_1.endpoints[0], &written, &from, 1, &key, 0, 0), ND_SUCCESS);
}

/* The peer is not polled, because its retransmission would be a second event. */
Test(sleepers, frame_that_is_handed_over_wakes)
{
	struct nd_engine *first;
	uint32_t turns;

	open_with(1, 1);
	first = engines_engine(&net, 1, 0);
	turns = fall_asleep(1);
	peer_writes();
	wakes_up(1, turns, &first, 1);
}

/** Wait until the thread is between its last check of the rings and its sleep. */
static void
gap_wait(void)
{
	time_t since = 0;

	while (!__atomic_load_n(&gap.open, __ATOMIC_ACQUIRE)) {
		cr_assert(engines_patience(&since), "the thread does not go to sleep");
		sched_yield();
	}
}

static uint32_t
fall_asleep_with_gap(unsigned int index)
{
	__atomic_store_n(&endless, true, __ATOMIC_RELEASE);
	__atomic_store_n(&gap.wanted, true, __ATOMIC_RELEASE);
	engines_give(&net, 1, index, sleep_turn, NULL);
	gap_wait();
	return turns_of(index);
}

Test(sleepers, frame_that_is_handed_over_before_the_sleep_ends_it)
{
	struct nd_engine *first;
	uint32_t turns;

	open_with(1, 1);
	first = engines_engine(&net, 1, 0);
	turns = fall_asleep_with_gap(1);
	peer_writes();
	nd_engine_poll(first);
	cr_assert_gt(rte_ring_count(net.adapters[1]->group->frames[0][1]), 0);
	__atomic_store_n(&gap.done, true, __ATOMIC_RELEASE);
	wakes_up(1, turns, NULL, 0);
}

/* ---- orders and notes: messages between engines ---- */

/* The peer disconnects. The first engine sends an order to the endpoint's engine and wakes it. */
Test(sleepers, order_of_the_first_engine_wakes)
{
	struct nd_engine *polled[3];
	struct nd_overlapped disconnect = {0};
	uint32_t turns;

	open_with(1, 0);
	for (unsigned int i = 0; i < 3; i++)
		polled[i] = engines_engine(&net, i / 2, i % 2);
	turns = fall_asleep(1);
	cr_assert_eq(nd_connector_disconnect(link_1.connectors[0], &disconnect), ND_PENDING);
	wakes_up(1, turns, polled, 3);
	__atomic_store_n(&endless, false, __ATOMIC_RELEASE);
	cr_assert_eq(engines_wait(&net, ND_PENDING, &disconnect), ND_SUCCESS);
}

/* A request fails. The endpoint's engine sends a note to the first engine and wakes it. */
Test(sleepers, note_to_the_first_engine_wakes)
{
	static struct nd_result closed;
	struct nd_result invalidated;
	struct nd_engine *second;
	uint32_t turns;
	struct nd_mw *mw;

	open_with(0, 0);
	second = engines_engine(&net, 1, 1);
	cr_assert_eq(nd_adapter_create_memory_window(net.adapters[1], &closed, &mw), ND_SUCCESS);
	turns = fall_asleep(0);
	/* The invalidate fails, because the window is not bound. */
	cr_assert_eq(nd_endpoint_invalidate(link_1.endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	wakes_up(0, turns, &second, 1);
}

/* ---- other threads ---- */

static nd_status
queue_create(void *arg)
{
	struct nd_cq *cq;

	return nd_engine_create_completion_queue(arg, 8, &cq);
}

static void
control_call_wakes(unsigned int index)
{
	open_with(index, 0);
	(void)fall_asleep(index);
	hold_caller_start(&caller, queue_create, engines_engine(&net, 1, index));
	cr_assert_eq(hold_caller_end(&caller, &net), ND_SUCCESS);
}

Test(sleepers, control_call_wakes_the_first_engine)
{
	control_call_wakes(0);
}

Test(sleepers, control_call_wakes_another_engine)
{
	control_call_wakes(1);
}

Test(sleepers, control_call_before_the_sleep_ends_it)
{
	struct command_queue *commands;
	time_t since = 0;

	open_with(1, 0);
	commands = &net.adapters[1]->engines[1].engine->commands;
	(void)fall_asleep_with_gap(1);
	hold_caller_start(&caller, queue_create, engines_engine(&net, 1, 1));
	while (rte_ring_empty(commands->ring)) {
		cr_assert(engines_patience(&since), "the call is not in the ring");
		sched_yield();
	}
	__atomic_store_n(&gap.done, true, __ATOMIC_RELEASE);
	cr_assert_eq(hold_caller_end(&caller, &net), ND_SUCCESS);
}

Test(sleepers, wake_ends_a_sleep)
{
	for (unsigned int index = 0; index < 2; index++) {
		uint32_t turns;

		open_with(index, 0);
		turns = fall_asleep(index);
		nd_engine_wake(engines_engine(&net, 1, index));
		wakes_up(index, turns, NULL, 0);
		if (index == 0)
			close_net();
	}
}

/* ---- several threads, and cancellation ---- */

static bool quit; /* atomic; true if the sleeping threads shall end */
static nd_status leaves;

static struct nd_engine *
shared_engine(void)
{
	return engines_engine(&net, 1, 0);
}

/** Open two adapters. Several threads may share the first engine of side 1, which has no work. */
static void
open_shared(unsigned int count)
{
	engines_open_as(&net,
		&(struct engines_config){
			.count = count, .interrupt = interrupt, .before_receive = before_receive});
	cr_assert_eq(nd_engine_enter(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(shared_engine()), ND_SUCCESS);
	__atomic_store_n(&endless, true, __ATOMIC_RELEASE);
}

static void
slept_wait(uint32_t count)
{
	time_t since = 0;

	while (__atomic_load_n(&slept, __ATOMIC_ACQUIRE) != count) {
		cr_assert(engines_patience(&since), "%u threads do not sleep", count);
		sched_yield();
	}
}

/** Wait until no more sleeps begin. A thread that spins begins new sleeps all the time. */
static void
rest_wait(void)
{
	time_t since = 0;
	uint32_t before;

	do {
		cr_assert(engines_patience(&since), "a thread spins");
		before = __atomic_load_n(&sleeps, __ATOMIC_ACQUIRE);
		usleep(50000);
	} while (__atomic_load_n(&sleeps, __ATOMIC_ACQUIRE) != before);
}

static void *
sleep_in_turn(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&quit, __ATOMIC_ACQUIRE))
		(void)nd_engine_wait(shared_engine(), UINT64_MAX);
	return NULL;
}

static void
threads_quit(const pthread_t *threads, unsigned int count)
{
	__atomic_store_n(&quit, true, __ATOMIC_RELEASE);
	nd_engine_wake(shared_engine());
	for (unsigned int i = 0; i < count; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
}

static void
leave(void *arg)
{
	leaves = nd_engine_leave(arg);
}

static void *
sleep_inside(void *arg)
{
	(void)arg;
	(void)nd_engine_enter(shared_engine());
	pthread_cleanup_push(leave, shared_engine());
	(void)sleep_in_turn(NULL);
	pthread_cleanup_pop(1);
	return NULL;
}

static void
cancel(pthread_t thread)
{
	void *result = NULL;

	cr_assert_eq(pthread_cancel(thread), 0);
	cr_assert_eq(pthread_join(thread, &result), 0);
	cr_assert_eq(result, PTHREAD_CANCELED);
}

/* The last of several woken threads clears the eventfd, even if the first one sleeps again. */
static void
expect_all_sleep_again(unsigned int engines)
{
	pthread_t threads[3];

	open_shared(engines);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sleep_in_turn, NULL), 0);
	slept_wait(3);
	for (unsigned int i = 0; i < 5; i++) {
		nd_engine_wake(shared_engine());
		rest_wait();
	}
	threads_quit(threads, 3);
}

Test(sleepers, woken_threads_all_sleep_again)
{
	expect_all_sleep_again(1);
}

Test(sleepers, woken_threads_all_sleep_again_on_one_of_two_engines)
{
	expect_all_sleep_again(2);
}

static uint64_t
cpu_ns(pthread_t thread)
{
	struct timespec used;
	clockid_t clock;

	cr_assert_eq(pthread_getcpuclockid(thread, &clock), 0);
	cr_assert_eq(clock_gettime(clock, &used), 0);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/*
 * A thread was woken but does not run. Meanwhile the other thread takes turns. The other thread
 * naps between the turns so that the woken thread can get the processor.
 */
Test(sleepers, woken_thread_that_does_not_run_leaves_the_other_one_at_work)
{
	pthread_t threads[2];
	uint64_t used[2];
	struct nd_cq *cq;

	open_shared(1);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sleep_in_turn, NULL), 0);
	slept_wait(2);
	__atomic_store_n(&held_sleeper.wanted, true, __ATOMIC_RELEASE);
	nd_engine_wake(shared_engine());
	held_there(&held_sleeper);
	for (unsigned int i = 0; i < 2; i++)
		used[i] = cpu_ns(threads[i]);
	usleep(500000);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_lt(cpu_ns(threads[i]) - used[i], 250000000, "a thread spins");
	cr_assert_eq(nd_engine_create_completion_queue(shared_engine(), 8, &cq), ND_SUCCESS);
	__atomic_store_n(&held_sleeper.free, true, __ATOMIC_RELEASE);
	rest_wait();
	threads_quit(threads, 2);
}

static void *
wake(void *arg)
{
	nd_engine_wake(arg);
	return NULL;
}

Test(sleepers, waker_that_does_not_run_does_not_keep_the_others_from_waking)
{
	pthread_t sleeping, waking;

	open_shared(1);
	cr_assert_eq(pthread_create(&sleeping, NULL, sleep_in_turn, NULL), 0);
	slept_wait(1);
	__atomic_store_n(&held_waker.wanted, true, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_create(&waking, NULL, wake, shared_engine()), 0);
	held_there(&held_waker);
	threads_quit(&sleeping, 1);
	__atomic_store_n(&held_waker.free, true, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_join(waking, NULL), 0);
}

static void *
sleep_once(void *arg)
{
	(void)arg;
	while (!has_slept)
		(void)nd_engine_wait(shared_engine(), UINT64_MAX);
	return NULL;
}

/*
 * When an engine is handed over, its threads wake. If the engine is shared again, its threads sleep
 * again.
 */
Test(sleepers, hand_over_ends_sleeps)
{
	struct engine *engine;
	pthread_t threads[2];

	open_shared(1);
	engine = net.adapters[1]->engines[0].engine;
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sleep_once, NULL), 0);
	slept_wait(2);
	cr_assert(engine_hand_over(engine));
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
	engine_own(engine);
	cr_assert_eq(nd_engine_enter(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(shared_engine()), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sleep_in_turn, NULL), 0);
	slept_wait(4);
	rest_wait();
	threads_quit(threads, 2);
}

Test(sleepers, cancelled_thread_leaves_the_others_asleep)
{
	pthread_t threads[2];
	time_t since = 0;
	uint32_t before;
	struct nd_cq *cq;

	open_shared(1);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sleep_in_turn, NULL), 0);
	slept_wait(2);
	before = __atomic_load_n(&sleeps, __ATOMIC_ACQUIRE);
	cancel(threads[0]);
	rest_wait();
	nd_engine_wake(shared_engine());
	while (__atomic_load_n(&sleeps, __ATOMIC_ACQUIRE) == before) {
		cr_assert(engines_patience(&since), "the other thread was not woken");
		sched_yield();
	}
	rest_wait();
	cr_assert_eq(nd_engine_create_completion_queue(shared_engine(), 8, &cq), ND_SUCCESS);
	threads_quit(&threads[1], 1);
	cr_assert_eq(nd_engine_try_enter(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(shared_engine()), ND_SUCCESS);
}

Test(sleepers, cancelled_thread_is_inside_in_its_handlers)
{
	pthread_t thread;

	open_shared(1);
	leaves = ND_PENDING;
	cr_assert_eq(pthread_create(&thread, NULL, sleep_inside, NULL), 0);
	slept_wait(1);
	cancel(thread);
	cr_assert_eq(leaves, ND_SUCCESS);
	cr_assert_eq(nd_engine_try_enter(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(shared_engine()), ND_SUCCESS);
}

Test(sleepers, thread_is_not_cancelled_in_a_turn)
{
	pthread_t thread;
	struct nd_cq *cq;

	open_shared(1);
	__atomic_store_n(&gap.wanted, true, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_create(&thread, NULL, sleep_in_turn, NULL), 0);
	gap_wait();
	cr_assert_eq(pthread_cancel(thread), 0);
	__atomic_store_n(&gap.done, true, __ATOMIC_RELEASE);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_assert_eq(nd_engine_try_enter(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(shared_engine()), ND_SUCCESS);
	cr_assert_eq(nd_engine_create_completion_queue(shared_engine(), 8, &cq), ND_SUCCESS);
}

/* number of calls that returned although a cancellation was pending */
static unsigned int returned;

static void *
call_with_cancel_pending(void *arg)
{
	struct nd_cq *cq;

	(void)arg;
	pthread_cancel(pthread_self());
	nd_engine_wake(shared_engine());
	returned++;
	/* Queue a command, which writes the eventfd of the sleeping thread. Then take a turn. */
	(void)nd_engine_create_completion_queue(shared_engine(), 8, &cq);
	returned++;
	(void)nd_engine_enter(shared_engine());
	(void)nd_engine_poll(shared_engine());
	(void)nd_engine_leave(shared_engine());
	returned++;
	pthread_testcancel();
	return NULL;
}

/* Calls that wake a sleeping thread write its eventfd. Such a call is not a cancellation point. */
Test(sleepers, other_calls_are_not_cancelled)
{
	pthread_t sleeping, calling;
	void *result = NULL;

	open_shared(1);
	cr_assert_eq(pthread_create(&sleeping, NULL, sleep_in_turn, NULL), 0);
	slept_wait(1);
	cr_assert_eq(pthread_create(&calling, NULL, call_with_cancel_pending, NULL), 0);
	cr_assert_eq(pthread_join(calling, &result), 0);
	cr_assert_eq(result, PTHREAD_CANCELED);
	cr_assert_eq(returned, 3, "cancelled in a call");
	threads_quit(&sleeping, 1);
}
