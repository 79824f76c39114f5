/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/fast.h"

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "mem/domain.h"
#include "mem/mem.h"

/*
 * A fast region has several bodies: entries of the table of regions, used in turn, one per
 * registration. States of a body: free -> queued (buffers recorded, key issued) -> live -> free.
 * The segments of a queued body are built when its registration is executed. Before that, the
 * grace period that began when the body was last live must be over. A reader that found the body
 * live, through region->body or through its key, may still copy with its old segments. Until this
 * grace period is over, the registration waits in its send queue. A body is never live as a
 * handle.
 *
 * A fast region has a posted state and a live state, like a window (window.h).
 *
 * Implements SEC-014, and the window rules RC-156 and RC-157 for registrations by requests.
 */

enum body_state {
	BODY_FREE = 0,
	BODY_QUEUED,
	BODY_LIVE,
};

struct body {
	enum body_state state;
	uint32_t index; /**< index of the body's entry in the table of regions */
	uint32_t key;   /**< key of the registration; valid while queued or live */
	/**
	 * Grace period that began when the body was last live. The body's segments must stay until
	 * it is over.
	 */
	struct mem_grace grace;
	void *tree; /**< memory for the body's segment tree */
	/** Buffers of the queued registration: an array of page_max entries. */
	struct mem_buffer *buffers;
	uint32_t buffer_count;
	uint32_t rights; /**< argument of the queued registration, like the members below */
	uint64_t base;
	uint64_t length_bytes;
};

/**
 * State of a fast region. Protected by the lock of the shared partition, except the arguments and
 * segments of a queued body, which only the engine that posted the registration uses.
 */
struct mem_fast_state {
	uint32_t page_max;
	bool remote;
	/** True if pages will be registered after all queued requests have been executed. */
	bool posted_valid;
	/**
	 * Key of the last posted registration. Before the first registration: the region's own key.
	 */
	uint32_t posted_key;
	struct body bodies[MEM_FAST_BODIES];
};

#define REMOTE_RIGHTS     (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)
#define FAST_RIGHTS       (MEM_LOCAL_WRITE | MEM_READ_SINK | REMOTE_RIGHTS)
#define NEEDS_LOCAL_WRITE (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

static struct mem_region *
region_of(const struct mem_domain *domain, const struct body *body)
{
	return &domain->regions[body->index];
}

/** @return the body that has this index in the table of regions. */
static struct body *
body_of(struct mem_fast_state *state, uint32_t index)
{
	struct body *body = state->bodies;

	while (body < &state->bodies[MEM_FAST_BODIES - 1] && body->index != index)
		body++;
	BASE_ASSERT(body->index == index);
	return body;
}

static bool
is_fast(const struct mem_domain *domain, const struct mem_region *region)
{
	return mem_domain_has_region(domain, region) && region->fast != NULL;
}

static struct mem_fast_state *
state_create(uint32_t page_max, bool remote, int socket_id)
{
	size_t tree_bytes = mem_segments_bytes(page_max);
	size_t buffer_bytes =
		RTE_ALIGN_CEIL(page_max * sizeof(struct mem_buffer), RTE_CACHE_LINE_SIZE);
	size_t head_bytes = RTE_ALIGN_CEIL(sizeof(struct mem_fast_state), RTE_CACHE_LINE_SIZE);
	struct mem_fast_state *state = rte_zmalloc_socket("mem_fast",
		head_bytes + MEM_FAST_BODIES * (tree_bytes + buffer_bytes), RTE_CACHE_LINE_SIZE,
		socket_id);

	if (state == NULL)
		return NULL;
	state->page_max = page_max;
	state->remote = remote;
	for (uint32_t i = 0; i < MEM_FAST_BODIES; i++) {
		struct body *body = &state->bodies[i];

		body->tree = RTE_PTR_ADD(state, head_bytes + i * (tree_bytes + buffer_bytes));
		body->buffers = RTE_PTR_ADD(body->tree, tree_bytes);
	}
	return state;
}

/**
 * Take table entries for a fast region and its bodies. @return RC_OK; RC_NO_RESOURCES: too few
 * entries
 */
static enum rc_status
entries_take(struct mem_domain *domain, uint32_t entries[MEM_FAST_BODIES + 1])
{
	enum rc_status status = RC_OK;
	uint32_t count = 0;

	mem_domain_lock(domain);
	while (status == RC_OK && count <= MEM_FAST_BODIES) {
		if (mem_domain_has_room(domain, MEM_HANDLE_REGION)) {
			entries[count++] = mem_region_entry_take(domain);
			continue;
		}
		mem_domain_unlock(domain);
		status = mem_domain_grow(domain, MEM_HANDLE_REGION);
		mem_domain_lock(domain);
	}
	while (status != RC_OK && count > 0)
		mem_region_entry_give(domain, entries[--count]);
	mem_domain_unlock(domain);
	return status;
}

/** Make the handle of a new fast region live. The shared partition must be locked. */
static struct mem_region *
fast_enter(struct mem_domain *domain, const uint32_t entries[MEM_FAST_BODIES + 1],
	struct mem_fast_state *state, void *cookie, uint32_t key)
{
	struct mem_region *region = &domain->regions[entries[MEM_FAST_BODIES]];

	BASE_ASSERT(region->live == 0);
	for (uint32_t i = 0; i < MEM_FAST_BODIES; i++) {
		state->bodies[i].index = entries[i];
		domain->regions[entries[i]].fast_handle = entries[MEM_FAST_BODIES];
	}
	state->posted_key = key;
	region->key = key;
	region->base = 0;
	region->length_bytes = 0;
	region->rights = 0;
	region->body = 0;
	region->cookie = cookie;
	region->segments = (struct mem_segments){0};
	__atomic_store_n(&region->fast, state, __ATOMIC_RELAXED);
	/* This key is only the local token, which identifies the region and grants no access. */
	mem_token_publish(mem_token_of(&domain->tokens, key), key,
		&(struct mem_grant){
			.region = entries[MEM_FAST_BODIES], .end = 1, .owner = MEM_OWNER_ANY});
	/* Release: pairs with the acquire in mem_domain_has_region(). */
	__atomic_store_n(&region->live, 1, __ATOMIC_RELEASE);
	mem_count(&domain->region_count, 1);
	domain->fast_count++;
	return region;
}

enum rc_status
mem_fast_create(struct mem_domain *domain, uint32_t page_max, bool remote, void *cookie,
	struct mem_region **region)
{
	uint32_t entries[MEM_FAST_BODIES + 1], key;
	struct mem_fast_state *state;
	enum rc_status status;

	if (page_max == 0 || page_max > LIMIT_REGION_BUFFERS)
		return RC_INVALID_ARGUMENT;
	mem_regions_reclaim(domain);
	state = state_create(page_max, remote, domain->socket_id);
	if (state == NULL)
		return RC_NO_RESOURCES;
	status = entries_take(domain, entries);
	if (status == RC_OK) {
		mem_domain_lock(domain);
		if (mem_token_reserve(&domain->tokens, &domain->shared->keys, &key) == NULL)
			status = RC_NO_RESOURCES;
		if (status == RC_OK)
			*region = fast_enter(domain, entries, state, cookie, key);
		else
			for (uint32_t i = 0; i <= MEM_FAST_BODIES; i++)
				mem_region_entry_give(domain, entries[i]);
		mem_domain_unlock(domain);
	}
	if (status != RC_OK)
		rte_free(state);
	return status;
}

/* ---- registering ---- */

static enum rc_status
attr_check(const struct mem_domain *domain, const struct mem_fast_attr *attr)
{
	uint32_t rights = attr->rights;

	if (!is_fast(domain, attr->region))
		return RC_BAD_REGION;
	if (attr->page_count > attr->region->fast->page_max)
		return RC_INVALID_ARGUMENT;
	if ((rights & ~(uint32_t)FAST_RIGHTS) != 0)
		return RC_NO_RIGHTS;
	if ((rights & NEEDS_LOCAL_WRITE) != 0 && (rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	if ((rights & REMOTE_RIGHTS) != 0 && !attr->region->fast->remote)
		return RC_NO_RIGHTS;
	return attr->region->fast->posted_valid ? RC_ALREADY_BOUND : RC_OK;
}

/**
 * @return a free body, if possible one that no reader can still be using; NULL: no body is free.
 */
static struct body *
body_find(const struct mem_domain *domain, struct mem_fast_state *state)
{
	struct body *found = NULL;

	for (uint32_t i = 0; i < MEM_FAST_BODIES; i++) {
		struct body *body = &state->bodies[i];

		if (body->state != BODY_FREE)
			continue;
		if (mem_grace_over(domain->qsbr, &body->grace))
			return body;
		if (found == NULL || body->grace.token < found->grace.token)
			found = body;
	}
	return found;
}

/**
 * Convert a list of pages to buffers. Adjacent pages become one buffer. @return number of buffers
 */
static uint32_t
pages_join(const struct mem_fast_attr *attr, struct mem_buffer *buffers)
{
	uint64_t left = attr->length_bytes;
	uint32_t count = 0, offset = attr->offset;

	for (uint32_t i = 0; i < attr->page_count && left > 0; i++, offset = 0) {
		uint64_t bytes = RTE_MIN(left, (uint64_t)(MEM_PAGE_BYTES - offset));
		uint8_t *address = (uint8_t *)attr->pages[i] + offset;

		left -= bytes;
		if (count > 0 &&
			(uint8_t *)buffers[count - 1].address + buffers[count - 1].length_bytes ==
				address)
			buffers[count - 1].length_bytes += bytes;
		else
			buffers[count++] = (struct mem_buffer){address, bytes};
	}
	BASE_ASSERT(left == 0);
	return count;
}

/** Copy the arguments of a posted registration into its body. */
static void
body_note(const struct mem_fast_attr *attr, struct body *body)
{
	body->buffer_count = pages_join(attr, body->buffers);
	body->base = attr->base;
	body->length_bytes = attr->length_bytes;
	body->rights =
		attr->rights | (attr->rights & MEM_LOCAL_WRITE ? (uint32_t)MEM_READ_SINK : 0u);
}

/**
 * @return the region's state in the shared partition, which counts queued registrations in
 * binds_queued.
 */
static struct mem_region_part *
queued_of(const struct mem_domain *domain, const struct mem_region *region)
{
	return mem_region_part(domain->shared, mem_region_index(domain, region));
}

enum rc_status
mem_fast_prepare(struct mem_domain *domain, const struct mem_fast_attr *attr, struct mem_fast *fast)
{
	struct mem_fast_state *state;
	struct body *body = NULL;
	enum rc_status status;

	mem_domain_lock(domain);
	status = attr_check(domain, attr);
	if (status == RC_OK) {
		state = attr->region->fast;
		body = body_find(domain, state);
	}
	if (status == RC_OK && body == NULL)
		status = RC_NO_RESOURCES;
	if (status == RC_OK &&
		mem_token_reserve(&domain->tokens, &domain->shared->keys, &fast->key) == NULL)
		status = RC_NO_RESOURCES;
	if (status == RC_OK) {
		body->state = BODY_QUEUED;
		body->key = fast->key;
		state->posted_valid = true;
		state->posted_key = fast->key;
		queued_of(domain, attr->region)->binds_queued++;
		fast->region = attr->region;
		fast->body = body->index;
		mem_count(&domain->shared->bind_count, 1);
	}
	mem_domain_unlock(domain);
	/*
	 * No lock is needed: only the caller uses its queued body, and a region with a queued
	 * registration cannot be deregistered.
	 */
	if (status == RC_OK)
		body_note(attr, body);
	return status;
}

/**
 * If no registration is queued, set the region's posted state to its live state, as
 * mem_window_posted_settle() does for a window.
 */
static void
posted_settle(const struct mem_domain *domain, const struct mem_region *region)
{
	if (queued_of(domain, region)->binds_queued == 0)
		region->fast->posted_valid = region->body != 0;
}

static void
dequeue(const struct mem_domain *domain, const struct mem_region *region)
{
	BASE_ASSERT(is_fast(domain, region) && queued_of(domain, region)->binds_queued > 0);
	queued_of(domain, region)->binds_queued--;
	mem_count(&domain->shared->bind_count, -1);
}

/** Free a queued body and release its key. No reader has seen the body. */
static void
body_give(struct mem_domain *domain, const struct mem_region *region, struct body *body)
{
	mem_token_rest(&domain->tokens, &domain->shared->keys, body->key);
	body->state = BODY_FREE;
	posted_settle(domain, region);
}

/** Build the region entry and segments of a queued body. No reader uses the body any more. */
static void
body_build(const struct mem_domain *domain, const struct body *body)
{
	struct mem_region *entry = region_of(domain, body);

	entry->key = body->key;
	entry->base = body->base;
	entry->length_bytes = body->length_bytes;
	entry->rights = body->rights;
	mem_segments_build(&entry->segments, body->tree, body->buffers, body->buffer_count);
}

/**
 * Make a queued body live. The caller has built its segments and holds the lock of the shared
 * partition.
 */
static void
body_publish(struct mem_domain *domain, struct mem_region *region, struct body *body)
{
	body->state = BODY_LIVE;
	mem_token_publish(mem_token_of(&domain->tokens, body->key), body->key,
		&(struct mem_grant){
			.region = body->index,
			.start = body->base,
			.end = body->base + body->length_bytes,
			.owner = MEM_OWNER_ANY,
			.rights = body->rights & REMOTE_RIGHTS,
		});
	/* Release: pairs with the acquire in body_allowing() of sgl.c. */
	__atomic_store_n(&region->body, body->index, __ATOMIC_RELEASE);
}

enum rc_status
mem_fast_execute(struct mem_domain *domain, const struct mem_fast *fast, uint32_t owner)
{
	struct mem_region *region = fast->region;
	struct body *body = body_of(region->fast, fast->body);
	enum rc_status status = RC_OK;

	/*
	 * Do not wait for the engine that executes this request, because it holds no reference now.
	 */
	body->grace.readers &= ~mem_reader_of(domain, owner);
	if (!mem_grace_over(domain->qsbr, &body->grace))
		return RC_BUSY;
	/* Build the segments without the lock, because this may take long. */
	body_build(domain, body);
	mem_domain_lock(domain);
	dequeue(domain, region);
	if (region->body == 0) {
		body_publish(domain, region, body);
	} else {
		body_give(domain, region, body);
		status = RC_BIND_FAILED;
	}
	mem_domain_unlock(domain);
	return status;
}

void
mem_fast_cancel(struct mem_domain *domain, const struct mem_fast *fast)
{
	mem_domain_lock(domain);
	dequeue(domain, fast->region);
	body_give(domain, fast->region, body_of(fast->region->fast, fast->body));
	mem_domain_unlock(domain);
}

/* ---- invalidating ---- */

/** End the live registration. The shared partition must be locked. */
static void
body_end(struct mem_domain *domain, struct mem_region *region)
{
	struct body *body = body_of(region->fast, region->body);

	BASE_ASSERT(body->state == BODY_LIVE);
	__atomic_store_n(&region->body, 0, __ATOMIC_RELAXED);
	mem_token_rest(&domain->tokens, &domain->shared->keys, body->key);
	/*
	 * Begin the grace period only now, when neither region->body nor the key leads to the body.
	 */
	body->grace = mem_grace_begin(domain->qsbr, domain->shared->readers);
	body->state = BODY_FREE;
	posted_settle(domain, region);
}

enum rc_status
mem_fast_invalidate_prepare(struct mem_domain *domain, struct mem_region *region)
{
	enum rc_status status = RC_BAD_REGION;

	mem_domain_lock(domain);
	if (is_fast(domain, region)) {
		region->fast->posted_valid = false;
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}

enum rc_status
mem_fast_invalidate(struct mem_domain *domain, struct mem_region *region, uint32_t key,
	uint32_t owner, struct mem_grace *grace)
{
	enum rc_status status = RC_INVALIDATE_FAILED;

	mem_domain_lock(domain);
	if (is_fast(domain, region) && region->key == key) {
		if (region->body != 0) {
			body_end(domain, region);
			*grace = mem_grace_begin(domain->qsbr,
				domain->shared->readers & ~mem_reader_of(domain, owner));
			status = RC_OK;
		} else {
			posted_settle(domain, region);
		}
	}
	mem_domain_unlock(domain);
	return status;
}

void
mem_fast_invalidate_cancel(struct mem_domain *domain, struct mem_region *region)
{
	mem_domain_lock(domain);
	if (is_fast(domain, region))
		posted_settle(domain, region);
	mem_domain_unlock(domain);
}

void
mem_fast_body_kill(struct mem_domain *domain, struct mem_region *body)
{
	struct mem_region *region = &domain->regions[body->fast_handle];

	BASE_ASSERT(region->body == mem_region_index(domain, body));
	body_end(domain, region);
}

void
mem_fast_retire(struct mem_domain *domain, struct mem_region *region)
{
	if (region->body != 0)
		body_end(domain, region);
	for (uint32_t i = 0; i < MEM_FAST_BODIES; i++)
		mem_region_entry_rest(domain, region_of(domain, &region->fast->bodies[i]));
	domain->fast_count--;
}

bool
mem_fast_alive(const struct mem_domain *domain, const struct mem_region *region)
{
	return mem_domain_has_region(domain, region) &&
		__atomic_load_n(&region->fast, __ATOMIC_RELAXED) != NULL;
}

enum rc_status
mem_fast_query(
	struct mem_domain *domain, const struct mem_region *region, struct mem_fast_info *info)
{
	enum rc_status status = RC_BAD_REGION;

	mem_domain_lock(domain);
	if (is_fast(domain, region)) {
		info->key = region->fast->posted_key;
		info->remote = region->fast->remote;
		status = RC_OK;
	}
	mem_domain_unlock(domain);
	return status;
}
