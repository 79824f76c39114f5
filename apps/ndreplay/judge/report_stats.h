/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_REPORT_STATS_H
#define NDPDK_JUDGE_REPORT_STATS_H

#include <stdint.h>
#include <stdio.h>

#include <ndpdk/nd_trace_stats.h>

/*
 * Prints statistics as text. This file also declares functions that the text report and the JSON
 * report share.
 */

struct json_object;

/** One side of a connection. An array of sides is sorted by the bytes that each side sent. */
struct report_talker {
	size_t index; /**< index of the connection in the trace */
	unsigned side;
	uint64_t wire_bytes;
};

/**
 * Write one line about a connection: duration, goodput and silences. Write nothing if the duration
 * is 0.
 */
void report_stats_line(FILE *out, const struct nd_trace *trace, size_t index);

void report_stats_all(FILE *out, const struct nd_trace *trace, size_t index);

/**
 * Write the sides that sent most bytes.
 *
 * @param top maximum number of sides
 * @param first_number number that the report gives to the first connection
 */
void
report_talkers_print(FILE *out, const struct nd_trace *trace, uint64_t top, size_t first_number);

/**
 * Write one line about the items that could not be judged completely. If there are no such items,
 * write nothing.
 */
void report_coverage_print(FILE *out, const struct nd_trace *trace);

/**
 * @param[out] count number of returned sides
 * @return array of the sides that sent something, sorted by bytes in descending order. The caller
 *         frees it. NULL: out of memory
 */
struct report_talker *report_talkers(const struct nd_trace *trace, size_t *count);

/** @return bits per second over the duration of a connection; 0 if the duration is 0 */
double report_rate(uint64_t bytes, const struct nd_trace_stats *stats);

/** @return name of a kind of time, e.g. "between" or "send"; static text */
const char *report_time_name(enum nd_trace_time time);

/** @return "fully", "partly", "alone" or "none"; static text */
const char *report_judged_name(enum nd_trace_judged judged);

/** Add the statistics of a connection to the JSON object of the connection. */
void report_json_stats(struct json_object *object, const struct nd_trace *trace, size_t index);

/** Add the statistics of one side to the JSON object of the side. */
void report_json_side(
	struct json_object *object, const struct nd_trace *trace, size_t index, unsigned side);

/** @return numbers of items that could not be judged completely; owned by the caller */
struct json_object *report_json_coverage(const struct nd_trace *trace);

/** @return JSON array of at most `top` sides that sent most bytes; owned by the caller */
struct json_object *report_json_talkers(const struct nd_trace *trace, uint64_t top);

#endif
