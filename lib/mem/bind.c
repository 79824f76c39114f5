/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/bind.h"

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/mem.h"
#include "mem/window.h"

/*
 * A bind has two steps. When the bind is posted, its arguments are checked and its key is reserved,
 * so that the call returns errors and can fill the descriptor (ND-020, ND-027). When the send queue
 * executes the bind, the key becomes live (ND-022). Between the two steps, the region cannot be
 * deregistered and the window cannot be destroyed.
 *
 * If the send queue is empty, the call that posts a bind executes both steps at once
 * (mem_bind_now()).
 *
 * Each bind uses a new key, slot and tag, so that the descriptor of an earlier bind stays invalid
 * (RC-157). Implements RC-153, ND-005..007, ND-023..028, ND-032..035.
 */

#define WINDOW_RIGHTS     (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)
#define NEEDS_LOCAL_WRITE (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

static enum rc_status
range_check(const struct mem_region *region, uint64_t address, uint64_t length_bytes)
{
	if (address < region->base || address - region->base >= region->length_bytes)
		return RC_BAD_START;
	if (length_bytes == 0 || length_bytes > region->length_bytes - (address - region->base))
		return RC_BAD_END;
	return RC_OK;
}

static enum rc_status
rights_check(const struct mem_region *region, uint32_t rights)
{
	if ((region->rights & MEM_WINDOW_BIND) == 0 || (rights & ~(uint32_t)WINDOW_RIGHTS) != 0)
		return RC_NO_RIGHTS;
	if ((rights & NEEDS_LOCAL_WRITE) != 0 && (region->rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	return RC_OK;
}

/** @return the partition of the key table that issues the key of a bind. */
static struct mem_partition *
bind_partition(const struct mem_domain *domain, const struct mem_bind *bind, uint32_t owner)
{
	BASE_ASSERT(owner != MEM_OWNER_ANY);
	return unlikely(bind->any_owner) ? domain->shared : mem_partition_of(domain, owner);
}

/**
 * Claim a window for a partition. The caller has locked the partition. If two partitions try to
 * claim a window at the same time, exactly one succeeds.
 */
static __rte_always_inline enum rc_status
window_claim(const struct mem_domain *domain, struct mem_window *window,
	const struct mem_partition *partition)
{
	uint8_t own = (uint8_t)(MEM_HOME_PARTITION + partition->index);
	uint8_t home = __atomic_load_n(&window->home, __ATOMIC_ACQUIRE);

	if (unlikely(home == own))
		return window->posted_bound ? RC_ALREADY_BOUND : RC_OK;
	if (unlikely(home != MEM_HOME_FREE))
		return RC_ALREADY_BOUND;
	/*
	 * If there is only one partition, its lock excludes all other threads, so a plain store
	 * suffices.
	 */
	if (partition == domain->partitions && partition == domain->shared)
		__atomic_store_n(&window->home, own, __ATOMIC_RELAXED);
	else if (!__atomic_compare_exchange_n(
			 &window->home, &home, own, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return home == MEM_HOME_NONE ? RC_BAD_WINDOW : RC_ALREADY_BOUND;
	return RC_OK;
}

/**
 * Check a bind. The caller has locked the partition. After RC_OK, the window belongs to this
 * partition.
 */
static __rte_always_inline enum rc_status
bind_check(const struct mem_domain *domain, const struct mem_bind *bind,
	const struct mem_partition *partition)
{
	enum rc_status status;

	/*
	 * The region stays alive during this check, because a deregistration holds the locks of all
	 * partitions.
	 */
	if (!mem_domain_has_region(domain, bind->region))
		return RC_BAD_REGION;
	if (!mem_domain_has_window(domain, bind->window))
		return RC_BAD_WINDOW;
	status = range_check(bind->region, bind->address, bind->length_bytes);
	if (status == RC_OK)
		status = rights_check(bind->region, bind->rights);
	if (status == RC_OK)
		status = window_claim(domain, bind->window, partition);
	return status;
}

/** Issue a key for a bind that was checked. @return RC_OK, RC_NO_RESOURCES */
static __rte_always_inline enum rc_status
key_reserve(struct mem_domain *domain, struct mem_bind *bind, struct mem_partition *partition)
{
	enum rc_status status = mem_token_reserve(&domain->tokens, &partition->keys, &bind->key);

	/*
	 * Reset the posted state only if the window is not bound: an invalidate of a bound window
	 * may be queued.
	 */
	if (unlikely(status != RC_OK) && bind->window->key == 0)
		mem_window_posted_settle(bind->window);
	return status;
}

static struct mem_region_part *
region_part(const struct mem_domain *domain, const struct mem_bind *bind,
	const struct mem_partition *partition)
{
	return mem_region_part(partition, mem_region_index(domain, bind->region));
}

enum rc_status
mem_bind_prepare(struct mem_domain *domain, struct mem_bind *bind, uint32_t owner)
{
	struct mem_partition *partition = bind_partition(domain, bind, owner);
	enum rc_status status;

	mem_partition_lock(partition);
	status = bind_check(domain, bind, partition);
	if (status == RC_OK)
		status = key_reserve(domain, bind, partition);
	if (status == RC_OK) {
		bind->partition = (uint8_t)partition->index;
		bind->window->posted_bound = true;
		bind->window->binds_queued++;
		region_part(domain, bind, partition)->binds_queued++;
		mem_count(&partition->bind_count, 1);
	}
	mem_partition_unlock(partition);
	return status;
}

/** A queued bind has ended, so it no longer prevents the destruction of its region and window. */
static void
bind_dequeue(const struct mem_domain *domain, const struct mem_bind *bind,
	struct mem_partition *partition)
{
	struct mem_region_part *part = region_part(domain, bind, partition);

	BASE_ASSERT(bind->window->home == MEM_HOME_PARTITION + partition->index);
	BASE_ASSERT(bind->window->binds_queued > 0 && part->binds_queued > 0);
	bind->window->binds_queued--;
	part->binds_queued--;
	mem_count(&partition->bind_count, -1);
}

static void
window_bind(struct mem_domain *domain, const struct mem_bind *bind, struct mem_partition *partition,
	uint32_t qpn)
{
	uint32_t owner = qpn;
	struct mem_window *window = bind->window;
	uint32_t index = mem_window_index(domain, window);

	window->start = bind->address;
	window->end = bind->address + bind->length_bytes;
	window->key = bind->key;
	mem_bound_set_insert(&region_part(domain, bind, partition)->bound, domain->windows, index);
	if (unlikely(bind->any_owner))
		owner = MEM_OWNER_ANY;
	else
		mem_owner_table_insert(&partition->owners, domain->windows, index, owner);
	partition->bound_count++;
	mem_token_publish(&domain->tokens, bind->key,
		&(struct mem_grant){
			.region = mem_region_index(domain, bind->region),
			.window = index,
			.start = window->start,
			.end = window->end,
			.owner = owner,
			.rights = bind->rights,
		});
}

/** Release the key of a queued bind that will not be executed. */
static void
bind_drop(struct mem_domain *domain, const struct mem_bind *bind, struct mem_partition *partition)
{
	mem_token_rest(&domain->tokens, &partition->keys, bind->key);
	mem_window_posted_settle(bind->window);
}

enum rc_status
mem_bind_execute(struct mem_domain *domain, const struct mem_bind *bind, uint32_t owner)
{
	struct mem_partition *partition = &domain->partitions[bind->partition];
	enum rc_status status = RC_OK;

	BASE_ASSERT(partition == bind_partition(domain, bind, owner));
	mem_partition_lock(partition);
	bind_dequeue(domain, bind, partition);
	/* Region and window are still alive, because a queued bind prevents their destruction. */
	BASE_ASSERT(mem_domain_has_region(domain, bind->region) &&
		mem_domain_has_window(domain, bind->window));
	if (bind->window->key == 0) {
		window_bind(domain, bind, partition, owner);
	} else {
		bind_drop(domain, bind, partition);
		status = RC_BIND_FAILED;
	}
	mem_partition_unlock(partition);
	return status;
}

__attribute__((flatten)) enum rc_status
mem_bind_now(struct mem_domain *domain, struct mem_bind *bind, uint32_t owner)
{
	struct mem_partition *partition = bind_partition(domain, bind, owner);
	enum rc_status status;

	mem_partition_lock(partition);
	status = bind_check(domain, bind, partition);
	if (status == RC_OK && (bind->window->key != 0 || bind->window->binds_queued > 0))
		status = RC_BIND_FAILED;
	else if (status == RC_OK)
		status = key_reserve(domain, bind, partition);
	if (status == RC_OK) {
		bind->window->posted_bound = true;
		window_bind(domain, bind, partition, owner);
	}
	mem_partition_unlock(partition);
	return status;
}

void
mem_bind_cancel(struct mem_domain *domain, const struct mem_bind *bind)
{
	struct mem_partition *partition = &domain->partitions[bind->partition];

	mem_partition_lock(partition);
	bind_dequeue(domain, bind, partition);
	bind_drop(domain, bind, partition);
	mem_partition_unlock(partition);
}
