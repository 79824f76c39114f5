/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/region.h"

#include <assert.h>
#include <stdbool.h>

#include <rte_branch_prediction.h>
#include <rte_pause.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/yield.h"
#include "mem/domain.h"
#include "mem/fast.h"
#include "mem/mem.h"

/*
 * Registration of regions (region_entry.c: states of the entries of their table). Each call that
 * registers or deregisters a region frees the retired entries that no reader uses any more.
 * Segment trees are allocated and freed without the lock, because lcores take the lock to bind.
 *
 * Implements RC-151, RC-155, SEC-014, SEC-016 (except the limit per process, which the caller
 * enforces).
 */

#define REMOTE_RIGHTS     (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)
#define ALL_RIGHTS        (MEM_LOCAL_WRITE | MEM_READ_SINK | REMOTE_RIGHTS | MEM_WINDOW_BIND)
#define NEEDS_LOCAL_WRITE (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

#define RELEASE_INDEX_BITS 24
static_assert(
	LIMIT_KEY_SLOTS <= 1u << RELEASE_INDEX_BITS, "the index has enough bits for all slots");

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

static void
region_publish(struct mem_domain *domain, struct mem_region *region)
{
	mem_token_publish(mem_token_of(&domain->tokens, region->key), region->key,
		&(struct mem_grant){
			.region = mem_region_index(domain, region),
			.start = region->base,
			.end = region->base + region->length_bytes,
			.owner = MEM_OWNER_ANY,
			.rights = region->rights & REMOTE_RIGHTS,
		});
	BASE_YIELD();
	/* Release: pairs with the acquire in mem_domain_has_region(). */
	__atomic_store_n(&region->live, 1, __ATOMIC_RELEASE);
}

/**
 * Fill a table entry and assign a key. The shared partition must be locked. The caller has made
 * sure that a free entry and a free key exist.
 */
static struct mem_region *
region_enter(struct mem_domain *domain, const struct mem_region_attr *attr, uint64_t length_bytes,
	const struct mem_segments *segments, uint32_t key)
{
	struct mem_region *region = &domain->regions[mem_region_entry_take(domain)];

	BASE_ASSERT(region->live == 0);
	region->key = key;
	region->body = 0;
	region->base = attr->base;
	region->length_bytes = length_bytes;
	/* Local write implies that READ responses may be stored, so also set MEM_READ_SINK. */
	region->rights =
		attr->rights | (attr->rights & MEM_LOCAL_WRITE ? (uint32_t)MEM_READ_SINK : 0u);
	region->cookie = attr->cookie;
	region->segments = *segments;
	region_publish(domain, region);
	mem_count(&domain->region_count, 1);
	return region;
}

/** @return RC_OK, RC_NO_RESOURCES. */
static enum rc_status
region_add(struct mem_domain *domain, const struct mem_region_attr *attr, uint64_t length_bytes,
	const struct mem_segments *segments, struct mem_region **region)
{
	enum rc_status status = RC_OK;
	uint32_t key;

	mem_domain_lock(domain);
	while (status == RC_OK && !mem_domain_has_room(domain, MEM_HANDLE_REGION)) {
		mem_domain_unlock(domain);
		status = mem_domain_grow(domain, MEM_HANDLE_REGION);
		mem_domain_lock(domain);
	}
	if (status == RC_OK &&
		mem_token_reserve(&domain->tokens, &domain->shared->keys, &key) == NULL)
		status = RC_NO_RESOURCES;
	if (status == RC_OK)
		*region = region_enter(domain, attr, length_bytes, segments, key);
	mem_domain_unlock(domain);
	return status;
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
	mem_regions_reclaim(domain);
	status = mem_segments_init(&segments, attr->buffers, attr->buffer_count, domain->socket_id);
	if (status != RC_OK)
		return status;
	status = region_add(domain, attr, length_bytes, &segments, region);
	if (status != RC_OK)
		mem_segments_fini(&segments);
	return status;
}

/* @return a value that identifies one registration of one entry, for mem_region_released(). */

static uint64_t
release_make(const struct mem_domain *domain, const struct mem_region *region)
{
	return region->generation << RELEASE_INDEX_BITS | mem_region_index(domain, region);
}

/** Deregister a region. All partitions must be locked. */
static enum rc_status
region_retire(struct mem_domain *domain, struct mem_region *region, uint64_t *release)
{
	struct mem_region_use use;

	if (!mem_domain_has_region(domain, region))
		return RC_BAD_REGION;
	use = mem_region_use(domain, mem_region_index(domain, region));
	if (use.bound > 0 || use.binds_queued > 0)
		return RC_BUSY;
	__atomic_store_n(&region->live, 0, __ATOMIC_RELAXED);
	mem_token_rest(&domain->tokens, &domain->shared->keys, region->key);
	if (unlikely(region->fast != NULL))
		mem_fast_retire(domain, region);
	/* Begin the grace period only now, when handle and key are dead. */
	mem_region_entry_rest(domain, region);
	mem_count(&domain->region_count, -1);
	*release = release_make(domain, region);
	return RC_OK;
}

enum rc_status
mem_region_deregister(struct mem_domain *domain, struct mem_region *region, uint64_t *release)
{
	enum rc_status status;

	/* Lock all partitions, so that no engine binds a window to the region meanwhile. */
	mem_domain_lock_all(domain);
	status = region_retire(domain, region, release);
	mem_domain_unlock_all(domain);
	mem_regions_reclaim(domain);
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

struct mem_region *
mem_region_find(const struct mem_domain *domain, uint32_t key)
{
	return mem_region_of_key(domain, key);
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
	const struct mem_region *region =
		&domain->regions[release & ((UINT64_C(1) << RELEASE_INDEX_BITS) - 1)];
	bool released;

	mem_domain_lock(domain);
	released = region->generation != release >> RELEASE_INDEX_BITS ||
		mem_region_entry_rested(domain, region);
	mem_domain_unlock(domain);
	return released;
}

/*
 * The functions below may take long, because their time depends on the number of a region's
 * windows. Each function holds the control mutex and processes one partition after the other. It
 * works in batches and releases the partition's lock after each batch, so that an lcore can take
 * the lock. It stops if the region has been deregistered, even if another registration already uses
 * its entry.
 */

/** One registration of a region, seen from a partition that is locked. */
struct registration {
	struct mem_domain *domain;
	struct mem_partition *partition;
	struct mem_region *region;
	uint64_t generation;
	struct mem_bound_set *bound; /**< windows that are bound to the region in this partition */
};

/** Lock a partition to work on a registration. @param generation generation of the registration */
static struct registration
registration_lock(struct mem_domain *domain, struct mem_partition *partition,
	struct mem_region *region, uint64_t generation)
{
	mem_partition_lock(partition);
	return (struct registration){
		.domain = domain,
		.partition = partition,
		.region = region,
		.generation = generation,
		.bound = &mem_region_part(partition, mem_region_index(domain, region))->bound,
	};
}

/** @return whether the region's entry still contains the same registration. */
static bool
registration_lives(const struct registration *at)
{
	/*
	 * The region stays alive while this partition is locked, because a deregistration takes the
	 * locks of all partitions.
	 */
	return mem_domain_has_region(at->domain, at->region) &&
		__atomic_load_n(&at->region->generation, __ATOMIC_RELAXED) == at->generation;
}

static void
others_let_in(const struct registration *at)
{
	mem_partition_unlock(at->partition);
	rte_pause();
	mem_partition_lock(at->partition);
}

/**
 * Unbind the windows that were bound when the call began. These windows come first in the set,
 * because windows that are bound later are appended. The order does not change, because only a
 * thread with the control mutex sorts the set, and the caller holds this mutex.
 * @return number of unbound windows
 */
static uint32_t
windows_unbind(const struct registration *at)
{
	uint32_t max = registration_lives(at) ? mem_bound_set_count(at->bound) : 0;
	uint32_t count = 0, index;

	while (count < max && registration_lives(at) &&
		(index = mem_bound_set_first(at->bound, at->domain->windows)) != 0) {
		mem_window_unbind(at->domain, at->partition, &at->domain->windows[index]);
		if (++count % MEM_LOCK_BATCH == 0)
			others_let_in(at);
	}
	return count;
}

static uint64_t
generation_of(struct mem_domain *domain, const struct mem_region *region)
{
	uint64_t generation;

	mem_domain_lock(domain);
	generation = region->generation;
	mem_domain_unlock(domain);
	return generation;
}

uint32_t
mem_region_invalidate_windows(
	struct mem_domain *domain, struct mem_region *region, struct mem_grace *grace)
{
	uint32_t count = 0, readers = 0;
	struct mem_partition *partition;
	uint64_t generation;

	*grace = (struct mem_grace){0};
	if (!mem_domain_has_region(domain, region))
		return 0;
	pthread_mutex_lock(&domain->control);
	generation = generation_of(domain, region);
	MEM_FOREACH_PARTITION (partition, domain) {
		struct registration at = registration_lock(domain, partition, region, generation);
		uint32_t unbound = windows_unbind(&at);
		uint32_t index = mem_region_index(domain, region);

		if (unbound > 0)
			(void)mem_partition_close(domain, partition, index, partition->readers);
		/*
		 * Wait for windows that another call has unbound as well, because their grace
		 * period may not be over.
		 */
		if (mem_partition_closes(
			    domain, partition, mem_region_part(partition, index)->closing))
			readers |= partition->readers;
		mem_partition_unlock(partition);
		count += unbound;
	}
	pthread_mutex_unlock(&domain->control);
	*grace = mem_grace_begin(domain->qsbr, readers);
	return count;
}

static void
windows_sort(const struct registration *at)
{
	uint32_t pending = at->bound->pending_count;

	for (; pending > 0 && registration_lives(at); pending -= RTE_MIN(pending, MEM_LOCK_BATCH)) {
		(void)mem_bound_set_sort(at->bound, at->domain->windows, MEM_LOCK_BATCH);
		others_let_in(at);
	}
}

uint32_t
mem_region_windows(struct mem_domain *domain, struct mem_region *region, uint64_t address,
	uint64_t length_bytes, struct mem_window **windows, uint32_t max)
{
	uint64_t end = length_bytes > UINT64_MAX - address ? UINT64_MAX : address + length_bytes;
	struct mem_partition *partition;
	uint64_t generation;
	uint32_t count = 0;

	if (length_bytes == 0 || !mem_domain_has_region(domain, region))
		return 0;
	pthread_mutex_lock(&domain->control);
	generation = generation_of(domain, region);
	MEM_FOREACH_PARTITION (partition, domain) {
		struct registration at = registration_lock(domain, partition, region, generation);
		uint32_t found = RTE_MIN(count, max);

		windows_sort(&at);
		if (registration_lives(&at))
			count += mem_bound_set_covering(at.bound, domain->windows, address, end,
				max == 0 ? NULL : &windows[found], max - found);
		mem_partition_unlock(partition);
	}
	pthread_mutex_unlock(&domain->control);
	return count;
}
