/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Transfers of messages of 0 bytes to 1 MiB, as in bench_loop: WRITE, READ and SEND at depth 1 and
 * 64. Frames of the same size are the floors. The times of the rows differ by four orders of
 * magnitude, so use --only and --iterations to get equal measurement times.
 */

#include <stdlib.h>

#include <rte_common.h>

#include "bench.h"
#include "loop_transfer.h"

#define BYTES_MAX (1u << 20)

static const uint32_t depths[] = {1, LOOP_DEPTH_MAX};
static const uint32_t sizes[] = {
	0, 8, 64, 256, 1024, 4096, 1u << 14, 1u << 16, 1u << 18, BYTES_MAX};
static const struct loop_operation *const operations[] = {&loop_write, &loop_read, &loop_send};

#define TRANSFERS (RTE_DIM(depths) * RTE_DIM(sizes) * RTE_DIM(operations))

static struct loop_transfer transfers[TRANSFERS];

static size_t
rows_make(struct bench_row *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < TRANSFERS; i++) {
		size_t place = i / RTE_DIM(operations);

		transfers[i] = (struct loop_transfer){
			.operation = operations[i % RTE_DIM(operations)],
			.depth = depths[place / RTE_DIM(sizes)],
			.bytes = sizes[place % RTE_DIM(sizes)],
			.shares_floor = i % RTE_DIM(operations) != 0,
		};
		count += loop_transfer_rows(&transfers[i], &rows[count]);
	}
	return count;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 5, .iterations = 64};
	static struct bench_row rows[LOOP_TRANSFER_ROWS * TRANSFERS];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	loop_transfer_open(&bench, BYTES_MAX);
	bench_run(&bench, rows, rows_make(rows));
	return EXIT_SUCCESS;
}
