/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SCENE_H
#define NDPDK_BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "mem/mem.h"

/* A memory index with one region and many bound windows. The windows are adjacent in the region. */

#define SCENE_OWNER        0x1234u
#define SCENE_RIGHTS       (MEM_REMOTE_READ | MEM_REMOTE_WRITE)
#define SCENE_WINDOW_BYTES 64u
#define SCENE_WARM_WINDOWS 16u

/** Key and address that an access to a window needs. */
struct scene_visit {
	uint32_t key;
	uint64_t address;
	struct mem_window *window;
};

struct scene {
	uint32_t windows; /**< number of bound windows */
	uint32_t window_max;
	struct base_random random;
	struct mem_domain *domain; /**< memory index whose reader 0 is online */
	struct mem_region *region;
	struct scene_visit *visits;
};

/** Sizes of a domain. */
struct scene_limits {
	uint32_t window_max;
	uint32_t region_max;
	uint32_t key_slots; /**< number of slots of the key table; 0 = as many as an adapter has */
};

/** Create an index, and bring reader 0 of the index online (see mem/grace.h). */
struct mem_domain *scene_domain_make(const struct scene_limits *limits, struct base_random *random);

/**
 * Create the region and the windows in the existing index of a scene, and fill its array of visits.
 * The order of the visits is random. It does not depend on the order of creation or on the
 * addresses.
 */
void scene_windows_make(struct scene *scene);

/**
 * Create an index, and call scene_windows_make(). Before the call, set windows and window_max. A
 * scene must be made only once.
 */
void scene_make(struct scene *scene);

/** Bind a window that is not bound. @return true if the bind succeeded */
bool scene_bind(const struct scene *scene, struct scene_visit *visit);

/**
 * Reserve an address range of `bytes` bytes. The range must not be accessed. @return start of the
 * range
 */
void *scene_address_space(uint64_t bytes);

/** Write the numbers 0 .. count - 1 in random order. */
void scene_shuffle(struct base_random *random, uint32_t *numbers, uint32_t count);

#endif
