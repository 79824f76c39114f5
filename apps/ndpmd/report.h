/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_REPORT_H
#define NDPDK_NDPMD_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "histogram.h"
#include "injected.h"
#include "losses.h"
#include "options.h"
#include "plot.h"

/*
 * The results. A table is printed on standard output row by row during the run. JSON, CSV and a
 * picture are written at the end.
 */

struct report_row {
	enum options_op op;
	uint32_t size_bytes, depth, qps;
	uint32_t windows;      /**< standing windows of each queue pair; printed only in the JSON */
	const char *posted_by; /**< "client" or "server" with --bidirectional; otherwise NULL */
	double seconds;
	uint64_t ops;
	uint64_t errors;
	const struct histogram *histogram; /**< latency in ns; NULL = not measured here */
	/**
	 * Histogram and weight of each operation before OPTIONS_OP_MIX, for the row of a mix.
	 * Weight 0 means that the operation is not in the mix.
	 */
	const struct histogram *parts;
	const uint8_t *weights;
	struct losses losses; /**< losses during the measurement */
	bool is_same_time;    /**< the row covers the same time as the previous row */
	/** false = report_add() sets losses to the losses since the last row */
	bool has_losses;

	/* Members that only a client sets. They are printed only in the JSON. */
	uint64_t posted; /**< operations posted since the warm-up: ops + outstanding */
	uint64_t outstanding;
	double rate;     /**< operations per second that --rate requests; 0 = limited by depth */
	uint64_t missed; /**< with a rate: operations that were due but were not posted */
};

struct json_object;

struct report {
	const struct options *options;
	FILE *json_file, *csv_file; /**< NULL = standard output */
	struct plot plot;
	bool has_header;
	struct json_object *rows;      /**< NULL = neither JSON, CSV nor picture was requested */
	struct json_object *intervals; /**< intervals that belong to the next row; NULL = none */
	const struct nd_adapter *adapters[2];
	struct losses losses; /**< counts when the last row was added */
	struct injected injected;
};

/**
 * Open the files of the report.
 *
 * @param options must stay valid until report_close()
 * @param why filled with a sentence when false is returned; >= 256 bytes
 * @return false: a file cannot be written
 */
bool report_open(struct report *report, const struct options *options, char *why, size_t size);

/** Count the losses of two adapters from now on. A pointer to an adapter may be NULL. */
void report_watch(
	struct report *report, const struct nd_adapter *first, const struct nd_adapter *second);

/** Read the losses until now, counted by --inject and by the adapters of report_watch(). */
void report_losses(const struct report *report, struct losses *losses);

/**
 * Print the line of an interval.
 * @param part figures of the interval
 * @param end_seconds end of the interval, in seconds since the start of the measurement
 */
void report_interval(struct report *report, const struct report_row *part, double end_seconds);

/** Print one row of the table, and store the row for the other outputs. */
void report_add(struct report *report, const struct report_row *row);

/** @return new JSON object of a row, as --json prints it, but without intervals */
struct json_object *report_row_json(const struct report_row *row);

/**
 * Write the requested outputs: JSON objects (one in each line), CSV and the picture.
 *
 * @param why >= 256 bytes, filled with a sentence when false is returned
 * @return false: a file could not be written. Errors of standard output are not reported here, but
 *         by output_close().
 */
bool report_close(struct report *report, char *why, size_t size);

#endif
