/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/encoded_time.h"

#include <criterion/criterion.h>

/* RNR timer values of IBTA table 45, in microseconds. */
static const uint64_t rnr_us[32] = {655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640,
	960, 1280, 1920, 2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720, 40960, 61440, 81920,
	122880, 163840, 245760, 327680, 491520};

Test(encoded_time, rnr_timer_is_the_table_of_the_specification)
{
	for (uint8_t code = 0; code < 32; code++)
		cr_assert_eq(base_rnr_timer_ns(code), rnr_us[code] * 1000, "code %u is %lu ns",
			code, base_rnr_timer_ns(code));
}

Test(encoded_time, rnr_timer_looks_at_five_bits_only)
{
	cr_assert_eq(base_rnr_timer_ns(0x20 | 12), 640000u);
	cr_assert_eq(base_rnr_timer_ns(0xE0), 655360000u);
}

Test(encoded_time, timeout_doubles_with_every_code)
{
	cr_assert_eq(base_timeout_ns(1), 8192u);
	cr_assert_eq(base_timeout_ns(8), 1048576u);
	cr_assert_eq(base_timeout_ns(14), 67108864u);
	cr_assert_eq(base_timeout_ns(19), UINT64_C(2147483648));
	for (uint8_t code = 2; code < 32; code++)
		cr_assert_eq(base_timeout_ns(code), 2 * base_timeout_ns((uint8_t)(code - 1)));
}

Test(encoded_time, longest_timeout_does_not_overflow)
{
	cr_assert_eq(base_timeout_ns(31), UINT64_C(8796093022208));
}

Test(encoded_time, timeout_zero_is_never)
{
	cr_assert_eq(base_timeout_ns(0), BASE_TIME_NEVER);
	cr_assert_eq(base_timeout_ns(32), BASE_TIME_NEVER);
}
