/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <math.h>

#include <criterion/criterion.h>

#include "ndpmd/schedule.h"

#define START UINT64_C(1000000000000)

static const struct schedule schedules[] = {
	{.period = 100, .burst = 1, .start_tsc = START},
	{.period = 0.75, .burst = 1, .start_tsc = START},
	{.period = 1000.3, .offset = 0.25, .burst = 1, .start_tsc = START},
	{.period = 100, .offset = 0.5, .burst = 16, .start_tsc = START},
	{.period = 100, .ramp = 100000, .burst = 1, .start_tsc = START},
	{.period = 99.9, .ramp = 12345678, .offset = 0.125, .burst = 7, .start_tsc = START},
};

#define ROWS (sizeof(schedules) / sizeof(schedules[0]))

/*
 * schedule_due_count() and schedule_due_tsc() agree: apart from rounding, an operation is due
 * exactly at its time.
 */
Test(schedule, count_and_time_agree)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct schedule *row = &schedules[i];
		uint64_t last = 0;

		for (uint64_t number = 0; number < 5000; number++) {
			const uint64_t due = schedule_due_tsc(row, number);

			cr_assert_geq(due, last, "row %zu, %" PRIu64, i, number);
			cr_assert_gt(schedule_due_count(row, due + 2), number);
			if (due > START + 2)
				cr_assert_leq(schedule_due_count(row, due - 2),
					number - number % row->burst + (row->period < 4 ? 4 : 0),
					"row %zu, %" PRIu64, i, number);
			last = due;
		}
	}
}

Test(schedule, nothing_is_due_before_the_start)
{
	for (size_t i = 0; i < ROWS; i++)
		cr_assert_eq(schedule_due_count(&schedules[i], START - 1), 0, "row %zu", i);
}

Test(schedule, operations_are_at_equal_distances)
{
	const struct schedule *row = &schedules[0];

	for (uint64_t number = 0; number < 1000; number++)
		cr_assert_eq(schedule_due_tsc(row, number), START + 100 * number);
	cr_assert_eq(schedule_due_tsc(&schedules[2], 0), START + 250);
	/*
	 * Fractions of cycles in the period still count after 10^5 s at 2 * 10^9 cycles per second.
	 */
	cr_assert_eq(schedule_due_tsc(&schedules[1], UINT64_C(200000000000000)),
		START + UINT64_C(150000000000000));
}

Test(schedule, a_burst_is_due_at_once_and_keeps_the_rate)
{
	const struct schedule *row = &schedules[3];

	for (uint64_t number = 0; number < 160; number++)
		cr_assert_eq(schedule_due_tsc(row, number), START + 800 + number / 16 * 1600);
	cr_assert_eq(schedule_due_count(row, START + 799), 0);
	cr_assert_eq(schedule_due_count(row, START + 800), 16);
	cr_assert_eq(schedule_due_count(row, START + 2399), 16);
	cr_assert_eq(schedule_due_count(row, START + 2400), 32);
}

/*
 * In the first half of a ramp, a quarter of its operations are due. The full rate would make twice
 * as many operations as the ramp in the same time.
 */
Test(schedule, a_ramp_grows_from_nothing)
{
	const struct schedule *row = &schedules[4];
	uint64_t last = UINT64_MAX;

	cr_assert_eq(schedule_due_count(row, START + 50001), 126);
	cr_assert_eq(schedule_due_count(row, START + 100001), 501);
	cr_assert_eq(schedule_due_count(row, START + 200001), 1501);
	/* During the ramp, the time between operations decreases until it equals the period. */
	for (uint64_t number = 0; number < 499; number++) {
		const uint64_t distance =
			schedule_due_tsc(row, number + 1) - schedule_due_tsc(row, number);

		cr_assert_leq(distance, last == UINT64_MAX ? last : last + 1, "%" PRIu64, number);
		cr_assert_geq(distance, 100, "%" PRIu64, number);
		last = distance;
	}
	for (uint64_t number = 500; number < 1000; number++)
		cr_assert_eq(
			schedule_due_tsc(row, number + 1) - schedule_due_tsc(row, number), 100);
}
