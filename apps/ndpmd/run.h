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
 * One operation of the list, on all queue pairs or on those of one lcore: connect, warm up,
 * measure, wait for what is outstanding, exchange the verdict, disconnect. The measured time is
 * from the first post after the warm-up to the last completion.
 *
 * The phases, their times and the figures are the same whatever program is at the other side. How
 * connections are made, what is said over them and who posts depends on it: struct run_functions,
 * which run_sessions.c has for an ndpmd and perftest/client.c for a program of perftest.
 */

struct run;
struct run_part;

enum run_phase {
	RUN_CONNECTING,
	RUN_WARMING,
	RUN_MEASURING,
	RUN_DRAINING,  /**< nothing new is posted */
	RUN_FINISHING, /**< waits for the peer's verdict */
	RUN_CLOSING,
	RUN_ENDED,
};

/**
 * Where the parts of one operation meet, when several lcores have one each: they measure when all
 * connections of all of them are made.
 */
struct run_meeting {
	uint32_t part_count;
	uint64_t client;  /**< number that all connections of the operation carry */
	uint32_t arrived; /**< parts whose connections are made; atomic */
	bool is_off;      /**< one of them has failed before; atomic */
};

/** Whose operations. */
enum run_side {
	RUN_CLIENT,
	RUN_SERVER, /**< with --bidirectional */
	RUN_SIDES,
};

/** Figures that add up. */
struct run_tally {
	uint64_t ops, errors, posted, outstanding;
	uint64_t missed; /**< due at the end, and not posted */
};

/**
 * The connections of a run. No function blocks; now_tsc is the time. What fails calls run_fail(),
 * and what has been measured until then counts.
 */
struct run_functions {
	size_t bytes; /**< of run->connections, which are zeroed */
	/** @return false: run_fail() has told why, and close() has nothing to do */
	bool (*open)(struct run *run, const struct run_part *part, unsigned int op_index);
	/**
	 * In each phase but ENDED: let connections go on, and set now_tsc.
	 * @return false: one has failed, and run_fail() has told why; not in CLOSING
	 */
	bool (*turn)(struct run *run);
	/** CONNECTING. @return whether all are ready for operations */
	bool (*connect)(struct run *run);
	/** WARMING begins, without a limit; or MEASURING, from WARMING or at once. */
	void (*start)(struct run *run, bool is_measured);
	/** MEASURING. @return whether all operations are posted that --iterations lets */
	bool (*is_posted)(const struct run *run);
	/** DRAINING begins: post no more. phase_end_tsc is still that of the phase before. */
	void (*stop)(struct run *run);
	/** DRAINING. @return whether what was posted is complete */
	bool (*drain)(struct run *run);
	/** FINISHING. @return whether the peer has said all */
	bool (*finish)(struct run *run);
	/** CLOSING: disconnect, once. @return whether all are disconnected */
	bool (*leave)(struct run *run);
	/** After run_stop(), from DRAINING on. @return false: disconnect at once */
	bool (*interrupt)(struct run *run);
	/** WARMING, MEASURING: the rate of the options has changed. NULL: there is none */
	void (*change_rate)(struct run *run);
	/** @return what has been measured of this side's operations */
	struct run_tally (*tally)(const struct run *run, enum run_side side);
	/** Free everything, in any phase. */
	void (*close)(struct run *run);
};

struct run {
	const struct options *options;
	const struct stopwatch *stopwatch;
	const struct run_functions *functions;
	void *connections; /**< theirs; NULL = none */
	uint64_t now_tsc;  /**< of this turn */
	struct run_meeting *meeting;
	bool has_arrived;
	enum run_phase phase;
	struct options_work work;
	const struct sockaddr_storage *peer;
	uint64_t start_tsc, stop_tsc;       /**< 0 = not yet */
	uint64_t phase_end_tsc;             /**< WARMING, MEASURING */
	uint64_t failures;                  /**< connections that broke */
	struct run_tally joined[RUN_SIDES]; /**< of other parts */
	bool interrupted;
	struct histogram histogram;
	struct histogram server_histogram; /**< in loopback: of the server's operations */
	struct histogram *parts; /**< of a mix: one of each enum options_op below it; else NULL */
	char error[320];         /**< why it has failed; empty = it has not */
};

/** What belongs to one lcore's part of an operation. */
struct run_part {
	uint32_t index; /**< 0 .. meeting->part_count - 1; has every part_count-th queue pair */
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct run_meeting *meeting;         /**< shared by all parts */
	const struct sockaddr_storage *peer; /**< address of the server */
};

/** Prepare a meeting. */
void run_meeting_open(struct run_meeting *meeting, uint32_t part_count);

/**
 * Begin. What part points to must stay valid until run_close().
 * @param op_index of options_work()
 */
void run_open(struct run *run, const struct options *options, const struct stopwatch *stopwatch,
	const struct run_part *part, unsigned int op_index);

/**
 * Advance the state machine. Call it after each poll of the adapter's engine. @return whether there
 * is more to do.
 */
bool run_turn(struct run *run);

/** End the measurement early; what has been measured counts. */
void run_stop(struct run *run);

/** The rate of the options has changed: post by the new one from now on. */
void run_change_rate(struct run *run);

/** Add the histogram and the figures of another part that has ended to this one. */
void run_join(struct run *run, const struct run *other);

/** @return whether anything was measured. */
bool run_result(const struct run *run, enum run_side side, struct report_row *row);

/** Free everything. */
void run_close(struct run *run);

/** @return the measured time, when it is over. */
double run_seconds(const struct run *run);

/** Add figures to others. */
void run_add_tally(struct run_tally *tally, const struct run_tally *other);

/** A connection has failed: the first sentence counts. After run_stop() none does. */
void run_fail(struct run *run, const char *error);

#endif
