/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_FOLD_H
#define NDPDK_WIRE_ICRC_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_vect.h>

#include "wire/icrc_constants.h"

/*
 * ICRC in one pass by carry-less multiplication, after Intel's "Fast CRC Computation for Generic
 * Polynomials Using PCLMULQDQ Instruction" (2009). The file of a kernel defines for its registers
 * what follows, and includes this one then:
 *
 *   ICRC_TARGET                     attribute of functions: the instructions of the kernel
 *   BLOCK_BYTES                     bytes of a register: 16, 32 or 64
 *   block                           type of a register
 *   MOVE_1, MOVE_4                  factors that move a register by its bits, and by 4 times these
 *   block_load(from)                the block at an address, aligned or not
 *   block_load_behind(from, lead)   the same; its first `lead` bytes, a multiple of 4 below
 *                                   BLOCK_BYTES, are not read, and are zeros
 *   block_or(a, b)
 *   block_xor(a, b)
 *   block_repeat(first, second)     a register of pairs of words
 *   block_fold(sum, move, next)     sum moved, plus next
 *   block_collapse(sum)             sum of the products with the last of wire_icrc_collapse[]
 *
 * Blocks end where the packet ends, so the first one may begin in front of the packet. Zeros there
 * change nothing, because the register of the CRC is zero, too: what it holds behind the local
 * route header is added to the first bytes of IP. Variant fields become ones in registers, between
 * load and multiplication.
 *
 * Loads are fastest if the packet ends where a cache line ends: no load touches two lines then. The
 * payload in a fresh mbuf ends so if it consists of whole lines. The difference is large while the
 * payload is still being written: copying 4 KiB and the ICRC took 280 cycles together, and 410 with
 * other ends. A packet at rest in the L3 cache takes the same time anywhere.
 */

/* Blocks with variant fields: the first one has at least 4 bytes of the packet. */
#define HEAD_BLOCKS (1 + (ICRC_VARIANT_BYTES - 4 + BLOCK_BYTES - 1) / BLOCK_BYTES)

/* Sums of a long packet, so that a multiplication need not wait for the one before it. */
#define SUMS 4

/*
 * The first HEAD_BLOCKS of the packet, or all if it has fewer. *at, `lead` bytes in front of the
 * packet, moves behind them.
 */
ICRC_TARGET static inline block
head_fold(const uint8_t **at, uint32_t lead, const uint8_t *end, bool v6)
{
	const uint8_t *ones = wire_icrc_variant[v6] + ICRC_BLOCK_MAX - lead;
	const uint8_t *seed = wire_icrc_seed + ICRC_BLOCK_MAX - lead;
	block sum = block_or(block_load_behind(*at, lead), block_load(ones));

	sum = block_xor(sum, block_load(seed));
	for (int i = 1; i < HEAD_BLOCKS; i++) {
		*at += BLOCK_BYTES;
		ones += BLOCK_BYTES;
		if (*at == end)
			return sum;
		sum = block_fold(
			sum, block_repeat(MOVE_1), block_or(block_load(*at), block_load(ones)));
	}
	*at += BLOCK_BYTES;
	return sum;
}

/*
 * At least SUMS - 1 blocks are left from *at to end; *at moves to the last ones, fewer than SUMS.
 */
ICRC_TARGET static inline block
long_fold(block sum, const uint8_t **at, const uint8_t *end)
{
	const block by_1 = block_repeat(MOVE_1), by_4 = block_repeat(MOVE_4);
	block second = block_load(*at);
	block third = block_load(*at + BLOCK_BYTES);
	block fourth = block_load(*at + 2 * BLOCK_BYTES);
	const uint8_t *from = *at + 3 * BLOCK_BYTES;

	while (end - from >= SUMS * BLOCK_BYTES) {
		sum = block_fold(sum, by_4, block_load(from));
		second = block_fold(second, by_4, block_load(from + BLOCK_BYTES));
		third = block_fold(third, by_4, block_load(from + 2 * BLOCK_BYTES));
		fourth = block_fold(fourth, by_4, block_load(from + 3 * BLOCK_BYTES));
		from += SUMS * BLOCK_BYTES;
	}
	*at = from;
	sum = block_fold(sum, by_1, second);
	sum = block_fold(sum, by_1, third);
	return block_fold(sum, by_1, fourth);
}

/*
 * Barrett reduction of 96 bits to the CRC: the first 64 bits times the quotient of x^96 and P are
 * the quotient of the sum and P, and what P times that leaves is the rest.
 */
ICRC_TARGET static inline uint32_t
sum_reduce(__m128i sum)
{
	__m128i barrett = _mm_load_si128((const __m128i *)(const void *)wire_icrc_barrett);
	__m128i quotient = _mm_clmulepi64_si128(sum, barrett, 0x00);
	__m128i product = _mm_clmulepi64_si128(quotient, barrett, 0x10);

	return ~(uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, product), 2);
}

/* As wire_icrc_kernel_fn says. */
ICRC_TARGET static inline uint32_t
packet_fold(const uint8_t *ip, uint32_t bytes, bool v6)
{
	uint32_t lead = (0u - bytes) % BLOCK_BYTES;
	const uint8_t *at = ip - lead, *end = ip + bytes;
	block sum = head_fold(&at, lead, end, v6);

	if (end - at >= (2 * SUMS - 1) * BLOCK_BYTES)
		sum = long_fold(sum, &at, end);
	for (; at < end; at += BLOCK_BYTES)
		sum = block_fold(sum, block_repeat(MOVE_1), block_load(at));
	return sum_reduce(block_collapse(sum));
}

#endif
