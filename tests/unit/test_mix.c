/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <math.h>

#include <criterion/criterion.h>

#include "ndpmd/mix.h"

static const uint8_t weights[][OPTIONS_OP_MIX] = {
	{[OPTIONS_OP_SEND] = 50, [OPTIONS_OP_WRITE] = 30, [OPTIONS_OP_READ] = 20},
	{[OPTIONS_OP_WRITE] = 1},
	{[OPTIONS_OP_READ] = 1, [OPTIONS_OP_WRITE_IMM] = 100},
	{[OPTIONS_OP_SEND] = 1,
		[OPTIONS_OP_WRITE] = 3,
		[OPTIONS_OP_READ] = 2,
		[OPTIONS_OP_SEND_IMM] = 7,
		[OPTIONS_OP_WRITE_IMM] = 100},
};

#define ROWS (sizeof(weights) / sizeof(weights[0]))

static uint32_t
sum(const uint8_t row[OPTIONS_OP_MIX])
{
	uint32_t total = 0;

	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++)
		total += row[op];
	return total;
}

Test(mix, each_round_has_the_weights)
{
	for (size_t i = 0; i < ROWS; i++) {
		uint32_t counts[OPTIONS_OP_MIX] = {0};
		struct mix mix;

		mix_begin(&mix, weights[i], 0);
		for (uint32_t round = 1; round <= 3; round++) {
			for (uint32_t k = sum(weights[i]); k > 0; k--)
				counts[mix_next(&mix)]++;
			for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++)
				cr_assert_eq(counts[op], round * weights[i][op],
					"row %zu, round %u, op %u: %u", i, round, op, counts[op]);
		}
	}
}

/* At each position, the count of each kind differs from its weight by less than two operations. */
Test(mix, operations_are_spread)
{
	for (size_t i = 0; i < ROWS; i++) {
		const uint32_t total = sum(weights[i]);
		uint32_t counts[OPTIONS_OP_MIX] = {0};
		struct mix mix;

		mix_begin(&mix, weights[i], 0);
		for (uint32_t n = 1; n <= total; n++) {
			counts[mix_next(&mix)]++;
			for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++) {
				const double due = (double)n * weights[i][op] / total;

				cr_assert_lt(
					fabs(counts[op] - due), 2, "row %zu, %u: op %u", i, n, op);
			}
		}
	}
}

Test(mix, a_place_is_that_of_the_same_order)
{
	const uint32_t total = sum(weights[3]);
	struct mix whole, part;

	for (uint32_t first = 0; first <= 2 * total; first++) {
		mix_begin(&whole, weights[3], 0);
		for (uint32_t i = 0; i < first; i++)
			mix_next(&whole);
		mix_begin(&part, weights[3], first);
		cr_assert_eq(part.sequence, 0);
		for (uint32_t i = 0; i < total; i++)
			cr_assert_eq(mix_next(&part), mix_next(&whole), "first %u, %u", first, i);
		cr_assert_eq(part.sequence, total);
	}
}
