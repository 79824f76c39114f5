/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_MAP_H
#define NDPDK_PLAYER_PLAY_MAP_H

#include <stdint.h>

#include "play_clock.h"
#include "play_recorded.h"
#include "play_sent.h"

/** Values of our side in the replay, which replace the recorded values in frames of the peer. */
struct play_map {
	/** First PSN of the peer's requests. Our REQ or REP announces it. */
	uint32_t psn;
	uint32_t qpn;
	uint32_t comm_id;     /**< communication ID of our side; 0: not known yet */
	uint64_t transaction; /**< newest transaction ID that our side has chosen */
};

/** Store the values of CM messages. Called after the engine has sent a frame. */
void play_map_learn(struct play_map *map, const struct play_frame *frame);

/** Replace the destination QPN in a frame of the peer. */
void play_map_destination(const struct play_map *map, const struct play_recorded *recorded,
	const struct packet *packet);

/**
 * Replace values of our side in a CM message of the peer. If the CM message answers a message of
 * our side, wait until our side has sent its message.
 */
void play_map_cm(const struct play_map *map, const struct play_recorded *recorded,
	struct play_clock *clock, const struct packet *packet);

#endif
