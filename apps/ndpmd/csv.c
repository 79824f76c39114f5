/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "csv.h"

#include <stddef.h>

#include <json-c/json.h>

/*
 * Each column is a member of the row's object. If outer is not NULL, the column is a member of the
 * object's member outer.
 */
static const struct {
	const char *title, *outer, *key;
} columns[] = {
	{"op", NULL, "op"},
	{"size", NULL, "size"},
	{"depth", NULL, "depth"},
	{"qps", NULL, "qps"},
	{"windows", NULL, "windows"},
	{"seconds", NULL, "seconds"},
	{"ops", NULL, "ops"},
	{"mops", NULL, "mops"},
	{"gbps", NULL, "gbps"},
	{"errors", NULL, "errors"},
	{"retransmitted", NULL, "retransmitted"},
	{"probes", NULL, "probes"},
	{"naks", NULL, "naks"},
	{"rnrs", NULL, "rnrs"},
	{"drops", NULL, "drops"},
	{"p50_ns", "latency_ns", "p50"},
	{"p90_ns", "latency_ns", "p90"},
	{"p99_ns", "latency_ns", "p99"},
	{"p999_ns", "latency_ns", "p999"},
	{"max_ns", "latency_ns", "max"},
	{"posted", NULL, "posted"},
	{"outstanding", NULL, "outstanding"},
	{"rate", NULL, "rate"},
	{"missed", NULL, "missed"},
	{"end", NULL, "end"},
	{"weight", NULL, "weight"},
	{"posted_by", NULL, "posted_by"},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

/* No value contains a comma or a quote, so no value is quoted. */
static const char *
text_of(struct json_object *value)
{
	if (value == NULL)
		return "";
	return json_object_is_type(value, json_type_string) ? json_object_get_string(value)
							    : json_object_to_json_string(value);
}

static void
write_line(FILE *stream, const char *kind, struct json_object *object)
{
	fputs(kind, stream);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		struct json_object *holder = object, *value = NULL;

		if (columns[i].outer != NULL)
			json_object_object_get_ex(object, columns[i].outer, &holder);
		if (holder != NULL)
			json_object_object_get_ex(holder, columns[i].key, &value);
		fprintf(stream, ",%s", text_of(value));
	}
	fputc('\n', stream);
}

static void
write_lines(FILE *stream, const char *kind, struct json_object *row, const char *key)
{
	struct json_object *array = NULL;

	if (!json_object_object_get_ex(row, key, &array))
		return;
	for (size_t i = 0; i < json_object_array_length(array); i++)
		write_line(stream, kind, json_object_array_get_idx(array, i));
}

void
csv_write(FILE *stream, const struct json_object *rows)
{
	fputs("kind", stream);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		fprintf(stream, ",%s", columns[i].title);
	fputc('\n', stream);
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		write_lines(stream, "interval", row, "intervals");
		write_line(stream, "row", row);
		write_lines(stream, "part", row, "parts");
	}
}
