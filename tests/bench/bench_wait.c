/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of entering and leaving a shared engine without contention, as a multiple of the cost of a
 * recursive mutex. Also the processor time, in us per second, of a process that waits in
 * nd_engine_wait() with an idle connection, on ports without interrupts.
 */

#include <pthread.h>
#include <time.h>

#include <sys/resource.h>

#include "bench.h"
#include "loop_pair.h"

#define IDLE_NS UINT64_C(3000000000)

static struct loop_pair pair;
static pthread_mutex_t mutex;

static void
run_mutex(void *arg, uint32_t iterations)
{
	(void)arg;
	for (uint32_t i = 0; i < iterations; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void
run_enter(void *arg, uint32_t iterations)
{
	(void)arg;
	for (uint32_t i = 0; i < iterations; i++) {
		(void)nd_engine_enter(pair.side[0].engine);
		(void)nd_engine_leave(pair.side[0].engine);
	}
}

static double
clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/** @return processor time that this process has used since its start, in us */
static double
used_us(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/** @return processor time of a thread that waits for one idle engine, in us per second */
static double
idle_us(struct nd_engine *engine)
{
	double start_ns = clock_ns(), start_us = used_us(), now_ns;

	do {
		(void)nd_engine_wait(engine, IDLE_NS);
		now_ns = clock_ns();
	} while (now_ns < start_ns + (double)IDLE_NS);
	return (used_us() - start_us) / ((now_ns - start_ns) / 1e9);
}

int
main(int argc, char **argv)
{
	static const struct bench_row rows[] = {
		{.name = "mutex", .floor = "mutex", .run = run_mutex},
		{.name = "enter", .floor = "mutex", .run = run_enter},
	};
	pthread_mutexattr_t attr;
	struct bench bench;

	bench_start(
		&bench, &(struct bench_defaults){.rounds = 101, .iterations = 10000}, argc, argv);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attr);
	pair.repeatable = bench.repeatable;
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	BENCH_REQUIRE(nd_engine_enter(pair.side[0].engine) == ND_SUCCESS);
	BENCH_REQUIRE(nd_engine_leave(pair.side[0].engine) == ND_SUCCESS);
	bench_run(&bench, rows, sizeof(rows) / sizeof(rows[0]));
	if (!bench.repeatable)
		bench_value(&bench, "idle_nap", "us/s", idle_us(pair.side[0].engine));
	return 0;
}
