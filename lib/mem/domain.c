/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/mem.h"

#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/domain.h"

/*
 * The tables of one adapter, all of them allocated here and never moved or freed before
 * mem_domain_destroy(): a handle or a key, however stale or invented, meets a table entry or is
 * found to be outside. Only the segment trees of regions come and go (region.c).
 *
 * One spinlock keeps writers apart; readers use no lock and are known to the RCU variable instead.
 */

#define KEY_SLOTS_MIN 64u

static bool
config_valid(const struct mem_domain_config *config)
{
	return rte_is_power_of_2(config->key_slots) && config->key_slots >= KEY_SLOTS_MIN &&
		config->key_slots <= LIMIT_KEY_SLOTS && config->region_max >= 1 &&
		config->window_max >= 1 && config->reader_max >= 1 && config->random != NULL;
}

static enum rc_status
readers_init(struct mem_domain *domain, uint32_t reader_max)
{
	size_t bytes = rte_rcu_qsbr_get_memsize(reader_max);

	domain->qsbr =
		rte_zmalloc_socket("mem_readers", bytes, RTE_CACHE_LINE_SIZE, domain->socket_id);
	if (domain->qsbr == NULL || rte_rcu_qsbr_init(domain->qsbr, reader_max) != 0)
		return RC_NO_RESOURCES;
	return RC_OK;
}

static enum rc_status
handles_init(struct mem_domain *domain, const struct mem_domain_config *config)
{
	base_list_init(&domain->regions_free);
	base_list_init(&domain->regions_resting);
	base_list_init(&domain->windows_free);
	domain->regions = rte_calloc_socket("mem_regions", config->region_max,
		sizeof(struct mem_region), MEM_REGION_STRIDE, config->socket_id);
	domain->windows = rte_calloc_socket("mem_windows", config->window_max,
		sizeof(struct mem_window), MEM_WINDOW_STRIDE, config->socket_id);
	if (domain->regions == NULL || domain->windows == NULL)
		return RC_NO_RESOURCES;
	domain->regions_bytes = (uint64_t)config->region_max * MEM_REGION_STRIDE;
	domain->windows_bytes = (uint64_t)config->window_max * MEM_WINDOW_STRIDE;
	for (uint32_t i = 0; i < config->region_max; i++) {
		mem_bound_set_init(&domain->regions[i].bound);
		base_list_append(&domain->regions_free, &domain->regions[i].link);
	}
	for (uint32_t i = 0; i < config->window_max; i++) {
		base_list_init(&domain->windows[i].region_link);
		base_list_init(&domain->windows[i].owner_link);
		base_list_append(&domain->windows_free, &domain->windows[i].free_link);
	}
	return RC_OK;
}

static enum rc_status
tables_init(struct mem_domain *domain, const struct mem_domain_config *config)
{
	enum rc_status status = readers_init(domain, config->reader_max);

	if (status == RC_OK)
		status = mem_token_table_init(&domain->tokens, config->key_slots, config->socket_id,
			domain->qsbr, config->random);
	if (status == RC_OK)
		status = mem_owner_table_init(
			&domain->owners, config->window_max, config->socket_id);
	if (status == RC_OK)
		status = handles_init(domain, config);
	return status;
}

enum rc_status
mem_domain_create(const struct mem_domain_config *config, struct mem_domain **domain)
{
	struct mem_domain *created;
	enum rc_status status;

	if (!config_valid(config))
		return RC_INVALID_ARGUMENT;
	created = rte_zmalloc_socket(
		"mem_domain", sizeof(*created), RTE_CACHE_LINE_SIZE, config->socket_id);
	if (created == NULL)
		return RC_NO_RESOURCES;
	rte_spinlock_init(&created->lock);
	created->socket_id = config->socket_id;
	status = tables_init(created, config);
	if (status != RC_OK) {
		mem_domain_destroy(created);
		return status;
	}
	*domain = created;
	return RC_OK;
}

void
mem_domain_destroy(struct mem_domain *domain)
{
	if (domain == NULL)
		return;
	for (uint64_t i = 0; i < domain->regions_bytes / MEM_REGION_STRIDE; i++)
		mem_segments_fini(&domain->regions[i].segments);
	rte_free(domain->windows);
	rte_free(domain->regions);
	mem_owner_table_fini(&domain->owners);
	mem_token_table_fini(&domain->tokens);
	rte_free(domain->qsbr);
	rte_free(domain);
}

struct rte_rcu_qsbr *
mem_domain_qsbr(struct mem_domain *domain)
{
	return domain->qsbr;
}

bool
mem_domain_quiescent(struct mem_domain *domain, uint64_t token)
{
	bool quiescent;

	/* As all checks: what one finds it keeps in the RCU variable, by stores without order. */
	mem_domain_lock(domain);
	quiescent = rte_rcu_qsbr_check(domain->qsbr, token, false) != 0;
	mem_domain_unlock(domain);
	return quiescent;
}

void
mem_domain_stats(struct mem_domain *domain, struct mem_domain_stats *stats)
{
	mem_domain_lock(domain);
	stats->regions = domain->region_count;
	stats->windows = domain->window_count;
	stats->windows_bound = domain->bound_count;
	stats->binds_queued = domain->bind_count;
	stats->key_slots_used = domain->tokens.used_count;
	stats->key_slots_resting = domain->tokens.rest_count;
	mem_domain_unlock(domain);
}
