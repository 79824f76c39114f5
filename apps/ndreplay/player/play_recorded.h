/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_RECORDED_H
#define NDPDK_PLAYER_PLAY_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

#include "play_capture.h"

/*
 * One recorded connection and the facts about it that a replay needs. The engine replays "our
 * side". The other side, "theirs", is the peer. A replay does not change these values.
 */
struct play_recorded {
	const struct play_capture *capture;
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;          /**< index of the connection in the model */
	unsigned ours, theirs; /**< index of each side, 0 or 1 */
	uint8_t doubts;        /**< frames that count as lost, < PLAY_DOUBTS */

	/* ---- play_prepare.c ---- */
	uint64_t first[2];  /**< first PSN of the requests of each side, extended to 64 bits */
	uint32_t psn_first; /**< first PSN of the requests of the peer */
	uint32_t psn_told;  /**< the same, as seen in the first request */
	uint8_t ecn;        /**< ECN bits of our data packets in the capture */
	bool completes;     /**< active side: the application confirms the acceptance */
	/**
	 * Frame that ends the connection: fatal NAK, DREQ, or REJ of the peer. UINT64_MAX: none.
	 */
	uint64_t end_frame;
	/** Last frame of our side, if it stops answering. UINT64_MAX: it answers until the end. */
	uint64_t silent_frame;

	/* ---- play_uncaptured.c ---- */
	/** First frame that shows that a request was not captured. UINT64_MAX: none. */
	uint64_t lacks_frame;
	uint64_t lacks[2]; /**< PSN of the first such request, by side; UINT64_MAX: none */
	/**
	 * PSN of the first captured request of the peer, if nothing tells whether requests came
	 * before; else 0.
	 */
	uint64_t begins;
};

/** @return an operation of our side; NULL: there are no more operations */
static inline const struct nd_model_operation *
play_own_operation(const struct play_recorded *recorded, size_t index)
{
	return nd_model_operation(recorded->model, recorded->index, recorded->ours, index);
}

/** @return an operation of the peer; NULL: there are no more operations */
static inline const struct nd_model_operation *
play_peer_operation(const struct play_recorded *recorded, size_t index)
{
	return nd_model_operation(recorded->model, recorded->index, recorded->theirs, index);
}

static inline const struct nd_model_side *
play_own_side(const struct play_recorded *recorded)
{
	return &recorded->connection->side[recorded->ours];
}

static inline const struct nd_model_side *
play_peer_side(const struct play_recorded *recorded)
{
	return &recorded->connection->side[recorded->theirs];
}

/** Get a message of the connection manager. @return false: there are no more messages */
static inline bool
play_cm(const struct play_recorded *recorded, size_t index, struct nd_model_cm_message *message)
{
	return nd_model_cm(recorded->model, recorded->index, index, message);
}

/** @return whether a frame is an answer; its sequence is then the PSN of a request */
static inline bool
play_is_answer(const struct nd_model_frame *frame)
{
	return frame->part >= ND_MODEL_FRAME_ACK && frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/**
 * Get a frame of the replayed connection.
 *
 * @param at index from 0
 * @param[out] frame filled if a number is returned
 * @return number of the frame; 0: there are no more frames
 */
uint64_t play_frame(const struct play_recorded *recorded, size_t at, struct nd_model_frame *frame);

/** @return index, for play_frame(), of the first frame with this number or a higher number */
size_t play_frames_from(const struct play_recorded *recorded, uint64_t number);

/** @return whether a frame of the peer counts as lost after the place of the capture */
bool play_is_lost(const struct play_recorded *recorded, uint64_t number);

/** @return the last PSN of a request, plus 1 */
uint64_t
play_request_end(const struct play_recorded *recorded, const struct nd_model_frame *request);

/**
 * @return whether an operation of our side may be longer than its captured part, because its
 *         connection or the capture ended: its length is then at least one byte more
 */
bool play_is_unfinished(const struct play_recorded *recorded, size_t index);

/** @return whether the capture tells all that the engine needs to post an operation of our side */
bool play_can_post(const struct play_recorded *recorded, size_t index);

/** @return the right that the operation needs, an enum nd_model_right */
uint32_t play_right_of(const struct nd_model_operation *operation);

#endif
