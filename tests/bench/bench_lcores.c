/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Two lcores at once: what an operation costs when another lcore does the same, compared with one
 * lcore alone. Each lcore has a pair of adapters of its own, with their rings, buffers and memory:
 * the two share nothing but what the machine shares, caches and memory bandwidth, and what the
 * library may share by mistake.
 *
 *   alone_N     one lcore works, the other one sleeps
 *   together_N  both work; each goes on until both have done their operations
 *
 * A cost is processor time of the thread, so that others who use the machine are not in it. The
 * floor is that of loop_frames.h on the same lcores, alone or together. scaling_N is the throughput
 * of both in throughputs of one: 2 means that neither notices the other.
 *
 * With one processor there is nothing to measure, and no row.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "bench.h"
#include "loop_frames.h"
#include "loop_operation.h"

#define LCORES 2u
#define DEPTH  64u
#define BYTES  64u

/** What one lcore has. Lines of two lcores are apart. */
struct worker {
	_Alignas(128) struct loop_pair pair;
	struct loop_frames frames;
	/** One batch of operations, or of frames. */
	void (*batch)(struct worker *worker);
	uint32_t wanted; /**< operations */
	double cost_ns;  /**< of an operation, of the last run */
};

/** What both see of a run. */
static struct {
	_Alignas(128) unsigned int running; /**< workers of the run */
	unsigned int ready;                 /**< of these, how many have begun */
	unsigned int satisfied;             /**< of these, how many have done what they should */
} shared;

/** Subject and floor, for one way of running them. */
struct series {
	const char *name;
	unsigned int lcores;
	double *samples, *floors;
};

static struct worker workers[LCORES];

static void
operations_batch(struct worker *worker)
{
	loop_operation_run(&worker->pair, &loop_write, BYTES, DEPTH);
}

static void
frames_batch(struct worker *worker)
{
	loop_frames_move(&worker->frames, BYTES, DEPTH);
}

static double
thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static unsigned int
shared_load(const unsigned int *count)
{
	return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/** Works until all workers of the run have done what they should. */
static int
work(void *arg)
{
	struct worker *worker = arg;
	const unsigned int running = shared.running;
	bool satisfied = false;
	uint64_t done = 0;
	double start;

	__atomic_fetch_add(&shared.ready, 1, __ATOMIC_ACQ_REL);
	while (shared_load(&shared.ready) < running)
		rte_pause();
	start = thread_ns();
	while (shared_load(&shared.satisfied) < running) {
		worker->batch(worker);
		done += DEPTH;
		if (done >= worker->wanted && !satisfied) {
			satisfied = true;
			__atomic_fetch_add(&shared.satisfied, 1, __ATOMIC_ACQ_REL);
		}
	}
	worker->cost_ns = (thread_ns() - start) / (double)done;
	return 0;
}

/** An adapter belongs to the lcore that opens it. */
static int
worker_open(void *arg)
{
	struct worker *worker = arg;

	loop_pair_open(&worker->pair, LOOP_WINDOWS_FEW);
	worker->frames.pair = &worker->pair;
	loop_frames_open(&worker->frames);
	return 0;
}

/** Run a function on the lcore of a worker; the first one is that of the caller. */
static void
worker_launch(unsigned int number, int (*function)(void *arg))
{
	const unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

	if (number > 0)
		BENCH_REQUIRE(rte_eal_remote_launch(function, &workers[number], lcore) == 0);
	else
		function(&workers[number]);
}

/** @return mean cost on those lcores that work: from `first` on, so many. */
static double
run(void (*batch)(struct worker *worker), unsigned int first, unsigned int count, uint32_t wanted)
{
	double sum = 0;

	shared.running = count;
	shared.ready = shared.satisfied = 0;
	for (unsigned int i = first; i < first + count; i++) {
		workers[i].batch = batch;
		workers[i].wanted = wanted;
	}
	/* The caller's own lcore last: it would not come back to launch another one. */
	for (unsigned int i = first + count; i-- > first;)
		worker_launch(i, work);
	rte_eal_mp_wait_lcore();
	for (unsigned int i = first; i < first + count; i++)
		sum += workers[i].cost_ns;
	return sum / count;
}

static void
round_play(struct series *series, const struct bench *bench, uint32_t round)
{
	double sum = 0, floors = 0;

	if (series->lcores == LCORES) {
		series->samples[round] = run(operations_batch, 0, LCORES, bench->iterations);
		series->floors[round] = run(frames_batch, 0, LCORES, bench->iterations);
		return;
	}
	/* Processors may differ: alone is the mean of each of them alone. */
	for (unsigned int i = 0; i < LCORES; i++) {
		sum += run(operations_batch, i, 1, bench->iterations);
		floors += run(frames_batch, i, 1, bench->iterations);
	}
	series->samples[round] = sum / LCORES;
	series->floors[round] = floors / LCORES;
}

static void
row_print(const struct bench *bench, const char *what, const char *unit, double *samples,
	const double *floors, const char *floor)
{
	const struct bench_samples row = {.name = what,
		.floor = floor,
		.unit = unit,
		.samples = samples,
		.floor_samples = floors};

	bench_samples(bench, &row);
}

/** Subject first: printing sorts what is printed. */
static void
series_print(const struct bench *bench, struct series *series)
{
	char name[BENCH_NAME_BYTES], floor[BENCH_NAME_BYTES];

	snprintf(name, sizeof(name), "%s_%u", series->name, BYTES);
	snprintf(floor, sizeof(floor), "frames_%s_%u", series->name, BYTES);
	row_print(bench, name, "ns/op", series->samples, series->floors, floor);
	row_print(bench, floor, "ns/op", series->floors, series->floors, floor);
}

static void
scaling_print(const struct bench *bench, const struct series *alone, const struct series *together)
{
	double *subject = calloc(bench->rounds, sizeof(*subject));
	double *floor = calloc(bench->rounds, sizeof(*floor));

	BENCH_REQUIRE(subject != NULL && floor != NULL);
	for (uint32_t i = 0; i < bench->rounds; i++) {
		subject[i] = LCORES * alone->samples[i] / together->samples[i];
		floor[i] = LCORES * alone->floors[i] / together->floors[i];
	}
	row_print(bench, "scaling_64", "of one", subject, floor, "frames_scaling_64");
	row_print(bench, "frames_scaling_64", "of one", floor, floor, "frames_scaling_64");
	free(subject);
	free(floor);
}

static void
series_play(const struct bench *bench)
{
	struct series series[] = {
		{.name = "alone", .lcores = 1}, {.name = "together", .lcores = LCORES}};

	for (unsigned int i = 0; i < RTE_DIM(series); i++) {
		series[i].samples = calloc(bench->rounds, sizeof(*series[i].samples));
		series[i].floors = calloc(bench->rounds, sizeof(*series[i].floors));
		BENCH_REQUIRE(series[i].samples != NULL && series[i].floors != NULL);
		round_play(&series[i], bench, 0);
	}
	for (uint32_t round = 0; round < bench->rounds; round++)
		for (unsigned int i = 0; i < RTE_DIM(series); i++)
			round_play(&series[round % 2 == 0 ? i : RTE_DIM(series) - 1 - i], bench,
				round);
	scaling_print(bench, &series[0], &series[1]);
	for (unsigned int i = 0; i < RTE_DIM(series); i++) {
		series_print(bench, &series[i]);
		free(series[i].samples);
		free(series[i].floors);
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {
		.rounds = 100, .iterations = 16384, .lcores = LCORES};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	if (rte_lcore_count() < LCORES) {
		fprintf(stderr, "two lcores need two processors\n");
		return EXIT_SUCCESS;
	}
	for (unsigned int i = 0; i < LCORES; i++) {
		worker_launch(i, worker_open);
		rte_eal_mp_wait_lcore();
	}
	series_play(&bench);
	return EXIT_SUCCESS;
}
