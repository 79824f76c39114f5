/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_REPORT_H
#define NDPDK_JUDGE_REPORT_H

#include <stdio.h>

#include "check.h"

struct json_object;

/** Optional parts of a report. */
struct report_options {
	bool stats;   /**< all statistics */
	uint64_t top; /**< number of busiest senders to print */
};

/** Write the block of text of one file. */
void
report_text(FILE *out, const struct check_result *result, const struct report_options *options);

/** Write one frame's decoding; the argument is a FILE. */
void report_text_line(void *out, uint64_t frame, const char *text);

/** Add one frame's decoding; the argument is a JSON array. */
void report_json_line(void *lines, uint64_t frame, const char *text);

/**
 * Write the object of one file as an element of an array, without a trailing newline. The object
 * contains all statistics, whatever options say.
 *
 * @param lines array of decoded frames that becomes part of the object, or NULL; released here
 */
void report_json(FILE *out, const struct check_result *result, const struct report_options *options,
	struct json_object *lines);

/** @return how a connection came up, e.g. "established"; static text. */
const char *report_cm_name(enum nd_trace_cm cm);

#endif
