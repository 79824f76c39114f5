/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* READs that were executed more than once, because they were retransmitted. */

#include "play_read.h"

#include <string.h>

/** Number of frames after the last answer to a READ in which more answers are searched. */
#define FRAMES_AHEAD 1024u

void
play_read_begin(struct play_read *read, const struct play_recorded *recorded, unsigned side,
	size_t operation)
{
	const struct nd_model_operation *posted =
		nd_model_operation(recorded->model, recorded->index, side, operation);
	struct nd_model_frame frame;
	uint64_t number;
	size_t first;

	*read = (struct play_read){.recorded = recorded, .side = side, .operation = operation};
	if (posted == NULL || posted->kind != ND_MODEL_READ)
		return;
	read->over = posted->end_frame;
	first = play_frames_from(recorded, read->over);
	for (size_t i = 0;
		i < FRAMES_AHEAD && (number = play_frame(recorded, first + i, &frame)) != 0; i++)
		if (frame.part == ND_MODEL_FRAME_READ_RESPONSE && frame.side != side &&
			frame.operation == operation)
			read->over = number;
	/*
	 * Even without a retransmission, the READ may have been answered twice, because the network
	 * may have duplicated the request.
	 */
	if (posted->repeats == 0 && read->over == posted->end_frame)
		read->over = 0;
}

/** @return index of the first event in the peer's memory that belongs to a later operation */
static size_t
events_behind(const struct play_read *read)
{
	const struct play_recorded *recorded = read->recorded;
	size_t low = 0, high = nd_model_memory_count(recorded->model, recorded->index, !read->side);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (nd_model_memory_event(recorded->model, recorded->index, !read->side, middle)
				->operation <= read->operation)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/** @return true if the event changed the byte at this address */
static bool
changes(const struct nd_model_memory_event *event, uint64_t address)
{
	return (event->source == ND_MODEL_SOURCE_WRITE ||
		       event->source == ND_MODEL_SOURCE_ATOMIC) &&
		address - event->address < event->bytes;
}

bool
play_read_is_overtaken(const struct play_read *read, uint64_t offset)
{
	const struct play_recorded *recorded = read->recorded;
	const struct nd_model_memory_event *event;
	uint64_t address;

	if (read->over == 0)
		return false;
	address = nd_model_operation(recorded->model, recorded->index, read->side, read->operation)
			  ->address +
		offset;
	for (size_t i = events_behind(read); (event = nd_model_memory_event(recorded->model,
						      recorded->index, !read->side, i)) != NULL &&
		nd_model_operation(recorded->model, recorded->index, read->side, event->operation)
				->first_frame < read->over;
		i++)
		if (changes(event, address))
			return true;
	return false;
}

static void
answer_copy(const struct play_recorded *recorded, uint64_t number, uint64_t offset, uint8_t *bytes,
	uint8_t *known, size_t count)
{
	struct nd_model_headers headers;
	const uint8_t *frame;
	size_t captured;

	frame = nd_model_frame_bytes(recorded->model, number, &captured);
	if (frame == NULL || !nd_model_decode(frame, captured, &headers) || offset > count ||
		headers.payload_bytes > count - offset ||
		(size_t)headers.payload_offset + headers.payload_bytes > captured)
		return;
	memcpy(bytes + offset, frame + headers.payload_offset, headers.payload_bytes);
	memset(known + offset, 1, headers.payload_bytes);
}

void
play_read_first(const struct play_recorded *recorded, size_t operation, uint8_t *bytes,
	uint8_t *known, size_t count)
{
	const struct nd_model_operation *posted = play_peer_operation(recorded, operation);
	const uint64_t mtu = recorded->connection->path_mtu_bytes;
	struct nd_model_frame frame;
	uint64_t number;
	size_t first;

	first = play_frames_from(recorded, posted->first_frame);
	for (size_t i = 0;
		i < FRAMES_AHEAD && (number = play_frame(recorded, first + i, &frame)) != 0; i++)
		if (frame.part == ND_MODEL_FRAME_READ_RESPONSE && frame.side == recorded->ours &&
			frame.operation == operation && !frame.repeated)
			answer_copy(recorded, number, frame.packet * mtu, bytes, known, count);
}
