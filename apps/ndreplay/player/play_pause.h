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
 * During a pause, our side's host receives and sends no frames on any connection. A blocked port
 * has the same effect. After the pause, the host receives all waiting frames before its timers
 * expire. A capture shows a pause only by the absence of the host's frames.
 */

enum play_pauses_way {
	PLAY_PAUSES_NONE,
	/**
	 * A pause is a time of at least PAUSE_NS in which no frame of any connection was captured.
	 */
	PLAY_PAUSES_SILENT,
	/**
	 * Pauses of PLAY_PAUSES_SILENT, and pauses from the first frame that requires an immediate
	 * answer until the host's next frame. Both kinds last at least PAUSE_NS.
	 */
	PLAY_PAUSES_ANSWERS,
	PLAY_PAUSES_WAYS, /**< number of values */
};

struct play_pause {
	uint64_t first; /**< number of the first frame that is delayed by the pause */
	uint64_t last;  /**< number of the first frame after the pause */
	/** true if a request packet was unanswered in the pause; false = only CM messages */
	bool requests;
	uint64_t begin_ns, end_ns; /**< times of the capture */
};

struct play_pauses {
	enum play_pauses_way way; /**< assumption about the pauses of our host */
	struct play_pause *at;    /**< pauses, in order of time */
	size_t count, room;
	size_t next;    /**< index of the first pause that has not ended yet */
	bool no_memory; /**< set by play_pauses_find() */
};

/** Find the pauses according to found->way. The caller frees found->at. */
void play_pauses_find(const struct play_recorded *recorded, struct play_pauses *found);

/**
 * Advance the time to the time of a captured frame, and pass the pauses before the frame. Frames
 * that arrive during a pause are delivered before the time advances to the end of the pause, so
 * that timers expire after these frames.
 *
 * @param due_ns replay time of the frame if there is no pause
 */
void play_pauses_pass(
	struct play_pauses *found, struct play_clock *clock, uint64_t number, uint64_t due_ns);

/**
 * @return true if this frame arrived during a pause of the host in which requests stayed unanswered
 */
bool play_pauses_have(const struct play_pauses *found, uint64_t number);

#endif
