/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_KEYED_H
#define NDPDK_NDREPLAY_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Functions that a key chooses: without it, nobody can tell what their result was made of. AES of
 * libcrypto is below all of them. It is the library that every system has, its AES uses the
 * instructions of the processor, and Crypto-PAn, the known way to replace IP addresses, is defined
 * with AES.
 */

struct keyed;

/** What a function is for. The same value as something else gets another result. */
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

/** Bits of a number that keyed_permute() takes, at most. It has to be even. */
#define KEYED_BITS_MAX 64u

/**
 * @param text the key; NULL = one that nobody knows, from the system's random numbers
 * @return to be closed with keyed_close(); NULL: there is no memory, or no random number
 */
struct keyed *keyed_open(const char *text);

/** NULL is allowed. */
void keyed_close(struct keyed *keyed);

/** @return 64 bits that depend on all bits of the value. */
uint64_t keyed_number(struct keyed *keyed, enum keyed_use use, uint64_t value);

/**
 * Replace a number by another one: two numbers never become the same. 0, which often says that
 * there is none, stays 0.
 *
 * @param bits of the number, even, up to KEYED_BITS_MAX
 */
uint64_t keyed_permute(struct keyed *keyed, enum keyed_use use, uint64_t value, unsigned int bits);

/**
 * Replace bytes by as many others, which depend on all of them: the same bytes become the same.
 *
 * @param bytes at most 2^31
 */
void keyed_replace(struct keyed *keyed, uint8_t *bytes, size_t count);

/**
 * Replace an IP address so that two addresses with a common prefix, of whatever length, have one of
 * this length afterwards, too. Addresses of special meaning stay: 0.0.0.0, those of 127/8 stay in
 * it, multicast and above; of IPv6 the first 8 bits, which are its class, the first 16 of a
 * link-local address, and ::1.
 *
 * @param address 4 or 16 bytes
 */
void keyed_ip(struct keyed *keyed, uint8_t *address, bool v6);

#endif
