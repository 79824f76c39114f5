/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_TRANSFER_H
#define NDPDK_BENCH_LOOP_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench.h"
#include "loop_operation.h"
#include "loop_pair.h"

/*
 * Rows of a bench that move messages of one endpoint to another, each beside its floor of frames.
 * All transfers of a process go over the same pair.
 */

/** Most rows of a transfer. */
#define LOOP_TRANSFER_ROWS 3u

struct loop_transfer {
	const struct loop_operation *operation;
	uint32_t depth;    /**< requests of a batch, 1 .. LOOP_DEPTH_MAX */
	uint32_t bytes;    /**< as loop_frames_move() takes them */
	bool shares_floor; /**< with a transfer whose rows are made before */
};

/** Open the pair and what the floors need.
 * @param memory_bytes of the longest message; 0 = that of one packet @return the pair */
struct loop_pair *loop_transfer_open(const struct bench *bench, uint32_t memory_bytes);

/** Write a transfer's rows: its floors unless it shares them, and its own. @return how many */
size_t loop_transfer_rows(const struct loop_transfer *transfer, struct bench_row *rows);

#endif
