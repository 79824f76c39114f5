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
 * time is from the first post after the warm-up to the last completion.
 *
 * The phases, their times and the figures do not depend on the program at the other side. The
 * functions that do are in struct run_functions: run_sessions.c implements them for ndpmd, and
 * perftest/client.c for a program of perftest.
 */

struct run;
struct run_part;

enum run_phase {
	RUN_CONNECTING,
	RUN_WARMING,
	RUN_MEASURING,
	RUN_DRAINING,  /**< waits for outstanding operations, posts no more */
	RUN_FINISHING, /**< waits for the results of the peer */
	RUN_CLOSING,
	RUN_ENDED,
};

/**
 * Synchronizes the parts of one operation on several lcores: the measurement starts when all parts
 * have made all connections.
 */
struct run_meeting {
	uint32_t part_count;
	uint64_t client;  /**< control_hello.client of all connections of the operation */
	uint32_t arrived; /**< number of parts that have made their connections; atomic */
	bool is_off;      /**< a part has failed before the measurement; atomic */
};

/** The side that posts the operations. */
enum run_side {
	RUN_CLIENT,
	RUN_SERVER, /**< with --bidirectional */
	RUN_SIDES,
};

/** Figures that are summed over all parts. */
struct run_tally {
	uint64_t ops, errors, posted, outstanding;
	uint64_t missed; /**< operations that were due and not posted */
};

/**
 * Functions for the connections of a run. No function blocks. run->now_tsc is the time. A function
 * that fails calls run_fail(); the figures measured so far are kept.
 */
struct run_functions {
	size_t bytes; /**< size of run->connections, which is zeroed */
	/** @return false: run_fail() was called, and close() need not be called */
	bool (*open)(struct run *run, const struct run_part *part, unsigned int op_index);
	/**
	 * In each phase except ENDED: advance the connections, and set now_tsc.
	 * @return false: a connection has failed, and run_fail() was called; not in CLOSING
	 */
	bool (*turn)(struct run *run);
	/** In CONNECTING. @return whether all connections are ready for operations */
	bool (*connect)(struct run *run);
	/** Start WARMING, without a limit of operations, or MEASURING, with or without WARMING. */
	void (*start)(struct run *run, bool is_measured);
	/** In MEASURING. @return whether all operations of --iterations are posted */
	bool (*is_posted)(const struct run *run);
	/** Start DRAINING: post no more. phase_end_tsc is still that of the previous phase. */
	void (*stop)(struct run *run);
	/** In DRAINING. @return whether all posted operations are complete */
	bool (*drain)(struct run *run);
	/** In FINISHING. @return whether all results of the peer have arrived */
	bool (*finish)(struct run *run);
	/** In CLOSING: disconnect in the first call. @return whether all are disconnected */
	bool (*leave)(struct run *run);
	/** After run_stop(), in DRAINING or later. @return false: disconnect at once */
	bool (*interrupt)(struct run *run);
	/** WARMING, MEASURING: the rate of the options has changed. NULL: rates not supported */
	void (*change_rate)(struct run *run);
	/** @return figures of the operations that this side has posted */
	struct run_tally (*tally)(const struct run *run, enum run_side side);
	/** Free everything, in any phase. */
	void (*close)(struct run *run);
};

struct run {
	const struct options *options;
	const struct stopwatch *stopwatch;
	const struct run_functions *functions;
	void *connections; /**< data of functions; NULL = none */
	uint64_t now_tsc;  /**< time of this turn */
	struct run_meeting *meeting;
	bool has_arrived;
	enum run_phase phase;
	struct options_work work;
	const struct sockaddr_storage *peer;
	uint64_t start_tsc, stop_tsc;       /**< 0 = not yet */
	uint64_t phase_end_tsc;             /**< end of WARMING or MEASURING */
	uint64_t failures;                  /**< broken connections */
	struct run_tally joined[RUN_SIDES]; /**< figures of other parts */
	bool interrupted;
	struct histogram histogram;
	struct histogram server_histogram; /**< loopback: latency of the server's operations */
	struct histogram *parts; /**< mix: one for each operation below OPTIONS_OP_MIX; else NULL */
	char error[320];         /**< why the run has failed; empty = it has not failed */
};

/** One lcore's part of an operation. */
struct run_part {
	uint32_t index; /**< 0 .. part_count - 1; the part has every part_count-th queue pair */
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct run_meeting *meeting;         /**< shared by all parts */
	const struct sockaddr_storage *peer; /**< address of the server */
};

/** Prepare a meeting. */
void run_meeting_open(struct run_meeting *meeting, uint32_t part_count);

/**
 * Start a run. Objects that part points to must stay valid until run_close().
 * @param run its members options, stopwatch and functions are set
 * @param op_index of options_work()
 */
void run_open(struct run *run, const struct run_part *part, unsigned int op_index);

/**
 * Advance the state machine. Call this function after each poll of the adapter's engine.
 *
 * @return false: the run has ended
 */
bool run_turn(struct run *run);

/** End the measurement early. The figures measured so far are kept. */
void run_stop(struct run *run);

/** Apply a new rate of the options from now on. */
void run_change_rate(struct run *run);

/** Add the histogram and the figures of other, a part that has ended, to run. */
void run_join(struct run *run, const struct run *other);

/** @return whether anything was measured. */
bool run_result(const struct run *run, enum run_side side, struct report_row *row);

/** Free everything. */
void run_close(struct run *run);

/** @return measured time in seconds, after the measurement. */
double run_seconds(const struct run *run);

/** Add figures to others. */
void run_add_tally(struct run_tally *tally, const struct run_tally *other);

/**
 * Report that a connection has failed. The first sentence is kept. After run_stop(), failures are
 * ignored.
 */
void run_fail(struct run *run, const char *error);

#endif
