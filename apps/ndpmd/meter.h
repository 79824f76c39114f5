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
 * Counts the losses during the measurement of a run. With --interval, prints a line for each
 * interval. Each line is the difference of two readings of increasing counters, and the final row
 * uses the last reading. Therefore the sum of the lines equals the row.
 */

struct meter {
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct report *report;
	const struct workers *workers;
	bool is_on;                  /**< the measurement has begun */
	uint64_t start_tsc;          /**< start of the measurement */
	uint64_t before_tsc;         /**< time when the previous line was printed */
	struct losses start, before; /**< losses until start_tsc, and losses until before_tsc */
	/** payload of the adapter at the start of the run, in bytes */
	uint64_t bytes;
	struct histogram histogram, histogram_before, part;
};

/** Prepare the meter for the next run of these workers. */
void meter_open(struct meter *meter, const struct options *options,
	const struct stopwatch *stopwatch, struct report *report, const struct workers *workers);

/**
 * Print a line for each interval that is over. Used as workers->each_turn.
 * @param arg a struct meter
 */
void meter_turn(void *arg);

/** Print the last line after the run, and store the losses in the row. */
void meter_end(struct meter *meter, struct report_row *row);

/**
 * Check the figures of a row: all posted operations are complete or outstanding, each complete
 * operation is in the histogram, and the client's adapter has transferred at least the payload.
 * @param why filled with a sentence if a check fails; >= 256 bytes
 */
bool meter_adds_up(const struct meter *meter, const struct report_row *row, char *why, size_t size);

#endif
