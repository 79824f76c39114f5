/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Access to frames and operations of a recorded connection. */

#include "play_recorded.h"

#include "packet.h"

uint64_t
play_frame(const struct play_recorded *recorded, size_t at, struct nd_model_frame *frame)
{
	const struct play_capture *capture = recorded->capture;
	const size_t index = capture->first[recorded->index] + at;

	if (index >= capture->first[recorded->index + 1])
		return 0;
	nd_model_frame_get(capture->model, capture->numbers[index], frame);
	return capture->numbers[index];
}

size_t
play_frames_from(const struct play_recorded *recorded, uint64_t number)
{
	return play_capture_index(recorded->capture, recorded->index, number) -
		recorded->capture->first[recorded->index];
}

bool
play_is_lost(const struct play_recorded *recorded, uint64_t number)
{
	const uint8_t lost = recorded->capture->lost[number];

	return lost != 0 && lost <= PLAY_LOST + recorded->doubts;
}

uint64_t
play_request_end(const struct play_recorded *recorded, const struct nd_model_frame *request)
{
	const struct nd_model_operation *operation;

	if (request->opcode != PACKET_READ_REQUEST || request->operation == ND_MODEL_NONE)
		return request->sequence + 1;
	operation = nd_model_operation(
		recorded->model, recorded->index, request->side, request->operation);
	return operation->sequence + operation->packets;
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

bool
play_is_unfinished(const struct play_recorded *recorded, size_t index)
{
	const struct nd_model_operation *operation = play_own_operation(recorded, index);
	const uint64_t mtu = recorded->connection->path_mtu_bytes;

	return !operation->bytes_known && operation->kind == ND_MODEL_SEND &&
		operation->bytes != 0 && mtu != 0 && operation->bytes % mtu == 0 &&
		index + 1 == play_own_side(recorded)->operations;
}

bool
play_can_post(const struct play_recorded *recorded, size_t index)
{
	return is_known(play_own_operation(recorded, index)) || play_is_unfinished(recorded, index);
}

uint32_t
play_right_of(const struct nd_model_operation *operation)
{
	if (operation->kind == ND_MODEL_READ)
		return ND_MODEL_RIGHT_READ;
	if (operation->kind == ND_MODEL_COMPARE_SWAP || operation->kind == ND_MODEL_FETCH_ADD)
		return ND_MODEL_RIGHT_ATOMIC;
	return ND_MODEL_RIGHT_WRITE;
}
