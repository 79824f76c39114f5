/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_FRAMES_H
#define NDPDK_BENCH_LOOP_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#include "loop_pair.h"

/*
 * The floor of what two connected endpoints do: frames of the same size through the same ports with
 * the same bursts. Each is copied into a buffer of a pool and its CRC is made, it crosses the ring,
 * its CRC is made again and its payload is copied out. A message longer than LOOP_PATH_MTU is as
 * many frames. Answers cross the other ring, as acknowledgements do.
 */

struct loop_frames {
	/* Set before opening. */
	struct loop_pair *pair;
	/** The CRC is made by the library's ICRC kernel, not by ISA-L. */
	bool by_kernel;
	/** Each frame is answered, as those of different connections are; else the last one of each
	 * burst is. */
	bool answers_all;
	/* Set by loop_frames_open(). */
	struct rte_mempool *pool;
	uint8_t *source; /**< headers, and payload of the longest message */
};

/** Frames that are sent together: what of a message's payload is in each. */
struct loop_burst {
	uint32_t offset; /**< of the first one, in the memory of either side */
	uint32_t step;   /**< from one to the next: 0 = all are the same bytes */
	uint32_t bytes;  /**< of each, at most LOOP_PATH_MTU */
	uint32_t count;  /**< 1 .. LOOP_DEPTH_MAX */
};

/** Make what the frames need; the pair is open. Ends the process when there is no memory. */
void loop_frames_open(struct loop_frames *frames);

/** Make frames and send them from side 0. */
void loop_frames_send(const struct loop_frames *frames, const struct loop_burst *burst);

/** Take and answer at side 1 those of a burst that are next, at most as many as one call of the
 * port gives. @param taken how many of them were taken before @return how many now */
uint32_t loop_frames_answer(
	const struct loop_frames *frames, const struct loop_burst *burst, uint32_t taken);

/** Take the answers at side 0 that one call of the port gives. @return how many */
uint32_t loop_frames_finish(const struct loop_frames *frames);

/**
 * Move messages from side 0 to side 1, and all their answers back.
 * @param bytes of each: 0 .. LOOP_PATH_MTU, or a multiple of it up to the pair's memory_bytes
 * @param count 1 .. LOOP_DEPTH_MAX
 */
void loop_frames_move(const struct loop_frames *frames, uint32_t bytes, uint32_t count);

#endif
