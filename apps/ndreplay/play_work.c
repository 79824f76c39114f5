/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The application of our side: operations, receives, results. */

#include <ndpdk/nd_extension.h>

#include "play_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <rte_byteorder.h>

/** Longest time that an operation waits for its connection, in ns. */
#define CONNECTION_NS     UINT64_C(4000000000)
#define NAK_REMOTE_ACCESS 0x62

/* ---- buffers ---- */

static bool
buffer_make(struct play *play, struct play_buffer *buffer, uint64_t bytes)
{
	buffer->count = (size_t)bytes;
	if (bytes == 0)
		return true;
	buffer->bytes = calloc(1, buffer->count + 8);
	if (buffer->bytes == NULL ||
		nd_failed(nd_adapter_register_memory(
			play->adapter, buffer->bytes, buffer->count, NULL, &buffer->mr))) {
		free(buffer->bytes);
		buffer->bytes = NULL;
		play->outcome->memory_exhausted = true;
		return false;
	}
	return true;
}

static void
buffer_free(struct play *play, struct play_buffer *buffer)
{
	if (buffer->mr != NULL)
		nd_adapter_deregister_memory(play->adapter, buffer->mr, NULL);
	free(buffer->bytes);
	buffer->bytes = NULL;
	buffer->mr = NULL;
}

static bool
buffers_need(struct play_buffer **buffers, size_t *room, size_t count, struct play *play)
{
	if (*buffers != NULL || count == 0)
		return *buffers != NULL;
	*buffers = calloc(count, sizeof(**buffers));
	*room = *buffers == NULL ? 0 : count;
	if (*buffers == NULL)
		play->outcome->memory_exhausted = true;
	return *buffers != NULL;
}

/* ---- operations ---- */

static struct nd_mw_descriptor
descriptor_of(const struct nd_model_operation *operation)
{
	return (struct nd_mw_descriptor){
		.base = rte_cpu_to_be_64(operation->address),
		.length = rte_cpu_to_be_64(operation->bytes > 8 ? operation->bytes : 8),
		.token = htonl(operation->kind == ND_MODEL_SEND_INVALIDATE
				? operation->invalidate_key
				: operation->key),
	};
}

static nd_status
post(struct play *play, struct play_buffer *buffer, const struct nd_model_operation *operation)
{
	struct nd_endpoint *endpoint = play->endpoint;
	struct nd_result *result = &buffer->result;
	const struct nd_mw_descriptor at = descriptor_of(operation);
	const struct nd_sge sge = {buffer->bytes, buffer->count, buffer->mr};
	const size_t count = buffer->count != 0;
	const uint32_t flags = operation->solicited ? ND_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0;
	const uint32_t immediate = htonl(operation->immediate);

	switch (operation->kind) {
	case ND_MODEL_SEND:
		return nd_endpoint_send(endpoint, result, &sge, count, flags);
	case ND_MODEL_SEND_IMMEDIATE:
		return nd_endpoint_send_with_imm(endpoint, result, &sge, count, immediate, flags);
	case ND_MODEL_SEND_INVALIDATE:
		return nd_endpoint_send_and_invalidate(endpoint, result, &sge, count, &at, flags);
	case ND_MODEL_WRITE:
		return nd_endpoint_write(endpoint, result, &sge, count, &at, 0, 0);
	case ND_MODEL_WRITE_IMMEDIATE:
		return nd_endpoint_write_with_imm(
			endpoint, result, &sge, count, &at, 0, immediate, flags);
	case ND_MODEL_READ:
		return nd_endpoint_read(endpoint, result, &sge, count, &at, 0, 0);
	case ND_MODEL_COMPARE_SWAP:
		return nd_endpoint_compare_and_swap(
			endpoint, result, &sge, &at, 0, operation->compare, operation->swap_add, 0);
	case ND_MODEL_FETCH_ADD:
		return nd_endpoint_fetch_and_add(
			endpoint, result, &sge, &at, 0, operation->swap_add, 0);
	case ND_MODEL_OTHER:
		break;
	}
	return ND_NOT_SUPPORTED;
}

static bool
is_connected(const struct play *play, uint64_t argument)
{
	(void)argument;
	return play->ended || play->connected;
}

static bool
is_known(const struct nd_model_operation *operation)
{
	const bool target = operation->kind != ND_MODEL_SEND &&
		operation->kind != ND_MODEL_SEND_IMMEDIATE &&
		operation->kind != ND_MODEL_SEND_INVALIDATE;

	return operation->bytes_known && operation->kind != ND_MODEL_OTHER &&
		(!target || operation->target_known);
}

/**
 * The last operation of a side may have been cut off: its connection ended, or the capture. What
 * was captured of it is sent when it is longer than that.
 *
 * @return whether this is one, so that its length is at least one byte more than was captured
 */
static bool
is_unfinished(const struct play *play, size_t index, const struct nd_model_operation *operation)
{
	const uint64_t mtu = play->connection->path_mtu_bytes;

	return !operation->bytes_known && operation->kind == ND_MODEL_SEND &&
		operation->bytes != 0 && mtu != 0 && operation->bytes % mtu == 0 &&
		index + 1 == play->connection->side[play->ours].operations;
}

bool
play_can_post(const struct play *play, size_t index)
{
	const struct nd_model_operation *operation =
		nd_model_operation(play->model, play->index, play->ours, index);

	return is_known(operation) || is_unfinished(play, index, operation);
}

static void
operation_post(struct play *play, size_t index)
{
	const struct nd_model_operation *operation =
		nd_model_operation(play->model, play->index, play->ours, index);
	const bool atomic =
		operation->kind == ND_MODEL_COMPARE_SWAP || operation->kind == ND_MODEL_FETCH_ADD;
	struct play_buffer *buffer = &play->operations[index];
	uint64_t bytes = atomic ? 8 : operation->bytes;

	if (!play_can_post(play, index)) {
		/* All PSNs behind it would be others. */
		play_unjudged(play, "an operation of our side, and all behind it, is not known");
		play->ended = true;
		return;
	}
	if (is_unfinished(play, index, operation)) {
		bytes = operation->bytes + 1;
		play->unfinished =
			operation->sequence + operation->bytes / play->connection->path_mtu_bytes;
	}
	play_wait(play, is_connected, 0, CONNECTION_NS);
	if (play->ended || play->endpoint == NULL || !buffer_make(play, buffer, bytes))
		return;
	buffer->index = index;
	if (operation->kind != ND_MODEL_READ && !atomic)
		nd_model_payload(play->model, play->index, play->ours, index, 0, buffer->bytes,
			NULL, buffer->count);
	buffer->posted = !nd_failed(post(play, buffer, operation));
	/* After the end of the connection, missing frames are explained. */
	if (!buffer->posted && operation->first_frame < play->end_frame)
		play_unjudged(play, "an operation of our side is not one that the engine posts");
	play_settle(play);
}

void
play_post(struct play *play, size_t operation)
{
	if (!buffers_need(&play->operations, &play->operation_room,
		    play->connection->side[play->ours].operations, play))
		return;
	for (; play->next_operation <= operation && play->next_operation < play->operation_room;
		play->next_operation++)
		operation_post(play, play->next_operation);
}

/* ---- receives ---- */

static void
receive_post(struct play *play, size_t index, uint64_t bytes)
{
	struct play_buffer *buffer = &play->receives[index];
	struct nd_sge sge;

	if (play->endpoint == NULL || !buffer_make(play, buffer, bytes))
		return;
	buffer->index = index;
	buffer->receive = true;
	sge = (struct nd_sge){buffer->bytes, buffer->count, buffer->mr};
	buffer->posted =
		!nd_failed(nd_endpoint_receive(play->endpoint, &buffer->result, &sge, bytes != 0));
	if (!buffer->posted)
		play_unjudged(play, "a receive cannot be posted");
}

/** @return whether the message was retransmitted, as it must be after an RNR NAK if it was taken */
static bool
is_repeated(const struct play *play, const struct nd_model_receive *receive)
{
	const struct nd_model_operation *operation =
		nd_model_operation(play->model, play->index, play->theirs, receive->operation);

	return !receive->taken || operation->repeats != 0 ||
		operation->last_frame > receive->absent_frame;
}

/**
 * @return whether a message that was not accepted was longer than its receive. An unanswered
 *         message may only have been the first after the end of the connection.
 */
static bool
is_too_long(const struct play *play, const struct nd_model_receive *receive)
{
	const struct nd_model_operation *operation =
		nd_model_operation(play->model, play->index, play->theirs, receive->operation);

	return operation->end == ND_MODEL_REFUSED &&
		(operation->kind != ND_MODEL_SEND_INVALIDATE ||
			operation->syndrome != NAK_REMOTE_ACCESS);
}

bool
play_receive(struct play *play, size_t operation, uint64_t number)
{
	const struct nd_model_receive *receive;

	if (!buffers_need(&play->receives, &play->receive_room,
		    play->connection->side[play->ours].receives, play))
		return true;
	while (play->next_receive < play->receive_room &&
		(receive = nd_model_receive(
			 play->model, play->index, play->ours, play->next_receive)) != NULL &&
		receive->operation <= operation) {
		uint64_t bytes = receive->bytes;

		if (receive->absent_frame > number && is_repeated(play, receive))
			return false;
		if (!receive->taken) {
			if (receive->rnr_naks != 0)
				return false;
			if (is_too_long(play, receive))
				bytes = bytes > 1 ? bytes - 1 : 0;
		}
		receive_post(play, play->next_receive++, bytes);
	}
	return true;
}

/* ---- results ---- */

/** Report the first byte that differs without a reason. */
static void
placed_check(struct play *play, const struct play_buffer *buffer, const struct play_read *read,
	const uint8_t *recorded, const uint8_t *known, size_t count)
{
	char expected[48], seen[48];

	for (size_t i = 0; i < count; i++) {
		if (known[i] == 0 || recorded[i] == buffer->bytes[i] ||
			play_read_is_overtaken(read, i))
			continue;
		snprintf(expected, sizeof(expected), "0x%02x at byte %zu", recorded[i], i);
		snprintf(seen, sizeof(seen), "0x%02x", buffer->bytes[i]);
		outcome_difference(play->outcome,
			nd_model_operation(play->model, play->index, read->side, read->operation)
				->first_frame,
			"bytes placed in memory", OUTCOME_UNEXPLAINED, expected, seen);
		return;
	}
}

/** Compare the bytes that the engine put into memory with the recorded bytes. */
static void
bytes_check(struct play *play, const struct play_buffer *buffer)
{
	const unsigned side = buffer->receive ? play->theirs : play->ours;
	size_t operation = buffer->index;
	struct play_read read;
	uint8_t *bytes, *known;
	size_t count;

	if (buffer->receive)
		operation = nd_model_receive(play->model, play->index, play->ours, buffer->index)
				    ->operation;
	if (buffer->count == 0 ||
		(!buffer->receive &&
			nd_model_operation(play->model, play->index, side, operation)->kind !=
				ND_MODEL_READ))
		return;
	bytes = malloc(2 * buffer->count);
	if (bytes == NULL)
		return;
	known = bytes + buffer->count;
	count = nd_model_payload(
		play->model, play->index, side, operation, 0, bytes, known, buffer->count);
	play_read_begin(&read, play, side, operation);
	placed_check(play, buffer, &read, bytes, known, count);
	free(bytes);
}

static bool
is_in(const struct play_buffer *buffers, size_t room, const struct nd_result *result)
{
	const char *at = (const char *)result;

	return buffers != NULL && at >= (const char *)buffers &&
		at < (const char *)(buffers + room);
}

static void
result_take(struct play *play, struct nd_result *result)
{
	struct play_buffer *buffer = (struct play_buffer *)result;

	if (!is_in(play->operations, play->operation_room, result) &&
		!is_in(play->receives, play->receive_room, result))
		return;
	if (result->status != ND_SUCCESS) {
		if (!play->ended && play->number >= play->lacks_frame)
			play->failed_frame = play->number;
		play->ended = true;
	} else {
		bytes_check(play, buffer);
		if (!buffer->receive)
			play->completed++;
	}
	buffer_free(play, buffer);
}

void
play_results(struct play *play)
{
	struct nd_result *results[32];
	size_t count;

	if (play->cq == NULL)
		return;
	while ((count = nd_cq_get_results(play->cq, results, 32)) != 0)
		for (size_t i = 0; i < count; i++)
			result_take(play, results[i]);
}

void
play_work_close(struct play *play)
{
	/* An adapter may be closed with registered memory. Its buffers are freed afterwards. */
	if (play->endpoint != NULL)
		nd_endpoint_release(play->endpoint);
	play_results(play);
	play->endpoint = NULL;
	for (size_t i = 0; i < play->operation_room; i++)
		buffer_free(play, &play->operations[i]);
	for (size_t i = 0; i < play->receive_room; i++)
		buffer_free(play, &play->receives[i]);
	free(play->operations);
	free(play->receives);
	play->operations = play->receives = NULL;
	play->operation_room = play->receive_room = 0;
}
