/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/wheel.h"

#include <stdlib.h>

#include <criterion/criterion.h>

#include <rte_common.h>

#include "base/random.h"

#define ENTRIES 200
#define TICK_NS (UINT64_C(1) << WHEEL_TICK_SHIFT)

static struct wheel wheel;
static struct wheel_entry entries[ENTRIES];

static void
setup(void)
{
	wheel_init(&wheel, 0);
	for (unsigned int i = 0; i < ENTRIES; i++)
		wheel_entry_init(&entries[i]);
}

TestSuite(wheel, .init = setup);

Test(wheel, nothing_armed_never_fires)
{
	cr_assert_null(wheel_expire(&wheel, UINT64_C(1) << 60));
	cr_assert_eq(wheel_next_ns(&wheel), BASE_TIME_NEVER);
}

Test(wheel, never_is_not_armed)
{
	wheel_arm(&wheel, &entries[0], BASE_TIME_NEVER);
	cr_assert_eq(wheel.armed, 0);
	cr_assert_null(wheel_expire(&wheel, UINT64_C(1) << 60));
}

Test(wheel, fires_not_before_its_time)
{
	wheel_arm(&wheel, &entries[0], 5 * TICK_NS + 100);
	cr_assert_null(wheel_expire(&wheel, 5 * TICK_NS + 99));
	cr_assert_eq(wheel_expire(&wheel, 5 * TICK_NS + 100), &entries[0]);
	cr_assert_null(wheel_expire(&wheel, 5 * TICK_NS + 100));
}

/**
 * Arm an entry while the wheel is at start_tick, and poll until the entry fires. Fail unless it
 * fires in the tick of its deadline.
 */
static void
expect_fires_in_its_tick(uint64_t start_tick, uint64_t ticks)
{
	uint64_t deadline_ns = (start_tick + ticks) * TICK_NS + 7;

	setup();
	wheel_expire(&wheel, start_tick * TICK_NS);
	wheel_arm(&wheel, &entries[0], deadline_ns);
	cr_assert_eq(wheel_next_ns(&wheel), deadline_ns);
	for (uint64_t left = ticks; left > 0; left /= 3)
		cr_assert_null(wheel_expire(&wheel, (start_tick + ticks - left) * TICK_NS),
			"start %lu, after %lu of %lu ticks", start_tick, ticks - left, ticks);
	cr_assert_null(wheel_expire(&wheel, deadline_ns - 1));
	cr_assert_eq(wheel_next_ns(&wheel), deadline_ns);
	cr_assert_eq(wheel_expire(&wheel, deadline_ns), &entries[0]);
	cr_assert_eq(wheel.armed, 0);
}

Test(wheel, deadlines_of_all_levels_fire_in_their_ticks)
{
	static const uint64_t starts[] = {
		0, 1, 255, 256, 65535, 65536, 0xFFFFFF, 0x1000000, 0xABCDEF12};

	for (unsigned int i = 0; i < RTE_DIM(starts); i++) {
		for (unsigned int bits = 0; bits < 34; bits++) {
			uint64_t ticks = UINT64_C(1) << bits;

			expect_fires_in_its_tick(starts[i], ticks - 1);
			expect_fires_in_its_tick(starts[i], ticks);
			expect_fires_in_its_tick(starts[i], ticks + 1);
		}
	}
}

Test(wheel, needs_to_be_looked_at_only_when_it_is_due)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {5};
	uint64_t deadlines[ENTRIES], now_ns = 0, before_ns = 0, looks = 0;
	struct base_random random;
	struct wheel_entry *entry;

	base_random_seed(&random, seed);
	cr_assert_eq(wheel_due_ns(&wheel), BASE_TIME_NEVER);
	for (unsigned int i = 0; i < ENTRIES; i++) {
		deadlines[i] = base_random_u32(&random) * (UINT64_C(1) << i % 16) + 1;
		wheel_arm(&wheel, &entries[i], deadlines[i]);
	}
	for (; wheel.armed != 0; looks++, before_ns = now_ns) {
		cr_assert_leq(wheel_due_ns(&wheel), wheel_next_ns(&wheel));
		now_ns = RTE_MAX(wheel_due_ns(&wheel), now_ns + 1);
		while ((entry = wheel_expire(&wheel, now_ns)) != NULL) {
			cr_assert_leq(deadlines[entry - entries], now_ns);
			cr_assert_gt(deadlines[entry - entries], before_ns);
		}
	}
	cr_assert_eq(wheel_due_ns(&wheel), BASE_TIME_NEVER);
	cr_assert_lt(looks, ENTRIES * (WHEEL_LEVELS * WHEEL_SLOTS + 2), "%lu looks", looks);
}

Test(wheel, is_due_as_long_as_entries_are_left_to_be_moved_or_to_fire)
{
	const uint64_t begin_ns = WHEEL_SLOTS * TICK_NS, deadline_ns = begin_ns + 5 * TICK_NS;

	for (unsigned int i = 0; i < ENTRIES; i++)
		wheel_arm(&wheel, &entries[i], deadline_ns);
	cr_assert_eq(wheel_due_ns(&wheel), begin_ns);
	for (unsigned int moved = WHEEL_MOVES; moved < ENTRIES; moved += WHEEL_MOVES) {
		cr_assert_null(wheel_expire(&wheel, begin_ns));
		cr_assert_eq(wheel_due_ns(&wheel), 0, "%u are moved", moved);
	}
	cr_assert_null(wheel_expire(&wheel, begin_ns));
	cr_assert_eq(wheel_due_ns(&wheel), begin_ns + TICK_NS);
	cr_assert_null(wheel_expire(&wheel, deadline_ns - TICK_NS));
	cr_assert_eq(wheel_due_ns(&wheel), deadline_ns);
	cr_assert_not_null(wheel_expire(&wheel, deadline_ns));
	cr_assert_eq(wheel_due_ns(&wheel), deadline_ns);
}

Test(wheel, is_not_due_in_the_tick_of_a_deadline_before_it)
{
	const uint64_t deadline_ns = 3 * TICK_NS + 9000;

	wheel_arm(&wheel, &entries[0], deadline_ns + 4000);
	wheel_arm(&wheel, &entries[1], deadline_ns);
	cr_assert_null(wheel_expire(&wheel, 3 * TICK_NS));
	cr_assert_eq(wheel_due_ns(&wheel), deadline_ns);
	cr_assert_eq(wheel_expire(&wheel, deadline_ns), &entries[1]);
	cr_assert_null(wheel_expire(&wheel, deadline_ns));
	cr_assert_eq(wheel_due_ns(&wheel), deadline_ns + 4000);
	/* wheel_arm() returns true, because the new deadline of the entry is earlier. */
	cr_assert(wheel_arm(&wheel, &entries[2], deadline_ns + 2000));
	cr_assert_eq(wheel_due_ns(&wheel), deadline_ns + 2000);
}

Test(wheel, tells_whether_an_entry_was_armed)
{
	cr_assert(wheel_arm(&wheel, &entries[0], 100 * TICK_NS));
	cr_assert_not(wheel_arm(&wheel, &entries[0], 200 * TICK_NS));
	cr_assert(wheel_arm(&wheel, &entries[0], 50 * TICK_NS));
}

Test(wheel, many_entries_of_a_slot_are_moved_some_at_a_time)
{
	const uint64_t begin_ns = WHEEL_SLOTS * TICK_NS, deadline_ns = begin_ns + 5 * TICK_NS;
	uint32_t fired = 0;

	for (unsigned int i = 0; i < ENTRIES; i++)
		wheel_arm(&wheel, &entries[i], deadline_ns);
	cr_assert_eq(wheel.counts[1], ENTRIES);
	for (unsigned int moved = WHEEL_MOVES; moved < ENTRIES; moved += WHEEL_MOVES) {
		cr_assert_null(wheel_expire(&wheel, deadline_ns));
		cr_assert_eq(wheel.counts[1], ENTRIES - moved);
		cr_assert_eq(wheel.counts[0], moved);
	}
	while (wheel_expire(&wheel, deadline_ns) != NULL)
		fired++;
	cr_assert_eq(fired, ENTRIES);
}

Test(wheel, overdue_fires_at_once)
{
	wheel_arm(&wheel, &entries[0], 10 * TICK_NS);
	cr_assert_eq(wheel_expire(&wheel, 1000 * TICK_NS), &entries[0]);
	cr_assert_null(wheel_expire(&wheel, 1000 * TICK_NS));
	wheel_arm(&wheel, &entries[0], 1);
	cr_assert_eq(wheel_expire(&wheel, 1000 * TICK_NS), &entries[0]);
}

Test(wheel, nearer_deadline_moves_an_entry_and_a_later_one_does_not)
{
	wheel_arm(&wheel, &entries[0], 100 * TICK_NS);
	wheel_arm(&wheel, &entries[0], 200 * TICK_NS);
	cr_assert_eq(wheel_next_ns(&wheel), 100 * TICK_NS);
	wheel_arm(&wheel, &entries[0], 50 * TICK_NS);
	cr_assert_eq(wheel_next_ns(&wheel), 50 * TICK_NS);
	cr_assert_eq(wheel.armed, 1);
}

Test(wheel, disarmed_entry_does_not_fire)
{
	wheel_arm(&wheel, &entries[0], 5 * TICK_NS);
	wheel_disarm(&wheel, &entries[0]);
	wheel_disarm(&wheel, &entries[0]);
	cr_assert_null(wheel_expire(&wheel, 10 * TICK_NS));
	cr_assert_eq(wheel.armed, 0);
}

/** @return a random number below 2^bits; small and large magnitudes are equally frequent */
static uint64_t
any_below(struct base_random *random, uint32_t bits)
{
	return base_random_u64(random) & ((UINT64_C(1) << base_random_below(random, bits)) - 1);
}

/**
 * Arm random entries, and compare the entries that fire with a list of deadlines. @param ahead_bits
 * deadlines are less than 2^ahead_bits ahead @param pause_bits time steps are less than
 * 2^pause_bits
 */
static void
random_run(uint32_t ahead_bits, uint32_t pause_bits)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {42};
	uint64_t deadlines[ENTRIES];
	struct base_random random;
	uint64_t now_ns = 0;

	base_random_seed(&random, seed);
	for (unsigned int i = 0; i < ENTRIES; i++)
		deadlines[i] = BASE_TIME_NEVER;
	for (unsigned int step = 0; step < 20000; step++) {
		unsigned int i = base_random_below(&random, ENTRIES), calls = 0;
		uint64_t deadline_ns = now_ns + any_below(&random, ahead_bits);
		struct wheel_entry *fired;
		uint64_t next_ns;

		wheel_arm(&wheel, &entries[i], deadline_ns);
		if (deadline_ns < deadlines[i])
			deadlines[i] = deadline_ns;
		now_ns += any_below(&random, pause_bits);
		/*
		 * More calls are not necessary, because each call moves up to WHEEL_MOVES entries.
		 */
		while (calls < WHEEL_LEVELS * (ENTRIES / WHEEL_MOVES + 1)) {
			unsigned int which;

			fired = wheel_expire(&wheel, now_ns);
			calls += fired == NULL;
			if (fired == NULL)
				continue;
			which = (unsigned int)(fired - entries);
			cr_assert_leq(deadlines[which], now_ns, "seed 42 step %u: early", step);
			deadlines[which] = BASE_TIME_NEVER;
		}
		next_ns = BASE_TIME_NEVER;
		for (unsigned int k = 0; k < ENTRIES; k++) {
			cr_assert_gt(deadlines[k], now_ns, "seed 42 step %u: %u missed", step, k);
			next_ns = RTE_MIN(next_ns, deadlines[k]);
		}
		cr_assert_eq(wheel_next_ns(&wheel), next_ns, "seed 42 step %u", step);
	}
}

Test(wheel, random_run_agrees_with_a_list)
{
	random_run(29, 22);
}

Test(wheel, random_run_over_hours_agrees_with_a_list)
{
	random_run(45, 44);
}

Test(wheel, many_entries_fire_in_their_ticks)
{
	enum { MANY = 100000 };
	struct wheel_entry *many = calloc(MANY, sizeof(*many));
	struct wheel_entry *fired;
	uint32_t count = 0;

	cr_assert_not_null(many);
	for (uint32_t i = 0; i < MANY; i++) {
		wheel_entry_init(&many[i]);
		wheel_arm(&wheel, &many[i], (uint64_t)(i * 7919u % MANY) * TICK_NS);
	}
	for (uint64_t tick = 0; tick < MANY; tick++) {
		fired = NULL;
		for (uint32_t calls = 0; calls <= MANY / WHEEL_MOVES && fired == NULL; calls++)
			fired = wheel_expire(&wheel, tick * TICK_NS);
		cr_assert_not_null(fired, "nothing fires in tick %lu", (unsigned long)tick);
		cr_assert_eq((uint64_t)(fired - many) * 7919u % MANY, tick);
		cr_assert_null(wheel_expire(&wheel, tick * TICK_NS));
		count++;
	}
	cr_assert_eq(count, MANY);
	cr_assert_eq(wheel.armed, 0);
	free(many);
}
