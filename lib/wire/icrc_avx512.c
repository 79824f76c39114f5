/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_vect.h>

#include "wire/icrc_constants.h"
#include "wire/icrc_kernel.h"

/* ICRC kernel with blocks of 64 bytes: AVX-512 and VPCLMULQDQ. */

#define ICRC_TARGET __attribute__((target("pclmul,vpclmulqdq,avx512f")))

#define BLOCK_BYTES 64
#define block       __m512i
#define MOVE_1      ICRC_MOVE_512
#define MOVE_4      ICRC_MOVE_2048

ICRC_TARGET static inline block
block_load(const uint8_t *from)
{
	return _mm512_loadu_si512(from);
}

ICRC_TARGET static inline void
block_store(uint8_t *to, block value)
{
	_mm512_storeu_si512(to, value);
}

/* A masked load does not access the masked bytes, which may be in unmapped memory. */
ICRC_TARGET static inline block
block_load_behind(const uint8_t *from, uint32_t lead)
{
	return _mm512_maskz_loadu_epi32((__mmask16)(UINT16_MAX << lead / 4), from);
}

ICRC_TARGET static inline block
block_or(block a, block b)
{
	return _mm512_or_si512(a, b);
}

ICRC_TARGET static inline block
block_xor(block a, block b)
{
	return _mm512_xor_si512(a, b);
}

ICRC_TARGET static inline block
block_repeat(uint64_t first, uint64_t second)
{
	return _mm512_broadcast_i32x4(_mm_set_epi64x((int64_t)second, (int64_t)first));
}

ICRC_TARGET static inline block
block_fold(block sum, block move, block next)
{
	/* The constant 0x96 selects a ^ b ^ c. */
	return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(sum, move, 0x00),
		_mm512_clmulepi64_epi128(sum, move, 0x11), next, 0x96);
}

ICRC_TARGET static inline __m128i
block_collapse(block sum)
{
	block all = block_fold(sum, _mm512_load_si512(wire_icrc_collapse), _mm512_setzero_si512());
	__m256i half =
		_mm256_xor_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));

	return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

#include "wire/icrc_fold.h"

ICRC_TARGET uint32_t
wire_icrc_avx512(const uint8_t *ip, uint32_t bytes, bool v6)
{
	return packet_fold(ip, bytes, v6);
}

ICRC_TARGET uint32_t
wire_icrc_copy_avx512(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	return packet_copy(ip, bytes, v6, from, count);
}
