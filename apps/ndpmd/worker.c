/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "worker.h"

#include <string.h>

#include <rte_launch.h>

#include "kit/stop.h"

#include "peer_kind.h"

/* Longest time in s that a server waits, before it ends, until its clients have disconnected. */
#define GOODBYE_SECONDS 2u

/*
 * Copy the options. Read the version before the options. If the options change during the copy, the
 * version differs in the next turn, so the copy is repeated.
 */
static void
read_options(struct worker *worker)
{
	const uint32_t version = __atomic_load_n(&worker->workers->version, __ATOMIC_ACQUIRE);

	worker->own = *worker->options;
	__atomic_store_n(&worker->own_version, version, __ATOMIC_RELEASE);
}

static void
order_begin(struct worker *worker, enum worker_order order)
{
	worker->begun = order;
	switch (order) {
	case WORKER_RUN:
		worker->run_is_over = worker->run_is_stopped = false;
		read_options(worker);
		memset(&worker->run, 0, sizeof(worker->run));
		worker->run.options = &worker->own;
		worker->run.stopwatch = worker->stopwatch;
		worker->run.functions = peer_kind_of(&worker->own)->run;
		run_open(&worker->run, &worker->part, worker->op_index);
		if (worker->server_engine != NULL)
			worker->server.histogram = &worker->run.server_histogram;
		break;
	case WORKER_CLOSE:
		run_close(&worker->run);
		break;
	case WORKER_STOP:
		if (!worker->server.stopping)
			server_stop(&worker->server);
		worker->stop_end_tsc = stopwatch_now() + GOODBYE_SECONDS * worker->stopwatch->hz;
		break;
	case WORKER_END:
		if (worker->server_engine != NULL)
			server_close(&worker->server);
		break;
	case WORKER_NONE:
		break;
	}
}

static bool
order_is_over(struct worker *worker)
{
	switch (worker->begun) {
	case WORKER_RUN:
		return worker->run_is_over;
	case WORKER_STOP:
		return server_is_idle(&worker->server) || stopwatch_now() >= worker->stop_end_tsc;
	case WORKER_CLOSE:
	case WORKER_END:
	case WORKER_NONE:
		break;
	}
	return true;
}

static void
client_turn(struct worker *worker)
{
	nd_engine_poll(worker->client_engine);
	if (worker->begun != WORKER_RUN || worker->run_is_over)
		return;
	if (worker->own_version != __atomic_load_n(&worker->workers->version, __ATOMIC_RELAXED)) {
		read_options(worker);
		run_change_rate(&worker->run);
	}
	if (workers_are_stopped(worker->workers) && !worker->run_is_stopped) {
		run_stop(&worker->run);
		worker->run_is_stopped = true;
	}
	worker->run_is_over = !run_turn(&worker->run);
}

static enum worker_order
order_load(const struct worker *worker)
{
	return __atomic_load_n(&worker->order, __ATOMIC_ACQUIRE);
}

/*
 * One iteration of a worker's loop: poll, and advance. The iteration reads the order once. An order
 * that arrives later is executed in the next turn.
 * @return true if more orders may follow; false = this turn has executed WORKER_END
 */
static bool
turn(struct worker *worker)
{
	const enum worker_order order = order_load(worker);

	if (order != WORKER_NONE && worker->begun == WORKER_NONE)
		order_begin(worker, order);
	if (worker->client_engine != NULL)
		client_turn(worker);
	if (worker->server_engine != NULL) {
		nd_engine_poll(worker->server_engine);
		server_turn(&worker->server);
	}
	if (worker->begun != WORKER_NONE && order_is_over(worker)) {
		worker->begun = WORKER_NONE;
		__atomic_store_n(&worker->order, WORKER_NONE, __ATOMIC_RELEASE);
	}
	return order != WORKER_END;
}

static int
work(void *arg)
{
	struct worker *worker = arg;

	/*
	 * Poll each engine once before the first order. The thread of the first poll owns the
	 * engine, and calls on other threads wait for this thread.
	 */
	if (worker->client_engine != NULL)
		nd_engine_poll(worker->client_engine);
	if (worker->server_engine != NULL)
		nd_engine_poll(worker->server_engine);
	while (turn(worker))
		;
	return 0;
}

void
workers_launch(struct workers *workers)
{
	for (uint32_t i = 0; i < workers->count; i++)
		workers->worker[i]->workers = workers;
	for (uint32_t i = 1; i < workers->count; i++)
		rte_eal_remote_launch(work, workers->worker[i], workers->worker[i]->lcore);
}

void
workers_turn(struct workers *workers)
{
	turn(workers->worker[0]);
}

static bool
all_have_followed(const struct workers *workers, uint32_t first)
{
	for (uint32_t i = first; i < workers->count; i++)
		if (order_load(workers->worker[i]) != WORKER_NONE)
			return false;
	return true;
}

static void
give(struct workers *workers, uint32_t first, enum worker_order order)
{
	for (uint32_t i = first; i < workers->count; i++)
		__atomic_store_n(&workers->worker[i]->order, order, __ATOMIC_RELEASE);
	while (!all_have_followed(workers, first)) {
		turn(workers->worker[0]);
		if (workers->each_turn != NULL)
			workers->each_turn(workers->each_turn_arg);
	}
}

bool
workers_are_stopped(const struct workers *workers)
{
	return __atomic_load_n(&workers->stop, __ATOMIC_RELAXED) ||
		(!workers->is_commanded && stop_is_wanted());
}

/* @return true if all workers have copied the newest version of the options */
static bool
all_have_read(const struct workers *workers)
{
	for (uint32_t i = 0; i < workers->count; i++) {
		const struct worker *worker = workers->worker[i];

		if (order_load(worker) == WORKER_RUN &&
			__atomic_load_n(&worker->own_version, __ATOMIC_ACQUIRE) != workers->version)
			return false;
	}
	return true;
}

void
workers_change(struct workers *workers, struct options *options, const struct options *changed)
{
	while (!all_have_read(workers))
		turn(workers->worker[0]);
	*options = *changed;
	__atomic_store_n(&workers->version, workers->version + 1, __ATOMIC_RELEASE);
}

void
workers_order(struct workers *workers, enum worker_order order, unsigned int op_index)
{
	/*
	 * Increment the version, so that each worker copies the options before it starts the run.
	 */
	if (order == WORKER_RUN)
		__atomic_store_n(&workers->version, workers->version + 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < workers->count; i++)
		workers->worker[i]->op_index = op_index;
	give(workers, 0, order);
}

void
workers_end(struct workers *workers)
{
	/* End the other workers first, because they need the first engine until they have ended. */
	give(workers, 1, WORKER_END);
	rte_eal_mp_wait_lcore();
}
