/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <string.h>

#include <criterion/criterion.h>

#include "ndpmd/pattern.h"

#define LENGTH_MAX 200

Test(pattern, filled_message_matches_at_every_length)
{
	uint8_t message[LENGTH_MAX];

	for (size_t length = 0; length <= LENGTH_MAX; length++) {
		const uint64_t seed = pattern_seed(3, PATTERN_REQUEST, length);

		pattern_fill(message, length, seed);
		cr_assert_eq(pattern_check(message, length, seed), PATTERN_MATCHES, "length %zu",
			length);
	}
}

Test(pattern, fill_leaves_bytes_behind_alone)
{
	uint8_t message[LENGTH_MAX];

	for (size_t length = 0; length < LENGTH_MAX; length++) {
		memset(message, 0xa5, sizeof(message));
		pattern_fill(message, length, 1);
		for (size_t i = length; i < LENGTH_MAX; i++)
			cr_assert_eq(message[i], 0xa5, "length %zu, byte %zu", length, i);
	}
}

Test(pattern, wrong_byte_is_found_at_its_offset)
{
	uint8_t message[LENGTH_MAX];
	const uint64_t seed = pattern_seed(0, PATTERN_ANSWER, 99);

	for (size_t length = 1; length <= LENGTH_MAX; length++) {
		for (size_t wrong = 0; wrong < length; wrong++) {
			pattern_fill(message, length, seed);
			message[wrong] ^= 0x01;
			cr_assert_eq(pattern_check(message, length, seed), wrong,
				"length %zu, byte %zu", length, wrong);
		}
	}
}

Test(pattern, neighbours_differ)
{
	uint8_t message[64];
	const uint64_t seed = pattern_seed(5, PATTERN_REQUEST, 1000);
	const uint64_t others[] = {
		pattern_seed(5, PATTERN_REQUEST, 1001),
		pattern_seed(5, PATTERN_REQUEST, 999),
		pattern_seed(5, PATTERN_ANSWER, 1000),
		pattern_seed(4, PATTERN_REQUEST, 1000),
		pattern_seed(6, PATTERN_REQUEST, 1000),
	};

	pattern_fill(message, sizeof(message), seed);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_assert_neq(pattern_check(message, sizeof(message), others[i]), PATTERN_MATCHES,
			"other %zu", i);
	/* Begin 8 bytes too late in the message. */
	cr_assert_neq(pattern_check(message + 8, sizeof(message) - 8, seed), PATTERN_MATCHES);
}
