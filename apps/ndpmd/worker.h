/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_WORKER_H
#define NDPDK_NDPMD_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"
#include "server.h"

/*
 * A worker runs on one lcore. It polls an engine of each adapter of the process, and advances the
 * connections of these engines. Only the thread that polls an engine may post requests and take
 * results. Therefore each lcore has its own part of the run and its own server.
 *
 * The first worker runs on the main thread and gives orders to all workers. Each worker executes an
 * order between two of its turns (iterations of its polling loop). Afterwards the worker continues
 * to poll, because the first engine executes the calls of all workers that set up or end
 * connections.
 */

enum worker_order {
	WORKER_NONE,
	WORKER_RUN,   /**< run one operation of the list until it is complete */
	WORKER_CLOSE, /**< free the objects of the operation */
	WORKER_STOP,  /**< disconnect all clients, and wait up to GOODBYE_SECONDS */
	WORKER_END,   /**< free everything and return; not given to the first worker */
};

struct workers;

struct worker {
	uint32_t index;
	unsigned int lcore;
	const struct workers *workers; /**< the worker's team; set by workers_launch() */
	const struct options *options;
	struct options own;   /**< this worker's copy of the options, used by the run */
	uint32_t own_version; /**< version of the copy, see workers_change(); atomic */
	const struct stopwatch *stopwatch;
	struct nd_engine *client_engine, *server_engine; /**< NULL = the role is not used */
	struct run_part part;                            /**< used only by a client */
	struct run run;
	struct server server;
	unsigned int op_index;   /**< parameter of the order */
	enum worker_order order; /**< order to execute; WORKER_NONE after the execution; atomic */
	enum worker_order begun; /**< order that is being executed; private to the worker */
	bool run_is_over, run_is_stopped;
	uint64_t stop_end_tsc;
};

/** All workers of the process, one on each lcore. */
struct workers {
	struct worker *worker[OPTIONS_LCORES_MAX];
	uint32_t count;
	/** Called after each turn of the first worker while an order is executed. May be NULL. */
	void (*each_turn)(void *arg);
	void *each_turn_arg;
	bool stop;         /**< the current run must end early; atomic */
	bool is_commanded; /**< commands control the runs, so the prompt sets stop */
	uint32_t version;  /**< incremented when the options change; atomic */
};

/**
 * Start the other workers on their lcores. The caller has set the members of each worker, from the
 * first member up to the member server.
 */
void workers_launch(struct workers *workers);

/**
 * Give an order to all workers. Run turns of the first worker until all workers have executed the
 * order.
 */
void workers_order(struct workers *workers, enum worker_order order, unsigned int op_index);

/**
 * Replace the options that all workers use. During a run, only rate and interval may differ. From
 * its next turn, the run uses the new options.
 * @param options the object to which the workers' member options points; it is overwritten
 * @param changed the new options
 */
void
workers_change(struct workers *workers, struct options *options, const struct options *changed);

/**
 * @return true if the current run must end early, because stop is set or, without commands, because
 *         a signal has arrived
 */
bool workers_are_stopped(const struct workers *workers);

void workers_turn(struct workers *workers);

/** End the other lcores. */
void workers_end(struct workers *workers);

#endif
