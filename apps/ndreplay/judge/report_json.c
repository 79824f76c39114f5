/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "ndreplay/json_add.h"
#include "report.h"
#include "report_stats.h"

void
report_json_line(void *lines, uint64_t frame, const char *text)
{
	struct json_object *line = json_object_new_object();

	number_add(line, "frame", frame);
	text_add(line, "text", text);
	json_object_array_add(lines, line);
}

static struct json_object *
side_object(const struct nd_trace_side *side)
{
	struct json_object *object = json_object_new_object();

	text_add(object, "address", side->address);
	number_add(object, "qpn", side->qpn);
	number_add(object, "packets", side->packets);
	number_add(object, "sends", side->sends);
	number_add(object, "sends_invalidate", side->sends_invalidate);
	number_add(object, "writes", side->writes);
	number_add(object, "reads", side->reads);
	number_add(object, "atomics", side->atomics);
	number_add(object, "bytes", side->bytes);
	number_add(object, "retransmitted", side->retransmitted);
	number_add(object, "acks", side->acks);
	number_add(object, "naks_sequence", side->naks_sequence);
	number_add(object, "naks_fatal", side->naks_fatal);
	number_add(object, "naks_invalid", side->naks_invalid);
	number_add(object, "naks_access", side->naks_access);
	number_add(object, "naks_operation", side->naks_operation);
	number_add(object, "rnr_naks", side->rnr_naks);
	number_add(object, "cnps", side->cnps);
	return object;
}

static struct json_object *
connection_object(const struct nd_trace *trace, size_t index)
{
	const struct nd_trace_connection *connection = nd_trace_connection(trace, index);
	struct json_object *object = json_object_new_object();
	struct json_object *sides = json_object_new_array();

	text_add(object, "cm", report_cm_name(connection->cm));
	number_add(object, "reject_reason", connection->reject_reason);
	number_add(object, "path_mtu", connection->path_mtu_bytes);
	number_add(object, "first_frame", connection->first_frame);
	number_add(object, "last_frame", connection->last_frame);
	report_json_stats(object, trace, index);
	for (unsigned i = 0; i < 2; i++) {
		struct json_object *side = side_object(&connection->side[i]);

		report_json_side(side, trace, index, i);
		json_object_array_add(sides, side);
	}
	json_object_object_add(object, "sides", sides);
	return object;
}

static struct json_object *
violation_object(const struct nd_trace_violation *violation)
{
	struct json_object *object = json_object_new_object();

	number_add(object, "frame", violation->frame);
	text_add(object, "rule", violation->rule);
	text_add(object, "demand", nd_trace_rule_sentence(violation->rule));
	text_add(object, "text", violation->text);
	text_add(object, "sender", violation->sender);
	text_add(object, "receiver", violation->receiver);
	if (violation->connection != ND_TRACE_NO_CONNECTION) {
		number_add(object, "connection", violation->connection);
		number_add(object, "side", violation->side);
	}
	return object;
}

static struct json_object *
violations_array(const struct nd_trace *trace,
	const struct nd_trace_violation *(*at)(const struct nd_trace *trace, size_t index))
{
	struct json_object *array = json_object_new_array();
	const struct nd_trace_violation *violation;

	for (size_t i = 0; (violation = at(trace, i)) != NULL; i++)
		json_object_array_add(array, violation_object(violation));
	return array;
}

static struct json_object *
skips_object(const struct check_result *result)
{
	struct json_object *object = json_object_new_object();

	number_add(object, "filter", result->skips.by_filter);
	number_add(object, "range", result->skips.by_range);
	number_add(object, "connection", result->skipped_by_connection);
	number_add(object, "link_type", result->skips.by_link_type);
	number_add(object, "copies", result->skips.copies);
	return object;
}

/*
 * JSON objects of connections are large: 60 000 objects together would need 1.3 GB. Therefore each
 * object is printed and released before the next object is created.
 */

/* Print text and indent each line by `indent` columns. */
static void
lines_print(FILE *out, const char *text, size_t length, int indent)
{
	const char *end = text + length;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		const size_t bytes = (size_t)((line_end == NULL ? end : line_end) - text);

		fprintf(out, "%*s%.*s", indent, "", (int)bytes, text);
		text += bytes;
		if (line_end != NULL) {
			fputc('\n', out);
			text++;
		}
	}
}

/* Print the members of an object without its braces, and release the object. */
static void
members_print(FILE *out, struct json_object *object, int indent)
{
	size_t length;
	const char *text =
		json_object_to_json_string_length(object, JSON_C_TO_STRING_PRETTY, &length);

	/* Leave out "{\n" at the start and "\n}" at the end of the text. */
	lines_print(out, text + 2, length - 4, indent);
	json_object_put(object);
}

static void
connections_print(FILE *out, const struct nd_trace *trace)
{
	const size_t count = nd_trace_connection_count(trace);

	if (count == 0) {
		fputs("    \"connections\":[],\n", out);
		return;
	}
	fputs("    \"connections\":[\n", out);
	for (size_t i = 0; i < count; i++) {
		fputs("      {\n", out);
		members_print(out, connection_object(trace, i), 6);
		fprintf(out, "\n      }%s\n", i + 1 == count ? "" : ",");
	}
	fputs("    ],\n", out);
}

/* Create the JSON members of a file's report that come before the connections. */
static struct json_object *
head_object(const struct check_result *result, const struct report_options *options)
{
	struct json_object *object = json_object_new_object();
	struct nd_trace_totals totals;

	text_add(object, "file", result->file);
	if (result->trace == NULL)
		return object;
	nd_trace_totals(result->trace, &totals);
	number_add(object, "frames", totals.frames);
	number_add(object, "roce_packets", totals.roce_packets);
	number_add(object, "icrc_ok", totals.icrc_ok);
	number_add(object, "icrc_bad", totals.icrc_bad);
	number_add(object, "icrc_ignored", totals.icrc_ignored);
	number_add(object, "malformed", totals.malformed);
	number_add(object, "truncated", totals.truncated);
	number_add(object, "hidden", totals.hidden);
	number_add(object, "roce_v1", totals.roce_v1);
	number_add(object, "cm_messages", totals.cm_messages);
	number_add(object, "backwards", result->skips.backwards);
	number_add(object, "backwards_frame", result->skips.backwards_frame);
	json_object_object_add(object, "excluded", skips_object(result));
	json_object_object_add(object, "coverage", report_json_coverage(result->trace));
	if (options->top != 0)
		json_object_object_add(
			object, "top", report_json_talkers(result->trace, options->top));
	return object;
}

static void
tail_add(struct json_object *object, const struct nd_trace *trace)
{
	number_add(object, "violations_found", nd_trace_violation_count(trace));
	json_object_object_add(object, "violations", violations_array(trace, nd_trace_violation));
	number_add(object, "doubts_found", nd_trace_doubt_count(trace));
	json_object_object_add(object, "doubts", violations_array(trace, nd_trace_doubt));
	json_object_object_add(object, "damages", violations_array(trace, nd_trace_damage));
}

void
report_json(FILE *out, const struct check_result *result, const struct report_options *options,
	struct json_object *lines)
{
	struct json_object *tail = json_object_new_object();

	fputs("  {\n", out);
	members_print(out, head_object(result, options), 2);
	if (result->trace != NULL) {
		fputs(",\n", out);
		connections_print(out, result->trace);
		tail_add(tail, result->trace);
	}
	if (result->error[0] != '\0')
		text_add(tail, "error", result->error);
	if (lines != NULL)
		json_object_object_add(tail, "lines", lines);
	if (result->trace == NULL && json_object_object_length(tail) != 0)
		fputs(",\n", out);
	if (json_object_object_length(tail) != 0)
		members_print(out, tail, 2);
	else
		json_object_put(tail);
	fputs("\n  }", out);
}
