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
	/*
	 * If the address is below the base, the offset wraps to a value that is not below the
	 * length of the region. If length_bytes is 0, length_bytes - 1 is the maximum. Both are
	 * refused.
	 */
	uint64_t offset = address - region->base;

	if (unlikely(offset >= region->length_bytes))
		return RC_BAD_START;
	if (unlikely(length_bytes - 1 >= region->length_bytes - offset))
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
 *
 * @return RC_OK; RC_BUSY: the window belongs to the partition already, because it is bound or a
 *         bind of it is queued; RC_ALREADY_BOUND: it belongs to another partition; RC_BAD_WINDOW:
 *         the handle is not valid
 */
static __rte_always_inline enum rc_status
window_claim(const struct mem_domain *domain, struct mem_window *window,
	const struct mem_partition *partition)
{
	uint8_t own = (uint8_t)(MEM_HOME_PARTITION + partition->index);
	uint8_t home = __atomic_load_n(&window->home, __ATOMIC_ACQUIRE);

	if (unlikely(home != MEM_HOME_FREE)) {
		if (home == own)
			return RC_BUSY;
		return home == MEM_HOME_NONE ? RC_BAD_WINDOW : RC_ALREADY_BOUND;
	}
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
 * Check a bind. The caller has locked the partition, and checks whether the window is bound.
 * @return as window_claim(), and errors of mem_bind_prepare(). After RC_OK and RC_BUSY, the window
 *         belongs to this partition
 */
static __rte_always_inline enum rc_status
bind_check(const struct mem_domain *domain, const struct mem_bind *bind,
	const struct mem_partition *partition)
{
	const struct mem_region *region = bind->region;
	struct mem_window *window = bind->window;
	enum rc_status status;

	/*
	 * The region stays alive during this check, because a deregistration holds the locks of all
	 * partitions.
	 */
	if (unlikely(!mem_domain_has_region(domain, region)))
		return RC_BAD_REGION;
	if (unlikely(!mem_window_inside(domain, window)))
		return RC_BAD_WINDOW;
	status = range_check(region, bind->address, bind->length_bytes);
	if (likely(status == RC_OK))
		status = rights_check(region, bind->rights);
	if (likely(status == RC_OK))
		return window_claim(domain, window, partition);
	/* A wrong handle has precedence over a wrong range and wrong rights. */
	return mem_domain_has_window(domain, window) ? status : RC_BAD_WINDOW;
}

/** Issue a key for a bind that was checked. @return its token; NULL: no slot is free */
static __rte_always_inline struct mem_token *
key_reserve(struct mem_domain *domain, struct mem_bind *bind, struct mem_partition *partition)
{
	struct mem_token *token = mem_token_reserve(&domain->tokens, &partition->keys, &bind->key);

	/*
	 * Reset the posted state only if the window is not bound: an invalidate of a bound window
	 * may be queued.
	 */
	if (unlikely(token == NULL) && bind->window->key == 0)
		mem_window_posted_settle(bind->window);
	return token;
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
	if (status == RC_BUSY)
		status = bind->window->posted_bound ? RC_ALREADY_BOUND : RC_OK;
	if (status == RC_OK && key_reserve(domain, bind, partition) == NULL)
		status = RC_NO_RESOURCES;
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

/** Make a bind live. @param token token of bind->key */
static void
window_bind(struct mem_domain *domain, const struct mem_bind *bind, struct mem_partition *partition,
	uint32_t qpn, struct mem_token *token)
{
	uint32_t owner = qpn;
	struct mem_window *window = bind->window;
	uint32_t region = mem_region_index(domain, bind->region);
	uint32_t key = bind->key;

	window->start = bind->address;
	window->end = bind->address + bind->length_bytes;
	window->key = key;
	mem_bound_set_insert(&mem_region_part(partition, region)->bound, domain->windows, window);
	if (unlikely(bind->any_owner))
		owner = MEM_OWNER_ANY;
	else
		mem_owner_table_insert(&partition->owners, domain->windows, window, owner);
	partition->bound_count++;
	mem_token_publish(token, key,
		&(struct mem_grant){
			.region = region,
			.window = mem_window_index(domain, window),
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
		window_bind(
			domain, bind, partition, owner, mem_token_of(&domain->tokens, bind->key));
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
	struct mem_token *token;
	enum rc_status status;

	mem_partition_lock(partition);
	status = bind_check(domain, bind, partition);
	if (likely(status == RC_OK)) {
		BASE_ASSERT(bind->window->key == 0 && bind->window->binds_queued == 0);
		token = key_reserve(domain, bind, partition);
		if (likely(token != NULL)) {
			bind->window->posted_bound = true;
			window_bind(domain, bind, partition, owner, token);
		} else {
			status = RC_NO_RESOURCES;
		}
	} else if (status == RC_BUSY) {
		status = bind->window->posted_bound ? RC_ALREADY_BOUND : RC_BIND_FAILED;
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
