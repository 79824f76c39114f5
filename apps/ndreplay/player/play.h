/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_H
#define NDPDK_PLAYER_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcome.h"
#include "play_capture.h"

struct rte_mempool;

/*
 * The engine replays one side of a recorded connection, called "our side". The other side
 * ("theirs") is the peer, and its frames come from the capture. The clock is virtual and follows
 * the times of the capture. Each connection is replayed separately, on its own adapter, which has
 * the recorded addresses.
 */

/**
 * Start EAL and create the packet buffers.
 *
 * @param why at least 256 bytes; has the reason on failure
 */
bool play_begin(const char *program, struct rte_mempool **pool, char *why, size_t size);

/**
 * Replay one side of one connection, and compare the engine's frames with the recorded frames.
 *
 * @param ours index of the side that the engine replays
 * @param speed factor of the recorded speed; 0 = no limit
 * @return false: the user pressed Ctrl-C, and the process must end
 */
bool play_connection(const struct play_capture *capture, size_t index, unsigned ours,
	uint32_t speed, struct rte_mempool *pool, struct outcome *outcome);

#endif
