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
 * One operation of the list on all its queue pairs: connect, warm up, measure, wait for what is
 * outstanding, exchange the verdict, disconnect. The measured time is from the first post after the
 * warm-up to the last completion.
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
	enum run_phase phase;
	enum options_op op;
	const struct sockaddr_storage *peer;
	uint64_t start_tsc, stop_tsc; /**< 0 = not yet */
	uint64_t phase_end_tsc;
	uint64_t drained;  /**< operations complete when this last changed, in DRAINING */
	uint64_t failures; /**< connections that broke */
	bool interrupted;
	struct histogram histogram;
	char error[320]; /**< why it has failed; empty = it has not */
};

/**
 * Begin.
 * @param peer address of the server; must stay valid until run_close()
 * @param op_index in the options' list
 */
void run_open(struct run *run, const struct options *options, const struct stopwatch *stopwatch,
	struct nd_adapter *adapter, const struct sockaddr_storage *peer, unsigned int op_index);

/**
 * Advance the state machine. Call it after each poll of the adapter's engine. @return whether there
 * is more to do.
 */
bool run_turn(struct run *run);

/** End the measurement early; what has been measured counts. */
void run_stop(struct run *run);

/** @return whether anything was measured. */
bool run_result(const struct run *run, struct report_row *row);

/** Free everything. */
void run_close(struct run *run);

#endif
