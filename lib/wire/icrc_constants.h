/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_ICRC_CONSTANTS_H
#define NDPDK_WIRE_ICRC_CONSTANTS_H

#include <stdint.h>

/*
 * Constants of the ICRC. test_icrc_kernel.c recomputes the factors from the CRC polynomial:
 *
 *   P = x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1
 *
 * Data are reflected: the lowest bit of a byte, word or register has the highest power. FACTOR(n)
 * is x^n mod P, as a 33-bit number in which bit 32 is x^0 and bit 1 is x^31. A 64-bit word times a
 * factor is a 96-bit number in which bit 95 is x^0.
 */

/** CRC of 8 bytes of ones, which replace the local route header of InfiniBand. */
#define ICRC_OF_ONES 0x2144DF1Cu

/** Block size in bytes of the kernel with the largest blocks. */
#define ICRC_BLOCK_MAX 64

/** Number of bytes that can contain variant fields: IPv6, UDP and 5 bytes of the BTH. */
#define ICRC_VARIANT_BYTES (40 + 8 + 5)

/*
 * The next tables have one byte for each byte of a packet. Index ICRC_BLOCK_MAX is the first byte
 * of the IP header, because a block may begin up to ICRC_BLOCK_MAX bytes before the packet. At most
 * two blocks contain variant fields.
 */

/**
 * Mask that is ORed to a packet, so that its variant fields become ones. Index 0 is for IPv4, index
 * 1 for IPv6.
 */
extern const uint8_t wire_icrc_variant[2][ICRC_BLOCK_MAX + 2 * ICRC_BLOCK_MAX];

/** Value that is XORed to the first block: the state of the CRC after the local route header. */
extern const uint8_t wire_icrc_seed[2 * ICRC_BLOCK_MAX];

/** Mask of the bytes of the packet: ones inside the packet, zeros before it. */
extern const uint8_t wire_icrc_inside[2 * ICRC_BLOCK_MAX];

/*
 * Two factors that multiply 16 bytes by x^n: FACTOR(n + 32) for the first 8 bytes, and FACTOR(n -
 * 32) for the last 8 bytes. The first 8 bytes are 64 bits farther from the end of the packet, so
 * the exponents are n + 64 and n. Both are reduced by 32, because the 96 bits of a product are used
 * as the first 96 of 128 bits.
 */
#define ICRC_MOVE_128  0x1751997D0, 0x0CCAA009E
#define ICRC_MOVE_256  0x0F1DA05AA, 0x15A546366
#define ICRC_MOVE_512  0x154442BD4, 0x1C6E41596
#define ICRC_MOVE_1024 0x1E88EF372, 0x14A7FE880
#define ICRC_MOVE_2048 0x11542778A, 0x1322D1430

/**
 * Factors of the last 8 words of a packet: FACTOR(480), FACTOR(416) to FACTOR(32). The sum of the
 * products has 96 bits. Modulo P it equals the packet followed by the 32 zeros of a CRC.
 */
extern const uint64_t wire_icrc_collapse[ICRC_BLOCK_MAX / 8];

/**
 * Constants of the Barrett reduction, both bit-reflected: first the quotient x^96 / P without its
 * last bit (64 bits), then P (33 bits).
 */
extern const uint64_t wire_icrc_barrett[2];

#endif
