/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of the interfaces of Network Direct, version 2 (spi_) and version 1 (spi1_): messages of 64
 * bytes between two adapters over rings, in one thread, as multiples of the cost of the same
 * messages through the native API. The floor posts messages one by one, because version 2 has no
 * call for batches. native_write_64 and native_send_64 post messages in batches.
 *
 * A run of a row takes about 20 ms. While the application does not poll, threads of the library
 * poll the engines. They need about half a ms of this time to detect that the application polls
 * again.
 */

#include <stdlib.h>

#include <rte_common.h>

#include "bench.h"
#include "loop_operation.h"
#include "spi1_loop.h"
#include "spi_loop.h"

#define BYTES 64

static struct loop_pair pair;
static struct spi_loop loop;
static struct spi1_loop loop1;

static void
native_run(void *arg, uint32_t iterations)
{
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, iterations - done);
		loop_operation_run(&pair, arg, BYTES, count);
	}
	loop_pair_quiet(&pair);
}

static void
spi_run(enum spi_loop_operation operation, uint32_t iterations)
{
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, iterations - done);
		spi_loop_run(&loop, operation, BYTES, count);
	}
	spi_loop_quiet(&loop);
}

static void
write_run(void *arg, uint32_t iterations)
{
	(void)arg;
	spi_run(SPI_LOOP_WRITE, iterations);
}

static void
send_run(void *arg, uint32_t iterations)
{
	(void)arg;
	spi_run(SPI_LOOP_SEND, iterations);
}

static void
spi1_run(enum spi_loop_operation operation, uint32_t iterations)
{
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, iterations - done);
		spi1_loop_run(&loop1, operation, BYTES, count);
	}
	spi_loop_quiet(&loop);
}

static void
write1_run(void *arg, uint32_t iterations)
{
	(void)arg;
	spi1_run(SPI_LOOP_WRITE, iterations);
}

static void
send1_run(void *arg, uint32_t iterations)
{
	(void)arg;
	spi1_run(SPI_LOOP_SEND, iterations);
}

/**
 * @return argument of a row that executes an operation of the native API. The cast removes const,
 * because `arg` is not const.
 */
static void *
operation_of(const struct loop_operation *operation)
{
	return (void *)(uintptr_t)operation;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 16, .iterations = 131072};
	const struct bench_row rows[] = {
		{"native_write_singly_64", "native_write_singly_64", "", NULL, native_run,
			operation_of(&loop_write_singly)},
		{"native_write_64", "native_write_singly_64", "", NULL, native_run,
			operation_of(&loop_write)},
		{"spi_write_64", "native_write_singly_64", "", NULL, write_run, NULL},
		{"spi1_write_64", "native_write_singly_64", "", NULL, write1_run, NULL},
		{"native_send_singly_64", "native_send_singly_64", "", NULL, native_run,
			operation_of(&loop_send_singly)},
		{"native_send_64", "native_send_singly_64", "", NULL, native_run,
			operation_of(&loop_send)},
		{"spi_send_64", "native_send_singly_64", "", NULL, send_run, NULL},
		{"spi1_send_64", "native_send_singly_64", "", NULL, send1_run, NULL},
	};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	pair.repeatable = bench.repeatable;
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	spi_loop_open(&loop, bench.repeatable);
	spi1_loop_open(&loop1, &loop);
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
