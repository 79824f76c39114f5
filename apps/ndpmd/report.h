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
 * Results as a table on standard output, row by row during the run, and as JSON, CSV and a picture
 * at the end.
 */

struct report_row {
	enum options_op op;
	uint32_t size_bytes, depth, qps;
	uint32_t windows;      /**< standing windows per queue pair, only in the JSON */
	const char *posted_by; /**< with --bidirectional: client or server; else NULL */
	double seconds;
	uint64_t ops;
	uint64_t errors;
	const struct histogram *histogram; /**< latency in ns; NULL = not measured at this side */
	/** Mix: histogram and weight of each operation below OPTIONS_OP_MIX; 0 = not in it */
	const struct histogram *parts;
	const uint8_t *weights;
	struct losses losses; /**< losses during the measurement */
	bool is_same_time;    /**< same time, losses and faults as the previous row */
	bool has_losses;      /**< false: report_add() sets losses to those since the last row */

	/* Client only, in the JSON only. */
	uint64_t posted; /**< operations since the warm-up: ops + outstanding */
	uint64_t outstanding;
	double rate;     /**< requested operations per second; 0 = limited only by depth */
	uint64_t missed; /**< with a rate: operations that were due and not posted */
};

struct json_object;

struct report {
	const struct options *options;
	FILE *json_file, *csv_file; /**< NULL = standard output */
	struct plot plot;
	bool has_header;
	struct json_object *rows;      /**< NULL = neither JSON, CSV nor picture was requested */
	struct json_object *intervals; /**< intervals of the next row; NULL = none */
	const struct nd_adapter *adapters[2];
	struct losses losses; /**< losses at the last row */
	struct injected injected;
};

/**
 * @param options must stay valid until report_close()
 * @param why filled with a sentence when false is returned; >= 256 bytes
 * @return false: a file cannot be written
 */
bool report_open(struct report *report, const struct options *options, char *why, size_t size);

/** Count the losses of these adapters from now on. An adapter may be NULL. */
void report_watch(
	struct report *report, const struct nd_adapter *first, const struct nd_adapter *second);

/** Read the losses so far, as counted by the adapters given to report_watch() and by --inject. */
void report_losses(const struct report *report, struct losses *losses);

/**
 * Print the line of an interval.
 * @param part figures of the interval
 * @param end_seconds end of the interval: time since the start of the measurement
 */
void report_interval(struct report *report, const struct report_row *part, double end_seconds);

/** Print one row of the table. */
void report_add(struct report *report, const struct report_row *row);

/** @return new object: the row as in the JSON, without intervals */
struct json_object *report_row_json(const struct report_row *row);

/**
 * Write the requested outputs: JSON objects, one per line, CSV and picture.
 *
 * @param why >= 256 bytes, filled with a sentence when false is returned
 * @return false: a file could not be written; output_close() reports errors of standard output
 */
bool report_close(struct report *report, char *why, size_t size);

#endif
