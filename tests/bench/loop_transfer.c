/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loop_transfer.h"

#include <stdio.h>

#include <rte_common.h>

#include "loop_frames.h"

static struct loop_pair pair;
static struct loop_frames frames = {.pair = &pair};
static struct loop_frames frames_icrc = {.pair = &pair, .by_kernel = true};

struct loop_pair *
loop_transfer_open(const struct bench *bench, uint32_t memory_bytes)
{
	pair.repeatable = bench->repeatable;
	pair.memory_bytes = memory_bytes;
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	loop_frames_open(&frames);
	loop_frames_open(&frames_icrc);
	return &pair;
}

static void
transfer_run(void *arg, uint32_t iterations)
{
	const struct loop_transfer *transfer = arg;
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		loop_operation_run(&pair, transfer->operation, transfer->bytes, count);
	}
	loop_pair_quiet(&pair);
}

static void
bursts_move(
	const struct loop_frames *over, const struct loop_transfer *transfer, uint32_t iterations)
{
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		loop_frames_move(over, transfer->bytes, count);
	}
}

static void
frames_run(void *arg, uint32_t iterations)
{
	bursts_move(&frames, arg, iterations);
}

static void
frames_icrc_run(void *arg, uint32_t iterations)
{
	bursts_move(&frames_icrc, arg, iterations);
}

static void
row_make(struct bench_row *row, const char *what, const struct loop_transfer *transfer,
	void (*run)(void *arg, uint32_t iterations))
{
	*row = (struct bench_row){.run = run, .arg = (void *)(uintptr_t)transfer};
	snprintf(row->name, sizeof(row->name), "%s_%u_depth_%u", what, transfer->bytes,
		transfer->depth);
	snprintf(row->floor, sizeof(row->floor), "frames_%u_depth_%u", transfer->bytes,
		transfer->depth);
}

size_t
loop_transfer_rows(const struct loop_transfer *transfer, struct bench_row *rows)
{
	size_t count = 0;

	if (!transfer->shares_floor) {
		row_make(&rows[count++], "frames", transfer, frames_run);
		row_make(&rows[count++], "frames_icrc", transfer, frames_icrc_run);
	}
	row_make(&rows[count++], transfer->operation->name, transfer, transfer_run);
	return count;
}
