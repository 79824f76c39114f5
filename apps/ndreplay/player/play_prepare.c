/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds facts that a replay needs before it starts: the first PSNs, and the end of the connection.
 */

#include "play_prepare.h"

#include "mad.h"
#include "play_uncaptured.h"

#define ECN_ECT0       2u
#define ECN_CE         3u
/** Our side counts as silent after this number of unanswered retransmissions of the peer. */
#define SILENT_REPEATS 2u

/* ---- begin and end of the connection ---- */

static uint32_t
first_psn(const struct nd_model_side *side, const struct nd_model_operation *first)
{
	return first != NULL && !side->first_psn_known ? first->first_psn : side->first_psn;
}

/** @return the first PSN of a side, extended to 64 bits as in the model */
static uint64_t
first_sequence(const struct nd_model_operation *first, uint32_t psn)
{
	return first == NULL ? psn : first->sequence - ((first->first_psn - psn) & 0xFFFFFF);
}

/** Find the first PSNs of both sides, extended to 64 bits as in the model. */
static void
sequences_begin(struct play_recorded *recorded)
{
	const struct nd_model_side *side = play_own_side(recorded);
	const struct nd_model_side *peer = play_peer_side(recorded);
	const struct nd_model_operation *own = play_own_operation(recorded, 0);
	const struct nd_model_operation *theirs = play_peer_operation(recorded, 0);

	recorded->psn_first = first_psn(peer, theirs);
	recorded->first[recorded->theirs] = first_sequence(theirs, recorded->psn_first);
	recorded->first[recorded->ours] = first_sequence(own, first_psn(side, own));
}

/**
 * @return true if a CM message ends the connection. This is a DREQ, or a REJ of the peer after
 *         which our side sent data. A port that was blocked may send waiting data after the REJ.
 */
static bool
is_closed(const struct play_recorded *recorded)
{
	const struct nd_model_connection *connection = recorded->connection;

	return connection->close == ND_MODEL_DISCONNECTED ||
		(connection->close == ND_MODEL_REJECTED &&
			connection->closed_by == recorded->theirs &&
			connection->side[recorded->ours].data_seen);
}

/** Find the end of the connection: a fatal NAK of either side, a DREQ, or a REJ of the peer. */
static void
end_find(struct play_recorded *recorded)
{
	const struct nd_model_connection *connection = recorded->connection;
	uint64_t frame;

	recorded->end_frame = UINT64_MAX;
	if (is_closed(recorded))
		recorded->end_frame = connection->closed_frame;
	for (unsigned side = 0; side < 2; side++) {
		const struct nd_model_refusal *refusal =
			nd_model_refusal(recorded->model, recorded->index, side, 0);

		if (refusal == NULL)
			continue;
		/*
		 * The connection ends at the request's first frame, because the engine may refuse
		 * the request at an earlier packet than the recorded side.
		 */
		frame = refusal->frame;
		if (side == recorded->ours && refusal->operation != ND_MODEL_NONE)
			frame = play_peer_operation(recorded, refusal->operation)->first_frame;
		if (frame < recorded->end_frame)
			recorded->end_frame = frame;
	}
}

/** @return first PSN of the peer's requests, which our REQ or REP announced */
static uint32_t
told_psn(const struct play_recorded *recorded)
{
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++)
		if (frame.side == recorded->theirs && frame.part == ND_MODEL_FRAME_REQUEST)
			/* A higher PSN than psn_first only shows that packets are missing. */
			return frame.sequence < recorded->first[recorded->theirs]
				? frame.psn
				: recorded->psn_first;
	return recorded->psn_first;
}

/**
 * Find the last frame of our side, if our side stopped answering. In this case its application had
 * ended the connection, or its host had stopped.
 */
static void
silence_find(struct play_recorded *recorded)
{
	struct nd_model_frame frame;
	uint64_t number, last = 0;
	unsigned int repeats = 0;

	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		if (frame.part == ND_MODEL_FRAME_CM)
			continue;
		if (frame.side == recorded->ours) {
			last = number;
			repeats = 0;
		} else if (frame.part == ND_MODEL_FRAME_REQUEST && frame.repeated) {
			repeats++;
		}
	}
	recorded->silent_frame = repeats >= SILENT_REPEATS ? last : UINT64_MAX;
}

/**
 * @return true if our side is the active side and confirms the acceptance of the connection (RTU).
 *         Otherwise its application may have rejected the connection, or the peer may have given up
 *         before.
 */
static bool
completes(const struct play_recorded *recorded)
{
	struct nd_model_cm_message message;

	if (play_own_side(recorded)->data_seen)
		return true;
	for (size_t i = 0; play_cm(recorded, i, &message); i++)
		if (message.side == recorded->ours && message.attribute == MAD_RTU)
			return true;
	return false;
}

void
play_prepare(struct play_recorded *recorded)
{
	const uint8_t ecn = play_own_side(recorded)->tos & ECN_CE;

	sequences_begin(recorded);
	recorded->psn_told = told_psn(recorded);
	end_find(recorded);
	silence_find(recorded);
	play_uncaptured_find(recorded);
	recorded->completes = completes(recorded);
	/*
	 * A marked packet was sent as ECT, because only packets with an ECN field of ECT can be
	 * marked.
	 */
	if (play_own_side(recorded)->data_seen)
		recorded->ecn = ecn == ECN_CE ? ECN_ECT0 : ecn;
}
