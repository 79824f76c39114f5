/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_SEARCH_H
#define NDPDK_PLAYER_PLAY_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "play_recorded.h"

/** Packets after a gap that a side keeps, if the capture does not show the number. */
#define PLAY_KEEP_MAX 512u

/** PSNs or frame numbers, ascending. */
struct play_numbers {
	uint64_t *at;
	size_t count, room;
};

/** How the recorded side handles requests that arrive after a gap in the PSNs. */
struct play_search {
	uint16_t keep;      /**< largest distance after a gap at which it keeps packets; 0: none */
	uint16_t others[2]; /**< other distances that fit the recorded answers equally */
	size_t other_count;
	bool no_memory;            /**< set by the functions below */
	bool keeps;                /**< the recorded answers show that it keeps packets */
	struct play_numbers gaps;  /**< PSNs that it expected while later packets arrived */
	struct play_numbers open;  /**< of gaps: PSNs that were missing for longer than BURST_NS */
	struct play_numbers naks;  /**< frames of its NAKs for missing or dropped packets */
	struct play_numbers early; /**< frames of its ACKs for packets not captured before */
};

/**
 * Find how our side recovers; recorded->doubts selects lost frames. To be freed with
 * play_search_free().
 */
void play_search_make(const struct play_recorded *recorded, struct play_search *search);
/** Find the gaps and NAKs of our side, assuming that it keeps packets up to distance keep. */
void
play_search_gaps(const struct play_recorded *recorded, uint16_t keep, struct play_search *search);
void play_search_free(struct play_search *search);
bool play_numbers_have(const struct play_numbers *numbers, uint64_t number);

#endif
