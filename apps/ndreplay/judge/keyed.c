/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "keyed.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

/*
 * The user's key is hashed. From the hash, each purpose (enum keyed_use) gets its own AES key. The
 * functions use this key in different ways:
 *
 * - keyed_number() encrypts the value with the block cipher.
 * - keyed_permute() is a Feistel network of six rounds over both halves of the number (Luby,
 *   Rackoff).
 * - keyed_replace() uses AES in counter mode. The counter starts at the CBC-MAC of the length and
 *   the bytes.
 * - keyed_ip() replaces an address bit by bit: the previous bits decide whether a bit is flipped
 *   (Crypto-PAn).
 */

#define BLOCK_BYTES 16u
#define KEY_BYTES   16u
#define ROUNDS      6u
#define PIECE_BYTES 4096u

/*
 * Size of the cache of replaced addresses. A capture has few different addresses, and replacing an
 * address needs many calls of the block cipher.
 */
#define CACHE_LINES 4096u

struct cache_line {
	bool used, v6;
	uint8_t from[16], to[16];
};

struct keyed {
	EVP_CIPHER_CTX *block[KEYED_USES];
	EVP_CIPHER_CTX *mac, *stream;
	struct cache_line cache[CACHE_LINES];
};

static EVP_CIPHER_CTX *
cipher_open(const EVP_CIPHER *cipher, const uint8_t key[KEY_BYTES])
{
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	const uint8_t zero[BLOCK_BYTES] = {0};

	if (context == NULL)
		return NULL;
	if (EVP_EncryptInit_ex(context, cipher, NULL, key, zero) != 1) {
		EVP_CIPHER_CTX_free(context);
		return NULL;
	}
	EVP_CIPHER_CTX_set_padding(context, 0);
	return context;
}

static void
encrypt(EVP_CIPHER_CTX *context, const uint8_t *from, uint8_t *to, size_t count)
{
	int done = 0;

	/* The call can fail only if the context was never initialised. */
	if (EVP_EncryptUpdate(context, to, &done, from, (int)count) != 1 || done != (int)count)
		abort();
}

/* The AES key of each purpose is the encrypted number of the purpose. */
static bool
uses_open(struct keyed *keyed, const uint8_t key[KEY_BYTES])
{
	EVP_CIPHER_CTX *main_cipher = cipher_open(EVP_aes_128_ecb(), key);
	bool done = main_cipher != NULL;

	for (unsigned int use = 0; done && use < KEYED_USES; use++) {
		const uint8_t block[BLOCK_BYTES] = {(uint8_t)(use + 1)};
		uint8_t own[BLOCK_BYTES];

		encrypt(main_cipher, block, own, sizeof(own));
		keyed->block[use] = cipher_open(EVP_aes_128_ecb(), own);
		done = keyed->block[use] != NULL;
		if (use == KEYED_CONTENT)
			keyed->mac = cipher_open(EVP_aes_128_cbc(), own);
		if (use == KEYED_STREAM)
			keyed->stream = cipher_open(EVP_aes_128_ctr(), own);
	}
	EVP_CIPHER_CTX_free(main_cipher);
	return done && keyed->mac != NULL && keyed->stream != NULL;
}

struct keyed *
keyed_open(const char *text)
{
	struct keyed *keyed = calloc(1, sizeof(*keyed));
	uint8_t hash[EVP_MAX_MD_SIZE];
	bool done;

	if (keyed == NULL)
		return NULL;
	done = text == NULL ? RAND_bytes(hash, KEY_BYTES) == 1
			    : EVP_Digest(text, strlen(text), hash, NULL, EVP_sha256(), NULL) == 1;
	if (done && uses_open(keyed, hash))
		return keyed;
	keyed_close(keyed);
	return NULL;
}

void
keyed_close(struct keyed *keyed)
{
	if (keyed == NULL)
		return;
	for (unsigned int use = 0; use < KEYED_USES; use++)
		EVP_CIPHER_CTX_free(keyed->block[use]);
	EVP_CIPHER_CTX_free(keyed->mac);
	EVP_CIPHER_CTX_free(keyed->stream);
	free(keyed);
}

/* Encrypt bytes in a fixed order and not words, so that all machines give the same result. */
static uint64_t
cipher_number(struct keyed *keyed, enum keyed_use use, uint64_t value, uint8_t round)
{
	uint8_t block[BLOCK_BYTES] = {0};
	uint64_t number = 0;

	for (unsigned int i = 0; i < 8; i++)
		block[i] = (uint8_t)(value >> 8 * i);
	block[BLOCK_BYTES - 1] = round;
	encrypt(keyed->block[use], block, block, sizeof(block));
	for (unsigned int i = 0; i < 8; i++)
		number |= (uint64_t)block[i] << 8 * i;
	return number;
}

uint64_t
keyed_number(struct keyed *keyed, enum keyed_use use, uint64_t value)
{
	return cipher_number(keyed, use, value, UINT8_MAX);
}

static uint64_t
feistel(struct keyed *keyed, enum keyed_use use, uint64_t value, unsigned int bits)
{
	const unsigned int half = bits / 2;
	const uint64_t mask = (UINT64_C(1) << half) - 1;
	uint64_t left = value >> half & mask, right = value & mask;

	for (uint8_t round = 0; round < ROUNDS; round++) {
		const uint64_t next = left ^ (cipher_number(keyed, use, right, round) & mask);

		left = right;
		right = next;
	}
	return left << half | right;
}

uint64_t
keyed_permute(struct keyed *keyed, enum keyed_use use, uint64_t value, unsigned int bits)
{
	uint64_t permuted;

	if (value == 0)
		return 0;
	permuted = feistel(keyed, use, value, bits);
	/* 0 must stay 0. Therefore the value that the network maps to 0 gets the result of 0. */
	return permuted != 0 ? permuted : feistel(keyed, use, 0, bits);
}

void
keyed_replace(struct keyed *keyed, uint8_t *bytes, size_t count)
{
	static const uint8_t zeros[PIECE_BYTES];
	const uint8_t zero[BLOCK_BYTES] = {0};
	uint8_t tag[PIECE_BYTES] = {0};
	size_t whole = count - count % BLOCK_BYTES;
	uint8_t block[BLOCK_BYTES] = {0};

	/*
	 * The MAC covers the length first, so that no message is a prefix of a different message.
	 */
	for (unsigned int i = 0; i < 8; i++)
		block[i] = (uint8_t)((uint64_t)count >> 8 * i);
	EVP_EncryptInit_ex(keyed->mac, NULL, NULL, NULL, zero);
	encrypt(keyed->mac, block, block, sizeof(block));
	for (size_t at = 0; at < whole; at += PIECE_BYTES) {
		const size_t piece = whole - at < PIECE_BYTES ? whole - at : PIECE_BYTES;

		encrypt(keyed->mac, bytes + at, tag, piece);
		memcpy(block, tag + piece - BLOCK_BYTES, BLOCK_BYTES);
	}
	if (whole < count) {
		memset(block, 0, sizeof(block));
		memcpy(block, bytes + whole, count - whole);
		encrypt(keyed->mac, block, block, sizeof(block));
	}
	EVP_EncryptInit_ex(keyed->stream, NULL, NULL, NULL, block);
	for (size_t at = 0; at < count; at += PIECE_BYTES)
		encrypt(keyed->stream, zeros, bytes + at,
			count - at < PIECE_BYTES ? count - at : PIECE_BYTES);
}

static bool
bit_of(const uint8_t *address, unsigned int bit)
{
	return (address[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

/* @return true if all bits from `from` to `to` - 1 have the given value */
static bool
are_bits(const uint8_t *address, unsigned int from, unsigned int to, bool value)
{
	for (unsigned int bit = from; bit < to; bit++)
		if (bit_of(address, bit) != value)
			return false;
	return true;
}

/*
 * @return true if a bit must not change, because this bit and the bits before it mark a special
 *         address
 */
static bool
is_special(const uint8_t *address, unsigned int bit, bool v6)
{
	if (are_bits(address, 0, bit, false))
		return true;
	if (v6)
		return bit < 8 || (bit < 16 && address[0] == 0xFE);
	/*
	 * IPv4: keep the leading 1 bits of addresses from 128.0.0.0 on (up to three), all bits of
	 * addresses from 224.0.0.0 (multicast) on, and the first 8 bits of 127/8.
	 */
	if (are_bits(address, 0, bit < 3 ? bit : 3, true))
		return true;
	return bit < 8 && !bit_of(address, 0) && are_bits(address, 1, bit, true);
}

static bool
is_flipped(struct keyed *keyed, const uint8_t *address, unsigned int bit, bool v6)
{
	uint8_t block[BLOCK_BYTES] = {0};

	memcpy(block, address, bit / 8);
	if (bit % 8 != 0)
		block[bit / 8] = (uint8_t)(address[bit / 8] & 0xFF00 >> bit % 8);
	encrypt(keyed->block[v6 ? KEYED_IPV6 : KEYED_IPV4], block, block, sizeof(block));
	/* Distinguish prefixes of different lengths, because their bytes may be equal. */
	block[0] ^= (uint8_t)(bit + 1);
	encrypt(keyed->block[v6 ? KEYED_IPV6 : KEYED_IPV4], block, block, sizeof(block));
	return (block[0] & 1) != 0;
}

static void
ip_map(struct keyed *keyed, const uint8_t *from, uint8_t *to, bool v6)
{
	const unsigned int bits = v6 ? 128 : 32;

	memcpy(to, from, bits / 8);
	for (unsigned int bit = 0; bit < bits; bit++)
		if (!is_special(from, bit, v6) && is_flipped(keyed, from, bit, v6))
			to[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
}

void
keyed_ip(struct keyed *keyed, uint8_t *address, bool v6)
{
	const size_t bytes = v6 ? 16 : 4;
	struct cache_line *line;
	uint32_t hash = 0;

	for (size_t i = 0; i < bytes; i++)
		hash = hash * 31 + address[i];
	line = &keyed->cache[hash % CACHE_LINES];
	if (!line->used || line->v6 != v6 || memcmp(line->from, address, bytes) != 0) {
		line->used = true;
		line->v6 = v6;
		memcpy(line->from, address, bytes);
		ip_map(keyed, line->from, line->to, v6);
	}
	memcpy(address, line->to, bytes);
}
