/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_RUN_H
#define NDPDK_NDPMD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"
#include "options.h"
#include "report.h"
#include "session.h"
#include "stopwatch.h"

/*
 * One operation of the list, on all queue pairs or on those of one lcore: connect, warm up,
 * measure, wait for what is outstanding, exchange the verdict, disconnect. The measured time is
 * from the first post after the warm-up to the last completion.
 */

enum run_phase {
	RUN_CONNECTING,
	RUN_WARMING,
	RUN_MEASURING,
	RUN_DRAINING,  /**< nothing new is posted */
	RUN_FINISHING, /**< waits for the target's result */
	RUN_CLOSING,
	RUN_ENDED,
};

/** What may be true of a session; its bit in session->seen. */
enum run_fact {
	RUN_FACT_RUNNING, /**< RUNNING or beyond */
	RUN_FACT_CLOSED,
	RUN_FACT_LEAVING,  /**< DISCONNECTING or CLOSED */
	RUN_FACT_POSTED,   /**< as many operations as the limit says */
	RUN_FACT_COMPLETE, /**< what was posted */
	RUN_FACT_FAILED,
	RUN_FACT_COUNT,
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
	uint64_t ops, errors, posted, outstanding, missed;
};

struct run {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct session *sessions;
	uint32_t session_count;
	uint32_t connect_next;          /**< session to connect */
	uint32_t finish_next;           /**< session to finish */
	uint32_t deadline_next;         /**< session whose deadline is looked at */
	uint32_t facts[RUN_FACT_COUNT]; /**< of how many sessions it is true */
	uint64_t completed;             /**< operations of all sessions */
	struct completions completions;
	struct run_meeting *meeting;
	bool has_arrived;
	enum run_phase phase;
	struct options_work work;
	const struct sockaddr_storage *peer;
	uint64_t start_tsc, stop_tsc; /**< 0 = not yet */
	uint64_t phase_end_tsc;
	uint64_t drained;  /**< operations complete when this last changed, in DRAINING */
	uint64_t failures; /**< connections that broke */
	struct run_tally joined[RUN_SIDES]; /**< of other parts */
	bool is_open_loop;                  /**< there is a --rate */
	uint64_t schedule_tsc;              /**< begin of the schedule */
	bool ends_when_posted;              /**< --iterations are less than the time lets */
	uint64_t missed;       /**< client's operations that were due at the end and not posted */
	uint64_t late_end_tsc; /**< DRAINING: until then those that were due may be posted */
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

#endif
