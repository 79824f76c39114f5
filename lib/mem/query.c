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
		*info = (struct mem_region_info){
			.base = region->base,
			.length_bytes = region->length_bytes,
			.rights = region->rights,
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
	}
	mem_domain_unlock(domain);
	return status;
}
