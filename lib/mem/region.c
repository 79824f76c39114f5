/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/region.h"

#include <stdbool.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * Life of a table entry: free -> live -> resting -> free. A resting region is dead for everybody
 * who looks now; a reader that looked before may still copy through its segments, so these are
 * freed, and the entry becomes free, only when every reader was quiescent. Registering and
 * deregistering do that on the way, for all entries that are due. Segment trees are allocated and
 * freed outside of the lock, which lcores take to bind.
 *
 * Implements RC-151, RC-155, SEC-014, SEC-016 (except the limit per process, which is the
 * caller's).
 */

#define REMOTE_RIGHTS     (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)
#define ALL_RIGHTS        (MEM_LOCAL_WRITE | REMOTE_RIGHTS | MEM_WINDOW_BIND)
#define NEEDS_LOCAL_WRITE (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

static enum rc_status
buffers_measure(const struct mem_region_attr *attr, uint64_t *length_bytes)
{
	uint64_t total = 0;

	if (attr->buffers == NULL || attr->buffer_count == 0 ||
		attr->buffer_count > LIMIT_REGION_BUFFERS)
		return RC_INVALID_ARGUMENT;
	for (uint32_t i = 0; i < attr->buffer_count; i++) {
		const struct mem_buffer *buffer = &attr->buffers[i];

		if (buffer->address == NULL || buffer->length_bytes == 0 ||
			buffer->length_bytes > LIMIT_REGION_BYTES - total ||
			buffer->length_bytes > UINTPTR_MAX - (uintptr_t)buffer->address)
			return RC_INVALID_ARGUMENT;
		total += buffer->length_bytes;
	}
	if (attr->base > UINT64_MAX - total)
		return RC_INVALID_ARGUMENT;
	*length_bytes = total;
	return RC_OK;
}

static bool
rights_valid(uint32_t rights)
{
	if ((rights & ~(uint32_t)ALL_RIGHTS) != 0)
		return false;
	return (rights & NEEDS_LOCAL_WRITE) == 0 || (rights & MEM_LOCAL_WRITE) != 0;
}

/** @return the oldest resting region if no reader is inside any more, off the list, or NULL. */
static struct mem_region *
rested_region_take(struct mem_domain *domain)
{
	struct mem_region *region = NULL;
	struct base_list *node;

	mem_domain_lock(domain);
	node = base_list_first(&domain->regions_resting);
	if (node != NULL) {
		region = base_list_entry(node, struct mem_region, link);
		if (rte_rcu_qsbr_check(domain->qsbr, region->rest_grace, false) != 0)
			base_list_remove(node);
		else
			region = NULL;
	}
	mem_domain_unlock(domain);
	return region;
}

static void
rested_regions_reclaim(struct mem_domain *domain)
{
	struct mem_region *region;

	while ((region = rested_region_take(domain)) != NULL) {
		mem_segments_fini(&region->segments);
		mem_domain_lock(domain);
		base_list_append(&domain->regions_free, &region->link);
		mem_domain_unlock(domain);
	}
}

static void
region_publish(struct mem_domain *domain, struct mem_region *region)
{
	mem_token_publish(&domain->tokens, region->key,
		&(struct mem_grant){
			.region = region,
			.start = region->base,
			.end = region->base + region->length_bytes,
			.owner = MEM_OWNER_ANY,
			.rights = region->rights & REMOTE_RIGHTS,
		});
	/* Pairs with the acquire in mem_domain_has_region(). */
	__atomic_store_n(&region->live, 1, __ATOMIC_RELEASE);
}

/** Take a table entry and a key, under the lock. @return RC_OK, RC_NO_RESOURCES. */
static enum rc_status
region_enter(struct mem_domain *domain, const struct mem_region_attr *attr, uint64_t length_bytes,
	const struct mem_segments *segments, struct mem_region **entered)
{
	struct base_list *node = base_list_first(&domain->regions_free);
	struct mem_region *region;
	enum rc_status status;

	if (node == NULL)
		return RC_NO_RESOURCES;
	region = base_list_entry(node, struct mem_region, link);
	BASE_ASSERT(region->live == 0 && region->bound.count == 0 && region->binds_queued == 0);
	status = mem_token_reserve(&domain->tokens, &region->key);
	if (status != RC_OK)
		return status;
	base_list_remove(node);
	region->base = attr->base;
	region->length_bytes = length_bytes;
	region->rights = attr->rights;
	region->cookie = attr->cookie;
	region->segments = *segments;
	region_publish(domain, region);
	domain->region_count++;
	*entered = region;
	return RC_OK;
}

enum rc_status
mem_region_register(
	struct mem_domain *domain, const struct mem_region_attr *attr, struct mem_region **region)
{
	struct mem_segments segments;
	uint64_t length_bytes;
	enum rc_status status = buffers_measure(attr, &length_bytes);

	if (status != RC_OK)
		return status;
	if (!rights_valid(attr->rights))
		return RC_INVALID_ARGUMENT;
	rested_regions_reclaim(domain);
	status = mem_segments_init(&segments, attr->buffers, attr->buffer_count, domain->socket_id);
	if (status != RC_OK)
		return status;
	mem_domain_lock(domain);
	status = region_enter(domain, attr, length_bytes, &segments, region);
	mem_domain_unlock(domain);
	if (status != RC_OK)
		mem_segments_fini(&segments);
	return status;
}

static enum rc_status
region_retire(struct mem_domain *domain, struct mem_region *region, uint64_t *token)
{
	if (!mem_domain_has_region(domain, region))
		return RC_BAD_REGION;
	if (region->bound.count > 0 || region->binds_queued > 0)
		return RC_BUSY;
	__atomic_store_n(&region->live, 0, __ATOMIC_RELAXED);
	/* Begins the grace period, behind both deaths: of the handle, above, and of the key. */
	region->rest_grace = mem_token_rest(&domain->tokens, region->key);
	base_list_append(&domain->regions_resting, &region->link);
	domain->region_count--;
	*token = region->rest_grace;
	return RC_OK;
}

enum rc_status
mem_region_deregister(struct mem_domain *domain, struct mem_region *region, uint64_t *release)
{
	enum rc_status status;

	mem_domain_lock(domain);
	status = region_retire(domain, region, release);
	mem_domain_unlock(domain);
	rested_regions_reclaim(domain);
	return status;
}

bool
mem_region_alive(const struct mem_domain *domain, const struct mem_region *region)
{
	return mem_domain_has_region(domain, region);
}

uint32_t
mem_region_key(const struct mem_region *region)
{
	return region->key;
}

uint64_t
mem_region_base(const struct mem_region *region)
{
	return region->base;
}

uint64_t
mem_region_length(const struct mem_region *region)
{
	return region->length_bytes;
}

uint32_t
mem_region_rights(const struct mem_region *region)
{
	return region->rights;
}

void *
mem_region_cookie(const struct mem_region *region)
{
	return region->cookie;
}

bool
mem_region_released(struct mem_domain *domain, uint64_t release)
{
	return mem_domain_quiescent(domain, release);
}

uint32_t
mem_region_invalidate_windows(struct mem_domain *domain, struct mem_region *region, uint64_t *token)
{
	struct mem_window *window;
	uint32_t count = 0;

	mem_domain_lock(domain);
	if (mem_domain_has_region(domain, region))
		for (; (window = mem_bound_set_first(&region->bound)) != NULL; count++)
			mem_window_unbind(domain, window);
	*token = rte_rcu_qsbr_start(domain->qsbr);
	mem_domain_unlock(domain);
	return count;
}

uint32_t
mem_region_windows(struct mem_domain *domain, struct mem_region *region, uint64_t address,
	uint64_t length_bytes, struct mem_window **windows, uint32_t max)
{
	uint64_t end = length_bytes > UINT64_MAX - address ? UINT64_MAX : address + length_bytes;
	uint32_t count = 0;

	mem_domain_lock(domain);
	if (length_bytes > 0 && mem_domain_has_region(domain, region))
		count = mem_bound_set_covering(&region->bound, address, end, windows, max);
	mem_domain_unlock(domain);
	return count;
}
