/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include <criterion/criterion.h>

#include "mem_arena.h"
#include "mem_fixture.h"

/*
 * Readers and writers on one index, who bind, invalidate and access at the same time (B-080); see
 * mem_arena.h. Each phase has a new domain, so that the key
 * table grows from its smallest size every time.
 */

#define PHASES   4u
#define PHASE_NS UINT64_C(250000000)

static uint64_t
end_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec + PHASE_NS;
}

static void
threads_run(struct arena *arena)
{
	struct arena_reader readers[ARENA_READERS];
	struct arena_writer writers[ARENA_WRITERS];
	pthread_t reader_threads[ARENA_READERS], writer_threads[ARENA_WRITERS];

	for (uint32_t i = 0; i < ARENA_READERS; i++) {
		readers[i] = (struct arena_reader){.arena = arena, .id = i};
		cr_assert_eq(rte_rcu_qsbr_thread_register(mem_domain_qsbr(arena->domain), i), 0);
		cr_assert_eq(
			pthread_create(&reader_threads[i], NULL, arena_reader_run, &readers[i]), 0);
	}
	for (uint32_t i = 0; i < ARENA_WRITERS; i++) {
		writers[i] = (struct arena_writer){.arena = arena, .id = i, .end_ns = end_ns()};
		cr_assert_eq(
			pthread_create(&writer_threads[i], NULL, arena_writer_run, &writers[i]), 0);
	}
	for (uint32_t i = 0; i < ARENA_WRITERS; i++)
		pthread_join(writer_threads[i], NULL);
	__atomic_store_n(&arena->stop, 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < ARENA_READERS; i++)
		pthread_join(reader_threads[i], NULL);
}

static void
phase_run(struct arena *arena, uint64_t seed)
{
	struct mem_domain_config config = {.key_slots = 64,
		.key_slots_max = 4096,
		.region_max = 64,
		.window_max = 2048,
		.reader_max = ARENA_READERS,
		.socket_id = SOCKET_ID_ANY};
	struct base_random random;
	struct mem_domain_stats stats;

	fixture_seed(&random, seed);
	config.random = &random;
	arena->last_round = UINT32_MAX;
	arena->stop = 0;
	arena->turn = 0;
	memset(arena->board, 0, sizeof(arena->board));
	ASSERT_STATUS(mem_domain_create(&config, &arena->domain), RC_OK);
	threads_run(arena);
	cr_assert_null(arena->complaint, "%s, seed %" PRIu64, arena->complaint, seed);
	stats = fixture_stats(arena->domain);
	cr_assert_eq(stats.key_slots_used, 0, "%u key slots are still used", stats.key_slots_used);
	cr_assert_eq(stats.regions + stats.windows + stats.windows_bound + stats.binds_queued, 0);
	cr_assert_gt(stats.key_slots, config.key_slots, "the key table has not grown");
	mem_domain_destroy(arena->domain);
}

Test(mem_concurrent, readers_see_one_generation_and_one_writer_wins)
{
	static struct arena arena;

	test_eal_init();
	for (uint64_t phase = 0; phase < PHASES; phase++)
		phase_run(&arena, 91 + phase);
	cr_log_info("%u registrations, %" PRIu64 " accepted, %" PRIu64 " held, %" PRIu64
		    " copied, %" PRIu64 " duels, %" PRIu64 " releases waited",
		arena.stamps, arena.accepted, arena.held, arena.copied, arena.fought, arena.waited);
	cr_assert_gt(arena.accepted, 100);
	cr_assert_gt(arena.held, 10);
	cr_assert_gt(arena.copied, 100);
	cr_assert_gt(arena.fought, 50);
	cr_assert_gt(arena.waited, 10);
}

#define MAKERS           3u
#define WINDOWS_OF_MAKER 20000u

struct maker {
	struct mem_domain *domain;
	uint32_t made_count;
};

static void *
maker_run(void *arg)
{
	struct maker *maker = arg;
	struct mem_window *window;

	/* The cookie is found again by whoever has got the same entry. */
	while (maker->made_count < WINDOWS_OF_MAKER &&
		mem_window_create(maker->domain, maker, &window) == RC_OK &&
		mem_window_cookie(window) == maker && mem_window_alive(maker->domain, window))
		maker->made_count++;
	return NULL;
}

/* All tables grow while others look whether there is room; a matter for ThreadSanitizer. */
Test(mem_concurrent, handles_are_made_by_several_threads_while_tables_grow)
{
	struct mem_domain_config config = {.key_slots = 64,
		.key_slots_max = 1 << 17,
		.region_max = 1,
		.window_max = MAKERS * WINDOWS_OF_MAKER,
		.reader_max = 1,
		.socket_id = SOCKET_ID_ANY};
	struct maker makers[MAKERS];
	struct mem_domain *domain;
	struct base_random random;
	pthread_t threads[MAKERS];

	test_eal_init();
	fixture_seed(&random, 83);
	config.random = &random;
	ASSERT_STATUS(mem_domain_create(&config, &domain), RC_OK);
	for (uint32_t i = 0; i < MAKERS; i++) {
		makers[i] = (struct maker){.domain = domain};
		cr_assert_eq(pthread_create(&threads[i], NULL, maker_run, &makers[i]), 0);
	}
	for (uint32_t i = 0; i < MAKERS; i++) {
		pthread_join(threads[i], NULL);
		cr_assert_eq(makers[i].made_count, WINDOWS_OF_MAKER, "thread %u made %u", i,
			makers[i].made_count);
	}
	cr_assert_eq(fixture_stats(domain).windows, MAKERS * WINDOWS_OF_MAKER);
	mem_domain_destroy(domain);
}
