/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_REPORT_H
#define NDPDK_JUDGE_REPORT_H

#include <stdio.h>

#include "check.h"

struct json_object;

struct report_options {
	bool stats;   /**< all statistics */
	uint64_t top; /**< number of busiest senders to print */
};

void
report_text(FILE *out, const struct check_result *result, const struct report_options *options);

/** Write the decoded text of one frame. @param out a FILE */
void report_text_line(void *out, uint64_t frame, const char *text);

/** Add the decoded text of one frame to a JSON array. @param lines a JSON array */
void report_json_line(void *lines, uint64_t frame, const char *text);

/**
 * Write the report about one file as an element of a JSON array, without a trailing newline. The
 * report contains all statistics, independent of options.
 *
 * @param lines array of decoded frames, which becomes part of the report and is released here; or
 *              NULL
 */
void report_json(FILE *out, const struct check_result *result, const struct report_options *options,
	struct json_object *lines);

/** @return how a connection was established, e.g. "established"; static text. */
const char *report_cm_name(enum nd_trace_cm cm);

#endif
