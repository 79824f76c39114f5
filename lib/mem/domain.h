/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_DOMAIN_H
#define NDPDK_MEM_DOMAIN_H

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rcu_qsbr.h>
#include <rte_spinlock.h>

#include "mem/owner.h"
#include "mem/region.h"
#include "mem/table.h"
#include "mem/token.h"
#include "mem/window.h"

/** Entries of a table that are not live, oldest first, linked by their index; 0: none. */
struct mem_index_fifo {
	uint32_t first;
	uint32_t last;
};

struct mem_domain {
	/* Readers and writers. The tables never move; their sizes grow, and are atomic. */
	struct mem_region *regions;
	struct mem_window *windows;
	uint64_t regions_bytes;
	uint64_t windows_bytes;
	struct rte_rcu_qsbr *qsbr;
	int socket_id;
	bool attach;

	struct mem_token_table tokens;

	/* Writers only, under the lock. */
	alignas(RTE_CACHE_LINE_SIZE) rte_spinlock_t lock;
	uint32_t region_count; /**< live, as are the other counts */
	uint32_t window_count;
	uint32_t bound_count;
	uint32_t bind_count;  /**< queued */
	uint32_t region_next; /**< first entry that was never used, as is window_next */
	uint32_t window_next;
	struct mem_index_fifo regions_free; /**< FIFO, so that a stale handle is caught for long */
	struct mem_index_fifo regions_resting; /**< deregistered; readers may be inside */
	struct mem_index_fifo windows_free;
	struct mem_owner_table owners;

	/* Calls that take long, one at a time; taken before the lock, which they take piecewise. */
	pthread_mutex_t control;
	struct mem_table region_memory;
	struct mem_table window_memory;
	uint32_t region_max;
	uint32_t window_max;
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

/** Windows that a long call handles before it lets other writers in: tens of microseconds. */
#define MEM_LOCK_BATCH 16u

/** Which handles a caller wants. */
enum mem_handle_kind {
	MEM_HANDLE_REGION,
	MEM_HANDLE_WINDOW,
};

/** @return whether there is a free handle, and enough key slots for one more; under the lock. */
bool mem_domain_has_room(const struct mem_domain *domain, enum mem_handle_kind kind);

/**
 * Let the tables grow until there is room; takes the control mutex and, piecewise, the lock.
 * @return RC_OK; RC_NO_RESOURCES: at the configured maximum, or no memory
 */
enum rc_status
mem_domain_grow(struct mem_domain *domain, enum mem_handle_kind kind) __rte_warn_unused_result;

/** @return whether handle is the address of an entry of the table, whatever it points to. */
static inline bool
mem_handle_inside(
	const void *table, const uint64_t *table_bytes, const void *handle, uint64_t stride)
{
	uint64_t offset = (uintptr_t)handle - (uintptr_t)table;

	return offset < __atomic_load_n(table_bytes, __ATOMIC_RELAXED) &&
		(offset & (stride - 1)) == 0;
}

static inline bool
mem_domain_has_region(const struct mem_domain *domain, const struct mem_region *region)
{
	/* Acquire, pairs with the release of live in mem_region_register(): then the rest of it is
	 * there, too, and stays until the next quiescent state of this reader. */
	return mem_handle_inside(
		       domain->regions, &domain->regions_bytes, region, MEM_REGION_STRIDE) &&
		__atomic_load_n(&region->live, __ATOMIC_ACQUIRE) != 0;
}

static inline bool
mem_domain_has_window(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_handle_inside(
		       domain->windows, &domain->windows_bytes, window, MEM_WINDOW_STRIDE) &&
		__atomic_load_n(&window->live, __ATOMIC_ACQUIRE) != 0;
}

static inline uint32_t
mem_region_index(const struct mem_domain *domain, const struct mem_region *region)
{
	return (uint32_t)(region - domain->regions);
}

static inline uint32_t
mem_window_index(const struct mem_domain *domain, const struct mem_window *window)
{
	return (uint32_t)(window - domain->windows);
}

#endif
