/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "lock_floor.h"

#include <stdalign.h>

#include <rte_common.h>

#include "bench.h"
#include "scene.h"

struct lock_floor_line {
	alignas(RTE_CACHE_LINE_SIZE) uint64_t written;
};

void
lock_floor_make(void *arg)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {2};
	struct lock_floor *floor = arg;
	struct base_random random;

	base_random_seed(&random, seed);
	rte_spinlock_init(&floor->lock);
	floor->windows = bench_memory(floor->things * sizeof(*floor->windows));
	floor->keys = bench_memory(floor->things * sizeof(*floor->keys));
	floor->order = bench_memory(floor->things * sizeof(*floor->order));
	scene_shuffle(&random, floor->order, floor->things);
}

void
lock_floor_run(void *arg, uint32_t iterations)
{
	struct lock_floor *floor = arg;
	uint32_t at = floor->next;

	for (uint32_t i = 0; i < iterations; i++) {
		uint32_t window = floor->order[at], key = floor->order[floor->things - 1 - at];

		for (uint32_t taken = 1; taken <= floor->locks; taken++) {
			rte_spinlock_lock(&floor->lock);
			if (taken == floor->locks / 2)
				floor->windows[window].written++;
			if (taken == floor->locks)
				floor->keys[key].written++;
			rte_spinlock_unlock(&floor->lock);
		}
		at = at + 1 == floor->count ? 0 : at + 1;
	}
	floor->next = at;
}
