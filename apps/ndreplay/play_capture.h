/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PLAY_CAPTURE_H
#define NDPDK_NDREPLAY_PLAY_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

struct play;
struct play_plot;

/** What plays of one model have in common: its frames by connection. */
struct play_capture {
	const struct nd_model *model;
	uint64_t *numbers; /**< frames of connection 0, of connection 1, ... */
	size_t *first;     /**< index of the first one of each connection, and behind the last */
	/** By number, enum play_lost: the network lost the frame behind the place of capture. */
	uint8_t *lost;
	struct play_plot *plot; /**< shows the plays; NULL = none */
};

enum play_lost {
	PLAY_ARRIVED = 0,
	PLAY_LOST = 1,    /**< the model says so */
	PLAY_DOUBTED = 2, /**< its receiver asked for it by a NAK after it was captured */
	PLAY_DROPPED = 3, /**< the same, while the requester went back to one before it */
};

/** How much is taken for lost: what the model says, the doubted frames, the dropped ones, too. */
#define PLAY_DOUBTS 3u

/** @return false: no memory. To be freed with play_capture_close(), also then. */
bool play_capture_open(struct play_capture *capture, const struct nd_model *model);
void play_capture_close(struct play_capture *capture);
/**
 * @param index of a NAK for a gap, among the frames of its connection
 * @return whether what follows it fits: the packet that it asks for comes again before anything
 *         says that it is there, and until then the requester does not go back to one before it,
 *         unless an earlier NAK has asked for that, or a timer of the requester for a single one
 */
bool play_capture_is_missed(const struct play_capture *capture, size_t connection, size_t index,
	const struct nd_model_frame *nak);
/**
 * Frames of a connection, in order.
 *
 * @param at index from 0
 * @param[out] frame filled when a number is returned
 * @return number of the frame; 0: there are no more
 */
uint64_t play_frame(const struct play *play, size_t at, struct nd_model_frame *frame);

/** @return index, for play_frame(), of the first frame with this number or a higher number */
size_t play_frames_from(const struct play *play, uint64_t number);

/** @return whether the frame, of their side, is taken for lost behind the place of the capture */
bool play_is_lost(const struct play *play, uint64_t number);

#endif
