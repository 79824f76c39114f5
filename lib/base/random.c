/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/random.h"

#include <string.h>

/* RFC 8439 section 2.3: constants, key, counter, nonce. The nonce is zero: one seed feeds one
 * stream. */
static const uint32_t chacha_constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

static inline uint32_t
rotate_left(uint32_t value, unsigned int bits)
{
	return value << bits | value >> (32 - bits);
}

static inline void
quarter_round(uint32_t *s, unsigned int a, unsigned int b, unsigned int c, unsigned int d)
{
	s[a] += s[b];
	s[d] = rotate_left(s[d] ^ s[a], 16);
	s[c] += s[d];
	s[b] = rotate_left(s[b] ^ s[c], 12);
	s[a] += s[b];
	s[d] = rotate_left(s[d] ^ s[a], 8);
	s[c] += s[d];
	s[b] = rotate_left(s[b] ^ s[c], 7);
}

static void
block_make(struct base_random *random)
{
	uint32_t input[16] = {0};
	uint32_t state[16];

	memcpy(input, chacha_constants, sizeof(chacha_constants));
	memcpy(input + 4, random->key, sizeof(random->key));
	input[12] = (uint32_t)random->counter;
	input[13] = (uint32_t)(random->counter >> 32);
	memcpy(state, input, sizeof(state));
	for (unsigned int i = 0; i < 10; i++) {
		quarter_round(state, 0, 4, 8, 12);
		quarter_round(state, 1, 5, 9, 13);
		quarter_round(state, 2, 6, 10, 14);
		quarter_round(state, 3, 7, 11, 15);
		quarter_round(state, 0, 5, 10, 15);
		quarter_round(state, 1, 6, 11, 12);
		quarter_round(state, 2, 7, 8, 13);
		quarter_round(state, 3, 4, 9, 14);
	}
	for (unsigned int i = 0; i < 16; i++) {
		uint32_t word = state[i] + input[i];

		for (unsigned int byte = 0; byte < 4; byte++)
			random->block[4 * i + byte] = (uint8_t)(word >> (8 * byte));
	}
	random->counter++;
	random->used_bytes = 0;
}

void
base_random_seed(struct base_random *random, const uint8_t seed[BASE_RANDOM_SEED_BYTES])
{
	for (unsigned int i = 0; i < 8; i++)
		random->key[i] = (uint32_t)seed[4 * i] | (uint32_t)seed[4 * i + 1] << 8 |
			(uint32_t)seed[4 * i + 2] << 16 | (uint32_t)seed[4 * i + 3] << 24;
	random->counter = 0;
	random->used_bytes = sizeof(random->block);
}

uint32_t
base_random_u32(struct base_random *random)
{
	uint32_t value;

	if (random->used_bytes + sizeof(value) > sizeof(random->block))
		block_make(random);
	memcpy(&value, random->block + random->used_bytes, sizeof(value));
	/* What has been handed out is not kept: a later leak of the state shows no earlier key. */
	memset(random->block + random->used_bytes, 0, sizeof(value));
	random->used_bytes += (uint32_t)sizeof(value);
	return value;
}

uint64_t
base_random_u64(struct base_random *random)
{
	uint64_t high = base_random_u32(random);

	return high << 32 | base_random_u32(random);
}

uint32_t
base_random_below(struct base_random *random, uint32_t bound)
{
	/* Rejection under a mask: no bias, no division, fewer than two draws on average. */
	uint32_t mask = bound > 1 ? UINT32_MAX >> __builtin_clz(bound - 1) : 0;
	uint32_t value;

	do
		value = base_random_u32(random) & mask;
	while (value >= bound);
	return value;
}
