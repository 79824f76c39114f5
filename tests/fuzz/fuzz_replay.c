/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
/*
 * Runs a fuzz target without libFuzzer, with any compiler. The inputs are files. Or they are
 * generated from a seed, and then also mutated and crossed by the functions of the target.
 *
 * usage: fuzz_<target>_replay [--repeat=TIMES] FILE...
 *        fuzz_<target>_replay --generated=COUNT [--seed=N] [--bytes=MAX]
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzzer.h"

#define BYTES_MAX (1u << 20)

static unsigned int random_state;

static size_t
below(size_t bound)
{
	return (size_t)rand_r(&random_state) % bound;
}

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	(void)max_size;
	for (size_t i = 1 + below(4); i > 0 && size > 0; i--)
		data[below(size)] = (uint8_t)below(256);
	return size;
}

static bool
file_run(const char *path, unsigned long times, uint8_t *data)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	if (file == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	size = fread(data, 1, BYTES_MAX, file);
	fclose(file);
	for (unsigned long i = 0; i < times; i++)
		(void)LLVMFuzzerTestOneInput(data, size);
	printf("%s: %zu bytes, %lu times\n", path, size, times);
	return true;
}

static size_t
input_make(uint8_t *data, size_t size_max)
{
	size_t size = below(size_max + 1);

	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)below(256);
	return size;
}

/**
 * Generate inputs. Run each input three times: as generated, mutated, and crossed with the previous
 * input.
 */
static void
generated_run(unsigned long count, unsigned int seed, size_t size_max)
{
	uint8_t *data = malloc(size_max), *before = calloc(1, size_max),
		*crossed = malloc(size_max);
	size_t size_before = 0;

	if (data == NULL || before == NULL || crossed == NULL)
		abort();
	for (unsigned long i = 0; i < count; i++) {
		size_t size, size_crossed;

		random_state = seed + (unsigned int)i;
		size = input_make(data, size_max);
		(void)LLVMFuzzerTestOneInput(data, size);
		size = LLVMFuzzerCustomMutator(data, size, size_max, random_state);
		(void)LLVMFuzzerTestOneInput(data, size);
		size_crossed = LLVMFuzzerCustomCrossOver(
			data, size, before, size_before, crossed, size_max, random_state);
		(void)LLVMFuzzerTestOneInput(crossed, size_crossed);
		memcpy(before, data, size);
		size_before = size;
	}
	printf("%lu inputs from seed %u, each drawn, mutated and crossed\n", count, seed);
	free(data);
	free(before);
	free(crossed);
}

/** @return true if the argument begins with `name`, e.g. "--seed="; then *value is set */
static bool
option_is(const char *argument, const char *name, unsigned long *value)
{
	size_t length = strlen(name);

	if (strncmp(argument, name, length) != 0)
		return false;
	*value = strtoul(argument + length, NULL, 0);
	return true;
}

int
main(int argc, char **argv)
{
	static uint8_t data[BYTES_MAX];
	unsigned long count = 0, seed = 1, bytes = 4096, times = 1;
	int status = EXIT_SUCCESS;

	(void)LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++)
		if (!option_is(argv[i], "--generated=", &count) &&
			!option_is(argv[i], "--seed=", &seed) &&
			!option_is(argv[i], "--bytes=", &bytes) &&
			!option_is(argv[i], "--repeat=", &times) && !file_run(argv[i], times, data))
			status = EXIT_FAILURE;
	if (count > 0 && bytes > 0 && bytes <= BYTES_MAX)
		generated_run(count, (unsigned int)seed, bytes);
	return status;
}
