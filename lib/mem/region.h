/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_REGION_H
#define NDPDK_MEM_REGION_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "mem/bound_set.h"
#include "mem/grace.h"
#include "mem/segment.h"

struct mem_domain;
struct mem_fast_state;

#define MEM_REGION_STRIDE 128

struct mem_region {
	/*
	 * The members below are for readers that found the region live or hold a span of it. They
	 * are constant from the registration to the end of the grace period after the
	 * deregistration.
	 */
	/** Not 0 while the region is registered. Atomic. A registration writes this member last. */
	alignas(MEM_REGION_STRIDE) uint32_t live;
	uint32_t rights;
	uint64_t base;
	uint64_t length_bytes;
	struct mem_segments segments;
	uint32_t key;
	/** Fast region: index of the entry of its live body. 0: no live body. Atomic. */
	uint32_t body;
	void *cookie;
	/** Number of earlier registrations of this entry, which identifies a registration. */
	uint64_t generation;

	/*
	 * The members below are used by writers only. Protected by the lock of the shared
	 * partition.
	 */
	/** Grace period that began when the region was deregistered. */
	alignas(RTE_CACHE_LINE_SIZE) struct mem_grace rest_grace;
	uint32_t next; /**< next entry in regions_free or regions_resting; valid while not live */
	/** State of a fast region (fast.c). NULL: not a fast region. */
	struct mem_fast_state *fast;
	/** Body of a fast region: index of the entry of this fast region. 0: not a body. */
	uint32_t fast_handle;
};

static_assert(sizeof(struct mem_region) == MEM_REGION_STRIDE, "table lookups require this stride");

/**
 * State of a region in one partition of the key table. Each partition has its own table of these
 * structures, so engines that bind windows to the same region write no common cache line. Protected
 * by the partition's lock.
 */
struct mem_region_part {
	struct mem_bound_set bound;
	uint32_t binds_queued;
	/** Token of the grace period that the last unbind in this partition began. 0: none. */
	uint64_t closing;
};

static_assert(sizeof(struct mem_region_part) == 32, "two structures per cache line");

/*
 * Functions for region.c and fast.c that manage entries of the table of regions. The shared
 * partition must be locked, except for mem_regions_reclaim() and mem_region_entry_clear().
 */

/** Take an entry that is free or was never used; one must exist. @return index of the entry */
uint32_t mem_region_entry_take(struct mem_domain *domain);

/** Return a taken entry that no reader has seen to the free list. */
void mem_region_entry_give(struct mem_domain *domain, uint32_t index);

/**
 * Retire an entry that is dead for new accesses. After its grace period, the entry can be reused.
 */
void mem_region_entry_rest(struct mem_domain *domain, struct mem_region *region);

/** @return whether no reader uses a retired entry any more. */
bool mem_region_entry_rested(const struct mem_domain *domain, const struct mem_region *region);

/** Free the retired entries with a finished grace period. Takes and releases the lock. */
void mem_regions_reclaim(struct mem_domain *domain);

/** Free the memory of an entry that no reader uses. Must be called without the lock. */
void mem_region_entry_clear(struct mem_region *region);

#endif
