/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include <criterion/criterion.h>

#include "mem_arena.h"
#include "mem_engines.h"
#include "mem_fixture.h"

#include "mem/domain.h"

/*
 * B-080: readers and writers bind, invalidate and access one index at the same time; see
 * mem_arena.h. Each phase uses a new domain, so the key table grows from its smallest size in each
 * phase.
 */

#define PHASES   4u
#define PHASE_NS UINT64_C(250000000)

static uint64_t
end_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec + PHASE_NS;
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

/* ---- several engines ---- */

#define ENGINES_NS   UINT64_C(1500000000)
#define ENGINES_SEED 97u

static void
engines_start(struct engines *engines)
{
	struct mem_domain_config config = {.key_slots = (uint32_t)mem_key_slots(ENGINES, 64),
		.key_slots_max = (uint32_t)mem_key_slots(ENGINES, 4096),
		.region_max = 64,
		.window_max = 1024,
		.reader_max = ENGINES,
		.engines = ENGINES,
		.socket_id = SOCKET_ID_ANY};
	struct base_random random;
	struct mem_domain *domain;

	fixture_seed(&random, ENGINES_SEED);
	config.random = &random;
	ASSERT_STATUS(mem_domain_create(&config, &domain), RC_OK);
	engines->arena.domain = domain;
	for (uint32_t i = 0; i < ENGINES; i++) {
		cr_assert_eq(rte_rcu_qsbr_thread_register(mem_domain_qsbr(domain), i), 0);
		ASSERT_STATUS(
			mem_fast_create(domain, 1, true, NULL, &engines->fasts[i].region), RC_OK);
		for (uint32_t j = 0; j < ENGINE_WINDOWS; j++)
			engines->windows[i][j].window = fixture_window(domain);
	}
	for (uint32_t i = 0; i < ENGINES_REGIONS; i++)
		engines_region_open(engines, i);
}

static void
engines_threads_run(struct engines *engines)
{
	struct engines_thread threads[ENGINES + CONTROLS];
	pthread_t ids[ENGINES + CONTROLS];
	const struct timespec duration = {
		.tv_sec = ENGINES_NS / NS_PER_S, .tv_nsec = ENGINES_NS % NS_PER_S};

	for (uint32_t i = 0; i < ENGINES + CONTROLS; i++) {
		bool engine = i < ENGINES;

		threads[i] = (struct engines_thread){
			.engines = engines, .id = engine ? i : i - ENGINES, .noise = i};
		cr_assert_eq(
			pthread_create(&ids[i], NULL,
				engine ? engines_engine_run : engines_control_run, &threads[i]),
			0);
	}
	nanosleep(&duration, NULL);
	__atomic_store_n(&engines->stop_controls, 1, __ATOMIC_RELEASE);
	for (uint32_t i = ENGINES; i < ENGINES + CONTROLS; i++)
		pthread_join(ids[i], NULL);
	__atomic_store_n(&engines->stop_engines, 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < ENGINES; i++)
		pthread_join(ids[i], NULL);
}

static void
engines_end(struct engines *engines)
{
	struct mem_domain *domain = engines->arena.domain;
	struct mem_domain_stats stats;
	struct mem_grace grace;
	uint64_t release;

	for (uint32_t i = 0; i < ENGINES_REGIONS; i++)
		engines_region_close(engines, i);
	for (uint32_t i = 0; i < ENGINES; i++) {
		ASSERT_STATUS(
			mem_region_deregister(domain, engines->fasts[i].region, &release), RC_OK);
		for (uint32_t j = 0; j < ENGINE_WINDOWS; j++)
			ASSERT_STATUS(
				mem_window_destroy(domain, engines->windows[i][j].window, &grace),
				RC_OK);
	}
	stats = fixture_stats(domain);
	cr_assert_eq(stats.key_slots_used, 0, "%u key slots are still used", stats.key_slots_used);
	cr_assert_eq(stats.regions + stats.windows + stats.windows_bound + stats.binds_queued, 0);
	cr_assert_gt(stats.key_slots, mem_key_slots(ENGINES, 64), "the key table has not grown");
	mem_domain_destroy(domain);
}

Test(mem_concurrent, engines_use_their_partitions_while_control_threads_end_things)
{
	static struct engines engines;

	test_eal_init();
	engines_start(&engines);
	engines_threads_run(&engines);
	cr_assert_null(engines.arena.complaint, "%s", engines.arena.complaint);
	engines_end(&engines);
	cr_assert_null(engines.arena.complaint, "%s", engines.arena.complaint);
	cr_log_info("%" PRIu64 " binds, %" PRIu64 " accesses, %" PRIu64
		    " lists; windows ended: %" PRIu64 " by engines, %" PRIu64
		    " before that, %" PRIu64 " destroyed; %" PRIu64 " registered, %" PRIu64
		    " busy, %" PRIu64 " regions closed, %" PRIu64 " grace periods waited",
		engines.binds, engines.accesses, engines.lists, engines.ended_by_engine,
		engines.ended_by_control, engines.destroyed, engines.registered, engines.busy,
		engines.closed, engines.grace_waited);
	cr_assert_gt(engines.binds, 100);
	cr_assert_gt(engines.accesses, 1000);
	cr_assert_gt(engines.lists, 100);
	cr_assert_gt(engines.ended_by_engine, 50);
	cr_assert_gt(engines.ended_by_control, 10);
	cr_assert_gt(engines.destroyed, 20);
	cr_assert_gt(engines.registered, 50);
	cr_assert_gt(engines.busy, 0);
	cr_assert_gt(engines.closed, 10);
	cr_assert_gt(engines.grace_waited, 20);
}

#define HOLD_NS 20000000

struct destroyer {
	struct mem_domain *domain;
	struct mem_window *window;
	enum rc_status status;
};

static void *
destroyer_run(void *arg)
{
	struct destroyer *destroyer = arg;
	struct mem_grace grace;

	destroyer->status = mem_window_destroy(destroyer->domain, destroyer->window, &grace);
	return NULL;
}

/*
 * With one engine, a bind claims a free window under the lock without an atomic operation.
 * Therefore a window must not be destroyed while another thread has the lock.
 */
Test(mem_concurrent, window_does_not_end_while_a_bind_claims_it)
{
	const struct timespec hold = {.tv_nsec = HOLD_NS};
	struct destroyer destroyer = {.domain = fixture_domain(64, 8, 1)};
	pthread_t thread;

	destroyer.window = fixture_window(destroyer.domain);
	mem_domain_lock(destroyer.domain);
	cr_assert_eq(pthread_create(&thread, NULL, destroyer_run, &destroyer), 0);
	nanosleep(&hold, NULL);
	cr_assert(mem_window_alive(destroyer.domain, destroyer.window));
	mem_domain_unlock(destroyer.domain);
	pthread_join(thread, NULL);
	ASSERT_STATUS(destroyer.status, RC_OK);
	cr_assert_not(mem_window_alive(destroyer.domain, destroyer.window));
	mem_domain_destroy(destroyer.domain);
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

	/* If two threads got the same entry, one would find the cookie of the other. */
	while (maker->made_count < WINDOWS_OF_MAKER &&
		mem_window_create(maker->domain, maker, &window) == RC_OK &&
		mem_window_cookie(window) == maker && mem_window_alive(maker->domain, window))
		maker->made_count++;
	return NULL;
}

/*
 * Several threads create windows, so that all tables grow at the same time. ThreadSanitizer finds
 * most errors in this test.
 */
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
