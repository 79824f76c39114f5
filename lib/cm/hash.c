/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/hash.h"

#include <string.h>

#include <rte_byteorder.h>

struct sip_state {
	uint64_t v0;
	uint64_t v1;
	uint64_t v2;
	uint64_t v3;
};

static inline uint64_t
rotate_left(uint64_t value, unsigned int bits)
{
	return value << bits | value >> (64 - bits);
}

static inline void
sip_rounds(struct sip_state *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = rotate_left(s->v1, 13) ^ s->v0;
		s->v3 = rotate_left(s->v3, 16) ^ s->v2;
		s->v0 = rotate_left(s->v0, 32);
		s->v2 += s->v1;
		s->v0 += s->v3;
		s->v1 = rotate_left(s->v1, 17) ^ s->v2;
		s->v3 = rotate_left(s->v3, 21) ^ s->v0;
		s->v2 = rotate_left(s->v2, 32);
	}
}

static inline void
sip_word(struct sip_state *s, uint64_t word)
{
	s->v3 ^= word;
	sip_rounds(s, 2);
	s->v0 ^= word;
}

uint64_t
cm_hash(const struct cm_hash_key *key, const void *data, size_t bytes)
{
	/* The initial state is the text "somepseudorandomlygeneratedbytes" XORed with the key. */
	struct sip_state s = {
		.v0 = key->k0 ^ UINT64_C(0x736f6d6570736575),
		.v1 = key->k1 ^ UINT64_C(0x646f72616e646f6d),
		.v2 = key->k0 ^ UINT64_C(0x6c7967656e657261),
		.v3 = key->k1 ^ UINT64_C(0x7465646279746573),
	};
	const uint8_t *p = data;
	uint64_t word;
	size_t left = bytes;

	for (; left >= sizeof(word); left -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		sip_word(&s, rte_le_to_cpu_64(word));
	}
	word = (uint64_t)bytes << 56;
	for (size_t i = 0; i < left; i++)
		word |= (uint64_t)p[i] << (8 * i);
	sip_word(&s, word);
	s.v2 ^= 0xFF;
	sip_rounds(&s, 4);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
