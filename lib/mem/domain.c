/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/mem.h"

#include <stdalign.h>
#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/domain.h"

/*
 * The tables of one adapter. They grow in place and are neither moved nor freed before
 * mem_domain_destroy(). So a stale or forged handle or key is either outside of the table or leads
 * to an entry that does not match. Only the segment trees of regions are allocated and freed while
 * the domain exists (region.c).
 *
 * The writers of a partition exclude each other with its spinlock. The lock of the shared partition
 * also protects the tables of handles. Readers take no lock and report to the RCU variable.
 *
 * Binding and invalidating a window of one queue pair uses no data that another engine writes. The
 * partition of the queue pair's engine contains all of this data: key, free slots, quarantine, list
 * of the queue pair's windows, set of the region's windows, counters and random numbers. Regions,
 * and windows for any queue pair, are in the shared partition.
 *
 * Tables grow when a handle is created, never when a window is bound. Until the key table reaches
 * its limit, it has at least 1.6 slots per handle: one for the handle's key, and 0.6 for queued
 * binds and keys in quarantine. It has 3.2 slots per handle just after doubling, and 1.6 just
 * before. With several engines, each engine's partition has as many.
 */

#define KEY_SLOTS_MIN       64u /* slots per group */
/*
 * The key table doubles if there are more than this number of handles per 8 slots of a partition.
 */
#define HANDLES_PER_8_SLOTS 5u
#define REGIONS_FIRST       32u /* initial entries of each table, which fill one page */
#define WINDOWS_FIRST       64u
/* Number of new slots that are added each time the lock is taken. This takes a few microseconds. */
#define SLOTS_PER_LOCK      8192u

static uint32_t
engine_count(const struct mem_domain_config *config)
{
	return RTE_MAX(config->engines, 1u);
}

/** @return number of low QPN bits that contain the index of the engine. */
static uint32_t
engine_bits(uint32_t engines)
{
	return engines <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(engines - 1);
}

static uint32_t
partition_count(uint32_t engines)
{
	return engines <= 1 ? 1 : engines + 1;
}

uint64_t
mem_key_slots(uint32_t engines, uint64_t partition_slots)
{
	return partition_slots * mem_token_groups(partition_count(engines));
}

static bool
slots_valid(const struct mem_domain_config *config, uint32_t slots)
{
	return rte_is_power_of_2(slots) && slots <= LIMIT_KEY_SLOTS &&
		slots >= mem_key_slots(engine_count(config), KEY_SLOTS_MIN);
}

static bool
config_valid(const struct mem_domain_config *config)
{
	return config->reader_max >= 1 && config->reader_max <= MEM_READERS_MAX &&
		engine_count(config) <= RTE_MIN(config->reader_max, (uint32_t)LIMIT_ENGINES) &&
		slots_valid(config, config->key_slots) &&
		slots_valid(config, config->key_slots_max) &&
		config->key_slots <= config->key_slots_max && config->region_max >= 1 &&
		config->region_max < LIMIT_KEY_SLOTS && config->window_max >= 1 &&
		config->window_max < LIMIT_KEY_SLOTS && config->random != NULL;
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

/** Initialize a table of regions or windows. Entry 0 is never used. */
static enum rc_status
handles_init(struct mem_table *memory, uint64_t stride, uint32_t first, uint32_t max, int socket_id)
{
	enum rc_status status = mem_table_init(memory, (max + UINT64_C(1)) * stride, socket_id);

	return status == RC_OK
		? mem_table_commit(memory, RTE_MIN(first, max + UINT64_C(1)) * stride)
		: status;
}

/** @return a mask with bit i set for each reader i. */
static uint32_t
all_readers(uint32_t reader_max)
{
	return UINT32_MAX >> (MEM_READERS_MAX - reader_max);
}

/**
 * @return a random generator for a partition. If there is only one partition, it gets the caller's
 * generator, otherwise a new one.
 */
static struct base_random
random_split(struct base_random *random, bool only)
{
	struct base_random split = *random;
	uint8_t seed[BASE_RANDOM_SEED_BYTES];

	if (only)
		return split;
	for (uint32_t i = 0; i < sizeof(seed); i += sizeof(uint32_t)) {
		uint32_t word = base_random_u32(random);

		memcpy(&seed[i], &word, sizeof(word));
	}
	base_random_seed(&split, seed);
	return split;
}

static enum rc_status
partition_init(struct mem_domain *domain, const struct mem_domain_config *config, uint32_t index)
{
	struct mem_partition *partition = &domain->partitions[index];
	bool shared = partition == domain->shared;
	const struct mem_key_pool_config keys = {
		.qsbr = domain->qsbr,
		.readers = shared ? all_readers(config->reader_max) : 0,
		.random = random_split(config->random, index == 0 && shared),
	};
	uint32_t engines = engine_count(config);
	enum rc_status status;

	rte_spinlock_init(&partition->lock);
	partition->index = index;
	partition->readers = shared ? all_readers(config->reader_max) : UINT32_C(1) << index;
	status = mem_key_pool_init(&domain->tokens, index, &partition->keys, &keys);
	if (status == RC_OK && (!shared || index == 0))
		status = mem_owner_table_init(&partition->owners, config->window_max / engines,
			engine_bits(engines), config->socket_id);
	if (status == RC_OK)
		status = handles_init(&partition->region_memory, sizeof(struct mem_region_part),
			REGIONS_FIRST, config->region_max, config->socket_id);
	partition->regions = (struct mem_region_part *)partition->region_memory.entries;
	return status;
}

static enum rc_status
partitions_init(struct mem_domain *domain, const struct mem_domain_config *config)
{
	uint32_t count = partition_count(engine_count(config));
	const struct mem_token_config tokens = {
		.slots = config->key_slots,
		.slots_max = config->key_slots_max,
		.partition_count = count,
		.socket_id = config->socket_id,
	};
	enum rc_status status = mem_token_table_init(&domain->tokens, &tokens);

	if (status != RC_OK)
		return status;
	domain->partitions =
		rte_zmalloc_socket("mem_partitions", count * sizeof(*domain->partitions),
			alignof(struct mem_partition), config->socket_id);
	if (domain->partitions == NULL)
		return RC_NO_RESOURCES;
	domain->shared = &domain->partitions[count - 1];
	domain->engine_mask = (UINT32_C(1) << engine_bits(engine_count(config))) - 1;
	for (uint32_t i = 0; status == RC_OK && i < count; i++)
		status = partition_init(domain, config, i);
	return status;
}

static enum rc_status
tables_init(struct mem_domain *domain, const struct mem_domain_config *config)
{
	enum rc_status status = partitions_init(domain, config);

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
	if (domain->partitions != NULL) {
		struct mem_partition *partition;

		MEM_FOREACH_PARTITION (partition, domain) {
			mem_table_fini(&partition->region_memory);
			mem_owner_table_fini(&partition->owners);
			mem_key_pool_fini(&partition->keys);
		}
	}
	rte_free(domain->partitions);
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
mem_domain_quiescent(const struct mem_domain *domain, const struct mem_grace *grace)
{
	return mem_grace_over(domain->qsbr, grace);
}

void
mem_domain_lock_all(struct mem_domain *domain)
{
	struct mem_partition *partition;

	MEM_FOREACH_PARTITION (partition, domain)
		mem_partition_lock(partition);
}

void
mem_domain_unlock_all(struct mem_domain *domain)
{
	struct mem_partition *partition;

	MEM_FOREACH_PARTITION (partition, domain)
		mem_partition_unlock(partition);
}

struct mem_region_use
mem_region_use(const struct mem_domain *domain, uint32_t region)
{
	const struct mem_partition *partition;
	struct mem_region_use use = {0};

	MEM_FOREACH_PARTITION (partition, domain) {
		use.bound += mem_bound_set_count(&mem_region_part(partition, region)->bound);
		use.binds_queued += mem_region_part(partition, region)->binds_queued;
	}
	return use;
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
	uint32_t group_slots = slots / (domain->tokens.group_mask + 1);
	uint64_t handles =
		(uint64_t)domain->region_count + domain->fast_count + domain->window_count + 1;

	/*
	 * One engine may bind all windows, so each engine's partition needs slots for all handles.
	 */
	return slots == domain->tokens.slots_max ||
		handles <= group_slots / 8 * HANDLES_PER_8_SLOTS;
}

bool
mem_domain_has_room(const struct mem_domain *domain, enum mem_handle_kind kind)
{
	return has_handle(domain, kind) && has_keys(domain);
}

/** Grow each partition's table of struct mem_region_part. @return RC_OK, RC_NO_RESOURCES */
static enum rc_status
region_parts_grow(struct mem_domain *domain, uint64_t regions)
{
	struct mem_partition *partition;
	enum rc_status status = RC_OK;

	MEM_FOREACH_PARTITION (partition, domain)
		if (status == RC_OK)
			status = mem_table_commit(&partition->region_memory,
				regions * sizeof(struct mem_region_part));
	return status;
}

/** Double the size of a table of regions or windows. @return RC_OK, RC_NO_RESOURCES */
static enum rc_status
handles_grow(
	struct mem_domain *domain, struct mem_table *memory, uint64_t *bytes, uint64_t bytes_max)
{
	uint64_t wanted = RTE_MIN(*bytes * 2, bytes_max);
	enum rc_status status;

	if (wanted == *bytes)
		return RC_NO_RESOURCES;
	status = mem_table_commit(memory, wanted);
	if (status == RC_OK && memory == &domain->region_memory)
		status = region_parts_grow(domain, wanted / MEM_REGION_STRIDE);
	if (status != RC_OK)
		return status;
	/*
	 * Store atomically and under the lock: readers load the size without a lock, writers hold
	 * the lock.
	 */
	mem_domain_lock(domain);
	__atomic_store_n(bytes, wanted, __ATOMIC_RELAXED);
	mem_domain_unlock(domain);
	return RC_OK;
}

static enum rc_status
keys_prepare(struct mem_domain *domain)
{
	enum rc_status status = mem_token_table_prepare(&domain->tokens);
	struct mem_partition *partition;

	MEM_FOREACH_PARTITION (partition, domain)
		if (status == RC_OK)
			status = mem_key_pool_prepare(&partition->keys);
	return status;
}

static enum rc_status
keys_grow(struct mem_domain *domain)
{
	uint32_t old_slots = mem_token_table_slots(&domain->tokens);
	enum rc_status status = keys_prepare(domain);
	struct mem_partition *partition;

	if (status != RC_OK)
		return status;
	mem_token_table_widen(&domain->tokens);
	MEM_FOREACH_PARTITION (partition, domain) {
		mem_partition_lock(partition);
		mem_key_pool_widen(&partition->keys);
		mem_partition_unlock(partition);
	}
	for (uint32_t done = 0; done < old_slots; done += SLOTS_PER_LOCK)
		MEM_FOREACH_PARTITION (partition, domain) {
			mem_partition_lock(partition);
			mem_key_pool_add(&domain->tokens, partition->index, &partition->keys,
				old_slots + done, RTE_MIN(SLOTS_PER_LOCK, old_slots - done));
			mem_partition_unlock(partition);
		}
	return RC_OK;
}

enum rc_status
mem_domain_grow(struct mem_domain *domain, enum mem_handle_kind kind)
{
	enum rc_status status = RC_OK;
	bool handle, keys;

	pthread_mutex_lock(&domain->control);
	/*
	 * Check again, because another thread may have grown the tables since the caller's check.
	 */
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
	const struct mem_partition *partition;

	*stats = (struct mem_domain_stats){0};
	pthread_mutex_lock(&domain->control);
	mem_domain_lock_all(domain);
	stats->regions = domain->region_count;
	stats->windows = domain->window_count;
	stats->key_slots = mem_token_table_slots(&domain->tokens);
	MEM_FOREACH_PARTITION (partition, domain) {
		stats->windows_bound += partition->bound_count;
		stats->binds_queued += partition->bind_count;
		stats->key_slots_used += mem_key_pool_used(&partition->keys);
		stats->key_slots_resting += mem_key_pool_resting(&partition->keys);
	}
	mem_domain_unlock_all(domain);
	stats->bytes = sizeof(*domain) + domain->tokens.token_memory.committed_bytes +
		domain->region_memory.committed_bytes + domain->window_memory.committed_bytes;
	MEM_FOREACH_PARTITION (partition, domain)
		stats->bytes += sizeof(*partition) + partition->keys.free_memory.committed_bytes +
			partition->owners.memory.committed_bytes +
			partition->region_memory.committed_bytes;
	pthread_mutex_unlock(&domain->control);
}
