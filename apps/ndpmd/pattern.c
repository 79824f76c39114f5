/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "pattern.h"

#include <string.h>

/*
 * The finaliser of MurmurHash3, applied to a Weyl sequence: one chain of multiplications per 8
 * bytes.
 */
#define STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

uint64_t
pattern_seed(uint32_t qp, enum pattern_stream stream, uint64_t sequence)
{
	return mix(mix((uint64_t)qp << 1 | stream) + sequence * STEP);
}

void
pattern_fill(void *buffer, size_t length, uint64_t seed)
{
	uint8_t *bytes = buffer;
	size_t i;

	for (i = 0; i + 8 <= length; i += 8) {
		const uint64_t word = mix(seed + i * STEP);

		memcpy(bytes + i, &word, 8);
	}
	if (i < length) {
		const uint64_t word = mix(seed + i * STEP);

		memcpy(bytes + i, &word, length - i);
	}
}

static size_t
first_difference(const uint8_t *bytes, size_t length, uint64_t word)
{
	uint8_t expected[8];
	size_t i;

	memcpy(expected, &word, 8);
	for (i = 0; i < length && bytes[i] == expected[i]; i++)
		;
	return i;
}

size_t
pattern_check(const void *buffer, size_t length, uint64_t seed)
{
	const uint8_t *bytes = buffer;
	size_t i;

	for (i = 0; i + 8 <= length; i += 8) {
		const uint64_t word = mix(seed + i * STEP);

		if (memcmp(bytes + i, &word, 8) != 0)
			return i + first_difference(bytes + i, 8, word);
	}
	if (i < length) {
		const size_t same = first_difference(bytes + i, length - i, mix(seed + i * STEP));

		if (same < length - i)
			return i + same;
	}
	return PATTERN_MATCHES;
}
