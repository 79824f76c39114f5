/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Scaling of the engines of one adapter with the number of lcores (--lcores=N, default 2). The
 * same operations run alternately in three ways:
 *
 *   one        One lcore runs a process with a pair of adapters. The other lcores sleep. The run is
 *              repeated on each lcore, and the value is the mean, because processors may differ.
 *   engines    N lcores of one process use one pair of adapters with N engines. Lcore i polls
 *              engine i of both adapters, and has an endpoint on each engine.
 *   processes  Each of N lcores runs a separate process with a separate pair of adapters. The
 *              processes share only caches and memory bandwidth.
 *
 * Operations, with 64 outstanding:
 *
 * - write, send, read: transfer 64 bytes.
 * - bind: bind a window, tell the peer its descriptor with a SEND, let the peer WRITE 64 bytes
 *   through it, invalidate the window.
 * - bind_only: bind and invalidate a window; nothing is sent.
 * - frames (the floor): loop_frames.h on the same lcores and queues.
 *
 * WAY_OPERATION is the processor time of the thread per operation, which excludes other programs
 * of the machine. scaling_OPERATION is the throughput of N engines divided by the throughput of
 * one engine. beside_OPERATION is the throughput of N engines divided by the throughput of N
 * processes. The floors of scaling_ and beside_ are the same quotients, measured with frames.
 *
 * Each run begins with operations that are not measured and fill the caches. Then a barrier starts
 * all workers of the run. Each worker continues until all workers have completed their operations.
 * Processes are forked before EAL starts, and sleep on a semaphore between their runs.
 */

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>
#include <rte_ring.h>

#include "bench.h"
#include "loop_bind.h"
#include "loop_frames.h"
#include "loop_operation.h"

#define LCORES_MAX        LOOP_ENGINES_MAX
#define DEPTH             LOOP_DEPTH_MAX
#define BYTES             64u
/** EAL memory of a process, and additional memory for each engine after the first. */
#define MEGABYTES_PROCESS 96u
#define MEGABYTES_ENGINE  40u
/** Special subject: it tells a worker process to end. */
#define SUBJECT_NONE      SUBJECT_COUNT

enum way {
	WAY_ONE,
	WAY_ENGINES,
	WAY_PROCESSES,
	WAY_COUNT,
};

enum subject {
	SUBJECT_BIND,
	SUBJECT_BIND_ONLY,
	SUBJECT_WRITE,
	SUBJECT_SEND,
	SUBJECT_READ,
	SUBJECT_FRAMES,
	SUBJECT_COUNT,
};

/** State of one lcore. It has its own cache lines. */
struct worker {
	_Alignas(128) struct loop_pair pair;
	struct loop_frames frames;
	struct loop_bind bind;
	uint16_t number;
};

/** State of a run. Workers of all processes share this state. */
struct control {
	/* Set before a run. */
	enum subject subject;
	uint32_t wanted;      /**< operations of each worker */
	unsigned int running; /**< workers of the run */
	double cost_ns[LCORES_MAX];
	sem_t go[LCORES_MAX]; /**< posted to start a run in the process with this index */
	/** posted by a process after it has opened its pair, and after each run */
	sem_t done[LCORES_MAX];
	_Alignas(128) unsigned int ready; /**< number of workers that have begun the run */
	/** number of workers that have completed all operations */
	_Alignas(128) unsigned int satisfied;
};

static const char *const ways[WAY_COUNT] = {
	[WAY_ONE] = "one", [WAY_ENGINES] = "engines", [WAY_PROCESSES] = "processes"};
static const char *const subjects[SUBJECT_COUNT] = {
	[SUBJECT_BIND] = "bind",
	[SUBJECT_BIND_ONLY] = "bind_only",
	[SUBJECT_WRITE] = "write",
	[SUBJECT_SEND] = "send",
	[SUBJECT_READ] = "read",
	[SUBJECT_FRAMES] = "frames",
};

/** If way is "processes", each process uses only workers[0]. */
static struct worker workers[LCORES_MAX];
static double *samples[WAY_COUNT][SUBJECT_COUNT];
static struct control *control;
static struct bench bench;

/* ---- ports ---- */

/*
 * net_ring keeps 24 bytes per queue, including counters. So lcores that use neighbouring queues
 * write the same cache line, and two lcores move only 1.7 times as many frames as one. A driver of
 * a NIC has separate lines for each queue. Therefore the bench replaces the driver's functions
 * behind rte_eth_rx_burst() and rte_eth_tx_burst(). The new functions keep no counters.
 */

static uint16_t
ring_receive(void *ring, struct rte_mbuf **mbufs, uint16_t count)
{
	return (uint16_t)rte_ring_sc_dequeue_burst(ring, (void **)mbufs, count, NULL);
}

static uint16_t
ring_send(void *ring, struct rte_mbuf **mbufs, uint16_t count)
{
	return (uint16_t)rte_ring_sp_enqueue_burst(ring, (void **)mbufs, count, NULL);
}

static void
ports_replace(struct loop_pair *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct rte_eth_fp_ops *port = &rte_eth_fp_ops[pair->side[i].port_id];

		port->rx_pkt_burst = ring_receive;
		port->rxq.data = (void **)pair->rings[i];
		port->tx_pkt_burst = ring_send;
		port->txq.data = (void **)pair->rings[1 - i];
	}
}

/* ---- a worker ---- */

static void
batch_run(struct worker *worker, enum subject subject)
{
	static const struct loop_operation *const operations[SUBJECT_COUNT] = {
		[SUBJECT_WRITE] = &loop_write,
		[SUBJECT_SEND] = &loop_send,
		[SUBJECT_READ] = &loop_read};

	if (subject == SUBJECT_BIND)
		loop_bind_cycle(&worker->bind, DEPTH);
	else if (subject == SUBJECT_BIND_ONLY)
		loop_bind_only(&worker->bind, DEPTH);
	else if (subject == SUBJECT_FRAMES)
		loop_frames_move(&worker->frames, BYTES, DEPTH);
	else
		loop_operation_run(&worker->pair, operations[subject], BYTES, DEPTH);
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

/**
 * Execute operations until all workers of the run have completed their own operations. The end must
 * be common, because all workers must be busy during the whole measurement.
 */
static int
work(void *arg)
{
	struct worker *worker = arg;
	const enum subject subject = control->subject;
	const unsigned int running = control->running;
	const uint32_t wanted = control->wanted;
	bool satisfied = false;
	uint64_t done = 0;
	double start;

	/* Fill the caches, because the previous run used another pair or operation. */
	for (uint32_t i = 0; i < wanted; i += DEPTH)
		batch_run(worker, subject);
	__atomic_fetch_add(&control->ready, 1, __ATOMIC_ACQ_REL);
	while (shared_load(&control->ready) < running)
		rte_pause();
	start = thread_ns();
	while (shared_load(&control->satisfied) < running) {
		batch_run(worker, subject);
		done += DEPTH;
		if (done >= wanted && !satisfied) {
			satisfied = true;
			__atomic_fetch_add(&control->satisfied, 1, __ATOMIC_ACQ_REL);
		}
	}
	control->cost_ns[worker->number] = (thread_ns() - start) / (double)done;
	return 0;
}

static void
worker_equip(struct worker *worker)
{
	worker->frames.pair = &worker->pair;
	loop_frames_open(&worker->frames);
	worker->bind.pair = &worker->pair;
	loop_bind_open(&worker->bind);
}

static void
worker_open(struct worker *worker, uint32_t engines)
{
	worker->pair.engines = engines;
	worker->pair.entries = LOOP_BIND_ENTRIES;
	loop_pair_open(&worker->pair, engines * DEPTH);
	ports_replace(&worker->pair);
	worker_equip(worker);
}

static int
worker_join(void *arg)
{
	struct worker *worker = arg;

	loop_pair_join(&worker->pair, &workers[0].pair, worker->number);
	worker_equip(worker);
	return 0;
}

/* ---- processes ---- */

/**
 * Called when a worker process ends unexpectedly. The worker process has already printed the
 * reason.
 */
static void
process_lost(int signal_number)
{
	(void)signal_number;
	_exit(EXIT_FAILURE);
}

static _Noreturn void
process_main(uint16_t number)
{
	struct worker *worker = &workers[0];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bench.megabytes = MEGABYTES_PROCESS;
	bench_eal_start(&bench, number, 1);
	worker->number = number;
	worker_open(worker, 1);
	for (;;) {
		sem_post(&control->done[number]);
		while (sem_wait(&control->go[number]) != 0)
			;
		if (control->subject == SUBJECT_NONE)
			_exit(EXIT_SUCCESS);
		work(worker);
	}
}

static void
process_wait(uint32_t number)
{
	while (sem_wait(&control->done[number]) != 0)
		;
}

static void
processes_open(void)
{
	control = mmap(
		NULL, sizeof(*control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	BENCH_REQUIRE(control != MAP_FAILED);
	for (uint16_t i = 0; i < bench.lcores; i++)
		BENCH_REQUIRE(sem_init(&control->go[i], 1, 0) == 0 &&
			sem_init(&control->done[i], 1, 0) == 0);
	signal(SIGCHLD, process_lost);
	for (uint16_t i = 0; i < bench.lcores; i++) {
		const pid_t pid = fork();

		BENCH_REQUIRE(pid >= 0);
		if (pid == 0)
			process_main(i);
	}
	for (uint32_t i = 0; i < bench.lcores; i++)
		process_wait(i);
}

static void
processes_close(void)
{
	signal(SIGCHLD, SIG_DFL);
	control->subject = SUBJECT_NONE;
	for (uint32_t i = 0; i < bench.lcores; i++)
		sem_post(&control->go[i]);
	while (wait(NULL) > 0)
		;
}

/* ---- engines ---- */

/** @return lcore of worker `number`, which is 1 or more. Worker 0 runs on the main lcore. */
static unsigned int
lcore_of(uint32_t number)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

	while (--number > 0)
		lcore = rte_get_next_lcore(lcore, 1, 0);
	return lcore;
}

/** Open the pairs one after another, because all pairs connect through one listener. */
static void
engines_open(void)
{
	const struct loop_pair *first = &workers[0].pair;

	worker_open(&workers[0], bench.lcores);
	for (uint16_t i = 1; i < bench.lcores; i++) {
		workers[i].number = i;
		BENCH_REQUIRE(rte_eal_remote_launch(worker_join, &workers[i], lcore_of(i)) == 0);
		/* Poll the first engines, because they establish the connections of all engines. */
		while (rte_eal_get_lcore_state(lcore_of(i)) == RUNNING)
			for (unsigned int side = 0; side < 2; side++)
				nd_engine_poll(first->side[side].engine);
		rte_eal_mp_wait_lcore();
	}
	loop_pair_quiet(&workers[0].pair);
}

/* ---- runs ---- */

static void
run_begin(enum subject subject, unsigned int running)
{
	control->subject = subject;
	control->running = running;
	control->wanted = bench.iterations;
	control->ready = control->satisfied = 0;
}

static void
engines_run(enum subject subject)
{
	run_begin(subject, bench.lcores);
	/* Start the main lcore's worker last, because work() returns only at the end of the run. */
	for (uint32_t i = 1; i < bench.lcores; i++)
		BENCH_REQUIRE(rte_eal_remote_launch(work, &workers[i], lcore_of(i)) == 0);
	work(&workers[0]);
	rte_eal_mp_wait_lcore();
}

static void
processes_run(enum subject subject, uint32_t first, uint32_t count)
{
	run_begin(subject, count);
	for (uint32_t i = first; i < first + count; i++)
		sem_post(&control->go[i]);
	for (uint32_t i = first; i < first + count; i++)
		process_wait(i);
}

/** @return cost of an operation, computed from the mean of the throughputs of all workers */
static double
cost_mean(void)
{
	double throughput = 0;

	for (uint32_t i = 0; i < bench.lcores; i++)
		throughput += 1 / control->cost_ns[i];
	return bench.lcores / throughput;
}

static double
run(enum way way, enum subject subject)
{
	if (way == WAY_ENGINES)
		engines_run(subject);
	else if (way == WAY_PROCESSES)
		processes_run(subject, 0, bench.lcores);
	else
		for (uint32_t i = 0; i < bench.lcores; i++)
			processes_run(subject, i, 1);
	return cost_mean();
}

static void
round_run(uint32_t round)
{
	for (uint32_t i = 0; i < WAY_COUNT * SUBJECT_COUNT; i++) {
		const uint32_t turn = round % 2 == 0 ? i : WAY_COUNT * SUBJECT_COUNT - 1 - i;

		samples[turn % WAY_COUNT][turn / WAY_COUNT][round] =
			run(turn % WAY_COUNT, turn / WAY_COUNT);
	}
}

/* ---- rows ---- */

static void
row_print(const char *what, enum subject subject, const char *unit, double *values,
	const double *floors)
{
	char name[BENCH_NAME_BYTES], floor[BENCH_NAME_BYTES];

	snprintf(name, sizeof(name), "%s_%s", what, subjects[subject]);
	snprintf(floor, sizeof(floor), "%s_%s", what, subjects[SUBJECT_FRAMES]);
	bench_samples(&bench,
		&(struct bench_samples){.name = name,
			.floor = floor,
			.unit = unit,
			.samples = values,
			.floor_samples = floors});
}

/**
 * Print the throughput of all engines divided by the throughput of the way `other`, times `factor`.
 */
static void
throughputs_print(const char *what, enum way other, double factor)
{
	double *values[SUBJECT_COUNT];

	for (enum subject i = 0; i < SUBJECT_COUNT; i++) {
		values[i] = calloc(bench.rounds, sizeof(double));
		BENCH_REQUIRE(values[i] != NULL);
		for (uint32_t round = 0; round < bench.rounds; round++)
			values[i][round] =
				factor * samples[other][i][round] / samples[WAY_ENGINES][i][round];
	}
	/* Print the floors last, because printing sorts their samples. */
	for (enum subject i = 0; i < SUBJECT_COUNT; i++) {
		row_print(what, i, "of one", values[i], values[SUBJECT_FRAMES]);
		free(i == SUBJECT_FRAMES ? NULL : values[i]);
	}
	free(values[SUBJECT_FRAMES]);
}

static void
rows_print(void)
{
	throughputs_print("scaling", WAY_ONE, bench.lcores);
	throughputs_print("beside", WAY_PROCESSES, 1);
	for (enum way way = 0; way < WAY_COUNT; way++)
		for (enum subject i = 0; i < SUBJECT_COUNT; i++)
			row_print(ways[way], i, "ns/op", samples[way][i],
				samples[way][SUBJECT_FRAMES]);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {
		.rounds = 30, .iterations = 8192, .lcores = 2, .lcores_max = LCORES_MAX};

	bench_options(&bench, &defaults, argc, argv);
	for (enum way way = 0; way < WAY_COUNT; way++)
		for (enum subject i = 0; i < SUBJECT_COUNT; i++) {
			samples[way][i] = calloc(bench.rounds, sizeof(double));
			BENCH_REQUIRE(samples[way][i] != NULL);
		}
	processes_open();
	bench.megabytes = MEGABYTES_PROCESS + bench.lcores * MEGABYTES_ENGINE;
	bench_eal_start(&bench, 0, bench.lcores);
	engines_open();
	/* Warm up. The first measured round overwrites these samples. */
	round_run(0);
	for (uint32_t round = 0; round < bench.rounds; round++)
		round_run(round);
	processes_close();
	rows_print();
	return EXIT_SUCCESS;
}
