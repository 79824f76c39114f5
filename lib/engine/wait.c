/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <poll.h>
#include <pthread.h>

#include <rte_atomic.h>
#include <rte_interrupts.h>

#include "engine/control.h"
#include "engine/engine.h"

/** Maximum number of events read from the epoll set at a time. */
#define EVENTS_MAX 4

/** @return whether any thread has caused activity (engine_activity()) since the last call */
static bool
was_busy(struct engine *engine, uint64_t now_ns)
{
	uint64_t now = engine_activity(engine);

	if (engine->sleep.busy_ns != 0 && engine->sleep.busy == now)
		return false;
	engine->sleep.busy = now;
	engine->sleep.busy_ns = now_ns;
	return true;
}

static uint64_t
nap_ns(const struct engine *engine, uint64_t now_ns)
{
	uint64_t nap = (now_ns - engine->sleep.busy_ns) / ENGINE_NAP_PART;

	return RTE_MIN(RTE_MAX(nap, ENGINE_NAP_MIN_NS), ENGINE_NAP_MAX_NS);
}

/** Announce that this thread is about to sleep. @return true: there is work, so do not sleep */
static bool
sleep_begin(struct engine *engine, uint64_t until_ns, uint32_t wakes)
{
	struct command_queue *commands = &engine->commands;
	uint32_t others = commands->sleepers;

	if (others != 0)
		engine_sleepers_tell(engine);
	else
		engine->sleep.seen = engine_activity(engine);
	if (others == 0 || until_ns < engine->sleep.until_ns)
		engine->sleep.until_ns = until_ns;
	__atomic_fetch_add(&commands->sleepers, 1, __ATOMIC_SEQ_CST);
	engine_group_asleep(engine, true);
	/*
	 * Pairs with the barriers of threads that queue work: either such a thread sees this
	 * sleeper, or this thread sees the queued work.
	 */
	rte_smp_mb();
	return !rte_ring_empty(commands->ring) || engine_group_due(engine) ||
		__atomic_load_n(&commands->wakes, __ATOMIC_SEQ_CST) != wakes;
}

static void
sleep_end(struct engine *engine)
{
	struct command_queue *commands = &engine->commands;

	/*
	 * Only the last sleeper clears the eventfd, because the eventfd must stay readable for
	 * sleepers that have not returned from ppoll() yet.
	 */
	if (__atomic_sub_fetch(&commands->sleepers, 1, __ATOMIC_SEQ_CST) != 0)
		return;
	engine_group_asleep(engine, false);
	command_awake(commands);
}

struct wait {
	bool entered; /**< true: a cancelled thread must leave the engine (engine_wait()) */
	/**
	 * Caller's cancellation state, restored during sleeps. Turns run with cancellation
	 * disabled.
	 */
	int cancel_state;
	uint64_t now_ns;
	uint64_t end_ns;
	uint32_t wakes; /**< command_queue.wakes_seen when the call began */
	bool armed;     /**< true: the port's RX interrupt is enabled */
	bool passed;    /**< a deadline has passed */
};

struct sleeper {
	struct engine *engine;
	const struct wait *wait;
	uint32_t depth; /**< return value of command_step_out() */
	/** True: command_queue.sleepers includes this thread, so other threads wake it. */
	bool counted;
};

/** @return false: the caller is no longer the owner */
static bool
sleeper_return(const struct sleeper *sleeper)
{
	struct command_queue *commands = &sleeper->engine->commands;

	if (!command_return(commands, sleeper->depth)) {
		/*
		 * Do not clear the eventfd: it belongs to the new owner, and may have been written
		 * to wake this owner.
		 */
		if (sleeper->counted)
			__atomic_fetch_sub(&commands->sleepers, 1, __ATOMIC_SEQ_CST);
		return false;
	}
	if (sleeper->counted)
		sleep_end(sleeper->engine);
	return true;
}

/**
 * Cleanup handler, called if the thread is cancelled while it sleeps. Enters a shared engine again,
 * as the wait for a condition variable locks its mutex again. Then leaves the engine if only
 * engine_wait() had entered it.
 */
static void
sleeper_cancelled(void *arg)
{
	const struct sleeper *sleeper = arg;

	if (sleeper_return(sleeper) && sleeper->wait->entered)
		(void)!engine_leave(sleeper->engine, false);
}

/**
 * Sleep in ppoll(). Meanwhile the caller is not the owner of the engine. Afterwards EAL reads the
 * interrupt descriptors in the way that their drivers require. Cancellation is disabled for this,
 * because a thread cancelled in EAL would leave the descriptors marked as being read.
 */
static void
events_wait(struct sleeper *sleeper, uint64_t ns)
{
	const struct timespec timeout = {
		.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
	const int epoll_fd = sleeper->engine->sleep.epoll_fd;
	/* A thread that is not counted watches no descriptor: ppoll() ignores a negative fd. */
	struct pollfd pollfd = {.fd = sleeper->counted ? epoll_fd : -1, .events = POLLIN};
	struct rte_epoll_event events[EVENTS_MAX];
	int ready;

	pthread_cleanup_push(sleeper_cancelled, sleeper);
	pthread_setcancelstate(sleeper->wait->cancel_state, NULL);
	ready = ppoll(&pollfd, 1, &timeout, NULL);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cleanup_pop(0);
	if (ready > 0)
		(void)rte_epoll_wait(epoll_fd, events, EVENTS_MAX, 0);
}

/** @return false: the caller is no longer the owner */
static bool
sleep_once(struct engine *engine, const struct wait *wait, uint64_t until_ns)
{
	struct command_queue *commands = &engine->commands;
	struct sleeper sleeper = {.engine = engine, .wait = wait};
	uint64_t ns = until_ns - wait->now_ns;

	/*
	 * The last sleeper that wakes up clears the eventfd. Until then the eventfd is readable, so
	 * this thread cannot sleep on it. Instead, this thread sleeps for ENGINE_NAP_MIN_NS. It
	 * does not spin, because the last sleeper may not run for a long time.
	 */
	sleeper.counted = commands->sleepers == 0 || command_sleeps(commands);
	if (!sleeper.counted)
		ns = RTE_MIN(ns, ENGINE_NAP_MIN_NS);
	else if (sleep_begin(engine, until_ns, wait->wakes)) {
		sleep_end(engine);
		return true;
	}
	sleeper.depth = command_step_out(commands);
	events_wait(&sleeper, ns);
	return sleeper_return(&sleeper);
}

/** Sleep after a turn without work. @return false: the caller is no longer the owner */
static bool
rest(struct engine *engine, struct wait *wait)
{
	struct engine_sleep *sleep = &engine->sleep;
	uint64_t due_ns, until_ns;

	/*
	 * The port interrupts only for frames that arrive after the interrupt was enabled. So run
	 * another turn before sleeping, for frames that have arrived earlier.
	 */
	if (sleep->interrupts && !wait->armed) {
		wait->armed = engine_sleep_interrupt(engine, PORT_INTERRUPT_ENABLE);
		sleep->interrupts = wait->armed;
		if (wait->armed)
			return true;
	}
	due_ns = engine_deadline_ns(engine);
	until_ns = RTE_MIN(due_ns, wait->end_ns);
	/*
	 * due_ns is 0 if packets wait for room in the port. No interrupt reports such room, so only
	 * nap.
	 */
	if (due_ns == 0 || !wait->armed)
		until_ns = RTE_MIN(due_ns == 0 ? wait->end_ns : until_ns,
			wait->now_ns + nap_ns(engine, wait->now_ns));
	if (until_ns > wait->now_ns && !sleep_once(engine, wait, until_ns))
		return false;
	wait->armed = false;
	wait->now_ns = engine_now_ns(engine);
	engine->rested_ns = RTE_MIN(until_ns, wait->now_ns);
	wait->passed = due_ns != 0 && due_ns <= wait->now_ns;
	return true;
}

/** @return whether engine_wake() was called since the last call of was_woken() */
static bool
was_woken(struct command_queue *commands, uint32_t *wakes)
{
	uint32_t now = __atomic_load_n(&commands->wakes, __ATOMIC_SEQ_CST);

	if (now == *wakes)
		return false;
	*wakes = now;
	commands->wakes_seen = now;
	return true;
}

/**
 * Run turns, and sleep between them, until the wait ends. @return result of engine_poll() in the
 * last turn
 */
static unsigned int
wait_for_work(struct engine *engine, struct wait *wait)
{
	/*
	 * True if there are results that the caller has not polled yet and for which no frame will
	 * arrive. Without this check, the thread would sleep although there are results.
	 */
	const bool given = engine->rc.frameless_results != engine->sleep.results;
	unsigned int done;

	engine->sleep.results = engine->rc.frameless_results;
	(void)was_busy(engine, wait->now_ns);
	while ((done = engine_poll(engine)) == 0 && !given && !was_busy(engine, wait->now_ns) &&
		!was_woken(&engine->commands, &wait->wakes) && !wait->passed &&
		wait->now_ns < wait->end_ns) {
		if (!rest(engine, wait))
			return 0;
	}
	if (wait->armed && engine->commands.sleepers == 0)
		(void)engine_sleep_interrupt(engine, PORT_INTERRUPT_DISABLE);
	return done;
}

unsigned int
engine_wait(struct engine *engine, uint64_t timeout_ns, bool entered)
{
	struct wait wait = {
		.entered = entered,
		.now_ns = engine_now_ns(engine),
		.wakes = engine->commands.wakes_seen,
	};
	unsigned int done;

	wait.end_ns = wait.now_ns + RTE_MIN(timeout_ns, UINT64_MAX - wait.now_ns);
	/*
	 * Disable cancellation: port drivers may make system calls in a turn, which can be
	 * cancellation points.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &wait.cancel_state);
	if (!engine->sleep.ready)
		engine_sleep_init(engine);
	done = wait_for_work(engine, &wait);
	pthread_setcancelstate(wait.cancel_state, NULL);
	return done;
}
