/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

#include "mem/token.h"

#define SLOTS    1024u
#define REST_MIN (SLOTS / 4)

static struct rte_rcu_qsbr *qsbr;

/** A key table with one partition. Before freed slots are reused, they wait for reader 0. */
struct keys {
	struct mem_token_table table;
	struct mem_key_pool pool;
};

static struct keys
keys_make(uint32_t slots, uint64_t seed)
{
	size_t bytes = rte_rcu_qsbr_get_memsize(1);
	struct mem_key_pool_config pool = {.readers = 1};
	struct keys keys;

	test_eal_init();
	fixture_seed(&pool.random, seed);
	qsbr = aligned_alloc(RTE_CACHE_LINE_SIZE, bytes);
	cr_assert_eq(rte_rcu_qsbr_init(qsbr, 1), 0);
	pool.qsbr = qsbr;
	ASSERT_STATUS(mem_token_table_init(&keys.table,
			      &(struct mem_token_config){.slots = slots,
				      .slots_max = slots,
				      .partition_count = 1,
				      .socket_id = SOCKET_ID_ANY}),
		RC_OK);
	ASSERT_STATUS(mem_key_pool_init(&keys.table, 0, &keys.pool, &pool), RC_OK);
	return keys;
}

static void
keys_drop(struct keys *keys)
{
	mem_key_pool_fini(&keys->pool);
	mem_token_table_fini(&keys->table);
	free(qsbr);
}

static enum rc_status
try_issue(struct keys *keys, uint32_t *key)
{
	return mem_token_reserve(&keys->table, &keys->pool, key) != NULL ? RC_OK : RC_NO_RESOURCES;
}

static uint32_t
issue(struct keys *keys)
{
	uint32_t key = 0;

	ASSERT_STATUS(try_issue(keys, &key), RC_OK);
	return key;
}

static void
rest(struct keys *keys, uint32_t key)
{
	mem_token_rest(&keys->table, &keys->pool, key);
}

Test(mem_token, all_slots_but_the_first_are_issued_once)
{
	struct keys keys = keys_make(64, 21);
	uint64_t seen = 0;
	uint32_t key;

	for (int i = 0; i < 63; i++) {
		key = issue(&keys);
		cr_assert_lt(mem_key_slot(key), 64);
		cr_assert_neq(mem_key_slot(key), 0, "key %#x", key);
		cr_assert_eq(seen >> mem_key_slot(key) & 1, 0, "slot of %#x issued twice", key);
		seen |= UINT64_C(1) << mem_key_slot(key);
	}
	ASSERT_STATUS(try_issue(&keys, &key), RC_NO_RESOURCES);
	keys_drop(&keys);
}

Test(mem_token, freed_slot_rests_for_many_others)
{
	struct keys keys = keys_make(SLOTS, 22);
	uint32_t rounds = 200;

	for (uint32_t round = 0; round < rounds; round++) {
		uint32_t freed = issue(&keys);

		rest(&keys, freed);
		for (uint32_t others = 0; others < REST_MIN; others++) {
			uint32_t key = issue(&keys);

			cr_assert_neq(mem_key_slot(key), mem_key_slot(freed),
				"slot came back after %u others, seed 22", others);
			rest(&keys, key);
		}
	}
	keys_drop(&keys);
}

Test(mem_token, slot_never_has_the_same_tag_twice_in_a_row)
{
	struct keys keys = keys_make(64, 23);
	uint32_t last[64] = {0};
	uint32_t reissued = 0;

	for (uint32_t i = 0; i < 200000; i++) {
		uint32_t key = issue(&keys);

		cr_assert_neq(key, 0);
		cr_assert_neq(key, last[mem_key_slot(key)], "key %#x repeated, seed 23", key);
		reissued += last[mem_key_slot(key)] != 0;
		last[mem_key_slot(key)] = key;
		rest(&keys, key);
	}
	cr_assert_gt(reissued, 100000);
	keys_drop(&keys);
}

Test(mem_token, table_filled_and_emptied_does_not_get_stuck)
{
	struct keys keys = keys_make(64, 24);
	uint32_t issued[63];

	for (int round = 0; round < 1000; round++) {
		/* In later rounds, 16 slots are not available, because they must not be reused. */
		uint32_t count = round == 0 ? 63 : 63 - 16;

		for (uint32_t i = 0; i < count; i++)
			issued[i] = issue(&keys);
		for (uint32_t i = 0; i < count; i++)
			rest(&keys, issued[i]);
	}
	keys_drop(&keys);
}

Test(mem_token, slot_is_not_reused_before_readers_are_quiescent)
{
	struct keys keys = keys_make(64, 25);
	uint32_t key;

	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 0), 0);
	rte_rcu_qsbr_thread_online(qsbr, 0);
	for (int i = 0; i < 63; i++)
		rest(&keys, issue(&keys));
	ASSERT_STATUS(try_issue(&keys, &key), RC_NO_RESOURCES);
	rte_rcu_qsbr_quiescent(qsbr, 0);
	ASSERT_STATUS(try_issue(&keys, &key), RC_OK);
	keys_drop(&keys);
}

Test(mem_token, keys_are_balanced_and_their_distances_vary)
{
	/* Use 2^18 slots, because the statistics need many different slots and tags. */
	struct keys keys = keys_make(1u << 18, 26);
	const uint32_t count = 100000;
	uint32_t ones[26] = {0};
	uint32_t *distances = calloc(count, sizeof(*distances));
	uint32_t previous = 0, same = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = issue(&keys);

		for (int bit = 0; bit < 26; bit++)
			ones[bit] += key >> bit & 1;
		distances[i] = key - previous;
		same += i > 0 && distances[i] == distances[i - 1];
		previous = key;
	}
	/* The limit is six standard deviations; one standard deviation is sqrt(count) / 2 = 158. */
	for (int bit = 0; bit < 26; bit++)
		cr_assert(abs((int)ones[bit] - (int)count / 2) < 6 * 158,
			"bit %d is set in %u of %u keys, seed 26", bit, ones[bit], count);
	cr_assert_leq(same, 2, "%u distances equal the one before, seed 26", same);
	free(distances);
	keys_drop(&keys);
}

Test(mem_token, other_seed_gives_other_keys)
{
	struct keys keys = keys_make(SLOTS, 27);
	uint32_t issued[100], same = 0;

	for (int i = 0; i < 100; i++)
		issued[i] = issue(&keys);
	keys_drop(&keys);
	keys = keys_make(SLOTS, 28);
	for (int i = 0; i < 100; i++)
		same += issue(&keys) == issued[i];
	cr_assert_leq(same, 2, "%u of 100 keys are the same after a restart", same);
	keys_drop(&keys);
}

/** Number of slots that are added at once; not a multiple of the group size. */
#define ADDED 100u

/**
 * Each slot belongs to exactly one partition. The first two partitions have a quarter of the slots
 * each, and the last partition has half.
 */
Test(mem_token, each_slot_is_of_one_partition)
{
	struct mem_key_pool_config config = {0};
	struct mem_token_table table;
	struct mem_key_pool pools[4];
	uint32_t counts[4] = {0};
	uint8_t seen[1024] = {0};

	test_eal_init();
	ASSERT_STATUS(mem_token_table_init(&table,
			      &(struct mem_token_config){.slots = 512,
				      .slots_max = 1024,
				      .partition_count = 3,
				      .socket_id = SOCKET_ID_ANY}),
		RC_OK);
	for (uint32_t p = 0; p < 3; p++) {
		fixture_seed(&config.random, 31 + p);
		ASSERT_STATUS(mem_key_pool_init(&table, p, &pools[p], &config), RC_OK);
	}
	ASSERT_STATUS(mem_token_table_prepare(&table), RC_OK);
	mem_token_table_widen(&table);
	for (uint32_t p = 0; p < 3; p++) {
		uint32_t key;

		ASSERT_STATUS(mem_key_pool_prepare(&pools[p]), RC_OK);
		mem_key_pool_widen(&pools[p]);
		for (uint32_t first = 512; first < 1024; first += ADDED)
			mem_key_pool_add(&table, p, &pools[p], first, RTE_MIN(ADDED, 1024 - first));
		while (mem_token_reserve(&table, &pools[p], &key) != NULL) {
			uint32_t slot = mem_key_slot(key);

			cr_assert_eq(seen[slot]++, 0, "slot %u is issued twice", slot);
			cr_assert_eq(mem_token_partition(&table, slot), p);
			cr_assert_eq(RTE_MIN(slot / 128 % 4, 2u), p, "slot %u", slot);
			counts[p]++;
		}
		mem_key_pool_fini(&pools[p]);
	}
	cr_assert(counts[0] == 255 && counts[1] == 256 && counts[2] == 512);
	mem_token_table_fini(&table);
}

Test(mem_token, slot_of_one_engine_waits_for_no_reader)
{
	struct keys keys = keys_make(64, 32);
	uint32_t key;

	keys.pool.readers = 0;
	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 0), 0);
	rte_rcu_qsbr_thread_online(qsbr, 0);
	for (int i = 0; i < 200; i++) {
		key = issue(&keys);
		rest(&keys, key);
	}
	keys_drop(&keys);
}
