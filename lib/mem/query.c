/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/query.h"

#include "base/assert.h"
#include "mem/domain.h"

enum rc_status
mem_region_query(
	struct mem_domain *domain, const struct mem_region *region, struct mem_region_info *info)
{
	enum rc_status status = RC_BAD_REGION;

	mem_domain_lock_all(domain);
	if (mem_domain_has_region(domain, region)) {
		const struct mem_region *body =
			region->body == 0 ? region : &domain->regions[region->body];
		struct mem_region_use use =
			mem_region_use(domain, mem_region_index(domain, region));

		*info = (struct mem_region_info){
			.base = body->base,
			.length_bytes = body->length_bytes,
			.rights = body->rights,
			.key = region->key,
			.fast = region->fast != NULL,
			.windows_bound = use.bound,
			.binds_queued = use.binds_queued,
			.cookie = region->cookie,
		};
		status = RC_OK;
	}
	mem_domain_unlock_all(domain);
	return status;
}

/**
 * Describe a window that is bound or has queued binds in a partition. The partition must be locked.
 */
static void
window_describe(
	struct mem_domain *domain, const struct mem_window *window, struct mem_window_info *info)
{
	const struct mem_token *token = mem_token_live(&domain->tokens, window->key);

	if (window->key == 0)
		return;
	BASE_ASSERT(token != NULL);
	info->key = window->key;
	info->region = &domain->regions[mem_token_region(token)];
	info->address = window->start;
	info->length_bytes = window->end - window->start;
	info->rights = token->place & MEM_PLACE_RIGHTS_MASK;
	info->owner = token->owner;
	info->any_owner = token->owner == MEM_OWNER_ANY;
}

enum rc_status
mem_window_query(
	struct mem_domain *domain, const struct mem_window *window, struct mem_window_info *info)
{
	struct mem_partition *partition;

	*info = (struct mem_window_info){0};
	if (!mem_domain_has_window(domain, window))
		return RC_BAD_WINDOW;
	partition = mem_window_lock(domain, window, MEM_OWNER_ANY);
	if (partition != NULL) {
		window_describe(domain, window, info);
		mem_partition_unlock(partition);
	}
	return RC_OK;
}

const struct mem_region *
mem_region_at(const struct mem_domain *domain, uint32_t number)
{
	uint64_t bytes = __atomic_load_n(&domain->regions_bytes, __ATOMIC_RELAXED);
	const struct mem_region *region = &domain->regions[number];

	if (number >= bytes / MEM_REGION_STRIDE)
		return NULL;
	return mem_domain_has_region(domain, region) ? region : NULL;
}

uint32_t
mem_region_next(const struct mem_domain *domain, uint32_t from)
{
	uint64_t bytes = __atomic_load_n(&domain->regions_bytes, __ATOMIC_RELAXED);

	for (uint64_t i = from; i < bytes / MEM_REGION_STRIDE; i++)
		if (mem_region_at(domain, (uint32_t)i) != NULL)
			return (uint32_t)i;
	return MEM_REGIONS_END;
}

void
mem_domain_query(const struct mem_domain *domain, struct mem_domain_info *info)
{
	const struct mem_partition *partition;

	*info = (struct mem_domain_info){
		.regions = __atomic_load_n(&domain->region_count, __ATOMIC_RELAXED),
		.regions_max = domain->region_max,
		.windows = __atomic_load_n(&domain->window_count, __ATOMIC_RELAXED),
		.windows_max = domain->window_max,
	};
	MEM_FOREACH_PARTITION (partition, domain) {
		info->windows_bound += __atomic_load_n(&partition->bound_count, __ATOMIC_RELAXED);
		info->binds_queued += __atomic_load_n(&partition->bind_count, __ATOMIC_RELAXED);
	}
}
