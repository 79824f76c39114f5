/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds the first request of each side that was sent but not captured, and the first response with
 * data that answers an uncaptured request of our side. The content of uncaptured requests is
 * unknown. Therefore the replay omits them, and later data frames of our side cannot be judged.
 * There is one exception: if some packets of a request of our side were captured, the replay posts
 * the whole request.
 */

#include "play_uncaptured.h"

#include <rte_common.h>

#include "mad.h"

static bool
has_answer_bytes(const struct nd_model_operation *operation)
{
	return operation->kind == ND_MODEL_READ || operation->kind == ND_MODEL_COMPARE_SWAP ||
		operation->kind == ND_MODEL_FETCH_ADD;
}

static uint64_t
packets_of(const struct nd_model_operation *operation)
{
	return operation->packets != 0 ? operation->packets : 1;
}

/**
 * @param sequence PSN of a request packet of our side that was not captured
 * @return PSN of the first request that our side cannot send. UINT64_MAX: it can send all
 *         requests, because other packets of the same operation show its length and target. A READ
 *         or atomic request is a single packet, so only its response could show it.
 */
static uint64_t
unknown_from(const struct play_recorded *recorded, uint64_t sequence)
{
	size_t low = 0, high = play_own_side(recorded)->operations;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct nd_model_operation *operation = play_own_operation(recorded, middle);

		if (sequence < operation->sequence)
			high = middle;
		else if (sequence >= operation->sequence + operation->packets)
			low = middle + 1;
		else if (has_answer_bytes(operation))
			return sequence;
		else
			return play_can_post(recorded, middle) ? UINT64_MAX : operation->sequence;
	}
	/* If the last packet of an operation was not captured, its length is not known. */
	return low != 0 && !play_can_post(recorded, low - 1)
		? play_own_operation(recorded, low - 1)->sequence
		: sequence;
}

/** Find the first frame that proves that a request is missing: its answer, or a later request. */
static void
lacks_show(struct play_recorded *recorded)
{
	struct nd_model_frame frame;
	uint64_t number;

	recorded->lacks_frame = UINT64_MAX;
	if (recorded->lacks[0] == UINT64_MAX && recorded->lacks[1] == UINT64_MAX)
		return;
	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		const bool request = frame.part == ND_MODEL_FRAME_REQUEST;

		if ((request && frame.sequence >= recorded->lacks[frame.side]) ||
			(play_is_answer(&frame) &&
				frame.sequence >= recorded->lacks[1 - frame.side])) {
			recorded->lacks_frame = number;
			return;
		}
	}
}

/** @return true if our side retransmitted a packet of the operation after frame `after` */
static bool
is_sent_again(const struct play_recorded *recorded, const struct nd_model_operation *operation,
	size_t index, uint64_t after)
{
	return operation->repeats != 0 &&
		nd_model_repeat(recorded->model, recorded->index, recorded->ours, index,
			operation->repeats - 1) > after;
}

/**
 * A fault may report that the response to a request of our side is missing.
 *
 * @return PSN after this request. 0: the fault reports something else, or our side retransmitted
 *         the request. A retransmission shows that our side had not received the response, either.
 */
static uint64_t
unanswered_end(const struct play_recorded *recorded, const struct nd_model_fault *fault)
{
	const struct nd_model_operation *operation;

	if (!fault->answer || fault->side != recorded->theirs || fault->operation == ND_MODEL_NONE)
		return 0;
	operation = play_own_operation(recorded, fault->operation);
	return operation != NULL && has_answer_bytes(operation) &&
			!is_sent_again(recorded, operation, fault->operation, fault->frame)
		? operation->sequence + operation->packets
		: 0;
}

/** @return PSN of a request that is missing according to a fault; UINT64_MAX: none is missing */
static uint64_t
unseen_request(const struct play_recorded *recorded, const struct nd_model_fault *fault)
{
	struct nd_model_frame frame;
	uint64_t sequence;

	if (fault->answer || !nd_model_frame_get(recorded->model, fault->frame, &frame))
		return UINT64_MAX;
	/* The frame of the fault is a later request, which shows that a request is missing. */
	sequence = frame.sequence - ((frame.sequence - fault->psn) & 0xFFFFFF);
	return fault->side == recorded->ours ? unknown_from(recorded, sequence) : sequence;
}

/** @return true if the first packets of a captured operation were not captured */
static bool
is_headless(const struct play_recorded *recorded, const struct nd_model_operation *operation)
{
	struct nd_model_frame frame;

	if (!nd_model_frame_get(recorded->model, operation->first_frame, &frame))
		return false;
	switch (frame.opcode) {
	case PACKET_SEND_MIDDLE:
	case PACKET_SEND_LAST:
	case PACKET_SEND_LAST_IMMEDIATE:
	case PACKET_SEND_LAST_INVALIDATE:
	case PACKET_WRITE_MIDDLE:
	case PACKET_WRITE_LAST:
	case PACKET_WRITE_LAST_IMMEDIATE:
		return true;
	default:
		return false;
	}
}

/**
 * Find out whether the capture begins in the middle of an operation, whose content is then unknown.
 */
static void
begin_find(struct play_recorded *recorded)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct nd_model_operation *first =
			nd_model_operation(recorded->model, recorded->index, side, 0);

		if (first != NULL && !recorded->connection->side[side].first_psn_told &&
			is_headless(recorded, first))
			recorded->lacks[side] = RTE_MIN(recorded->lacks[side], first->sequence);
	}
}

/** @return PSN after a captured request; for a READ, the PSN after all its responses */
static uint64_t
request_end(const struct play_recorded *recorded, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation = frame->operation == ND_MODEL_NONE
		? NULL
		: nd_model_operation(
			  recorded->model, recorded->index, frame->side, frame->operation);

	return operation != NULL && operation->kind == ND_MODEL_READ
		? operation->sequence + packets_of(operation)
		: frame->sequence + 1;
}

/** Find the PSN after the last captured request of each side. */
static void
ends_find(const struct play_recorded *recorded, uint64_t ends[2])
{
	struct nd_model_frame frame;

	ends[recorded->ours] = recorded->first[recorded->ours];
	ends[recorded->theirs] = recorded->first[recorded->theirs];
	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++)
		if (frame.part == ND_MODEL_FRAME_REQUEST)
			ends[frame.side & 1] =
				RTE_MAX(ends[frame.side & 1], request_end(recorded, &frame));
}

/** @return number of complete messages of a side. A last message that is cut off does not count. */
static uint32_t
complete_count(const struct play_recorded *recorded, unsigned side)
{
	const size_t count = recorded->connection->side[side].operations;

	return (uint32_t)(count != 0 &&
				!nd_model_operation(
					recorded->model, recorded->index, side, count - 1)
					 ->bytes_known
			? count - 1
			: count);
}

/**
 * @param end PSN after the last captured request
 * @return true if the MSN of an answer counts a message that was not captured. If the MSN is not
 *         possible, the PSN of the answer is wrong, and false is returned.
 */
static bool
is_counted(const struct play_recorded *recorded, uint64_t number,
	const struct nd_model_frame *frame, uint64_t end)
{
	const unsigned requester = 1 - (frame->side & 1);
	const bool nak = frame->part == ND_MODEL_FRAME_NAK || frame->part == ND_MODEL_FRAME_RNR_NAK;
	const uint64_t most = frame->sequence - end + !nak;
	struct nd_model_headers headers;
	const uint8_t *bytes;
	uint32_t more;
	size_t count;

	bytes = nd_model_frame_bytes(recorded->model, number, &count);
	if (bytes == NULL || !nd_model_decode(bytes, count, &headers))
		return false;
	if (!recorded->connection->side[requester].first_psn_told)
		return true;
	if (headers.opcode == PACKET_READ_RESPONSE_MIDDLE)
		return false;
	more = (headers.msn - complete_count(recorded, requester)) & 0xFFFFFF;
	return more <= most && (more != 0 || most == 0);
}

/** Find answers to requests that follow the last captured request of a side. */
static void
unseen_end_find(struct play_recorded *recorded)
{
	struct nd_model_frame frame;
	uint64_t number, end, ends[2];

	ends_find(recorded, ends);
	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		end = ends[1 - (frame.side & 1)];
		/* The model assigns PSN 0 to answers if the other side has no captured request. */
		if (play_is_answer(&frame) && frame.sequence == 0)
			recorded->lacks[1 - (frame.side & 1)] = 0;
		if (play_is_answer(&frame) && frame.sequence >= end &&
			is_counted(recorded, number, &frame, end))
			recorded->lacks[1 - (frame.side & 1)] =
				RTE_MIN(recorded->lacks[1 - (frame.side & 1)], end);
	}
}

void
play_uncaptured_find(struct play_recorded *recorded)
{
	uint64_t end;

	recorded->lacks[0] = recorded->lacks[1] = UINT64_MAX;
	for (size_t i = 0; i < nd_model_fault_count(recorded->model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(recorded->model, i);

		if (fault->kind != ND_MODEL_FAULT_UNCAPTURED ||
			fault->connection != recorded->index)
			continue;
		recorded->lacks[fault->side & 1] =
			RTE_MIN(recorded->lacks[fault->side & 1], unseen_request(recorded, fault));
		end = unanswered_end(recorded, fault);
		if (end != 0)
			recorded->lacks[recorded->ours] =
				RTE_MIN(recorded->lacks[recorded->ours], end);
	}
	begin_find(recorded);
	unseen_end_find(recorded);
	lacks_show(recorded);
	recorded->begins =
		play_peer_side(recorded)->first_psn_told ? 0 : recorded->first[recorded->theirs];
}

bool
play_uncaptured_omits(const struct play_recorded *recorded, const struct nd_model_frame *frame)
{
	if (frame->part == ND_MODEL_FRAME_REQUEST)
		return frame->sequence >= recorded->lacks[recorded->theirs];
	return play_is_answer(frame) && frame->sequence >= recorded->lacks[recorded->ours];
}

/** @return true if the PSN of our side's request jumped over PSNs that were never answered */
static bool
is_jump(const struct play_recorded *recorded, const struct nd_model_frame *frame)
{
	for (size_t i = 0; frame->part == ND_MODEL_FRAME_REQUEST && !frame->repeated &&
		i < nd_model_fault_count(recorded->model);
		i++) {
		const struct nd_model_fault *fault = nd_model_fault(recorded->model, i);

		if (fault->kind == ND_MODEL_FAULT_LOST && fault->connection == recorded->index &&
			fault->side == recorded->ours && !fault->answer &&
			fault->place == ND_MODEL_PLACE_BEFORE &&
			((fault->psn + fault->packets) & 0xFFFFFF) == frame->psn)
			return true;
	}
	return false;
}

bool
play_uncaptured_hides(
	const struct play_recorded *recorded, uint64_t number, const struct nd_model_frame *frame)
{
	const bool own = recorded->lacks[recorded->ours] != UINT64_MAX;

	if (frame->part == ND_MODEL_FRAME_CM)
		return false;
	if (play_is_answer(frame) && frame->sequence < recorded->begins)
		return true;
	if (play_is_answer(frame) && frame->sequence < recorded->lacks[recorded->theirs])
		return own && number >= recorded->lacks_frame && frame->part != ND_MODEL_FRAME_ACK;
	return number >= recorded->lacks_frame && !is_jump(recorded, frame);
}

bool
play_uncaptured_hides_ours(const struct play_recorded *recorded, const struct play_frame *ours)
{
	const enum play_kind kind = play_kind_of(&ours->headers);

	if (kind == PLAY_CM)
		return false;
	if (ours->behind >= recorded->lacks_frame)
		return true;
	return kind != PLAY_REQUEST &&
		(ours->sequence >= recorded->lacks[recorded->theirs] ||
			recorded->lacks[recorded->ours] != UINT64_MAX);
}

/**
 * @return true if a fault concerns the packet with this PSN. A fault of a READ response concerns
 *         all responses to the READ.
 */
static bool
is_about(
	const struct play_recorded *recorded, const struct nd_model_fault *fault, uint64_t sequence)
{
	const struct nd_model_operation *operation;

	if (!fault->answer || fault->kind != ND_MODEL_FAULT_UNCAPTURED ||
		fault->operation == ND_MODEL_NONE)
		return fault->psn == (sequence & 0xFFFFFF);
	operation = play_peer_operation(recorded, fault->operation);
	return operation != NULL && sequence - operation->sequence < packets_of(operation);
}

/**
 * @return true if a READ response of our side was lost by the network or by the capture. This is
 *         the case if a later response to the same READ was captured, and the peer did not
 *         retransmit the READ.
 */
static bool
is_passed(const struct play_recorded *recorded, uint64_t sequence)
{
	const struct nd_model_operation *operation;
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++) {
		if (frame.part != ND_MODEL_FRAME_READ_RESPONSE || frame.side != recorded->ours ||
			frame.operation == ND_MODEL_NONE || frame.sequence <= sequence)
			continue;
		operation = play_peer_operation(recorded, frame.operation);
		if (operation->sequence <= sequence)
			return operation->repeats == 0;
	}
	return false;
}

enum outcome_reason
play_uncaptured_reason(const struct play_recorded *recorded, uint64_t sequence, bool answer)
{
	for (size_t i = 0; i < nd_model_fault_count(recorded->model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(recorded->model, i);

		if (fault->connection != recorded->index || fault->side != recorded->ours ||
			fault->answer != answer || !is_about(recorded, fault, sequence))
			continue;
		if (fault->kind == ND_MODEL_FAULT_UNCAPTURED)
			return OUTCOME_UNCAPTURED;
		if (fault->kind == ND_MODEL_FAULT_LOST)
			return OUTCOME_LOST;
	}
	return answer && is_passed(recorded, sequence) ? OUTCOME_UNCAPTURED : OUTCOME_UNEXPLAINED;
}

/**
 * @return attribute of the message that a message with this attribute answers. 0: it answers no
 *         message, or can answer messages with several attributes.
 */
static uint8_t
prompt_of(uint8_t attribute)
{
	switch (attribute) {
	case MAD_REP:
		return MAD_REQ;
	case MAD_RTU:
		return MAD_REP;
	case MAD_DREP:
		return MAD_DREQ;
	default:
		return 0;
	}
}

bool
play_uncaptured_prompts(const struct play_recorded *recorded, uint64_t number, uint8_t attribute)
{
	const uint8_t prompt = prompt_of(attribute);
	struct nd_model_cm_message message;

	if (prompt == 0)
		return false;
	for (size_t i = 0; play_cm(recorded, i, &message) && message.frame < number; i++)
		if (message.side == recorded->theirs && message.attribute == prompt)
			return false;
	return true;
}

bool
play_uncaptured_drep(const struct play_recorded *recorded)
{
	struct nd_model_cm_message message;
	size_t requests = 0;

	for (size_t i = 0; play_cm(recorded, i, &message); i++)
		if (message.side == recorded->theirs && message.attribute == MAD_DREQ)
			requests++;
	return requests == 1;
}
