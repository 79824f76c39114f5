/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_QUERY_H
#define NDPDK_MEM_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/*
 * Queries of regions and windows. May be called from any thread. A query of one region or window
 * takes a lock, so that all members of the result belong to the same moment.
 */

struct mem_domain;
struct mem_region;
struct mem_window;

struct mem_region_info {
	uint64_t base;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t key; /**< see mem_region_key() */
	bool fast;    /**< true: fast region; base, length and rights of the live registration */
	uint32_t windows_bound;
	uint32_t binds_queued;
	void *cookie;
};

/** @return RC_OK, RC_BAD_REGION. */
enum rc_status mem_region_query(struct mem_domain *domain, const struct mem_region *region,
	struct mem_region_info *info) __rte_warn_unused_result;

/** mem_region_next() returns this value when there are no more regions. */
#define MEM_REGIONS_END UINT32_MAX

/**
 * Iterate over the regions, in no particular order. Regions that are registered or deregistered
 * meanwhile may be missed. Takes no lock.
 *
 * @param from 0 in the first call, then the last return value + 1
 * @return number of a region, for mem_region_at(); MEM_REGIONS_END: no more regions
 */
uint32_t mem_region_next(const struct mem_domain *domain, uint32_t from);

/**
 * @return the region with this number; NULL: none. Another thread may deregister it at any time.
 */
const struct mem_region *mem_region_at(const struct mem_domain *domain, uint32_t number);

/**
 * Numbers of objects and their limits. The values are read one by one, so they may belong to
 * different moments.
 */
struct mem_domain_info {
	uint32_t regions, regions_max;
	uint32_t windows, windows_max;
	uint32_t windows_bound;
	uint32_t binds_queued;
};

/** Get the numbers of objects. Takes no lock. */
void mem_domain_query(const struct mem_domain *domain, struct mem_domain_info *info);

struct mem_window_info {
	/** key of the window. 0: the window is not bound, and all other members are 0. */
	uint32_t key;
	/** Region whose range [address, address + length_bytes) the window covers. */
	struct mem_region *region;
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t owner; /**< QPN; meaningless with any_owner */
	bool any_owner; /**< every queue pair may use the window */
};

/** @return RC_OK, RC_BAD_WINDOW. */
enum rc_status mem_window_query(struct mem_domain *domain, const struct mem_window *window,
	struct mem_window_info *info) __rte_warn_unused_result;

#endif
