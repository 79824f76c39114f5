/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/window.h"

#include "base/assert.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * Windows of type 2B (RC-152): made once, then bound (bind.c) and invalidated over and over, each
 * time with another key. Whoever invalidates, the queue pair that owns the window, its peer by
 * IETH, the end of the queue pair, of the window or of everything bound to a region, ends in
 * mem_window_unbind(); it runs under the lock and needs a live key, so of two that race exactly one
 * wins.
 *
 * The key is dead for readers when these calls return (RC-156, RC-157, SEC-014); a reader in the
 * middle of a packet may finish that packet.
 */

enum rc_status
mem_window_create(struct mem_domain *domain, void *cookie, struct mem_window **window)
{
	enum rc_status status = RC_NO_RESOURCES;
	struct base_list *node;

	mem_domain_lock(domain);
	node = base_list_first(&domain->windows_free);
	if (node != NULL) {
		struct mem_window *created = base_list_entry(node, struct mem_window, free_link);

		BASE_ASSERT(created->live == 0 && created->key == 0 && created->binds_queued == 0);
		base_list_remove(node);
		created->cookie = cookie;
		created->posted_bound = false;
		__atomic_store_n(&created->live, 1, __ATOMIC_RELEASE);
		domain->window_count++;
		*window = created;
		status = RC_OK;
	}
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
	base_list_append(&domain->windows_free, &window->free_link);
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
	BASE_ASSERT(window->key != 0 && domain->bound_count > 0);
	(void)mem_token_rest(&domain->tokens, window->key);
	mem_bound_set_remove(&window->region->bound, window);
	mem_owner_table_remove(window);
	window->key = 0;
	window->region = NULL;
	domain->bound_count--;
	mem_window_posted_settle(window);
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

enum rc_status
mem_window_invalidate(struct mem_domain *domain, struct mem_window *window, uint32_t owner)
{
	enum rc_status status = RC_INVALIDATE_FAILED;

	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window)) {
		if (window->key != 0 && window->owner == owner) {
			mem_window_unbind(domain, window);
			status = RC_OK;
		} else {
			mem_window_posted_settle(window);
		}
	}
	mem_domain_unlock(domain);
	return status;
}

enum rc_status
mem_key_invalidate(
	struct mem_domain *domain, uint32_t key, uint32_t owner, struct mem_window **window)
{
	enum rc_status status = RC_INVALIDATE_FAILED;
	struct mem_token *token;

	mem_domain_lock(domain);
	token = mem_token_live(&domain->tokens, key);
	if (token != NULL && token->window != NULL && token->owner == owner) {
		*window = token->window;
		mem_window_unbind(domain, token->window);
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}

uint32_t
mem_owner_invalidate(struct mem_domain *domain, uint32_t owner)
{
	struct base_list *bucket = mem_owner_table_bucket(&domain->owners, owner);
	struct base_list *node, *after;
	uint32_t count = 0;

	mem_domain_lock(domain);
	BASE_LIST_FOREACH_SAFE (node, after, bucket) {
		struct mem_window *window = base_list_entry(node, struct mem_window, owner_link);

		if (window->owner == owner) {
			mem_window_unbind(domain, window);
			count++;
		}
	}
	mem_domain_unlock(domain);
	return count;
}
