/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ICRC of a contiguous IPv4 packet, computed with each kernel that this CPU supports. Floor: ISA-L,
 * which works on every CPU. As in a burst of packets, no computation depends on the previous one.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "bench.h"
#include "wire/icrc_kernel.h"

#define KERNELS_MAX  8u
#define BYTES_MAX    4096u
#define HEADER_BYTES 56u

/** Bytes from the IP header to the ICRC: 60 for an acknowledgement, 120 for a WRITE of 64 bytes. */
static const uint32_t sizes[] = {60, 120, 1024, BYTES_MAX};

static const uint32_t payload_sizes[] = {64, 128, 256, 512, 1024, BYTES_MAX};

struct subject {
	const struct wire_icrc_kernel *kernel;
	uint32_t bytes;
};

static uint8_t packet[RTE_CACHE_LINE_SIZE + BYTES_MAX] __rte_cache_aligned;
/**
 * IP header of packets that are copied. The payload after the headers begins at a cache line, as in
 * a new mbuf.
 */
static uint8_t *const ip = packet + RTE_CACHE_LINE_SIZE - HEADER_BYTES;
static uint8_t source[BYTES_MAX] __rte_cache_aligned;

static void
icrc_run(void *arg, uint32_t iterations)
{
	const struct subject *subject = arg;

	for (uint32_t i = 0; i < iterations; i++)
		bench_keep(subject->kernel->run(packet, subject->bytes, false));
}

static void
row_make(struct bench_row *row, struct subject *subject)
{
	*row = (struct bench_row){.run = icrc_run, .arg = subject};
	snprintf(row->name, sizeof(row->name), "icrc_%s_%u", subject->kernel->name, subject->bytes);
	snprintf(row->floor, sizeof(row->floor), "icrc_isal_%u", subject->bytes);
}

static void
copy_run(void *arg, uint32_t iterations)
{
	const struct subject *subject = arg;

	for (uint32_t i = 0; i < iterations; i++)
		bench_keep(subject->kernel->copy(
			ip, HEADER_BYTES + subject->bytes, false, source, subject->bytes));
}

static void
twice_run(void *arg, uint32_t iterations)
{
	const struct subject *subject = arg;

	for (uint32_t i = 0; i < iterations; i++) {
		memcpy(ip + HEADER_BYTES, source, subject->bytes);
		bench_keep(subject->kernel->run(ip, HEADER_BYTES + subject->bytes, false));
	}
}

/**
 * Make rows that copy a payload and compute its CRC in one pass. The floor is memcpy() followed by
 * the CRC with the same kernel.
 */
static size_t
copy_rows_make(struct bench_row *rows, struct subject *subject)
{
	for (int i = 0; i < 2; i++) {
		rows[i] = (struct bench_row){.run = i == 0 ? twice_run : copy_run, .arg = subject};
		snprintf(rows[i].name, sizeof(rows[i].name), "%s_%s_%u", i == 0 ? "twice" : "copy",
			subject->kernel->name, subject->bytes);
		snprintf(rows[i].floor, sizeof(rows[i].floor), "twice_%s_%u", subject->kernel->name,
			subject->bytes);
	}
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 2000};
	static struct bench_row rows[(RTE_DIM(sizes) + 2 * RTE_DIM(payload_sizes)) * KERNELS_MAX];
	static struct subject subjects[RTE_DIM(rows)];
	const struct wire_icrc_kernel *kernel;
	struct bench bench;
	size_t count = 0;

	bench_start(&bench, &defaults, argc, argv);
	for (uint32_t i = 0; i < BYTES_MAX; i++)
		packet[i] = (uint8_t)(i * 37);
	for (size_t i = 0; i < RTE_DIM(sizes); i++) {
		for (unsigned int k = 0; (kernel = wire_icrc_kernel_get(k)) != NULL; k++) {
			BENCH_REQUIRE(count < RTE_DIM(rows));
			subjects[count] = (struct subject){.kernel = kernel, .bytes = sizes[i]};
			row_make(&rows[count], &subjects[count]);
			count++;
		}
	}
	for (size_t i = 0; i < RTE_DIM(payload_sizes); i++) {
		for (unsigned int k = 0; (kernel = wire_icrc_kernel_get(k)) != NULL; k++) {
			BENCH_REQUIRE(count + 2 <= RTE_DIM(rows));
			subjects[count] = (struct subject){kernel, payload_sizes[i]};
			count += copy_rows_make(&rows[count], &subjects[count]);
		}
	}
	bench_run(&bench, rows, count);
	return EXIT_SUCCESS;
}
