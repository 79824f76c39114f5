/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

#define BASE   UINT64_C(0x7f0000001000)
#define LENGTH UINT64_C(4096)
#define OWNER  UINT32_C(0x4711)
#define OTHER  UINT32_C(0x815)

static uint8_t memory[4096];
static struct mem_domain *domain;
static struct mem_region *region;
static struct mem_window *window;

static void
setup(void)
{
	domain = fixture_domain(256, 16, 31);
	region = fixture_region(domain, BASE, memory, LENGTH, FIXTURE_RIGHTS);
	window = fixture_window(domain);
}

static void
teardown(void)
{
	mem_domain_destroy(domain);
}

TestSuite(mem_window, .init = setup, .fini = teardown);

static struct mem_bind
bind_of(uint64_t address, uint64_t length_bytes, uint32_t rights)
{
	return (struct mem_bind){.region = region,
		.window = window,
		.address = address,
		.length_bytes = length_bytes,
		.rights = rights};
}

static enum rc_status
try_prepare(struct mem_bind bind)
{
	return mem_bind_prepare(domain, &bind, OWNER);
}

static enum mem_refusal
check_read(uint32_t key, uint32_t owner)
{
	return fixture_check(domain,
		(struct mem_access){.key = key,
			.owner = owner,
			.address = BASE,
			.length_bytes = 1,
			.rights = MEM_REMOTE_READ});
}

static void
assert_stats(uint32_t bound, uint32_t queued)
{
	struct mem_domain_stats stats = fixture_stats(domain);

	cr_assert_eq(stats.windows_bound, bound, "%u bound, not %u", stats.windows_bound, bound);
	cr_assert_eq(stats.binds_queued, queued, "%u queued, not %u", stats.binds_queued, queued);
	cr_assert_eq(stats.key_slots_used, 1 + bound + queued, "%u slots", stats.key_slots_used);
}

/** RC-153: the range of a window must be inside its region. */
Test(mem_window, bind_range_is_checked_without_wrap)
{
	ASSERT_STATUS(try_prepare(bind_of(BASE - 1, 1, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(BASE + LENGTH, 1, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(0, 1, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(UINT64_MAX, 1, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(UINT64_MAX, UINT64_MAX, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(BASE - 1, LENGTH + 2, 0)), RC_BAD_START);
	ASSERT_STATUS(try_prepare(bind_of(BASE, LENGTH + 1, 0)), RC_BAD_END);
	ASSERT_STATUS(try_prepare(bind_of(BASE + LENGTH - 1, 2, 0)), RC_BAD_END);
	ASSERT_STATUS(try_prepare(bind_of(BASE + 1, UINT64_MAX, 0)), RC_BAD_END);
	ASSERT_STATUS(try_prepare(bind_of(BASE + 1, UINT64_MAX - BASE, 0)), RC_BAD_END);
	ASSERT_STATUS(try_prepare(bind_of(BASE + 1, -(BASE + 1), 0)), RC_BAD_END);
	assert_stats(0, 0);
	ASSERT_STATUS(try_prepare(bind_of(BASE, LENGTH, 0)), RC_OK);
}

Test(mem_window, bind_of_no_bytes_is_refused)
{
	ASSERT_STATUS(try_prepare(bind_of(BASE, 0, 0)), RC_BAD_END);
	ASSERT_STATUS(try_prepare(bind_of(BASE + LENGTH, 0, 0)), RC_BAD_START);
	assert_stats(0, 0);
}

Test(mem_window, bind_of_bad_handles_is_refused)
{
	struct mem_bind bind = bind_of(BASE, 1, 0);
	struct mem_domain *other = fixture_domain(64, 4, 32);
	struct mem_region *old = fixture_region(domain, BASE, memory, 1, FIXTURE_RIGHTS);
	struct mem_window *gone = fixture_window(domain);
	uint64_t token;

	bind.region = NULL;
	ASSERT_STATUS(try_prepare(bind), RC_BAD_REGION);
	bind.region = fixture_region(other, BASE, memory, 1, FIXTURE_RIGHTS);
	ASSERT_STATUS(try_prepare(bind), RC_BAD_REGION);
	ASSERT_STATUS(mem_region_deregister(domain, old, &token), RC_OK);
	bind.region = old;
	ASSERT_STATUS(try_prepare(bind), RC_BAD_REGION);

	bind = bind_of(BASE, 1, 0);
	bind.window = NULL;
	ASSERT_STATUS(try_prepare(bind), RC_BAD_WINDOW);
	bind.window = fixture_window(other);
	ASSERT_STATUS(try_prepare(bind), RC_BAD_WINDOW);
	bind.window = (struct mem_window *)((char *)window + 8);
	ASSERT_STATUS(try_prepare(bind), RC_BAD_WINDOW);
	ASSERT_STATUS(mem_window_destroy(domain, gone, &(struct mem_grace){0}), RC_OK);
	bind.window = gone;
	ASSERT_STATUS(try_prepare(bind), RC_BAD_WINDOW);
	assert_stats(0, 0);
	mem_domain_destroy(other);
}

/** RC-153, ND-027: a window can have only rights that its region has. */
Test(mem_window, bind_rights_depend_on_the_region)
{
	uint32_t remote = MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC;

	for (uint32_t has = 0; has < 32; has++) {
		struct mem_region *tried = NULL;
		uint64_t token;

		if (fixture_try_region(domain, BASE, memory, LENGTH, has, &tried) != RC_OK)
			continue;
		for (uint32_t wanted = 0; wanted < 64; wanted++) {
			bool writes = (wanted & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0;
			bool valid = (has & MEM_WINDOW_BIND) != 0 && (wanted & ~remote) == 0 &&
				(!writes || (has & MEM_LOCAL_WRITE) != 0);
			struct mem_bind bind = bind_of(BASE, LENGTH, wanted);
			enum rc_status status;

			bind.region = tried;
			status = mem_bind_prepare(domain, &bind, OWNER);
			cr_assert_eq(status, valid ? RC_OK : RC_NO_RIGHTS, "%#x on %#x: %s", wanted,
				has, rc_status_name(status));
			if (valid)
				mem_bind_cancel(domain, &bind);
		}
		ASSERT_STATUS(mem_region_deregister(domain, tried, &token), RC_OK);
	}
}

Test(mem_window, key_is_dead_until_the_bind_executes)
{
	struct mem_bind bind = bind_of(BASE, 16, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	cr_assert_neq(bind.key, 0);
	assert_stats(0, 1);
	cr_assert_eq(check_read(bind.key, OWNER), MEM_REFUSED_KEY);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, OWNER), RC_OK);
	assert_stats(1, 0);
	cr_assert_eq(check_read(bind.key, OWNER), MEM_ALLOWED);
}

Test(mem_window, second_bind_is_already_bound)
{
	struct mem_bind bind = bind_of(BASE, 16, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_ALREADY_BOUND);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_ALREADY_BOUND);
	assert_stats(1, 0);
}

Test(mem_window, bind_behind_a_posted_invalidate_is_accepted)
{
	uint32_t first = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);
	struct mem_bind bind = bind_of(BASE, 8, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	cr_assert_neq(bind.key, first);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 4, 0)), RC_ALREADY_BOUND);
	cr_assert_eq(check_read(first, OWNER), MEM_ALLOWED, "not executed yet");
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_OK);
	cr_assert_eq(check_read(first, OWNER), MEM_REFUSED_KEY);
	cr_assert_eq(check_read(bind.key, OWNER), MEM_REFUSED_KEY);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 4, 0)), RC_ALREADY_BOUND);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, OWNER), RC_OK);
	cr_assert_eq(check_read(bind.key, OWNER), MEM_ALLOWED);
	cr_assert_eq(check_read(first, OWNER), MEM_REFUSED_KEY);
	assert_stats(1, 0);
}

Test(mem_window, whole_life_may_be_posted_at_once)
{
	struct mem_bind first = bind_of(BASE, 16, MEM_REMOTE_READ), second = first;

	ASSERT_STATUS(mem_bind_prepare(domain, &first, OWNER), RC_OK);
	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_prepare(domain, &second, OWNER), RC_OK);
	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	assert_stats(0, 2);
	ASSERT_STATUS(mem_bind_execute(domain, &first, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_execute(domain, &second, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_OK);
	assert_stats(0, 0);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_OK);
}

Test(mem_window, bind_that_overtakes_the_invalidate_fails)
{
	uint32_t first = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);
	struct mem_bind bind = bind_of(BASE, 8, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, OTHER), RC_BIND_FAILED);
	cr_assert_eq(check_read(bind.key, OTHER), MEM_REFUSED_KEY);
	cr_assert_eq(check_read(first, OWNER), MEM_ALLOWED);
	assert_stats(1, 0);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 4, 0)), RC_ALREADY_BOUND);
}

Test(mem_window, cancelled_bind_leaves_the_window_free)
{
	struct mem_bind bind = bind_of(BASE, 16, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_destroy(domain, window, &(struct mem_grace){0}), RC_BUSY);
	mem_bind_cancel(domain, &bind);
	assert_stats(0, 0);
	cr_assert_eq(check_read(bind.key, OWNER), MEM_REFUSED_KEY);
	cr_assert_eq(fixture_stats(domain).key_slots_resting, 1);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_OK);
}

Test(mem_window, flushed_bind_behind_a_flushed_invalidate_leaves_it_bound)
{
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);
	struct mem_bind bind = bind_of(BASE, 8, 0);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	mem_bind_cancel(domain, &bind);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_ALREADY_BOUND);
	cr_assert_eq(check_read(key, OWNER), MEM_ALLOWED);
	cr_assert_eq(mem_owner_invalidate(domain, OWNER), 1);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_OK);
}

Test(mem_window, invalidate_by_another_queue_pair_fails)
{
	struct mem_key_end loser;
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OTHER), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OTHER, &loser), RC_INVALIDATE_FAILED);
	cr_assert_eq(check_read(key, OWNER), MEM_ALLOWED);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_ALREADY_BOUND);
}

Test(mem_window, queued_invalidate_leaves_the_next_window_of_the_handle_alone)
{
	struct mem_window *gone = window;
	uint8_t life = mem_window_life(window);
	struct mem_bind next;

	ASSERT_STATUS(mem_invalidate_prepare(domain, gone, OWNER), RC_OK);
	do {
		ASSERT_STATUS(mem_window_destroy(domain, window, &(struct mem_grace){0}), RC_OK);
		window = fixture_window(domain);
	} while (window != gone);
	next = bind_of(BASE, 16, MEM_REMOTE_READ);
	ASSERT_STATUS(mem_bind_prepare(domain, &next, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_execute(domain, &next, OWNER), RC_OK);
	ASSERT_STATUS(mem_invalidate_execute(domain, gone, life, OWNER, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	cr_assert_eq(check_read(next.key, OWNER), MEM_ALLOWED);
	life = mem_window_life(window);
	ASSERT_STATUS(mem_invalidate_execute(domain, window, life, OTHER, &(struct mem_grace){0}),
		RC_INVALIDATE_FAILED);
	ASSERT_STATUS(
		mem_invalidate_execute(domain, window, life, OWNER, &(struct mem_grace){0}), RC_OK);
	cr_assert_neq(check_read(next.key, OWNER), MEM_ALLOWED);
}

Test(mem_window, invalidate_of_what_is_not_bound_fails)
{
	struct mem_window *gone = fixture_window(domain);
	struct mem_key_end loser;
	uint32_t slots[] = {0, 1, 255, 256, UINT32_C(0xFFFFFF)};

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_window_destroy(domain, gone, &(struct mem_grace){0}), RC_OK);
	ASSERT_STATUS(mem_invalidate_prepare(domain, gone, OWNER), RC_BAD_WINDOW);
	ASSERT_STATUS(mem_window_invalidate(domain, gone, OWNER), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_invalidate_prepare(domain, NULL, OWNER), RC_BAD_WINDOW);
	ASSERT_STATUS(mem_window_invalidate(domain, NULL, OWNER), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, mem_region_key(region), OWNER, &loser),
		RC_INVALIDATE_FAILED);
	for (size_t i = 0; i < RTE_DIM(slots); i++)
		for (uint32_t tag = 0; tag < 256; tag++)
			ASSERT_STATUS(
				mem_key_invalidate(domain, slots[i] << 8 | tag, OWNER, &loser),
				RC_INVALIDATE_FAILED);
	cr_assert_null(loser.window);
	cr_assert(mem_region_alive(domain, region));
}

Test(mem_window, remote_invalidate_first_makes_the_local_fail)
{
	struct mem_key_end hit;
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OWNER, &hit), RC_OK);
	cr_assert_eq(hit.window, window);
	cr_assert_eq(check_read(key, OWNER), MEM_REFUSED_KEY);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_INVALIDATE_FAILED);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OWNER, &hit), RC_INVALIDATE_FAILED);
	assert_stats(0, 0);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 16, 0)), RC_OK);
}

Test(mem_window, local_invalidate_first_makes_the_remote_fail)
{
	struct mem_key_end hit;
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);

	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OWNER, &hit), RC_INVALIDATE_FAILED);
	cr_assert_null(hit.window);
	assert_stats(0, 0);
}

Test(mem_window, remote_invalidate_spares_a_bind_queued_behind)
{
	struct mem_key_end hit;
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);
	struct mem_bind bind = bind_of(BASE, 8, MEM_REMOTE_READ);

	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OWNER, &hit), RC_OK);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 4, 0)), RC_ALREADY_BOUND);
	assert_stats(0, 1);
	mem_bind_cancel(domain, &bind);
	ASSERT_STATUS(try_prepare(bind_of(BASE, 4, 0)), RC_OK);
}

/** RC-156, RC-157: an invalidate makes the key invalid at once. Later binds change nothing. */
/* B-082: an old key is refused, even if its window is bound again. */
Test(mem_window, keys_of_earlier_binds_stay_dead)
{
	uint32_t keys[50];

	for (int i = 0; i < 50; i++) {
		keys[i] = fixture_bind(
			domain, bind_of(BASE, 16, MEM_REMOTE_READ), i % 2 ? OWNER : OTHER);
		for (int old = 0; old < i; old++) {
			cr_assert_eq(check_read(keys[old], OWNER), MEM_REFUSED_KEY);
			cr_assert_eq(check_read(keys[old], OTHER), MEM_REFUSED_KEY);
		}
		ASSERT_STATUS(mem_window_invalidate(domain, window, i % 2 ? OWNER : OTHER), RC_OK);
	}
	cr_assert_eq(fixture_stats(domain).key_slots_resting, 50);
}

Test(mem_window, owner_invalidate_takes_all_of_one_owner)
{
	uint32_t keys[12], gone;
	struct mem_grace grace;
	struct mem_window *windows[12];

	/* Owners 1 and 0x10001 have the same low bits, and the lookup begins with the low bits. */
	for (int i = 0; i < 12; i++) {
		windows[i] = i == 0 ? window : fixture_window(domain);
		window = windows[i];
		keys[i] = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ),
			(const uint32_t[]){1, 0x10001, 2}[i % 3]);
	}
	gone = mem_owner_invalidate(domain, 1);
	cr_assert_eq(gone, 4, "%u instead of 4", gone);
	cr_assert_eq(mem_owner_invalidate(domain, 1), 0);
	for (int i = 0; i < 12; i++)
		cr_assert_eq(check_read(keys[i], (const uint32_t[]){1, 0x10001, 2}[i % 3]),
			i % 3 == 0 ? MEM_REFUSED_KEY : MEM_ALLOWED, "window %d", i);
	assert_stats(8, 0);
	cr_assert_eq(mem_region_invalidate_windows(domain, region, &grace), 8);
	assert_stats(0, 0);
}

Test(mem_window, region_answers_which_windows_cover_a_range)
{
	struct mem_window *a = window, *b = fixture_window(domain), *c = fixture_window(domain);
	struct mem_window *found[3] = {0};

	fixture_bind(domain, bind_of(BASE + 10, 10, 0), OWNER); /* 10..19 */
	window = b;
	fixture_bind(domain, bind_of(BASE + 15, 10, 0), OTHER); /* 15..24 */
	window = c;
	fixture_bind(domain, bind_of(BASE + 100, 1, 0), OWNER); /* 100 */

	cr_assert_eq(mem_region_windows(domain, region, BASE, 10, NULL, 0), 0);
	cr_assert_eq(mem_region_windows(domain, region, BASE, 11, found, 3), 1);
	cr_assert_eq(found[0], a);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 19, 1, NULL, 0), 2);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 20, 1, found, 3), 1);
	cr_assert_eq(found[0], b);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 25, 75, NULL, 0), 0);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 25, 76, found, 3), 1);
	cr_assert_eq(found[0], c);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 101, 1000, NULL, 0), 0);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 10, 0, NULL, 0), 0);
	cr_assert_eq(mem_region_windows(domain, region, 0, UINT64_MAX, NULL, 0), 3);
	cr_assert_eq(mem_region_windows(domain, region, BASE + 24, UINT64_MAX, NULL, 0), 2);
	found[1] = NULL;
	cr_assert_eq(mem_region_windows(domain, region, BASE, LENGTH, found, 1), 3);
	cr_assert_null(found[1], "more than max were filled in");
}

/** RC-155: the destruction of a bound window invalidates it. */
Test(mem_window, destroy_invalidates_and_frees_the_handle)
{
	uint32_t key = fixture_bind(domain, bind_of(BASE, 16, MEM_REMOTE_READ), OWNER);
	uint64_t token;

	ASSERT_STATUS(mem_window_destroy(domain, window, &(struct mem_grace){0}), RC_OK);
	cr_assert_eq(check_read(key, OWNER), MEM_REFUSED_KEY);
	cr_assert_not(mem_window_alive(domain, window));
	ASSERT_STATUS(mem_window_destroy(domain, window, &(struct mem_grace){0}), RC_BAD_WINDOW);
	ASSERT_STATUS(mem_window_destroy(domain, NULL, &(struct mem_grace){0}), RC_BAD_WINDOW);
	cr_assert_eq(mem_owner_invalidate(domain, OWNER), 0);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	cr_assert_eq(fixture_stats(domain).windows, 0);
}

Test(mem_window, freed_handle_is_the_last_to_be_used_again)
{
	struct mem_window *stale = window, *next;
	int cookie;

	ASSERT_STATUS(mem_window_destroy(domain, stale, &(struct mem_grace){0}), RC_OK);
	for (int i = 0; i < 15; i++) {
		ASSERT_STATUS(mem_window_create(domain, &cookie, &next), RC_OK);
		cr_assert_neq(next, stale, "window %d", i);
		cr_assert_eq(mem_window_cookie(next), &cookie);
		cr_assert(mem_window_alive(domain, next));
	}
	ASSERT_STATUS(mem_window_create(domain, NULL, &next), RC_OK);
	cr_assert_eq(next, stale);
	ASSERT_STATUS(mem_window_create(domain, NULL, &next), RC_NO_RESOURCES);
}

Test(mem_window, bind_without_a_free_key_is_no_resources)
{
	struct mem_domain *tight = fixture_domain(64, 128, 33);
	struct mem_bind bind = {.region = fixture_region(tight, BASE, memory, 16, MEM_WINDOW_BIND),
		.address = BASE,
		.length_bytes = 1};

	for (int i = 0; i < 62; i++) {
		bind.window = fixture_window(tight);
		ASSERT_STATUS(mem_bind_prepare(tight, &bind, OWNER), RC_OK);
	}
	bind.window = fixture_window(tight);
	ASSERT_STATUS(mem_bind_prepare(tight, &bind, OWNER), RC_NO_RESOURCES);
	ASSERT_STATUS(mem_bind_prepare(tight, &bind, OWNER), RC_NO_RESOURCES);
	cr_assert_eq(fixture_stats(tight).binds_queued, 62);
	mem_domain_destroy(tight);
}

Test(mem_window, bound_for_any_serves_every_queue_pair)
{
	struct mem_bind bind = bind_of(BASE, LENGTH, MEM_REMOTE_READ);
	struct mem_key_end hit;
	uint32_t key;

	bind.any_owner = true;
	for (uint32_t way = 0; way < 4; way++) {
		key = fixture_bind(domain, bind, OWNER);
		cr_assert_eq(check_read(key, OWNER), MEM_ALLOWED);
		cr_assert_eq(check_read(key, OTHER), MEM_ALLOWED);
		cr_assert_eq(mem_owner_invalidate(domain, OWNER), 0);
		cr_assert_eq(mem_owner_invalidate(domain, OTHER), 0);
		cr_assert_eq(check_read(key, OTHER), MEM_ALLOWED);
		assert_stats(1, 0);
		if (way < 2)
			ASSERT_STATUS(
				mem_window_invalidate(domain, window, way ? OWNER : OTHER), RC_OK);
		else
			ASSERT_STATUS(
				mem_key_invalidate(domain, key, way == 2 ? OWNER : OTHER, &hit),
				RC_OK);
		cr_assert_eq(check_read(key, OWNER), MEM_REFUSED_KEY);
		assert_stats(0, 0);
	}
	cr_assert_eq(hit.window, window);
	bind.any_owner = false;
	key = fixture_bind(domain, bind, OWNER);
	cr_assert_eq(check_read(key, OTHER), MEM_REFUSED_OWNER);
	ASSERT_STATUS(mem_key_invalidate(domain, key, OTHER, &hit), RC_INVALIDATE_FAILED);
	cr_assert_eq(mem_owner_invalidate(domain, OWNER), 1);
}

/**
 * Windows bound for any owner stay bound when a queue pair ends, even if its QPN equals the value
 * that means any owner.
 */
Test(mem_window, windows_for_any_are_no_queue_pair_s)
{
	struct mem_bind bind = bind_of(BASE, 1, MEM_REMOTE_READ);
	struct mem_window *windows[8];

	for (uint32_t i = 0; i < 8; i++) {
		windows[i] = fixture_window(domain);
		bind.window = windows[i];
		bind.any_owner = i % 2 == 0;
		fixture_bind(domain, bind, 0xFFFFFF);
	}
	cr_assert_eq(mem_owner_invalidate(domain, 0xFFFFFF), 4);
	assert_stats(4, 0);
	for (uint32_t i = 0; i < 8; i += 2)
		ASSERT_STATUS(mem_window_invalidate(domain, windows[i], 0xFFFFFF), RC_OK);
	assert_stats(0, 0);
}

/**
 * An invalidate of a window is queued, and a bind after it fails because no key is free. The window
 * stays unchanged, and a later bind succeeds.
 */
Test(mem_window, bind_without_a_key_leaves_the_window_as_it_was)
{
	struct mem_bind others[256], bind = bind_of(BASE, 1, MEM_REMOTE_READ);
	struct mem_bind other = bind;
	uint32_t count = 0;

	fixture_bind(domain, bind, OWNER);
	ASSERT_STATUS(mem_invalidate_prepare(domain, window, OWNER), RC_OK);
	other.window = fixture_window(domain);
	while (mem_bind_prepare(domain, &other, OWNER) == RC_OK) {
		others[count++] = other;
		ASSERT_STATUS(mem_invalidate_prepare(domain, other.window, OWNER), RC_OK);
	}
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_NO_RESOURCES);
	while (count > 0)
		mem_bind_cancel(domain, &others[--count]);
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, OWNER), RC_OK);
	ASSERT_STATUS(mem_window_invalidate(domain, window, OWNER), RC_OK);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, OWNER), RC_OK);
}

/**
 * Windows were invalidated, and their grace period has not ended. A later call that invalidates
 * windows must wait for this grace period, too.
 */
Test(mem_window, later_call_waits_for_windows_that_were_unbound_before)
{
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(domain);
	struct mem_grace invalidate = {0}, region_grace, window_grace;
	struct mem_bind bind = bind_of(BASE, 16, MEM_REMOTE_READ);

	bind.any_owner = true;
	fixture_bind(domain, bind, OWNER);
	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 1), 0);
	rte_rcu_qsbr_thread_online(qsbr, 1);
	ASSERT_STATUS(
		mem_invalidate_execute(domain, window, mem_window_life(window), OWNER, &invalidate),
		RC_OK);
	cr_assert_not(mem_domain_quiescent(domain, &invalidate));
	cr_assert_eq(mem_region_invalidate_windows(domain, region, &region_grace), 0);
	cr_assert_not(mem_domain_quiescent(domain, &region_grace));
	ASSERT_STATUS(mem_window_destroy(domain, window, &window_grace), RC_OK);
	cr_assert_not(mem_domain_quiescent(domain, &window_grace));
	rte_rcu_qsbr_thread_offline(qsbr, 1);
	cr_assert(mem_domain_quiescent(domain, &invalidate));
	cr_assert(mem_domain_quiescent(domain, &region_grace));
	cr_assert(mem_domain_quiescent(domain, &window_grace));
	cr_assert_eq(mem_region_invalidate_windows(domain, region, &region_grace), 0);
	cr_assert_eq(region_grace.readers, 0);
}
