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
 * Rows that transfer messages between two endpoints, and the rows of their floors (loop_frames.h).
 * All transfers of a process use the same pair.
 */

/** Maximum number of rows of a transfer, including its floors. */
#define LOOP_TRANSFER_ROWS 3u

struct loop_transfer {
	const struct loop_operation *operation;
	uint32_t depth; /**< number of requests in a batch, 1 to LOOP_DEPTH_MAX */
	uint32_t bytes; /**< bytes per message, as for loop_frames_move() */
	/** The transfer has no own floor rows: an earlier transfer made them. */
	bool shares_floor;
};

/**
 * Open the pair and prepare the floors.
 * @param memory_bytes maximum length of a message; 0 = LOOP_PATH_MTU
 * @return the pair
 */
struct loop_pair *loop_transfer_open(const struct bench *bench, uint32_t memory_bytes);

/**
 * Write the rows of a transfer, and the rows of its floors unless shares_floor is set.
 * @return number of rows
 */
size_t loop_transfer_rows(const struct loop_transfer *transfer, struct bench_row *rows);

#endif
