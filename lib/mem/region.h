/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_REGION_H
#define NDPDK_MEM_REGION_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include <rte_common.h>

#include "mem/bound_set.h"
#include "mem/segment.h"

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
	void *cookie;
	uint64_t generation; /**< registrations of this entry that have been released */

	/* Writers only. */
	alignas(RTE_CACHE_LINE_SIZE) struct mem_bound_set bound;
	uint32_t binds_queued;
	uint32_t next;       /**< while not live: in domain->regions_free or regions_resting */
	uint64_t rest_grace; /**< RCU token of the deregistration */
};

static_assert(sizeof(struct mem_region) == MEM_REGION_STRIDE, "handles are checked by alignment");

#endif
