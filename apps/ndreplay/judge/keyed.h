/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_KEYED_H
#define NDPDK_JUDGE_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Keyed functions: the original values cannot be computed without the key. All functions use AES
 * of libcrypto, for three reasons: libcrypto is available on every system, its AES uses the
 * instructions of the processor, and Crypto-PAn, the known method to replace IP addresses,
 * requires AES.
 */

struct keyed;

/** Purpose of a function. The same value gives different results for different purposes. */
enum keyed_use {
	KEYED_IPV4,
	KEYED_IPV6,
	KEYED_MAC,
	KEYED_KEY,
	KEYED_KEY_OFFSET,
	KEYED_ADDRESS,
	KEYED_ATOMIC,
	KEYED_IMMEDIATE,
	KEYED_GUID,
	KEYED_COMM_ID,
	KEYED_TRANSACTION,
	KEYED_CONTENT,
	KEYED_STREAM,
	KEYED_USES,
};

/** Maximum number of bits for keyed_permute(); an even number. */
#define KEYED_BITS_MAX 64u

/**
 * Prepare the functions for a key.
 *
 * @param text the key; NULL = a random key that is not reported to anyone
 * @return to be closed with keyed_close(); NULL: no memory, or no random number
 */
struct keyed *keyed_open(const char *text);

/** NULL is allowed. */
void keyed_close(struct keyed *keyed);

/** @return 64 bits that depend on all bits of the value. */
uint64_t keyed_number(struct keyed *keyed, enum keyed_use use, uint64_t value);

/**
 * Replace a number by a one-to-one mapping. 0 stays 0, because 0 often means "none".
 *
 * @param bits size of the number in bits: even, at most KEYED_BITS_MAX
 */
uint64_t keyed_permute(struct keyed *keyed, enum keyed_use use, uint64_t value, unsigned int bits);

/**
 * Replace bytes by the same number of different bytes. The result depends on all bytes. Equal
 * inputs give equal results.
 *
 * @param count at most 2^31
 */
void keyed_replace(struct keyed *keyed, uint8_t *bytes, size_t count);

/**
 * Replace an IP address. Two addresses with a common prefix of any length keep a common prefix of
 * this length. Special addresses do not change. For IPv4 these are 0.0.0.0, the first 8 bits of
 * 127/8, and all addresses from the multicast addresses on. For IPv6 these are the first 8 bits of
 * each address, the first 16 bits of a link-local address, and ::1.
 *
 * @param address 4 or 16 bytes
 */
void keyed_ip(struct keyed *keyed, uint8_t *address, bool v6);

#endif
