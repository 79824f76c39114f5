/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "ndreplay/json_add.h"
#include "live_plot.h"

/*
 * Maximum number of differences, connections and announcements that are printed. Later ones are
 * only counted.
 */
#define TOLD_MAX 1000u

static const struct {
	uint32_t per_100000;
	const char *name;
} percentiles[] = {{50000, "p50"}, {90000, "p90"}, {99000, "p99"}, {99900, "p99.9"}};

#define PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

void
live_report_open(struct live_report *report, const char *file, const char *role, bool json)
{
	memset(report, 0, sizeof(*report));
	report->file = file;
	report->role = role;
	report->json = json;
	if (!json)
		return;
	report->connection_array = json_object_new_array();
	report->difference_array = json_object_new_array();
	report->announcement_array = json_object_new_array();
	report->explained_array = json_object_new_array();
}

static const char *
form_name(enum script_form form)
{
	return form == SCRIPT_BIG       ? "big-endian"
		: form == SCRIPT_LITTLE ? "little-endian"
					: "hexadecimal text";
}

static void
tell_place(struct live_report *report, const struct script *script,
	const struct script_place *place, bool own)
{
	const struct script_key *keys = own ? script->own_keys : script->peer_keys;
	char where[64];

	if (place->message == SCRIPT_PRIVATE)
		snprintf(where, sizeof(where), "private data");
	else
		snprintf(where, sizeof(where), "%s %zu", own ? "operation" : "message",
			place->message);
	if (report->json) {
		struct json_object *object = json_object_new_object();

		if (json_object_array_length(report->announcement_array) >= TOLD_MAX) {
			json_object_put(object);
			return;
		}
		number_add(object, "recorded_connection", script->index + 1);
		text_add(object, "owner", own ? "own" : "peer");
		number_add(object, "key", keys[place->key].value);
		text_add(object, "where", where);
		number_add(object, "key_offset", place->token.at);
		if (place->address.bytes != 0)
			number_add(object, "address_offset", place->address.at);
		text_add(object, "form", form_name(place->token.form));
		json_object_array_add(report->announcement_array, object);
		return;
	}
	printf("recorded connection %zu: %s key 0x%" PRIx32 " is announced in %s at byte %" PRIu32,
		script->index + 1, own ? "own" : "peer's", keys[place->key].value, where,
		place->token.at);
	if (place->address.bytes != 0)
		printf(", its address at byte %" PRIu32, place->address.at);
	printf(", %s\n", form_name(place->token.form));
}

/* Print only the first announcement of each key, because later announcements are similar. */
static void
tell_places(struct live_report *report, const struct script *script, bool own)
{
	const struct script_place *places = own ? script->own_places : script->peer_places;
	const size_t count = own ? script->own_place_count : script->peer_place_count;
	const size_t keys = own ? script->own_key_count : script->peer_key_count;
	const struct script_key *key = own ? script->own_keys : script->peer_keys;
	size_t told = 0;

	for (size_t i = 0; i < keys && told < TOLD_MAX; i++) {
		for (size_t k = 0; k < count; k++) {
			if (places[k].key != i)
				continue;
			tell_place(report, script, &places[k], own);
			told++;
			break;
		}
		if (!key[i].announced && !report->json)
			printf("recorded connection %zu: %s key 0x%" PRIx32
			       " was never announced\n",
				script->index + 1, own ? "own" : "the peer's", key[i].value);
	}
}

void
live_report_script(struct live_report *report, const struct script *script)
{
	tell_places(report, script, true);
	tell_places(report, script, false);
	for (size_t i = 0; !report->json && i < script->operation_count; i++)
		if (script->operations[i].skipped != NULL &&
			!script->operations[i].model->keepalive)
			printf("recorded connection %zu: operation %zu (%s) is skipped: %s\n",
				script->index + 1, i,
				script_kind_name(script->operations[i].model->kind),
				script->operations[i].skipped);
}

void
live_report_difference(struct live_report *report, uint64_t number, const char *where,
	const char *field, const char *expected, const char *seen)
{
	struct json_object *object;

	live_plot_difference(report->plot, false);
	if (report->differences++ >= TOLD_MAX)
		return;
	if (!report->json) {
		printf("connection %" PRIu64 ": %s: %s: expected %s, seen %s\n", number, where,
			field, expected, seen);
		return;
	}
	object = json_object_new_object();
	number_add(object, "connection", number);
	text_add(object, "where", where);
	text_add(object, "field", field);
	text_add(object, "expected", expected);
	text_add(object, "seen", seen);
	json_object_array_add(report->difference_array, object);
}

void
live_report_explained(struct live_report *report, uint64_t number, const char *where,
	const char *seen, const char *why)
{
	struct json_object *object;

	live_plot_difference(report->plot, true);
	if (report->explained++ >= TOLD_MAX)
		return;
	if (!report->json) {
		printf("connection %" PRIu64 ": %s: %s, explained: %s\n", number, where, seen, why);
		return;
	}
	object = json_object_new_object();
	number_add(object, "connection", number);
	text_add(object, "where", where);
	text_add(object, "seen", seen);
	text_add(object, "why", why);
	json_object_array_add(report->explained_array, object);
}

void
live_report_unanswered(struct live_report *report, const char *why)
{
	if (report->unanswered++ == 0)
		fprintf(stderr, "ndreplay %s: nothing%s was compared: %s\n", report->role,
			report->connections != 0 ? " more" : "", why);
}

void
live_report_line(struct live_report *report, const struct live_line *line)
{
	struct json_object *object;

	report->connections++;
	report->operations += line->operations;
	report->messages += line->messages;
	if (line->differences == 0)
		report->complete++;
	if (report->connections > TOLD_MAX)
		return;
	if (!report->json) {
		printf("connection %" PRIu64
		       " (recorded %zu)%s%s: %zu of %zu operations, %zu of %zu "
		       "messages",
			line->number, line->recorded, line->peer[0] != '\0' ? " with " : "",
			line->peer, line->operations, line->operations_recorded, line->messages,
			line->messages_recorded);
		if (line->skipped != 0)
			printf(", %zu skipped", line->skipped);
		printf(", %" PRIu64 " differences, %s\n", line->differences, line->end);
		return;
	}
	object = json_object_new_object();
	number_add(object, "connection", line->number);
	number_add(object, "recorded_connection", line->recorded);
	text_add(object, "peer", line->peer);
	number_add(object, "operations", line->operations);
	number_add(object, "operations_recorded", line->operations_recorded);
	number_add(object, "operations_not_played", line->skipped);
	number_add(object, "messages", line->messages);
	number_add(object, "messages_recorded", line->messages_recorded);
	number_add(object, "differences", line->differences);
	text_add(object, "end", line->end);
	json_object_array_add(report->connection_array, object);
}

static void
tell_times(struct json_object *times, const char *name, const struct histogram *histogram)
{
	struct json_object *object;

	if (histogram->total == 0)
		return;
	if (times == NULL) {
		printf("%-22s %9" PRIu64, name, histogram->total);
		for (size_t i = 0; i < PERCENTILES; i++)
			printf(" %10.2f",
				(double)histogram_percentile(histogram, percentiles[i].per_100000) /
					1e3);
		printf(" %10.2f\n", (double)histogram->max / 1e3);
		return;
	}
	object = json_object_new_object();
	number_add(object, "count", histogram->total);
	for (size_t i = 0; i < PERCENTILES; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_ns", percentiles[i].name);
		number_add(object, key, histogram_percentile(histogram, percentiles[i].per_100000));
	}
	number_add(object, "max_ns", histogram->max);
	json_object_object_add(times, name, object);
}

static void
tell_all_times(const struct live_report *report, struct json_object *times)
{
	uint64_t total = report->answers.total;

	for (unsigned int i = 0; i < ND_MODEL_OTHER; i++)
		total += report->kinds[i].total;
	if (times == NULL && total != 0) {
		printf("%-22s %9s", "time in us", "count");
		for (size_t i = 0; i < PERCENTILES; i++)
			printf(" %10s", percentiles[i].name);
		printf(" %10s\n", "max");
	}
	for (unsigned int i = 0; i < ND_MODEL_OTHER; i++)
		tell_times(times, script_kind_name(i), &report->kinds[i]);
	tell_times(times, "message to answer", &report->answers);
}

static void
close_json(struct live_report *report)
{
	struct json_object *object = json_object_new_object();
	struct json_object *times = json_object_new_object();

	text_add(object, "command", report->role);
	text_add(object, "file", report->file);
	number_add(object, "copies", report->skips.copies);
	number_add(object, "backwards", report->skips.backwards);
	number_add(object, "backwards_frame", report->skips.backwards_frame);
	number_add(object, "connections_played", report->connections);
	number_add(object, "connections_without_difference", report->complete);
	number_add(object, "connections_unanswered", report->unanswered);
	number_add(object, "operations", report->operations);
	number_add(object, "messages", report->messages);
	number_add(object, "differences_found", report->differences);
	number_add(object, "explained_found", report->explained);
	json_object_object_add(object, "explained", report->explained_array);
	json_object_object_add(object, "announcements", report->announcement_array);
	json_object_object_add(object, "connections", report->connection_array);
	json_object_object_add(object, "differences", report->difference_array);
	tell_all_times(report, times);
	json_object_object_add(object, "times", times);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY));
	json_object_put(object);
}

void
live_report_close(struct live_report *report)
{
	if (report->json) {
		close_json(report);
		return;
	}
	if (report->differences > TOLD_MAX)
		printf("%" PRIu64 " further differences\n", report->differences - TOLD_MAX);
	tell_all_times(report, NULL);
	printf("%s: %" PRIu64 " connections, %" PRIu64 " operations, %" PRIu64 " messages, %" PRIu64
	       " differences, %" PRIu64 " explained\n",
		report->file, report->connections, report->operations, report->messages,
		report->differences, report->explained);
}
