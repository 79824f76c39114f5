/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

/*
 * Test a million keys, half of windows and half of regions, as a peer sees them. Each key is
 * invalidated before the next key is issued (SEC-001..003). The seeds are fixed. If keys are
 * random, a comparison exceeds its chi-square bound with a probability of 10^-6.
 */

#define SEED      701u
#define KEYS      1000000u
#define SLOT_BITS 18u
#define SLOTS     (1u << SLOT_BITS)
#define KEY_BITS  (SLOT_BITS + 8u)
/* number of other keys that must be issued before a slot is reused (SEC-002) */
#define REST      65536u
#define BLOCK     1000u /* number of known keys from which the next key is predicted */

/** Bounds of chi-square with 1 and with 255 degrees of freedom: its quantiles 1 - 10^-6. */
#define CHI_1   23.93
#define CHI_255 378.0

static uint32_t *keys, *differences;
static uint8_t memory[4096];

static uint32_t
key_of_window(struct mem_domain *domain, struct mem_region *region, struct mem_window *window)
{
	struct mem_bind bind = {.region = region,
		.window = window,
		.address = 0,
		.length_bytes = 64,
		.rights = MEM_REMOTE_READ};
	uint32_t key = fixture_bind(domain, bind, 0x123);

	ASSERT_STATUS(mem_window_invalidate(domain, window, 0x123), RC_OK);
	return key;
}

static uint32_t
key_of_region(struct mem_domain *domain)
{
	struct mem_region *region =
		fixture_region(domain, 0, memory, sizeof(memory), FIXTURE_RIGHTS);
	uint32_t key = mem_region_key(region);
	uint64_t release;

	ASSERT_STATUS(mem_region_deregister(domain, region, &release), RC_OK);
	return key;
}

/** Create a domain and issue count keys. @return the keys, which the caller must free() */
static uint32_t *
issue(uint64_t seed, uint32_t count)
{
	struct mem_domain *domain = fixture_domain(SLOTS, 64, seed);
	struct mem_region *region =
		fixture_region(domain, 0, memory, sizeof(memory), FIXTURE_RIGHTS);
	struct mem_window *window = fixture_window(domain);
	uint32_t *issued = malloc(count * sizeof(*issued));

	cr_assert_not_null(issued);
	for (uint32_t i = 0; i < count; i++)
		issued[i] =
			i % 2 == 0 ? key_of_window(domain, region, window) : key_of_region(domain);
	mem_domain_destroy(domain);
	return issued;
}

static void
setup(void)
{
	keys = issue(SEED, KEYS);
	differences = malloc(KEYS * sizeof(*differences));
	cr_assert_not_null(differences);
	for (uint32_t i = 1; i < KEYS; i++)
		differences[i] = keys[i] - keys[i - 1];
	differences[0] = 0;
}

static void
teardown(void)
{
	free(differences);
	free(keys);
}

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/**
 * Sort the numbers. @param times is set to the count of the most frequent number
 * @return the most frequent number
 */
static uint32_t
mode(uint32_t *numbers, uint32_t count, uint32_t *times)
{
	uint32_t found = 0;

	qsort(numbers, count, sizeof(*numbers), compare);
	*times = 0;
	for (uint32_t i = 0, run = 0; i < count; i++) {
		run = i > 0 && numbers[i] == numbers[i - 1] ? run + 1 : 1;
		if (run > *times) {
			*times = run;
			found = numbers[i];
		}
	}
	return found;
}

static void
check_bits(void)
{
	for (uint32_t bit = 0; bit < KEY_BITS; bit++) {
		uint32_t ones = 0;
		double off, chi;

		for (uint32_t i = 0; i < KEYS; i++)
			ones += keys[i] >> bit & 1;
		off = (double)ones - KEYS / 2.0;
		chi = 4 * off * off / KEYS;
		cr_assert_lt(chi, CHI_1, "bit %u is set in %u of %u keys, chi-square %f, seed %u",
			bit, ones, KEYS, chi, SEED);
	}
}

static void
check_tags(void)
{
	uint32_t counts[256] = {0};
	double expected = KEYS / 256.0, chi = 0;

	for (uint32_t i = 0; i < KEYS; i++)
		counts[keys[i] & 0xFF]++;
	for (uint32_t tag = 0; tag < 256; tag++)
		chi += (counts[tag] - expected) * (counts[tag] - expected) / expected;
	cr_assert_lt(chi, CHI_255, "chi-square of the tags is %f, seed %u", chi, SEED);
}

/** Check that a slot is reused only after more than 2^16 other keys were issued. */
static void
check_rest(void)
{
	uint32_t *last = calloc(SLOTS, sizeof(*last));
	uint32_t reissued = 0;

	cr_assert_not_null(last);
	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t slot = keys[i] >> 8;

		cr_assert(slot != 0 && slot < SLOTS, "slot %#x, seed %u", slot, SEED);
		if (last[slot] != 0) {
			cr_assert_gt(i + 1 - last[slot], REST,
				"slot %#x came back after %u keys, seed %u", slot,
				i + 1 - last[slot], SEED);
			reissued++;
		}
		last[slot] = i + 1;
	}
	cr_assert_gt(reissued, KEYS / 2, "only %u slots came back", reissued);
	free(last);
}

/**
 * Check that no difference between two keys is too frequent. A million differences have 2^27
 * possible values, and the most frequent value is expected to occur 4 times.
 */
static void
check_differences(void)
{
	uint32_t *sorted = malloc(KEYS * sizeof(*sorted)), times, difference;

	cr_assert_not_null(sorted);
	memcpy(sorted, differences, KEYS * sizeof(*sorted));
	difference = mode(sorted + 1, KEYS - 1, &times);
	cr_assert_leq(times, 6, "difference %#x comes %u times, seed %u", difference, times, SEED);
	free(sorted);
}

/**
 * Try to predict the next key. A random guess is right with probability 2^-26 for a key, and 2^-18
 * for a slot.
 */
static void
check_predictions(void)
{
	uint32_t same_step = 0, usual_step = 0, next_slot = 0, next_key = 0;
	uint32_t block[BLOCK], times, step = 0;

	for (uint32_t i = 2; i < KEYS; i++) {
		if (i % BLOCK == 0) {
			memcpy(block, &differences[i - BLOCK], sizeof(block));
			step = mode(block, BLOCK, &times);
		}
		same_step += differences[i] == differences[i - 1];
		usual_step += i >= BLOCK && differences[i] == step;
		next_slot += keys[i] >> 8 == (keys[i - 1] >> 8) + 1;
		next_key += keys[i] == keys[i - 1] + 1;
	}
	cr_assert_leq(same_step, 2, "%u keys by the last difference, seed %u", same_step, SEED);
	cr_assert_leq(usual_step, 2, "%u keys by the usual difference, seed %u", usual_step, SEED);
	cr_assert_leq(next_key, 2, "%u keys by counting, seed %u", next_key, SEED);
	/* 3.8 expected. */
	cr_assert_leq(next_slot, 20, "%u slots by counting, seed %u", next_slot, SEED);
}

static void
check_restart(void)
{
	uint32_t count = 100000, same = 0, common = 0;
	uint32_t *others = issue(SEED + 1, count);

	for (uint32_t i = 0; i < count; i++)
		same += others[i] == keys[i];
	cr_assert_leq(same, 2, "%u keys in the same place, seeds %u and %u", same, SEED, SEED + 1);
	qsort(others, BLOCK, sizeof(*others), compare);
	for (uint32_t i = 0; i < BLOCK; i++)
		common += bsearch(&keys[i], others, BLOCK, sizeof(*others), compare) != NULL;
	cr_assert_leq(common, 2, "%u of the first %u keys again, seeds %u and %u", common, BLOCK,
		SEED, SEED + 1);
	free(others);
}

/* All checks are in one test, because issuing a million keys takes long. */
/* SEC-003: all bits of a key that this table uses, including the slot number, are checked. */
Test(mem_key_statistics, keys_look_random_and_cannot_be_predicted_sec001, .init = setup,
	.fini = teardown)
{
	check_bits();
	check_tags();
	check_rest();
	check_differences();
	check_predictions();
	check_restart();
}

#define TOGETHER 150000u

/*
 * A freed slot is not reused for the next 65536 keys, even if all slots were freed at the same
 * time.
 */
Test(mem_key_statistics, slots_given_back_together_rest_for_65536_keys_sec002)
{
	struct mem_domain *domain = fixture_domain(SLOTS, SLOTS, SEED + 2);
	struct mem_region *region =
		fixture_region(domain, 0, memory, sizeof(memory), FIXTURE_RIGHTS);
	struct mem_window **windows = calloc(TOGETHER, sizeof(*windows));
	bool *resting = calloc(SLOTS, sizeof(*resting));
	struct mem_bind bind = {
		.region = region, .address = 0, .length_bytes = 64, .rights = MEM_REMOTE_READ};

	cr_assert(windows != NULL && resting != NULL);
	for (uint32_t i = 0; i < TOGETHER; i++) {
		bind.window = windows[i] = fixture_window(domain);
		resting[fixture_bind(domain, bind, 0x123) >> 8] = true;
	}
	for (uint32_t i = 0; i < TOGETHER; i++)
		ASSERT_STATUS(mem_window_invalidate(domain, windows[i], 0x123), RC_OK);
	for (uint32_t i = 0; i < REST; i++) {
		bind.window = windows[i];
		cr_assert_not(resting[fixture_bind(domain, bind, 0x123) >> 8],
			"a slot came back after %u keys, seed %u", i, SEED + 2);
	}
	free(resting);
	free(windows);
	mem_domain_destroy(domain);
}
