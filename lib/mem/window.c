/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/window.h"

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/fast.h"
#include "mem/mem.h"

/*
 * Windows of type 2B (RC-152). A window is created once, then bound (bind.c) and invalidated many
 * times, each time with a new key. A window is invalidated by a request of its queue pair, by the
 * peer (IETH), when its queue pair or the window is destroyed, or together with all windows of a
 * region. A window for any queue pair is like type 1: any queue pair may invalidate it, and it
 * outlives the queue pair that bound it.
 *
 * All these calls unbind under the lock of the window's partition and require a live key: if two
 * calls race, exactly one succeeds.
 *
 * The key is dead for new accesses when the call returns (RC-156, RC-157). A reader may still
 * finish its current packet; it has finished when the grace period of the call is over (SEC-014).
 * No grace period is needed if the queue pair of the window or its peer invalidates the window,
 * because the only reader that can use the window executes the invalidate and holds no reference.
 */

/* An ID of a window consists of index:24 | life:8. */
#define WINDOW_LIFE_BITS 8

/** Take an entry out of the free list or the unused entries. @return the entry, which must exist */
static struct mem_window *
window_take(struct mem_domain *domain)
{
	uint32_t index = domain->windows_free.first;

	if (domain->window_next < domain->windows_bytes / MEM_WINDOW_STRIDE)
		return &domain->windows[domain->window_next++];
	domain->windows_free.first = domain->windows[index].free_next;
	return &domain->windows[index];
}

static void
window_give(struct mem_domain *domain, struct mem_window *window)
{
	struct mem_index_fifo *fifo = &domain->windows_free;
	uint32_t index = mem_window_index(domain, window);

	window->free_next = 0;
	if (fifo->first == 0)
		fifo->first = index;
	else
		domain->windows[fifo->last].free_next = index;
	fifo->last = index;
}

static struct mem_window *
window_enter(struct mem_domain *domain, void *cookie)
{
	struct mem_window *window = window_take(domain);

	BASE_ASSERT(window->home == MEM_HOME_NONE && window->key == 0 && window->binds_queued == 0);
	window->cookie = cookie;
	window->posted_bound = false;
	__atomic_store_n(&window->life, (uint8_t)(window->life + 1), __ATOMIC_RELAXED);
	__atomic_store_n(&window->home, MEM_HOME_FREE, __ATOMIC_RELEASE);
	mem_count(&domain->window_count, 1);
	return window;
}

enum rc_status
mem_window_create(struct mem_domain *domain, void *cookie, struct mem_window **window)
{
	enum rc_status status = RC_OK;

	mem_domain_lock(domain);
	while (status == RC_OK && !mem_domain_has_room(domain, MEM_HANDLE_WINDOW)) {
		mem_domain_unlock(domain);
		status = mem_domain_grow(domain, MEM_HANDLE_WINDOW);
		mem_domain_lock(domain);
	}
	if (status == RC_OK)
		*window = window_enter(domain, cookie);
	mem_domain_unlock(domain);
	return status;
}

struct mem_partition *
mem_window_lock(struct mem_domain *domain, const struct mem_window *window, uint32_t owner)
{
	for (;;) {
		uint8_t home = __atomic_load_n(&window->home, __ATOMIC_ACQUIRE);
		struct mem_partition *partition;

		if (home < MEM_HOME_PARTITION)
			return NULL;
		partition = &domain->partitions[home - MEM_HOME_PARTITION];
		if (owner != MEM_OWNER_ANY && partition != domain->shared &&
			partition != mem_partition_of(domain, owner))
			return NULL;
		mem_partition_lock(partition);
		if (likely(__atomic_load_n(&window->home, __ATOMIC_RELAXED) == home))
			return partition;
		mem_partition_unlock(partition);
	}
}

static const struct mem_token *
window_token(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_token_of(&domain->tokens, window->key);
}

/**
 * Make the handle of a free window invalid.
 * @return false: the window is not free, because a bind has claimed it for a partition
 */
static bool
window_end(struct mem_domain *domain, struct mem_window *window)
{
	uint8_t home = MEM_HOME_FREE;
	bool ended;

	/*
	 * Lock, because with a single partition a bind claims a window under this lock and not by
	 * compare-and-swap.
	 */
	mem_domain_lock(domain);
	ended = __atomic_compare_exchange_n(
		&window->home, &home, MEM_HOME_NONE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	if (ended) {
		window_give(domain, window);
		mem_count(&domain->window_count, -1);
	}
	mem_domain_unlock(domain);
	return ended;
}

/** Invalidate a window that belongs to a partition. @return RC_OK; RC_BUSY: a bind is queued */
static enum rc_status
window_leave(struct mem_domain *domain, struct mem_window *window)
{
	struct mem_partition *partition = mem_window_lock(domain, window, MEM_OWNER_ANY);
	enum rc_status status = RC_OK;

	if (partition == NULL)
		return RC_OK;
	if (window->binds_queued > 0) {
		status = RC_BUSY;
	} else if (window->key != 0) {
		uint32_t region = mem_token_region(window_token(domain, window));

		mem_window_unbind(domain, partition, window);
		(void)mem_partition_close(domain, partition, region, partition->readers);
	}
	mem_partition_unlock(partition);
	return status;
}

/**
 * An earlier call may have unbound the window, and the grace period of that call may not be over.
 * The window does not record its last partition, so all partitions are searched.
 * @return one grace period that covers the unfinished ones of all partitions
 */
static struct mem_grace
closings_end(const struct mem_domain *domain)
{
	const struct mem_partition *partition;
	uint32_t readers = 0;

	MEM_FOREACH_PARTITION (partition, domain)
		if (mem_partition_closes(domain, partition,
			    __atomic_load_n(&partition->closing, __ATOMIC_ACQUIRE)))
			readers |= partition->readers;
	return mem_grace_begin(domain->qsbr, readers);
}

enum rc_status
mem_window_destroy(struct mem_domain *domain, struct mem_window *window, struct mem_grace *grace)
{
	enum rc_status status = RC_OK;

	*grace = (struct mem_grace){0};
	do {
		if (!mem_domain_has_window(domain, window))
			return RC_BAD_WINDOW;
		status = window_leave(domain, window);
		if (status != RC_OK)
			return status;
	} while (!window_end(domain, window));
	*grace = closings_end(domain);
	return RC_OK;
}

bool
mem_window_alive(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_domain_has_window(domain, window);
}

bool
mem_window_has_id(const struct mem_domain *domain, uint32_t id)
{
	const struct mem_window *window = &domain->windows[id >> WINDOW_LIFE_BITS];

	return mem_domain_has_window(domain, window) &&
		mem_window_life(window) == (id & ((1u << WINDOW_LIFE_BITS) - 1));
}

void *
mem_window_cookie(const struct mem_window *window)
{
	return window->cookie;
}

/**
 * Inline version of mem_window_unbind().
 * @param token token of window->key
 * @param any true if the owner of the token is MEM_OWNER_ANY
 */
static __rte_always_inline void
unbind(struct mem_domain *domain, struct mem_partition *partition, struct mem_window *window,
	const struct mem_token *token, bool any)
{
	uint32_t key = window->key;

	BASE_ASSERT(token == mem_token_live(&domain->tokens, key));
	BASE_ASSERT(token != NULL && &domain->windows[mem_token_window(token)] == window);
	BASE_ASSERT(partition->bound_count > 0);
	mem_bound_set_remove(&mem_region_part(partition, mem_token_region(token))->bound,
		domain->windows, window);
	if (!any)
		mem_owner_table_remove(&partition->owners, domain->windows, window, token->owner);
	mem_token_rest(&domain->tokens, &partition->keys, key);
	window->key = 0;
	partition->bound_count--;
	mem_window_posted_settle(window);
}

__rte_noinline void
mem_window_unbind(
	struct mem_domain *domain, struct mem_partition *partition, struct mem_window *window)
{
	const struct mem_token *token = window_token(domain, window);

	unbind(domain, partition, window, token, token->owner == MEM_OWNER_ANY);
}

/**
 * @return whether queue pair qpn may invalidate a window or registration that is bound to this
 * owner.
 */
static bool
may_invalidate(uint32_t owner, uint32_t qpn)
{
	return owner == qpn || owner == MEM_OWNER_ANY;
}

enum rc_status
mem_invalidate_prepare(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	struct mem_partition *partition;

	if (!mem_domain_has_window(domain, window))
		return RC_BAD_WINDOW;
	partition = mem_window_lock(domain, window, owner);
	if (partition == NULL)
		return RC_OK;
	window->posted_bound = false;
	mem_partition_unlock(partition);
	return RC_OK;
}

void
mem_invalidate_cancel(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	struct mem_partition *partition;

	if (!mem_domain_has_window(domain, window))
		return;
	partition = mem_window_lock(domain, window, owner);
	if (partition == NULL)
		return;
	mem_window_posted_settle(window);
	mem_partition_unlock(partition);
}

/**
 * Begin a grace period of the partition's readers, except the reader that executes a request of
 * this owner.
 */
static struct mem_grace
others_begin(const struct mem_domain *domain, struct mem_partition *partition, uint32_t region,
	uint32_t owner)
{
	return mem_partition_close(
		domain, partition, region, partition->readers & ~mem_reader_of(domain, owner));
}

/** Invalidate a window for an owner. The window's partition must be locked. */
static __rte_always_inline enum rc_status
invalidate(struct mem_domain *domain, struct mem_partition *partition, struct mem_window *window,
	uint32_t owner)
{
	/* The token of an unbound window (key 0) is slot 0, which no queue pair owns. */
	const struct mem_token *token = window_token(domain, window);

	if (likely(token->owner == owner)) {
		unbind(domain, partition, window, token, false);
		return RC_OK;
	}
	if (may_invalidate(token->owner, owner)) {
		mem_window_unbind(domain, partition, window);
		return RC_OK;
	}
	mem_window_posted_settle(window);
	return RC_INVALIDATE_FAILED;
}

__attribute__((flatten)) enum rc_status
mem_window_invalidate(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	enum rc_status status = RC_INVALIDATE_FAILED;
	struct mem_partition *partition = mem_partition_of(domain, owner);

	if (unlikely(!mem_window_inside(domain, window)))
		return RC_INVALIDATE_FAILED;
	/*
	 * Lock only the partition of the owner's engine. If there are several partitions, a window
	 * of the shared partition is refused, because other engines may be using it.
	 */
	mem_partition_lock(partition);
	if (likely(__atomic_load_n(&window->home, __ATOMIC_RELAXED) ==
		    MEM_HOME_PARTITION + partition->index))
		status = invalidate(domain, partition, window, owner);
	mem_partition_unlock(partition);
	return status;
}

uint8_t
mem_window_life(const struct mem_window *window)
{
	return __atomic_load_n(&window->life, __ATOMIC_RELAXED);
}

enum rc_status
mem_invalidate_execute(struct mem_domain *domain, struct mem_window *window, uint8_t life,
	uint32_t owner, struct mem_grace *grace)
{
	enum rc_status status = RC_INVALIDATE_FAILED;
	struct mem_partition *partition;
	uint32_t region;

	if (!mem_domain_has_window(domain, window))
		return RC_INVALIDATE_FAILED;
	partition = mem_window_lock(domain, window, owner);
	if (partition == NULL)
		return RC_INVALIDATE_FAILED;
	region = mem_token_region(window_token(domain, window));
	if (mem_window_life(window) == life)
		status = invalidate(domain, partition, window, owner);
	if (status == RC_OK)
		*grace = others_begin(domain, partition, region, owner);
	mem_partition_unlock(partition);
	return status;
}

/**
 * Invalidate the window or registration to which a live token belongs. The partition must be
 * locked. @return RC_OK, RC_INVALIDATE_FAILED
 */
static enum rc_status
token_end(struct mem_domain *domain, struct mem_partition *partition, const struct mem_token *token,
	uint32_t owner, struct mem_key_end *end)
{
	struct mem_region *region = &domain->regions[mem_token_region(token)];
	struct mem_window *window;

	if (mem_token_window(token) == 0) {
		/* The peer must not invalidate a registration without remote rights. */
		if (region->fast_handle == 0 || (token->place & MEM_PLACE_RIGHTS_MASK) == 0)
			return RC_INVALIDATE_FAILED;
		mem_fast_body_kill(domain, region);
		return RC_OK;
	}
	if (!may_invalidate(token->owner, owner))
		return RC_INVALIDATE_FAILED;
	window = &domain->windows[mem_token_window(token)];
	end->window = window;
	/*
	 * Copy the window's data now, because another thread may destroy the window after the
	 * unlock.
	 */
	end->cookie = window->cookie;
	end->window_id = mem_token_window(token) << WINDOW_LIFE_BITS | window->life;
	mem_window_unbind(domain, partition, window);
	return RC_OK;
}

enum rc_status
mem_key_invalidate(struct mem_domain *domain, uint32_t key, uint32_t owner, struct mem_key_end *end)
{
	struct mem_partition *partition =
		&domain->partitions[mem_token_partition(&domain->tokens, mem_key_slot(key))];
	enum rc_status status = RC_INVALIDATE_FAILED;
	const struct mem_token *token;

	*end = (struct mem_key_end){0};
	/*
	 * A key of another engine's partition belongs to a queue pair of that engine: refuse the
	 * key without taking the lock.
	 */
	if (partition != domain->shared && partition != mem_partition_of(domain, owner))
		return RC_INVALIDATE_FAILED;
	mem_partition_lock(partition);
	token = mem_token_live(&domain->tokens, key);
	if (token != NULL)
		status = token_end(domain, partition, token, owner, end);
	if (status == RC_OK)
		end->grace = others_begin(domain, partition, mem_token_region(token), owner);
	mem_partition_unlock(partition);
	return status;
}

/** Unbind windows of an owner, at most MEM_LOCK_BATCH. @return number of unbound windows */
static uint32_t
owner_unbind(struct mem_domain *domain, struct mem_partition *partition, uint32_t owner)
{
	uint32_t next, count = 0;

	mem_partition_lock(partition);
	next = mem_owner_table_first(&partition->owners, owner);
	while (next != 0 && count < MEM_LOCK_BATCH) {
		struct mem_window *window = &domain->windows[next];

		next = window->owner_next;
		if (window_token(domain, window)->owner == owner) {
			mem_window_unbind(domain, partition, window);
			count++;
		}
	}
	mem_partition_unlock(partition);
	return count;
}

uint32_t
mem_owner_invalidate(struct mem_domain *domain, uint32_t owner)
{
	struct mem_partition *partition = mem_partition_of(domain, owner);
	uint32_t count = 0, more;

	/* The queue pair has ended, so no window is bound to it during this loop. */
	do {
		more = owner_unbind(domain, partition, owner);
		count += more;
	} while (more > 0);
	return count;
}
