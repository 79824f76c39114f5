/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <stdalign.h>

#include "mem_fixture.h"

#include "mem/fast.h"
#include "mem/query.h"

/*
 * Random operations on fast regions are compared with a model. Registrations and invalidates are
 * queued on several queue pairs. Queued requests are executed or flushed in any order. A peer may
 * invalidate a region before a queued request is executed. Accesses use valid and invalid keys. The
 * model stores the registration of each region, and a copy of all pages. As the API requires, all
 * requests for a region are queued on one queue pair. All queue pairs belong to engine 0. Reader 1
 * is another engine, and registrations wait for its quiescent state. NDPDK_TEST_OPERATIONS and
 * NDPDK_TEST_SEED have the same meaning as in test_mem_model.c.
 */

#define OPERATIONS  300000u
#define SEED        83u
#define PAGES       16u
#define REGIONS     5u
#define OWNERS      3u
#define READER      1u
#define OWNER_FIRST 100u
#define DEPTH       8u
#define OLD_KEYS    64u
#define REMOTE      (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

/** Parameters of one registration. */
struct registration {
	struct mem_fast fast;
	uint64_t base, length_bytes;
	uint32_t offset, rights, page_count;
	uint8_t order[PAGES];
};

struct model_region {
	struct mem_region *handle; /**< fast region; NULL: none */
	bool remote, live;
	uint32_t key, posted_key;
	struct registration now; /**< current registration; valid only if live is true */
	struct body {
		/** index of the body's table entry; 0: not known yet */
		uint32_t entry;
		bool used;
		/** serial number of the body's newest invalidate; 0: reader 1 has left the body */
		uint64_t ended;
	} bodies[MEM_FAST_BODIES];
};

struct request {
	bool is_register;
	struct model_region *region;
	struct mem_region *handle;
	uint32_t key; /**< key that the region had when this request was posted */
	struct registration registration;
};

static alignas(MEM_PAGE_BYTES) uint8_t memory[PAGES * MEM_PAGE_BYTES];
static uint8_t shadow[PAGES * MEM_PAGE_BYTES];
static struct mem_domain *domain;
static struct base_random random_source;
static struct model_region regions[REGIONS];
static struct request queues[OWNERS][DEPTH];
static uint32_t queued[OWNERS], old_keys[OLD_KEYS];
static uint64_t old_count, operation, end_count;
static struct {
	uint64_t executed, waited, overtaken, flushed, no_body, refused[MEM_REFUSED_COUNT], local;
	uint64_t not_remote;
} counts;

#define EXPECT(actual, expected)                                                                   \
	cr_assert_eq((actual), (expected), "operation %" PRIu64 ": %s", operation, #actual)

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&random_source, bound);
}

static void
report(void)
{
	for (uint32_t i = 0; i <= READER; i++)
		rte_rcu_qsbr_quiescent(mem_domain_qsbr(domain), i);
	for (unsigned int i = 0; i < REGIONS; i++)
		for (unsigned int j = 0; j < MEM_FAST_BODIES; j++)
			regions[i].bodies[j].ended = 0;
}

/** @return body (internal registration) that a registration uses */
static struct body *
body_of(struct model_region *region, const struct registration *registration)
{
	struct body *body = region->bodies;

	while (body < &region->bodies[MEM_FAST_BODIES - 1] && body->entry != 0 &&
		body->entry != registration->fast.body)
		body++;
	if (body->entry == 0)
		body->entry = registration->fast.body;
	EXPECT(body->entry, registration->fast.body);
	return body;
}

/**
 * Take a body for a new registration. Fail unless the body has no readers, or was invalidated
 * before all other free bodies.
 */
static void
body_take(struct model_region *region, const struct registration *registration)
{
	struct body *taken = body_of(region, registration);

	EXPECT(taken->used, false);
	for (unsigned int i = 0; i < MEM_FAST_BODIES && taken->ended != 0; i++)
		EXPECT(!region->bodies[i].used && region->bodies[i].ended < taken->ended, false);
	taken->used = true;
}

static uint32_t
owner_of(const struct model_region *region)
{
	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < queued[owner]; i++)
			if (queues[owner][i].region == region)
				return owner;
	return below(OWNERS);
}

static uint32_t
registers_queued(const struct model_region *region)
{
	uint32_t count = 0;

	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < queued[owner]; i++)
			count += queues[owner][i].region == region && queues[owner][i].is_register;
	return count;
}

/** @return true if the region will be registered after all queued requests were executed */
static bool
posted(const struct model_region *region)
{
	bool registered = region->live;

	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < queued[owner]; i++)
			if (queues[owner][i].region == region)
				registered = queues[owner][i].is_register;
	return registered;
}

static void
registration_over(struct model_region *region)
{
	struct body *body = body_of(region, &region->now);

	region->live = false;
	body->used = false;
	body->ended = ++end_count;
}

static void
create(struct model_region *region)
{
	report();
	*region = (struct model_region){.remote = below(4) != 0};
	ASSERT_STATUS(
		mem_fast_create(domain, PAGES - 4, region->remote, region, &region->handle), RC_OK);
	region->key = region->posted_key = mem_region_key(region->handle);
}

static void
end(struct model_region *region)
{
	uint64_t release;
	bool busy = registers_queued(region) != 0;

	ASSERT_STATUS(
		mem_region_deregister(domain, region->handle, &release), busy ? RC_BUSY : RC_OK);
	if (busy)
		return;
	old_keys[old_count++ % OLD_KEYS] = region->key;
	/* A queued invalidate must not find the region when the invalidate is executed. */
	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < queued[owner]; i++)
			if (queues[owner][i].region == region)
				queues[owner][i].region = NULL;
	*region = (struct model_region){0};
}

static void
draw(struct model_region *region, struct registration *r, struct mem_fast_attr *attr,
	void *pages[PAGES])
{
	for (uint32_t i = 0; i < PAGES; i++) {
		r->order[i] = (uint8_t)below(PAGES);
		pages[i] = memory + r->order[i] * MEM_PAGE_BYTES;
	}
	r->page_count = 1 + below(PAGES - 4 + (below(16) == 0));
	r->offset = below(MEM_PAGE_BYTES);
	r->length_bytes = 1 + below(r->page_count * MEM_PAGE_BYTES - r->offset);
	r->base = (uint64_t)below(UINT16_MAX) * MEM_PAGE_BYTES + r->offset;
	r->rights = below(64);
	if (below(4) != 0)
		r->rights = (r->rights | MEM_LOCAL_WRITE) & ~(uint32_t)MEM_WINDOW_BIND;
	*attr = (struct mem_fast_attr){region->handle, pages, r->page_count, r->offset,
		r->length_bytes, r->base, r->rights};
}

static enum rc_status
prepare_expected(const struct model_region *region, const struct registration *r)
{
	if (r->page_count > PAGES - 4)
		return RC_INVALID_ARGUMENT;
	if ((r->rights & MEM_WINDOW_BIND) != 0 || ((r->rights & REMOTE) != 0 && !region->remote))
		return RC_NO_RIGHTS;
	if ((r->rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0 &&
		(r->rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	if (posted(region))
		return RC_ALREADY_BOUND;
	if (registers_queued(region) + region->live == MEM_FAST_BODIES)
		return RC_NO_RESOURCES;
	return RC_OK;
}

static void
post(struct model_region *region)
{
	uint32_t owner = owner_of(region);
	struct request request = {.is_register = below(2) == 0, .region = region};
	struct registration *r = &request.registration;
	struct mem_fast_attr attr;
	void *pages[PAGES];
	enum rc_status expected;

	if (queued[owner] == DEPTH)
		return;
	request.handle = region->handle;
	request.key = mem_region_key(region->handle);
	if (request.is_register) {
		draw(region, r, &attr, pages);
		expected = prepare_expected(region, r);
		EXPECT(mem_fast_prepare(domain, &attr, &r->fast), expected);
		counts.no_body += expected == RC_NO_RESOURCES;
		if (expected != RC_OK)
			return;
		body_take(region, r);
		region->posted_key = r->fast.key;
		old_keys[old_count++ % OLD_KEYS] = r->fast.key;
	} else {
		ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region->handle), RC_OK);
	}
	queues[owner][queued[owner]++] = request;
}

static void
flush(uint32_t owner)
{
	for (uint32_t i = 0; i < queued[owner]; i++) {
		struct request *request = &queues[owner][i];

		counts.flushed++;
		if (request->is_register) {
			mem_fast_cancel(domain, &request->registration.fast);
			body_of(request->region, &request->registration)->used = false;
		} else {
			mem_fast_invalidate_cancel(domain, request->handle);
		}
	}
	queued[owner] = 0;
}

/** @return false if the registration has to wait because reader 1 still uses its body */
static bool
execute_register(const struct request *request, uint32_t owner)
{
	const struct registration *r = &request->registration;
	struct model_region *region = request->region;
	bool waits = body_of(region, r)->ended != 0;

	/* All earlier requests in the queue were executed, so the region is not registered now. */
	EXPECT(region->live, false);
	EXPECT(mem_fast_execute(domain, &r->fast, OWNER_FIRST + owner), waits ? RC_BUSY : RC_OK);
	if (waits) {
		counts.waited++;
		return false;
	}
	region->now = *r;
	region->live = true;
	return true;
}

static void
execute(uint32_t owner)
{
	struct request request = queues[owner][0];
	struct model_region *region = request.region;
	struct mem_grace grace;

	if (queued[owner] == 0)
		return;
	/*
	 * The region of a registration exists, because a region cannot be destroyed while a
	 * registration is queued for it.
	 */
	if (request.is_register && !execute_register(&request, owner))
		return;
	memmove(&queues[owner][0], &queues[owner][1], --queued[owner] * sizeof(request));
	counts.executed++;
	if (request.is_register)
		return;
	if (region != NULL && region->live) {
		ASSERT_STATUS(mem_fast_invalidate(domain, request.handle, request.key,
				      OWNER_FIRST + owner, &grace),
			RC_OK);
		EXPECT(mem_domain_quiescent(domain, &grace), false);
		registration_over(region);
		return;
	}
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, request.handle, request.key, OWNER_FIRST + owner, &grace),
		RC_INVALIDATE_FAILED);
	flush(owner); /* the queue pair ends */
}

static uint32_t
key_some(void)
{
	const struct model_region *region = &regions[below(REGIONS)];
	uint32_t kind = below(16);

	if (kind < 9 && region->live)
		return region->now.fast.key;
	if (kind == 10)
		return region->key;
	if (kind == 11 && region->live)
		return region->now.fast.key ^ UINT32_C(1) << below(32);
	return old_keys[below(OLD_KEYS)];
}

/** @return region that is registered with this key; NULL if there is none */
static struct model_region *
registered(uint32_t key)
{
	for (unsigned int i = 0; i < REGIONS; i++)
		if (regions[i].live && regions[i].now.fast.key == key)
			return &regions[i];
	return NULL;
}

static void
remote_invalidate(void)
{
	uint32_t key = key_some();
	struct model_region *region = registered(key);
	struct mem_key_end end;

	if (region != NULL && (region->now.rights & REMOTE) == 0) {
		counts.not_remote++;
		region = NULL;
	}
	EXPECT(mem_key_invalidate(domain, key, OWNER_FIRST + below(OWNERS), &end),
		region != NULL ? RC_OK : RC_INVALIDATE_FAILED);
	if (region == NULL)
		return;
	cr_assert_null(end.window);
	EXPECT(mem_domain_quiescent(domain, &end.grace), false);
	registration_over(region);
	counts.overtaken++;
}

/** @return index in memory[] of the byte at this offset of a registration */
static size_t
place(const struct registration *r, uint64_t offset)
{
	uint64_t at = r->offset + offset;

	return r->order[at / MEM_PAGE_BYTES] * MEM_PAGE_BYTES + at % MEM_PAGE_BYTES;
}

static bool
inside(const struct registration *r, uint64_t address, uint64_t bytes)
{
	return address >= r->base && address + bytes <= r->base + r->length_bytes;
}

static void
access_remotely(void)
{
	struct mem_access access = {.key = key_some(),
		.owner = OWNER_FIRST + below(OWNERS),
		.rights = MEM_REMOTE_READ << below(3),
		.length_bytes = 1 + below(64)};
	const struct model_region *region = registered(access.key);
	enum mem_refusal expected = MEM_REFUSED_KEY;
	uint8_t bytes[64];
	struct mem_span span;

	for (unsigned int i = 0; i < REGIONS && region == NULL; i++)
		if (regions[i].handle != NULL && regions[i].key == access.key)
			expected = MEM_REFUSED_RIGHTS;
	if (region != NULL) {
		access.address = region->now.base + below((uint32_t)region->now.length_bytes);
		if (below(8) == 0)
			access.address = region->now.base - 1;
		else if (below(8) == 0)
			access.address = region->now.base + region->now.length_bytes - below(64);
		expected = inside(&region->now, access.address, access.length_bytes)
			? MEM_ALLOWED
			: MEM_REFUSED_RANGE;
		if ((region->now.rights & access.rights) == 0)
			expected = MEM_REFUSED_RIGHTS;
	}
	EXPECT(mem_check_remote(domain, &access, &span), expected);
	counts.refused[expected]++;
	if (expected != MEM_ALLOWED)
		return;
	for (uint64_t i = 0; i < access.length_bytes; i++) {
		size_t at = place(&region->now, access.address - region->now.base + i);

		mem_span_read(&span, i, bytes, 1);
		EXPECT(bytes[0], shadow[at]);
		if (access.rights != MEM_REMOTE_WRITE)
			continue;
		bytes[0] = shadow[at] = (uint8_t)below(256);
		mem_span_write(&span, i, bytes, 1);
	}
}

static void
access_locally(struct model_region *region)
{
	const struct registration *now = &region->now;
	uint64_t address = region->live ? now->base + below((uint32_t)now->length_bytes + 2) : 0;
	struct mem_sge sge = {address, 1, region->handle};
	struct mem_sgl sgl = {.sges = &sge, .count = 1};
	bool there = region->live && inside(now, address, 1);
	uint8_t byte;

	EXPECT(mem_sgl_gather(domain, &sgl, 0, &byte, 1), there ? RC_OK : RC_LOCAL_PROTECTION);
	if (there)
		EXPECT(byte, shadow[place(now, address - now->base)]);
	byte = (uint8_t)below(256);
	there = there && (now->rights & MEM_LOCAL_WRITE) != 0;
	EXPECT(mem_sgl_scatter(domain, &sgl, 0, &byte, 1), there ? RC_OK : RC_LOCAL_PROTECTION);
	if (there)
		shadow[place(now, address - now->base)] = byte;
	counts.local += there;
}

static void
check(void)
{
	struct mem_domain_stats stats;
	uint32_t alive = 0, live = 0, registers = 0;

	for (unsigned int i = 0; i < REGIONS; i++) {
		struct mem_fast_info info;

		if (regions[i].handle == NULL)
			continue;
		alive++;
		live += regions[i].live;
		registers += registers_queued(&regions[i]);
		ASSERT_STATUS(mem_fast_query(domain, regions[i].handle, &info), RC_OK);
		EXPECT(info.key, regions[i].posted_key);
		EXPECT(info.remote, regions[i].remote);
	}
	mem_domain_stats(domain, &stats);
	EXPECT(stats.regions, alive);
	EXPECT(stats.binds_queued, registers);
	EXPECT(stats.key_slots_used, alive + live + registers);
}

static void
step(void)
{
	struct model_region *region = &regions[below(REGIONS)];
	uint32_t dice = below(64);

	if (region->handle == NULL)
		create(region);
	else if (dice < 20)
		post(region);
	else if (dice < 38)
		execute(below(OWNERS));
	else if (dice < 42)
		remote_invalidate();
	else if (dice < 43)
		flush(below(OWNERS));
	else if (dice < 54)
		access_remotely();
	else if (dice < 58)
		access_locally(region);
	else if (dice == 58 && below(8) == 0)
		report();
	else if (dice == 63 && below(4) == 0)
		end(region);
}

Test(mem_fast_model, random_operations_agree_with_the_model)
{
	uint64_t operations = fixture_number("NDPDK_TEST_OPERATIONS", OPERATIONS);
	uint64_t seed = fixture_number("NDPDK_TEST_SEED", SEED);

	domain = fixture_domain(4096, 64, seed);
	fixture_seed(&random_source, seed + 1);
	for (uint32_t i = 0; i <= READER; i++) {
		rte_rcu_qsbr_thread_register(mem_domain_qsbr(domain), i);
		rte_rcu_qsbr_thread_online(mem_domain_qsbr(domain), i);
	}
	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = shadow[i] = (uint8_t)(i * 7 + i / 256);
	for (operation = 0; operation < operations; operation++) {
		step();
		check();
	}
	cr_assert_arr_eq(memory, shadow, sizeof(memory));
	if (operations >= OPERATIONS) {
		cr_assert_geq(counts.executed, operations / 50);
		cr_assert_geq(counts.overtaken, operations / 1000);
		cr_assert_geq(counts.flushed, operations / 1000);
		cr_assert_geq(counts.no_body, 10);
		cr_assert_geq(counts.waited, operations / 100);
		cr_assert_geq(counts.not_remote, 100);
		cr_assert_geq(counts.local, operations / 1000);
		cr_assert_geq(counts.refused[MEM_ALLOWED], operations / 1000);
		cr_assert_geq(counts.refused[MEM_REFUSED_KEY], operations / 1000);
		cr_assert_geq(counts.refused[MEM_REFUSED_RIGHTS], operations / 1000);
		cr_assert_geq(counts.refused[MEM_REFUSED_RANGE], 100);
	}
	mem_domain_destroy(domain);
}
