/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_UNCAPTURED_H
#define NDPDK_PLAYER_PLAY_UNCAPTURED_H

#include "outcome.h"
#include "play_recorded.h"
#include "play_sent.h"

void play_uncaptured_find(struct play_recorded *recorded);
/**
 * @return true if the replay omits a frame of the peer. The frame is a request after a request that
 *         was not captured, or an answer to a request that our side cannot send.
 */
bool
play_uncaptured_omits(const struct play_recorded *recorded, const struct nd_model_frame *frame);
/**
 * A data frame of our side cannot be judged if it depends on a request that was not captured. An
 * answer to an earlier request does not depend on the missing request. There is one exception: a
 * missing request of our side may have changed memory, so all answers with data depend on it.
 *
 * @return true if a recorded frame cannot be judged
 */
bool play_uncaptured_hides(
	const struct play_recorded *recorded, uint64_t number, const struct nd_model_frame *frame);
/**
 * @return true if a frame of the engine can be compared only with recorded frames that cannot be
 *         judged
 */
bool
play_uncaptured_hides_ours(const struct play_recorded *recorded, const struct play_frame *ours);
/**
 * @param answer true if the packet is an answer
 * @return the reason why no packet of our side with this PSN was captured
 */
enum outcome_reason
play_uncaptured_reason(const struct play_recorded *recorded, uint64_t sequence, bool answer);
/**
 * @param number, attribute a recorded CM message of our side
 * @return true if the CM message answers a message of the peer that was not captured
 */
bool
play_uncaptured_prompts(const struct play_recorded *recorded, uint64_t number, uint8_t attribute);
/** @return true if the peer sent exactly one DREQ, so that it received an answer or gave up */
bool play_uncaptured_drep(const struct play_recorded *recorded);

#endif
