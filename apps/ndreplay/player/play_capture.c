/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The frames of a capture, sorted by connection, so that a replay reads only its own frames. */

#include "play_capture.h"

#include <stdlib.h>

#include <rte_common.h>

/** Maximum distance, in frames, between a NAK and the packet that the NAK requests. */
#define DOUBT_FRAMES     4096u
/** Number of newest answers that are searched for the PSN that a side expects. */
#define ANSWERS_NEWEST   8u
/** Number of newest requests that are searched for the PSN that the requester has reached. */
#define REQUESTS_NEWEST  4u
/**
 * Number of retransmissions of acknowledged packets that prove that the requester went back. A
 * single retransmission may be the result of reordering.
 */
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

/** Find the captured packet that a NAK requests, and mark it as lost after the capture point. */
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

/**
 * @return true if the requester retransmits from the packet that a NAK requests, and not from an
 *         earlier packet
 */
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

/**
 * @return true if a frame is an answer (ACK, NAK or response) of this side. An answer acknowledges
 *         all earlier packets.
 */
static bool
is_answer(const struct nd_model_frame *frame, unsigned side)
{
	return frame->side == side && frame->part >= ND_MODEL_FRAME_ACK &&
		frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/** @return the lowest PSN that the sender of an answer may expect next */
static uint64_t
expected_by(const struct nd_model_frame *answer)
{
	return answer->sequence +
		(answer->part != ND_MODEL_FRAME_NAK && answer->part != ND_MODEL_FRAME_RNR_NAK);
}

/**
 * @return true if the packet that a NAK requests is retransmitted before an answer shows that the
 *         packet has arrived. The retransmission must not be part of a longer retransmission from
 *         an earlier packet.
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

/**
 * @return the lowest PSN of the last REQUESTS_NEWEST requests before a NAK. Several requests are
 *         compared, because they may be reordered.
 */
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

/**
 * @return the highest PSN that the sender of a NAK reported, before the NAK, as the next expected
 *         PSN
 */
static uint64_t
answered_before(const struct play_capture *capture, size_t from, size_t at,
	const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;
	unsigned int count = 0;
	uint64_t answered = 0;

	/*
	 * A few of the newest answers are sufficient, because only retransmitted answers have older
	 * PSNs.
	 */
	for (size_t i = at; i-- > from && count < ANSWERS_NEWEST;) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (!is_answer(&frame, nak->side))
			continue;
		count++;
		answered = RTE_MAX(answered, expected_by(&frame));
	}
	return answered;
}

/** @return true if an earlier NAK or RNR NAK requested the packet with this PSN */
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
	uint64_t back = UINT64_MAX; /* PSN of a retransmitted packet before the NAK's PSN */
	unsigned int old = 0;       /* number of retransmissions that the NAK did not cause */
	/* true if the requester went back to before the NAK's PSN */
	bool returns = false;
	struct nd_model_frame frame;

	for (size_t i = at + 1; i < to && i - at < DOUBT_FRAMES; i++) {
		nd_model_frame_get(capture->model, capture->numbers[i], &frame);
		if (is_answer(&frame, nak->side) && expected_by(&frame) > nak->sequence)
			return false;
		if (frame.side == nak->side || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		/*
		 * The requester goes back only if two successive packets are retransmitted, because
		 * a timer may cause a single retransmission.
		 */
		returns = returns || frame.sequence == back + 1;
		if (frame.sequence == nak->sequence)
			return !returns;
		if (frame.sequence > nak->sequence || frame.sequence >= before)
			continue;
		if (frame.sequence < answered) {
			old += frame.repeated;
		} else if (is_asked(capture, from, at, nak, frame.sequence)) {
			/*
			 * An earlier NAK caused this retransmission, whose packets may have arrived
			 * out of order.
			 */
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

size_t
play_capture_index(const struct play_capture *capture, size_t connection, uint64_t number)
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
 * @return true if a packet has arrived that the model reports as lost because of a NAK. The packet
 *         has arrived if an answer acknowledges it before it is retransmitted. In this case the
 *         side sent its NAK with a delay.
 */
static bool
has_arrived(const struct play_capture *capture, const struct nd_model_fault *fault)
{
	const size_t to = capture->first[fault->connection + 1];
	struct nd_model_frame nak, frame;

	if (!nd_model_frame_get(capture->model, fault->frame, &nak) ||
		nak.part != ND_MODEL_FRAME_NAK)
		return false;
	for (size_t i = play_capture_index(capture, fault->connection, fault->frame) + 1; i < to;
		i++) {
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
