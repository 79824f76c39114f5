/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/psn.h"

#include <criterion/criterion.h>

#include "base/random.h"

/*
 * The tests use only the upper 8 of the 24 bits, so that all numbers can be tried. The numbers wrap
 * like 24-bit numbers.
 */
#define WIDEN(small) ((uint32_t)(small) << 16)

/* B-029: test distances of 2^23, and of a little more and less. */
Test(psn, difference_at_the_wrap_and_the_half_space_is_as_specified)
{
	cr_assert_eq(psn_diff(0x000000, 0xFFFFFF), 1);
	cr_assert_eq(psn_diff(0xFFFFFF, 0x000000), -1);
	cr_assert_eq(psn_diff(0x800000, 0), -8388608);
	cr_assert_eq(psn_diff(0, 0x800000), -8388608);
	cr_assert_eq(psn_diff(0x7FFFFF, 0), 8388607);
	cr_assert_eq(psn_diff(0x123456, 0x123456), 0);
}

Test(psn, addition_wraps_in_both_directions)
{
	cr_assert_eq(psn_add(0xFFFFFF, 1), 0u);
	cr_assert_eq(psn_add(0, -1), 0xFFFFFFu);
	cr_assert_eq(psn_add(0xFFFFF0, 0x20), 0x10u);
	cr_assert_eq(psn_add(0x10, -0x20), 0xFFFFF0u);
	cr_assert_eq(psn_add(5, 0x1000000), 5u);
	cr_assert_eq(psn_add(5, -0x1000000), 5u);
}

Test(psn, every_reduced_difference_is_serial_arithmetic)
{
	for (int a = 0; a < 256; a++)
		for (int b = 0; b < 256; b++) {
			int32_t expected = (int8_t)(uint8_t)(a - b) * 65536;

			cr_assert_eq(psn_diff(WIDEN(a), WIDEN(b)), expected, "%d - %d is %d not %d",
				a, b, psn_diff(WIDEN(a), WIDEN(b)), expected);
			cr_assert_eq(psn_add(WIDEN(b), expected), WIDEN(a));
		}
}

Test(psn, random_differences_undo_additions)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int i = 0; i < 1000000; i++) {
		uint32_t psn = base_random_u32(&random) & PSN_MASK;
		int32_t distance = (int32_t)base_random_below(&random, 1 << 24) - (1 << 23);
		uint32_t moved = psn_add(psn, distance);

		cr_assert_leq(moved, PSN_MASK);
		cr_assert_eq(psn_diff(moved, psn), distance, "0x%x moved by %d: difference %d", psn,
			distance, psn_diff(moved, psn));
	}
}
