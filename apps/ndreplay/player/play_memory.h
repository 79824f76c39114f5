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

/** A range of our side's memory that the peer can access with keys, at the recorded addresses. */
struct play_region {
	uint64_t low, end;
	uint8_t *bytes; /**< mapping; its first byte has the address low */
	struct nd_mr *mr;
};

struct play_key {
	const struct nd_model_key *key;
	uint64_t low, end; /**< address range; end 0: the key was never valid for any byte */
	uint32_t rights;   /**< bits of enum nd_model_right */
	struct nd_mw *mw;  /**< window; NULL: the key was invalidated, or was never valid */
	struct nd_result bound, invalidated;
	struct nd_mw_descriptor descriptor;
	bool alive;
};

struct play_memory {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	struct play_region *regions;
	size_t region_count;
	struct play_key *keys;
	size_t key_count;
	size_t next_memory; /**< index in the model of the next memory event */
	size_t together;    /**< first event of the requests that are executed together now */
};

bool play_memory_open(struct play_memory *memory);
/** Bind the memory windows, after the connection is established. */
void play_memory_bind(struct play_memory *memory);
/**
 * Called before the engine executes a request packet of the peer. Restores the recorded content of
 * memory. If the recorded side refused the use of a key, closes the window of this key.
 *
 * @param kept true if the packet was kept until a missing packet arrived. In this case several
 *         packets are executed together.
 */
void play_memory_prepare(struct play_memory *memory, size_t operation, uint32_t packet, bool kept);
/**
 * Called before a duplicate of an executed request of the peer is replayed. If the recorded side
 * refused this duplicate, closes the window of the request's key.
 *
 * @param number number of the duplicate's frame
 * @param index index of the operation
 */
void play_memory_repeat(struct play_memory *memory, uint64_t number, size_t index);
/**
 * Our side accepted the first packets of a message and refused a later packet. The key must be
 * closed after the accepted packets and before the refused packet, even if packets are missing.
 *
 * @param expected next PSN of the peer that our side accepts
 * @return true if the frame is the refused packet of its message, and an earlier packet is missing
 */
bool play_memory_is_early(
	const struct play_memory *memory, const struct nd_model_frame *frame, uint64_t expected);
/** @return key of the replay that replaces a recorded key in the frame with this number */
uint32_t play_memory_key(const struct play_memory *memory, uint32_t recorded, uint64_t number);
void play_memory_close(struct play_memory *memory);

#endif
