/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_REGION_H
#define NDPDK_MEM_REGION_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>

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
	uint32_t attachable; /**< atomic; packets may point to its bytes, see mem/attach.h */
	void *cookie;
	uint64_t generation; /**< registrations of this entry that have been released */

	/* Writers only. */
	alignas(RTE_CACHE_LINE_SIZE) struct mem_bound_set bound;
	uint32_t binds_queued;
	uint32_t next;       /**< while not live: in domain->regions_free or regions_resting */
	uint64_t rest_grace; /**< RCU token of the deregistration */

	/* Readers increment its count, whoever frees a packet decrements it; 1 when idle. */
	struct rte_mbuf_ext_shared_info shared;
};

static_assert(sizeof(struct mem_region) == MEM_REGION_STRIDE, "handles are checked by alignment");

/** @return mbufs that are attached to its bytes; 0 for an entry that was never used. */
static inline uint16_t
mem_region_attached(const struct mem_region *region)
{
	/* Acquire, pairs with the release of the thread that frees an mbuf after it read the bytes.
	 * */
	uint16_t count = __atomic_load_n(&region->shared.refcnt, __ATOMIC_ACQUIRE);

	return count == 0 ? 0 : (uint16_t)(count - 1);
}

#endif
