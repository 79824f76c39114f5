/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds frames that were on the wire but not captured: the first such request of each side, and the
 * first such answer with data to a request of our side. Their content is unknown, so the replay
 * omits them, and later data frames of our side cannot be judged. One exception: if only some
 * packets of a request of our side were captured, the replay posts the whole request.
 */

#include <rte_common.h>

#include "compare.h"

static bool
has_answer_bytes(const struct nd_model_operation *operation)
{
	return operation->kind == ND_MODEL_READ || operation->kind == ND_MODEL_COMPARE_SWAP ||
		operation->kind == ND_MODEL_FETCH_ADD;
}

/**
 * @return whether a packet of our side belongs to a request that was captured in part. A READ or
 *         atomic request is a single packet, so it was not captured at all.
 */
static bool
is_posted(const struct play *play, uint64_t sequence)
{
	size_t low = 0, high = play->connection->side[play->ours].operations;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct nd_model_operation *operation =
			nd_model_operation(play->model, play->index, play->ours, middle);

		if (sequence < operation->sequence)
			high = middle;
		else if (sequence >= operation->sequence + operation->packets)
			low = middle + 1;
		else
			return !has_answer_bytes(operation);
	}
	return false;
}

/** Find the first frame that shows a missing request: its answer, or a later request. */
static void
lacks_show(struct play *play)
{
	struct nd_model_frame frame;
	uint64_t number;

	play->lacks_frame = UINT64_MAX;
	if (play->lacks[0] == UINT64_MAX && play->lacks[1] == UINT64_MAX)
		return;
	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		const bool request = frame.part == ND_MODEL_FRAME_REQUEST;

		if ((request && frame.sequence >= play->lacks[frame.side]) ||
			(play_is_answer(&frame) && frame.sequence >= play->lacks[1 - frame.side])) {
			play->lacks_frame = number;
			return;
		}
	}
}

/** @return whether our side retransmitted a packet of an operation after a frame */
static bool
is_sent_again(const struct play *play, const struct nd_model_operation *operation, size_t index,
	uint64_t after)
{
	return operation->repeats != 0 &&
		nd_model_repeat(play->model, play->index, play->ours, index,
			operation->repeats - 1) > after;
}

/**
 * @return the PSN that follows a request of our side, if a fault says that its response is missing,
 *         or 0. A side that retransmits the request has not received the response either.
 */
static uint64_t
unanswered_end(const struct play *play, const struct nd_model_fault *fault)
{
	const struct nd_model_operation *operation;

	if (!fault->answer || fault->side != play->theirs || fault->operation == ND_MODEL_NONE)
		return 0;
	operation = nd_model_operation(play->model, play->index, play->ours, fault->operation);
	return operation != NULL && has_answer_bytes(operation) &&
			!is_sent_again(play, operation, fault->operation, fault->frame)
		? operation->sequence + operation->packets
		: 0;
}

/** @return PSN of a request that a fault says is missing; UINT64_MAX: none */
static uint64_t
unseen_request(const struct play *play, const struct nd_model_fault *fault)
{
	struct nd_model_frame frame;
	uint64_t sequence;

	if (fault->answer || !nd_model_frame_get(play->model, fault->frame, &frame))
		return UINT64_MAX;
	/* The frame that shows it is a later request. */
	sequence = frame.sequence - ((frame.sequence - fault->psn) & 0xFFFFFF);
	return fault->side == play->ours && is_posted(play, sequence) ? UINT64_MAX : sequence;
}

void
play_lack_find(struct play *play)
{
	uint64_t end;

	play->lacks[0] = play->lacks[1] = UINT64_MAX;
	for (size_t i = 0; i < nd_model_fault_count(play->model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(play->model, i);

		if (fault->kind != ND_MODEL_FAULT_UNCAPTURED || fault->connection != play->index)
			continue;
		play->lacks[fault->side & 1] =
			RTE_MIN(play->lacks[fault->side & 1], unseen_request(play, fault));
		end = unanswered_end(play, fault);
		if (end != 0)
			play->lacks[play->ours] = RTE_MIN(play->lacks[play->ours], end);
	}
	lacks_show(play);
}

bool
play_lack_hides(const struct play *play, uint64_t number, const struct nd_model_frame *frame)
{
	const bool own = play->lacks[play->ours] != UINT64_MAX;

	if (frame->part == ND_MODEL_FRAME_CM)
		return false;
	if (play_is_answer(frame) && frame->sequence < play->lacks[play->theirs])
		return own && number >= play->lacks_frame && frame->part != ND_MODEL_FRAME_ACK;
	return number >= play->lacks_frame;
}

bool
play_lack_hides_ours(const struct play *play, const struct play_frame *ours)
{
	const enum compare_kind kind = compare_kind_of(&ours->headers);

	if (kind == COMPARE_CM)
		return false;
	if (ours->behind >= play->lacks_frame)
		return true;
	return kind != COMPARE_REQUEST &&
		(ours->sequence >= play->lacks[play->theirs] ||
			play->lacks[play->ours] != UINT64_MAX);
}
