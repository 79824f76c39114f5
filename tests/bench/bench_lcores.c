/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Two lcores at once: what an operation costs when another lcore does the same, compared with one
 * lcore alone.
 *
 *   alone_N     one lcore works, with a pair of adapters; the other one sleeps
 *   together_N  both work, each with a pair of adapters of its own, with their rings, buffers and
 *               memory: they share nothing but what the machine shares, caches and memory
 *               bandwidth, and what the library may share by mistake
 *   engine_N    one lcore works, with one of the two engines of a pair of adapters; the other
 *               engine stands still: what it costs to be one of several
 *   apart_N     both work, with the same pair of adapters: each lcore has an engine of either
 *               adapter, and an endpoint on it. net_ring keeps what it counts for neighbouring
 *               queues in one line, so these are queues with two others between them, whose
 *               engines have nothing to do
 *   engines_N   the same with neighbouring queues: what the port shares is in it
 *
 * Where both work, each goes on until both have done their operations.
 *
 * A cost is processor time of the thread, so that others who use the machine are not in it. The
 * floor is that of loop_frames.h on the same lcores and queues. scaling_NAME_N is the throughput of
 * both in throughputs of one that is alone: 2 means that neither notices the other. That of
 * engine_N is twice the throughput of the one.
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

/** Whose adapters the workers have. */
enum set {
	SET_OWN,
	SET_SHARED, /**< of the same adapters, engines 0 and 1 */
	SET_APART,  /**< likewise, engines 0 and 3: their counters are 72 bytes from each other */
	SET_COUNT,
};

/** What both see of a run. */
static struct {
	_Alignas(128) unsigned int running; /**< workers of the run */
	unsigned int ready;                 /**< of these, how many have begun */
	unsigned int satisfied;             /**< of these, how many have done what they should */
} shared;

/** Subject and floor, for one way of running them. */
struct series {
	const char *name, *floor;
	/** Rows of the throughput of both, in throughputs of one. */
	const char *scaling, *scaling_floor;
	enum set set;
	unsigned int lcores;
	double *samples, *floors;
};

static struct worker workers[SET_COUNT][LCORES];

/** Index of the second worker's engines. */
static const uint16_t second_engine[SET_COUNT] = {[SET_SHARED] = 1, [SET_APART] = 3};

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

static void
worker_equip(struct worker *worker)
{
	worker->frames.pair = &worker->pair;
	loop_frames_open(&worker->frames);
}

/** An adapter belongs to the lcore that opens it. */
static int
worker_open(void *arg)
{
	struct worker *worker = arg;

	loop_pair_open(&worker->pair, LOOP_WINDOWS_FEW);
	worker_equip(worker);
	return 0;
}

static int
worker_join(void *arg)
{
	struct worker *worker = arg;
	enum set set = worker == &workers[SET_APART][1] ? SET_APART : SET_SHARED;

	loop_pair_join(&worker->pair, &workers[set][0].pair, second_engine[set]);
	worker_equip(worker);
	return 0;
}

static unsigned int
other_lcore(void)
{
	return rte_get_next_lcore(-1, 1, 0);
}

/** Run a function on the lcore of a worker; the first one is that of the caller. */
static void
worker_launch(enum set set, unsigned int number, int (*function)(void *arg))
{
	struct worker *worker = &workers[set][number];

	if (number > 0)
		BENCH_REQUIRE(rte_eal_remote_launch(function, worker, other_lcore()) == 0);
	else
		function(worker);
}

/** Two workers with engines of the same adapters. */
static void
sharing_open(enum set set)
{
	struct loop_pair *first = &workers[set][0].pair;

	first->engines = second_engine[set] + 1u;
	worker_launch(set, 0, worker_open);
	worker_launch(set, 1, worker_join);
	/* The first engines make the connections of all. */
	while (rte_eal_get_lcore_state(other_lcore()) == RUNNING)
		for (unsigned int i = 0; i < 2; i++)
			nd_engine_poll(first->side[i].engine);
	rte_eal_mp_wait_lcore();
	loop_pair_quiet(first);
}

static void
workers_open(void)
{
	for (unsigned int i = 0; i < LCORES; i++) {
		worker_launch(SET_OWN, i, worker_open);
		rte_eal_mp_wait_lcore();
	}
	sharing_open(SET_SHARED);
	sharing_open(SET_APART);
}

/** @return mean cost on those workers that work: from `first` on, so many. */
static double
run(void (*batch)(struct worker *worker), const struct series *series, unsigned int first,
	uint32_t wanted)
{
	const unsigned int count = series->lcores;
	struct worker *set = workers[series->set];
	double sum = 0;

	shared.running = count;
	shared.ready = shared.satisfied = 0;
	for (unsigned int i = first; i < first + count; i++) {
		set[i].batch = batch;
		set[i].wanted = wanted;
	}
	/* The caller's own lcore last: it would not come back to launch another one. */
	for (unsigned int i = first + count; i-- > first;)
		worker_launch(series->set, i, work);
	rte_eal_mp_wait_lcore();
	for (unsigned int i = first; i < first + count; i++)
		sum += set[i].cost_ns;
	return sum / count;
}

static void
round_play(struct series *series, const struct bench *bench, uint32_t round)
{
	double sum = 0, floors = 0;

	if (series->lcores == LCORES) {
		series->samples[round] = run(operations_batch, series, 0, bench->iterations);
		series->floors[round] = run(frames_batch, series, 0, bench->iterations);
		return;
	}
	/* Processors may differ: alone is the mean of each of them alone. */
	for (unsigned int i = 0; i < LCORES; i++) {
		sum += run(operations_batch, series, i, bench->iterations);
		floors += run(frames_batch, series, i, bench->iterations);
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
	row_print(bench, series->name, "ns/op", series->samples, series->floors, series->floor);
	row_print(bench, series->floor, "ns/op", series->floors, series->floors, series->floor);
}

static void
scaling_print(const struct bench *bench, const struct series *alone, const struct series *both)
{
	double *subject = calloc(bench->rounds, sizeof(*subject));
	double *floor = calloc(bench->rounds, sizeof(*floor));

	BENCH_REQUIRE(subject != NULL && floor != NULL);
	for (uint32_t i = 0; i < bench->rounds; i++) {
		subject[i] = LCORES * alone->samples[i] / both->samples[i];
		floor[i] = LCORES * alone->floors[i] / both->floors[i];
	}
	row_print(bench, both->scaling, "of one", subject, floor, both->scaling_floor);
	row_print(bench, both->scaling_floor, "of one", floor, floor, both->scaling_floor);
	free(subject);
	free(floor);
}

static void
series_open(struct series *series, const struct bench *bench)
{
	series->samples = calloc(bench->rounds, sizeof(*series->samples));
	series->floors = calloc(bench->rounds, sizeof(*series->floors));
	BENCH_REQUIRE(series->samples != NULL && series->floors != NULL);
	/* Unmeasured: the next one takes its place. */
	round_play(series, bench, 0);
}

static void
series_play(const struct bench *bench)
{
	struct series series[] = {
		{"alone_64", "frames_alone_64", NULL, NULL, SET_OWN, 1, NULL, NULL},
		{"together_64", "frames_together_64", "scaling_together_64",
			"frames_scaling_together_64", SET_OWN, LCORES, NULL, NULL},
		{"engine_64", "frames_engine_64", "scaling_engine_64", "frames_scaling_engine_64",
			SET_SHARED, 1, NULL, NULL},
		{"apart_64", "frames_apart_64", "scaling_apart_64", "frames_scaling_apart_64",
			SET_APART, LCORES, NULL, NULL},
		{"engines_64", "frames_engines_64", "scaling_engines_64",
			"frames_scaling_engines_64", SET_SHARED, LCORES, NULL, NULL},
	};
	const size_t count = RTE_DIM(series);

	for (size_t i = 0; i < count; i++)
		series_open(&series[i], bench);
	for (uint32_t round = 0; round < bench->rounds; round++)
		for (size_t i = 0; i < count; i++)
			round_play(&series[round % 2 == 0 ? i : count - 1 - i], bench, round);
	/* All of these first: printing a series sorts it. */
	for (size_t i = 1; i < count; i++)
		scaling_print(bench, &series[0], &series[i]);
	for (size_t i = 0; i < count; i++) {
		series_print(bench, &series[i]);
		free(series[i].samples);
		free(series[i].floors);
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {
		.rounds = 100, .iterations = 16384, .megabytes = 512, .lcores = LCORES};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	if (rte_lcore_count() < LCORES) {
		fprintf(stderr, "two lcores need two processors\n");
		return EXIT_SUCCESS;
	}
	workers_open();
	series_play(&bench);
	return EXIT_SUCCESS;
}
