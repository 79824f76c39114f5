/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_MEMORY_H
#define NDPDK_NDREPLAY_PLAY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

struct play;

/* Memory of our side that the peer can access with keys. */

bool play_memory_open(struct play *play);
/** Bind the memory windows. Called when the connection is established. */
void play_memory_bind(struct play *play);
/**
 * Called before a request packet of the peer is executed. Gives memory and keys their recorded
 * state.
 *
 * @param kept the packet was kept after a gap, so it is executed together with others
 */
void play_memory_prepare(struct play *play, size_t operation, uint32_t packet, bool kept);
/**
 * Called before a duplicate (frame number) of an executed request of the peer. Closes its key if
 * the recorded side refused this duplicate.
 *
 * @param index of the operation
 */
void play_memory_repeat(struct play *play, uint64_t number, size_t index);
/**
 * @return whether a packet of the peer that arrives after a gap is the packet in the middle of a
 *         message that our side refused. Its key must be closed before this packet, but not before
 *         the earlier packets.
 */
bool play_memory_is_early(const struct play *play, const struct nd_model_frame *frame);
/** @return the right that the operation needs, an enum nd_model_right */
uint32_t play_right_of(const struct nd_model_operation *operation);
/** @return the key of the replay for a recorded key at this frame */
uint32_t play_memory_key(const struct play *play, uint32_t recorded, uint64_t number);
void play_memory_close(struct play *play);

#endif
