/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/event.h>
#include <criterion/stats.h>

#include <rte_common.h>

#include "e2e/monkey.h"
#include "fuzz/fuzzer.h"
#include "support/eal.h"

/*
 * Calls the API on two adapters that are connected by rings. Calls have any order, valid or invalid
 * parameters, and also come from callbacks. e2e/monkey.h makes the calls and checks results and
 * operations. Each record is one call. It selects the function, the object, and the number of
 * engine turns after the call. All other parameters are random. The first record decides whether
 * all objects are released before the adapters are closed. The clock is the machine's clock. So an
 * input that waits for a timer may behave differently when it is repeated.
 */

#define CALLS_MAX 256u

/**
 * Replaces Criterion's function of this name, because that function writes the reason of a failure
 * into a pipe, which only Criterion's runner reads.
 */
void
criterion_send_assert(struct criterion_assert_stats *stats)
{
	if (stats->passed)
		return;
	fprintf(stderr, "%s:%u: %s\n", stats->file, stats->line, stats->message);
	abort();
}

void
fuzz_start(void)
{
	test_eal_init_large();
}

static uint64_t
seed_of(const uint8_t *record)
{
	uint64_t seed;

	memcpy(&seed, record + FUZZ_RECORD_BYTES - sizeof(seed), sizeof(seed));
	return seed;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct monkey monkey;
	size_t count = RTE_MIN(size / FUZZ_RECORD_BYTES, (size_t)CALLS_MAX);

	if (count == 0)
		return 0;
	monkey_open(&monkey, seed_of(data));
	for (size_t i = 1; i < count; i++) {
		monkey.script = data + i * FUZZ_RECORD_BYTES;
		monkey.script_bytes = FUZZ_RECORD_BYTES;
		monkey.state = seed_of(monkey.script);
		monkey_turn(&monkey);
	}
	monkey.script_bytes = 0;
	monkey_close(&monkey, data[0] % 4 == 0);
	return 0;
}
