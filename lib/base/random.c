/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/random.h"

#include <assert.h>
#include <string.h>

#include <rte_byteorder.h>

/*
 * RFC 8439 section 2.3. A block has four rows: constants, key (two rows), counter and nonce. A
 * round mixes the columns, then the diagonals; rotating the rows turns diagonals into columns. Two
 * blocks are computed together, so that one row of both fills a vector register. The nonce is
 * always zero, because each seed is used for one stream only.
 */
typedef uint32_t rows __attribute__((vector_size(32)));

#define BLOCK_BYTES 64

static const rows constants = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x61707865,
	0x3320646e, 0x79622d32, 0x6b206574};

static inline rows
rotate_left(rows value, unsigned int bits)
{
	return value << bits | value >> (32 - bits);
}

static inline void
columns_mix(rows s[4])
{
	s[0] += s[1];
	s[3] = rotate_left(s[3] ^ s[0], 16);
	s[2] += s[3];
	s[1] = rotate_left(s[1] ^ s[2], 12);
	s[0] += s[1];
	s[3] = rotate_left(s[3] ^ s[0], 8);
	s[2] += s[3];
	s[1] = rotate_left(s[1] ^ s[2], 7);
}

static inline rows
turn_1(rows r)
{
	return __builtin_shufflevector(r, r, 1, 2, 3, 0, 5, 6, 7, 4);
}

static inline rows
turn_2(rows r)
{
	return __builtin_shufflevector(r, r, 2, 3, 0, 1, 6, 7, 4, 5);
}

static inline rows
turn_3(rows r)
{
	return __builtin_shufflevector(r, r, 3, 0, 1, 2, 7, 4, 5, 6);
}

static void
rounds(rows s[4])
{
	for (unsigned int i = 0; i < 10; i++) {
		columns_mix(s);
		s[1] = turn_1(s[1]);
		s[2] = turn_2(s[2]);
		s[3] = turn_3(s[3]);
		columns_mix(s);
		s[1] = turn_3(s[1]);
		s[2] = turn_2(s[2]);
		s[3] = turn_1(s[3]);
	}
}

void
base_random_refill(struct base_random *random)
{
	const uint32_t *k = random->key;
	const uint64_t first = random->counter, second = first + 1;
	const rows input[4] = {
		constants,
		{k[0], k[1], k[2], k[3], k[0], k[1], k[2], k[3]},
		{k[4], k[5], k[6], k[7], k[4], k[5], k[6], k[7]},
		{(uint32_t)first, (uint32_t)(first >> 32), 0, 0, (uint32_t)second,
			(uint32_t)(second >> 32), 0, 0},
	};
	rows s[4];

	static_assert(
		sizeof(random->blocks) == 2 * BLOCK_BYTES, "two blocks are computed at a time");
	memcpy(s, input, sizeof(s));
	rounds(s);
	for (unsigned int row = 0; row < 4; row++) {
		rows sum = s[row] + input[row];

		for (unsigned int i = 0; i < 8; i++) {
			uint32_t word = rte_cpu_to_le_32(sum[i]);

			memcpy(random->blocks + i / 4 * BLOCK_BYTES + (4 * row + i % 4) * 4, &word,
				sizeof(word));
		}
	}
	random->counter += 2;
	random->used_bytes = 0;
}

void
base_random_seed(struct base_random *random, const uint8_t seed[BASE_RANDOM_SEED_BYTES])
{
	for (unsigned int i = 0; i < 8; i++)
		random->key[i] = (uint32_t)seed[4 * i] | (uint32_t)seed[4 * i + 1] << 8 |
			(uint32_t)seed[4 * i + 2] << 16 | (uint32_t)seed[4 * i + 3] << 24;
	random->counter = 0;
	random->used_bytes = sizeof(random->blocks);
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
	/*
	 * Rejection sampling: mask a random number, and repeat until the result is below bound. The
	 * result has no bias. The mean number of tries is below two.
	 */
	uint32_t mask = bound > 1 ? UINT32_MAX >> __builtin_clz(bound - 1) : 0;
	uint32_t value;

	do
		value = base_random_u32(random) & mask;
	while (value >= bound);
	return value;
}
