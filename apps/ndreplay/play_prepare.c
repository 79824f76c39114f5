/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * What a play needs to know of its side before it begins: where PSNs begin, and where the
 * connection ends.
 */

#include "play.h"

#include "mad.h"
#include "play_lack.h"

#define ECN_ECT0       2u
#define ECN_CE         3u
/** Requests of theirs that come again without an answer, before a side is taken for silent. */
#define SILENT_REPEATS 2u

/* ---- where it begins and ends ---- */

static uint32_t
first_psn(const struct nd_model_side *side, const struct nd_model_operation *first)
{
	return first != NULL && !side->first_psn_known ? first->first_psn : side->first_psn;
}

/** @return the first PSN of a side as the model counts them */
static uint64_t
first_sequence(const struct nd_model_operation *first, uint32_t psn)
{
	return first == NULL ? psn : first->sequence - ((first->first_psn - psn) & 0xFFFFFF);
}

/** Where the PSNs of both sides begin, as the model counts them. */
static void
sequences_begin(struct play *play)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	const struct nd_model_operation *own =
		nd_model_operation(play->model, play->index, play->ours, 0);
	const struct nd_model_operation *theirs =
		nd_model_operation(play->model, play->index, play->theirs, 0);

	play->map.psn_recorded = first_psn(peer, theirs);
	play->answers_near = first_sequence(theirs, play->map.psn_recorded);
	play->expected = play->answers_near;
	play->sent = play->sent_now = first_sequence(own, first_psn(side, own));
}

/**
 * @return whether a message of the connection manager ends the connection. Behind a REJ of the
 *         peer, a port that may send again sends the data that it has held.
 */
static bool
is_closed(const struct play *play)
{
	const struct nd_model_connection *connection = play->connection;

	return connection->close == ND_MODEL_DISCONNECTED ||
		(connection->close == ND_MODEL_REJECTED && connection->closed_by == play->theirs &&
			connection->side[play->ours].data_seen);
}

/** Where the connection ends: a fatal NAK of either side, a DREQ, or a REJ of the peer. */
static void
end_find(struct play *play)
{
	const struct nd_model_connection *connection = play->connection;
	uint64_t frame;

	play->end_frame = UINT64_MAX;
	if (is_closed(play))
		play->end_frame = connection->closed_frame;
	for (unsigned side = 0; side < 2; side++) {
		const struct nd_model_refusal *refusal =
			nd_model_refusal(play->model, play->index, side, 0);

		if (refusal == NULL)
			continue;
		/* The engine may refuse a request sooner than the recorded side did. */
		frame = refusal->frame;
		if (side == play->ours && refusal->operation != ND_MODEL_NONE)
			frame = nd_model_operation(
				play->model, play->index, play->theirs, refusal->operation)
					->first_frame;
		if (frame < play->end_frame)
			play->end_frame = frame;
	}
}

/** @return PSN with which the peer began, which our REQ or REP has told it */
static uint32_t
told_psn(const struct play *play)
{
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(play, i, &frame) != 0; i++)
		if (frame.side == play->theirs && frame.part == ND_MODEL_FRAME_REQUEST)
			/* What is missing in front of it, if anything, is another matter. */
			return frame.sequence < play->expected ? frame.psn : play->map.psn_recorded;
	return play->map.psn_recorded;
}

/** Where our side fell silent, if it did: its application has ended the connection, or the host. */
static void
silence_find(struct play *play)
{
	struct nd_model_frame frame;
	uint64_t number, last = 0;
	unsigned int repeats = 0;

	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.part == ND_MODEL_FRAME_CM)
			continue;
		if (frame.side == play->ours) {
			last = number;
			repeats = 0;
		} else if (frame.part == ND_MODEL_FRAME_REQUEST && frame.repeated) {
			repeats++;
		}
	}
	play->silent_frame = repeats >= SILENT_REPEATS ? last : UINT64_MAX;
}

/**
 * @return whether our side, the active one, confirms that it is accepted: its application may
 *         refuse instead, or find that the peer has given up meanwhile
 */
static bool
completes(const struct play *play)
{
	struct nd_model_cm_message message;

	if (play->connection->side[play->ours].data_seen)
		return true;
	for (size_t i = 0; nd_model_cm(play->model, play->index, i, &message); i++)
		if (message.side == play->ours && message.attribute == MAD_RTU)
			return true;
	return false;
}

void
play_prepare(struct play *play)
{
	const uint8_t ecn = play->connection->side[play->ours].tos & ECN_CE;

	sequences_begin(play);
	play->map.psn_told = told_psn(play);
	end_find(play);
	silence_find(play);
	play_lack_find(play);
	play->completes = completes(play);
	play->unfinished = UINT64_MAX;
	/* Whoever marks a packet takes one that may be marked. */
	if (play->connection->side[play->ours].data_seen)
		play->ecn = ecn == ECN_CE ? ECN_ECT0 : ecn;
}
