/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <rte_common.h>

#include "base/sized.h"
#include "trace/model.h"

const struct nd_trace *
nd_model_trace(const struct nd_model *model)
{
	return model->trace;
}

uint64_t
nd_model_frame_count(const struct nd_model *model)
{
	return model->fed;
}

static const struct model_frame *
frame_at(const struct nd_model *model, uint64_t number)
{
	return number == 0 ? NULL : model_array_at(&model->frames, (size_t)number - 1);
}

bool
nd_model_frame_get_sized(
	const struct nd_model *model, uint64_t number, struct nd_model_frame *frame, size_t size)
{
	const struct model_frame *found = frame_at(model, number);

	if (found == NULL)
		return false;
	base_sized_write(frame, size, &found->report, sizeof(found->report));
	return true;
}

const uint8_t *
nd_model_frame_bytes(const struct nd_model *model, uint64_t number, size_t *bytes)
{
	const struct model_frame *found = frame_at(model, number);

	*bytes = 0;
	if (found == NULL || !found->kept)
		return NULL;
	*bytes = found->report.captured_bytes;
	return model->store + found->store_at;
}

size_t
nd_model_connection_count(const struct nd_model *model)
{
	return model->connections.count;
}

const struct nd_model_connection *
nd_model_connection(const struct nd_model *model, size_t index)
{
	const struct model_connection *found = model_connection_at(model, index);

	return found == NULL ? NULL : &found->report;
}

bool
nd_model_cm_sized(const struct nd_model *model, size_t connection, size_t index,
	struct nd_model_cm_message *message, size_t size)
{
	const struct model_connection *of = model_connection_at(model, connection);
	const struct nd_model_cm_message *found;

	if (of == NULL || index >= of->report.cm_messages)
		return false;
	found = model_array_at(&model->cm, of->first_cm + index);
	base_sized_write(message, size, found, sizeof(*found));
	return true;
}

static const struct model_operation *
operation_at(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? NULL : model_array_at(&of->operations, index);
}

const struct nd_model_operation *
nd_model_operation(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_operation *found = operation_at(model, connection, side, index);

	return found == NULL ? NULL : &found->report;
}

/* @return the operation's first piece that ends after an offset in the message */
static const struct model_piece *
piece_find(const struct model_side *side, const struct model_operation *operation, uint64_t offset)
{
	const struct model_piece *pieces =
		(const struct model_piece *)side->pieces.items + operation->first_piece;
	size_t low = 0, high = operation->piece_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pieces[middle].offset + pieces[middle].bytes <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return pieces + low;
}

size_t
nd_model_payload(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t offset, uint8_t *to, uint8_t *known, size_t bytes)
{
	const struct model_operation *operation = operation_at(model, connection, side, index);
	const struct model_side *of = model_side_at(model, connection, side);
	const struct model_piece *piece, *end;

	if (operation == NULL || offset >= operation->report.bytes)
		return 0;
	bytes = (size_t)RTE_MIN((uint64_t)bytes, operation->report.bytes - offset);
	if (bytes == 0)
		return 0;
	memset(to, 0, bytes);
	if (known != NULL)
		memset(known, 0, bytes);
	if (operation->piece_count == 0)
		return bytes;
	end = (const struct model_piece *)of->pieces.items + operation->first_piece +
		operation->piece_count;
	for (piece = piece_find(of, operation, offset); piece < end; piece++) {
		uint64_t from = RTE_MAX(piece->offset, offset);
		uint64_t until = RTE_MIN(piece->offset + piece->bytes, offset + bytes);

		if (piece->offset >= offset + bytes)
			break;
		if (from >= until)
			continue;
		memcpy(to + (from - offset),
			model->store + piece->store_at + (from - piece->offset),
			(size_t)(until - from));
		if (known != NULL)
			memset(known + (from - offset), 1, (size_t)(until - from));
	}
	return bytes;
}

uint64_t
nd_model_payload_known(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_operation *operation = operation_at(model, connection, side, index);
	const struct model_side *of = model_side_at(model, connection, side);
	uint64_t bytes = 0;

	if (operation == NULL)
		return 0;
	for (size_t i = 0; i < operation->piece_count; i++) {
		const struct model_piece *piece =
			(const struct model_piece *)of->pieces.items + operation->first_piece + i;

		if (piece->offset < operation->report.bytes)
			bytes += RTE_MIN(
				(uint64_t)piece->bytes, operation->report.bytes - piece->offset);
	}
	return bytes;
}

uint64_t
nd_model_repeat(
	const struct nd_model *model, size_t connection, unsigned side, size_t index, size_t n)
{
	const struct model_operation *operation = operation_at(model, connection, side, index);
	const struct model_side *of = model_side_at(model, connection, side);

	if (operation == NULL || n >= operation->report.repeats)
		return 0;
	return ((const uint64_t *)of->repeats.items)[operation->first_repeat + n];
}

const struct nd_model_receive *
nd_model_receive(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? NULL : model_array_at(&of->receives, index);
}

const struct nd_model_key *
nd_model_key(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? NULL : model_array_at(&of->keys, index);
}

const struct nd_model_refusal *
nd_model_refusal(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? NULL : model_array_at(&of->refusals, index);
}

size_t
nd_model_memory_count(const struct nd_model *model, size_t connection, unsigned side)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? 0 : of->events.count;
}

const struct nd_model_memory_event *
nd_model_memory_event(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	const struct model_side *of = model_side_at(model, connection, side);

	return of == NULL ? NULL : model_array_at(&of->events, index);
}

size_t
nd_model_fault_count(const struct nd_model *model)
{
	return model->faults.count;
}

const struct nd_model_fault *
nd_model_fault(const struct nd_model *model, size_t index)
{
	return model_array_at(&model->faults, index);
}

size_t
nd_model_limit_count(const struct nd_model *model)
{
	return model->limits.count;
}

const struct nd_model_limit *
nd_model_limit(const struct nd_model *model, size_t index)
{
	return model_array_at(&model->limits, index);
}
