/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_FIT_H
#define NDPDK_NDREPLAY_PLAY_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct play;

/** Packets ahead of a gap that a side is supposed to keep where nothing tells how many. */
#define PLAY_KEEP_MAX 512u

/** Ascending. */
struct play_numbers {
	uint64_t *at;
	size_t count, room;
};

/** How the recorded side takes requests that come ahead of a gap. */
struct play_fit {
	uint16_t keep;      /**< distance up to which it keeps them; 0: it keeps none */
	uint16_t others[2]; /**< distances that fit as well */
	size_t other_count;
	bool keeps;               /**< the answers show that it keeps packets */
	struct play_numbers gaps; /**< PSNs that it expected while later ones came */
	struct play_numbers open; /**< those for longer than a receiver takes for a burst */
	struct play_numbers
		naks; /**< frames: its NAKs that were due, or tell of a packet dropped */
	struct play_numbers
		early; /**< frames: its answers to packets none of which had come by then */
};

/** Find how our side recovers. Lost frames are as of play->doubts. To be freed. */
void play_fit_make(const struct play *play, struct play_fit *fit);
/** Find its gaps and NAKs, if it keeps as many packets as play->keep says. */
void play_fit_gaps(const struct play *play, struct play_fit *fit);
void play_fit_free(struct play_fit *fit);
bool play_numbers_have(const struct play_numbers *numbers, uint64_t number);

#endif
