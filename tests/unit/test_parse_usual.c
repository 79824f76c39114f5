/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse_usual.h"

#include <string.h>

#include <criterion/criterion.h>

#include "base/be.h"
#include "unit/wire_chain.h"
#include "unit/wire_frame.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"

/*
 * The fast path must accept only packets that the slow path (here: ladder) accepts, and must return
 * exactly the same view. It must accept the usual packets for which it was written. The third path,
 * which compares a packet with an earlier packet of a burst, must obey the same rules.
 */

#define ROUNDS 200000
#define BURSTS 2000
#define BURST  16

static void
chain_make(struct wire_chain *chain, const struct frame *frame, uint32_t segments,
	uint64_t ol_flags, struct base_random *random)
{
	wire_chain_make(chain, frame->bytes, (uint32_t)frame->count, segments, random);
	chain->segments[0].ol_flags = ol_flags;
	chain->segments[0].vlan_tci = 7;
}

/*
 * Parse a frame on both paths, and fail unless both return the same view. @return true if the fast
 * path accepted the frame
 */
static bool
compare(const struct frame *frame, uint32_t segments, uint64_t ol_flags, struct base_random *random)
{
	struct wire_view fast, slow;
	struct wire_chain chain;
	enum wire_drop drop;
	bool accepted;

	memset(&fast, 0, sizeof(fast));
	memset(&slow, 0, sizeof(slow));
	chain_make(&chain, frame, segments, ol_flags, random);
	accepted = wire_parse_usual(&chain.segments[0], &fast);
	drop = wire_parse_ladder(&chain.segments[0], &slow);
	wire_chain_free(&chain);
	if (!accepted)
		return false;
	ASSERT_DROP(drop, WIRE_OK, "accepted by the fast path");
	cr_assert_arr_eq(&fast, &slow, sizeof(fast));
	return true;
}

static bool
compare_equal(const struct frame *first, const struct frame *frame, uint32_t segments,
	uint64_t ol_flags, struct base_random *random)
{
	struct wire_view view, fast, slow;
	struct wire_chain one, other;
	struct wire_burst burst = {.mbuf = &one.segments[0], .view = &view};
	enum wire_drop drop;
	bool accepted;

	memset(&view, 0, sizeof(view));
	memset(&fast, 0, sizeof(fast));
	memset(&slow, 0, sizeof(slow));
	chain_make(&one, first, 1, 0, random);
	chain_make(&other, frame, segments, ol_flags, random);
	cr_assert(wire_parse_usual(burst.mbuf, &view));
	accepted = wire_parse_equal(&other.segments[0], &fast, &burst);
	drop = wire_parse_ladder(&other.segments[0], &slow);
	wire_chain_free(&one);
	wire_chain_free(&other);
	if (!accepted)
		return false;
	ASSERT_DROP(drop, WIRE_OK, "accepted by comparison");
	cr_assert_arr_eq(&fast, &slow, sizeof(fast));
	return true;
}

static bool
is_usual(const struct frame *frame)
{
	const uint8_t *bytes = frame->bytes;
	uint8_t opcode = bytes[wire_oracle_bth_offset(bytes)];
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);

	return wire_oracle_l3_offset(bytes) == 14 && !wire_oracle_v6(bytes) &&
		wire_opcode_transport(opcode) == WIRE_TRANSPORT_RC &&
		traits->kind != WIRE_KIND_UNKNOWN && bytes[40] == 0 && bytes[41] == 0;
}

Test(parse_usual, accepts_every_vector_it_is_made_for)
{
	struct base_random random = wire_random(1);
	unsigned int accepted = 0;

	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;
		bool usual;

		frame_load(&frame, number);
		usual = is_usual(&frame);
		cr_assert_eq(compare(&frame, 1, 0, &random), usual, "V%u", number);
		accepted += usual;
		memset(frame.bytes + frame.count, 0x55, 40);
		frame.count += 40;
		cr_assert_eq(compare(&frame, 1, 0, &random), usual, "V%u and 40 bytes", number);
	}
	cr_assert_gt(accepted, 5, "%u accepted", accepted);
}

Test(parse_usual, leaves_tags_and_segments_to_the_ladder)
{
	struct base_random random = wire_random(2);

	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;

		frame_load(&frame, number);
		cr_assert(!compare(&frame, 2, 0, &random), "V%u", number);
		cr_assert(!compare(&frame, 1, RTE_MBUF_F_RX_VLAN_STRIPPED, &random), "V%u", number);
		cr_assert(!compare(&frame, 1, RTE_MBUF_F_RX_QINQ_STRIPPED, &random), "V%u", number);
	}
}

/* Header bytes are random. Checksum and ICRC are usually corrected, so that other checks decide. */
Test(parse_usual, never_accepts_what_the_ladder_refuses)
{
	struct base_random random = wire_random(3);
	unsigned int accepted = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint32_t changes = base_random_below(&random, 3);
		struct frame frame;

		frame_load(&frame, 1 + base_random_below(&random, WIRE_VECTOR_COUNT));
		for (uint32_t i = 0; i < changes; i++) {
			uint32_t at =
				base_random_below(&random, RTE_MIN((uint32_t)frame.count, 80u));

			if (base_random_below(&random, 2) == 0)
				frame.bytes[at] ^= (uint8_t)(1 << base_random_below(&random, 8));
			else
				frame.bytes[at] = (uint8_t)base_random_u32(&random);
		}
		if (base_random_below(&random, 8) == 0)
			frame.count -= base_random_below(&random, (uint32_t)frame.count);
		else if (base_random_below(&random, 8) != 0 && !wire_oracle_v6(frame.bytes))
			wire_oracle_seal(frame.bytes, frame.count);
		accepted += compare(&frame, 1, 0, &random);
	}
	cr_assert_gt(accepted, ROUNDS / 10, "%u accepted", accepted);
}

/* Change the IPv4 checksum. Only the check of the checksum detects this, not the ICRC. */
Test(parse_usual, no_other_checksum_is_accepted)
{
	struct base_random random = wire_random(5);

	for (uint32_t difference = 1; difference <= UINT16_MAX; difference++) {
		struct frame frame;

		frame_load(&frame, 1);
		frame.bytes[24] ^= (uint8_t)(difference >> 8);
		frame.bytes[25] ^= (uint8_t)difference;
		cr_assert(!compare(&frame, 1, 0, &random), "difference 0x%04x", difference);
	}
}

/*
 * SEC-028: test the lowest and highest addresses that a single host can have, and the addresses
 * just outside.
 */
Test(parse_usual, addresses_at_the_edges)
{
	static const uint32_t unusual[] = {0, 0xE0000000, 0xEFFFFFFF, 0xF0000000, 0xFFFFFFFF};
	static const uint32_t usual[] = {1, 0x00FFFFFF, 0x01000000, 0x7F000001, 0xDFFFFFFF};
	struct base_random random = wire_random(6);

	for (size_t side = 26; side <= 30; side += 4) {
		struct frame frame;

		frame_load(&frame, 1);
		for (size_t i = 0; i < RTE_DIM(unusual); i++) {
			be_store32(frame.bytes + side, unusual[i]);
			wire_oracle_seal(frame.bytes, frame.count);
			cr_assert(!compare(&frame, 1, 0, &random), "0x%08x", unusual[i]);
		}
		for (size_t i = 0; i < RTE_DIM(usual); i++) {
			be_store32(frame.bytes + side, usual[i]);
			wire_oracle_seal(frame.bytes, frame.count);
			cr_assert(compare(&frame, 1, 0, &random), "0x%08x", usual[i]);
		}
	}
}

Test(parse_usual, opcodes_and_lengths)
{
	struct base_random random = wire_random(4);

	for (unsigned int opcode = 0; opcode < 256; opcode++) {
		for (uint32_t payload = 0; payload <= 40; payload++) {
			uint32_t udp_bytes = 8 + 12 + payload + 4;
			struct frame frame;

			frame_load(&frame, 1);
			frame.count = 14 + 20 + udp_bytes;
			for (size_t at = 54; at < frame.count; at++)
				frame.bytes[at] = (uint8_t)base_random_u32(&random);
			frame.bytes[42] = (uint8_t)opcode;
			frame.bytes[43] = (uint8_t)(base_random_below(&random, 4) << 4 | 0x40);
			be_store16(frame.bytes + 16, (uint16_t)(20 + udp_bytes));
			be_store16(frame.bytes + 38, (uint16_t)udp_bytes);
			wire_oracle_seal(frame.bytes, frame.count);
			compare(&frame, 1, 0, &random);
		}
	}
}

/*
 * Change a frame into another packet of the same sender with the same opcode. Only fields change
 * that may differ between such packets.
 */
static void
frame_follow(struct frame *frame, struct base_random *random)
{
	size_t end = frame->count - WIRE_ICRC_BYTES;

	be_store16(frame->bytes + 18, (uint16_t)base_random_u32(random));
	frame->bytes[50] ^= (uint8_t)(base_random_below(random, 2) << 7);
	for (size_t at = 51; at < end; at++)
		frame->bytes[at] = (uint8_t)base_random_u32(random);
	wire_oracle_seal(frame->bytes, frame->count);
}

Test(parse_usual, accepts_what_equals_an_earlier_packet)
{
	struct base_random random = wire_random(7);
	unsigned int accepted = 0;

	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame first, frame;

		frame_load(&first, number);
		if (!is_usual(&first))
			continue;
		for (unsigned int i = 0; i < 100; i++) {
			frame = first;
			frame_follow(&frame, &random);
			cr_assert(compare_equal(&first, &frame, 1, 0, &random), "V%u", number);
			accepted++;
		}
		cr_assert(!compare_equal(&first, &frame, 2, 0, &random));
		cr_assert(!compare_equal(&first, &frame, 1, RTE_MBUF_F_RX_VLAN_STRIPPED, &random));
		cr_assert(!compare_equal(&first, &frame, 1, RTE_MBUF_F_RX_QINQ_STRIPPED, &random));
	}
	cr_assert_gt(accepted, 500, "%u accepted", accepted);
}

/*
 * Flip each bit in three ways: without correcting anything, with a corrected ICRC, and with all
 * checksums corrected.
 */
Test(parse_usual, comparison_sees_every_bit)
{
	struct base_random random = wire_random(8);

	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame first, frame;

		frame_load(&first, number);
		if (!is_usual(&first))
			continue;
		for (size_t bit = 0; bit < RTE_MIN(first.count, 200u) * 8; bit++) {
			frame = first;
			frame.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
			compare_equal(&first, &frame, 1, 0, &random);
			if (wire_oracle_l3_offset(frame.bytes) != 14)
				continue;
			wire_oracle_seal_icrc(frame.bytes, frame.count);
			compare_equal(&first, &frame, 1, 0, &random);
			wire_oracle_seal(frame.bytes, frame.count);
			compare_equal(&first, &frame, 1, 0, &random);
		}
	}
}

Test(parse_usual, comparison_sees_the_length)
{
	struct base_random random = wire_random(9);
	struct frame first;

	frame_load(&first, 1);
	for (size_t count = 1; count < first.count + 60; count++) {
		struct frame frame = first;

		frame.count = count;
		cr_assert_eq(compare_equal(&first, &frame, 1, 0, &random), count == first.count);
	}
}

static void
burst_compare(const struct wire_chain *chains)
{
	static struct wire_view views[BURST];
	struct wire_burst burst = {0};

	for (unsigned int i = 0; i < BURST; i++) {
		const struct rte_mbuf *mbuf = &chains[i].segments[0];
		struct wire_view slow;
		enum wire_drop drop;

		memset(&views[i], 0, sizeof(views[i]));
		memset(&slow, 0, sizeof(slow));
		drop = wire_parse_ladder(mbuf, &slow);
		ASSERT_DROP(wire_parse_in_burst(mbuf, &views[i], &burst), drop, "packet %u", i);
		if (drop == WIRE_OK)
			cr_assert_arr_eq(&views[i], &slow, sizeof(slow), "packet %u", i);
	}
}

Test(parse_usual, a_burst_is_parsed_as_its_packets_are)
{
	static struct wire_chain chains[BURST];
	struct base_random random = wire_random(10);

	for (unsigned int round = 0; round < BURSTS; round++) {
		struct frame frame;

		for (unsigned int i = 0; i < BURST; i++) {
			if (i == 0 || base_random_below(&random, 4) == 0)
				frame_load(
					&frame, 1 + base_random_below(&random, WIRE_VECTOR_COUNT));
			else if (is_usual(&frame))
				frame_follow(&frame, &random);
			if (base_random_below(&random, 8) == 0)
				frame.bytes[base_random_below(&random, 60)] ^= 1;
			chain_make(&chains[i], &frame, 1 + (base_random_below(&random, 8) == 0), 0,
				&random);
		}
		burst_compare(chains);
		for (unsigned int i = 0; i < BURST; i++)
			wire_chain_free(&chains[i]);
	}
}
