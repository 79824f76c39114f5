/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_CAPTURE_H
#define NDPDK_PLAYER_PLAY_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

struct play_plot;

/** The frames of one model, sorted by connection. All replays share this index. */
struct play_capture {
	const struct nd_model *model;
	uint64_t *numbers; /**< frame numbers: all of connection 0, then all of connection 1, ... */
	/**
	 * By connection: index in `numbers` of its first frame. One more entry has the total number
	 * of frames.
	 */
	size_t *first;
	/**
	 * By frame number: an enum play_lost, whether the frame was lost after the capture point.
	 */
	uint8_t *lost;
	struct play_plot *plot; /**< picture of the replays; NULL = no picture */
};

enum play_lost {
	PLAY_ARRIVED = 0,
	PLAY_LOST = 1, /**< the model reports the frame as lost */
	/** After the packet was captured, its receiver requested it with a NAK. */
	PLAY_DOUBTED = 2,
	PLAY_DROPPED = 3, /**< requested by a NAK, but the requester went back further */
};

/**
 * Number of assumptions about lost frames (play_recorded.doubts): only PLAY_LOST frames are lost;
 * PLAY_DOUBTED frames, too; PLAY_DROPPED frames, too.
 */
#define PLAY_DOUBTS 3u

/** Create the index. @return false: out of memory. Call play_capture_close() in both cases. */
bool play_capture_open(struct play_capture *capture, const struct nd_model *model);
void play_capture_close(struct play_capture *capture);
/**
 * Check whether the frames after a NAK agree with it. The packet that the NAK requests must be
 * retransmitted before an answer acknowledges it. Until then, the requester must not retransmit an
 * earlier packet. Exceptions: because of an earlier NAK, or a single packet because of a timer.
 *
 * @param index index of a sequence NAK among the frames of its connection
 */
bool play_capture_is_missed(const struct play_capture *capture, size_t connection, size_t index,
	const struct nd_model_frame *nak);
/**
 * @return index in `numbers` of the frame with this number; if the connection does not have this
 *         frame, the index of its next frame
 */
size_t play_capture_index(const struct play_capture *capture, size_t connection, uint64_t number);

#endif
