/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_RANDOM_H
#define NDPDK_BASE_RANDOM_H

#include <stdint.h>

#define BASE_RANDOM_SEED_BYTES 32

/**
 * Source of keys, QPNs, PSNs and communication IDs: the ChaCha20 keystream (RFC 8439) of a 32-byte
 * seed.
 *
 * Unpredictable when the seed comes from the operating system, repeatable when a simulator chooses
 * it; the generator itself reads no other source (SEC-008). Not thread safe; no allocation, no
 * system call.
 */
struct base_random {
	uint32_t key[8];
	uint64_t counter;
	uint8_t blocks[128];
	uint32_t used_bytes; /**< of blocks; 128 = make new ones */
};

/** Start the generator from a seed; equal seeds give equal sequences. */
void base_random_seed(struct base_random *random, const uint8_t seed[BASE_RANDOM_SEED_BYTES]);

/** @return 32 uniform bits. */
uint32_t base_random_u32(struct base_random *random);

/** @return 64 uniform bits. */
uint64_t base_random_u64(struct base_random *random);

/** @return uniform value in 0..bound-1, bound >= 1; without modulo bias. */
uint32_t base_random_below(struct base_random *random, uint32_t bound);

#endif
