/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_FUZZ_FUZZER_H
#define NDPDK_FUZZ_FUZZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Interface of libFuzzer, which has no header. Also functions that fuzz targets implement or call.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * Size of a record in bytes. An input is a list of records. An incomplete last record is ignored.
 */
#define FUZZ_RECORD_BYTES 16

/** Initializes the target before the first input. Each target implements this function. */
void fuzz_start(void);

/* fuzz_records.c implements these functions for all targets. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
	size_t size2, uint8_t *out, size_t max_out_size, unsigned int seed);

/** If the condition is false, print `what` and crash. The fuzzer reports the crash as a finding. */
void fuzz_expect(bool condition, const char *what);

/** Implemented in libFuzzer or in fuzz_replay.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/** Edit a byte of a frame. @param how 1: set, 2: XOR, 3: add, other values: no edit */
static inline void
fuzz_byte_edit(uint8_t *byte, uint8_t value, unsigned int how)
{
	if (how == 1)
		*byte = value;
	else if (how == 2)
		*byte ^= value;
	else if (how == 3)
		*byte = (uint8_t)(*byte + value);
}

#endif
