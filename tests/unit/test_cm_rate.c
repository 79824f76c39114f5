/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/source.h"

#include <criterion/criterion.h>

#define SECOND_NS UINT64_C(1000000000)

static uint32_t
take_all(struct cm_bucket *bucket, const struct cm_pace *pace, uint64_t now_ns)
{
	uint32_t count = 0;

	while (cm_bucket_take(bucket, pace, now_ns))
		count++;
	return count;
}

Test(cm_rate, bucket_gives_burst_then_rate)
{
	struct cm_pace pace = cm_pace_make(100, 200);
	struct cm_bucket bucket = {0};
	uint64_t now_ns = 5 * SECOND_NS;

	cr_assert_eq(take_all(&bucket, &pace, now_ns), 200);
	cr_assert_eq(take_all(&bucket, &pace, now_ns + SECOND_NS / 100 - 1), 0);
	cr_assert_eq(take_all(&bucket, &pace, now_ns + SECOND_NS / 100), 1);
	cr_assert_eq(take_all(&bucket, &pace, now_ns + SECOND_NS / 2), 49);
	cr_assert_eq(take_all(&bucket, &pace, now_ns + 100 * SECOND_NS), 200);
}

Test(cm_rate, single_token_bucket_works)
{
	struct cm_pace pace = cm_pace_make(1, 1);
	struct cm_bucket bucket = {0};

	cr_assert_eq(take_all(&bucket, &pace, SECOND_NS), 1);
	cr_assert_eq(take_all(&bucket, &pace, 2 * SECOND_NS - 1), 0);
	cr_assert_eq(take_all(&bucket, &pace, 2 * SECOND_NS), 1);
}

Test(cm_rate, sources_are_spread_and_stable)
{
	static struct cm_sources sources = {.secret = {.k0 = 3, .k1 = 4}};
	uint32_t used = 0;

	for (uint32_t i = 0; i < CM_SOURCES; i++) {
		struct wire_gid gid = wire_gid_from_v4(0x0A000000 + i);

		cr_assert_eq(cm_source_of(&sources, &gid), cm_source_of(&sources, &gid));
		cm_source_of(&sources, &gid)->live_count++;
	}
	for (uint32_t i = 0; i < CM_SOURCES; i++)
		used += sources.table[i].live_count > 0;
	/* If the sources are distributed at random, they use 1 - 1/e of the entries: 2589. */
	cr_assert(used > 2480 && used < 2700, "%u entries in use", used);
}
