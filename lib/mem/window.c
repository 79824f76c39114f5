/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/window.h"

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/fast.h"
#include "mem/mem.h"

/*
 * Windows of type 2B (RC-152): made once, then bound (bind.c) and invalidated many times, each time
 * with another key. A window is invalidated by its queue pair, by the peer (IETH), when its queue
 * pair or the window itself is destroyed, or together with all windows of a region. One that is
 * bound for any queue pair is like one of type 1: any of them may invalidate it, and the end of the
 * one that bound it does not. Each of these
 * calls mem_window_unbind() under the lock, which needs a live key: when two of them race, exactly
 * one succeeds.
 *
 * The key is dead for readers when these calls return (RC-156, RC-157, SEC-014); a reader in the
 * middle of a packet may finish that packet.
 */

/** @return a free entry; the caller has made sure that there is one. */
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

	BASE_ASSERT(window->live == 0 && window->key == 0 && window->binds_queued == 0);
	window->cookie = cookie;
	window->posted_bound = false;
	__atomic_store_n(&window->life, (uint8_t)(window->life + 1), __ATOMIC_RELAXED);
	__atomic_store_n(&window->live, 1, __ATOMIC_RELEASE);
	domain->window_count++;
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

static enum rc_status
window_retire(struct mem_domain *domain, struct mem_window *window)
{
	if (!mem_domain_has_window(domain, window))
		return RC_BAD_WINDOW;
	if (window->binds_queued > 0)
		return RC_BUSY;
	if (window->key != 0)
		mem_window_unbind(domain, window);
	__atomic_store_n(&window->live, 0, __ATOMIC_RELEASE);
	window_give(domain, window);
	domain->window_count--;
	return RC_OK;
}

enum rc_status
mem_window_destroy(struct mem_domain *domain, struct mem_window *window)
{
	enum rc_status status;

	mem_domain_lock(domain);
	status = window_retire(domain, window);
	mem_domain_unlock(domain);
	return status;
}

bool
mem_window_alive(const struct mem_domain *domain, const struct mem_window *window)
{
	return mem_domain_has_window(domain, window);
}

void *
mem_window_cookie(const struct mem_window *window)
{
	return window->cookie;
}

void
mem_window_unbind(struct mem_domain *domain, struct mem_window *window)
{
	uint32_t index = mem_window_index(domain, window);
	const struct mem_token *token = mem_token_live(&domain->tokens, window->key);

	BASE_ASSERT(token != NULL && mem_token_window(token) == index && domain->bound_count > 0);
	mem_bound_set_remove(
		&domain->regions[mem_token_region(token)].bound, domain->windows, index);
	if (likely(token->owner != MEM_OWNER_ANY))
		mem_owner_table_remove(&domain->owners, domain->windows, index, token->owner);
	mem_token_rest(&domain->tokens, window->key);
	window->key = 0;
	domain->bound_count--;
	mem_window_posted_settle(window);
}

/** @return QPN that a bound window was bound through, or MEM_OWNER_ANY. */
static uint32_t
window_owner(const struct mem_domain *domain, const struct mem_window *window)
{
	return domain->tokens.tokens[mem_key_slot(window->key)].owner;
}

/** @return whether a queue pair may invalidate what is bound to this owner. */
static bool
may_invalidate(uint32_t owner, uint32_t qpn)
{
	return owner == qpn || owner == MEM_OWNER_ANY;
}

enum rc_status
mem_invalidate_prepare(struct mem_domain *domain, struct mem_window *window)
{
	enum rc_status status = RC_BAD_WINDOW;

	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window)) {
		window->posted_bound = false;
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}

void
mem_invalidate_cancel(struct mem_domain *domain, struct mem_window *window)
{
	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window))
		mem_window_posted_settle(window);
	mem_domain_unlock(domain);
}

/** Under the lock. */
static enum rc_status
invalidate(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	if (window->key == 0 || !may_invalidate(window_owner(domain, window), owner)) {
		mem_window_posted_settle(window);
		return RC_INVALIDATE_FAILED;
	}
	mem_window_unbind(domain, window);
	return RC_OK;
}

enum rc_status
mem_window_invalidate(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	enum rc_status status = RC_INVALIDATE_FAILED;

	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window))
		status = invalidate(domain, window, owner);
	mem_domain_unlock(domain);
	return status;
}

uint8_t
mem_window_life(const struct mem_window *window)
{
	return __atomic_load_n(&window->life, __ATOMIC_RELAXED);
}

enum rc_status
mem_invalidate_execute(
	struct mem_domain *domain, struct mem_window *window, uint8_t life, uint32_t owner)
{
	enum rc_status status = RC_INVALIDATE_FAILED;

	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window) && window->life == life)
		status = invalidate(domain, window, owner);
	mem_domain_unlock(domain);
	return status;
}

enum rc_status
mem_key_invalidate(struct mem_domain *domain, uint32_t key, uint32_t owner,
	struct mem_window **window, void **cookie)
{
	enum rc_status status = RC_INVALIDATE_FAILED;
	struct mem_token *token;

	mem_domain_lock(domain);
	token = mem_token_live(&domain->tokens, key);
	*window = NULL;
	if (token == NULL) {
		/* Unknown, or dead. */
	} else if (mem_token_window(token) == 0) {
		struct mem_region *region = &domain->regions[mem_token_region(token)];

		if (region->fast_handle != 0) {
			mem_fast_body_kill(domain, region);
			status = RC_OK;
		}
	} else if (may_invalidate(token->owner, owner)) {
		*window = &domain->windows[mem_token_window(token)];
		/* Behind the lock another thread may destroy the window. */
		if (cookie != NULL)
			*cookie = (*window)->cookie;
		mem_window_unbind(domain, *window);
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}

/** @return how many; at most MEM_LOCK_BATCH. */
static uint32_t
owner_unbind(struct mem_domain *domain, uint32_t owner)
{
	uint32_t next, count = 0;

	mem_domain_lock(domain);
	next = mem_owner_table_first(&domain->owners, owner);
	while (next != 0 && count < MEM_LOCK_BATCH) {
		struct mem_window *window = &domain->windows[next];

		next = window->owner_next;
		if (window_owner(domain, window) == owner) {
			mem_window_unbind(domain, window);
			count++;
		}
	}
	mem_domain_unlock(domain);
	return count;
}

uint32_t
mem_owner_invalidate(struct mem_domain *domain, uint32_t owner)
{
	uint32_t count = 0, more;

	/* The queue pair has ended, so that no further window is bound to it meanwhile. */
	do {
		more = owner_unbind(domain, owner);
		count += more;
	} while (more > 0);
	return count;
}
