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

#include "base/assert.h"
#include "base/yield.h"
#include "mem/grace.h"
#include "mem/owner.h"
#include "mem/region.h"
#include "mem/table.h"
#include "mem/token.h"
#include "mem/window.h"

/**
 * State of one partition of the key table, used by writers. With one engine there is one partition.
 * With several engines, each engine has a partition for the windows of its queue pairs. The last
 * partition is the shared one. It has the keys that any queue pair may use: keys of regions, of
 * windows for any owner, and of fast regions.
 */
struct mem_partition {
	alignas(2 * RTE_CACHE_LINE_SIZE) rte_spinlock_t lock;
	uint32_t index;
	uint32_t bound_count; /**< number of bound windows; may be read without the lock */
	/** Number of queued binds and queued fast registrations. May be read without the lock. */
	uint32_t bind_count;
	uint32_t readers; /**< bit i is set if reader i may use keys of this partition */
	/** Token of the grace period that the last unbind in this partition began. Atomic. */
	uint64_t closing;
	struct mem_key_pool keys;
	/**
	 * Table of bound windows, by queue pair. The shared partition uses it only if it is the
	 * only partition.
	 */
	struct mem_owner_table owners;
	struct mem_region_part *regions;
	struct mem_table region_memory;
};

struct mem_domain {
	/*
	 * The members below are used by readers and writers. The tables never move. The sizes are
	 * atomic and only grow.
	 */
	struct mem_region *regions;
	struct mem_window *windows;
	uint64_t regions_bytes;
	uint64_t windows_bytes;
	struct rte_rcu_qsbr *qsbr;
	struct mem_partition *partitions;
	struct mem_partition *shared; /**< last entry of partitions */
	/** Mask of the low QPN bits that contain the index of the engine. */
	uint32_t engine_mask;
	int socket_id;

	struct mem_token_table tokens;

	/* Used by writers only. Protected by the lock of the shared partition. */
	alignas(RTE_CACHE_LINE_SIZE) uint32_t region_count; /**< number of live regions */
	uint32_t window_count;                              /**< number of live windows */
	uint32_t fast_count;  /**< number of live fast regions; each can use one additional key */
	uint32_t region_next; /**< first entry of regions[] that was never used */
	uint32_t window_next;
	/**
	 * Free entries of regions[]. The list is a FIFO, so that an entry is reused late and stale
	 * handles are detected.
	 */
	struct mem_index_fifo regions_free;
	struct mem_index_fifo regions_resting; /**< deregistered regions, maybe still in use */
	struct mem_index_fifo windows_free;

	/*
	 * Mutex that serializes long calls. A long call takes the mutex before the locks of
	 * partitions, which it takes and releases many times.
	 */
	pthread_mutex_t control;
	struct mem_table region_memory;
	struct mem_table window_memory;
	uint32_t region_max;
	uint32_t window_max;
};

/**
 * Change a counter while its lock is held. The store is atomic, because queries read the counter
 * without the lock.
 */
static inline void
mem_count(uint32_t *count, int32_t change)
{
	__atomic_store_n(count, *count + (uint32_t)change, __ATOMIC_RELAXED);
}

/*
 * The lock of a partition is held for a few list operations, and never during an allocation. A
 * thread that takes several locks takes them in the order of their indices, so it locks the shared
 * partition last.
 */

static inline void
mem_partition_lock(struct mem_partition *partition)
{
	BASE_SPINLOCK_LOCK(&partition->lock);
}

static inline void
mem_partition_unlock(struct mem_partition *partition)
{
	rte_spinlock_unlock(&partition->lock);
	BASE_YIELD();
}

/** Lock the shared partition. This lock also protects the tables of regions and windows. */
static inline void
mem_domain_lock(struct mem_domain *domain)
{
	mem_partition_lock(domain->shared);
}

static inline void
mem_domain_unlock(struct mem_domain *domain)
{
	mem_partition_unlock(domain->shared);
}

/** Lock all partitions, so that no window is bound or invalidated until they are unlocked. */
void mem_domain_lock_all(struct mem_domain *domain);
void mem_domain_unlock_all(struct mem_domain *domain);

#define MEM_FOREACH_PARTITION(partition, domain)                                                   \
	for ((partition) = (domain)->partitions; (partition) <= (domain)->shared; (partition)++)

/** @return the partition of the engine to which the owner (a QPN) belongs. */
static inline struct mem_partition *
mem_partition_of(const struct mem_domain *domain, uint32_t owner)
{
	BASE_ASSERT(&domain->partitions[owner & domain->engine_mask] <= domain->shared);
	return &domain->partitions[owner & domain->engine_mask];
}

/** @return mask with the bit of the engine (a reader) to which the owner (a QPN) belongs */
static inline uint32_t
mem_reader_of(const struct mem_domain *domain, uint32_t owner)
{
	return UINT32_C(1) << (owner & domain->engine_mask);
}

static inline struct mem_region_part *
mem_region_part(const struct mem_partition *partition, uint32_t region)
{
	return &partition->regions[region];
}

/**
 * Test whether windows that were unbound in a partition can still be in use.
 * @param closing token of a grace period that began when the windows were unbound; 0: none
 * @return whether accesses through these windows may still be in progress
 */
static inline bool
mem_partition_closes(
	const struct mem_domain *domain, const struct mem_partition *partition, uint64_t closing)
{
	const struct mem_grace grace = {.token = closing, .readers = partition->readers};

	return closing != 0 && !mem_grace_over(domain->qsbr, &grace);
}

/**
 * Begin a grace period after windows of a region were unbound. The partition must be locked. Later
 * calls that close windows also wait for this grace period.
 * @param readers readers of the partition
 */
static inline struct mem_grace
mem_partition_close(const struct mem_domain *domain, struct mem_partition *partition,
	uint32_t region, uint32_t readers)
{
	struct mem_grace grace = mem_grace_begin(domain->qsbr, readers);

	if (readers == 0)
		return grace;
	__atomic_store_n(&partition->closing, grace.token, __ATOMIC_RELEASE);
	mem_region_part(partition, region)->closing = grace.token;
	return grace;
}

/**
 * Numbers of bound windows and of queued binds of a region, summed over all partitions. All
 * partitions must be locked during the computation.
 */
struct mem_region_use {
	uint32_t bound;
	uint32_t binds_queued;
};

struct mem_region_use mem_region_use(const struct mem_domain *domain, uint32_t region);

/** Number of windows that a long call processes in tens of microseconds, under one lock. */
#define MEM_LOCK_BATCH 16u

enum mem_handle_kind {
	MEM_HANDLE_REGION,
	MEM_HANDLE_WINDOW,
};

/**
 * @return whether there is a free entry in the table and there are enough key slots. The shared
 * partition must be locked.
 */
bool mem_domain_has_room(const struct mem_domain *domain, enum mem_handle_kind kind);

/**
 * Grow the tables until there is a free entry. Takes the control mutex, and takes locks for short
 * times.
 * @return RC_OK; RC_NO_RESOURCES: at the configured maximum, or no memory
 */
enum rc_status
mem_domain_grow(struct mem_domain *domain, enum mem_handle_kind kind) __rte_warn_unused_result;

/**
 * @return whether handle is the address of an entry of the table. The handle is not dereferenced.
 */
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
	/*
	 * Acquire: pairs with the release store of live in mem_region_register(). A reader that
	 * sees the region live also sees its other members. These members do not change until the
	 * reader's next quiescent state.
	 */
	return mem_handle_inside(
		       domain->regions, &domain->regions_bytes, region, MEM_REGION_STRIDE) &&
		__atomic_load_n(&region->live, __ATOMIC_ACQUIRE) != 0;
}

/** Inline version of mem_region_find(), for calls that post requests. */
static inline struct mem_region *
mem_region_of_key(const struct mem_domain *domain, uint32_t key)
{
	const struct mem_token *token = mem_token_line(&domain->tokens, key);
	struct mem_region *region;

	/* Acquire: pairs with the release store of the key in mem_token_publish(). */
	if (__atomic_load_n(&token->key, __ATOMIC_ACQUIRE) != key)
		return NULL;
	region = RTE_PTR_ADD(domain->regions,
		__atomic_load_n(&token->place, __ATOMIC_RELAXED) & MEM_PLACE_REGION_MASK);
	/*
	 * The comparison excludes keys of windows and keys of earlier registrations of this entry.
	 */
	return mem_domain_has_region(domain, region) && region->key == key ? region : NULL;
}

/** @return whether a handle is the address of an entry of the table of windows */
static inline bool
mem_window_inside(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_handle_inside(
		domain->windows, &domain->windows_bytes, window, MEM_WINDOW_STRIDE);
}

static inline bool
mem_domain_has_window(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_window_inside(domain, window) &&
		__atomic_load_n(&window->home, __ATOMIC_ACQUIRE) != MEM_HOME_NONE;
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
