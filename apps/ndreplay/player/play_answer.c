/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Waits until the engine has sent a request, before the recorded answer of the peer is replayed. */

#include "play_answer.h"

#include <inttypes.h>
#include <stdio.h>

/** Maximum time in ns that an answer waits for its request, longer than usual ACK timeouts. */
#define ANSWER_WAIT_NS UINT64_C(4000000000)
/**
 * Maximum time in ns that a response to a retransmitted part of a READ waits for its request. The
 * time is short, because the engine may request different parts.
 */
#define PART_WAIT_NS   UINT64_C(200000000)

static bool
is_sent_now(const void *of, uint64_t sequence)
{
	const struct play_answers *answers = of;

	return answers->sent->end_now > sequence || answers->engine->ended;
}

static bool
is_sent(const void *of, uint64_t sequence)
{
	const struct play_answers *answers = of;

	return answers->sent->end > sequence || answers->engine->ended;
}

/** @return true if the engine has sent a READ request with this PSN, or the connection has ended */
static bool
is_asked(const void *of, uint64_t sequence)
{
	const struct play_answers *answers = of;
	const struct play_sent *sent = answers->sent;

	for (size_t i = sent->count; i-- > 0;)
		if (sent->frames[i].headers.opcode == PACKET_READ_REQUEST &&
			sent->frames[i].sequence == sequence)
			return true;
	return answers->engine->ended;
}

/**
 * The response to a retransmitted part of a READ begins with FIRST or ONLY, like the response to a
 * new READ. Therefore wait until the engine has requested this part, too.
 */
static void
part_wait(struct play_answers *answers, const struct nd_model_frame *frame)
{
	if (frame->packet != 0 &&
		(frame->opcode == PACKET_READ_RESPONSE_FIRST ||
			frame->opcode == PACKET_READ_RESPONSE_ONLY))
		play_wait(
			&answers->engine->clock, is_asked, answers, frame->sequence, PART_WAIT_NS);
}

/**
 * @return true if a NAK is obsolete, because the requested packet is acknowledged or its operation
 *         is done
 */
static bool
is_old(const struct play_answers *answers, uint64_t sequence)
{
	const struct nd_model_operation *first =
		play_own_operation(answers->recorded, answers->engine->completed);

	return sequence < answers->acknowledged || first == NULL || sequence < first->sequence;
}

/** @return the reason why the engine has not sent the request for a recorded answer */
static enum outcome_reason
silence_of(const struct play_recorded *recorded, uint64_t number)
{
	if (number > recorded->end_frame)
		return OUTCOME_AFTER_END;
	if (number > recorded->lacks_frame)
		return OUTCOME_UNCAPTURED;
	return OUTCOME_UNEXPLAINED;
}

void
play_answer_wait(struct play_answers *answers, uint64_t number, const struct nd_model_frame *frame)
{
	const bool nak = frame->part == ND_MODEL_FRAME_NAK || frame->part == ND_MODEL_FRAME_RNR_NAK;
	struct play_sent *sent = answers->sent;
	char expected[48];

	if (!play_wait(&answers->engine->clock, nak ? is_sent : is_sent_now, answers,
		    frame->sequence, ANSWER_WAIT_NS) &&
		!is_sent(answers, frame->sequence)) {
		snprintf(expected, sizeof(expected), "request with PSN 0x%06" PRIx32, frame->psn);
		outcome_difference(answers->engine->outcome, number, "request",
			silence_of(answers->recorded, number), expected, "none within 4 s");
	}
	/*
	 * After a NAK that is not obsolete, later answers wait until the packet that the NAK
	 * requests is retransmitted.
	 */
	if (nak && sent->end_now > frame->sequence && !is_old(answers, frame->sequence))
		sent->end_now = frame->sequence;
	if ((nak || frame->part == ND_MODEL_FRAME_ACK) && is_sent(answers, frame->sequence) &&
		frame->sequence + !nak > answers->acknowledged)
		answers->acknowledged = frame->sequence + !nak;
	if (frame->part == ND_MODEL_FRAME_READ_RESPONSE)
		part_wait(answers, frame);
}
