/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_WORKER_H
#define NDPDK_NDPMD_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"
#include "server.h"

/*
 * What one lcore does: it polls an engine of each adapter of the process, and advances the
 * connections that live there. Posting and taking results belong to the thread that polls, so each
 * lcore has a part of the run and a server of its own.
 *
 * The first worker is that of the main thread. It gives the orders: each worker executes them
 * between two turns of its own, and goes on polling afterwards, because the calls of all others
 * that concern connections are executed by the first engine.
 */

enum worker_order {
	WORKER_NONE,
	WORKER_RUN,   /**< one operation of the list, until it is over */
	WORKER_CLOSE, /**< free the operation */
	WORKER_STOP,  /**< disconnect all clients, until they are gone or the time is over */
	WORKER_END,   /**< free everything and return; not for the first worker */
};

struct workers;

struct worker {
	uint32_t index;
	unsigned int lcore;
	const struct workers *workers; /**< all of them; set by workers_launch() */
	const struct options *options;
	struct options own;   /**< copy of options, which the run follows */
	uint32_t own_version; /**< atomic; of this copy, see workers_change() */
	const struct stopwatch *stopwatch;
	struct nd_engine *client_engine, *server_engine; /**< NULL = not this role */
	struct run_part part;                            /**< of a client */
	struct run run;
	struct server server;
	unsigned int op_index;   /**< of the order */
	enum worker_order order; /**< atomic; NONE when it has been executed */
	enum worker_order begun; /**< the worker's own */
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
	bool stop;         /**< atomic: the run that is under way is to end early */
	bool is_commanded; /**< signals are for those who give commands, and set stop */
	uint32_t version;  /**< atomic; of the options */
};

/** Start the lcores of all workers but the first one. Their members up to server are set. */
void workers_launch(struct workers *workers);

/** Give an order to all workers, and work on the first one's part until all have executed it. */
void workers_order(struct workers *workers, enum worker_order order, unsigned int op_index);

/**
 * Replace the options that the workers' options point to. While a run is under way nothing may
 * differ but rate and interval, which it follows from its next turn on.
 * @param options the object that the workers' options point to
 */
void
workers_change(struct workers *workers, struct options *options, const struct options *changed);

/** @return whether the run under way is to end early: stop, or, without commands, a signal. */
bool workers_are_stopped(const struct workers *workers);

/** One turn of the first worker. */
void workers_turn(struct workers *workers);

/** End the other lcores. */
void workers_end(struct workers *workers);

#endif
