/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/mem.h"

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/domain.h"

/*
 * The tables of one adapter. They grow in place and are neither moved nor freed before
 * mem_domain_destroy(), so that a stale or invented handle or key either leads to a table entry,
 * which then does not match it, or is found to be outside of the table. Only the segment trees of
 * regions are allocated and freed meanwhile (region.c).
 *
 * One spinlock serialises writers; readers take no lock and report to the RCU variable instead.
 * Tables grow when a handle is made, never when a window is bound: the table of keys has a slot for
 * each handle and at least 0.6 more for queued binds and for keys in quarantine (3.2 slots per
 * handle just after it has doubled, 1.6 just before), until it reaches its limit.
 */

#define KEY_SLOTS_MIN       64u
/* The table of keys doubles when there are more handles than this. */
#define HANDLES_PER_8_SLOTS 5u
#define REGIONS_FIRST       32u /* entries of the tables at the start: a page */
#define WINDOWS_FIRST       64u
/* New slots that are added under one hold of the lock: a few microseconds. */
#define SLOTS_PER_LOCK      8192u

static bool
slots_valid(uint32_t slots)
{
	return rte_is_power_of_2(slots) && slots >= KEY_SLOTS_MIN && slots <= LIMIT_KEY_SLOTS;
}

static bool
config_valid(const struct mem_domain_config *config)
{
	return slots_valid(config->key_slots) && slots_valid(config->key_slots_max) &&
		config->key_slots <= config->key_slots_max && config->region_max >= 1 &&
		config->region_max < LIMIT_KEY_SLOTS && config->window_max >= 1 &&
		config->window_max < LIMIT_KEY_SLOTS && config->reader_max >= 1 &&
		config->random != NULL;
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

/** A table of handles; entry 0 is never used. */
static enum rc_status
handles_init(struct mem_table *memory, uint64_t stride, uint32_t first, uint32_t max, int socket_id)
{
	enum rc_status status = mem_table_init(memory, (max + UINT64_C(1)) * stride, socket_id);

	return status == RC_OK
		? mem_table_commit(memory, RTE_MIN(first, max + UINT64_C(1)) * stride)
		: status;
}

static enum rc_status
tables_init(struct mem_domain *domain, const struct mem_domain_config *config)
{
	const struct mem_token_config tokens = {
		.slots = config->key_slots,
		.slots_max = config->key_slots_max,
		.socket_id = config->socket_id,
		.qsbr = domain->qsbr,
		.random = config->random,
	};
	enum rc_status status = mem_token_table_init(&domain->tokens, &tokens);

	if (status == RC_OK)
		status = mem_owner_table_init(
			&domain->owners, config->window_max, config->socket_id);
	if (status == RC_OK)
		status = handles_init(&domain->region_memory, MEM_REGION_STRIDE, REGIONS_FIRST,
			config->region_max, config->socket_id);
	if (status == RC_OK)
		status = handles_init(&domain->window_memory, MEM_WINDOW_STRIDE, WINDOWS_FIRST,
			config->window_max, config->socket_id);
	if (status != RC_OK)
		return status;
	domain->regions = (struct mem_region *)domain->region_memory.entries;
	domain->windows = (struct mem_window *)domain->window_memory.entries;
	domain->region_max = config->region_max;
	domain->window_max = config->window_max;
	domain->regions_bytes =
		RTE_MIN(REGIONS_FIRST, config->region_max + UINT64_C(1)) * MEM_REGION_STRIDE;
	domain->windows_bytes =
		RTE_MIN(WINDOWS_FIRST, config->window_max + UINT64_C(1)) * MEM_WINDOW_STRIDE;
	domain->region_next = 1;
	domain->window_next = 1;
	return RC_OK;
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
	pthread_mutex_init(&created->control, NULL);
	created->socket_id = config->socket_id;
	status = readers_init(created, config->reader_max);
	if (status == RC_OK)
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
	for (uint32_t i = 1; i < domain->region_next; i++)
		mem_region_entry_clear(&domain->regions[i]);
	mem_table_fini(&domain->window_memory);
	mem_table_fini(&domain->region_memory);
	mem_owner_table_fini(&domain->owners);
	mem_token_table_fini(&domain->tokens);
	pthread_mutex_destroy(&domain->control);
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

	/* Under the lock: rte_rcu_qsbr_check() caches its result in the RCU variable by plain
	 * stores. */
	mem_domain_lock(domain);
	quiescent = rte_rcu_qsbr_check(domain->qsbr, token, false) != 0;
	mem_domain_unlock(domain);
	return quiescent;
}

/* ---- growing ---- */

static bool
has_handle(const struct mem_domain *domain, enum mem_handle_kind kind)
{
	if (kind == MEM_HANDLE_REGION)
		return domain->regions_free.first != 0 ||
			domain->region_next < domain->regions_bytes / MEM_REGION_STRIDE;
	return domain->windows_free.first != 0 ||
		domain->window_next < domain->windows_bytes / MEM_WINDOW_STRIDE;
}

static bool
has_keys(const struct mem_domain *domain)
{
	uint32_t slots = mem_token_table_slots(&domain->tokens);
	uint64_t handles =
		(uint64_t)domain->region_count + domain->fast_count + domain->window_count + 1;

	return slots == domain->tokens.slots_max || handles <= slots / 8 * HANDLES_PER_8_SLOTS;
}

bool
mem_domain_has_room(const struct mem_domain *domain, enum mem_handle_kind kind)
{
	return has_handle(domain, kind) && has_keys(domain);
}

/** Twice the entries. @return RC_OK, RC_NO_RESOURCES. */
static enum rc_status
handles_grow(
	struct mem_domain *domain, struct mem_table *memory, uint64_t *bytes, uint64_t bytes_max)
{
	uint64_t wanted = RTE_MIN(*bytes * 2, bytes_max);
	enum rc_status status;

	if (wanted == *bytes)
		return RC_NO_RESOURCES;
	status = mem_table_commit(memory, wanted);
	if (status != RC_OK)
		return status;
	/* Atomic for readers, under the lock for writers. */
	mem_domain_lock(domain);
	__atomic_store_n(bytes, wanted, __ATOMIC_RELAXED);
	mem_domain_unlock(domain);
	return RC_OK;
}

static enum rc_status
keys_grow(struct mem_domain *domain)
{
	uint32_t old_slots = mem_token_table_slots(&domain->tokens);
	enum rc_status status = mem_token_table_prepare(&domain->tokens);

	if (status != RC_OK)
		return status;
	mem_domain_lock(domain);
	mem_token_table_widen(&domain->tokens);
	mem_domain_unlock(domain);
	for (uint32_t done = 0; done < old_slots; done += SLOTS_PER_LOCK) {
		mem_domain_lock(domain);
		mem_token_table_add(&domain->tokens, old_slots + done,
			RTE_MIN(SLOTS_PER_LOCK, old_slots - done));
		mem_domain_unlock(domain);
	}
	return RC_OK;
}

enum rc_status
mem_domain_grow(struct mem_domain *domain, enum mem_handle_kind kind)
{
	enum rc_status status = RC_OK;
	bool handle, keys;

	pthread_mutex_lock(&domain->control);
	/* Another thread may have made room since the caller found none. */
	mem_domain_lock(domain);
	handle = has_handle(domain, kind);
	keys = has_keys(domain);
	mem_domain_unlock(domain);
	if (!handle && kind == MEM_HANDLE_REGION)
		status = handles_grow(domain, &domain->region_memory, &domain->regions_bytes,
			(domain->region_max + UINT64_C(1)) * MEM_REGION_STRIDE);
	else if (!handle)
		status = handles_grow(domain, &domain->window_memory, &domain->windows_bytes,
			(domain->window_max + UINT64_C(1)) * MEM_WINDOW_STRIDE);
	if (status == RC_OK && !keys)
		status = keys_grow(domain);
	pthread_mutex_unlock(&domain->control);
	return status;
}

void
mem_domain_stats(struct mem_domain *domain, struct mem_domain_stats *stats)
{
	pthread_mutex_lock(&domain->control);
	mem_domain_lock(domain);
	stats->regions = domain->region_count;
	stats->windows = domain->window_count;
	stats->windows_bound = domain->bound_count;
	stats->binds_queued = domain->bind_count;
	stats->key_slots_used = domain->tokens.used_count;
	stats->key_slots_resting = domain->tokens.rest.count;
	stats->key_slots = mem_token_table_slots(&domain->tokens);
	mem_domain_unlock(domain);
	stats->bytes = sizeof(*domain) + domain->tokens.token_memory.committed_bytes +
		domain->tokens.free_memory.committed_bytes + domain->owners.memory.committed_bytes +
		domain->region_memory.committed_bytes + domain->window_memory.committed_bytes;
	pthread_mutex_unlock(&domain->control);
}
