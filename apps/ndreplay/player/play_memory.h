/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_MEMORY_H
#define NDPDK_PLAYER_PLAY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_model.h>

#include "play_engine.h"
#include "play_recorded.h"

/** Memory of our side that the peer can access with a key, at the recorded addresses. */
struct play_region {
	uint64_t low, end;
	uint8_t *bytes; /**< allocated with mmap(); first byte: address low */
	struct nd_mr *mr;
};

/** A recorded key of our side. */
struct play_key {
	const struct nd_model_key *key;
	uint64_t low, end; /**< range of the key; end 0: the key was never valid for any byte */
	uint32_t rights;   /**< bits of enum nd_model_right */
	struct nd_mw *mw;  /**< NULL: the key was invalidated, or was never valid */
	struct nd_result bound, invalidated;
	struct nd_mw_descriptor descriptor;
	bool alive;
};

/** Memory of our side that the peer can access with keys. */
struct play_memory {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	struct play_region *regions;
	size_t region_count;
	struct play_key *keys;
	size_t key_count;
	size_t next_memory; /**< index of the next memory event of the model */
	size_t together;    /**< first event that is executed now */
};

bool play_memory_open(struct play_memory *memory);
/** Bind the memory windows. Called when the connection is established. */
void play_memory_bind(struct play_memory *memory);
/**
 * Called before a request packet of the peer is executed. Gives memory and keys their recorded
 * state.
 *
 * @param kept the packet was kept after a gap, so it is executed together with others
 */
void play_memory_prepare(struct play_memory *memory, size_t operation, uint32_t packet, bool kept);
/**
 * Called before a duplicate (frame number) of an executed request of the peer. Closes its key if
 * the recorded side refused this duplicate.
 *
 * @param index of the operation
 */
void play_memory_repeat(struct play_memory *memory, uint64_t number, size_t index);
/**
 * @return whether a packet of the peer that arrives after a gap is the packet in the middle of a
 *         message that our side refused. Its key must be closed before this packet, but not before
 *         the earlier packets.
 *
 * @param expected next PSN of the peer that our side accepts
 */
bool play_memory_is_early(
	const struct play_memory *memory, const struct nd_model_frame *frame, uint64_t expected);
/** @return the key of the replay for a recorded key at this frame */
uint32_t play_memory_key(const struct play_memory *memory, uint32_t recorded, uint64_t number);
void play_memory_close(struct play_memory *memory);

#endif
