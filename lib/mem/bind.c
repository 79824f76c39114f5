/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/mem.h"
#include "mem/window.h"

/*
 * A bind has two moments. When it is posted, its arguments are checked and its key is reserved, so
 * that mistakes come back from the call and the descriptor can be filled (ND-020, ND-027). When its
 * turn comes in the send queue, the key goes live (ND-022). Between the two, region and window are
 * held: deregistering the region or destroying the window is refused while a bind is queued.
 *
 * A bind that is posted to an empty send queue does both at once (mem_bind_now()).
 *
 * Each bind takes a fresh key, slot and tag, so that a descriptor of an earlier bind stays dead
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

static enum rc_status
bind_check(const struct mem_domain *domain, const struct mem_bind *bind)
{
	enum rc_status status;

	if (!mem_domain_has_region(domain, bind->region))
		return RC_BAD_REGION;
	if (!mem_domain_has_window(domain, bind->window))
		return RC_BAD_WINDOW;
	status = range_check(bind->region, bind->address, bind->length_bytes);
	if (status == RC_OK)
		status = rights_check(bind->region, bind->rights);
	if (status == RC_OK && bind->window->posted_bound)
		status = RC_ALREADY_BOUND;
	return status;
}

enum rc_status
mem_bind_prepare(struct mem_domain *domain, struct mem_bind *bind)
{
	enum rc_status status;

	mem_domain_lock(domain);
	status = bind_check(domain, bind);
	if (status == RC_OK)
		status = mem_token_reserve(&domain->tokens, &bind->key);
	if (status == RC_OK) {
		bind->window->posted_bound = true;
		bind->window->binds_queued++;
		bind->region->binds_queued++;
		domain->bind_count++;
	}
	mem_domain_unlock(domain);
	return status;
}

/** Release the hold of a queued bind on its region and window. */
static void
bind_dequeue(struct mem_domain *domain, const struct mem_bind *bind)
{
	BASE_ASSERT(bind->window->binds_queued > 0 && bind->region->binds_queued > 0);
	bind->window->binds_queued--;
	bind->region->binds_queued--;
	domain->bind_count--;
}

static void
window_bind(struct mem_domain *domain, const struct mem_bind *bind, uint32_t qpn)
{
	uint32_t owner = qpn;
	struct mem_window *window = bind->window;
	uint32_t index = mem_window_index(domain, window);

	window->start = bind->address;
	window->end = bind->address + bind->length_bytes;
	window->key = bind->key;
	mem_bound_set_insert(&bind->region->bound, domain->windows, index);
	if (unlikely(bind->any_owner))
		owner = MEM_OWNER_ANY;
	else
		mem_owner_table_insert(&domain->owners, domain->windows, index, owner);
	domain->bound_count++;
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

enum rc_status
mem_bind_execute(struct mem_domain *domain, const struct mem_bind *bind, uint32_t owner)
{
	enum rc_status status = RC_OK;

	BASE_ASSERT(owner != MEM_OWNER_ANY);
	mem_domain_lock(domain);
	bind_dequeue(domain, bind);
	if (mem_domain_has_region(domain, bind->region) &&
		mem_domain_has_window(domain, bind->window) && bind->window->key == 0) {
		window_bind(domain, bind, owner);
	} else {
		mem_token_rest(&domain->tokens, bind->key);
		mem_window_posted_settle(bind->window);
		status = RC_BIND_FAILED;
	}
	mem_domain_unlock(domain);
	return status;
}

enum rc_status
mem_bind_now(struct mem_domain *domain, struct mem_bind *bind, uint32_t owner)
{
	enum rc_status status;

	BASE_ASSERT(owner != MEM_OWNER_ANY);
	mem_domain_lock(domain);
	status = bind_check(domain, bind);
	if (status == RC_OK && (bind->window->key != 0 || bind->window->binds_queued > 0))
		status = RC_BIND_FAILED;
	if (status == RC_OK)
		status = mem_token_reserve(&domain->tokens, &bind->key);
	if (status == RC_OK) {
		bind->window->posted_bound = true;
		window_bind(domain, bind, owner);
	}
	mem_domain_unlock(domain);
	return status;
}

void
mem_bind_cancel(struct mem_domain *domain, const struct mem_bind *bind)
{
	mem_domain_lock(domain);
	bind_dequeue(domain, bind);
	mem_token_rest(&domain->tokens, bind->key);
	mem_window_posted_settle(bind->window);
	mem_domain_unlock(domain);
}
