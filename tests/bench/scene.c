/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "scene.h"

#include <stdlib.h>

#include <sys/mman.h>

#include <rte_common.h>

#include "bench.h"

/** Number of key slots that an adapter has at the start. */
#define KEY_SLOTS_FIRST (1u << 18)

void *
scene_address_space(uint64_t bytes)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	BENCH_REQUIRE(mapped != MAP_FAILED);
	return mapped;
}

void
scene_shuffle(struct base_random *random, uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		/* Fisher-Yates shuffle, inside-out variant. */
		uint32_t other = base_random_below(random, i + 1);

		numbers[i] = numbers[other];
		numbers[other] = i;
	}
}

struct mem_domain *
scene_domain_make(const struct scene_limits *limits, struct base_random *random)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1};
	uint32_t slots = limits->key_slots != 0 ? limits->key_slots : KEY_SLOTS_FIRST;
	uint32_t handles = limits->region_max + limits->window_max;
	const struct mem_domain_config config = {
		.key_slots = slots,
		.key_slots_max = RTE_MAX(rte_align32pow2(2 * handles), slots),
		.region_max = limits->region_max,
		.window_max = limits->window_max,
		.reader_max = 1,
		.socket_id = SOCKET_ID_ANY,
		.random = random,
	};
	struct mem_domain *domain;

	base_random_seed(random, seed);
	BENCH_REQUIRE(mem_domain_create(&config, &domain) == RC_OK);
	BENCH_REQUIRE(rte_rcu_qsbr_thread_register(mem_domain_qsbr(domain), 0) == 0);
	rte_rcu_qsbr_thread_online(mem_domain_qsbr(domain), 0);
	return domain;
}

bool
scene_bind(const struct scene *scene, struct scene_visit *visit)
{
	struct mem_bind request = {
		.region = scene->region,
		.window = visit->window,
		.address = visit->address,
		.length_bytes = SCENE_WINDOW_BYTES,
		.rights = SCENE_RIGHTS,
	};

	if (mem_bind_prepare(scene->domain, &request, SCENE_OWNER) != RC_OK ||
		mem_bind_execute(scene->domain, &request, SCENE_OWNER) != RC_OK)
		return false;
	visit->key = request.key;
	return true;
}

static void
region_make(struct scene *scene)
{
	const struct mem_buffer buffer = {
		.length_bytes = (uint64_t)scene->windows * SCENE_WINDOW_BYTES,
		.address = scene_address_space((uint64_t)scene->windows * SCENE_WINDOW_BYTES),
	};
	const struct mem_region_attr attr = {
		.base = (uintptr_t)buffer.address,
		.buffers = &buffer,
		.buffer_count = 1,
		.rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND | SCENE_RIGHTS,
	};

	BENCH_REQUIRE(mem_region_register(scene->domain, &attr, &scene->region) == RC_OK);
}

void
scene_windows_make(struct scene *scene)
{
	uint32_t *order = calloc(scene->windows, sizeof(*order));

	BENCH_REQUIRE(order != NULL);
	region_make(scene);
	scene_shuffle(&scene->random, order, scene->windows);
	for (uint32_t i = 0; i < scene->windows; i++) {
		struct scene_visit *visit = &scene->visits[order[i]];

		visit->address = mem_region_base(scene->region) + (uint64_t)i * SCENE_WINDOW_BYTES;
		BENCH_REQUIRE(mem_window_create(scene->domain, NULL, &visit->window) == RC_OK);
		BENCH_REQUIRE(scene_bind(scene, visit));
	}
	free(order);
}

void
scene_make(struct scene *scene)
{
	const struct scene_limits limits = {.window_max = scene->window_max, .region_max = 1};

	if (scene->domain != NULL)
		return;
	scene->visits = bench_memory(scene->windows * sizeof(*scene->visits));
	scene->domain = scene_domain_make(&limits, &scene->random);
	scene_windows_make(scene);
}
