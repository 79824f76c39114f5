/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_DOMAIN_H
#define NDPDK_MEM_DOMAIN_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rcu_qsbr.h>
#include <rte_spinlock.h>

#include "base/list.h"
#include "mem/owner.h"
#include "mem/region.h"
#include "mem/token.h"
#include "mem/window.h"

struct mem_domain {
	/* Readers and writers; never changes. */
	struct mem_region *regions;
	uint64_t regions_bytes; /**< of the table, as is windows_bytes */
	struct mem_window *windows;
	uint64_t windows_bytes;
	struct rte_rcu_qsbr *qsbr;
	int socket_id;

	struct mem_token_table tokens;

	/* Writers only, under the lock. */
	alignas(RTE_CACHE_LINE_SIZE) rte_spinlock_t lock;
	uint32_t region_count; /**< live, as are the other counts */
	uint32_t window_count;
	uint32_t bound_count;
	uint32_t bind_count;              /**< queued */
	struct base_list regions_free;    /**< FIFO, so that a stale handle is caught for long */
	struct base_list regions_resting; /**< deregistered, by age; readers may be inside */
	struct base_list windows_free;    /**< FIFO */
	struct mem_owner_table owners;
};

/* One writer at a time. Held for a few list operations, never across allocation. */

static inline void
mem_domain_lock(struct mem_domain *domain)
{
	rte_spinlock_lock(&domain->lock);
}

static inline void
mem_domain_unlock(struct mem_domain *domain)
{
	rte_spinlock_unlock(&domain->lock);
}

/** @return whether handle is the address of an entry of the table, whatever it points to. */
static inline bool
mem_handle_inside(const void *table, uint64_t table_bytes, const void *handle, uint64_t stride)
{
	uint64_t offset = (uintptr_t)handle - (uintptr_t)table;

	return offset < table_bytes && (offset & (stride - 1)) == 0;
}

static inline bool
mem_domain_has_region(const struct mem_domain *domain, const struct mem_region *region)
{
	/* Acquire, pairs with the release of live in mem_region_register(): then the rest of it is
	 * there, too, and stays until the next quiescent state of this reader. */
	return mem_handle_inside(
		       domain->regions, domain->regions_bytes, region, MEM_REGION_STRIDE) &&
		__atomic_load_n(&region->live, __ATOMIC_ACQUIRE) != 0;
}

static inline bool
mem_domain_has_window(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_handle_inside(
		       domain->windows, domain->windows_bytes, window, MEM_WINDOW_STRIDE) &&
		__atomic_load_n(&window->live, __ATOMIC_ACQUIRE) != 0;
}

#endif
