/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SCENE_H
#define NDPDK_BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "mem/mem.h"

/*
 * A memory index with one region and many live windows next to each other in it.
 */

#define SCENE_OWNER        0x1234u
#define SCENE_RIGHTS       (MEM_REMOTE_READ | MEM_REMOTE_WRITE)
#define SCENE_WINDOW_BYTES 64u
/** Windows that are visited over and over where a row is called warm. */
#define SCENE_WARM_WINDOWS 16u

/** What a visit of a window needs. */
struct scene_visit {
	uint32_t key;
	uint64_t address;
	struct mem_window *window;
};

struct scene {
	uint32_t windows;    /**< live */
	uint32_t window_max; /**< that the index is made for */
	struct base_random random;
	struct mem_domain *domain; /**< its reader 0 is online */
	struct mem_region *region;
	struct scene_visit *visits; /**< one per window, in random order */
};

/** What a domain is made for. */
struct scene_limits {
	uint32_t window_max;
	uint32_t region_max;
	uint32_t key_slots; /**< 0: as an adapter has them */
};

/** Make an index, and reader 0 of it online. */
struct mem_domain *scene_domain_make(const struct scene_limits *limits, struct base_random *random);

/**
 * Make region and windows of a scene that has an index, and room for the visits. The order of
 * visiting is neither that of making nor that of addresses.
 */
void scene_windows_make(struct scene *scene);

/** Make index, region and windows of a scene whose first two members are set; once. */
void scene_make(struct scene *scene);

/** Bind a window that is not bound. @return whether that went well */
bool scene_bind(const struct scene *scene, struct scene_visit *visit);

/** @return address of so many bytes that nobody will look at. */
void *scene_address_space(uint64_t bytes);

/** Put numbers 0 .. count - 1 in random order. */
void scene_shuffle(struct base_random *random, uint32_t *numbers, uint32_t count);

#endif
