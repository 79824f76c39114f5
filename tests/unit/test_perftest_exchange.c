/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <criterion/criterion.h>

#include "ndpmd/perftest/exchange.h"

/*
 * Encode each step of the exchange as one character. v: version, c: cycle buffer, l: cache line
 * size, m: path MTU, b: unused place, +: number of connections, digit: index of this queue pair, *:
 * test, A to E: values, .: end. The expected orders were observed with the programs of perftest.
 */
static char
letter_of(struct perftest_turn turn)
{
	switch (turn.step) {
	case PERFTEST_STEP_VERSION:
		return 'v';
	case PERFTEST_STEP_CYCLE:
		return 'c';
	case PERFTEST_STEP_CACHE_LINE:
		return 'l';
	case PERFTEST_STEP_MTU:
		return 'm';
	case PERFTEST_STEP_BLANK:
		return 'b';
	case PERFTEST_STEP_CONNECT:
		return '+';
	case PERFTEST_STEP_PLACE:
		return (char)('0' + turn.index);
	case PERFTEST_STEP_TEST:
		return '*';
	case PERFTEST_STEP_VALUE:
		return (char)('A' + turn.index);
	case PERFTEST_STEP_END:
		break;
	}
	return '.';
}

Test(perftest_exchange, turns_are_those_of_perftest)
{
	static const struct {
		struct perftest_plan plan;
		const char *turns;
	} rows[] = {
		{{OPTIONS_OP_WRITE, false, 1}, "vclmb+b000*0ABCDE0..."},
		{{OPTIONS_OP_WRITE, false, 3}, "vclmb+b0120120*0ABCDE0..."},
		{{OPTIONS_OP_READ, false, 1}, "vclmb+b000*0ABCDE0..."},
		{{OPTIONS_OP_READ, false, 4}, "vclmb+b012301230*0ABCDE0..."},
		{{OPTIONS_OP_SEND, false, 1}, "vclmb+b0000*0..."},
		{{OPTIONS_OP_SEND, false, 3}, "vclmb+b01200120*0..."},
		{{OPTIONS_OP_WRITE, true, 1}, "vclmb+b0000*..."},
		{{OPTIONS_OP_READ, true, 1}, "vclmb+b0000*0..."},
		{{OPTIONS_OP_SEND, true, 1}, "vclmb+b0000*0..."},
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++)
		for (uint32_t turn = 0; rows[i].turns[turn] != '\0'; turn++) {
			const char found = letter_of(perftest_turn_at(&rows[i].plan, turn));

			cr_assert_eq(found, rows[i].turns[turn], "%s: turn %u is %c", rows[i].turns,
				turn, found);
		}
}

Test(perftest_exchange, items_have_the_lengths_of_perftest)
{
	static const uint32_t bytes[] = {
		[PERFTEST_STEP_VERSION] = 16,
		[PERFTEST_STEP_CYCLE] = 4,
		[PERFTEST_STEP_CACHE_LINE] = 4,
		[PERFTEST_STEP_MTU] = 2,
		[PERFTEST_STEP_BLANK] = 56,
		[PERFTEST_STEP_CONNECT] = 0,
		[PERFTEST_STEP_PLACE] = 56,
		[PERFTEST_STEP_TEST] = 0,
		[PERFTEST_STEP_VALUE] = 8,
		[PERFTEST_STEP_END] = 0,
	};

	for (size_t step = 0; step < RTE_DIM(bytes); step++)
		cr_assert_eq(perftest_step_bytes((enum perftest_step)step), bytes[step],
			"step %zu has %u bytes, not %u", step,
			perftest_step_bytes((enum perftest_step)step), bytes[step]);
	cr_assert_eq(offsetof(struct perftest_place, key), 16);
	cr_assert_eq(offsetof(struct perftest_place, address), 24);
	cr_assert_eq(offsetof(struct perftest_place, gid), 32);
	cr_assert_eq(offsetof(struct perftest_place, gid_index), 52);
}

Test(perftest_exchange, doubles_travel_most_significant_byte_first)
{
	/* 4.56 in IEEE 754. */
	static const uint8_t bytes[8] = {0x40, 0x12, 0x3d, 0x70, 0xa3, 0xd7, 0x0a, 0x3d};
	rte_be64_t value = perftest_value_of_double(4.56);

	cr_assert_arr_eq(&value, bytes, sizeof(bytes));
	memcpy(&value, bytes, sizeof(value));
	cr_assert_eq(perftest_double_of_value(value), 4.56, "%f", perftest_double_of_value(value));
}
