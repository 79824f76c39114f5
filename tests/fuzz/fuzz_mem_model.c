/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzzer.h"
#include "model/mem_model.h"
#include "model/model_eal.h"

/*
 * Executes the same operations on the memory index and on its linear model (model/mem_model.h).
 * Each record is one operation.
 */

static_assert(MEM_MODEL_RECORD_BYTES == FUZZ_RECORD_BYTES, "mutations are of whole operations");

static void
complain(const char *text)
{
	fprintf(stderr, "%s\n", text);
	abort();
}

void
fuzz_start(void)
{
	if (model_eal_start() < 0)
		complain("EAL did not start");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct mem_model_counts counts;

	mem_model_run_bytes(data, size, complain, &counts);
	return 0;
}
