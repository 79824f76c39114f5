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

Test(wheel, deadline_beyond_one_turn_waits_for_its_turn)
{
	uint64_t far_ns = 3 * WHEEL_SLOTS * TICK_NS + 7;

	wheel_arm(&wheel, &entries[0], far_ns);
	for (uint64_t now_ns = 0; now_ns < far_ns; now_ns += 1000 * TICK_NS)
		cr_assert_null(wheel_expire(&wheel, now_ns), "fired at %lu", now_ns);
	cr_assert_eq(wheel_expire(&wheel, far_ns), &entries[0]);
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

/** A list of deadlines says what must have fired by when. */
Test(wheel, random_run_agrees_with_a_list)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {42};
	uint64_t deadlines[ENTRIES];
	struct base_random random;
	uint64_t now_ns = 0;

	base_random_seed(&random, seed);
	for (unsigned int i = 0; i < ENTRIES; i++)
		deadlines[i] = BASE_TIME_NEVER;
	for (unsigned int step = 0; step < 20000; step++) {
		unsigned int i = base_random_below(&random, ENTRIES);
		uint64_t deadline_ns = now_ns + base_random_below(&random, 400000000);
		struct wheel_entry *fired;
		uint64_t next_ns;

		wheel_arm(&wheel, &entries[i], deadline_ns);
		if (deadline_ns < deadlines[i])
			deadlines[i] = deadline_ns;
		now_ns += base_random_below(&random, 3000000);
		while ((fired = wheel_expire(&wheel, now_ns)) != NULL) {
			unsigned int which = (unsigned int)(fired - entries);

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

/* 100 000 deadlines: each fires once, in the turn of its tick. */
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
