/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_METER_H
#define NDPDK_NDPMD_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"
#include "losses.h"
#include "report.h"
#include "stopwatch.h"
#include "worker.h"

/*
 * What is told of a run besides its own figures: what was lost while it was measured, and with
 * --interval a line for each part of this time. Each line is the difference of two readings of
 * counts that only grow, and the row at the end has the last reading: so the lines add up to it.
 */

struct meter {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct report *report;
	const struct workers *workers;
	bool is_on;                  /**< the measurement has begun */
	uint64_t start_tsc;          /**< of the measurement */
	uint64_t before_tsc;         /**< of the last line */
	struct losses start, before; /**< at these times */
	uint64_t bytes;              /**< that the client's adapter had moved when the run began */
	struct histogram histogram, histogram_before, part;
};

/** Begin with the next run of these workers. */
void meter_open(struct meter *meter, const struct options *options,
	const struct stopwatch *stopwatch, struct report *report, const struct workers *workers);

/** Look at the time. For workers_order(); @param arg a meter */
void meter_turn(void *arg);

/** The run is over: the last line; and the row gets what was lost. */
void meter_end(struct meter *meter, struct report_row *row);

/**
 * The row checks itself: what was posted is complete or outstanding, each complete operation is in
 * the histogram, and the adapter of the client has moved at least its bytes.
 * @param why >= 256 bytes, filled when not
 */
bool meter_adds_up(const struct meter *meter, const struct report_row *row, char *why, size_t size);

#endif
