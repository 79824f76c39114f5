/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Replaces the application of our side: posts operations and receives, and processes results. */

#include <ndpdk/nd_extension.h>

#include "play_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <rte_byteorder.h>

#include "play_read.h"

/** Maximum time in ns that an operation waits until its connection is established. */
#define CONNECTION_NS     UINT64_C(4000000000)
#define NAK_REMOTE_ACCESS 0x62

/* ---- buffers ---- */

static bool
buffer_make(struct play_work *work, struct play_buffer *buffer, uint64_t bytes)
{
	buffer->count = (size_t)bytes;
	if (bytes == 0)
		return true;
	buffer->bytes = calloc(1, buffer->count + 8);
	if (buffer->bytes == NULL ||
		nd_failed(nd_adapter_register_memory(
			work->engine->adapter, buffer->bytes, buffer->count, NULL, &buffer->mr))) {
		free(buffer->bytes);
		buffer->bytes = NULL;
		work->engine->outcome->memory_exhausted = true;
		return false;
	}
	return true;
}

static void
buffer_free(struct play_work *work, struct play_buffer *buffer)
{
	if (buffer->mr != NULL)
		nd_adapter_deregister_memory(work->engine->adapter, buffer->mr, NULL);
	free(buffer->bytes);
	buffer->bytes = NULL;
	buffer->mr = NULL;
}

static bool
buffers_need(struct play_buffer **buffers, size_t *room, size_t count, struct play_work *work)
{
	if (*buffers != NULL || count == 0)
		return *buffers != NULL;
	*buffers = calloc(count, sizeof(**buffers));
	*room = *buffers == NULL ? 0 : count;
	if (*buffers == NULL)
		work->engine->outcome->memory_exhausted = true;
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
post(struct play_work *work, struct play_buffer *buffer, const struct nd_model_operation *operation)
{
	struct nd_endpoint *endpoint = work->engine->endpoint;
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
is_connected(const void *of, uint64_t argument)
{
	const struct play_engine *engine = of;

	(void)argument;
	return engine->ended || engine->connected;
}

static void
operation_post(struct play_work *work, size_t index)
{
	const struct nd_model_operation *operation = play_own_operation(work->recorded, index);
	const bool atomic =
		operation->kind == ND_MODEL_COMPARE_SWAP || operation->kind == ND_MODEL_FETCH_ADD;
	struct play_buffer *buffer = &work->operations[index];
	uint64_t bytes = atomic ? 8 : operation->bytes;

	if (!play_can_post(work->recorded, index)) {
		/* Stop, because all later operations would get wrong PSNs. */
		play_unjudged(work->engine,
			"an unknown operation of the replayed side, and all operations after it");
		work->engine->ended = true;
		return;
	}
	if (play_is_unfinished(work->recorded, index)) {
		bytes = operation->bytes + 1;
		work->unfinished = operation->sequence +
			operation->bytes / work->recorded->connection->path_mtu_bytes;
	}
	play_wait(&work->engine->clock, is_connected, work->engine, 0, CONNECTION_NS);
	if (work->engine->ended || work->engine->endpoint == NULL ||
		!buffer_make(work, buffer, bytes))
		return;
	buffer->index = index;
	if (operation->kind != ND_MODEL_READ && !atomic)
		nd_model_payload(work->recorded->model, work->recorded->index, work->recorded->ours,
			index, 0, buffer->bytes, NULL, buffer->count);
	buffer->posted = !nd_failed(post(work, buffer, operation));
	/* After the end of the connection, missing frames are explained differences. */
	if (!buffer->posted && operation->first_frame < work->recorded->end_frame)
		play_unjudged(work->engine, "an operation of the replayed side cannot be posted");
	play_settle(&work->engine->clock);
}

void
play_post(struct play_work *work, size_t operation)
{
	if (!buffers_need(&work->operations, &work->operation_room,
		    play_own_side(work->recorded)->operations, work))
		return;
	for (; work->next_operation <= operation && work->next_operation < work->operation_room;
		work->next_operation++)
		operation_post(work, work->next_operation);
}

/* ---- receives ---- */

static void
receive_post(struct play_work *work, size_t index, uint64_t bytes)
{
	struct play_buffer *buffer = &work->receives[index];
	struct nd_sge sge;

	if (work->engine->endpoint == NULL || !buffer_make(work, buffer, bytes))
		return;
	buffer->index = index;
	buffer->receive = true;
	sge = (struct nd_sge){buffer->bytes, buffer->count, buffer->mr};
	buffer->posted = !nd_failed(
		nd_endpoint_receive(work->engine->endpoint, &buffer->result, &sge, bytes != 0));
	if (!buffer->posted)
		play_unjudged(work->engine, "a receive cannot be posted");
}

/**
 * @return true if the message was retransmitted. If an accepted message got an RNR NAK, the message
 *         must have been retransmitted.
 */
static bool
is_repeated(const struct play_work *work, const struct nd_model_receive *receive)
{
	const struct nd_model_operation *operation =
		play_peer_operation(work->recorded, receive->operation);

	return !receive->taken || operation->repeats != 0 ||
		operation->last_frame > receive->absent_frame;
}

/**
 * @return true if a message was refused because it was longer than its receive. An unanswered
 *         message may have a different reason: it may have arrived after the end of the connection.
 */
static bool
is_too_long(const struct play_work *work, const struct nd_model_receive *receive)
{
	const struct nd_model_operation *operation =
		play_peer_operation(work->recorded, receive->operation);

	return operation->end == ND_MODEL_REFUSED &&
		(operation->kind != ND_MODEL_SEND_INVALIDATE ||
			operation->syndrome != NAK_REMOTE_ACCESS);
}

bool
play_receive(struct play_work *work, size_t operation, uint64_t number)
{
	const struct nd_model_receive *receive;

	if (!buffers_need(&work->receives, &work->receive_room,
		    play_own_side(work->recorded)->receives, work))
		return true;
	while (work->next_receive < work->receive_room &&
		(receive = nd_model_receive(work->recorded->model, work->recorded->index,
			 work->recorded->ours, work->next_receive)) != NULL &&
		receive->operation <= operation) {
		uint64_t bytes = receive->bytes;

		if (receive->absent_frame > number && is_repeated(work, receive))
			return false;
		if (!receive->taken) {
			if (receive->rnr_naks != 0)
				return false;
			if (is_too_long(work, receive))
				bytes = bytes > 1 ? bytes - 1 : 0;
		}
		receive_post(work, work->next_receive++, bytes);
	}
	return true;
}

/* ---- results ---- */

/** Report the first byte that differs without an explanation. */
static void
placed_check(struct play_work *work, const struct play_buffer *buffer, const struct play_read *read,
	const uint8_t *recorded, const uint8_t *known, size_t count)
{
	char expected[48], seen[48];

	for (size_t i = 0; i < count; i++) {
		if (known[i] == 0 || recorded[i] == buffer->bytes[i] ||
			play_read_is_overtaken(read, i))
			continue;
		snprintf(expected, sizeof(expected), "0x%02x at byte %zu", recorded[i], i);
		snprintf(seen, sizeof(seen), "0x%02x", buffer->bytes[i]);
		outcome_difference(work->engine->outcome,
			nd_model_operation(work->recorded->model, work->recorded->index, read->side,
				read->operation)
				->first_frame,
			"bytes placed in memory", OUTCOME_UNEXPLAINED, expected, seen);
		return;
	}
}

/** Compare the bytes that the engine wrote into a buffer with the recorded bytes. */
static void
bytes_check(struct play_work *work, const struct play_buffer *buffer)
{
	const unsigned side = buffer->receive ? work->recorded->theirs : work->recorded->ours;
	size_t operation = buffer->index;
	struct play_read read;
	uint8_t *bytes, *known;
	size_t count;

	if (buffer->receive)
		operation = nd_model_receive(work->recorded->model, work->recorded->index,
			work->recorded->ours, buffer->index)
				    ->operation;
	if (buffer->count == 0 ||
		(!buffer->receive &&
			nd_model_operation(
				work->recorded->model, work->recorded->index, side, operation)
					->kind != ND_MODEL_READ))
		return;
	bytes = malloc(2 * buffer->count);
	if (bytes == NULL)
		return;
	known = bytes + buffer->count;
	count = nd_model_payload(work->recorded->model, work->recorded->index, side, operation, 0,
		bytes, known, buffer->count);
	play_read_begin(&read, work->recorded, side, operation);
	placed_check(work, buffer, &read, bytes, known, count);
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
result_take(struct play_work *work, struct nd_result *result)
{
	struct play_buffer *buffer = (struct play_buffer *)result;

	if (!is_in(work->operations, work->operation_room, result) &&
		!is_in(work->receives, work->receive_room, result))
		return;
	if (result->status != ND_SUCCESS) {
		if (!work->engine->ended && work->engine->number >= work->recorded->lacks_frame)
			work->failed_frame = work->engine->number;
		work->engine->ended = true;
	} else {
		bytes_check(work, buffer);
		if (!buffer->receive)
			work->engine->completed++;
	}
	buffer_free(work, buffer);
}

void
play_results(struct play_work *work)
{
	struct nd_result *results[32];
	size_t count;

	if (work->engine->cq == NULL)
		return;
	while ((count = nd_cq_get_results(work->engine->cq, results, 32)) != 0)
		for (size_t i = 0; i < count; i++)
			result_take(work, results[i]);
}

void
play_work_close(struct play_work *work)
{
	/* Release the endpoint first, so that no request uses a freed buffer. */
	if (work->engine->endpoint != NULL)
		nd_endpoint_release(work->engine->endpoint);
	play_results(work);
	work->engine->endpoint = NULL;
	for (size_t i = 0; i < work->operation_room; i++)
		buffer_free(work, &work->operations[i]);
	for (size_t i = 0; i < work->receive_room; i++)
		buffer_free(work, &work->receives[i]);
	free(work->operations);
	free(work->receives);
	work->operations = work->receives = NULL;
	work->operation_room = work->receive_room = 0;
}
