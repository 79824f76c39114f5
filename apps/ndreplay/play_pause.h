/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_PAUSE_H
#define NDPDK_NDREPLAY_PLAY_PAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct play;

/*
 * A host that stands still takes no frames and sends none, of any connection; a port that may not
 * send looks the same. When it goes on, it takes all that has come meanwhile at once, and its
 * timers expire behind that. Nothing in a capture tells when a host stood still, but it sends
 * nothing then.
 */

enum play_pauses {
	PLAY_PAUSES_NONE,
	/** Wherever no frame at all was captured for a while. */
	PLAY_PAUSES_SILENT,
	/** Also from the first frame that asks for an answer at once to the host's next frame. */
	PLAY_PAUSES_ANSWERS,
	PLAY_PAUSES_WAYS, /**< how many */
};

/** A time in which the host of our side stands still. */
struct play_pause {
	uint64_t first;            /**< number of the first frame that has to wait */
	uint64_t last;             /**< of the first frame that has not */
	bool requests;             /**< not only DREQs were not answered */
	uint64_t begin_ns, end_ns; /**< of the capture */
};

struct play_pauses_found {
	struct play_pause *at; /**< ascending */
	size_t count, room;
	size_t next; /**< not over yet */
};

/** Find them, as of play->pauses. To be freed with free(). */
void play_pauses_find(struct play *play);

/**
 * Let time go on to a frame of the capture. Frames that come while the host stands still are taken
 * before it goes on, so that timers expire behind them.
 *
 * @param due_ns time of the play at which it comes, if the host does not stand still
 */
void play_pauses_pass(struct play *play, uint64_t number, uint64_t due_ns);

/** @return whether the host stood still when this frame came, and answered no request either */
bool play_pauses_have(const struct play *play, uint64_t number);

#endif
