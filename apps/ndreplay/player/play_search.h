/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_SEARCH_H
#define NDPDK_PLAYER_PLAY_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "play_recorded.h"

/**
 * Assumed number of packets that a side keeps after a gap, if the capture does not show the number.
 */
#define PLAY_KEEP_MAX 512u

/** PSNs or frame numbers, in ascending order. */
struct play_numbers {
	uint64_t *at;
	size_t count, room;
};

/** Handling of requests that arrive after a gap in the PSNs, by the recorded side. */
struct play_search {
	uint16_t keep;      /**< maximum distance of kept packets after a gap; 0 = none kept */
	uint16_t others[2]; /**< other values of keep that agree equally well with the answers */
	size_t other_count;
	bool no_memory;            /**< memory was exhausted, so the results are incomplete */
	bool keeps;                /**< the recorded answers prove that the side keeps packets */
	struct play_numbers gaps;  /**< PSNs that the side expected while later packets arrived */
	struct play_numbers open;  /**< PSNs in gaps that were missing for longer than BURST_NS */
	struct play_numbers naks;  /**< frame numbers of the side's justified sequence NAKs */
	struct play_numbers early; /**< frame numbers of ACKs for packets not yet captured */
};

/**
 * Find how our side recovers from losses. recorded->doubts selects the frames that count as lost.
 * The caller frees the result with play_search_free().
 */
void play_search_make(const struct play_recorded *recorded, struct play_search *search);
/** Find the gaps and NAKs of our side, if it keeps packets up to distance `keep`. */
void
play_search_gaps(const struct play_recorded *recorded, uint16_t keep, struct play_search *search);
void play_search_free(struct play_search *search);
bool play_numbers_have(const struct play_numbers *numbers, uint64_t number);

#endif
