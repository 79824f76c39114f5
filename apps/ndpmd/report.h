/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_REPORT_H
#define NDPDK_NDPMD_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "histogram.h"
#include "options.h"

/* Results as a table for people, row by row as they come, and as JSON for programs, at the end. */

struct report_row {
	enum options_op op;
	uint32_t size_bytes, depth, qps;
	uint32_t windows; /**< standing ones per queue pair, in the JSON only */
	double seconds;
	uint64_t ops;
	uint64_t errors;
	const struct histogram *histogram; /**< of nanoseconds; NULL = not measured at this side */
};

struct json_object;

struct report {
	bool json;
	FILE *json_file; /**< NULL = standard output */
	bool has_header;
	struct json_object *rows;
};

/** @return false when the file of --json cannot be written; why is a sentence of >= 256 bytes. */
bool report_open(struct report *report, const struct options *options, char *why, size_t size);

/** Print one row of the table. */
void report_add(struct report *report, const struct report_row *row);

/** Print the JSON objects, if wanted, one a line. @return false when they could not be
 * written into their file; of standard output, output_close() tells. */
bool report_close(struct report *report);

#endif
