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

	mem_domain_lock(domain);
	if (mem_domain_has_region(domain, region)) {
		const struct mem_region *body =
			region->body == 0 ? region : &domain->regions[region->body];

		*info = (struct mem_region_info){
			.base = body->base,
			.length_bytes = body->length_bytes,
			.rights = body->rights,
			.key = region->key,
			.fast = region->fast != NULL,
			.windows_bound = region->bound.count,
			.binds_queued = region->binds_queued,
			.cookie = region->cookie,
		};
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}

enum rc_status
mem_window_query(
	struct mem_domain *domain, const struct mem_window *window, struct mem_window_info *info)
{
	enum rc_status status = RC_BAD_WINDOW;

	mem_domain_lock(domain);
	if (mem_domain_has_window(domain, window)) {
		*info = (struct mem_window_info){.key = window->key};
		status = RC_OK;
	}
	if (status == RC_OK && window->key != 0) {
		const struct mem_token *token = mem_token_live(&domain->tokens, window->key);

		BASE_ASSERT(token != NULL);
		info->region = &domain->regions[mem_token_region(token)];
		info->address = window->start;
		info->length_bytes = window->end - window->start;
		info->rights = token->place & MEM_PLACE_RIGHTS_MASK;
		info->owner = token->owner;
		info->any_owner = token->owner == MEM_OWNER_ANY;
	}
	mem_domain_unlock(domain);
	return status;
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
	*info = (struct mem_domain_info){
		.regions = __atomic_load_n(&domain->region_count, __ATOMIC_RELAXED),
		.regions_max = domain->region_max,
		.windows = __atomic_load_n(&domain->window_count, __ATOMIC_RELAXED),
		.windows_max = domain->window_max,
		.windows_bound = __atomic_load_n(&domain->bound_count, __ATOMIC_RELAXED),
		.binds_queued = __atomic_load_n(&domain->bind_count, __ATOMIC_RELAXED),
	};
}
