/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_FOLD_H
#define NDPDK_WIRE_ICRC_FOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_common.h>
#include <rte_vect.h>

#include "wire/icrc_constants.h"

/*
 * ICRC in one pass by carry-less multiplication, after Intel's "Fast CRC Computation for Generic
 * Polynomials Using PCLMULQDQ Instruction" (2009). The file of a kernel defines these names for its
 * registers before it includes this file:
 *
 *   ICRC_TARGET                     attribute of functions: the instructions of the kernel
 *   BLOCK_BYTES                     bytes of a register: 16, 32 or 64
 *   block                           type of a register
 *   MOVE_1, MOVE_4                  factors to shift by 1 and by 4 registers
 *   block_load(from)                load a block from an address, aligned or not
 *   block_store(to, b)              store a block to an address, aligned or not
 *   block_load_behind(from, lead)   as block_load(), but the first `lead` bytes are zeros and are
 *                                   not read; lead is a multiple of 4 below BLOCK_BYTES
 *   block_or(a, b)
 *   block_xor(a, b)
 *   block_repeat(first, second)     a register filled with a pair of words
 *   block_fold(sum, move, next)     sum, shifted, plus next
 *   block_collapse(sum)             sum of the products with the last of wire_icrc_collapse[]
 *
 * Blocks are aligned to the end of the packet, so the first block may begin before the packet.
 * Zeros before the packet change nothing, because the initial CRC state is zero. Instead, the state
 * after the local route header is added to the first bytes of IP. Variant fields are set to ones in
 * registers, between load and multiplication.
 *
 * Loads are fastest if the packet ends at the end of a cache line, because then no load touches two
 * lines. The payload in a fresh mbuf ends at the end of a line if its size is a multiple of the
 * line size. The difference is large while the payload is still in the store buffer: copying 4 KiB
 * and computing the ICRC took 280 cycles together, and 410 if the packet ended elsewhere. For a
 * packet in the L3 cache the alignment does not matter.
 */

/*
 * Number of blocks that may have variant fields, because the first block has at least 4 bytes of
 * the packet.
 */
#define HEAD_BLOCKS (1 + (ICRC_VARIANT_BYTES - 4 + BLOCK_BYTES - 1) / BLOCK_BYTES)

/*
 * Number of independent sums for a long packet, whose multiplications need not wait for each other.
 */
#define SUMS 4

/*
 * Fold the first HEAD_BLOCKS of the packet, or all blocks of a shorter packet. *at is `lead` bytes
 * before the packet, and is advanced past the folded blocks.
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
 * Whole blocks of the packet that remain to be folded. If `to` is not NULL, the blocks are copied
 * from `at` to `to`, too.
 */
struct rest {
	const uint8_t *at;
	const uint8_t *end;
	uint8_t *to;
};

/*
 * Load the block with this index only once, so that the stored bytes are equal to the folded bytes.
 */
ICRC_TARGET static __rte_always_inline block
rest_take(const struct rest *rest, uint32_t index)
{
	block next = block_load(rest->at + index * BLOCK_BYTES);

	if (rest->to != NULL)
		block_store(rest->to + index * BLOCK_BYTES, next);
	return next;
}

static __rte_always_inline void
rest_skip(struct rest *rest, uint32_t blocks)
{
	rest->at += blocks * BLOCK_BYTES;
	if (rest->to != NULL)
		rest->to += blocks * BLOCK_BYTES;
}

/*
 * Fold at least SUMS - 1 blocks with SUMS independent sums, until fewer than SUMS blocks are left.
 */
ICRC_TARGET static __rte_always_inline block
long_fold(block sum, struct rest *rest)
{
	const block by_1 = block_repeat(MOVE_1), by_4 = block_repeat(MOVE_4);
	block second = rest_take(rest, 0);
	block third = rest_take(rest, 1);
	block fourth = rest_take(rest, 2);

	for (rest_skip(rest, 3); rest->end - rest->at >= SUMS * BLOCK_BYTES;
		rest_skip(rest, SUMS)) {
		sum = block_fold(sum, by_4, rest_take(rest, 0));
		second = block_fold(second, by_4, rest_take(rest, 1));
		third = block_fold(third, by_4, rest_take(rest, 2));
		fourth = block_fold(fourth, by_4, rest_take(rest, 3));
	}
	sum = block_fold(sum, by_1, second);
	sum = block_fold(sum, by_1, third);
	return block_fold(sum, by_1, fourth);
}

/*
 * Barrett reduction of 96 bits to the CRC. The product of the first 64 bits and the quotient of
 * x^96 and P gives the quotient of the sum and P. Subtracting P times this quotient gives the
 * remainder.
 */
ICRC_TARGET static inline uint32_t
sum_reduce(__m128i sum)
{
	__m128i barrett = _mm_load_si128((const __m128i *)(const void *)wire_icrc_barrett);
	__m128i quotient = _mm_clmulepi64_si128(sum, barrett, 0x00);
	__m128i product = _mm_clmulepi64_si128(quotient, barrett, 0x10);

	return ~(uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, product), 2);
}

/* Fold the remaining blocks, and reduce the sum to the CRC. */
ICRC_TARGET static __rte_always_inline uint32_t
rest_fold(block sum, struct rest rest)
{
	if (rest.end - rest.at >= (2 * SUMS - 1) * BLOCK_BYTES)
		sum = long_fold(sum, &rest);
	for (; rest.at < rest.end; rest_skip(&rest, 1))
		sum = block_fold(sum, block_repeat(MOVE_1), rest_take(&rest, 0));
	return sum_reduce(block_collapse(sum));
}

/* Implements wire_icrc_kernel_fn. */
ICRC_TARGET static inline uint32_t
packet_fold(const uint8_t *ip, uint32_t bytes, bool v6)
{
	uint32_t lead = (0u - bytes) % BLOCK_BYTES;
	const uint8_t *at = ip - lead, *end = ip + bytes;
	block sum = head_fold(&at, lead, end, v6);

	return rest_fold(sum, (struct rest){.at = at, .end = end});
}

/*
 * Implements wire_icrc_copy_fn. The payload's bytes before its first whole block are copied first,
 * and are read together with the headers.
 */
ICRC_TARGET static inline uint32_t
packet_copy(uint8_t *ip, uint32_t bytes, bool v6, const uint8_t *from, uint32_t count)
{
	uint32_t lead = (0u - bytes) % BLOCK_BYTES, odd = count % BLOCK_BYTES;
	const uint8_t *at = ip - lead, *end = ip + bytes - count + odd;
	uint8_t *to = ip + bytes - count;
	block sum;

	if (odd != 0)
		memcpy(to, from, odd);
	sum = head_fold(&at, lead, end, v6);
	for (; at < end; at += BLOCK_BYTES)
		sum = block_fold(sum, block_repeat(MOVE_1), block_load(at));
	return rest_fold(sum, (struct rest){.at = from + odd, .end = from + count, .to = to + odd});
}

#endif
