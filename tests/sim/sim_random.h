/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_RANDOM_H
#define NDPDK_SIM_SIM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The simulator's random number generator: splitmix64. Each part of a run draws from its own
 * stream. So a change in one part does not change the random numbers of the other parts.
 */

struct sim_random {
	uint64_t state;
};

static inline uint64_t
sim_random_u64(struct sim_random *random)
{
	uint64_t z = (random->state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/** @return random stream number `stream` of a seed */
static inline struct sim_random
sim_random_stream(uint64_t seed, uint64_t stream)
{
	struct sim_random random = {.state = seed * UINT64_C(0xD1342543DE82EF95) + stream};

	random.state = sim_random_u64(&random) ^ (stream << 32);
	return random;
}

/** @return uniformly distributed value in 0 .. bound - 1. The bound must be at least 1. */
static inline uint32_t
sim_random_below(struct sim_random *random, uint32_t bound)
{
	return (uint32_t)(((sim_random_u64(random) >> 32) * bound) >> 32);
}

/** @return uniformly distributed value in low .. high, including both */
static inline uint32_t
sim_random_range(struct sim_random *random, uint32_t low, uint32_t high)
{
	return low + sim_random_below(random, high - low + 1);
}

static inline bool
sim_random_chance(struct sim_random *random, uint32_t per_mille)
{
	return sim_random_below(random, 1000) < per_mille;
}

static inline void
sim_random_order(struct sim_random *random, uint32_t *order, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t with = sim_random_below(random, i + 1);

		order[i] = order[with];
		order[with] = i;
	}
}

static inline void
sim_random_fill(struct sim_random *random, uint8_t *bytes, size_t count)
{
	uint64_t word;

	for (; count >= sizeof(word); bytes += sizeof(word), count -= sizeof(word)) {
		word = sim_random_u64(random);
		memcpy(bytes, &word, sizeof(word));
	}
	if (count > 0) {
		word = sim_random_u64(random);
		memcpy(bytes, &word, count);
	}
}

#endif
