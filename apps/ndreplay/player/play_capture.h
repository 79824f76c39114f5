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
	 * For each connection: index in `numbers` of its first frame. The last entry is the total
	 * number of frames.
	 */
	size_t *first;
	/**
	 * For each frame: an enum play_lost, which tells whether the frame was lost after the
	 * capture point.
	 */
	uint8_t *lost;
	struct play_plot *plot; /**< picture of the replays; NULL = no picture */
};

enum play_lost {
	PLAY_ARRIVED = 0,
	PLAY_LOST = 1, /**< the model reports the frame as lost */
	/** The receiver of the packet requested it with a NAK, although the packet was captured. */
	PLAY_DOUBTED = 2,
	PLAY_DROPPED = 3, /**< requested by a NAK, but the requester went back further */
};

/**
 * Number of assumptions about lost frames (play_recorded.doubts). The frames that count as lost are
 * PLAY_LOST frames; PLAY_LOST and PLAY_DOUBTED frames; or frames of all three kinds.
 */
#define PLAY_DOUBTS 3u

/** Create the index. @return false: out of memory. Always call play_capture_close() afterwards. */
bool play_capture_open(struct play_capture *capture, const struct nd_model *model);
void play_capture_close(struct play_capture *capture);
/**
 * Check whether the frames after a NAK agree with the NAK. The packet that the NAK requests must be
 * retransmitted before an answer acknowledges it. Before this retransmission, the requester must
 * not retransmit an earlier packet. There are two exceptions: a retransmission because of an
 * earlier NAK, and a single packet because of a timer.
 *
 * @param index index of a sequence NAK among the frames of its connection
 */
bool play_capture_is_missed(const struct play_capture *capture, size_t connection, size_t index,
	const struct nd_model_frame *nak);
/**
 * @return index in `numbers` of the frame with this number. If the connection does not have this
 *         frame, the result is the index of the connection's next frame.
 */
size_t play_capture_index(const struct play_capture *capture, size_t connection, uint64_t number);

#endif
