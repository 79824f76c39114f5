/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_FRAMES_H
#define NDPDK_BENCH_LOOP_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#include "loop_pair.h"

/*
 * The floor of transfers between two connected endpoints: frames of the same size cross the same
 * ports in the same bursts. Each frame is copied into a buffer of a pool, and its CRC is computed.
 * After the frame has crossed the ring, its CRC is computed again and its payload is copied out. A
 * message longer than LOOP_PATH_MTU is sent as several frames. Answers cross the other ring, like
 * acknowledgements.
 */

struct loop_frames {
	/* Set before opening. */
	struct loop_pair *pair;
	/**
	 * true: compute the CRC with the library's ICRC kernel; false: compute the CRC with ISA-L.
	 */
	bool by_kernel;
	/**
	 * true: answer each frame, as if each frame belonged to a separate connection; false:
	 * answer only the last frame of each burst.
	 */
	bool answers_all;
	/* Set by loop_frames_open(). */
	struct rte_mempool *pool;
	uint8_t *source; /**< bytes to send: headers and payload of the longest message */
};

/** Frames that are sent together. */
struct loop_burst {
	uint32_t offset; /**< offset of the first frame's payload in the memory of each side */
	/**
	 * distance in bytes between the payloads of two frames; 0 = all frames have the same
	 * payload
	 */
	uint32_t step;
	uint32_t bytes; /**< payload bytes of each frame, at most LOOP_PATH_MTU */
	uint32_t count; /**< number of frames, 1 .. LOOP_DEPTH_MAX */
};

/** Allocate pool and source. The pair must be open. End the process if memory is exhausted. */
void loop_frames_open(struct loop_frames *frames);

void loop_frames_send(const struct loop_frames *frames, const struct loop_burst *burst);

/**
 * Receive frames of a burst at side 1 with one call of the port, and answer them.
 * @param taken number of frames of the burst that earlier calls received
 * @return number of frames that this call received
 */
uint32_t loop_frames_answer(
	const struct loop_frames *frames, const struct loop_burst *burst, uint32_t taken);

uint32_t loop_frames_finish(const struct loop_frames *frames);

/**
 * Transfer messages from side 0 to side 1, and all answers back.
 * @param bytes length of each message: 0 to LOOP_PATH_MTU, or a multiple of LOOP_PATH_MTU up to
 *              the pair's memory_bytes
 * @param count number of messages, 1 to LOOP_DEPTH_MAX
 */
void loop_frames_move(const struct loop_frames *frames, uint32_t bytes, uint32_t count);

#endif
