/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_QUERY_H
#define NDPDK_MEM_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/*
 * Queries of regions and windows, from any thread. Queries of one region or window take a lock, so
 * that all members of the result are of the same moment.
 */

struct mem_domain;
struct mem_region;
struct mem_window;

struct mem_region_info {
	uint64_t base;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t key; /**< see mem_region_key() */
	bool fast; /**< fast region; base, length and rights are those of the live registration */
	uint32_t windows_bound;
	uint32_t binds_queued;
	void *cookie;
};

/** @return RC_OK, RC_BAD_REGION. */
enum rc_status mem_region_query(struct mem_domain *domain, const struct mem_region *region,
	struct mem_region_info *info) __rte_warn_unused_result;

/** Returned by mem_region_next() at the end. */
#define MEM_REGIONS_END UINT32_MAX

/**
 * Iterate over the regions, unordered. Regions that are registered or deregistered meanwhile may be
 * missed. Takes no lock.
 *
 * @param from 0, or the last return value + 1
 * @return number of a region, for mem_region_at(), or MEM_REGIONS_END
 */
uint32_t mem_region_next(const struct mem_domain *domain, uint32_t from);

/** @return the region with this number; NULL: none. The region may be deregistered at any time. */
const struct mem_region *mem_region_at(const struct mem_domain *domain, uint32_t number);

/** Number of objects and their limits. The values are read one by one. */
struct mem_domain_info {
	uint32_t regions, regions_max;
	uint32_t windows, windows_max;
	uint32_t windows_bound;
	uint32_t binds_queued;
};

/** Get the numbers of objects. Takes no lock. */
void mem_domain_query(const struct mem_domain *domain, struct mem_domain_info *info);

struct mem_window_info {
	uint32_t key;              /**< 0: not bound, and all other members are 0, too */
	struct mem_region *region; /**< the region of [address, address + length_bytes) */
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t owner; /**< QPN; meaningless with any_owner */
	bool any_owner; /**< every queue pair may use it */
};

/** @return RC_OK, RC_BAD_WINDOW. */
enum rc_status mem_window_query(struct mem_domain *domain, const struct mem_window *window,
	struct mem_window_info *info) __rte_warn_unused_result;

#endif
