/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/icrc.h"

#include <criterion/criterion.h>

#include "unit/wire_chain.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"

static uint32_t
load_le32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
}

/* @return ICRC of a frame in one piece, computed by wire_icrc_start() and wire_icrc_add() */
static uint32_t
icrc_of(const uint8_t *frame, size_t end)
{
	size_t behind_bth = wire_oracle_bth_offset(frame) + 12;
	struct wire_icrc icrc;

	wire_icrc_start(&icrc, frame + wire_oracle_l3_offset(frame), wire_oracle_v6(frame));
	wire_icrc_add(&icrc, frame + behind_bth, end - behind_bth);
	return wire_icrc_value(&icrc);
}

Test(icrc, every_vector_has_its_icrc)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		const struct wire_vector *vector = &wire_vectors[number - 1];
		uint8_t frame[WIRE_VECTOR_MAX_BYTES];
		size_t bytes = wire_vector_get(number, frame);

		cr_assert_arr_eq(frame + bytes - 4, vector->icrc, 4, "%s", vector->name);
		cr_assert_eq(icrc_of(frame, bytes - 4), load_le32(vector->icrc), "%s: 0x%08x",
			vector->name, icrc_of(frame, bytes - 4));
	}
}

/*
 * Check the oracle (wire_oracle.h): its pseudo packets for V1, V4 and V5 must equal the pseudo
 * packets in the vectors.
 */
Test(icrc, pseudo_packets_are_those_of_the_vectors)
{
	static const struct {
		unsigned int number;
		const char *hex;
	} listed[] = {
		{1,
			"ffffffffffffffff45ff003c00004000ff11ffffc0000201c0000202c0a112b7"
			"0028ffff0400ffffff0000128000010048656c6c6f2c20526f43457632210d0a"},
		{4,
			"ffffffffffffffff6fffffff002011ff20010db8000000000000000000000001"
			"20010db8000000000000000000000002d12312b70020ffff05c0ffffff000012"
			"80000101deadbeef01020304"},
		{5,
			"ffffffffffffffff6fffffff002811ff20010db8000000000000000000000001"
			"20010db8000000000000000000000002d12312b70028ffff0c00ffffff000012"
			"8000010200000000000010001122334400002000"},
	};

	for (size_t i = 0; i < 3; i++) {
		uint8_t frame[WIRE_VECTOR_MAX_BYTES], pseudo[WIRE_VECTOR_MAX_BYTES];
		uint8_t wanted[WIRE_VECTOR_MAX_BYTES];
		size_t bytes = wire_vector_get(listed[i].number, frame);
		size_t pseudo_bytes = wire_oracle_pseudo(frame, bytes - 4, pseudo);

		cr_assert_eq(wire_hex_decode(listed[i].hex, wanted, sizeof(wanted)), pseudo_bytes);
		cr_assert_arr_eq(pseudo, wanted, pseudo_bytes, "V%u", listed[i].number);
		cr_assert_eq(wire_oracle_crc(pseudo, pseudo_bytes), load_le32(frame + bytes - 4));
	}
}

Test(icrc, residue_is_constant)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		uint8_t frame[WIRE_VECTOR_MAX_BYTES];
		size_t bytes = wire_vector_get(number, frame);

		cr_assert_eq(
			icrc_of(frame, bytes), 0x2144DF1Cu, "%s", wire_vectors[number - 1].name);
	}
}

static void
frame_randomize(uint8_t *frame, size_t from, size_t bytes, struct base_random *random)
{
	for (size_t i = from; i < bytes; i++)
		frame[i] = (uint8_t)base_random_u32(random);
}

Test(icrc, any_segmentation_equals_the_bitwise_crc)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {30};
	static uint8_t frame[WIRE_ORACLE_MAX_BYTES];
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 1000; round++) {
		unsigned int number = 1 + base_random_below(&random, WIRE_VECTOR_COUNT);
		uint32_t count = 1 + base_random_below(&random, WIRE_CHAIN_MAX);
		uint32_t bytes, end, behind_bth;
		const struct rte_mbuf *mbuf;
		struct wire_chain chain;

		wire_vector_get(number, frame);
		behind_bth = (uint32_t)wire_oracle_bth_offset(frame) + 12;
		end = behind_bth + base_random_below(&random, round % 8 == 0 ? 9000 : 100);
		bytes = end + base_random_below(&random, 8);
		/*
		 * Keep only the ethertype and the IP version of the vector. Make all other header
		 * fields random.
		 */
		frame_randomize(frame, wire_oracle_l3_offset(frame) + 1, bytes, &random);
		mbuf = wire_chain_make(&chain, frame, bytes, count, &random);
		cr_assert_eq(wire_icrc_mbuf(mbuf, (uint16_t)wire_oracle_l3_offset(frame),
				     wire_oracle_v6(frame), end),
			wire_oracle_icrc(frame, end),
			"seed 30 round %d: V%u, %u bytes, %u segments", round, number, bytes,
			count);
		cr_assert_eq(icrc_of(frame, end), wire_oracle_icrc(frame, end));
		wire_chain_free(&chain);
	}
}

Test(icrc, pieces_add_up)
{
	uint8_t frame[WIRE_VECTOR_MAX_BYTES];
	size_t bytes = wire_vector_get(13, frame), from = wire_oracle_bth_offset(frame) + 12;

	for (size_t cut = from; cut <= bytes - 4; cut++) {
		struct wire_icrc icrc;

		wire_icrc_start(&icrc, frame + 14, false);
		wire_icrc_add(&icrc, frame + from, cut - from);
		wire_icrc_add(&icrc, frame + cut, bytes - 4 - cut);
		cr_assert_eq(
			wire_icrc_value(&icrc), load_le32(frame + bytes - 4), "cut at %zu", cut);
	}
}
