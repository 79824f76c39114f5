/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_WORK_H
#define NDPDK_PLAYER_PLAY_WORK_H

#include <ndpdk/nd.h>

#include "play_engine.h"
#include "play_recorded.h"

/** The buffer of an operation or a receive of our side. */
struct play_buffer {
	struct nd_result result;
	uint8_t *bytes;
	size_t count;
	struct nd_mr *mr;
	size_t index;
	bool receive;
	bool posted;
};

struct play_work {
	const struct play_recorded *recorded;
	struct play_engine *engine;
	struct play_buffer *operations, *receives;
	size_t operation_room, receive_room;
	size_t next_operation;
	size_t next_receive;
	/** PSN after an operation whose end was not captured; UINT64_MAX: no such operation */
	uint64_t unfinished;
	/**
	 * Recorded frame at which the engine's connection failed because requests had no answers. A
	 * failure can happen after lacks_frame. UINT64_MAX: the connection did not fail.
	 */
	uint64_t failed_frame;
};

/** Post the operations of our side up to the given operation, inclusive. */
void play_post(struct play_work *work, size_t operation);
/**
 * Post the receive for an operation of the peer, if our side had posted the receive before the
 * frame with this number.
 *
 * @return false: the operation needs a receive that our side had not posted yet
 */
bool play_receive(struct play_work *work, size_t operation, uint64_t number);
void play_results(struct play_work *work);
void play_work_close(struct play_work *work);

#endif
