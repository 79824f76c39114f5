/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MEM_FIXTURE_H
#define NDPDK_UNIT_MEM_FIXTURE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/random.h"
#include "base/status.h"
#include "mem/mem.h"
#include "support/eal.h"

/*
 * Creates a domain for tests. The tests are deterministic: each test has a seed, and its assertions
 * print the seed.
 */

#define FIXTURE_RIGHTS                                                                             \
	(MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC | MEM_WINDOW_BIND)

#define ASSERT_STATUS(expression, expected)                                                        \
	do {                                                                                       \
		enum rc_status status_ = (expression);                                             \
		cr_assert_eq(status_, (expected), "%s is %s instead of %s", #expression,           \
			rc_status_name(status_), rc_status_name(expected));                        \
	} while (0)

/**
 * @return the number in environment variable `name`, or `usual` if the variable is not set. The
 * number lengthens or varies a test run.
 */
static inline uint64_t
fixture_number(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text != NULL ? strtoull(text, NULL, 0) : usual;
}

static inline void
fixture_seed(struct base_random *random, uint64_t seed)
{
	uint8_t bytes[BASE_RANDOM_SEED_BYTES] = {0};

	memcpy(bytes, &seed, sizeof(seed));
	base_random_seed(random, bytes);
}

static inline struct mem_domain *
fixture_domain(uint32_t key_slots, uint32_t handles, uint64_t seed)
{
	static struct base_random randoms[4];
	static unsigned int random_count;
	struct mem_domain *domain = NULL;

	test_eal_init();
	cr_assert_lt(random_count, RTE_DIM(randoms), "too many domains in one test");
	fixture_seed(&randoms[random_count], seed);
	ASSERT_STATUS(mem_domain_create(&(struct mem_domain_config){.key_slots = key_slots,
						.key_slots_max = key_slots,
						.region_max = handles,
						.window_max = handles,
						.reader_max = 4,
						.socket_id = SOCKET_ID_ANY,
						.random = &randoms[random_count++]},
			      &domain),
		RC_OK);
	return domain;
}

static inline enum rc_status
fixture_try_region(struct mem_domain *domain, uint64_t base, void *bytes, uint64_t length_bytes,
	uint32_t rights, struct mem_region **region)
{
	struct mem_buffer buffer = {.address = bytes, .length_bytes = length_bytes};
	struct mem_region_attr attr = {
		.base = base, .buffers = &buffer, .buffer_count = 1, .rights = rights};

	return mem_region_register(domain, &attr, region);
}

static inline struct mem_region *
fixture_region(struct mem_domain *domain, uint64_t base, void *bytes, uint64_t length_bytes,
	uint32_t rights)
{
	struct mem_region *region = NULL;

	ASSERT_STATUS(
		fixture_try_region(domain, base, bytes, length_bytes, rights, &region), RC_OK);
	return region;
}

static inline struct mem_window *
fixture_window(struct mem_domain *domain)
{
	struct mem_window *window = NULL;

	ASSERT_STATUS(mem_window_create(domain, NULL, &window), RC_OK);
	return window;
}

static inline uint32_t
fixture_bind(struct mem_domain *domain, struct mem_bind bind, uint32_t owner)
{
	ASSERT_STATUS(mem_bind_prepare(domain, &bind, owner), RC_OK);
	ASSERT_STATUS(mem_bind_execute(domain, &bind, owner), RC_OK);
	return bind.key;
}

static inline enum mem_refusal
fixture_check(const struct mem_domain *domain, struct mem_access access)
{
	struct mem_span span = {0};

	return mem_check_remote(domain, &access, &span);
}

static inline struct mem_domain_stats
fixture_stats(struct mem_domain *domain)
{
	struct mem_domain_stats stats;

	mem_domain_stats(domain, &stats);
	return stats;
}

#endif
