/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_UNCAPTURED_H
#define NDPDK_PLAYER_PLAY_UNCAPTURED_H

#include "outcome.h"
#include "play_recorded.h"
#include "play_sent.h"

/* What was on the wire, and not captured. */

void play_uncaptured_find(struct play_recorded *recorded);
/**
 * @return whether the replay omits a recorded frame of the peer: a request that follows one which
 *         the capture lacks, or an answer to a request that our side does not send
 */
bool
play_uncaptured_omits(const struct play_recorded *recorded, const struct nd_model_frame *frame);
/**
 * @return whether a recorded frame is data of our side that depends on a request nobody captured.
 *         What answers a request before that one does not, unless bytes of memory may: those that a
 *         request of our side has changed.
 */
bool play_uncaptured_hides(
	const struct play_recorded *recorded, uint64_t number, const struct nd_model_frame *frame);
/** @return whether a frame of our side is data that only such frames can be compared with */
bool
play_uncaptured_hides_ours(const struct play_recorded *recorded, const struct play_frame *ours);
/**
 * @param answer the packet is an answer
 * @return why the capture lacks a packet of our side with this PSN
 */
enum outcome_reason
play_uncaptured_reason(const struct play_recorded *recorded, uint64_t sequence, bool answer);
/**
 * @param number recorded frame of our side: a message with this attribute
 * @return whether it answers a message of the peer that the capture lacks
 */
bool
play_uncaptured_prompts(const struct play_recorded *recorded, uint64_t number, uint8_t attribute);
/** @return whether the peer sent a DREQ and did not repeat it: it got an answer, or gave up */
bool play_uncaptured_drep(const struct play_recorded *recorded);

#endif
