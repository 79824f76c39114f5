/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_CONSTANTS_H
#define NDPDK_WIRE_ICRC_CONSTANTS_H

#include <stdint.h>

/*
 * Constants of the ICRC. test_icrc_kernel.c computes those of the multiplications again, from the
 * polynomial of the CRC:
 *
 *   P = x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1
 *
 * Data are reflected: the lowest bit of a byte, a word, a register belongs to the highest power.
 * FACTOR(n) is the rest of x^n divided by P as a 33-bit number: bit 32 belongs to x^0, bit 1 to
 * x^31. A 64-bit word times such a factor is a number of 96 bits whose bit 95 belongs to x^0.
 */

/** CRC of the 8 bytes of ones that stand for the local route header. */
#define ICRC_OF_ONES 0x2144DF1Cu

/** Bytes of the largest block of a kernel. */
#define ICRC_BLOCK_MAX 64

/** IPv6, UDP and 5 bytes of the BTH: no variant field is behind them. */
#define ICRC_VARIANT_BYTES (40 + 8 + 5)

/*
 * The next tables have a byte for each byte of a packet, of which the first one of IP is at index
 * ICRC_BLOCK_MAX. A block may begin as far in front of it, and two blocks may hold variant fields.
 */

/** What a byte is OR-ed with: variant fields are ones. [0] is IPv4, [1] is IPv6. */
extern const uint8_t wire_icrc_variant[2][ICRC_BLOCK_MAX + 2 * ICRC_BLOCK_MAX];

/** What the first block is XOR-ed with: the CRC's register behind the local route header. */
extern const uint8_t wire_icrc_seed[2 * ICRC_BLOCK_MAX];

/** Ones for bytes of the packet, zeros in front of it. */
extern const uint8_t wire_icrc_inside[2 * ICRC_BLOCK_MAX];

/*
 * Two factors that move 16 bytes by n bits towards the end of the packet: FACTOR(n + 32) for the
 * first 8 bytes, which are 64 bits farther away from there, and FACTOR(n - 32) for the others. The
 * exponents are 32 less than the distances, n + 64 and n, because the 96 bits of a product are used
 * as the first 96 of 128.
 */
#define ICRC_MOVE_128  0x1751997D0, 0x0CCAA009E
#define ICRC_MOVE_256  0x0F1DA05AA, 0x15A546366
#define ICRC_MOVE_512  0x154442BD4, 0x1C6E41596
#define ICRC_MOVE_1024 0x1E88EF372, 0x14A7FE880
#define ICRC_MOVE_2048 0x11542778A, 0x1322D1430

/**
 * Factors of the last 8 words of a packet: FACTOR(480), FACTOR(416) to FACTOR(32). The sum of the
 * products, 96 bits, has the same rest as the packet with the 32 zeros that a CRC puts behind it.
 */
extern const uint64_t wire_icrc_collapse[ICRC_BLOCK_MAX / 8];

/** Quotient of x^96 and P without its last bit, 64 bits, and P, 33 bits, both reflected. */
extern const uint64_t wire_icrc_barrett[2];

#endif
