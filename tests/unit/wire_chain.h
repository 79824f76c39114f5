/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_WIRE_CHAIN_H
#define NDPDK_UNIT_WIRE_CHAIN_H

#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

#include "base/random.h"

/*
 * Functions that make read-only mbufs without a pool. Each segment is a malloc() block of exactly
 * its size, so that AddressSanitizer detects any read beyond the frame.
 */

#define WIRE_CHAIN_MAX 16

struct wire_chain {
	struct rte_mbuf segments[WIRE_CHAIN_MAX];
	uint32_t count;
};

/** @return a random generator for chains and frames; each seed gives a different sequence */
static inline struct base_random
wire_random(uint8_t seed)
{
	const uint8_t bytes[BASE_RANDOM_SEED_BYTES] = {seed};
	struct base_random random;

	base_random_seed(&random, bytes);
	return random;
}

static inline void
wire_chain_free(struct wire_chain *chain)
{
	for (uint32_t i = 0; i < chain->count; i++)
		free(chain->segments[i].buf_addr);
}

/* Split the frame at random places into `count` segments. All but the first may be empty. */
static inline const struct rte_mbuf *
wire_chain_make(struct wire_chain *chain, const uint8_t *frame, uint32_t bytes, uint32_t count,
	struct base_random *random)
{
	uint32_t done = 0;

	memset(chain, 0, sizeof(*chain));
	chain->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct rte_mbuf *segment = &chain->segments[i];
		uint32_t left = bytes - done, part = left;

		if (i + 1 < count && left > 0)
			part = i == 0 ? 1 + base_random_below(random, left)
				      : base_random_below(random, left + 1);
		segment->buf_addr = malloc(part == 0 ? 1 : part);
		memcpy(segment->buf_addr, frame + done, part);
		segment->buf_len = (uint16_t)part;
		segment->data_len = (uint16_t)part;
		segment->next = i + 1 < count ? segment + 1 : NULL;
		done += part;
	}
	chain->segments[0].pkt_len = bytes;
	chain->segments[0].nb_segs = (uint16_t)count;
	return &chain->segments[0];
}

#endif
