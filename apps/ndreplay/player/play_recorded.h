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
 * A recorded connection, and the facts about it that a replay needs. The engine replays "our side".
 * The other side ("theirs") is the peer. The members do not change during a replay.
 */
struct play_recorded {
	const struct play_capture *capture;
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;          /**< index of the connection in the model */
	unsigned ours, theirs; /**< index of our side and of the peer, 0 or 1 */
	uint8_t doubts;        /**< number of the assumption about lost frames, < PLAY_DOUBTS */

	/* ---- play_prepare.c ---- */
	uint64_t first[2];  /**< by side: first PSN of its requests, extended to 64 bits */
	uint32_t psn_first; /**< first PSN of the peer's requests, captured or not */
	uint32_t psn_told;  /**< first PSN that our REQ or REP announced to the peer */
	uint8_t ecn;        /**< ECN bits of our data packets in the capture */
	bool completes;     /**< active side: true if our side confirms the acceptance (RTU) */
	/**
	 * Number of the frame that ends the connection: fatal NAK, DREQ, or REJ of the peer.
	 * UINT64_MAX: no frame ends the connection.
	 */
	uint64_t end_frame;
	/**
	 * Number of the last frame of our side before our side stops answering. UINT64_MAX: our
	 * side answers until the end.
	 */
	uint64_t silent_frame;

	/* ---- play_uncaptured.c ---- */
	/** Number of the first frame that proves that a request is missing. UINT64_MAX: none. */
	uint64_t lacks_frame;
	uint64_t lacks[2]; /**< by side: PSN of the first uncaptured request; UINT64_MAX: none */
	/**
	 * PSN of the first captured request of the peer, if the peer may have sent earlier requests
	 * that were not captured; otherwise 0.
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

/** Get a CM message of the connection. @return false: there are no more messages */
static inline bool
play_cm(const struct play_recorded *recorded, size_t index, struct nd_model_cm_message *message)
{
	return nd_model_cm(recorded->model, recorded->index, index, message);
}

/**
 * @return true if a frame is an answer (ACK, NAK or response). The `sequence` of an answer is the
 *         PSN of the request that the frame answers.
 */
static inline bool
play_is_answer(const struct nd_model_frame *frame)
{
	return frame->part >= ND_MODEL_FRAME_ACK && frame->part <= ND_MODEL_FRAME_ATOMIC_ACK;
}

/**
 * Get a frame of the replayed connection.
 *
 * @param at index of the frame within the connection
 * @param[out] frame filled if a number is returned
 * @return number of the frame in the capture; 0: there are no more frames
 */
uint64_t play_frame(const struct play_recorded *recorded, size_t at, struct nd_model_frame *frame);

/** @return index, as for play_frame(), of the first frame that has at least this number */
size_t play_frames_from(const struct play_recorded *recorded, uint64_t number);

/** @return true if a frame of the peer counts as lost after the capture point */
bool play_is_lost(const struct play_recorded *recorded, uint64_t number);

/** @return the last PSN of a request, plus 1 */
uint64_t
play_request_end(const struct play_recorded *recorded, const struct nd_model_frame *request);

/**
 * @return true if the end of an operation of our side was not captured, because the connection or
 *         the capture ended. In this case the operation is at least one byte longer than its
 *         captured part.
 */
bool play_is_unfinished(const struct play_recorded *recorded, size_t index);

/**
 * @return true if the capture shows everything that the engine needs to post an operation of our
 *         side
 */
bool play_can_post(const struct play_recorded *recorded, size_t index);

/** @return the right (enum nd_model_right) that the operation needs */
uint32_t play_right_of(const struct nd_model_operation *operation);

#endif
