/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * ICRC of a packet over IPv4 whose bytes lie one behind the other, by each kernel that this CPU can
 * execute. Floor: ISA-L, which runs everywhere. Results do not depend on each other, as those of a
 * burst of packets.
 */

#include <stdio.h>
#include <stdlib.h>

#include <rte_common.h>

#include "bench.h"
#include "wire/icrc_kernel.h"

#define KERNELS_MAX 8u
#define BYTES_MAX   4096u

/** From the IP header to the ICRC: an acknowledgement is 44, a WRITE of 64 bytes 120. */
static const uint32_t sizes[] = {60, 120, 1024, BYTES_MAX};

struct subject {
	const struct wire_icrc_kernel *kernel;
	uint32_t bytes;
};

static uint8_t packet[BYTES_MAX];

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

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 2000};
	static struct bench_row rows[RTE_DIM(sizes) * KERNELS_MAX];
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
	bench_run(&bench, rows, count);
	return EXIT_SUCCESS;
}
