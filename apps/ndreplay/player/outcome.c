/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "ndreplay/json_add.h"

static const struct {
	const char *name;
	const char *rule;
} reasons[OUTCOME_REASONS] = {
	[OUTCOME_UNEXPLAINED] = {"unexplained", "no rule allows the difference"},
	[OUTCOME_ACK_COALESCING] = {"ack-coalescing",
		"an ACK covers all PSNs up to its own, so a responder may send fewer or more ACKs"},
	[OUTCOME_CREDITS] = {"credits",
		"a responder announces any number of end-to-end credits, or none"},
	[OUTCOME_ACK_REQUEST] = {"ack-request",
		"the requester decides which packets request an acknowledgement"},
	[OUTCOME_REPEAT] = {"repeat", "timers decide when and how often a packet is retransmitted"},
	[OUTCOME_LOST] = {"lost",
		"the network lost the packet before it reached the place of the capture"},
	[OUTCOME_UNCAPTURED] = {"uncaptured", "frames that were on the wire were not captured"},
	[OUTCOME_CM_SETTING] = {"cm-setting", "each connection manager chooses this value"},
	[OUTCOME_CM_REPEAT] = {"cm-repeat",
		"timers decide how often a CM message is sent, and whether an MRA is sent before "
		"the answer"},
	[OUTCOME_MEMORY] = {"memory",
		"the application may have changed its memory between the two accesses"},
	[OUTCOME_NAK_CODE] = {"nak-code",
		"Soft-RoCE sends another NAK code than the specification requires"},
	[OUTCOME_RNR_TIMER] = {"rnr-timer", "the RNR timer is a setting of the queue pair"},
	[OUTCOME_CONGESTION] = {"congestion",
		"switches mark packets, and a receiver limits the rate of its CNPs"},
	[OUTCOME_READ_SPLIT] = {"read-split",
		"a READ may be retransmitted from its middle, with another opcode, address or "
		"length"},
	[OUTCOME_HEADER] = {"header", "each stack chooses this field of IP or UDP"},
	[OUTCOME_RESERVED] = {"reserved",
		"receivers ignore these reserved bits, and the ICRC does not cover them"},
	[OUTCOME_EARLIER] = {"earlier-attempt",
		"a side that has given up a connection attempt may repeat its old REJ, or refuse "
		"messages of the attempt as unknown"},
	[OUTCOME_AFTER_END] = {"after-end",
		"after the connection has failed or ended, a side sends no data and may "
		"disconnect"},
	[OUTCOME_MSN] = {"msn",
		"a retransmitted answer may carry the newest MSN, and a responder may count a READ "
		"when it accepts the READ"},
	[OUTCOME_NAK_RNR] = {"nak-after-rnr",
		"packets after a packet that got an RNR NAK need no NAK, but Soft-RoCE sends a "
		"NAK"},
	[OUTCOME_NAK_DELAY] = {"nak-delay",
		"a responder may delay the NAK for a gap, and omit the NAK if the reordered "
		"packets arrive"},
	[OUTCOME_CORRUPTED] = {"corrupted",
		"the network changed the frame: its ICRC is wrong, and no field is reliable"},
	[OUTCOME_PEER_DEFECT] = {"peer-defect",
		"Soft-RoCE acknowledges requests that the specification requires it to refuse"},
};

/** Kinds of faults, as they are named in JSON and in text. */
static const struct {
	const char *name, *text;
} fault_kinds[OUTCOME_FAULTS] = {
	[ND_MODEL_FAULT_LOST] = {"lost", "lost"},
	[ND_MODEL_FAULT_REPEATED] = {"repeated", "duplicated"},
	[ND_MODEL_FAULT_REORDERED] = {"reordered", "reordered"},
	[ND_MODEL_FAULT_CORRUPTED] = {"corrupted", "corrupted"},
	[ND_MODEL_FAULT_UNCAPTURED] = {"uncaptured", "not captured"},
};

struct outcome_connection *
outcome_add(struct outcome *outcome, size_t connection, unsigned ours)
{
	struct outcome_connection *grown =
		realloc(outcome->connections, (outcome->connection_count + 1) * sizeof(*grown));

	if (grown == NULL) {
		outcome->memory_exhausted = true;
		return NULL;
	}
	outcome->connections = grown;
	grown += outcome->connection_count++;
	memset(grown, 0, sizeof(*grown));
	grown->connection = connection;
	grown->ours = ours;
	return grown;
}

struct outcome_connection *
outcome_last(struct outcome *outcome)
{
	return &outcome->connections[outcome->connection_count - 1];
}

static struct outcome_difference *
difference_add(struct outcome *outcome)
{
	if (outcome->difference_count == outcome->difference_room) {
		const size_t room =
			outcome->difference_room == 0 ? 64 : 2 * outcome->difference_room;
		struct outcome_difference *grown =
			realloc(outcome->differences, room * sizeof(*grown));

		if (grown == NULL) {
			outcome->memory_exhausted = true;
			return NULL;
		}
		outcome->differences = grown;
		outcome->difference_room = room;
	}
	return &outcome->differences[outcome->difference_count++];
}

void
outcome_replace(struct outcome *outcome, size_t first_difference, const struct outcome *other)
{
	*outcome_last(outcome) = other->connections[other->connection_count - 1];
	outcome->difference_count = first_difference;
	for (size_t i = 0; i < other->difference_count; i++) {
		struct outcome_difference *difference = difference_add(outcome);

		if (difference != NULL)
			*difference = other->differences[i];
	}
	outcome->memory_exhausted = outcome->memory_exhausted || other->memory_exhausted;
}

struct outcome_difference *
outcome_difference(struct outcome *outcome, uint64_t frame, const char *field,
	enum outcome_reason reason, const char *expected, const char *seen)
{
	struct outcome_connection *connection = outcome_last(outcome);
	struct outcome_difference *difference;

	if (reason == OUTCOME_UNEXPLAINED)
		connection->unexplained++;
	else
		connection->explained[reason]++;
	if (reason != OUTCOME_UNEXPLAINED && !outcome->keep_explained)
		return NULL;
	difference = difference_add(outcome);
	if (difference == NULL)
		return NULL;
	*difference = (struct outcome_difference){.frame = frame,
		.connection = connection->connection,
		.field = field,
		.reason = reason};
	snprintf(difference->expected, sizeof(difference->expected), "%s", expected);
	snprintf(difference->seen, sizeof(difference->seen), "%s", seen);
	return difference;
}

void
outcome_unjudged(struct outcome *outcome, uint64_t frame, const char *why)
{
	struct outcome_connection *connection = outcome_last(outcome);
	const size_t room = sizeof(connection->why) / sizeof(connection->why[0]);
	size_t i = 0;

	connection->unjudged++;
	while (i < room - 1 && connection->why[i] != NULL && strcmp(connection->why[i], why) != 0)
		i++;
	connection->why[i] = i < room - 1 ? why : "other reasons";
	if (connection->why_count[i]++ == 0)
		connection->why_frame[i] = frame;
}

void
outcome_free(struct outcome *outcome)
{
	free(outcome->connections);
	free(outcome->differences);
	*outcome = (struct outcome){0};
}

static void
unjudged_print(FILE *out, const struct outcome_connection *connection, size_t index)
{
	fprintf(out, "    %" PRIu64 " not judged: %s", connection->why_count[index],
		connection->why[index]);
	if (connection->why_frame[index] != 0)
		fprintf(out, "; the first is frame %" PRIu64, connection->why_frame[index]);
	fputc('\n', out);
}

static void
connection_print(FILE *out, const struct outcome_connection *connection)
{
	fprintf(out,
		"  connection %zu, %s replayed against %s: %" PRIu64 " frames received, %" PRIu64
		" sent, %" PRIu64 " compared in %" PRIu64 " fields, %" PRIu64 " differences\n",
		connection->connection + 1, connection->address, connection->peer, connection->fed,
		connection->sent, connection->compared, connection->fields,
		connection->unexplained);
	for (unsigned i = OUTCOME_UNEXPLAINED + 1; i < OUTCOME_REASONS; i++)
		if (connection->explained[i] != 0)
			fprintf(out, "    %" PRIu64 " explained, %s: %s\n",
				connection->explained[i], reasons[i].name, reasons[i].rule);
	for (unsigned i = 0; i < sizeof(connection->why) / sizeof(connection->why[0]); i++)
		if (connection->why[i] != NULL)
			unjudged_print(out, connection, i);
}

static void
faults_print(FILE *out, const struct outcome *outcome)
{
	const char *before = "  packets of both sides of the capture:";

	for (unsigned i = 0; i < OUTCOME_FAULTS; i++)
		if (outcome->faults[i] != 0) {
			fprintf(out, "%s %" PRIu64 " %s", before, outcome->faults[i],
				fault_kinds[i].text);
			before = ",";
		}
	if (before[0] == ',')
		fputc('\n', out);
}

void
outcome_print(FILE *out, const char *file, const struct outcome *outcome, bool explained)
{
	uint64_t unexplained = 0, compared = 0, unjudged = 0;

	for (size_t i = 0; i < outcome->connection_count; i++) {
		unexplained += outcome->connections[i].unexplained;
		compared += outcome->connections[i].compared;
		unjudged += outcome->connections[i].unjudged;
	}
	unjudged += outcome->strays;
	fprintf(out,
		"%s: %zu connections, %" PRIu64 " frames compared, %" PRIu64
		" differences, %" PRIu64 " not judged\n",
		file, outcome->connection_count, compared, unexplained, unjudged);
	if (outcome->strays != 0)
		fprintf(out,
			"  %" PRIu64 " frames belong to no known connection and are not "
			"judged; the first is frame %" PRIu64 "\n",
			outcome->strays, outcome->stray_frame);
	if (outcome->copies != 0)
		fprintf(out,
			"  packets were captured more than once: %" PRIu64
			" copies were left out\n",
			outcome->copies);
	if (outcome->backwards != 0)
		fprintf(out,
			"  times run backwards at %" PRIu64 " frames, first at frame %" PRIu64
			": sort the file by time, for example with reordercap, because a frame out "
			"of order looks like a missing frame\n",
			outcome->backwards, outcome->backwards_frame);
	faults_print(out, outcome);
	for (size_t i = 0; i < outcome->connection_count; i++)
		connection_print(out, &outcome->connections[i]);
	for (size_t i = 0; i < outcome->difference_count; i++) {
		const struct outcome_difference *difference = &outcome->differences[i];

		if (difference->reason != OUTCOME_UNEXPLAINED && !explained)
			continue;
		if (difference->frame == 0)
			fputs("  no frame", out);
		else
			fprintf(out, "  frame %" PRIu64, difference->frame);
		fprintf(out, ", connection %zu: %s: expected %s, seen %s (%s)\n",
			difference->connection + 1, difference->field, difference->expected,
			difference->seen, reasons[difference->reason].name);
	}
}

static struct json_object *
connection_json(const struct outcome_connection *connection)
{
	struct json_object *object = json_object_new_object();
	struct json_object *explained = json_object_new_object();
	struct json_object *unjudged = json_object_new_object();
	struct json_object *first = json_object_new_object();

	number_add(object, "connection", connection->connection);
	number_add(object, "side", connection->ours);
	text_add(object, "recovery", connection->selective ? "selective" : "go-back-n");
	text_add(object, "address", connection->address);
	text_add(object, "peer", connection->peer);
	number_add(object, "fed", connection->fed);
	number_add(object, "sent", connection->sent);
	number_add(object, "compared", connection->compared);
	number_add(object, "fields", connection->fields);
	number_add(object, "differences", connection->unexplained);
	for (unsigned i = OUTCOME_UNEXPLAINED + 1; i < OUTCOME_REASONS; i++)
		if (connection->explained[i] != 0)
			number_add(explained, reasons[i].name, connection->explained[i]);
	json_object_object_add(object, "explained", explained);
	for (unsigned i = 0; i < sizeof(connection->why) / sizeof(connection->why[0]); i++)
		if (connection->why[i] != NULL) {
			number_add(unjudged, connection->why[i], connection->why_count[i]);
			number_add(first, connection->why[i], connection->why_frame[i]);
		}
	json_object_object_add(object, "not_judged", unjudged);
	json_object_object_add(object, "first_not_judged", first);
	return object;
}

struct json_object *
outcome_json(const char *file, const char *command, const struct outcome *outcome)
{
	struct json_object *object = json_object_new_object();
	struct json_object *connections = json_object_new_array();
	struct json_object *differences = json_object_new_array();
	struct json_object *faults = json_object_new_object();

	text_add(object, "file", file);
	text_add(object, "command", command);
	number_add(object, "strays", outcome->strays);
	number_add(object, "first_stray", outcome->stray_frame);
	number_add(object, "copies", outcome->copies);
	number_add(object, "backwards", outcome->backwards);
	number_add(object, "backwards_frame", outcome->backwards_frame);
	for (unsigned i = 0; i < OUTCOME_FAULTS; i++)
		number_add(faults, fault_kinds[i].name, outcome->faults[i]);
	json_object_object_add(object, "faults", faults);
	for (size_t i = 0; i < outcome->connection_count; i++)
		json_object_array_add(connections, connection_json(&outcome->connections[i]));
	json_object_object_add(object, "connections", connections);
	for (size_t i = 0; i < outcome->difference_count; i++) {
		const struct outcome_difference *difference = &outcome->differences[i];
		struct json_object *row = json_object_new_object();

		number_add(row, "frame", difference->frame);
		number_add(row, "connection", difference->connection);
		text_add(row, "field", difference->field);
		text_add(row, "expected", difference->expected);
		text_add(row, "seen", difference->seen);
		text_add(row, "reason", reasons[difference->reason].name);
		text_add(row, "rule", reasons[difference->reason].rule);
		json_object_array_add(differences, row);
	}
	json_object_object_add(object, "differences", differences);
	return object;
}
