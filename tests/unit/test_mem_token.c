/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

#include "mem/token.h"

#define SLOTS    1024u
#define REST_MIN (SLOTS / 4)

static struct base_random random_source;
static struct rte_rcu_qsbr *qsbr;

static struct mem_token_table
table_make(uint32_t slots, uint64_t seed)
{
	struct mem_token_table table;
	size_t bytes = rte_rcu_qsbr_get_memsize(1);

	test_eal_init();
	fixture_seed(&random_source, seed);
	qsbr = aligned_alloc(RTE_CACHE_LINE_SIZE, bytes);
	cr_assert_eq(rte_rcu_qsbr_init(qsbr, 1), 0);
	ASSERT_STATUS(mem_token_table_init(&table,
			      &(struct mem_token_config){.slots = slots,
				      .slots_max = slots,
				      .socket_id = SOCKET_ID_ANY,
				      .qsbr = qsbr,
				      .random = &random_source}),
		RC_OK);
	return table;
}

static void
table_drop(struct mem_token_table *table)
{
	mem_token_table_fini(table);
	free(qsbr);
}

static uint32_t
issue(struct mem_token_table *table)
{
	uint32_t key = 0;

	ASSERT_STATUS(mem_token_reserve(table, &key), RC_OK);
	return key;
}

Test(mem_token, all_slots_but_the_first_are_issued_once)
{
	struct mem_token_table table = table_make(64, 21);
	uint64_t seen = 0;
	uint32_t key;

	for (int i = 0; i < 63; i++) {
		key = issue(&table);
		cr_assert_lt(mem_key_slot(key), 64);
		cr_assert_neq(mem_key_slot(key), 0, "key %#x", key);
		cr_assert_eq(seen >> mem_key_slot(key) & 1, 0, "slot of %#x issued twice", key);
		seen |= UINT64_C(1) << mem_key_slot(key);
	}
	ASSERT_STATUS(mem_token_reserve(&table, &key), RC_NO_RESOURCES);
	table_drop(&table);
}

Test(mem_token, freed_slot_rests_for_many_others)
{
	struct mem_token_table table = table_make(SLOTS, 22);
	uint32_t rounds = 200;

	for (uint32_t round = 0; round < rounds; round++) {
		uint32_t freed = issue(&table);

		mem_token_rest(&table, freed);
		for (uint32_t others = 0; others < REST_MIN; others++) {
			uint32_t key = issue(&table);

			cr_assert_neq(mem_key_slot(key), mem_key_slot(freed),
				"slot came back after %u others, seed 22", others);
			mem_token_rest(&table, key);
		}
	}
	table_drop(&table);
}

Test(mem_token, slot_never_has_the_same_tag_twice_in_a_row)
{
	struct mem_token_table table = table_make(64, 23);
	uint32_t last[64] = {0};
	uint32_t reissued = 0;

	for (uint32_t i = 0; i < 200000; i++) {
		uint32_t key = issue(&table);

		cr_assert_neq(key, 0);
		cr_assert_neq(key, last[mem_key_slot(key)], "key %#x repeated, seed 23", key);
		reissued += last[mem_key_slot(key)] != 0;
		last[mem_key_slot(key)] = key;
		mem_token_rest(&table, key);
	}
	cr_assert_gt(reissued, 100000);
	table_drop(&table);
}

Test(mem_token, table_filled_and_emptied_does_not_get_stuck)
{
	struct mem_token_table table = table_make(64, 24);
	uint32_t keys[63];

	for (int round = 0; round < 1000; round++) {
		/* All but the quarantine can be had at any time. */
		uint32_t count = round == 0 ? 63 : 63 - 16;

		for (uint32_t i = 0; i < count; i++)
			keys[i] = issue(&table);
		for (uint32_t i = 0; i < count; i++)
			mem_token_rest(&table, keys[i]);
	}
	table_drop(&table);
}

Test(mem_token, slot_is_not_reused_before_readers_are_quiescent)
{
	struct mem_token_table table = table_make(64, 25);
	uint32_t key;

	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 0), 0);
	rte_rcu_qsbr_thread_online(qsbr, 0);
	for (int i = 0; i < 63; i++)
		mem_token_rest(&table, issue(&table));
	ASSERT_STATUS(mem_token_reserve(&table, &key), RC_NO_RESOURCES);
	rte_rcu_qsbr_quiescent(qsbr, 0);
	ASSERT_STATUS(mem_token_reserve(&table, &key), RC_OK);
	table_drop(&table);
}

Test(mem_token, keys_are_balanced_and_their_distances_vary)
{
	/* 2^18 slots, so that both slot and tag are drawn from enough values to judge. */
	struct mem_token_table table = table_make(1u << 18, 26);
	const uint32_t count = 100000;
	uint32_t ones[26] = {0};
	uint32_t *distances = calloc(count, sizeof(*distances));
	uint32_t previous = 0, same = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = issue(&table);

		for (int bit = 0; bit < 26; bit++)
			ones[bit] += key >> bit & 1;
		distances[i] = key - previous;
		same += i > 0 && distances[i] == distances[i - 1];
		previous = key;
	}
	/* Six standard deviations of a fair coin: sqrt(count) / 2 = 158. */
	for (int bit = 0; bit < 26; bit++)
		cr_assert(abs((int)ones[bit] - (int)count / 2) < 6 * 158,
			"bit %d is set in %u of %u keys, seed 26", bit, ones[bit], count);
	cr_assert_leq(same, 2, "%u distances equal the one before, seed 26", same);
	free(distances);
	table_drop(&table);
}

Test(mem_token, other_seed_gives_other_keys)
{
	struct mem_token_table table = table_make(SLOTS, 27);
	uint32_t keys[100], same = 0;

	for (int i = 0; i < 100; i++)
		keys[i] = issue(&table);
	table_drop(&table);
	table = table_make(SLOTS, 28);
	for (int i = 0; i < 100; i++)
		same += issue(&table) == keys[i];
	cr_assert_leq(same, 2, "%u of 100 keys are the same after a restart", same);
	table_drop(&table);
}
