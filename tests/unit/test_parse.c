/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse.h"

#include <string.h>

#include <criterion/criterion.h>

#include "unit/wire_chain.h"
#include "unit/wire_frame.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"

/* B-127: the ICRC is at the end of the datagram. After it, the frame may contain padding. */
Test(parse, minimum_size_padding_is_not_the_packet)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 2);
	memset(frame.bytes + frame.count, 0x55, 40);
	frame.count += 40;
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V2 and 40 bytes");
	cr_assert_eq(view.payload_bytes, 0);
}

Test(parse, any_segmentation_reads_the_same)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {40};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 2000; round++) {
		unsigned int number = 1 + base_random_below(&random, WIRE_VECTOR_COUNT);
		uint32_t count = 1 + base_random_below(&random, WIRE_CHAIN_MAX);
		struct wire_view plain, view;
		const struct rte_mbuf *mbuf;
		struct wire_chain chain;
		struct frame frame;
		uint8_t payload[256];

		memset(&plain, 0, sizeof(plain));
		memset(&view, 0, sizeof(view));
		frame_load(&frame, number);
		if (round % 3 == 0)
			wire_oracle_seal_udp(frame.bytes, frame.count);
		mbuf = wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count, count, &random);
		ASSERT_DROP(frame_parse(&frame, &plain), WIRE_OK, "V%u", number);
		ASSERT_DROP(wire_parse(mbuf, &view), WIRE_OK, "seed 40 round %d: V%u, %u segments",
			round, number, count);
		cr_assert_arr_eq(&view, &plain, sizeof(view), "seed 40 round %d", round);
		wire_payload_copy(mbuf, &view, 0, payload, view.payload_bytes);
		cr_assert_arr_eq(payload, frame.bytes + view.payload_offset, view.payload_bytes);
		if (view.payload_bytes > 2) {
			wire_payload_copy(mbuf, &view, 1, payload, view.payload_bytes - 2u);
			cr_assert_arr_eq(payload, frame.bytes + view.payload_offset + 1,
				view.payload_bytes - 2u);
		}
		wire_payload_copy(mbuf, &view, view.payload_bytes, NULL, 0);
		wire_chain_free(&chain);
	}
}

/*
 * @return true if routers or NICs may change this byte of a valid packet; offset counts from the IP
 * header
 */
static bool
masked(const struct frame *frame, size_t offset)
{
	bool v6 = wire_oracle_v6(frame->bytes);
	size_t bth = v6 ? 48 : 28;

	return offset == bth + 4 || (v6 ? offset == 7 : offset == 1 || offset == 8);
}

/*
 * Like masked(), but for one bit, because the IPv6 traffic class and flow label begin inside a
 * byte.
 */
static bool
bit_masked(const struct frame *frame, size_t offset, unsigned int bit)
{
	if (wire_oracle_v6(frame->bytes) && offset < 4)
		return offset > 0 || bit < 4;
	return masked(frame, offset);
}

Test(parse, every_flipped_bit_of_ip_to_icrc_is_noticed_unless_masked)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame good;
		size_t l3;

		frame_load(&good, number);
		l3 = wire_oracle_l3_offset(good.bytes);
		for (size_t at = l3; at < good.count; at++)
			for (unsigned int bit = 0; bit < 8; bit++) {
				struct frame frame = good;
				bool pass = bit_masked(&good, at - l3, bit);

				frame.bytes[at] ^= (uint8_t)(1 << bit);
				/*
				 * Do not flip bits of the IPv4 checksum, because the test corrects
				 * the checksum after each flip.
				 */
				if (!wire_oracle_v6(good.bytes) && (at - l3) / 2 != 5 &&
					at - l3 < 20)
					wire_oracle_seal_ip(frame.bytes);
				cr_assert_eq(frame_drop(&frame) == WIRE_OK, pass,
					"V%u byte %zu bit %u: %s", number, at, bit,
					wire_drop_name(frame_drop(&frame)));
			}
	}
}

Test(parse, every_flipped_bit_behind_the_bth_is_an_icrc_error)
{
	struct frame good;

	frame_load(&good, 1);
	for (size_t at = 54; at < good.count; at++)
		for (unsigned int bit = 0; bit < 8; bit++) {
			struct frame frame = good;

			frame.bytes[at] ^= (uint8_t)(1 << bit);
			ASSERT_DROP(frame_drop(&frame), WIRE_DROP_ICRC, "byte %zu bit %u", at, bit);
		}
}

Test(parse, changed_masked_fields_are_accepted_and_read)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 1);
	frame_ip(&frame)[1] = 0x6B;
	frame_ip(&frame)[8] = 3;
	wire_oracle_seal_ip(frame.bytes);
	frame_bth(&frame)[4] = 0xFF;
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "IPv4");
	cr_assert_eq(view.tos, 0x6B);
	cr_assert_eq(view.ttl, 3);
	cr_assert(view.bth.fecn && view.bth.becn);
	frame_load(&frame, 4);
	memcpy(frame_ip(&frame), "\x61\x23\x45\x67", 4);
	frame_ip(&frame)[7] = 9;
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "IPv6");
	cr_assert_eq(view.tos, 0x12);
	cr_assert_eq(view.ttl, 9);
}

Test(parse, icrc_error_leaves_a_filled_view)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 3);
	frame.bytes[frame.count - 1] ^= 1;
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_DROP_ICRC, "V3");
	cr_assert_eq(view.traits, wire_opcode_traits(WIRE_RC_WRITE_ONLY));
	cr_assert_eq(view.reth.rkey, 0x00040155u);
	cr_assert_eq(view.payload_bytes, 5);
}

/* SEC-020: before the parser reads bytes, it checks that the frame contains them. */
Test(parse, every_cut_off_frame_is_truncated)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;
		struct wire_view view;

		frame_load(&frame, number);
		for (size_t count = 0; count < frame.count; count++)
			ASSERT_DROP(bytes_parse(frame.bytes, count, &view), WIRE_DROP_TRUNCATED,
				"V%u cut to %zu", number, count);
	}
}

/*
 * B-001, B-003, B-005. Make a datagram that ends at the end of its buffer. Its IPv4 and UDP lengths
 * agree.
 */
static size_t
short_datagram_make(struct frame *frame, uint8_t opcode, unsigned int pad, size_t udp_bytes)
{
	frame_load(frame, 1);
	memset(frame_bth(frame), 0, 100);
	frame_ip(frame)[2] = (uint8_t)((20 + udp_bytes) >> 8);
	frame_ip(frame)[3] = (uint8_t)(20 + udp_bytes);
	frame_udp(frame)[4] = (uint8_t)(udp_bytes >> 8);
	frame_udp(frame)[5] = (uint8_t)udp_bytes;
	memcpy(frame_bth(frame), (const uint8_t[]){opcode, (uint8_t)(pad << 4), 0xFF, 0xFF}, 4);
	frame->count = 34 + udp_bytes;
	wire_oracle_seal_ip(frame->bytes);
	if (udp_bytes >= 24)
		wire_oracle_seal_icrc(frame->bytes, frame->count);
	return udp_bytes;
}

/* @return result that the rules for lengths require for a frame from short_datagram_make() */
static enum wire_drop
short_datagram_drop(uint8_t opcode, unsigned int pad, size_t udp_bytes)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	int left = (int)udp_bytes - 8 - traits->header_bytes - (int)pad - 4;

	if (udp_bytes < 8 + 12 + 4)
		return WIRE_DROP_LENGTH;
	if (opcode >= 0x20 && traits->kind == WIRE_KIND_UNKNOWN)
		return WIRE_DROP_OPCODE;
	if (left < 0)
		return WIRE_DROP_HEADER_LENGTH;
	if (udp_bytes % 4 != 0)
		return WIRE_DROP_PAYLOAD;
	if (left > 0 && !traits->has_payload && traits->kind != WIRE_KIND_UNKNOWN)
		return WIRE_DROP_PAYLOAD;
	return WIRE_OK;
}

Test(parse, every_opcode_and_short_length_and_pad_has_its_verdict)
{
	for (int opcode = 0; opcode < 256; opcode++) {
		size_t longest = wire_opcode_traits((uint8_t)opcode)->header_bytes + 8u + 12;

		for (size_t udp_bytes = 0; udp_bytes <= longest; udp_bytes++)
			for (unsigned int pad = 0; pad < 4; pad++) {
				enum wire_drop wanted =
					short_datagram_drop((uint8_t)opcode, pad, udp_bytes);
				struct wire_view view;
				struct frame frame;

				short_datagram_make(&frame, (uint8_t)opcode, pad, udp_bytes);
				ASSERT_DROP(frame_parse(&frame, &view), wanted,
					"opcode 0x%02x udp length %zu pad %u", opcode, udp_bytes,
					pad);
				if (wanted == WIRE_OK)
					cr_assert_eq(view.payload_bytes,
						udp_bytes - 8 - view.traits->header_bytes - pad -
							4);
			}
	}
}

Test(parse, reserved_rc_opcode_is_handed_on)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 1);
	frame_bth(&frame)[0] = 0x15;
	wire_oracle_seal(frame.bytes, frame.count);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "opcode 0x15");
	cr_assert_eq(view.traits->kind, WIRE_KIND_UNKNOWN);
	cr_assert_eq(view.payload_offset, view.bth_offset + 12);
	cr_assert_eq(view.payload_bytes, 16);
}

/* Change one byte, correct the checksum and the ICRC, and parse. @return result of the parser */
static enum wire_drop
changed_drop(unsigned int vector, size_t offset, uint8_t value)
{
	struct frame frame;

	frame_load(&frame, vector);
	frame.bytes[offset] = value;
	wire_oracle_seal(frame.bytes, frame.count);
	return frame_drop(&frame);
}

Test(parse, foreign_frames_are_not_errors)
{
	struct frame frame;

	frame_load(&frame, 1);
	memcpy(frame.bytes + 12, "\x08\x06", 2);
	ASSERT_DROP(frame_drop(&frame), WIRE_NOT_IP, "ARP");
	memcpy(frame.bytes + 12, "\x89\x15", 2);
	ASSERT_DROP(frame_drop(&frame), WIRE_NOT_IP, "RoCE version 1");
	ASSERT_DROP(changed_drop(1, 14 + 9, 6), WIRE_NOT_ROCE, "TCP");
	ASSERT_DROP(changed_drop(1, 36, 0x11), WIRE_NOT_ROCE, "other UDP port");
	ASSERT_DROP(changed_drop(4, 14 + 6, 0), WIRE_NOT_ROCE, "hop-by-hop header");
	ASSERT_DROP(changed_drop(4, 14 + 6, 58), WIRE_NOT_ROCE, "ICMPv6");
	ASSERT_DROP(changed_drop(4, 14 + 6, 44), WIRE_NOT_ROCE, "IPv6 fragment");
}

Test(parse, bad_ip_headers_are_dropped)
{
	struct frame frame;

	ASSERT_DROP(changed_drop(1, 14, 0x65), WIRE_DROP_IP_HEADER, "version 6 in IPv4");
	ASSERT_DROP(changed_drop(1, 14, 0x46), WIRE_DROP_IP_HEADER, "options");
	ASSERT_DROP(changed_drop(1, 14, 0x44), WIRE_DROP_IP_HEADER, "IHL 4");
	ASSERT_DROP(changed_drop(4, 14, 0x46), WIRE_DROP_IP_HEADER, "version 4 in IPv6");
	frame_load(&frame, 1);
	frame_ip(&frame)[10] ^= 1;
	ASSERT_DROP(frame_drop(&frame), WIRE_DROP_IP_HEADER, "header checksum");
}

/* SEC-028: all fragments of a packet are dropped, including the first. */
Test(parse, fragments_are_dropped)
{
	ASSERT_DROP(changed_drop(1, 14 + 6, 0x60), WIRE_DROP_FRAGMENT, "DF and MF");
	ASSERT_DROP(changed_drop(1, 14 + 6, 0x20), WIRE_DROP_FRAGMENT, "MF");
	ASSERT_DROP(changed_drop(1, 14 + 7, 0x01), WIRE_DROP_FRAGMENT, "offset 8");
	ASSERT_DROP(changed_drop(1, 14 + 6, 0x50), WIRE_DROP_FRAGMENT, "offset 32768");
	ASSERT_DROP(changed_drop(1, 14 + 6, 0x00), WIRE_OK, "DF clear");
	ASSERT_DROP(changed_drop(1, 14 + 6, 0xC0), WIRE_OK, "reserved flag");
}

Test(parse, disagreeing_lengths_are_dropped)
{
	ASSERT_DROP(changed_drop(1, 39, 0x24), WIRE_DROP_LENGTH, "UDP shorter than IPv4");
	ASSERT_DROP(changed_drop(1, 39, 0x2C), WIRE_DROP_LENGTH, "UDP longer than IPv4");
	ASSERT_DROP(changed_drop(1, 17, 0x38), WIRE_DROP_LENGTH, "IPv4 shorter than UDP");
	ASSERT_DROP(changed_drop(1, 17, 0x40), WIRE_DROP_TRUNCATED, "IPv4 longer than the frame");
	ASSERT_DROP(changed_drop(1, 17, 0x1B), WIRE_DROP_LENGTH, "IPv4 too short for UDP");
	ASSERT_DROP(changed_drop(1, 17, 0x00), WIRE_DROP_LENGTH, "IPv4 length 0");
	ASSERT_DROP(changed_drop(4, 19, 0x1C), WIRE_DROP_LENGTH, "IPv6 shorter than UDP");
	ASSERT_DROP(changed_drop(4, 19, 0x07), WIRE_DROP_LENGTH, "IPv6 too short for UDP");
	ASSERT_DROP(changed_drop(4, 19, 0x24), WIRE_DROP_TRUNCATED, "IPv6 longer than the frame");
}

Test(parse, transport_header_rules_are_enforced)
{
	for (uint8_t version = 1; version < 16; version++)
		ASSERT_DROP(changed_drop(1, 43, version), WIRE_DROP_VERSION, "TVer %u", version);
	ASSERT_DROP(changed_drop(1, 42, 0x24), WIRE_DROP_OPCODE, "UC");
	ASSERT_DROP(changed_drop(1, 42, 0x44), WIRE_DROP_OPCODE, "RD");
	ASSERT_DROP(changed_drop(1, 42, 0x63), WIRE_DROP_OPCODE, "UD reserved");
	ASSERT_DROP(changed_drop(1, 42, 0x80), WIRE_DROP_OPCODE, "CNP reserved");
	ASSERT_DROP(changed_drop(1, 42, 0xA4), WIRE_DROP_OPCODE, "XRC");
	ASSERT_DROP(changed_drop(1, 42, 0xC0), WIRE_DROP_OPCODE, "vendor");
	ASSERT_DROP(changed_drop(1, 42, 0x11), WIRE_DROP_PAYLOAD, "ACK with payload");
	ASSERT_DROP(changed_drop(5, 63, 0x10), WIRE_DROP_HEADER_LENGTH, "pad in a READ request");
}

/* RC-022: a packet with the P_Key of another partition is dropped. */
Test(parse, pkey_must_match_the_default)
{
	static const struct {
		uint16_t pkey;
		enum wire_drop drop;
	} keys[] = {{0xFFFF, WIRE_OK}, {0x7FFF, WIRE_OK}, {0x0000, WIRE_DROP_PKEY},
		{0x8000, WIRE_DROP_PKEY}, {0x7FFE, WIRE_DROP_PKEY}, {0xFFFE, WIRE_DROP_PKEY},
		{0x8001, WIRE_DROP_PKEY}};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct frame frame;

		frame_load(&frame, 1);
		be_store16(frame_bth(&frame) + 2, keys[i].pkey);
		wire_oracle_seal(frame.bytes, frame.count);
		ASSERT_DROP(frame_drop(&frame), keys[i].drop, "P_Key 0x%04x", keys[i].pkey);
	}
}

/* Replace an address, correct the checksum and the ICRC, and parse. @return the result */
static enum wire_drop
address_drop(unsigned int vector, bool source, const char *address)
{
	struct frame frame;
	bool v6 = vector == 4;
	size_t offset = v6 ? (source ? 8 : 24) : (source ? 12 : 16);

	frame_load(&frame, vector);
	memcpy(frame_ip(&frame) + offset, address, v6 ? 16 : 4);
	wire_oracle_seal(frame.bytes, frame.count);
	return frame_drop(&frame);
}

/*
 * SEC-028, B-009: an IPv4-mapped IPv6 address is dropped, because it could be mistaken for an IPv4
 * peer.
 */
Test(parse, addresses_of_no_single_host_are_dropped)
{
	static const struct {
		const char *name;
		unsigned int vector;
		const char *address;
		enum wire_drop drop;
	} cases[] = {
		{"zero", 1, "\0\0\0\0", WIRE_DROP_ADDRESS},
		{"broadcast", 1, "\xFF\xFF\xFF\xFF", WIRE_DROP_ADDRESS},
		{"multicast", 1, "\xE0\0\0\x01", WIRE_DROP_ADDRESS},
		{"last multicast", 1, "\xEF\xFF\xFF\xFF", WIRE_DROP_ADDRESS},
		{"below multicast", 1, "\xDF\xFF\xFF\xFE", WIRE_OK},
		{"unspecified", 4, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", WIRE_DROP_ADDRESS},
		{"IPv6 multicast", 4, "\xFF\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", WIRE_DROP_ADDRESS},
		{"IPv4-mapped", 4, "\0\0\0\0\0\0\0\0\0\0\xFF\xFF\xC0\0\x02\x01", WIRE_DROP_ADDRESS},
		{"link-local", 4, "\xFE\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", WIRE_OK},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int source = 0; source < 2; source++)
			ASSERT_DROP(address_drop(cases[i].vector, source, cases[i].address),
				cases[i].drop, "%s %s", source ? "from" : "to", cases[i].name);
	ASSERT_DROP(changed_drop(1, 6, 0x03), WIRE_DROP_ADDRESS, "from a group MAC");
}

Test(parse, udp_checksum_is_verified_unless_zero)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;

		frame_load(&frame, number);
		wire_oracle_seal_udp(frame.bytes, frame.count);
		ASSERT_DROP(frame_drop(&frame), WIRE_OK, "V%u right checksum", number);
		frame_udp(&frame)[7] ^= 0x10;
		ASSERT_DROP(
			frame_drop(&frame), WIRE_DROP_UDP_CHECKSUM, "V%u wrong checksum", number);
		wire_oracle_seal_udp(frame.bytes, frame.count);
		frame.bytes[frame.count - 1] ^= 0x10;
		ASSERT_DROP(frame_drop(&frame), WIRE_DROP_UDP_CHECKSUM, "V%u wrong byte", number);
	}
}

static void
tag_insert(struct frame *frame, uint16_t tci)
{
	memmove(frame->bytes + 16, frame->bytes + 12, frame->count - 12);
	memcpy(frame->bytes + 12, "\x81\x00", 2);
	be_store16(frame->bytes + 14, tci);
	frame->count += 4;
}

Test(parse, vlan_tags_are_read_and_not_covered)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 1);
	tag_insert(&frame, 0x6000);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "priority tag");
	cr_assert(view.vlan);
	cr_assert_eq(view.vlan_tci, 0x6000);
	cr_assert_eq(view.bth_offset, 46);
	tag_insert(&frame, 5);
	ASSERT_DROP(frame_drop(&frame), WIRE_NOT_IP, "two tags");
	frame_load(&frame, 4);
	tag_insert(&frame, 7);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "IPv6");
	cr_assert_eq(view.vlan_tci, 7);
}

Test(parse, stripped_vlan_tag_comes_from_the_mbuf)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {41};
	struct base_random random;
	struct wire_chain chain;
	struct wire_view view;
	struct frame frame;

	base_random_seed(&random, seed);
	frame_load(&frame, 1);
	wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count, 1, &random);
	chain.segments[0].vlan_tci = 0x2064;
	ASSERT_DROP(wire_parse(chain.segments, &view), WIRE_OK, "no flag");
	cr_assert_not(view.vlan);
	cr_assert_eq(view.vlan_tci, 0);
	chain.segments[0].ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	ASSERT_DROP(wire_parse(chain.segments, &view), WIRE_OK, "flag");
	cr_assert(view.vlan);
	cr_assert_eq(view.vlan_tci, 0x2064);
	chain.segments[0].ol_flags |= RTE_MBUF_F_RX_QINQ | RTE_MBUF_F_RX_QINQ_STRIPPED;
	ASSERT_DROP(wire_parse(chain.segments, &view), WIRE_NOT_IP, "two tags, both stripped");
	wire_chain_free(&chain);
	frame_load(&frame, 11);
	wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count, 1, &random);
	chain.segments[0].ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	ASSERT_DROP(wire_parse(chain.segments, &view), WIRE_NOT_IP, "second tag");
	wire_chain_free(&chain);
}

/*
 * Parse random bytes in random segments. Some headers are partly correct, so that the run reaches
 * all checks. Sanitizers detect wrong accesses.
 */
Test(parse, random_bytes_are_survived)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {42};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 200000; round++) {
		unsigned int number = 1 + base_random_below(&random, WIRE_VECTOR_COUNT);
		struct wire_chain chain;
		struct wire_view view;
		struct frame frame;

		frame_load(&frame, number);
		frame.count = base_random_below(&random, (uint32_t)frame.count + 1);
		for (uint32_t i = base_random_below(&random, 4); i > 0 && frame.count > 0; i--)
			frame.bytes[base_random_below(
				&random, (uint32_t)RTE_MIN(frame.count, 70u))] =
				(uint8_t)base_random_u32(&random);
		if (round % 2 == 0 && frame.count >= 34)
			wire_oracle_seal_ip(frame.bytes);
		wire_parse(wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count,
				   1 + base_random_below(&random, 5), &random),
			&view);
		wire_chain_free(&chain);
	}
}

Test(parse, every_drop_has_a_name_of_its_own)
{
	for (int a = 0; a < WIRE_DROP_COUNT; a++)
		for (int b = 0; b < a; b++)
			cr_assert_str_neq(wire_drop_name((enum wire_drop)a),
				wire_drop_name((enum wire_drop)b), "drops %d and %d", a, b);
	cr_assert_str_eq(wire_drop_name(WIRE_DROP_ICRC), "icrc");
	cr_assert_str_eq(wire_drop_name(WIRE_DROP_COUNT), "unknown");
}
