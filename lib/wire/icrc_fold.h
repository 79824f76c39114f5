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
 * Polynomials Using PCLMULQDQ Instruction" (2009). The file of a kernel defines for its registers
 * what follows, and includes this one then:
 *
 *   ICRC_TARGET                     attribute of functions: the instructions of the kernel
 *   BLOCK_BYTES                     bytes of a register: 16, 32 or 64
 *   block                           type of a register
 *   MOVE_1, MOVE_4                  factors that move a register by its bits, and by 4 times these
 *   block_load(from)                the block at an address, aligned or not
 *   block_store(to, b)              a block to an address, aligned or not
 *   block_load_behind(from, lead)   as block_load(); its first `lead` bytes, a multiple of 4 below
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
 * Whole blocks at the end of the packet. With `to`, their place in it, they are copied there from
 * `at`.
 */
struct rest {
	const uint8_t *at;
	const uint8_t *end;
	uint8_t *to;
};

/* The block at an index. Each byte is loaded once, so that what is stored is what is folded. */
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

/* At least SUMS - 1 blocks are left; fewer than SUMS will be. */
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

/* The rest of the packet behind a sum, and the CRC. */
ICRC_TARGET static __rte_always_inline uint32_t
rest_fold(block sum, struct rest rest)
{
	if (rest.end - rest.at >= (2 * SUMS - 1) * BLOCK_BYTES)
		sum = long_fold(sum, &rest);
	for (; rest.at < rest.end; rest_skip(&rest, 1))
		sum = block_fold(sum, block_repeat(MOVE_1), rest_take(&rest, 0));
	return sum_reduce(block_collapse(sum));
}

/* As wire_icrc_kernel_fn says. */
ICRC_TARGET static inline uint32_t
packet_fold(const uint8_t *ip, uint32_t bytes, bool v6)
{
	uint32_t lead = (0u - bytes) % BLOCK_BYTES;
	const uint8_t *at = ip - lead, *end = ip + bytes;
	block sum = head_fold(&at, lead, end, v6);

	return rest_fold(sum, (struct rest){.at = at, .end = end});
}

/*
 * As wire_icrc_copy_fn says. The first bytes of the payload, without which the others are whole
 * blocks, are copied at the start and are read with the headers.
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
