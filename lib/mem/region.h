/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_REGION_H
#define NDPDK_MEM_REGION_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include <rte_common.h>

#include "mem/bound_set.h"
#include "mem/grace.h"
#include "mem/segment.h"

struct mem_domain;
struct mem_fast_state;

#define MEM_REGION_STRIDE 128

struct mem_region {
	/* For readers that found the region live or hold a span of it. Constant from registration
	 * to the end of the grace period after deregistration. */
	alignas(MEM_REGION_STRIDE) uint32_t live; /**< atomic; written last at registration */
	uint32_t rights;
	uint64_t base;
	uint64_t length_bytes;
	struct mem_segments segments;
	uint32_t key;
	uint32_t body; /**< fast region: entry of the live body, 0: none; atomic */
	void *cookie;
	uint64_t generation; /**< number of registrations of this entry that were released */

	/* Writers only, under the lock of the shared partition. */
	/** grace period that began at the deregistration */
	alignas(RTE_CACHE_LINE_SIZE) struct mem_grace rest_grace;
	uint32_t next; /**< next entry in domain->regions_free or regions_resting, while not live */
	struct mem_fast_state *fast; /**< state of a fast region (fast.c); NULL: no fast region */
	uint32_t fast_handle;        /**< body: entry of its fast region; 0: no body */
};

static_assert(sizeof(struct mem_region) == MEM_REGION_STRIDE, "handles are checked by alignment");

/**
 * State of a region in one partition of the key table. Each partition has its own table, so engines
 * that bind windows to the same region write no common cache line. Protected by the partition's
 * lock.
 */
struct mem_region_part {
	struct mem_bound_set bound; /**< windows that are bound in this partition */
	uint32_t binds_queued;
	uint64_t closing; /**< token of the newest grace period of windows unbound here, 0: none */
};

static_assert(sizeof(struct mem_region_part) == 32, "two to a line");

/*
 * Entries of the table of regions, for fast.c. The caller holds the lock of the shared partition,
 * except for mem_regions_reclaim() and mem_region_entry_clear().
 */

/** @return index of a free entry, which must exist. */
uint32_t mem_region_entry_take(struct mem_domain *domain);

/** Return an entry that no reader has seen since it was taken. */
void mem_region_entry_give(struct mem_domain *domain, uint32_t index);

/** Retire an entry that is dead for new accesses: it is reused after its grace period. */
void mem_region_entry_rest(struct mem_domain *domain, struct mem_region *region);

/** Free retired entries after their grace period. Takes and releases the lock. */
void mem_regions_reclaim(struct mem_domain *domain);

/** Free the memory of an unused entry; without the lock. */
void mem_region_entry_clear(struct mem_region *region);

#endif
