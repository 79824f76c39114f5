/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/be.h"

#include <criterion/criterion.h>

static const uint8_t bytes[] = {0x00, 0x81, 0x92, 0xA3, 0xB4, 0xC5, 0xD6, 0xE7, 0xF8, 0x09};

Test(be, load_reads_most_significant_byte_first_at_any_alignment)
{
	cr_assert_eq(be_load16(bytes + 1), 0x8192u);
	cr_assert_eq(be_load24(bytes + 1), 0x8192A3u);
	cr_assert_eq(be_load32(bytes + 1), 0x8192A3B4u);
	cr_assert_eq(be_load64(bytes + 1), UINT64_C(0x8192A3B4C5D6E7F8));
	cr_assert_eq(be_load64(bytes + 2), UINT64_C(0x92A3B4C5D6E7F809));
}

Test(be, store_undoes_load_and_touches_nothing_else)
{
	uint8_t copy[10] = {0};

	be_store64(copy + 1, be_load64(bytes + 1));
	cr_assert_arr_eq(copy + 1, bytes + 1, 8);
	cr_assert_eq(copy[0] | copy[9], 0);
	memset(copy, 0, sizeof(copy));
	be_store32(copy + 1, be_load32(bytes + 1));
	cr_assert_arr_eq(copy + 1, bytes + 1, 4);
	cr_assert_eq(copy[0] | copy[5], 0);
	memset(copy, 0, sizeof(copy));
	be_store24(copy + 1, be_load24(bytes + 1));
	cr_assert_arr_eq(copy + 1, bytes + 1, 3);
	cr_assert_eq(copy[0] | copy[4], 0);
	memset(copy, 0, sizeof(copy));
	be_store16(copy + 1, be_load16(bytes + 1));
	cr_assert_arr_eq(copy + 1, bytes + 1, 2);
	cr_assert_eq(copy[0] | copy[3], 0);
}

Test(be, store24_ignores_the_upper_byte)
{
	uint8_t copy[4] = {0, 0, 0, 0x55};

	be_store24(copy, 0xFF123456);
	cr_assert_eq(be_load24(copy), 0x123456u);
	cr_assert_eq(copy[3], 0x55);
}
