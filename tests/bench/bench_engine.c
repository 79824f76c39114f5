/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of an operation on the second of an adapter's two engines. One thread polls both engines of
 * two adapters. The operations run on engine 1 of each. Engine 0 executes one idle turn (a poll
 * without work) per batch of 64 operations. This bench is used to count instructions, which do not
 * depend on other lcores. bench_lcores measures several lcores.
 */

#include <stdlib.h>

#include <rte_common.h>

#include "bench.h"
#include "loop_bind.h"
#include "loop_frames.h"
#include "loop_operation.h"

#define BYTES 64u
#define FLOOR "engine_1_frames_64_depth_64"

/**
 * first: pair of the engines 0 of both adapters. second: pair of the engines 1 of the same
 * adapters.
 */
static struct loop_pair first, second;
static struct loop_frames frames;
static struct loop_bind windows;

static void
frames_run(void *arg, uint32_t iterations)
{
	(void)arg;
	for (uint32_t done = 0; done < iterations; done += LOOP_DEPTH_MAX)
		loop_frames_move(&frames, BYTES, LOOP_DEPTH_MAX);
}

static void
first_poll(void)
{
	for (unsigned int i = 0; i < 2; i++)
		nd_engine_poll(first.side[i].engine);
}

static void
write_run(void *arg, uint32_t iterations)
{
	(void)arg;
	for (uint32_t done = 0; done < iterations; done += LOOP_DEPTH_MAX) {
		loop_operation_run(&second, &loop_write, BYTES, LOOP_DEPTH_MAX);
		first_poll();
	}
}

static void
bind_run(void *arg, uint32_t iterations)
{
	(void)arg;
	for (uint32_t done = 0; done < iterations; done += LOOP_DEPTH_MAX) {
		loop_bind_only(&windows, LOOP_DEPTH_MAX);
		first_poll();
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 1024};
	static const struct bench_row rows[] = {
		{.name = FLOOR, .floor = FLOOR, .run = frames_run},
		{.name = "engine_1_write_64_depth_64", .floor = FLOOR, .run = write_run},
		{.name = "engine_1_bind_invalidate_depth_64", .floor = FLOOR, .run = bind_run},
	};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	first.repeatable = bench.repeatable;
	first.engines = 2;
	first.entries = LOOP_BIND_ENTRIES;
	first.one_thread = true;
	loop_pair_open(&first, LOOP_WINDOWS_FEW);
	loop_pair_join(&second, &first, 1);
	frames.pair = windows.pair = &second;
	loop_frames_open(&frames);
	loop_bind_open(&windows);
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
