/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <sys/resource.h>

#include <criterion/criterion.h>

#include "base/limits.h"
#include "mem_fixture.h"

#include "mem/domain.h"

/*
 * Test how tables grow. Existing entries keep their address and meaning. If a domain cannot grow,
 * it returns an error and stays usable.
 */

#define BASE       UINT64_C(0x10000000)
#define BYTES      4096u
#define OWNER      0x77u
#define SLOTS      64u
#define WINDOWS    20000u
#define REGION_MAX 1000u

static uint8_t memory[BYTES];
static struct base_random random_source;

static enum rc_status
try_create(uint32_t slots, uint32_t slots_max, uint32_t handles, struct mem_domain **domain)
{
	test_eal_init();
	fixture_seed(&random_source, 81);
	return mem_domain_create(&(struct mem_domain_config){.key_slots = slots,
					 .key_slots_max = slots_max,
					 .region_max = RTE_MIN(handles, REGION_MAX),
					 .window_max = handles,
					 .reader_max = 1,
					 .socket_id = SOCKET_ID_ANY,
					 .random = &random_source},
		domain);
}

static struct mem_domain *
domain_make(uint32_t slots, uint32_t slots_max, uint32_t handles)
{
	struct mem_domain *domain = NULL;

	ASSERT_STATUS(try_create(slots, slots_max, handles, &domain), RC_OK);
	return domain;
}

static enum mem_refusal
check(const struct mem_domain *domain, uint32_t key, uint64_t address)
{
	return fixture_check(domain,
		(struct mem_access){.key = key,
			.owner = OWNER,
			.address = address,
			.length_bytes = 1,
			.rights = MEM_REMOTE_READ});
}

/*
 * @return offset of the byte that this window covers. All windows cover different bytes, so an
 * access through a wrong window is detected.
 */

static uint64_t
byte_of(uint32_t number)
{
	return BASE + number % BYTES;
}

struct many {
	struct mem_domain *domain;
	struct mem_region *region;
	struct mem_window **windows;
	uint32_t *keys;
	uint32_t count;
};

static void
many_bind(struct many *many, uint32_t count)
{
	many->windows = calloc(count, sizeof(*many->windows));
	many->keys = calloc(count, sizeof(*many->keys));
	for (many->count = 0; many->count < count; many->count++) {
		uint32_t i = many->count, before = i / 2;

		many->windows[i] = fixture_window(many->domain);
		many->keys[i] = fixture_bind(many->domain,
			(struct mem_bind){.region = many->region,
				.window = many->windows[i],
				.address = byte_of(i),
				.length_bytes = 1,
				.rights = MEM_REMOTE_READ},
			OWNER);
		cr_assert_eq(check(many->domain, many->keys[before], byte_of(before)), MEM_ALLOWED,
			"window %u after %u", before, i);
	}
}

static void
many_check(const struct many *many)
{
	for (uint32_t i = 0; i < many->count; i++) {
		cr_assert(mem_window_alive(many->domain, many->windows[i]), "window %u", i);
		cr_assert_eq(check(many->domain, many->keys[i], byte_of(i)), MEM_ALLOWED,
			"window %u", i);
		cr_assert_eq(check(many->domain, many->keys[i], byte_of(i) + 1), MEM_REFUSED_RANGE,
			"window %u", i);
	}
}

static void
many_drop(struct many *many)
{
	free(many->windows);
	free(many->keys);
	mem_domain_destroy(many->domain);
}

Test(mem_grow, key_table_doubles_at_five_handles_per_eight_slots)
{
	struct many many = {.domain = domain_make(SLOTS, LIMIT_KEY_SLOTS, WINDOWS)};
	struct mem_domain_stats stats = fixture_stats(many.domain);
	const void *tokens = many.domain->tokens.tokens, *windows = many.domain->windows;
	bool slots_used[32768] = {0};

	cr_assert_eq(stats.key_slots, SLOTS);
	many.region = fixture_region(many.domain, BASE, memory, BYTES, FIXTURE_RIGHTS);
	many_bind(&many, WINDOWS);
	many_check(&many);
	stats = fixture_stats(many.domain);
	cr_assert_eq(stats.windows_bound, WINDOWS);
	cr_assert_eq(stats.key_slots, 32768, "%u slots", stats.key_slots);
	cr_assert_eq(many.domain->tokens.tokens, tokens, "tables never move");
	cr_assert_eq(many.domain->windows, windows);
	for (uint32_t i = 0; i < WINDOWS; i++) {
		uint32_t slot = mem_key_slot(many.keys[i]);

		cr_assert(slot > 0 && slot < 32768, "slot %u", slot);
		cr_assert_not(slots_used[slot], "slot %u twice", slot);
		slots_used[slot] = true;
	}
	many_drop(&many);
}

Test(mem_grow, slots_that_were_added_are_drawn_like_the_others)
{
	struct many many = {.domain = domain_make(SLOTS, LIMIT_KEY_SLOTS, WINDOWS)};
	uint32_t upper_half = 0, count = 8000;

	many.region = fixture_region(many.domain, BASE, memory, BYTES, FIXTURE_RIGHTS);
	/* The table has grown to 16384 slots at 5120 handles, so a bind may get any slot. */
	many_bind(&many, count);
	cr_assert_eq(fixture_stats(many.domain).key_slots, 16384);
	for (uint32_t i = 0; i < count; i++) {
		ASSERT_STATUS(mem_window_invalidate(many.domain, many.windows[i], OWNER), RC_OK);
		many.keys[i] = fixture_bind(many.domain,
			(struct mem_bind){.region = many.region,
				.window = many.windows[i],
				.address = byte_of(i),
				.length_bytes = 1},
			OWNER);
		upper_half += mem_key_slot(many.keys[i]) >= 8192;
	}
	/*
	 * About half of the keys must be in new slots. The share is larger while old slots cannot
	 * be reused. The lower limit is 7 standard deviations below half.
	 */
	cr_assert_gt(upper_half, count / 2 - 313, "%u of %u", upper_half, count);
	cr_assert_lt(upper_half, count * 3 / 4, "%u of %u", upper_half, count);
	many_drop(&many);
}

Test(mem_grow, handles_end_at_the_configured_number)
{
	struct many many = {.domain = domain_make(SLOTS, SLOTS, 40)};
	struct mem_window *window = NULL;

	many.region = fixture_region(many.domain, BASE, memory, BYTES, FIXTURE_RIGHTS);
	many_bind(&many, 40);
	for (int again = 0; again < 2; again++)
		ASSERT_STATUS(mem_window_create(many.domain, NULL, &window), RC_NO_RESOURCES);
	cr_assert_eq(fixture_stats(many.domain).key_slots, SLOTS);
	many_check(&many);
	ASSERT_STATUS(
		mem_window_destroy(many.domain, many.windows[7], &(struct mem_grace){0}), RC_OK);
	ASSERT_STATUS(mem_window_create(many.domain, NULL, &window), RC_OK);
	cr_assert_eq(window, many.windows[7], "the only free one");
	many_drop(&many);
}

Test(mem_grow, regions_grow_as_well)
{
	struct mem_domain *domain = domain_make(SLOTS, LIMIT_KEY_SLOTS, REGION_MAX);
	struct mem_region *regions[REGION_MAX], *more = NULL;

	for (uint32_t i = 0; i < REGION_MAX; i++)
		regions[i] = fixture_region(
			domain, BASE + i, memory + i, BYTES - REGION_MAX, FIXTURE_RIGHTS);
	ASSERT_STATUS(fixture_try_region(domain, BASE, memory, BYTES, 0, &more), RC_NO_RESOURCES);
	for (uint32_t i = 0; i < REGION_MAX; i++) {
		cr_assert(mem_region_alive(domain, regions[i]));
		cr_assert_eq(mem_region_base(regions[i]), BASE + i);
		cr_assert_eq(check(domain, mem_region_key(regions[i]), BASE + i), MEM_ALLOWED);
		cr_assert_eq(
			check(domain, mem_region_key(regions[i]), BASE + i - 1), MEM_REFUSED_RANGE);
	}
	cr_assert_eq(fixture_stats(domain).key_slots, 2048);
	mem_domain_destroy(domain);
}

Test(mem_grow, sixteen_million_slots_are_reached)
{
	struct mem_domain *domain = domain_make(1u << 23, LIMIT_KEY_SLOTS, 4);
	struct mem_key_pool *keys = &domain->shared->keys;
	uint32_t key = 0, highest = 0;

	ASSERT_STATUS(mem_token_table_prepare(&domain->tokens), RC_OK);
	ASSERT_STATUS(mem_key_pool_prepare(keys), RC_OK);
	mem_token_table_widen(&domain->tokens);
	mem_key_pool_widen(keys);
	mem_key_pool_add(&domain->tokens, 0, keys, 1u << 23, 1u << 23);
	ASSERT_STATUS(mem_token_table_prepare(&domain->tokens), RC_NO_RESOURCES);
	for (uint32_t i = 0; i < 1000; i++) {
		cr_assert_not_null(mem_token_reserve(&domain->tokens, keys, &key));
		highest = RTE_MAX(highest, mem_key_slot(key));
	}
	cr_assert_gt(highest, (1u << 24) - (1u << 19), "seed 81");
	cr_assert_eq(keys->free_count + 1 + 1000, (1u << 24) - 1, "one is drawn ahead");
	mem_domain_destroy(domain);
}

static void
limit_set(int resource, rlim_t bytes)
{
	struct rlimit limit;

	cr_assert_eq(getrlimit(resource, &limit), 0);
	limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
	cr_assert_eq(setrlimit(resource, &limit), 0);
}

/* The test cannot set a limit with sanitizers, because they reserve terabytes of address space. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#ifndef SANITIZED
Test(mem_grow, no_address_space_is_refused)
{
	struct mem_domain *domain = NULL;

	test_eal_init();
	limit_set(RLIMIT_AS, 1);
	ASSERT_STATUS(try_create(SLOTS, LIMIT_KEY_SLOTS, 1000, &domain), RC_NO_RESOURCES);
	limit_set(RLIMIT_AS, 0);
	cr_assert_null(domain);
	ASSERT_STATUS(try_create(SLOTS, LIMIT_KEY_SLOTS, 1000, &domain), RC_OK);
	mem_domain_destroy(domain);
	mem_domain_destroy(NULL);
}
#endif

Test(mem_grow, no_memory_is_refused_and_harms_nothing)
{
	struct many many = {.domain = domain_make(SLOTS, LIMIT_KEY_SLOTS, WINDOWS)};
	struct mem_window *window = NULL;
	enum rc_status status = RC_OK;
	uint32_t created = 0;

	many.region = fixture_region(many.domain, BASE, memory, BYTES, FIXTURE_RIGHTS);
	many_bind(&many, 10);
	/* Limit the private writable memory, so that tables cannot grow. */
	limit_set(RLIMIT_DATA, 1);
	for (; status == RC_OK; created += status == RC_OK) {
		cr_assert_lt(created, WINDOWS);
		status = mem_window_create(many.domain, NULL, &window);
	}
	cr_assert_eq(status, RC_NO_RESOURCES);
	ASSERT_STATUS(mem_window_create(many.domain, NULL, &window), RC_NO_RESOURCES);
	many_check(&many);
	limit_set(RLIMIT_DATA, 0);
	for (uint32_t i = 0; i < 10000; i++)
		(void)fixture_window(many.domain);
	many_check(&many);
	many_drop(&many);
}
