/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_LACK_H
#define NDPDK_NDREPLAY_PLAY_LACK_H

#include "play.h"

/* What was on the wire, and not captured. */

void play_lack_find(struct play *play);
/**
 * @return whether the replay omits a recorded frame of the peer: a request that follows one which
 *         the capture lacks, or an answer to a request that our side does not send
 */
bool play_lack_omits(const struct play *play, const struct nd_model_frame *frame);
/**
 * @return whether a recorded frame is data of our side that depends on a request nobody captured.
 *         What answers a request before that one does not, unless bytes of memory may: those that a
 *         request of our side has changed.
 */
bool play_lack_hides(const struct play *play, uint64_t number, const struct nd_model_frame *frame);
/** @return whether a frame of our side is data that only such frames can be compared with */
bool play_lack_hides_ours(const struct play *play, const struct play_frame *ours);
/**
 * @param answer the packet is an answer
 * @return why the capture lacks a packet of our side with this PSN
 */
enum outcome_reason play_lack_reason(const struct play *play, uint64_t sequence, bool answer);
/**
 * @param number recorded frame of our side: a message with this attribute
 * @return whether it answers a message of the peer that the capture lacks
 */
bool play_lack_prompts(const struct play *play, uint64_t number, uint8_t attribute);
/** @return whether the peer sent a DREQ and did not repeat it: it got an answer, or gave up */
bool play_lack_drep(const struct play *play);

#endif
