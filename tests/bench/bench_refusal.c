/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Checks that the time of a refusal does not reveal its reason (SEC-030). Seven cases alternate.
 * Each case visits the same number of lines of the key table in its own random order. Each step
 * depends on the result of the previous step. The first case is the floor of all cases, so the
 * ratios must be 1, plus or minus 5 %. Every second round runs in reverse order. So the last row of
 * a round runs again at the start of the next round, with warm caches. Therefore the first and the
 * last row are not refusals.
 */

#include <stdlib.h>
#include <string.h>

#include <rte_malloc.h>

#include "base/limits.h"
#include "base/random.h"
#include "bench.h"
#include "mem/mem.h"

#define WINDOWS      1024u /* number of windows per case; a power of two */
#define OWNER        0x1234u
#define WINDOW_BYTES 64u
#define REGION_BYTES (64u << 10)
#define KEY_SLOTS    32768u

enum refusal_case {
	ALLOWED_FIRST,
	UNKNOWN_SLOT,
	WRONG_TAG,
	OTHER_OWNER,
	DEAD,
	OUT_OF_RANGE,
	MISSING_RIGHT,
	INVALIDATED,
	ALLOWED_LAST,
	CASES,
};

static const struct {
	const char *name;
	enum mem_refusal refusal;
	uint32_t key_change; /* The cases XOR this value with the key, so that the key is wrong. */
	uint32_t owner;
	uint64_t address_offset;
	uint32_t rights;
} cases[CASES] = {
	[ALLOWED_FIRST] = {"allowed", MEM_ALLOWED, 0, OWNER, 0, MEM_REMOTE_WRITE},
	[UNKNOWN_SLOT] = {"unknown_slot", MEM_REFUSED_KEY, 0x80000000, OWNER, 0, MEM_REMOTE_WRITE},
	[WRONG_TAG] = {"wrong_tag", MEM_REFUSED_KEY, 1, OWNER, 0, MEM_REMOTE_WRITE},
	[OTHER_OWNER] = {"other_owner", MEM_REFUSED_OWNER, 0, OWNER + 1, 0, MEM_REMOTE_WRITE},
	[DEAD] = {"dead", MEM_REFUSED_KEY, 0, OWNER, 0, MEM_REMOTE_WRITE},
	[OUT_OF_RANGE] = {"out_of_range", MEM_REFUSED_RANGE, 0, OWNER, 1, MEM_REMOTE_WRITE},
	[MISSING_RIGHT] = {"missing_right", MEM_REFUSED_RIGHTS, 0, OWNER, 0, MEM_REMOTE_READ},
	[INVALIDATED] = {"invalidated", MEM_REFUSED_KEY, 0, OWNER, 0, MEM_REMOTE_WRITE},
	[ALLOWED_LAST] = {"allowed_again", MEM_ALLOWED, 0, OWNER, 0, MEM_REMOTE_WRITE},
};

struct visit {
	uint32_t key;
	uint64_t address;
};

struct scene {
	const struct mem_domain *domain;
	enum refusal_case number;
	uint32_t next;
	struct visit visits[WINDOWS];
};

static uint8_t memory[REGION_BYTES];
static struct base_random source;

static void
run(void *arg, uint32_t iterations)
{
	struct scene *scene = arg;
	/* Use local copies. Then the code of the loop is the same for all cases. */
	const enum mem_refusal refusal = cases[scene->number].refusal;
	const uint32_t owner = cases[scene->number].owner, rights = cases[scene->number].rights;
	uint32_t at = scene->next, zero = 0, wrong_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		const struct visit *visit = &scene->visits[at];
		struct mem_span span = {0};
		enum mem_refusal got = mem_check_remote(scene->domain,
			&(struct mem_access){.key = visit->key ^ zero,
				.owner = owner,
				.address = visit->address,
				.length_bytes = WINDOW_BYTES,
				.rights = rights},
			&span);

		zero = (uint32_t)got ^ (uint32_t)refusal;
		wrong_count += zero != 0;
		at = (at + 1) & (WINDOWS - 1);
	}
	scene->next = at;
	BENCH_REQUIRE(wrong_count == 0);
}

static struct mem_domain *
domain_make(struct mem_region **region)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1};
	const struct mem_domain_config config = {
		.key_slots = KEY_SLOTS,
		.key_slots_max = LIMIT_KEY_SLOTS,
		.region_max = 1,
		.window_max = CASES * WINDOWS,
		.reader_max = 1,
		.socket_id = SOCKET_ID_ANY,
		.random = &source,
	};
	const struct mem_buffer buffer = {.address = memory, .length_bytes = sizeof(memory)};
	const struct mem_region_attr attr = {
		.base = (uintptr_t)memory,
		.buffers = &buffer,
		.buffer_count = 1,
		.rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND,
	};
	struct mem_domain *domain;

	base_random_seed(&source, seed);
	BENCH_REQUIRE(mem_domain_create(&config, &domain) == RC_OK);
	BENCH_REQUIRE(mem_region_register(domain, &attr, region) == RC_OK);
	return domain;
}

/* The keys get random slots. The order of the visits is random and independent of the slots. */
static void
scene_make(struct scene *scene, struct mem_domain *domain, struct mem_region *region)
{
	enum refusal_case number = scene->number;

	scene->domain = domain;
	for (uint32_t i = 0; i < WINDOWS; i++) {
		struct mem_bind bind = {
			.region = region,
			.address = (uintptr_t)memory + i * WINDOW_BYTES,
			.length_bytes = WINDOW_BYTES,
			.rights = MEM_REMOTE_WRITE,
		};

		BENCH_REQUIRE(mem_window_create(domain, NULL, &bind.window) == RC_OK);
		BENCH_REQUIRE(mem_bind_prepare(domain, &bind, OWNER) == RC_OK);
		BENCH_REQUIRE(mem_bind_execute(domain, &bind, OWNER) == RC_OK);
		if (number == DEAD)
			BENCH_REQUIRE(mem_window_destroy(domain, bind.window,
					      &(struct mem_grace){0}) == RC_OK);
		if (number == INVALIDATED)
			BENCH_REQUIRE(mem_window_invalidate(domain, bind.window, OWNER) == RC_OK);
		scene->visits[i].key = bind.key ^ cases[number].key_change;
		scene->visits[i].address = bind.address + cases[number].address_offset;
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 1000, .iterations = 4 * WINDOWS};
	struct bench_row rows[CASES] = {0};
	struct mem_region *region;
	struct mem_domain *domain;
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	domain = domain_make(&region);
	for (uint32_t i = 0; i < CASES; i++) {
		struct scene *scene = rte_zmalloc("bench_refusal", sizeof(*scene), 0);

		BENCH_REQUIRE(scene != NULL);
		scene->number = i;
		scene_make(scene, domain, region);
		rows[i].run = run;
		rows[i].arg = scene;
		bench_name(rows[i].name, cases[i].name, WINDOWS);
		bench_name(rows[i].floor, cases[UNKNOWN_SLOT].name, WINDOWS);
	}
	bench_run(&bench, rows, CASES);
	return EXIT_SUCCESS;
}
