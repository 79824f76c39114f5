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
 * Results as a table for people, row by row as they come, and as JSON, CSV and a
 * picture at the end.
 */

struct report_row {
	enum options_op op;
	uint32_t size_bytes, depth, qps;
	uint32_t windows;      /**< standing ones per queue pair, in the JSON only */
	const char *posted_by; /**< with --bidirectional: client or server; else NULL */
	double seconds;
	uint64_t ops;
	uint64_t errors;
	const struct histogram *histogram; /**< of nanoseconds; NULL = not measured at this side */
	/** Of a mix: one for each enum options_op below it, and its weights, 0 = not in it */
	const struct histogram *parts;
	const uint8_t *weights;
	struct losses losses; /**< while this was measured */
	bool is_same_time;    /**< as the row before, and has its losses and faults */
	bool has_losses;      /**< false: report_add() takes those since the last row */

	/* Of a client; in the JSON only. */
	uint64_t posted; /**< since the warm-up: ops + outstanding */
	uint64_t outstanding;
	double rate; /**< operations per second that were asked for; 0 = as many as depth lets */
	uint64_t missed; /**< with a rate: due at the end and not posted */
};

struct json_object;

struct report {
	const struct options *options;
	FILE *json_file, *csv_file; /**< NULL = standard output */
	struct plot plot;
	bool has_header;
	struct json_object *rows;      /**< NULL = no program reads them */
	struct json_object *intervals; /**< before the next row; NULL = none */
	const struct nd_adapter *adapters[2];
	struct losses losses; /**< at the last row */
	struct injected injected;
};

/**
 * @param options must stay valid until report_close()
 * @return false when a file cannot be written; why is a sentence of >= 256 bytes
 */
bool report_open(struct report *report, const struct options *options, char *why, size_t size);

/** Count what these adapters lose from now on; NULL = there is none. */
void report_watch(
	struct report *report, const struct nd_adapter *first, const struct nd_adapter *second);

/** Read the losses so far, as counted by the adapters given to report_watch() and by --inject. */
void report_losses(const struct report *report, struct losses *losses);

/**
 * Print a line about a part of the next row.
 * @param end_seconds time since the beginning of the measurement
 */
void report_interval(struct report *report, const struct report_row *part, double end_seconds);

/** Print one row of the table. */
void report_add(struct report *report, const struct report_row *row);

/** @return new object, a row as in the JSON, without intervals */
struct json_object *report_row_json(const struct report_row *row);

/**
 * Print the JSON objects, one a line, and the table with commas, and draw, as far as it is wanted.
 *
 * @param why >= 256 bytes, filled with a sentence when false is returned
 * @return false when a file could not be written; of standard output, output_close() tells
 */
bool report_close(struct report *report, char *why, size_t size);

#endif
