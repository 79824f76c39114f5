/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_vect.h>

#include "wire/icrc_constants.h"
#include "wire/icrc_kernel.h"

/* ICRC kernel with blocks of 16 bytes: PCLMULQDQ, and AVX2 for the masked load. */

#define ICRC_TARGET __attribute__((target("pclmul,avx2")))

#define BLOCK_BYTES 16
#define block       __m128i
#define MOVE_1      ICRC_MOVE_128
#define MOVE_4      ICRC_MOVE_512

ICRC_TARGET static inline block
block_load(const uint8_t *from)
{
	return _mm_loadu_si128((const __m128i *)(const void *)from);
}

ICRC_TARGET static inline void
block_store(uint8_t *to, block value)
{
	_mm_storeu_si128((__m128i *)(void *)to, value);
}

/* A masked load does not access the masked bytes, which may be in unmapped memory. */
ICRC_TARGET static inline block
block_load_behind(const uint8_t *from, uint32_t lead)
{
	return _mm_maskload_epi32((const int *)(const void *)from,
		block_load(wire_icrc_inside + ICRC_BLOCK_MAX - lead));
}

ICRC_TARGET static inline block
block_or(block a, block b)
{
	return _mm_or_si128(a, b);
}

ICRC_TARGET static inline block
block_xor(block a, block b)
{
	return _mm_xor_si128(a, b);
}

ICRC_TARGET static inline block
block_repeat(uint64_t first, uint64_t second)
{
	return _mm_set_epi64x((int64_t)second, (int64_t)first);
}

ICRC_TARGET static inline block
block_fold(block sum, block move, block next)
{
	return block_xor(block_xor(_mm_clmulepi64_si128(sum, move, 0x00),
				 _mm_clmulepi64_si128(sum, move, 0x11)),
		next);
}

ICRC_TARGET static inline __m128i
block_collapse(block sum)
{
	return block_fold(
		sum, block_load((const uint8_t *)&wire_icrc_collapse[6]), _mm_setzero_si128());
}

#include "wire/icrc_fold.h"

ICRC_TARGET uint32_t
wire_icrc_pclmul(const uint8_t *ip, uint32_t bytes, bool v6)
{
	return packet_fold(ip, bytes, v6);
}

ICRC_TARGET uint32_t
wire_icrc_copy_pclmul(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	return packet_copy(ip, bytes, v6, from, count);
}
