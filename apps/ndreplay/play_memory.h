/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_MEMORY_H
#define NDPDK_NDREPLAY_PLAY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

struct play;

/* Memory of our side that the peer's keys open. */

bool play_memory_open(struct play *play);
/** Open the windows: the connection is there. */
void play_memory_bind(struct play *play);
/**
 * Before a packet of their request is executed: memory and keys are as they were.
 *
 * @param kept it has waited behind a gap, so others are executed with it
 */
void play_memory_prepare(struct play *play, size_t operation, uint32_t packet, bool kept);
/**
 * Before a copy of their request, which our side has executed: it may be refused.
 *
 * @param index of the operation
 */
void play_memory_repeat(struct play *play, uint64_t number, size_t index);
/**
 * @return whether a packet of theirs, which comes ahead of a gap, is one in the middle of a message
 *         that our side refused: its key has to end before it, and not before those in front of it
 */
bool play_memory_is_early(const struct play *play, const struct nd_model_frame *frame);
/** @return the right that it needs, enum nd_model_right */
uint32_t play_right_of(const struct nd_model_operation *operation);
/** @return key of our side for a recorded one at this frame */
uint32_t play_memory_key(const struct play *play, uint32_t recorded, uint64_t number);
void play_memory_close(struct play *play);

#endif
