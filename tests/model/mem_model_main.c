/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
/*
 * Runs the model of the memory index for any number of operations.
 *
 * usage: mem_model [OPERATIONS [SEED]]
 *
 * Without SEED, the seed is random. Exits with 1 if the index and the model disagree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "model/model_eal.h"
#include "model/mem_model.h"

static void
complain(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(EXIT_FAILURE);
}

int
main(int argc, char **argv)
{
	uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000000;
	struct mem_model_counts counts = {0};
	uint64_t seed;

	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	else if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		return EXIT_FAILURE;
	if (model_eal_start() < 0)
		return EXIT_FAILURE;
	printf("seed %" PRIu64 "\n", seed);
	mem_model_run_seed(seed, operations, complain, &counts);
	mem_model_counts_print(&counts);
	return EXIT_SUCCESS;
}
