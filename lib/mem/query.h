/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_QUERY_H
#define NDPDK_MEM_QUERY_H

#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/*
 * Queries of regions and windows, from any thread. They take the domain's lock, so that all members
 * of an answer are of the same moment.
 */

struct mem_domain;
struct mem_region;
struct mem_window;

struct mem_region_info {
	uint64_t base;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t windows_bound;
	uint32_t binds_queued;
	void *cookie;
};

/** @return RC_OK, RC_BAD_REGION. */
enum rc_status mem_region_query(struct mem_domain *domain, const struct mem_region *region,
	struct mem_region_info *info) __rte_warn_unused_result;

struct mem_window_info {
	uint32_t key;              /**< 0: not bound, and all other members are 0, too */
	struct mem_region *region; /**< the region of [address, address + length_bytes) */
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights;
	uint32_t owner; /**< QPN */
};

/** @return RC_OK, RC_BAD_WINDOW. */
enum rc_status mem_window_query(struct mem_domain *domain, const struct mem_window *window,
	struct mem_window_info *info) __rte_warn_unused_result;

#endif
