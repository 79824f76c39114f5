/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_CAPTURE_H
#define NDPDK_PLAYER_PLAY_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

struct play_plot;

/** The frames of one model, sorted by connection. All replays of the model share it. */
struct play_capture {
	const struct nd_model *model;
	uint64_t *numbers; /**< numbers of the frames of connection 0, then of connection 1, ... */
	/** index in numbers of the first frame of each connection, and the total count */
	size_t *first;
	/** By frame number: an enum play_lost, loss after the place of the capture. */
	uint8_t *lost;
	struct play_plot *plot; /**< draws the replays; NULL = no picture */
};

enum play_lost {
	PLAY_ARRIVED = 0,
	PLAY_LOST = 1, /**< the model reports the loss */
	/** its receiver requested the packet with a NAK after the packet was captured */
	PLAY_DOUBTED = 2,
	PLAY_DROPPED = 3, /**< the same, but the requester retransmitted from an earlier packet */
};

/** Number of ways to treat frames as lost: only PLAY_LOST, also PLAY_DOUBTED, also PLAY_DROPPED. */
#define PLAY_DOUBTS 3u

/** @return false: no memory. Call play_capture_close() in both cases. */
bool play_capture_open(struct play_capture *capture, const struct nd_model *model);
void play_capture_close(struct play_capture *capture);
/**
 * Check whether the frames after a NAK agree with it. The requested packet must be retransmitted
 * before an answer acknowledges it, and until then the requester must not go back further, except
 * for an earlier NAK, or for a single packet because of a timer.
 *
 * @param index of a NAK for a gap, among the frames of its connection
 */
bool play_capture_is_missed(const struct play_capture *capture, size_t connection, size_t index,
	const struct nd_model_frame *nak);
/** @return index of a frame in numbers, or of the first later frame of its connection */
size_t play_capture_index(const struct play_capture *capture, size_t connection, uint64_t number);

#endif
