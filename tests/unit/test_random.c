/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/random.h"

#include <string.h>

#include <criterion/criterion.h>

/* Keystream of RFC 8439, appendix A.1, test vectors 1 and 2 (key 0, counters 0 and 1). */
static const uint8_t key_zero[128] = {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d,
	0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d, 0xed, 0x1a, 0xa8,
	0x36, 0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7, 0xda, 0x41, 0x59, 0x7c, 0x51, 0x57, 0x48, 0x8d,
	0x77, 0x24, 0xe0, 0x3f, 0xb8, 0xd8, 0x4a, 0x37, 0x6a, 0x43, 0xb8, 0xf4, 0x15, 0x18, 0xa1,
	0x1c, 0xc3, 0x87, 0xb6, 0x69, 0xb2, 0xee, 0x65, 0x86, 0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51,
	0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08, 0x0d, 0xcb, 0x0f, 0x29, 0xa0, 0x48,
	0xe3, 0x65, 0x69, 0x12, 0xc6, 0x53, 0x3e, 0x32, 0xee, 0x7a, 0xed, 0x29, 0xb7, 0x21, 0x76,
	0x9c, 0xe6, 0x4e, 0x43, 0xd5, 0x71, 0x33, 0xb0, 0x74, 0xd8, 0x39, 0xd5, 0x31, 0xed, 0x1f,
	0x28, 0x51, 0x0a, 0xfb, 0x45, 0xac, 0xe1, 0x0a, 0x1f, 0x4b, 0x79, 0x4d, 0x6f};

/* Keystream of test vector 3 (key 00..01, counter 1). */
static const uint8_t key_one[64] = {0x3a, 0xeb, 0x52, 0x24, 0xec, 0xf8, 0x49, 0x92, 0x9b, 0x9d,
	0x82, 0x8d, 0xb1, 0xce, 0xd4, 0xdd, 0x83, 0x20, 0x25, 0xe8, 0x01, 0x8b, 0x81, 0x60, 0xb8,
	0x22, 0x84, 0xf3, 0xc9, 0x49, 0xaa, 0x5a, 0x8e, 0xca, 0x00, 0xbb, 0xb4, 0xa7, 0x3b, 0xda,
	0xd1, 0x92, 0xb5, 0xc4, 0x2f, 0x73, 0xf2, 0xfd, 0x4e, 0x27, 0x36, 0x44, 0xc8, 0xb3, 0x61,
	0x25, 0xa6, 0x4a, 0xdd, 0xeb, 0x00, 0x6c, 0x13, 0xa0};

static void
stream_take(struct base_random *random, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i += 4) {
		uint32_t value = base_random_u32(random);

		memcpy(bytes + i, &value, 4);
	}
}

Test(random, stream_of_key_zero_is_that_of_the_rfc)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES];
	struct base_random random;
	uint8_t stream[128];

	base_random_seed(&random, seed);
	stream_take(&random, stream, sizeof(stream));
	cr_assert_arr_eq(stream, key_zero, sizeof(key_zero));
}

Test(random, second_block_of_key_one_is_that_of_the_rfc)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {[31] = 1};
	struct base_random random;
	uint8_t stream[128];

	base_random_seed(&random, seed);
	stream_take(&random, stream, sizeof(stream));
	cr_assert_arr_eq(stream + 64, key_one, sizeof(key_one));
}

Test(random, equal_seeds_give_equal_and_other_seeds_other_sequences)
{
	static const uint8_t seed[2][BASE_RANDOM_SEED_BYTES] = {{7}, {8}};
	struct base_random a, b, c;
	unsigned int same = 0;

	base_random_seed(&a, seed[0]);
	base_random_seed(&b, seed[0]);
	base_random_seed(&c, seed[1]);
	for (int i = 0; i < 1000; i++) {
		uint64_t value = base_random_u64(&a);

		cr_assert_eq(value, base_random_u64(&b));
		same += value == base_random_u64(&c);
	}
	cr_assert_eq(same, 0u);
}

Test(random, handed_out_bytes_are_not_kept)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {9};
	static const uint8_t zero[64];
	struct base_random random;

	base_random_seed(&random, seed);
	for (int i = 0; i < 16; i++)
		base_random_u32(&random);
	cr_assert_eq(random.used_bytes, 64u);
	cr_assert_arr_eq(random.blocks, zero, sizeof(zero));
}

Test(random, below_stays_below_every_bound)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {10};
	static const uint32_t bounds[] = {
		1, 2, 3, 7, 100, 65536, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF};
	struct base_random random;

	base_random_seed(&random, seed);
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		for (int n = 0; n < 10000; n++) {
			uint32_t value = base_random_below(&random, bounds[i]);

			cr_assert_lt(value, bounds[i], "%u of bound %u", value, bounds[i]);
		}
}

/*
 * Chi-square test with 12 degrees of freedom. With a random seed, the value exceeds 40 once in 10^4
 * tests. The seed of this test is fixed.
 */
Test(random, below_is_uniform)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {11};
	const unsigned int draws = 130000, expected = draws / 13;
	unsigned int count[13] = {0};
	struct base_random random;
	double chi_square = 0;

	base_random_seed(&random, seed);
	for (unsigned int i = 0; i < draws; i++)
		count[base_random_below(&random, 13)]++;
	for (int i = 0; i < 13; i++) {
		double off = (double)count[i] - expected;

		chi_square += off * off / expected;
	}
	cr_assert_lt(chi_square, 40.0, "chi-square %f", chi_square);
}

/*
 * With the bound 3 * 2^30, a plain multiplication would make one remainder modulo 3 more frequent.
 * base_random_below() must prevent this by rejecting some numbers.
 */
Test(random, below_a_large_bound_is_uniform)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {12};
	const uint32_t bound = 3u << 30;
	unsigned int third[3] = {0};
	struct base_random random;

	base_random_seed(&random, seed);
	for (unsigned int i = 0; i < 300000; i++)
		third[base_random_below(&random, bound) % 3]++;
	for (int i = 0; i < 3; i++) {
		cr_assert_gt(third[i], 98500u, "residue %d: %u", i, third[i]);
		cr_assert_lt(third[i], 101500u, "residue %d: %u", i, third[i]);
	}
}
