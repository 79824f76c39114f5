/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/random.h>

#include <criterion/criterion.h>

#include "model/mem_model.h"
#include "support/eal.h"

/*
 * Random operations are compared with the linear model in tests/model. NDPDK_TEST_OPERATIONS sets
 * the number of operations, and NDPDK_TEST_SEED sets the seed. Longer runs without a seed use a
 * random seed.
 */

#define SEED       61u
#define OPERATIONS UINT64_C(1000000)

static uint64_t
setting(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value == NULL ? otherwise : strtoull(value, NULL, 0);
}

static void
complain(const char *text)
{
	cr_assert_fail("%s", text);
}

static void
check_counts(const struct mem_model_counts *counts, uint64_t n, uint64_t seed)
{
#define AT_LEAST(field, least)                                                                     \
	cr_assert_geq(counts->field, (least),                                                      \
		#field ": %" PRIu64 " in %" PRIu64 ", seed %" PRIu64, counts->field, n, seed)
	AT_LEAST(answers[MEM_ALLOWED], n / 50);
	AT_LEAST(answers[MEM_REFUSED_KEY], n / 100);
	AT_LEAST(answers[MEM_REFUSED_OWNER], n / 200);
	AT_LEAST(answers[MEM_REFUSED_RANGE], n / 250);
	AT_LEAST(answers[MEM_REFUSED_RIGHTS], n / 100);
	AT_LEAST(binds, n / 100);
	AT_LEAST(invalidates, n / 200);
	AT_LEAST(range_queries, n / 100);
	AT_LEAST(regions, n / 500);
	AT_LEAST(regions_busy, n / 500);
	AT_LEAST(regions_found, n / 2000);
	AT_LEAST(chains_deep, 1);
	AT_LEAST(sgl_done, n / 200);
	AT_LEAST(sgl_refused, n / 500);
	AT_LEAST(spans_outlived, n / 5000);
	AT_LEAST(releases, n / 500);
	AT_LEAST(releases_waited, n / 2000);
	AT_LEAST(fasts, n / 2000);
	AT_LEAST(fast_registered, n / 200);
	AT_LEAST(fast_allowed, n / 200);
	AT_LEAST(fast_overtaken, n / 1000);
	AT_LEAST(fast_exhausted, n / 1000);
	AT_LEAST(fast_waited, n / 1000);
	AT_LEAST(fast_local, n / 5000);
	AT_LEAST(graces, n / 200);
	AT_LEAST(graces_waited, n / 1000);
	AT_LEAST(binds_elsewhere, n / 5000);
	AT_LEAST(binds_now, n / 1000);
	for (uint32_t i = 1; i < RTE_DIM(counts->episodes_of); i++)
		AT_LEAST(episodes_of[i], 1);
	AT_LEAST(engines_exhausted, 1);
	AT_LEAST(keys_exhausted, 1);
	AT_LEAST(handles_exhausted, 1);
	AT_LEAST(table_grown, 1);
#undef AT_LEAST
}

Test(mem_model, random_operations_agree_with_linear_model)
{
	uint64_t operations = setting("NDPDK_TEST_OPERATIONS", OPERATIONS);
	struct mem_model_counts counts = {0};
	uint64_t seed = SEED;

	if (operations > OPERATIONS)
		cr_assert_eq(getrandom(&seed, sizeof(seed), 0), (ssize_t)sizeof(seed));
	seed = setting("NDPDK_TEST_SEED", seed);
	cr_log_info("%" PRIu64 " operations, seed %" PRIu64, operations, seed);
	if (operations > OPERATIONS)
		fprintf(stderr, "seed %" PRIu64 "\n", seed);
	test_eal_init();
	mem_model_run_seed(seed, operations, complain, &counts);
	if (operations >= OPERATIONS)
		check_counts(&counts, operations, seed);
}
