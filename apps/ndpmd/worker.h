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
 * results, so each lcore has its own part of the run and its own server.
 *
 * The first worker runs on the main thread and gives orders. Each worker executes an order between
 * two of its turns, and continues to poll afterwards, because the first engine executes the calls
 * of all workers that concern connections.
 */

enum worker_order {
	WORKER_NONE,
	WORKER_RUN,   /**< run one operation of the list until it has ended */
	WORKER_CLOSE, /**< free the operation */
	WORKER_STOP,  /**< disconnect all clients, and wait for the end within a time limit */
	WORKER_END,   /**< free everything and return; not for the first worker */
};

struct workers;

struct worker {
	uint32_t index;
	unsigned int lcore;
	const struct workers *workers; /**< all of them; set by workers_launch() */
	const struct options *options;
	struct options own;   /**< copy of options that the run uses */
	uint32_t own_version; /**< version of this copy, see workers_change(); atomic */
	const struct stopwatch *stopwatch;
	struct nd_engine *client_engine, *server_engine; /**< NULL = role not used */
	struct run_part part;                            /**< client only */
	struct run run;
	struct server server;
	unsigned int op_index;   /**< parameter of the order */
	enum worker_order order; /**< current order; WORKER_NONE after its execution; atomic */
	enum worker_order begun; /**< order that the worker is executing; used by the worker only */
	bool run_is_over, run_is_stopped;
	uint64_t stop_end_tsc;
};

/** All lcores of the process. */
struct workers {
	struct worker *worker[OPTIONS_LCORES_MAX];
	uint32_t count;
	/** Called after each turn of the first worker while an order is executed; may be NULL */
	void (*each_turn)(void *arg);
	void *each_turn_arg;
	bool stop;         /**< the current run must end early; atomic */
	bool is_commanded; /**< commands control the runs: they handle signals, and set stop */
	uint32_t version;  /**< version of the options; atomic */
};

/** Start the lcores of the other workers. Members of each worker up to server must be set. */
void workers_launch(struct workers *workers);

/** Give an order to all workers, and run the first worker until all have executed the order. */
void workers_order(struct workers *workers, enum worker_order order, unsigned int op_index);

/**
 * Replace the options that the workers' options point to. During a run, only rate and interval may
 * differ. The run uses them from its next turn on.
 * @param options the object that the workers' options point to
 */
void
workers_change(struct workers *workers, struct options *options, const struct options *changed);

/** @return whether the current run must end early: stop is set, or without commands a signal. */
bool workers_are_stopped(const struct workers *workers);

/** Execute one turn of the first worker. */
void workers_turn(struct workers *workers);

/** End the other lcores. */
void workers_end(struct workers *workers);

#endif
