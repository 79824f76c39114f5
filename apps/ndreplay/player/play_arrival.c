/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Determines in which order our side accepts the requests of the peer. */

#include "play_arrival.h"

#include <string.h>

#include <rte_common.h>

/** Maximum distance, in frames, between an answer and a packet that the answer acknowledges. */
#define CATCH_UP_FRAMES 4096u

void
play_arrival_drop(struct play_arrival *arrival)
{
	memset(arrival->ahead, 0, sizeof(arrival->ahead));
}

void
play_arrival_await(struct play_arrival *arrival)
{
	arrival->waits = true;
	play_arrival_drop(arrival);
}

/**
 * @return true if a packet consumes a receive: the first packet of a SEND, or the last packet of a
 *         WRITE with immediate data
 */
static bool
takes_receive(const struct play_recorded *recorded, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation =
		play_peer_operation(recorded, frame->operation);

	return operation->kind == ND_MODEL_WRITE_IMMEDIATE ? frame->packet + 1 >= operation->packets
							   : frame->packet == 0;
}

enum play_order
play_arrival_take(struct play_arrival *arrival, const struct play_recorded *recorded,
	const struct nd_model_frame *frame, bool there)
{
	const bool lacks = !there && takes_receive(recorded, frame);

	if (frame->sequence < arrival->expected)
		return PLAY_DUPLICATE;
	if (frame->sequence > arrival->expected) {
		if (!arrival->waits && frame->sequence - arrival->expected <= arrival->keep)
			arrival->ahead[frame->sequence % PLAY_AHEAD] =
				(struct play_ahead){.sequence = frame->sequence,
					.operation = frame->operation,
					.packet = frame->packet,
					.there = true,
					.lacks = lacks};
		return PLAY_LATER;
	}
	arrival->waits = false;
	if (lacks)
		play_arrival_await(arrival);
	return lacks ? PLAY_LATER : PLAY_NEXT;
}

void
play_arrival_execute(
	struct play_arrival *arrival, const struct play_recorded *recorded, size_t operation)
{
	const struct nd_model_operation *request = play_peer_operation(recorded, operation);

	arrival->expected++;
	if (request->kind == ND_MODEL_READ && request->packets > 1)
		arrival->expected = request->sequence + request->packets;
}

struct play_ahead *
play_arrival_kept(struct play_arrival *arrival)
{
	struct play_ahead *ahead = &arrival->ahead[arrival->expected % PLAY_AHEAD];

	return ahead->there && ahead->sequence == arrival->expected ? ahead : NULL;
}

/** @return the lowest PSN that our side can expect when it sends this answer */
static uint64_t
expected_by(const struct play_recorded *recorded, const struct nd_model_frame *answer)
{
	const struct nd_model_operation *operation;

	if (answer->part == ND_MODEL_FRAME_NAK || answer->part == ND_MODEL_FRAME_RNR_NAK)
		return answer->sequence;
	if (answer->part != ND_MODEL_FRAME_READ_RESPONSE || answer->operation == ND_MODEL_NONE)
		return answer->sequence + 1;
	operation = play_peer_operation(recorded, answer->operation);
	return operation->sequence + operation->packets;
}

uint64_t
play_arrival_shown(const struct play_arrival *arrival, const struct play_recorded *recorded,
	size_t at, const struct nd_model_frame *answer)
{
	uint64_t shown = expected_by(recorded, answer);

	/* These NAKs refuse a packet, so the packet has arrived. */
	if ((answer->part == ND_MODEL_FRAME_RNR_NAK && !arrival->waits) ||
		(answer->part == ND_MODEL_FRAME_NAK && (answer->syndrome & 0x1F) != 0))
		shown++;
	shown = RTE_MIN(shown, recorded->lacks[recorded->theirs]);
	/* If the following frames do not agree with the NAK, the NAK shows nothing. */
	if (shown > arrival->expected && answer->part == ND_MODEL_FRAME_NAK &&
		!play_capture_is_missed(recorded->capture, recorded->index, at, answer))
		return 0;
	return shown;
}

uint64_t
play_arrival_find(const struct play_arrival *arrival, const struct play_recorded *recorded,
	size_t before, struct nd_model_frame *frame)
{
	for (size_t i = before; i-- > 0 && before - i < CATCH_UP_FRAMES;) {
		const uint64_t number = play_frame(recorded, i, frame);

		if (frame->side == recorded->theirs && frame->part == ND_MODEL_FRAME_REQUEST &&
			frame->sequence == arrival->expected)
			return number;
	}
	return 0;
}
