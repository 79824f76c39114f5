/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The frames of a capture by connection, so that a play looks at those of its own only. */

#include "play.h"

#include <stdlib.h>

#include <rte_common.h>

/** How far back the packet may be that a NAK asks for. */
#define DOUBT_FRAMES     4096u
/** Answers that are looked at to know how far a side is. */
#define ANSWERS_NEWEST   8u
/** Requests that are looked at to know where a requester is. */
#define REQUESTS_NEWEST  4u
/** One that is acknowledged may have been overtaken; so many show that the requester restarts. */
#define RESTART_REQUESTS 2u

static void
numbers_count(struct play_capture *capture)
{
	const size_t count = nd_model_connection_count(capture->model);
	struct nd_model_frame frame;

	for (uint64_t i = 1; nd_model_frame_get(capture->model, i, &frame); i++)
		if (frame.connection < count)
			capture->first[frame.connection + 1]++;
	for (size_t i = 0; i < count; i++)
		capture->first[i + 1] += capture->first[i];
}

/** Look for the packet that a NAK asks for: captured before, so it was lost behind the capture. */
static void
doubt_find(struct play_capture *capture, size_t from, size_t at, const struct nd_model_frame *nak,
	enum play_lost how)
{
	struct nd_model_frame frame;

	for (size_t i = at; i-- > from && at - i < DOUBT_FRAMES;) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (frame.side == nak->side || frame.part != ND_MODEL_FRAME_REQUEST ||
			frame.sequence != nak->sequence)
			continue;
		if ((!frame.repeated || how == PLAY_DROPPED) &&
			capture->lost[capture->numbers[i]] == 0)
			capture->lost[capture->numbers[i]] = (uint8_t)how;
		return;
	}
}

/** @return whether the requester goes back to the packet that a NAK asks for, and not before it */
static bool
is_followed(
	const struct play_capture *capture, size_t at, size_t to, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;

	for (size_t i = at + 1; i < to && i - at < DOUBT_FRAMES; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (frame.side != nak->side && frame.part == ND_MODEL_FRAME_REQUEST &&
			frame.sequence <= nak->sequence)
			return frame.sequence == nak->sequence;
	}
	return false;
}

/** @return whether a side says that it has all packets before this one, and maybe more */
static bool
is_answer(const struct nd_model_frame *frame, unsigned side)
{
	return frame->side == side && frame->part >= ND_MODEL_FRAME_ACK &&
		frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/** @return PSN that the sender of an answer expects then, at least */
static uint64_t
expected_by(const struct nd_model_frame *answer)
{
	return answer->sequence +
		(answer->part != ND_MODEL_FRAME_NAK && answer->part != ND_MODEL_FRAME_RNR_NAK);
}

/**
 * @return whether the packet that a NAK asks for comes again before anything says that it is there,
 * and not because the requester has gone back to one before it
 */
static bool
is_needed(
	const struct play_capture *capture, size_t at, size_t to, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	uint64_t last = nak->sequence;

	for (size_t i = at + 1; i < to && i - at < DOUBT_FRAMES; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (frame.side != nak->side && frame.part == ND_MODEL_FRAME_REQUEST) {
			if (frame.sequence == nak->sequence)
				return last + 1 != frame.sequence;
			last = frame.sequence;
		}
		if (is_answer(&frame, nak->side) && expected_by(&frame) != nak->sequence)
			return false;
	}
	return false;
}

/** @return lowest PSN of the last few requests in front of a NAK, which may have been reordered */
static uint64_t
requests_before(const struct play_capture *capture, size_t from, size_t at,
	const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	uint64_t lowest = UINT64_MAX;
	unsigned int count = 0;

	for (size_t i = at; i-- > from && count < REQUESTS_NEWEST;) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (frame.side == nak->side || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		count++;
		lowest = RTE_MIN(lowest, frame.sequence);
	}
	return lowest;
}

/** @return PSN that the side of a NAK has said it expects, before it sent the NAK */
static uint64_t
answered_before(const struct play_capture *capture, size_t from, size_t at,
	const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	unsigned int count = 0;
	uint64_t answered = 0;

	/* An answer that is given again is behind, so the newest few tell it. */
	for (size_t i = at; i-- > from && count < ANSWERS_NEWEST;) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (!is_answer(&frame, nak->side))
			continue;
		count++;
		answered = RTE_MAX(answered, expected_by(&frame));
	}
	return answered;
}

/** @return whether one in front of a NAK, or an RNR NAK, has asked for a packet before that one */
static bool
is_asked(const struct play_capture *capture, size_t from, size_t at,
	const struct nd_model_frame *nak, uint64_t sequence)
{
	struct nd_model_frame frame;

	for (size_t i = at; i-- > from && at - i < DOUBT_FRAMES;) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (is_answer(&frame, nak->side) && frame.sequence == sequence &&
			expected_by(&frame) == sequence)
			return true;
	}
	return false;
}

bool
play_capture_is_missed(const struct play_capture *capture, size_t connection, size_t index,
	const struct nd_model_frame *nak)
{
	const size_t from = capture->first[connection], to = capture->first[connection + 1];
	const size_t at = from + index;
	const uint64_t answered = answered_before(capture, from, at, nak);
	const uint64_t before = requests_before(capture, from, at, nak);
	uint64_t back = UINT64_MAX; /* a packet before the NAK's that came again */
	unsigned int old = 0;       /* requests that another reason than the NAK has */
	bool returns = false;       /* the requester has gone back to before the NAK's packet */
	struct nd_model_frame frame;

	for (size_t i = at + 1; i < to && i - at < DOUBT_FRAMES; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (is_answer(&frame, nak->side) && expected_by(&frame) > nak->sequence)
			return false;
		if (frame.side == nak->side || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		/* Alone, a timer of the requester may have sent it. */
		returns = returns || frame.sequence == back + 1;
		if (frame.sequence == nak->sequence)
			return !returns;
		if (frame.sequence > nak->sequence || frame.sequence >= before)
			continue;
		if (frame.sequence < answered) {
			old += frame.repeated;
		} else if (is_asked(capture, from, at, nak, frame.sequence)) {
			/* Those before it may have overtaken it. */
			old = RESTART_REQUESTS;
			back = UINT64_MAX;
			returns = false;
		} else if (old < RESTART_REQUESTS) {
			back = frame.sequence;
		}
	}
	return !returns;
}

static enum play_lost
doubt_of(const struct play_capture *capture, size_t connection, size_t at,
	const struct nd_model_frame *nak)
{
	const size_t from = capture->first[connection], to = capture->first[connection + 1];

	if (is_followed(capture, at, to, nak) || is_needed(capture, at, to, nak))
		return PLAY_DOUBTED;
	return play_capture_is_missed(capture, connection, at - from, nak) ? PLAY_DROPPED
									   : PLAY_ARRIVED;
}

static void
doubts_find(struct play_capture *capture, size_t connection)
{
	const size_t from = capture->first[connection], to = capture->first[connection + 1];
	struct nd_model_frame frame;
	enum play_lost how;

	for (size_t i = from; i < to; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (frame.part != ND_MODEL_FRAME_NAK || (frame.syndrome & 0x1F) != 0)
			continue;
		how = doubt_of(capture, connection, i, &frame);
		if (how != PLAY_ARRIVED)
			doubt_find(capture, from, i, &frame, how);
	}
}

/** @return index of a frame among those of its connection, or of the first one behind it */
static size_t
index_of(const struct play_capture *capture, size_t connection, uint64_t number)
{
	size_t low = capture->first[connection], high = capture->first[connection + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (capture->numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * @return whether a packet that the model takes for lost, because of a NAK, was there: the side
 *         says so before it comes again. The NAK has waited in the side meanwhile.
 */
static bool
has_arrived(const struct play_capture *capture, const struct nd_model_fault *fault)
{
	const size_t to = capture->first[fault->connection + 1];
	struct nd_model_frame nak, frame;

	if (!nd_model_frame_get(capture->model, fault->frame, &nak) ||
		nak.part != ND_MODEL_FRAME_NAK)
		return false;
	for (size_t i = index_of(capture, fault->connection, fault->frame) + 1; i < to; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (is_answer(&frame, nak.side) && expected_by(&frame) > nak.sequence)
			return true;
		if (frame.side != nak.side && frame.part == ND_MODEL_FRAME_REQUEST &&
			frame.sequence == nak.sequence)
			return false;
	}
	return false;
}

bool
play_capture_open(struct play_capture *capture, const struct nd_model *model)
{
	const uint64_t frames = nd_model_frame_count(model);
	const size_t count = nd_model_connection_count(model);
	size_t *next = calloc(count + 1, sizeof(*next));
	struct nd_model_frame frame;

	*capture = (struct play_capture){.model = model,
		.numbers = calloc(frames + 1, sizeof(*capture->numbers)),
		.first = calloc(count + 2, sizeof(*capture->first)),
		.lost = calloc(frames + 1, 1)};
	if (next == NULL || capture->numbers == NULL || capture->first == NULL ||
		capture->lost == NULL) {
		free(next);
		return false;
	}
	numbers_count(capture);
	for (uint64_t i = 1; nd_model_frame_get(model, i, &frame); i++)
		if (frame.connection < count)
			capture->numbers[capture->first[frame.connection] +
				next[frame.connection]++] = i;
	for (size_t i = 0; i < nd_model_fault_count(model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(model, i);

		if (fault->kind == ND_MODEL_FAULT_LOST && fault->place == ND_MODEL_PLACE_BEHIND &&
			fault->original <= frames && !has_arrived(capture, fault))
			capture->lost[fault->original] = PLAY_LOST;
	}
	free(next);
	for (size_t i = 0; i < count; i++)
		doubts_find(capture, i);
	return true;
}

void
play_capture_close(struct play_capture *capture)
{
	free(capture->numbers);
	free(capture->first);
	free(capture->lost);
}

uint64_t
play_frame(const struct play *play, size_t at, struct nd_model_frame *frame)
{
	const struct play_capture *capture = play->capture;
	const size_t index = capture->first[play->index] + at;

	if (index >= capture->first[play->index + 1])
		return 0;
	nd_model_frame_get(capture->model, capture->numbers[index], frame);
	return capture->numbers[index];
}

size_t
play_frames_from(const struct play *play, uint64_t number)
{
	return index_of(play->capture, play->index, number) - play->capture->first[play->index];
}

bool
play_is_lost(const struct play *play, uint64_t number)
{
	const uint8_t lost = play->capture->lost[number];

	return lost != 0 && lost <= PLAY_LOST + play->doubts;
}
