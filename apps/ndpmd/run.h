/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_RUN_H
#define NDPDK_NDPMD_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"
#include "options.h"
#include "report.h"
#include "stopwatch.h"

/*
 * Run one operation of the list, on all queue pairs or on the queue pairs of one lcore: connect,
 * warm up, measure, wait for outstanding operations, exchange results, disconnect. The measured
 * time starts with the first post after the warm-up and ends with the last completion.
 *
 * The phases, their times and the figures do not depend on the peer's program. The functions that
 * depend on the program are in struct run_functions: run_sessions.c implements them for ndpmd, and
 * perftest/client.c for a program of perftest.
 */

struct run;
struct run_part;

enum run_phase {
	RUN_CONNECTING,
	RUN_WARMING,
	RUN_MEASURING,
	RUN_DRAINING,  /**< posts no more operations and waits for outstanding ones */
	RUN_FINISHING, /**< waits for the peer's results */
	RUN_CLOSING,
	RUN_ENDED,
};

/**
 * Synchronizes the parts of one operation. Each part runs on its own lcore. The measurement starts
 * when all parts have made all their connections.
 */
struct run_meeting {
	uint32_t part_count;
	uint64_t client;  /**< value of control_hello.client for all connections */
	uint32_t arrived; /**< number of parts that have connected; atomic */
	bool is_off;      /**< a part has failed before the measurement; atomic */
};

/** The side that posts the operations. */
enum run_side {
	RUN_CLIENT,
	RUN_SERVER, /**< only with --bidirectional */
	RUN_SIDES,
};

/** Figures of one part. The figures of a run are the sums over all its parts. */
struct run_tally {
	uint64_t ops, errors, posted, outstanding;
	uint64_t missed; /**< operations that were due but were not posted */
};

/**
 * Functions for the connections of a run. No function blocks. run->now_tsc is the current time. A
 * function that fails calls run_fail(), and the figures measured before the failure are kept.
 */
struct run_functions {
	size_t bytes; /**< size of run->connections; the run allocates and zeroes it */
	/**
	 * Make the objects.
	 * @return false: run_fail() was called, and close() need not be called
	 */
	bool (*open)(struct run *run, const struct run_part *part, unsigned int op_index);
	/**
	 * Called in each phase except ENDED. Advances the connections and sets now_tsc.
	 * @return false: a connection has failed, and run_fail() was called; in CLOSING, always
	 *         true
	 */
	bool (*turn)(struct run *run);
	/** Called in CONNECTING. @return true when all connections are ready for operations */
	bool (*connect)(struct run *run);
	/**
	 * Start the phase MEASURING if is_measured is true. Otherwise start WARMING, which has no
	 * limit for the number of operations.
	 */
	void (*start)(struct run *run, bool is_measured);
	/** Called in MEASURING. @return true when all operations of --iterations are posted */
	bool (*is_posted)(const struct run *run);
	/**
	 * Start DRAINING, so that no more operations are posted. phase_end_tsc is still the end of
	 * the previous phase.
	 */
	void (*stop)(struct run *run);
	/** Called in DRAINING. @return true when all posted operations are complete */
	bool (*drain)(struct run *run);
	/** Called in FINISHING. @return true when all results of the peer have arrived */
	bool (*finish)(struct run *run);
	/** Called in CLOSING. The first call disconnects. @return true if no connection is left */
	bool (*leave)(struct run *run);
	/** Called by run_stop() in DRAINING or later. @return false: disconnect at once */
	bool (*interrupt)(struct run *run);
	/**
	 * Called in WARMING and MEASURING when the rate in the options has changed. NULL = the rate
	 * cannot be changed.
	 */
	void (*change_rate)(struct run *run);
	/** @return figures of the operations that the given side has posted */
	struct run_tally (*tally)(const struct run *run, enum run_side side);
	/** Free everything. May be called in any phase. */
	void (*close)(struct run *run);
};

struct run {
	const struct options *options;
	const struct stopwatch *stopwatch;
	const struct run_functions *functions;
	void *connections; /**< data of the run_functions; NULL = none */
	uint64_t now_tsc;  /**< time of this turn */
	struct run_meeting *meeting;
	bool has_arrived;
	enum run_phase phase;
	struct options_work work;
	const struct sockaddr_storage *peer;
	/** TSC at start and end of the measurement; 0 = not reached */
	uint64_t start_tsc, stop_tsc;
	uint64_t phase_end_tsc;             /**< time when WARMING or MEASURING ends */
	uint64_t failures;                  /**< number of broken connections */
	struct run_tally joined[RUN_SIDES]; /**< sums over the parts that were joined */
	bool interrupted;
	struct histogram histogram;
	struct histogram server_histogram; /**< loopback: latency of the server's operations */
	/** histogram of each operation of a mix; otherwise NULL */
	struct histogram *parts;
	char error[320]; /**< reason why the run has failed; empty = no failure */
};

/** One lcore's part of an operation. */
struct run_part {
	uint32_t index; /**< the part has queue pairs index, index + part_count, ... */
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct run_meeting *meeting;         /**< shared by all parts */
	const struct sockaddr_storage *peer; /**< address of the server */
};

/** Prepare a meeting. */
void run_meeting_open(struct run_meeting *meeting, uint32_t part_count);

/**
 * Start a run. Objects to which part points must stay valid until run_close().
 * @param run the caller has set the members options, stopwatch and functions
 * @param op_index an index for options_work()
 */
void run_open(struct run *run, const struct run_part *part, unsigned int op_index);

/**
 * Advance the state machine. Call this function after each poll of the adapter's engine.
 *
 * @return false: the run has ended
 */
bool run_turn(struct run *run);

/** End the measurement early, and keep the figures measured until now. */
void run_stop(struct run *run);

/** Use the changed rate in the options from now on. */
void run_change_rate(struct run *run);

/** Add the histogram and the figures of another part to run. The other part must have ended. */
void run_join(struct run *run, const struct run *other);

/** Fill a row with the results. @return true if anything was measured. */
bool run_result(const struct run *run, enum run_side side, struct report_row *row);

void run_close(struct run *run);

/** @return measured time in seconds. Call this function after the measurement. */
double run_seconds(const struct run *run);

void run_add_tally(struct run_tally *tally, const struct run_tally *other);

/**
 * Report that a connection has failed. run->error contains the sentence of the first report. After
 * run_stop(), failures are ignored.
 */
void run_fail(struct run *run, const char *error);

#endif
