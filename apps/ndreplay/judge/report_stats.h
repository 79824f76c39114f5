/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_REPORT_STATS_H
#define NDPDK_JUDGE_REPORT_STATS_H

#include <stdint.h>
#include <stdio.h>

#include <ndpdk/nd_trace_stats.h>

/* Statistics as text, and what the text and the JSON of them have in common. */

struct json_object;

/** A side of a connection, sorted by the bytes that it sent. */
struct report_talker {
	size_t index; /**< of the connection */
	unsigned side;
	uint64_t wire_bytes;
};

/** Write one line on a connection: duration, goodput, silences; nothing when it lasted no time. */
void report_stats_line(FILE *out, const struct nd_trace *trace, size_t index);

/** Write all figures of a connection. */
void report_stats_all(FILE *out, const struct nd_trace *trace, size_t index);

/**
 * Write the sides that sent most.
 *
 * @param top maximum number of sides
 * @param first_number number of the first connection in the report
 */
void
report_talkers_print(FILE *out, const struct nd_trace *trace, uint64_t top, size_t first_number);

/** Write a line about incompletely judged items, or nothing. */
void report_coverage_print(FILE *out, const struct nd_trace *trace);

/**
 * @param count filled
 * @return sides that sent something, most first; to be freed; NULL without memory
 */
struct report_talker *report_talkers(const struct nd_trace *trace, size_t *count);

/** @return bits per second over the duration of a connection; 0 when it lasted no time */
double report_rate(uint64_t bytes, const struct nd_trace_stats *stats);

/** @return "between", "send", ...; static text. */
const char *report_time_name(enum nd_trace_time time);

/** @return "fully", "partly", "alone", "none"; static text. */
const char *report_judged_name(enum nd_trace_judged judged);

/** Add the statistics of a connection to its object. */
void report_json_stats(struct json_object *object, const struct nd_trace *trace, size_t index);

/** Add the statistics of a side to its object. */
void report_json_side(
	struct json_object *object, const struct nd_trace *trace, size_t index, unsigned side);

/** @return the incompletely judged items; owned by the caller */
struct json_object *report_json_coverage(const struct nd_trace *trace);

/** @return array of the sides that sent most, at most top; owned by the caller */
struct json_object *report_json_talkers(const struct nd_trace *trace, uint64_t top);

#endif
