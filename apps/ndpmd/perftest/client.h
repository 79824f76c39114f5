/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PERFTEST_CLIENT_H
#define NDPDK_PERFTEST_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ndpmd/histogram.h"
#include "side.h"
#include "ndpmd/report.h"

/*
 * A client of perftest's server: connect, exchange items, measure, report the result, disconnect.
 */

enum perftest_client_phase {
	PERFTEST_CLIENT_CONNECTING, /**< for control */
	PERFTEST_CLIENT_TALKING,
	PERFTEST_CLIENT_JOINING, /**< the queue pairs are connected, one after the other */
	PERFTEST_CLIENT_WARMING,
	PERFTEST_CLIENT_MEASURING,
	PERFTEST_CLIENT_DRAINING, /**< nothing new is posted */
	PERFTEST_CLIENT_LEAVING,
	PERFTEST_CLIENT_ENDED,
};

struct perftest_client {
	struct perftest_side side;
	enum perftest_client_phase phase;
	struct sockaddr_storage peer; /**< with the port */
	bool asked;                   /**< the item of this turn has been sent */
	bool interrupted;
	uint64_t start_tsc, stop_tsc; /**< 0 = not yet */
	uint64_t phase_end_tsc;
	uint64_t progress;  /**< WARMING to DRAINING: messages completed and arrived */
	uint64_t stall_tsc; /**< time limit for the next change of progress */
	struct histogram histogram;
	char error[320]; /**< empty = it has not failed */
};

/** Begin. */
void perftest_client_open(struct perftest_client *client, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter,
	const struct sockaddr_storage *peer);

/**
 * Advance the state machine. Call it after each poll of the adapter's engine. @return whether there
 * is more to do.
 */
bool perftest_client_turn(struct perftest_client *client);

/** End the measurement early; what has been measured counts. */
void perftest_client_stop(struct perftest_client *client);

/** @return whether anything was measured. */
bool perftest_client_result(const struct perftest_client *client, struct report_row *row);

/** Free everything. */
void perftest_client_close(struct perftest_client *client);

#endif
