/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_TOGETHER_H
#define NDPDK_SUPPORT_TOGETHER_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * Two threads that repeatedly make a call at the same time. Thread 0 runs the test; thread 1 is
 * created by together_begin(). The linker wraps a function that the library calls in the middle of
 * the call, and the wrapper calls together_meet(). In together_meet(), each thread waits for the
 * other thread, so the two calls overlap in each round. If the library blocks one call before
 * together_meet(), the other call waits for TOGETHER_MEET_NS.
 */

#define TOGETHER_MEET_NS UINT64_C(2000000)

struct together {
	pthread_t thread;
	void (*call)(unsigned int number, void *arg);
	void *arg;
	unsigned int round; /**< number of the current round, which thread 0 began; atomic */
	unsigned int over;  /**< number of the last round that thread 1 has finished; atomic */
	/** number of threads that called together_meet() in this round; atomic */
	unsigned int met;
	bool stop; /**< true if thread 1 must end; atomic */
};

static inline uint64_t
together_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** The first two calls in a round wait for each other. All later calls return at once. */
static inline void
together_meet(struct together *together)
{
	uint64_t end_ns = together_now_ns() + TOGETHER_MEET_NS;

	(void)__atomic_add_fetch(&together->met, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&together->met, __ATOMIC_ACQUIRE) < 2 && together_now_ns() < end_ns)
		sched_yield();
}

static inline void *
together_main(void *arg)
{
	struct together *together = arg;

	for (unsigned int round = 1;; round++) {
		while (__atomic_load_n(&together->round, __ATOMIC_ACQUIRE) != round)
			sched_yield();
		if (__atomic_load_n(&together->stop, __ATOMIC_ACQUIRE))
			return NULL;
		together->call(1, together->arg);
		__atomic_store_n(&together->over, round, __ATOMIC_RELEASE);
	}
}

/** @return false if the thread could not be created */
static inline bool
together_begin(struct together *together, void (*call)(unsigned int number, void *arg), void *arg)
{
	*together = (struct together){.call = call, .arg = arg, .met = 2};
	return pthread_create(&together->thread, NULL, together_main, together) == 0;
}

/** Let both threads make the call. Returns after both calls have returned. */
static inline void
together_run(struct together *together)
{
	unsigned int round = together->round + 1;

	__atomic_store_n(&together->met, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&together->round, round, __ATOMIC_RELEASE);
	together->call(0, together->arg);
	while (__atomic_load_n(&together->over, __ATOMIC_ACQUIRE) != round)
		sched_yield();
	/* With this value, together_meet() does not wait, because no round is running. */
	__atomic_store_n(&together->met, 2, __ATOMIC_RELAXED);
}

static inline void
together_end(struct together *together)
{
	if (together->call == NULL)
		return;
	__atomic_store_n(&together->stop, true, __ATOMIC_RELEASE);
	__atomic_store_n(&together->round, together->round + 1, __ATOMIC_RELEASE);
	pthread_join(together->thread, NULL);
}

#endif
