/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_RANDOM_H
#define NDPDK_BASE_RANDOM_H

#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>

#define BASE_RANDOM_SEED_BYTES 32

/**
 * Generator of keys, QPNs, PSNs and communication IDs: the ChaCha20 keystream (RFC 8439) of a
 * 32-byte seed.
 *
 * The numbers are unpredictable if the seed comes from the operating system, and repeatable if a
 * simulator sets it. The generator has no other input (SEC-008). It is not thread safe, allocates
 * no memory and makes no system call.
 */
struct base_random {
	uint32_t key[8];
	uint64_t counter;
	uint8_t blocks[128];
	/** number of bytes of blocks that were returned; 128: new blocks are needed */
	uint32_t used_bytes;
};

/** Initialise the generator. Equal seeds give equal sequences. */
void base_random_seed(struct base_random *random, const uint8_t seed[BASE_RANDOM_SEED_BYTES]);

/** Compute the next blocks. Used by base_random_u32() only. */
void base_random_refill(struct base_random *random);

/** @return 32 uniform random bits */
static inline uint32_t
base_random_u32(struct base_random *random)
{
	uint32_t value, used_bytes;

	if (unlikely(random->used_bytes + sizeof(value) > sizeof(random->blocks)))
		base_random_refill(random);
	used_bytes = random->used_bytes;
	memcpy(&value, random->blocks + used_bytes, sizeof(value));
	/*
	 * Erase the returned numbers, so that a later leak of the state does not reveal earlier
	 * keys.
	 */
	memset(random->blocks + used_bytes, 0, sizeof(value));
	random->used_bytes = used_bytes + (uint32_t)sizeof(value);
	return value;
}

/** @return 64 uniform random bits */
uint64_t base_random_u64(struct base_random *random);

/** @return uniform random value in 0..bound-1 without modulo bias; bound >= 1 */
uint32_t base_random_below(struct base_random *random, uint32_t bound);

#endif
