/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The memory index with few and with many live windows: checking a remote access, binding and
 * invalidating, gathering local bytes.
 *
 * Windows are visited in one random order. Each step depends on what the step before it loaded, for
 * subject and floor alike: it is the time until the answer is there that counts for a packet, not
 * how many questions can be under way at once. Floor of a check: one such load from an array of as
 * many lines as there are windows. Floor of a bind and invalidate: the locks that three calls from
 * any thread cannot do without, and writing two lines of such an array. Floor of a gather: memcpy.
 */

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_spinlock.h>

#include "base/limits.h"
#include "base/random.h"
#include "bench.h"
#include "mem/mem.h"

#define OWNER        0x1234u
#define RIGHTS       (MEM_REMOTE_READ | MEM_REMOTE_WRITE)
#define WINDOW_BYTES 64u
#define REGION_BYTES (64u << 10)
#define GATHER_MAX   4096u

/* What a visit of a window needs, in the order of visiting. */
struct visit {
	uint32_t key;
	uint32_t index;
	uint64_t address;
	struct mem_window *window;
};

struct line {
	alignas(RTE_CACHE_LINE_SIZE) uint64_t zero;
	uint64_t written;
};

/* A domain with this many live windows. */
struct scene {
	uint32_t windows;
	struct base_random random;
	struct mem_domain *domain;
	struct mem_region *region;
	struct visit *visits;
	struct line *lines;
	rte_spinlock_t lock;
	uint32_t next; /* visit, where the next call goes on */
};

struct gather {
	size_t bytes;
	const struct scene *scene;
	struct mem_sge sge;
	const uint8_t *from;
	uint8_t to[GATHER_MAX];
};

static uint8_t memory[REGION_BYTES];

static struct scene scenes[] = {
	{.windows = 1},
	{.windows = 1000},
	{.windows = 100000},
};
static struct gather gathers[] = {
	{.bytes = 64},
	{.bytes = 4096},
};

static inline uint32_t
visit_next(const struct scene *scene, uint32_t visit)
{
	return visit + 1 == scene->windows ? 0 : visit + 1;
}

static void
check_run(void *arg, uint32_t iterations)
{
	struct scene *scene = arg;
	uint32_t at = scene->next, zero = 0, refused_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		const struct visit *visit = &scene->visits[at];
		struct mem_span span = {.region = scene->region};

		refused_count += mem_check_remote(scene->domain,
					 &(struct mem_access){.key = visit->key ^ zero,
						 .owner = OWNER,
						 .address = visit->address,
						 .length_bytes = WINDOW_BYTES,
						 .rights = MEM_REMOTE_WRITE},
					 &span) != MEM_ALLOWED;
		zero = (uint32_t)((uintptr_t)span.region ^ (uintptr_t)scene->region);
		at = visit_next(scene, at);
	}
	scene->next = at;
	BENCH_REQUIRE(refused_count == 0);
}

static void
load_run(void *arg, uint32_t iterations)
{
	struct scene *scene = arg;
	uint32_t at = scene->next;
	uint64_t zero = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		zero = scene->lines[scene->visits[at].index ^ zero].zero;
		bench_keep(zero);
		at = visit_next(scene, at);
	}
	scene->next = at;
}

static struct mem_bind
bind_of(const struct scene *scene, const struct visit *visit)
{
	return (struct mem_bind){
		.region = scene->region,
		.window = visit->window,
		.address = visit->address,
		.length_bytes = WINDOW_BYTES,
		.rights = RIGHTS,
	};
}

static bool
bind(const struct scene *scene, struct visit *visit)
{
	struct mem_bind request = bind_of(scene, visit);

	if (mem_bind_prepare(scene->domain, &request) != RC_OK ||
		mem_bind_execute(scene->domain, &request, OWNER) != RC_OK)
		return false;
	visit->key = request.key;
	return true;
}

/* One bind and one invalidate, the number of live windows stays; then the engine's turn is over. */
static void
bind_run(void *arg, uint32_t iterations)
{
	struct scene *scene = arg;
	uint32_t at = scene->next, failed_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		struct visit *visit = &scene->visits[at];

		failed_count += mem_window_invalidate(scene->domain, visit->window, OWNER) != RC_OK;
		failed_count += !bind(scene, visit);
		rte_rcu_qsbr_quiescent(mem_domain_qsbr(scene->domain), 0);
		at = visit_next(scene, at);
	}
	scene->next = at;
	BENCH_REQUIRE(failed_count == 0);
}

static void
lock_run(void *arg, uint32_t iterations)
{
	struct scene *scene = arg;
	uint32_t at = scene->next;

	for (uint32_t i = 0; i < iterations; i++) {
		for (uint32_t call = 0; call < 3; call++) {
			rte_spinlock_lock(&scene->lock);
			if (call != 0) {
				scene->lines[scene->visits[at].index].written += call;
				at = visit_next(scene, at);
			}
			rte_spinlock_unlock(&scene->lock);
		}
	}
	scene->next = at;
}

static void
gather_run(void *arg, uint32_t iterations)
{
	struct gather *gather = arg;
	const struct mem_sgl sgl = {.sges = &gather->sge, .count = 1};
	uint32_t failed_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		failed_count += mem_sgl_gather(gather->scene->domain, &sgl, 0, gather->to,
					gather->bytes) != RC_OK;
		bench_keep(gather->to[0]);
	}
	BENCH_REQUIRE(failed_count == 0);
}

static void
copy_run(void *arg, uint32_t iterations)
{
	struct gather *gather = arg;

	for (uint32_t i = 0; i < iterations; i++) {
		memcpy(gather->to, gather->from, gather->bytes);
		bench_keep(gather->to[0]);
	}
}

static void
domain_make(struct scene *scene)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1};
	const struct mem_domain_config config = {
		/* As an adapter has it: twice the handles. */
		.key_slots = RTE_MAX(rte_align32pow2(2 * (scene->windows + 1)), 64u),
		.key_slots_max = LIMIT_KEY_SLOTS,
		.region_max = 1,
		.window_max = scene->windows,
		.reader_max = 1,
		.socket_id = SOCKET_ID_ANY,
		.random = &scene->random,
	};
	const struct mem_buffer buffer = {.address = memory, .length_bytes = sizeof(memory)};
	const struct mem_region_attr attr = {
		.base = (uintptr_t)memory,
		.buffers = &buffer,
		.buffer_count = 1,
		.rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND | RIGHTS,
	};

	base_random_seed(&scene->random, seed);
	BENCH_REQUIRE(mem_domain_create(&config, &scene->domain) == RC_OK);
	BENCH_REQUIRE(mem_region_register(scene->domain, &attr, &scene->region) == RC_OK);
	BENCH_REQUIRE(rte_rcu_qsbr_thread_register(mem_domain_qsbr(scene->domain), 0) == 0);
	rte_rcu_qsbr_thread_online(mem_domain_qsbr(scene->domain), 0);
}

/* Visits in the order of the table, then shuffled (Fisher and Yates). */
static void
visits_make(struct scene *scene)
{
	struct visit *visits = scene->visits;

	for (uint32_t i = 0; i < scene->windows; i++) {
		visits[i].index = i;
		visits[i].address = (uintptr_t)memory + i * WINDOW_BYTES % REGION_BYTES;
		BENCH_REQUIRE(mem_window_create(scene->domain, NULL, &visits[i].window) == RC_OK);
		BENCH_REQUIRE(bind(scene, &visits[i]));
	}
	for (uint32_t i = scene->windows; i-- > 1;) {
		uint32_t other = base_random_below(&scene->random, i + 1);
		struct visit moved = visits[i];

		visits[i] = visits[other];
		visits[other] = moved;
	}
}

static void
scene_make(struct scene *scene)
{
	/* From the same kind of memory as the index: pages of the same size. */
	scene->visits = rte_calloc("bench_visits", scene->windows, sizeof(*scene->visits), 0);
	scene->lines = rte_calloc(
		"bench_lines", scene->windows, sizeof(*scene->lines), RTE_CACHE_LINE_SIZE);
	BENCH_REQUIRE(scene->visits != NULL && scene->lines != NULL);
	rte_spinlock_init(&scene->lock);
	domain_make(scene);
	visits_make(scene);
}

static void
gather_make(struct gather *gather, const struct scene *scene)
{
	gather->scene = scene;
	gather->from = memory;
	gather->sge = (struct mem_sge){.region = scene->region,
		.address = (uintptr_t)memory,
		.length_bytes = gather->bytes};
}

/* A floor and its subject; the number in the names is of windows or of bytes. */
struct pair {
	const char *floor, *subject;
	void (*floor_run)(void *arg, uint32_t iterations);
	void (*subject_run)(void *arg, uint32_t iterations);
};

static struct bench_row *
pair_add(struct bench_row *row, const struct pair *pair, void *arg, uint32_t number)
{
	row[0].run = pair->floor_run;
	row[1].run = pair->subject_run;
	bench_name(row[0].name, pair->floor, number);
	bench_name(row[1].name, pair->subject, number);
	for (unsigned int i = 0; i < 2; i++) {
		memcpy(row[i].floor, row[0].name, sizeof(row[i].floor));
		row[i].arg = arg;
	}
	return row + 2;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 5000};
	static const struct pair check = {"load", "mem_check_remote", load_run, check_run};
	static const struct pair pair = {"lock", "mem_bind_invalidate", lock_run, bind_run};
	static const struct pair copy = {"memcpy", "mem_sgl_gather", copy_run, gather_run};
	struct bench_row rows[2 * (2 * RTE_DIM(scenes) + RTE_DIM(gathers))];
	struct bench_row *end = rows;
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	for (size_t i = 0; i < RTE_DIM(scenes); i++) {
		scene_make(&scenes[i]);
		end = pair_add(end, &check, &scenes[i], scenes[i].windows);
		end = pair_add(end, &pair, &scenes[i], scenes[i].windows);
	}
	for (size_t i = 0; i < RTE_DIM(gathers); i++) {
		gather_make(&gathers[i], &scenes[0]);
		end = pair_add(end, &copy, &gathers[i], (uint32_t)gathers[i].bytes);
	}
	bench_run(&bench, rows, (size_t)(end - rows));
	return EXIT_SUCCESS;
}
