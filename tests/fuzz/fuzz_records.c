/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "fuzz/fuzzer.h"

/*
 * Mutations of an input, which is a list of records. A mutation changes, inserts, removes, repeats
 * or moves only whole records, so that the other records keep their meaning.
 */

#define RECORD FUZZ_RECORD_BYTES

static uint32_t
below(unsigned int *state, size_t bound)
{
	return (uint32_t)((uint32_t)rand_r(state) % bound);
}

static uint8_t *
record_at(uint8_t *data, size_t index)
{
	return data + index * RECORD;
}

/** Insert records at a random index. Each is a copy of a record, and may be mutated. */
static size_t
records_insert(uint8_t *data, size_t count, size_t count_max, unsigned int *state)
{
	size_t to = below(state, count + 1), from = below(state, count + 1);
	size_t span = 1 + below(state, 8);
	uint8_t copied[8 * RECORD] = {0};

	span = RTE_MIN(span, count_max - count);
	memcpy(copied, record_at(data, from), RTE_MIN(span, count - from) * RECORD);
	if (from == count || below(state, 3) == 0)
		(void)LLVMFuzzerMutate(copied, span * RECORD, span * RECORD);
	memmove(record_at(data, to + span), record_at(data, to), (count - to) * RECORD);
	memcpy(record_at(data, to), copied, span * RECORD);
	return count + span;
}

static size_t
records_remove(uint8_t *data, size_t count, unsigned int *state)
{
	size_t from = below(state, count);
	size_t span = 1 + below(state, RTE_MIN(count - from, 8u));

	memmove(record_at(data, from), record_at(data, from + span),
		(count - from - span) * RECORD);
	return count - span;
}

static void
records_exchange(uint8_t *data, size_t count, unsigned int *state)
{
	uint8_t *one = record_at(data, below(state, count));
	uint8_t *other = record_at(data, below(state, count));
	uint8_t kept[RECORD];

	memcpy(kept, one, RECORD);
	memmove(one, other, RECORD);
	memcpy(other, kept, RECORD);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	unsigned int state = seed;
	size_t count = size / RECORD, count_max = max_size / RECORD;

	if (count == 0 && count_max > 0) {
		memset(data, 0, RECORD);
		count = 1;
	}
	if (count == 0)
		return 0;
	switch (below(&state, 6)) {
	case 0:
	case 1:
		if (count < count_max)
			count = records_insert(data, count, count_max, &state);
		break;
	case 2:
		if (count > 1)
			count = records_remove(data, count, &state);
		break;
	case 3:
		records_exchange(data, count, &state);
		break;
	default:
		(void)LLVMFuzzerMutate(record_at(data, below(&state, count)), RECORD, RECORD);
		break;
	}
	return count * RECORD;
}

/**
 * Join the beginning of one input and the end of another input. Both inputs are cut between
 * records.
 */
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
	uint8_t *out, size_t max_out_size, unsigned int seed)
{
	unsigned int state = seed;
	size_t max = max_out_size / RECORD;
	size_t head = RTE_MIN(below(&state, size1 / RECORD + 1), max);
	size_t from = below(&state, size2 / RECORD + 1);
	size_t tail = RTE_MIN(size2 / RECORD - from, max - head);

	memcpy(out, data1, head * RECORD);
	memcpy(out + head * RECORD, data2 + from * RECORD, tail * RECORD);
	return (head + tail) * RECORD;
}

void
fuzz_expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_start();
	return 0;
}
