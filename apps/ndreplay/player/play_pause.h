/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_PAUSE_H
#define NDPDK_PLAYER_PLAY_PAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "play_clock.h"
#include "play_recorded.h"

/*
 * During a pause, the host of our side receives and sends no frames on any connection; a blocked
 * port has the same effect. After the pause, the host receives all waiting frames, and then its
 * timers expire. A capture shows a pause only by the absence of frames of the host.
 */

enum play_pauses_way {
	PLAY_PAUSES_NONE,
	/** Pauses where no frame of any connection was captured for PAUSE_NS. */
	PLAY_PAUSES_SILENT,
	/** Also from the first frame that requires an immediate answer to the host's next frame. */
	PLAY_PAUSES_ANSWERS,
	PLAY_PAUSES_WAYS, /**< number of values */
};

/** A pause of the host of our side. */
struct play_pause {
	uint64_t first; /**< number of the first frame that is delayed by the pause */
	uint64_t last;  /**< number of the first frame that is not delayed */
	/** a request packet, not only a DREQ, was unanswered */
	bool requests;
	uint64_t begin_ns, end_ns; /**< times of the capture */
};

struct play_pauses {
	enum play_pauses_way way; /**< where the replay assumes that our host paused */
	struct play_pause *at;    /**< ascending */
	size_t count, room;
	size_t next;    /**< index of the first pause that is not over */
	bool no_memory; /**< set by play_pauses_find() */
};

/** Find the pauses that found->way selects. Free found->at after use. */
void play_pauses_find(const struct play_recorded *recorded, struct play_pauses *found);

/**
 * Advance the time to a frame of the capture. Frames that arrive during a pause are delivered
 * before the time advances to the end of the pause, so timers expire after these frames.
 *
 * @param due_ns time of the replay at which the frame is due without a pause
 */
void play_pauses_pass(
	struct play_pauses *found, struct play_clock *clock, uint64_t number, uint64_t due_ns);

/** @return whether the host paused when this frame arrived, without answering requests */
bool play_pauses_have(const struct play_pauses *found, uint64_t number);

#endif
