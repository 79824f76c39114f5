/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

#include "base/limits.h"

#define BASE UINT64_C(0x10000)

static uint8_t memory[4096];

static enum rc_status
try_create(struct mem_domain_config config)
{
	struct mem_domain *domain = NULL;
	enum rc_status status = mem_domain_create(&config, &domain);

	mem_domain_destroy(domain);
	return status;
}

Test(mem_region, domain_of_bad_configuration_is_refused)
{
	struct base_random random;
	struct mem_domain_config good = {.key_slots = 64,
		.key_slots_max = LIMIT_KEY_SLOTS,
		.region_max = 1,
		.window_max = 1,
		.reader_max = 1,
		.socket_id = SOCKET_ID_ANY,
		.random = &random};
	struct mem_domain_config bad;

	test_eal_init();
	fixture_seed(&random, 1);
	ASSERT_STATUS(try_create(good), RC_OK);
	for (int slots = 0; slots < 4; slots++) {
		bad = good;
		bad.key_slots = (const uint32_t[]){0, 32, 96, LIMIT_KEY_SLOTS * 2}[slots];
		ASSERT_STATUS(try_create(bad), RC_INVALID_ARGUMENT);
	}
	bad = good;
	bad.region_max = 0;
	ASSERT_STATUS(try_create(bad), RC_INVALID_ARGUMENT);
	bad = good;
	bad.window_max = 0;
	ASSERT_STATUS(try_create(bad), RC_INVALID_ARGUMENT);
	bad = good;
	bad.reader_max = 0;
	ASSERT_STATUS(try_create(bad), RC_INVALID_ARGUMENT);
	bad = good;
	bad.random = NULL;
	ASSERT_STATUS(try_create(bad), RC_INVALID_ARGUMENT);
}

Test(mem_region, registered_answers_queries)
{
	struct mem_domain *domain = fixture_domain(64, 4, 2);
	struct mem_buffer buffers[] = {{memory, 100}, {memory + 500, 23}};
	struct mem_region_attr attr = {.base = BASE,
		.buffers = buffers,
		.buffer_count = 2,
		.rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND,
		.cookie = &domain};
	struct mem_region *region = NULL;

	ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_OK);
	cr_assert(mem_region_alive(domain, region));
	cr_assert_eq(mem_region_base(region), BASE);
	cr_assert_eq(mem_region_length(region), 123, "%" PRIu64, mem_region_length(region));
	cr_assert_eq(mem_region_rights(region), MEM_LOCAL_WRITE | MEM_READ_SINK | MEM_WINDOW_BIND);
	cr_assert_eq(mem_region_cookie(region), (void *)&domain);
	cr_assert_neq(mem_region_key(region), 0);
	cr_assert_eq(fixture_stats(domain).regions, 1);
	cr_assert_eq(fixture_stats(domain).key_slots_used, 1);
	mem_domain_destroy(domain);
}

/** SEC-016: a registration is refused if its range is empty, overflows or is too long. */
Test(mem_region, bad_buffers_are_refused)
{
	struct mem_domain *domain = fixture_domain(64, 4, 3);
	struct mem_buffer one = {memory, 16};
	struct mem_buffer empty[] = {{memory, 16}, {memory + 16, 0}};
	struct mem_buffer nowhere[] = {{memory, 16}, {NULL, 16}};
	struct mem_buffer huge = {memory, LIMIT_REGION_BYTES + 1};
	struct mem_buffer together[] = {{memory, LIMIT_REGION_BYTES - 8}, {memory, 9}};
	struct mem_buffer sum_wraps[] = {{memory, 16}, {memory, UINT64_MAX - 8}};
	struct mem_buffer end_wraps = {(void *)(UINTPTR_MAX - 7), 16};
	struct {
		const struct mem_buffer *buffers;
		uint32_t count;
	} bad[] = {{NULL, 1}, {&one, 0}, {&one, LIMIT_REGION_BUFFERS + 1}, {empty, 2}, {nowhere, 2},
		{&huge, 1}, {together, 2}, {sum_wraps, 2}, {&end_wraps, 1}};
	struct mem_region *region = NULL;

	for (size_t i = 0; i < RTE_DIM(bad); i++) {
		enum rc_status status = mem_region_register(domain,
			&(struct mem_region_attr){.base = BASE,
				.buffers = bad[i].buffers,
				.buffer_count = bad[i].count},
			&region);

		cr_assert_eq(
			status, RC_INVALID_ARGUMENT, "case %zu: %s", i, rc_status_name(status));
	}
	cr_assert_eq(fixture_stats(domain).key_slots_used, 0);
	mem_domain_destroy(domain);
}

Test(mem_region, end_that_wraps_is_refused)
{
	struct mem_domain *domain = fixture_domain(64, 4, 4);
	struct mem_region *region = NULL;

	ASSERT_STATUS(fixture_try_region(domain, UINT64_MAX - 15, memory, 16, 0, &region),
		RC_INVALID_ARGUMENT);
	ASSERT_STATUS(
		fixture_try_region(domain, UINT64_MAX, memory, 1, 0, &region), RC_INVALID_ARGUMENT);
	ASSERT_STATUS(fixture_try_region(domain, UINT64_MAX - 16, memory, 16, 0, &region), RC_OK);
	ASSERT_STATUS(fixture_try_region(domain, 0, memory, 16, 0, &region), RC_OK);
	mem_domain_destroy(domain);
}

/** RC-151: a region with remote write rights must have the local write right. */
Test(mem_region, rights_that_need_local_write_are_refused_without)
{
	struct mem_domain *domain = fixture_domain(64, 64, 5);
	struct mem_region *region = NULL;

	for (uint32_t rights = 0; rights < 128; rights++) {
		bool writes = (rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0;
		bool valid = rights < 64 && (!writes || (rights & MEM_LOCAL_WRITE) != 0);
		enum rc_status status =
			fixture_try_region(domain, BASE, memory, 16, rights, &region);

		cr_assert_eq(status, valid ? RC_OK : RC_INVALID_ARGUMENT, "rights %#x: %s", rights,
			rc_status_name(status));
	}
	mem_domain_destroy(domain);
}

Test(mem_region, table_full_is_no_resources)
{
	struct mem_domain *domain = fixture_domain(64, 2, 6);
	struct mem_region *first = fixture_region(domain, BASE, memory, 16, 0);
	struct mem_region *region = fixture_region(domain, BASE, memory, 16, 0);
	uint64_t token;

	ASSERT_STATUS(fixture_try_region(domain, BASE, memory, 16, 0, &region), RC_NO_RESOURCES);
	cr_assert_eq(fixture_stats(domain).key_slots_used, 2, "a failed call keeps no key");
	ASSERT_STATUS(mem_region_deregister(domain, first, &token), RC_OK);
	ASSERT_STATUS(fixture_try_region(domain, BASE, memory, 16, 0, &region), RC_OK);
	mem_domain_destroy(domain);
}

Test(mem_region, handle_that_is_none_is_bad_region)
{
	struct mem_domain *domain = fixture_domain(64, 4, 7), *other = fixture_domain(64, 4, 8);
	struct mem_region *region = fixture_region(domain, BASE, memory, 16, 0);
	struct mem_region *foreign = fixture_region(other, BASE, memory, 16, 0);
	struct mem_region *handles[] = {NULL, foreign, (struct mem_region *)((char *)region + 1),
		(struct mem_region *)((char *)region + 64), (struct mem_region *)memory,
		(struct mem_region *)UINTPTR_MAX, (struct mem_region *)(UINTPTR_MAX - 127),
		(struct mem_region *)((char *)region + 64 * 128),
		(struct mem_region *)((char *)region - 128)};
	uint64_t token;

	for (size_t i = 0; i < RTE_DIM(handles); i++) {
		cr_assert_not(mem_region_alive(domain, handles[i]), "handle %zu", i);
		ASSERT_STATUS(mem_region_deregister(domain, handles[i], &token), RC_BAD_REGION);
		cr_assert_eq(
			mem_region_invalidate_windows(domain, handles[i], &(struct mem_grace){0}),
			0);
		cr_assert_eq(mem_region_windows(domain, handles[i], BASE, 16, NULL, 0), 0);
	}
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	cr_assert_not(mem_region_alive(domain, region));
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_BAD_REGION);
	cr_assert_eq(fixture_stats(domain).regions, 0);
	mem_domain_destroy(domain);
	mem_domain_destroy(other);
}

Test(mem_region, freed_handle_is_the_last_to_be_used_again)
{
	struct mem_domain *domain = fixture_domain(256, 8, 9);
	struct mem_region *stale = fixture_region(domain, BASE, memory, 16, 0), *region;
	uint64_t token;

	ASSERT_STATUS(mem_region_deregister(domain, stale, &token), RC_OK);
	for (int i = 0; i < 7; i++) {
		region = fixture_region(domain, BASE, memory, 16, 0);
		cr_assert_neq(region, stale, "registration %d", i);
		cr_assert_not(mem_region_alive(domain, stale));
		ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	}
	mem_domain_destroy(domain);
}

Test(mem_region, deregister_kills_the_key)
{
	struct mem_domain *domain = fixture_domain(64, 4, 10);
	struct mem_region *region = fixture_region(domain, BASE, memory, 16, FIXTURE_RIGHTS);
	struct mem_access access = {.key = mem_region_key(region),
		.owner = 5,
		.address = BASE,
		.length_bytes = 16,
		.rights = MEM_REMOTE_READ};
	uint64_t token;

	cr_assert_eq(fixture_check(domain, access), MEM_ALLOWED);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_KEY);
	mem_domain_destroy(domain);
}

/** RC-155: mem_region_deregister() returns RC_BUSY while a window is bound to the region. */
/* B-083: memory stays registered while a window is bound to it. */
Test(mem_region, deregister_waits_for_bound_windows)
{
	struct mem_domain *domain = fixture_domain(64, 4, 11);
	struct mem_region *region = fixture_region(domain, BASE, memory, 16, FIXTURE_RIGHTS);
	struct mem_window *window = fixture_window(domain);
	uint64_t token;

	fixture_bind(domain,
		(struct mem_bind){
			.region = region, .window = window, .address = BASE, .length_bytes = 1},
		7);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_BUSY);
	cr_assert(mem_region_alive(domain, region));
	ASSERT_STATUS(mem_window_invalidate(domain, window, 7), RC_OK);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	mem_domain_destroy(domain);
}

Test(mem_region, deregister_waits_for_queued_binds)
{
	struct mem_domain *domain = fixture_domain(64, 4, 12);
	struct mem_region *region = fixture_region(domain, BASE, memory, 16, FIXTURE_RIGHTS);
	struct mem_bind bind = {.region = region,
		.window = fixture_window(domain),
		.address = BASE,
		.length_bytes = 1};
	uint64_t token;

	ASSERT_STATUS(mem_bind_prepare(domain, &bind, 1), RC_OK);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_BUSY);
	mem_bind_cancel(domain, &bind);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	mem_domain_destroy(domain);
}

Test(mem_region, handle_is_not_reused_before_readers_are_quiescent)
{
	struct mem_domain *domain = fixture_domain(64, 1, 13);
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(domain);
	struct mem_buffer buffers[] = {{memory, 16}, {memory + 32, 16}};
	struct mem_region_attr attr = {
		.base = BASE, .buffers = buffers, .buffer_count = 2, .rights = MEM_REMOTE_READ};
	struct mem_region *region = NULL;
	struct mem_span span;
	uint8_t bytes[32];
	uint64_t token;

	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 0), 0);
	rte_rcu_qsbr_thread_online(qsbr, 0);
	memset(memory, 0x5A, sizeof(memory));
	ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_OK);
	cr_assert_eq(mem_check_remote(domain,
			     &(struct mem_access){.key = mem_region_key(region),
				     .address = BASE,
				     .length_bytes = 32,
				     .rights = MEM_REMOTE_READ},
			     &span),
		MEM_ALLOWED);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	cr_assert_not(mem_region_released(domain, token));
	ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_NO_RESOURCES);

	mem_span_read(&span, 0, bytes, sizeof(bytes));
	cr_assert_eq(bytes[31], 0x5A);

	rte_rcu_qsbr_quiescent(qsbr, 0);
	cr_assert(mem_region_released(domain, token));
	ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_OK);
	rte_rcu_qsbr_thread_offline(qsbr, 0);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	cr_assert(mem_region_released(domain, token), "who is offline is not waited for");
	mem_domain_destroy(domain);
}

Test(mem_region, found_by_its_key_while_it_lives)
{
	struct mem_domain *domain = fixture_domain(64, 8, 9);
	struct mem_region *regions[4];
	struct mem_window *window = fixture_window(domain);
	uint32_t keys[4], bound;
	uint64_t release;

	for (uint32_t i = 0; i < 4; i++) {
		regions[i] = fixture_region(domain, BASE, memory, 64, FIXTURE_RIGHTS);
		keys[i] = mem_region_key(regions[i]);
	}
	bound = fixture_bind(domain,
		(struct mem_bind){.region = regions[0],
			.window = window,
			.address = BASE,
			.length_bytes = 64,
			.rights = MEM_REMOTE_READ},
		77);
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert_eq(mem_region_find(domain, keys[i]), regions[i]);
		for (uint32_t bit = 0; bit < 32; bit++) {
			uint32_t key = keys[i] ^ UINT32_C(1) << bit;
			bool other = key == keys[0] || key == keys[1] || key == keys[2] ||
				key == keys[3];

			cr_assert(other || mem_region_find(domain, key) == NULL, "bit %u", bit);
		}
	}
	cr_assert_null(mem_region_find(domain, 0));
	cr_assert_null(mem_region_find(domain, bound), "the key of a window");
	ASSERT_STATUS(mem_region_deregister(domain, regions[1], &release), RC_OK);
	cr_assert_null(mem_region_find(domain, keys[1]));
	cr_assert_eq(mem_region_find(domain, keys[2]), regions[2]);
	mem_domain_destroy(domain);
}
