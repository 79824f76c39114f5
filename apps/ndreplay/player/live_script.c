/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_types.h>

#define ATTRIBUTE_REQ 0x10u
#define ATTRIBUTE_REP 0x13u
#define ATTRIBUTE_RTU 0x14u
/*
 * Size in bytes of the RDMA IP CM header, which precedes the application's private data in a REQ.
 */
#define IP_CM_HEADER  36u
#define DATA_ALIGN    8u

const char *
script_kind_name(enum nd_model_kind kind)
{
	static const char *const names[] = {
		[ND_MODEL_SEND] = "SEND",
		[ND_MODEL_SEND_IMMEDIATE] = "SEND with immediate",
		[ND_MODEL_SEND_INVALIDATE] = "SEND with invalidate",
		[ND_MODEL_WRITE] = "WRITE",
		[ND_MODEL_WRITE_IMMEDIATE] = "WRITE with immediate",
		[ND_MODEL_READ] = "READ",
		[ND_MODEL_COMPARE_SWAP] = "compare and swap",
		[ND_MODEL_FETCH_ADD] = "fetch and add",
		[ND_MODEL_OTHER] = "other",
	};

	return names[kind];
}

static uint64_t
since(uint64_t time_ns, uint64_t start_ns)
{
	return time_ns > start_ns ? time_ns - start_ns : 0;
}

/* Copy the application's part of the private data in a REQ or REP. */
static size_t
take_private(const struct script *script, const struct nd_model_cm_message *message, uint8_t *to)
{
	size_t from = 0, bytes;

	if (message->attribute == ATTRIBUTE_REQ && script->connection->service_port != 0)
		from = IP_CM_HEADER;
	if (message->private_data == NULL || message->private_bytes <= from)
		return 0;
	bytes = message->private_bytes - from;
	if (bytes > SCRIPT_PRIVATE_BYTES)
		bytes = SCRIPT_PRIVATE_BYTES;
	memcpy(to, message->private_data + from, bytes);
	return bytes;
}

static void
read_handshake(struct script *script)
{
	const struct nd_model_connection *connection = script->connection;
	struct nd_model_cm_message message;

	for (size_t i = 0; i < connection->cm_messages; i++) {
		if (!nd_model_cm(script->model, script->index, i, &message))
			break;
		if (script->start_ns == 0)
			script->start_ns = message.time_ns;
		if (script->end_ns < message.time_ns)
			script->end_ns = message.time_ns;
		if (message.attribute == ATTRIBUTE_REP || message.attribute == ATTRIBUTE_RTU)
			script->up_ns = message.time_ns;
		if (message.repeated ||
			(message.attribute != ATTRIBUTE_REQ && message.attribute != ATTRIBUTE_REP &&
				message.attribute != 0x12))
			continue;
		if (message.side == script->side)
			script->own_data_bytes = take_private(script, &message, script->own_data);
		else
			script->peer_data_bytes = take_private(script, &message, script->peer_data);
	}
	script->rejected = connection->close == ND_MODEL_REJECTED;
}

/* @return the reason why an operation cannot be posted; NULL: it can be posted */
static const char *
why_skipped(const struct nd_model_operation *model)
{
	const bool remote = model->kind >= ND_MODEL_WRITE && model->kind <= ND_MODEL_FETCH_ADD;

	if (model->keepalive)
		return "it is a keepalive";
	if (model->kind == ND_MODEL_OTHER)
		return "the library does not support it";
	if (!model->bytes_known)
		return "its length was not captured";
	if (remote && !model->target_known)
		return "its address and key were not captured";
	return NULL;
}

static size_t
find_peer_key(const struct script *script, const struct nd_model_operation *model)
{
	size_t found = SCRIPT_NONE;

	if (model->kind < ND_MODEL_WRITE && model->kind != ND_MODEL_SEND_INVALIDATE)
		return SCRIPT_NONE;
	for (size_t i = 0; i < script->peer_key_count; i++)
		if (script->peer_keys[i].value ==
			(model->kind == ND_MODEL_SEND_INVALIDATE ? model->invalidate_key
								 : model->key))
			found = i;
	return found;
}

static void
read_operations(struct script *script)
{
	size_t messages = 0;

	for (size_t i = 0; i < script->operation_count; i++) {
		struct script_operation *operation = &script->operations[i];

		operation->model =
			nd_model_operation(script->model, script->index, script->side, i);
		operation->due_ns = since(operation->model->first_ns, script->up_ns);
		operation->skipped = why_skipped(operation->model);
		operation->key = find_peer_key(script, operation->model);
		operation->data_at = script->data_bytes;
		while (messages < script->message_count &&
			script->messages[messages].operation < operation->model->after_messages)
			messages++;
		operation->messages = messages;
		if (operation->skipped != NULL && !operation->model->keepalive)
			script->skipped_count++;
		/* The added alignment makes room for the result of an atomic, too. */
		if (operation->skipped == NULL)
			script->data_bytes += (operation->model->bytes + 2 * DATA_ALIGN - 1) /
				DATA_ALIGN * DATA_ALIGN;
		if (operation->model->end == ND_MODEL_REFUSED ||
			operation->model->end == ND_MODEL_UNANSWERED)
			script->breaks = true;
		if (script->end_ns < operation->model->last_ns)
			script->end_ns = operation->model->last_ns;
	}
}

static void
read_messages(struct script *script)
{
	size_t answered = SCRIPT_NONE;

	for (size_t i = 0; i < script->message_count; i++) {
		struct script_message *message = &script->messages[i];
		const struct nd_model_receive *receive =
			nd_model_receive(script->model, script->index, script->side, i);

		message->operation = receive->operation;
		message->model = nd_model_operation(
			script->model, script->index, !script->side, receive->operation);
		message->bytes = receive->bytes;
		message->time_ns = receive->time_ns;
		message->refused = !receive->taken;
		message->never = !receive->taken && receive->rnr_naks != 0;
		message->late = receive->rnr_naks != 0;
		message->absent_ns = since(receive->absent_ns, script->up_ns);
		/*
		 * The first message of the peer after a message of this side counts as the answer
		 * to that message.
		 */
		message->answers = script_own_message(script, message->model->after_messages);
		if (message->answers == answered)
			message->answers = SCRIPT_NONE;
		else
			answered = message->answers;
		if (message->bytes > script->message_bytes_max)
			script->message_bytes_max = message->bytes;
		if (message->refused)
			script->breaks = true;
		if (script->end_ns < receive->time_ns)
			script->end_ns = receive->time_ns;
	}
}

/* Extend the address range of a key so that it covers the refused uses of the key. */
static void
widen_by_refusals(struct script *script, size_t index, unsigned side, struct script_key *key)
{
	const struct nd_model_refusal *refusal;

	for (size_t i = 0;
		(refusal = nd_model_refusal(script->model, script->index, side, i)) != NULL; i++) {
		if (refusal->key != index)
			continue;
		if (key->low == key->end)
			key->low = refusal->address;
		if (key->only_refused && refusal->address + refusal->bytes > key->end)
			key->end = refusal->address + refusal->bytes;
	}
}

static void
read_keys(struct script *script, unsigned side, struct script_key *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct nd_model_key *model =
			nd_model_key(script->model, script->index, side, i);
		struct script_key *key = &keys[i];

		*key = (struct script_key){
			.value = model->value,
			.only_refused = model->uses == 0,
			.bind_at = SCRIPT_NONE,
			.closed_at = SCRIPT_NONE,
			.area = SCRIPT_NONE,
		};
		if (model->uses != 0) {
			key->low = model->low;
			key->end = model->end;
		}
		widen_by_refusals(script, i, side, key);
		key->rights =
			((model->rights & ND_MODEL_RIGHT_READ) != 0 ? ND_OP_FLAG_ALLOW_READ : 0) |
			((model->rights & ND_MODEL_RIGHT_WRITE) != 0 ? ND_OP_FLAG_ALLOW_WRITE : 0) |
			((model->rights & ND_MODEL_RIGHT_ATOMIC) != 0 ? ND_OP_FLAG_ALLOW_ATOMIC
								      : 0);
	}
}

/*
 * Find keys of this side that became invalid although no captured packet shows this. A refused use
 * of the key proves that the key was invalid. The owner had invalidated the key before it sent the
 * last message that the peer had received before the refused use.
 */
static void
find_closings(struct script *script)
{
	const struct nd_model_refusal *refusal;

	for (size_t i = 0;
		(refusal = nd_model_refusal(script->model, script->index, script->side, i)) != NULL;
		i++) {
		const struct nd_model_operation *use = nd_model_operation(
			script->model, script->index, !script->side, refusal->operation);
		const struct nd_model_key *model;
		struct script_key *key;

		if (refusal->key == ND_MODEL_NONE || use == NULL)
			continue;
		model = nd_model_key(script->model, script->index, script->side, refusal->key);
		key = &script->own_keys[refusal->key];
		if (model->uses == 0 || model->invalidated_frame != 0 ||
			refusal->address < key->low || refusal->address + refusal->bytes > key->end)
			continue;
		if ((refusal->kind == ND_MODEL_READ &&
			    (model->rights & ND_MODEL_RIGHT_READ) == 0) ||
			(refusal->kind == ND_MODEL_WRITE &&
				(model->rights & ND_MODEL_RIGHT_WRITE) == 0))
			continue;
		key->closed_at = script_own_message(script, use->after_messages);
		script->closes_windows |= key->closed_at != SCRIPT_NONE;
	}
}

/* If this side refused an operation, the connection ended, so later messages were lost. */
static void
find_lost_messages(struct script *script)
{
	const struct nd_model_refusal *refusal =
		nd_model_refusal(script->model, script->index, script->side, 0);

	if (refusal == NULL)
		return;
	script->breaks = true;
	for (size_t i = 0; i < script->message_count; i++)
		if (script->messages[i].operation > refusal->operation)
			script->messages[i].lost = true;
}

/*
 * Skip operations with a key that was never announced, because they could access unrelated memory.
 */
static void
skip_unknown_targets(struct script *script)
{
	for (size_t i = 0; i < script->operation_count; i++) {
		struct script_operation *operation = &script->operations[i];
		const struct script_key *key =
			operation->key == SCRIPT_NONE ? NULL : &script->peer_keys[operation->key];

		if (key == NULL || key->announced || key->only_refused ||
			operation->skipped != NULL || operation->model->bytes == 0)
			continue;
		operation->skipped = "its key was never announced";
		script->skipped_count++;
	}
}

/*
 * Find out how the connection ended, and whether the last operations of the peer are invisible to
 * this side (WRITEs, READs and atomics).
 */
static void
read_end(struct script *script)
{
	const struct nd_model_connection *connection = script->connection;
	const size_t count = connection->side[!script->side].operations;
	const struct nd_model_operation *last = count == 0
		? NULL
		: nd_model_operation(script->model, script->index, !script->side, count - 1);

	script->closes = connection->close == ND_MODEL_DISCONNECTED
		? connection->closed_by == script->side
		: script->side == 0;
	if (connection->close == ND_MODEL_FAILED)
		script->breaks = true;
	script->close_due_ns =
		since(connection->close == ND_MODEL_OPEN ? script->end_ns : connection->closed_ns,
			script->up_ns);
	script->peer_acts_last = last != NULL && !script_is_message(last);
}

static bool
allocate(struct script *script)
{
	const struct nd_model_side *own = &script->connection->side[script->side];
	const struct nd_model_side *peer = &script->connection->side[!script->side];

	script->operation_count = own->operations;
	script->message_count = own->receives;
	script->own_key_count = own->keys;
	script->peer_key_count = peer->keys;
	script->operations = calloc(own->operations + 1, sizeof(script->operations[0]));
	script->messages = calloc(own->receives + 1, sizeof(script->messages[0]));
	script->own_keys = calloc(own->keys + 1, sizeof(script->own_keys[0]));
	script->peer_keys = calloc(peer->keys + 1, sizeof(script->peer_keys[0]));
	return script->operations != NULL && script->messages != NULL && script->own_keys != NULL &&
		script->peer_keys != NULL;
}

bool
script_make(struct script *script, const struct nd_model *model, size_t index, unsigned side,
	char *why, size_t size)
{
	*script = (struct script){
		.model = model,
		.connection = nd_model_connection(model, index),
		.index = index,
		.side = side,
	};
	if (!allocate(script)) {
		snprintf(why, size, "memory is exhausted");
		return false;
	}
	read_handshake(script);
	if (script->up_ns == 0 && script->operation_count + script->message_count != 0) {
		const struct nd_model_operation *first = nd_model_operation(model, index, side, 0);
		const struct nd_model_operation *other = nd_model_operation(model, index, !side, 0);

		script->up_ns =
			first == NULL || (other != NULL && other->first_ns < first->first_ns)
			? other->first_ns
			: first->first_ns;
		if (script->start_ns == 0)
			script->start_ns = script->up_ns;
	}
	read_keys(script, side, script->own_keys, script->own_key_count);
	read_keys(script, !side, script->peer_keys, script->peer_key_count);
	read_messages(script);
	read_operations(script);
	find_closings(script);
	find_lost_messages(script);
	read_end(script);
	if (!script_find_announcements(script)) {
		snprintf(why, size, "memory is exhausted");
		return false;
	}
	skip_unknown_targets(script);
	return script_plan_memory(script, why, size);
}

void
script_free(struct script *script)
{
	for (size_t i = 0; i < script->area_count; i++)
		free(script->areas[i].initial);
	for (size_t i = 0; i < script->poke_count; i++)
		free(script->pokes[i].data);
	free(script->operations);
	free(script->messages);
	free(script->own_keys);
	free(script->peer_keys);
	free(script->own_places);
	free(script->peer_places);
	free(script->areas);
	free(script->pokes);
	free(script->checks);
	memset(script, 0, sizeof(*script));
}
