/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_ANSWER_H
#define NDPDK_PLAYER_PLAY_ANSWER_H

#include "play_engine.h"
#include "play_recorded.h"
#include "play_sent.h"

/** State of the peer's answers to requests of our side. */
struct play_answers {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	struct play_sent *sent;
	uint64_t acknowledged; /**< highest acknowledged PSN + 1 of our requests */
};

/**
 * Called before an answer of the peer is replayed. Waits until the engine has sent the request that
 * the frame answers.
 *
 * @param number number of the answer's frame
 */
void
play_answer_wait(struct play_answers *answers, uint64_t number, const struct nd_model_frame *frame);

#endif
