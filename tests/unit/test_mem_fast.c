/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <stdalign.h>

#include "mem_fixture.h"

#include "base/limits.h"
#include "mem/fast.h"
#include "mem/query.h"

/* Test fast regions, which requests register and invalidate, without a queue pair. */

#define PAGES  16u
#define BASE   UINT64_C(0x40000100)
#define OFFSET 0x100u
#define QPN    UINT32_C(0x4711)
#define ALL    (MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

static alignas(MEM_PAGE_BYTES) uint8_t memory[PAGES][MEM_PAGE_BYTES];
static struct mem_domain *domain;
static struct mem_region *region;

static void
setup(void)
{
	domain = fixture_domain(256, 32, 71);
	ASSERT_STATUS(mem_fast_create(domain, PAGES, true, &domain, &region), RC_OK);
	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i / MEM_PAGE_BYTES][i % MEM_PAGE_BYTES] = (uint8_t)(i * 7 + i / 256);
}

static void
teardown(void)
{
	mem_domain_destroy(domain);
}

TestSuite(mem_fast, .init = setup, .fini = teardown);

/** Order of the pages in the region. Most neighbours in the region are not neighbours in memory. */
static const uint8_t order[PAGES] = {3, 4, 9, 1, 0, 7, 15, 2, 5, 6, 14, 8, 13, 10, 12, 11};
static void *pages[PAGES];

static struct mem_fast_attr
attr_of(uint32_t page_count, uint64_t length_bytes, uint32_t rights)
{
	for (uint32_t i = 0; i < PAGES; i++)
		pages[i] = memory[order[i]];
	return (struct mem_fast_attr){.region = region,
		.pages = pages,
		.page_count = page_count,
		.offset = OFFSET,
		.length_bytes = length_bytes,
		.base = BASE,
		.rights = rights};
}

static uint32_t
enter(uint32_t page_count, uint64_t length_bytes, uint32_t rights)
{
	const struct mem_fast_attr attr = attr_of(page_count, length_bytes, rights);
	struct mem_fast fast;

	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_OK);
	ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_OK);
	return fast.key;
}

static uint8_t *
byte_at(uint64_t offset)
{
	uint64_t at = OFFSET + offset;

	return &memory[order[at / MEM_PAGE_BYTES]][at % MEM_PAGE_BYTES];
}

static enum mem_refusal
check(uint32_t key, uint64_t address, uint64_t length_bytes, uint32_t rights)
{
	return fixture_check(domain,
		(struct mem_access){.key = key,
			.owner = QPN,
			.address = address,
			.length_bytes = length_bytes,
			.rights = rights});
}

static enum rc_status
gather(uint64_t offset, uint8_t *to, size_t bytes)
{
	struct mem_sge sge = {BASE + offset, bytes, region};
	struct mem_sgl sgl = {.sges = &sge, .count = 1};

	return mem_sgl_gather(domain, &sgl, 0, to, bytes);
}

static void
expect_stats(uint32_t keys, uint32_t queued)
{
	struct mem_domain_stats stats = fixture_stats(domain);

	cr_assert_eq(stats.regions, 1);
	cr_assert_eq(stats.key_slots_used, keys, "%u keys", stats.key_slots_used);
	cr_assert_eq(stats.binds_queued, queued, "%u queued", stats.binds_queued);
}

Test(mem_fast, is_a_region_without_bytes)
{
	uint8_t byte;

	cr_assert(mem_region_alive(domain, region));
	cr_assert_eq(mem_region_find(domain, mem_region_key(region)), region);
	cr_assert_eq(mem_region_cookie(region), (void *)&domain);
	ASSERT_STATUS(gather(0, &byte, 1), RC_LOCAL_PROTECTION);
	cr_assert_eq(check(mem_region_key(region), 0, 1, MEM_REMOTE_READ), MEM_REFUSED_RIGHTS);
	cr_assert_eq(check(mem_region_key(region), BASE, 1, MEM_REMOTE_WRITE), MEM_REFUSED_RIGHTS);
	expect_stats(1, 0);
}

Test(mem_fast, every_byte_is_where_its_page_is)
{
	static const uint32_t counts[] = {1, 2, 3, 8, 9, PAGES};

	for (size_t i = 0; i < RTE_DIM(counts); i++) {
		uint64_t length = counts[i] * MEM_PAGE_BYTES - OFFSET - (i % 2);
		uint32_t key = enter(counts[i], length, ALL);
		uint8_t found[PAGES * MEM_PAGE_BYTES];
		struct mem_span span;
		const struct mem_access all = {.key = key,
			.owner = QPN,
			.address = BASE,
			.length_bytes = length,
			.rights = MEM_REMOTE_WRITE};

		ASSERT_STATUS(gather(0, found, length), RC_OK);
		for (uint64_t j = 0; j < length; j++)
			cr_assert_eq(
				found[j], *byte_at(j), "%u pages, byte %" PRIu64, counts[i], j);
		cr_assert_eq(mem_check_remote(domain, &all, &span), MEM_ALLOWED);
		for (uint64_t j = 0; j < length; j += 509) {
			const uint8_t value = (uint8_t)(~*byte_at(j));

			mem_span_write(&span, j, &value, 1);
			cr_assert_eq(*byte_at(j), value);
		}
		cr_assert_eq(check(key, BASE, length + 1, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
		cr_assert_eq(check(key, BASE - 1, 1, MEM_REMOTE_READ), MEM_REFUSED_RANGE);
		ASSERT_STATUS(gather(length, found, 1), RC_LOCAL_PROTECTION);
		ASSERT_STATUS(mem_fast_invalidate(domain, region, mem_region_key(region), QPN,
				      &(struct mem_grace){0}),
			RC_OK);
		cr_assert_eq(check(key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
		ASSERT_STATUS(gather(0, found, 1), RC_LOCAL_PROTECTION);
	}
}

Test(mem_fast, rights_are_those_of_the_registration)
{
	uint8_t byte = 0;

	for (uint32_t rights = 0; rights < 128; rights++) {
		const struct mem_fast_attr attr = attr_of(1, 64, rights);
		bool writes = (rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0;
		bool valid = (rights & (MEM_WINDOW_BIND | 64)) == 0 &&
			(!writes || (rights & MEM_LOCAL_WRITE) != 0);
		struct mem_sge sge = {BASE, 1, region};
		struct mem_sgl sgl = {.sges = &sge, .count = 1};
		struct mem_fast fast;

		ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), valid ? RC_OK : RC_NO_RIGHTS);
		if (!valid)
			continue;
		cr_assert_eq(check(fast.key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
		ASSERT_STATUS(gather(0, &byte, 1), RC_LOCAL_PROTECTION);
		ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_OK);
		ASSERT_STATUS(gather(0, &byte, 1), RC_OK);
		for (uint32_t right = MEM_REMOTE_READ; right <= MEM_REMOTE_ATOMIC; right <<= 1)
			cr_assert_eq(check(fast.key, BASE, 8, right),
				rights & right ? MEM_ALLOWED : MEM_REFUSED_RIGHTS);
		ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 0, &byte, 1),
			rights & MEM_LOCAL_WRITE ? RC_OK : RC_LOCAL_PROTECTION);
		ASSERT_STATUS(mem_sgl_scatter_sink(domain, &sgl, 0, &byte, 1),
			rights & (MEM_LOCAL_WRITE | MEM_READ_SINK) ? RC_OK : RC_LOCAL_PROTECTION);
		ASSERT_STATUS(mem_fast_invalidate(domain, region, mem_region_key(region), QPN,
				      &(struct mem_grace){0}),
			RC_OK);
	}
}

Test(mem_fast, posted_state_decides)
{
	const struct mem_fast_attr attr = attr_of(2, 5000, ALL);
	struct mem_fast first, second, third;

	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &first), RC_OK);
	expect_stats(2, 1);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &second), RC_ALREADY_BOUND);
	/*
	 * A registration may be prepared while an invalidate is queued. It fails if it is executed
	 * before this invalidate.
	 */
	ASSERT_STATUS(mem_fast_execute(domain, &first, QPN), RC_OK);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &second), RC_ALREADY_BOUND);
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region), RC_OK);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &second), RC_OK);
	cr_assert_neq(first.key, second.key);
	ASSERT_STATUS(mem_fast_execute(domain, &second, QPN), RC_BIND_FAILED);
	cr_assert_eq(check(first.key, BASE, 1, MEM_REMOTE_READ), MEM_ALLOWED);
	cr_assert_eq(check(second.key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &third), RC_ALREADY_BOUND);
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region), RC_OK);
	mem_fast_invalidate_cancel(domain, region);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &third), RC_ALREADY_BOUND);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_OK);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &third), RC_OK);
	mem_fast_cancel(domain, &third);
	cr_assert_eq(check(third.key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	expect_stats(1, 0);
}

static void
end_now(struct mem_grace *grace)
{
	ASSERT_STATUS(
		mem_fast_invalidate(domain, region, mem_region_key(region), QPN, grace), RC_OK);
}

Test(mem_fast, key_invalidates)
{
	struct mem_key_end end;
	uint32_t key = enter(3, 9000, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_key_invalidate(domain, mem_region_key(region), QPN, &end),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, key ^ 1, QPN, &end), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, key, QPN, &end), RC_OK);
	cr_assert_null(end.window);
	cr_assert_eq(check(key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	ASSERT_STATUS(mem_key_invalidate(domain, key, QPN, &end), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	expect_stats(1, 0);
}

/**
 * Each body (internal registration) is used again later. A new registration waits until all readers
 * have left its body. Reader 0 is the engine that executes the registration. Reader 1 still uses a
 * span.
 */
Test(mem_fast, registration_waits_until_readers_have_left_its_body)
{
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(domain);
	const struct mem_fast_attr attr = attr_of(PAGES, 60000, ALL);
	struct mem_access access = {
		.owner = QPN, .address = BASE, .length_bytes = 60000, .rights = MEM_REMOTE_READ};
	struct mem_grace grace;
	struct mem_span span;
	struct mem_fast fast;
	uint8_t found[60000];

	rte_rcu_qsbr_thread_register(qsbr, 1);
	rte_rcu_qsbr_thread_online(qsbr, 1);
	access.key = enter(PAGES, 60000, ALL);
	cr_assert_eq(mem_check_remote(domain, &access, &span), MEM_ALLOWED);
	for (uint32_t i = 1; i < MEM_FAST_BODIES; i++) {
		end_now(&grace);
		cr_assert_not(mem_domain_quiescent(domain, &grace));
		enter(1, 8, MEM_LOCAL_WRITE);
	}
	end_now(&grace);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_OK);
	ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_BUSY);
	mem_span_read(&span, 0, found, sizeof(found));
	for (uint64_t i = 0; i < sizeof(found); i++)
		cr_assert_eq(found[i], *byte_at(i));
	rte_rcu_qsbr_quiescent(qsbr, 1);
	cr_assert(mem_domain_quiescent(domain, &grace));
	ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_OK);
	cr_assert_eq(check(fast.key, BASE, 60000, MEM_REMOTE_READ), MEM_ALLOWED);
	end_now(&grace);
	cr_assert_not(mem_domain_quiescent(domain, &grace));
	rte_rcu_qsbr_thread_offline(qsbr, 1);
	cr_assert(mem_domain_quiescent(domain, &grace));
}

/**
 * One registration is live, and each of the other bodies (internal registrations) has one queued
 * registration. So no further registration can be queued.
 */
Test(mem_fast, as_many_registrations_are_queued_as_there_are_bodies)
{
	const struct mem_fast_attr attr = attr_of(1, 8, ALL);
	struct mem_fast queued[MEM_FAST_BODIES], more;

	enter(1, 8, ALL);
	for (uint32_t i = 1; i < MEM_FAST_BODIES; i++) {
		ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region), RC_OK);
		ASSERT_STATUS(mem_fast_prepare(domain, &attr, &queued[i]), RC_OK);
	}
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region), RC_OK);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &more), RC_NO_RESOURCES);
	for (uint32_t i = 1; i < MEM_FAST_BODIES; i++)
		mem_fast_cancel(domain, &queued[i]);
}

Test(mem_fast, peer_does_not_end_a_registration_without_remote_rights)
{
	uint32_t key = enter(1, 8, MEM_LOCAL_WRITE);
	struct mem_key_end end;

	ASSERT_STATUS(mem_key_invalidate(domain, key, QPN, &end), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, mem_region_key(region), QPN, &end),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_OK);
}

Test(mem_fast, end_of_the_region_ends_what_is_registered)
{
	const struct mem_fast_attr attr = attr_of(1, 64, ALL);
	struct mem_fast fast;
	uint64_t release;
	uint32_t key, before = fixture_stats(domain).key_slots_used;
	uint8_t byte;

	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_OK);
	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_BUSY);
	ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_OK);
	key = mem_region_key(region);
	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	cr_assert(mem_region_released(domain, release));
	cr_assert_eq(check(fast.key, BASE, 1, MEM_REMOTE_READ), MEM_REFUSED_KEY);
	cr_assert_null(mem_region_find(domain, key));
	ASSERT_STATUS(gather(0, &byte, 1), RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_BAD_REGION);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, region), RC_BAD_REGION);
	cr_assert_eq(fixture_stats(domain).key_slots_used, before - 1);
	for (unsigned int i = 0; i < 50; i++) {
		ASSERT_STATUS(mem_fast_create(domain, PAGES, false, NULL, &region), RC_OK);
		ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	}
}

Test(mem_fast, queued_invalidate_leaves_the_next_region_of_the_handle_alone)
{
	struct mem_region *gone = region;
	uint32_t old = mem_region_key(gone), key;
	uint64_t release;

	enter(1, 64, ALL);
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, gone), RC_OK);
	do {
		ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
		ASSERT_STATUS(mem_fast_create(domain, PAGES, true, NULL, &region), RC_OK);
	} while (region != gone);
	key = enter(1, 64, ALL);
	ASSERT_STATUS(mem_fast_invalidate(domain, gone, old, QPN, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	cr_assert_eq(check(key, BASE, 1, MEM_REMOTE_READ), MEM_ALLOWED);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, region, mem_region_key(region), QPN, &(struct mem_grace){0}),
		RC_OK);
}

Test(mem_fast, mistakes_are_refused)
{
	struct mem_fast_attr attr = attr_of(PAGES + 1, 64, MEM_LOCAL_WRITE);
	struct mem_region *plain = fixture_region(domain, BASE, memory, 64, FIXTURE_RIGHTS);
	struct mem_region *local = NULL, *none = NULL;
	struct mem_fast fast;
	struct mem_fast_info info;
	struct mem_bind bind = {.region = region,
		.window = fixture_window(domain),
		.address = BASE,
		.length_bytes = 1,
		.rights = MEM_REMOTE_READ};

	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_INVALID_ARGUMENT);
	attr = attr_of(1, 64, MEM_REMOTE_READ);
	attr.region = plain;
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_BAD_REGION);
	attr.region = NULL;
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_BAD_REGION);
	ASSERT_STATUS(mem_fast_invalidate_prepare(domain, plain), RC_BAD_REGION);
	ASSERT_STATUS(mem_fast_invalidate(
			      domain, plain, mem_region_key(plain), QPN, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_fast_query(domain, plain, &info), RC_BAD_REGION);
	ASSERT_STATUS(mem_fast_create(domain, 0, true, NULL, &none), RC_INVALID_ARGUMENT);
	ASSERT_STATUS(mem_fast_create(domain, LIMIT_REGION_BUFFERS + 1, true, NULL, &none),
		RC_INVALID_ARGUMENT);
	cr_assert_null(none);
	ASSERT_STATUS(mem_fast_create(domain, 1, false, NULL, &local), RC_OK);
	attr.region = local;
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_NO_RIGHTS);
	attr.rights = MEM_LOCAL_WRITE;
	ASSERT_STATUS(mem_fast_prepare(domain, &attr, &fast), RC_OK);
	ASSERT_STATUS(mem_fast_execute(domain, &fast, QPN), RC_OK);
	enter(1, 64, ALL);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, QPN), RC_BAD_START);
	bind.address = 0;
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, QPN), RC_BAD_START);
}

/**
 * If the table has no room for all entries of a fast region, mem_fast_create() fails, and frees all
 * entries and keys.
 */
Test(mem_fast, table_full_is_no_resources)
{
	struct mem_domain *small = fixture_domain(64, 2 * (MEM_FAST_BODIES + 1) - 1, 72);
	struct mem_region *one, *two = NULL;
	uint64_t release;

	ASSERT_STATUS(mem_fast_create(small, 4, true, NULL, &one), RC_OK);
	for (unsigned int i = 0; i < 5; i++)
		ASSERT_STATUS(mem_fast_create(small, 4, true, NULL, &two), RC_NO_RESOURCES);
	cr_assert_null(two);
	cr_assert_eq(fixture_stats(small).key_slots_used, 1);
	for (unsigned int i = 0; i < MEM_FAST_BODIES; i++)
		fixture_region(small, BASE, memory, 64, 0);
	ASSERT_STATUS(mem_region_deregister(small, one, &release), RC_OK);
	ASSERT_STATUS(mem_fast_create(small, 4, true, NULL, &two), RC_OK);
	mem_domain_destroy(small);
}
