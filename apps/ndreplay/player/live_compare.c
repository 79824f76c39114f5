/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Compares the behaviour of the live peer with the behaviour of the recorded peer. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cycles.h>

#include "live_player.h"

/* Payload is compared in pieces of PIECE bytes. */
#define PIECE 65536u

void
player_differ(struct player *player, const char *where, const char *field, const char *expected,
	const char *seen)
{
	player->found++;
	live_report_difference(player->report, player->number, where, field, expected, seen);
}

static void
differ_number(struct player *player, const char *where, const char *field, uint64_t expected,
	uint64_t seen, const char *unit)
{
	char left[64], right[64];

	snprintf(left, sizeof(left), "%" PRIu64 "%s", expected, unit);
	snprintf(right, sizeof(right), "%" PRIu64 "%s", seen, unit);
	player_differ(player, where, field, left, right);
}

static void
name_operation(char *where, size_t size, const char *what, size_t index,
	const struct nd_model_operation *model)
{
	snprintf(where, size, "%s %zu (%s, frame %" PRIu64 ")", what, index,
		script_kind_name(model->kind), model->first_frame);
}

static uint64_t
elapsed_ns(uint64_t from_tsc)
{
	return (uint64_t)((double)(rte_get_tsc_cycles() - from_tsc) * NS_PER_S /
		(double)rte_get_tsc_hz());
}

struct bytes_seen {
	uint64_t first, count;
	uint8_t expected, seen;
};

static void
compare_bytes(struct bytes_seen *bytes, uint64_t at, const uint8_t *expected, const uint8_t *known,
	const uint8_t *seen, size_t count)
{
	if (memcmp(expected, seen, count) == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		if (known[i] == 0 || expected[i] == seen[i])
			continue;
		if (bytes->count++ == 0) {
			bytes->first = at + i;
			bytes->expected = expected[i];
			bytes->seen = seen[i];
		}
	}
}

static void
differ_bytes(struct player *player, const char *where, const struct bytes_seen *bytes)
{
	char expected[64], seen[96];

	if (bytes->count == 0)
		return;
	snprintf(expected, sizeof(expected), "0x%02x at byte %" PRIu64, bytes->expected,
		bytes->first);
	snprintf(seen, sizeof(seen), "0x%02x, %" PRIu64 " bytes differ", bytes->seen, bytes->count);
	player_differ(player, where, "payload", expected, seen);
}

/*
 * Some bytes of a message announce keys. Clear the flags of these bytes in `known`, so that the
 * bytes are not compared. The message's first announcement has index `place`.
 */
static void
mask(const struct script *script, size_t place, size_t message, uint8_t *known, uint64_t from,
	size_t count)
{
	for (; place < script->peer_place_count && script->peer_places[place].message == message;
		place++) {
		const struct script_number numbers[] = {
			script->peer_places[place].token, script->peer_places[place].address};

		for (unsigned int n = 0; n < 2; n++)
			for (uint32_t i = 0; i < numbers[n].bytes; i++)
				if (numbers[n].at + i >= from && numbers[n].at + i < from + count)
					known[numbers[n].at + i - from] = 0;
	}
}

/* An operation of the capture whose payload is compared. */
struct payload_of {
	unsigned side; /* side that posted it */
	size_t operation;
	size_t message; /* index of a message with possible announcements, or SCRIPT_NONE */
};

static void
compare_payload(struct player *player, const char *where, const struct payload_of *of,
	const uint8_t *seen, uint64_t count)
{
	const struct script *script = player->script;
	uint8_t *expected = malloc(2 * PIECE);
	struct bytes_seen bytes = {0};

	if (player->options->ignore_payload)
		count = 0;
	for (uint64_t at = 0; expected != NULL && at < count; at += PIECE) {
		const size_t wanted = count - at < PIECE ? (size_t)(count - at) : PIECE;
		const size_t got = nd_model_payload(script->model, script->index, of->side,
			of->operation, at, expected, expected + PIECE, wanted);

		if (of->message != SCRIPT_NONE)
			mask(script, script->messages[of->message].place, of->message,
				expected + PIECE, at, got);
		compare_bytes(&bytes, at, expected, expected + PIECE, seen + at, got);
	}
	free(expected);
	differ_bytes(player, where, &bytes);
}

void
player_compare_private(struct player *player)
{
	const struct script *script = player->script;
	uint8_t data[256] = {0}, known[SCRIPT_PRIVATE_BYTES];
	struct bytes_seen bytes = {0};
	size_t length = sizeof(data), first = script->peer_place_count;
	char text[96];

	if (nd_connector_get_connection_data(player->link.connector, NULL, NULL, data, &length) !=
		ND_SUCCESS)
		return;
	player_learn(player, 0, SCRIPT_PRIVATE, data, length);
	if (script->peer_data_bytes == 0 || player->options->ignore_payload)
		return;
	while (first > 0 && script->peer_places[first - 1].message == SCRIPT_PRIVATE)
		first--;
	memset(known, 1, sizeof(known));
	mask(script, first, SCRIPT_PRIVATE, known, 0, sizeof(known));
	compare_bytes(&bytes, 0, script->peer_data, known, data, script->peer_data_bytes);
	snprintf(text, sizeof(text), "%" PRIu64 " bytes differ, the first at byte %" PRIu64,
		bytes.count, bytes.first);
	if (bytes.count != 0)
		live_report_explained(player->report, player->number, "private data", text,
			"private data may contain keys and addresses that the capture does not "
			"use");
}

/* Compare the content of WRITEs that arrived before this message. */
static void
compare_writes(struct player *player, size_t from, size_t message)
{
	const struct script *script = player->script;
	char where[96];

	for (; from < script->check_count && script->checks[from].message == message; from++) {
		const struct script_check *check = &script->checks[from];
		const struct nd_model_operation *model = nd_model_operation(
			script->model, script->index, !script->side, check->operation);

		name_operation(where, sizeof(where), "peer's operation", check->operation, model);
		compare_payload(player, where,
			&(struct payload_of){!script->side, check->operation, SCRIPT_NONE},
			player->areas[check->area].bytes + check->offset, model->bytes);
	}
}

/* Check that the peer has invalidated the same window as in the capture, and no other window. */
static void
compare_invalidation(
	struct player *player, const char *where, const struct nd_model_operation *model)
{
	const struct script *script = player->script;
	const bool should = model->kind == ND_MODEL_SEND_INVALIDATE;
	bool has = false, mapped = false;
	char expected[64];

	for (size_t i = 0; i < script->own_key_count; i++) {
		const bool named = should && script->own_keys[i].value == model->invalidate_key &&
			script->own_keys[i].rights != 0;

		mapped |= named;
		if (!player->windows[i].was_invalidated)
			continue;
		player->windows[i].was_invalidated = false;
		has = has || named;
		if (!named)
			player_differ(player, where, "invalidation", "no other invalidation",
				"another window is invalidated");
	}
	snprintf(expected, sizeof(expected), "the window of key 0x%" PRIx32 " is invalidated",
		model->invalidate_key);
	if (mapped && !has)
		player_differ(player, where, "invalidation", expected, "not invalidated");
}

static void
compare_immediate(struct player *player, const char *where, const struct nd_model_operation *model,
	const struct nd_result *result)
{
	const bool should =
		model->kind == ND_MODEL_SEND_IMMEDIATE || model->kind == ND_MODEL_WRITE_IMMEDIATE;
	const bool has = (result->flags & ND_RESULT_WITH_IMM) != 0;
	const uint32_t seen = rte_be_to_cpu_32(result->imm_data);
	char left[32], right[32];

	snprintf(left, sizeof(left), should ? "0x%08" PRIx32 : "none", model->immediate);
	snprintf(right, sizeof(right), has ? "0x%08" PRIx32 : "none", seen);
	if (should != has || (should && seen != model->immediate))
		player_differ(player, where, "immediate data", left, right);
}

static void
compare_recorded(struct player *player, size_t index, const struct slot *slot)
{
	const struct script *script = player->script;
	const struct script_message *message = &script->messages[index];
	const struct nd_model_operation *model = message->model;
	const struct nd_result *result = &slot->result;
	const bool written = (result->flags & ND_RESULT_WRITE) != 0;
	const uint8_t *bytes = player->inbox + slot->index * player->receive_bytes;
	char where[96];

	name_operation(where, sizeof(where), "message", index, model);
	if (!written)
		player_learn(player, message->place, index, bytes, result->bytes_transferred);
	if (written != (model->kind == ND_MODEL_WRITE_IMMEDIATE))
		player_differ(player, where, "kind", script_kind_name(model->kind),
			written ? "WRITE with immediate" : "SEND");
	if (result->bytes_transferred != model->bytes)
		differ_number(
			player, where, "length", model->bytes, result->bytes_transferred, " bytes");
	compare_immediate(player, where, model, result);
	compare_invalidation(player, where, model);
	if (!written && model->kind != ND_MODEL_WRITE_IMMEDIATE)
		compare_payload(player, where,
			&(struct payload_of){!script->side, message->operation, index}, bytes,
			RTE_MIN((uint64_t)result->bytes_transferred, model->bytes));
	compare_writes(player, message->check, index);
	if (message->answers != SCRIPT_NONE &&
		player->operation_slots[message->answers].posted_tsc != 0)
		histogram_record(&player->report->answers,
			elapsed_ns(player->operation_slots[message->answers].posted_tsc));
}

void
player_compare_message(struct player *player, struct slot *slot)
{
	const struct script *script = player->script;
	const size_t index = player->received;
	const struct nd_result *result = &slot->result;
	char where[64];

	if (result->status != ND_SUCCESS) {
		const bool refused =
			index < script->message_count && script->messages[index].refused;

		player->lost = true;
		snprintf(where, sizeof(where), "message %zu", index);
		if (result->status != ND_CANCELED && !refused)
			player_differ(player, where, "status", "ND_SUCCESS",
				nd_status_name(result->status));
		return;
	}
	player->progress_tsc = rte_get_tsc_cycles();
	player->received++;
	if (index < script->message_count) {
		compare_recorded(player, index, slot);
		return;
	}
	snprintf(where, sizeof(where), "message %zu", index);
	differ_number(player, where, "messages of the peer", script->message_count, index + 1, "");
}

static void
compare_result(struct player *player, size_t index, const char *where)
{
	const struct script *script = player->script;
	const struct script_operation *operation = &script->operations[index];
	const struct nd_model_operation *model = operation->model;
	const uint8_t *bytes = player->data + operation->data_at;
	char left[32], right[32];
	uint64_t seen;

	if (model->kind == ND_MODEL_READ)
		compare_payload(player, where,
			&(struct payload_of){script->side, index, SCRIPT_NONE}, bytes,
			model->bytes);
	if ((model->kind != ND_MODEL_COMPARE_SWAP && model->kind != ND_MODEL_FETCH_ADD) ||
		!model->original_known)
		return;
	memcpy(&seen, bytes, sizeof(seen));
	snprintf(left, sizeof(left), "0x%" PRIx64, model->original);
	snprintf(right, sizeof(right), "0x%" PRIx64, seen);
	if (seen != model->original)
		player_differ(player, where, "original remote data", left, right);
}

/* Compare the status of an operation that failed in the replay with the capture. */
static void
compare_failure(struct player *player, size_t index, const char *where, nd_status status)
{
	const struct nd_model_operation *model = player->script->operations[index].model;
	const bool refused = model->end == ND_MODEL_REFUSED;

	player->lost = true;
	/* Report only the first failure, because it causes the later failures. */
	if (status == ND_CANCELED || player->failed++ != 0)
		return;
	if (refused && status != ND_REMOTE_ERROR)
		player_differ(player, where, "status", "ND_REMOTE_ERROR", nd_status_name(status));
	else if (!refused && model->end != ND_MODEL_UNANSWERED)
		player_differ(player, where, "status", "ND_SUCCESS", nd_status_name(status));
}

void
player_compare_operation(struct player *player, struct slot *slot)
{
	const struct script_operation *operation = &player->script->operations[slot->index];
	const struct nd_model_operation *model = operation->model;
	const nd_status status = slot->result.status;
	char where[96];

	name_operation(where, sizeof(where), "operation", slot->index, model);
	if (status != ND_SUCCESS) {
		compare_failure(player, slot->index, where, status);
		return;
	}
	player->done_operations = slot->index + 1;
	player->progress_tsc = rte_get_tsc_cycles();
	histogram_record(&player->report->kinds[model->kind], elapsed_ns(slot->posted_tsc));
	if (model->end == ND_MODEL_REFUSED)
		player_differ(player, where, "status", "refused", "ND_SUCCESS");
	compare_result(player, slot->index, where);
}

void
player_compare_rest(struct player *player)
{
	const struct script *script = player->script;
	size_t first = script->check_count;

	while (first > 0 && script->checks[first - 1].message == SCRIPT_NONE)
		first--;
	compare_writes(player, first, SCRIPT_NONE);
}
