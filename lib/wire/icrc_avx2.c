/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_vect.h>

#include "wire/icrc_constants.h"
#include "wire/icrc_kernel.h"

/* ICRC kernel with blocks of 32 bytes, for CPUs with AVX2 and VPCLMULQDQ but without AVX-512. */

#define ICRC_TARGET __attribute__((target("pclmul,vpclmulqdq,avx2")))

#define BLOCK_BYTES 32
#define block       __m256i
#define MOVE_1      ICRC_MOVE_256
#define MOVE_4      ICRC_MOVE_1024

ICRC_TARGET static inline block
block_load(const uint8_t *from)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

ICRC_TARGET static inline void
block_store(uint8_t *to, block value)
{
	_mm256_storeu_si256((__m256i *)(void *)to, value);
}

/* A masked load does not access the masked bytes, which may be in unmapped memory. */
ICRC_TARGET static inline block
block_load_behind(const uint8_t *from, uint32_t lead)
{
	return _mm256_maskload_epi32((const int *)(const void *)from,
		block_load(wire_icrc_inside + ICRC_BLOCK_MAX - lead));
}

ICRC_TARGET static inline block
block_or(block a, block b)
{
	return _mm256_or_si256(a, b);
}

ICRC_TARGET static inline block
block_xor(block a, block b)
{
	return _mm256_xor_si256(a, b);
}

ICRC_TARGET static inline block
block_repeat(uint64_t first, uint64_t second)
{
	return _mm256_broadcastsi128_si256(_mm_set_epi64x((int64_t)second, (int64_t)first));
}

ICRC_TARGET static inline block
block_fold(block sum, block move, block next)
{
	return block_xor(block_xor(_mm256_clmulepi64_epi128(sum, move, 0x00),
				 _mm256_clmulepi64_epi128(sum, move, 0x11)),
		next);
}

ICRC_TARGET static inline __m128i
block_collapse(block sum)
{
	block all = block_fold(
		sum, block_load((const uint8_t *)&wire_icrc_collapse[4]), _mm256_setzero_si256());

	return _mm_xor_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

#include "wire/icrc_fold.h"

ICRC_TARGET uint32_t
wire_icrc_avx2(const uint8_t *ip, uint32_t bytes, bool v6)
{
	return packet_fold(ip, bytes, v6);
}

ICRC_TARGET uint32_t
wire_icrc_copy_avx2(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	return packet_copy(ip, bytes, v6, from, count);
}
