/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cost of the check of a remote access, with few and with many bound windows.
 *
 * Rows "cold" visit all windows in one random order. Rows "warm" visit the same few windows
 * repeatedly. In all rows, each step depends on the data of the previous step, because the latency
 * of a check matters for a packet, not the throughput of parallel checks.
 *
 * Floor: one load from the key table, from the cache lines that the checks need, at known
 * addresses. Two further rows look up the key in DPDK's lock-free hash table and in the binary
 * tree of the C library. These two rows only find the window, and check nothing.
 */

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_hash.h>

#include "bench.h"
#include "mem/domain.h"
#include "scene.h"

struct crowd {
	struct scene scene;
	struct rte_hash *hash;
	void *tree;
};

struct walk {
	struct crowd *crowd;
	/** number of visits: the row uses the first `count` visits of the scene */
	uint32_t count;
	uint32_t next; /**< index of the visit at which the next call continues */
	const struct mem_token **lines;
};

static struct crowd crowds[] = {
	{.scene = {.windows = 1, .window_max = 1}},
	{.scene = {.windows = 1000, .window_max = 1000}},
	{.scene = {.windows = 100000, .window_max = 100000}},
	{.scene = {.windows = 1000000, .window_max = 1000000}},
};

static struct walk walks[] = {
	{.crowd = &crowds[0], .count = 1},
	{.crowd = &crowds[1], .count = SCENE_WARM_WINDOWS},
	{.crowd = &crowds[3], .count = SCENE_WARM_WINDOWS},
	{.crowd = &crowds[1], .count = 1000},
	{.crowd = &crowds[2], .count = 100000},
	{.crowd = &crowds[3], .count = 1000000},
};

static inline uint32_t
visit_next(const struct walk *walk, uint32_t visit)
{
	return visit + 1 == walk->count ? 0 : visit + 1;
}

/** @return 0, a value that the compiler cannot compute */
static inline uint64_t
zero_hidden(void)
{
	uint64_t zero = 0;

	__asm__("" : "+r"(zero));
	return zero;
}

static void
check_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	const struct scene *scene = &walk->crowd->scene;
	uint32_t at = walk->next, zero = 0, refused_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		const struct scene_visit *visit = &scene->visits[at];
		struct mem_span span = {.region = scene->region};

		refused_count += mem_check_remote(scene->domain,
					 &(struct mem_access){.key = visit->key ^ zero,
						 .owner = SCENE_OWNER,
						 .address = visit->address,
						 .length_bytes = SCENE_WINDOW_BYTES,
						 .rights = MEM_REMOTE_WRITE},
					 &span) != MEM_ALLOWED;
		zero = (uint32_t)((uintptr_t)span.region ^ (uintptr_t)scene->region);
		at = visit_next(walk, at);
	}
	walk->next = at;
	BENCH_REQUIRE(refused_count == 0);
}

/** Like check_run(), but with the key of the region instead of the keys of the windows. */
static void
region_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	const struct scene *scene = &walk->crowd->scene;
	uint32_t key = mem_region_key(scene->region);
	uint32_t at = walk->next, zero = 0, refused_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		const struct scene_visit *visit = &scene->visits[at];
		struct mem_span span = {.region = scene->region};

		refused_count += mem_check_remote(scene->domain,
					 &(struct mem_access){.key = key ^ zero,
						 .owner = SCENE_OWNER,
						 .address = visit->address,
						 .length_bytes = SCENE_WINDOW_BYTES,
						 .rights = MEM_REMOTE_WRITE},
					 &span) != MEM_ALLOWED;
		zero = (uint32_t)((uintptr_t)span.region ^ (uintptr_t)scene->region);
		at = visit_next(walk, at);
	}
	walk->next = at;
	BENCH_REQUIRE(refused_count == 0);
}

static void
find_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	const struct scene *scene = &walk->crowd->scene;
	uint32_t key = mem_region_key(scene->region), zero = 0;

	for (uint32_t i = 0; i < iterations; i++)
		zero = (uint32_t)((uintptr_t)mem_region_find(scene->domain, key ^ zero) ^
			(uintptr_t)scene->region);
	BENCH_REQUIRE(zero == 0);
}

static void
load_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	uint64_t mask = zero_hidden(), zero = 0;
	uint32_t at = walk->next;

	for (uint32_t i = 0; i < iterations; i++) {
		uintptr_t line = (uintptr_t)walk->lines[at] + zero;

		zero = __atomic_load_n((const uint64_t *)line, __ATOMIC_RELAXED) & mask;
		at = visit_next(walk, at);
	}
	walk->next = at;
	bench_keep(zero);
}

static void
hash_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	uint64_t mask = zero_hidden(), zero = 0;
	uint32_t at = walk->next, lost_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		uint32_t key = walk->crowd->scene.visits[at].key ^ (uint32_t)zero;
		void *found = NULL;

		lost_count += rte_hash_lookup_data(walk->crowd->hash, &key, &found) < 0;
		zero = (uintptr_t)found & mask;
		at = visit_next(walk, at);
	}
	walk->next = at;
	BENCH_REQUIRE(lost_count == 0);
}

static int
keys_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
tree_run(void *arg, uint32_t iterations)
{
	struct walk *walk = arg;
	uint64_t mask = zero_hidden(), zero = 0;
	uint32_t at = walk->next, lost_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		uint32_t key = walk->crowd->scene.visits[at].key ^ (uint32_t)zero;
		const struct scene_visit *const *found =
			tfind(&key, &walk->crowd->tree, keys_compare);

		lost_count += found == NULL;
		zero = found == NULL ? 0 : (uintptr_t)*found & mask;
		at = visit_next(walk, at);
	}
	walk->next = at;
	BENCH_REQUIRE(lost_count == 0);
}

static void
check_make(void *arg)
{
	struct walk *walk = arg;

	scene_make(&walk->crowd->scene);
}

static void
load_make(void *arg)
{
	struct walk *walk = arg;
	const struct scene *scene = &walk->crowd->scene;

	check_make(walk);
	walk->lines = bench_memory(walk->count * sizeof(*walk->lines));
	for (uint32_t i = 0; i < walk->count; i++)
		walk->lines[i] = mem_token_line(&scene->domain->tokens, scene->visits[i].key);
}

static void
hash_make(void *arg)
{
	struct walk *walk = arg;
	struct crowd *crowd = walk->crowd;
	const struct scene *scene = &crowd->scene;
	char name[BENCH_NAME_BYTES];
	const struct rte_hash_parameters parameters = {
		.name = name,
		.entries = RTE_MAX(scene->windows, 8u),
		.key_len = sizeof(uint32_t),
		.socket_id = SOCKET_ID_ANY,
		/*
		 * Without this flag, the hash table may refuse an entry before the table is full.
		 */
		.extra_flag = RTE_HASH_EXTRA_FLAGS_EXT_TABLE,
	};

	if (crowd->hash != NULL)
		return;
	check_make(walk);
	bench_name(name, "bench_hash", scene->windows);
	crowd->hash = rte_hash_create(&parameters);
	if (crowd->hash == NULL)
		bench_fail(name, rte_strerror(rte_errno));
	for (uint32_t i = 0; i < scene->windows; i++)
		BENCH_REQUIRE(rte_hash_add_key_data(crowd->hash, &scene->visits[i].key,
				      scene->visits[i].window) == 0);
}

static void
tree_make(void *arg)
{
	struct walk *walk = arg;
	struct crowd *crowd = walk->crowd;
	const struct scene *scene = &crowd->scene;

	if (crowd->tree != NULL)
		return;
	check_make(walk);
	for (uint32_t i = 0; i < scene->windows; i++)
		BENCH_REQUIRE(tsearch(&scene->visits[i], &crowd->tree, keys_compare) != NULL);
}

struct subject {
	const char *what;
	void (*run)(void *arg, uint32_t iterations);
	void (*make)(void *arg);
};

/** The first subject is the floor. */
static const struct subject subjects[] = {
	{"load", load_run, load_make},
	{"mem_check_remote", check_run, check_make},
	{"mem_check_region", region_run, check_make},
	{"mem_region_find", find_run, check_make},
	{"rte_hash_lookup", hash_run, hash_make},
	{"tfind", tree_run, tree_make},
};

static void
rows_make(struct bench_row *rows, struct walk *walk)
{
	const char *order = walk->count <= SCENE_WARM_WINDOWS ? "warm" : "cold";

	for (size_t i = 0; i < RTE_DIM(subjects); i++) {
		char what[BENCH_WHAT_BYTES];

		rows[i] = (struct bench_row){
			.run = subjects[i].run, .make = subjects[i].make, .arg = walk};
		snprintf(what, sizeof(what), "%s_%s", subjects[i].what, order);
		bench_name(rows[i].name, what, walk->crowd->scene.windows);
		memcpy(rows[i].floor, rows[0].name, sizeof(rows[i].floor));
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {
		.rounds = 300, .iterations = 4000, .megabytes = 256};
	struct bench_row rows[RTE_DIM(walks) * RTE_DIM(subjects)];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	for (size_t i = 0; i < RTE_DIM(walks); i++)
		rows_make(&rows[i * RTE_DIM(subjects)], &walks[i]);
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
