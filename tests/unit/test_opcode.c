/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/opcode.h"

#include <string.h>

#include <criterion/criterion.h>

/*
 * The opcode table of IBTA volume 1, written a second time to check the table of the library: the
 * header bytes before the payload, and whether the packet is a request or a response.
 */
struct expected {
	uint8_t opcode;
	uint8_t header_bytes;
	char direction; /* q: request, s: response, -: neither of them */
	const char *name;
};

static const struct expected expected[] = {
	{0x00, 12, 'q', "RC SEND First"},
	{0x01, 12, 'q', "RC SEND Middle"},
	{0x02, 12, 'q', "RC SEND Last"},
	{0x03, 16, 'q', "RC SEND Last w/ Immediate"},
	{0x04, 12, 'q', "RC SEND Only"},
	{0x05, 16, 'q', "RC SEND Only w/ Immediate"},
	{0x06, 28, 'q', "RC WRITE First"},
	{0x07, 12, 'q', "RC WRITE Middle"},
	{0x08, 12, 'q', "RC WRITE Last"},
	{0x09, 16, 'q', "RC WRITE Last w/ Immediate"},
	{0x0A, 28, 'q', "RC WRITE Only"},
	{0x0B, 32, 'q', "RC WRITE Only w/ Immediate"},
	{0x0C, 28, 'q', "RC READ Request"},
	{0x0D, 16, 's', "RC READ Response First"},
	{0x0E, 12, 's', "RC READ Response Middle"},
	{0x0F, 16, 's', "RC READ Response Last"},
	{0x10, 16, 's', "RC READ Response Only"},
	{0x11, 16, 's', "RC Acknowledge"},
	{0x12, 24, 's', "RC ATOMIC Acknowledge"},
	{0x13, 40, 'q', "RC Compare & Swap"},
	{0x14, 40, 'q', "RC Fetch & Add"},
	{0x16, 16, 'q', "RC SEND Last w/ Invalidate"},
	{0x17, 16, 'q', "RC SEND Only w/ Invalidate"},
	{0x1C, 32, 'q', "RC FLUSH"},
	{0x1D, 28, 'q', "RC ATOMIC WRITE"},
	{0x64, 20, 'q', "UD SEND Only"},
	{0x65, 24, 'q', "UD SEND Only w/ Immediate"},
	{0x81, 28, '-', "CNP"},
};

#define EXPECTED_COUNT (sizeof(expected) / sizeof(expected[0]))

static const struct expected *
expected_of(int opcode)
{
	for (size_t i = 0; i < EXPECTED_COUNT; i++)
		if (expected[i].opcode == opcode)
			return &expected[i];
	return NULL;
}

static bool
one_of(int opcode, const char *set, size_t count)
{
	return memchr(set, opcode, count) != NULL;
}

#define ONE_OF(opcode, set) one_of(opcode, set, sizeof(set) - 1)

Test(opcode, known_opcodes_are_as_the_specification_lists_them)
{
	for (size_t i = 0; i < EXPECTED_COUNT; i++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits(expected[i].opcode);
		int opcode = expected[i].opcode;

		cr_assert_neq(traits->kind, WIRE_KIND_UNKNOWN, "opcode 0x%02x", opcode);
		cr_assert_str_eq(traits->name, expected[i].name);
		cr_assert_eq(traits->header_bytes, expected[i].header_bytes,
			"opcode 0x%02x: %u header bytes, not %u", opcode, traits->header_bytes,
			expected[i].header_bytes);
		cr_assert_eq(traits->request, expected[i].direction == 'q', "0x%02x", opcode);
		cr_assert_eq(traits->response, expected[i].direction == 's', "0x%02x", opcode);
	}
}

Test(opcode, positions_and_receives_are_as_the_specification_lists_them)
{
	for (int opcode = 0; opcode < 0x20; opcode++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits((uint8_t)opcode);
		bool known = expected_of(opcode) != NULL;

		cr_assert_eq(traits->starts,
			known && !ONE_OF(opcode, "\x01\x02\x03\x07\x08\x09\x0E\x0F\x16"),
			"0x%02x starts", opcode);
		cr_assert_eq(traits->ends, known && !ONE_OF(opcode, "\x00\x01\x06\x07\x0D\x0E"),
			"0x%02x ends", opcode);
		cr_assert_eq(traits->needs_receive, ONE_OF(opcode, "\x00\x04\x05\x09\x0B\x17"),
			"0x%02x needs a receive", opcode);
		cr_assert_eq(traits->has_payload,
			known && !ONE_OF(opcode, "\x0C\x11\x12\x13\x14\x1C"), "0x%02x payload",
			opcode);
	}
}

Test(opcode, headers_are_as_the_specification_lists_them)
{
	for (int opcode = 0; opcode < 256; opcode++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits((uint8_t)opcode);

		cr_assert_eq(traits->has_reth, ONE_OF(opcode, "\x06\x0A\x0B\x0C\x1C\x1D"));
		cr_assert_eq(traits->has_aeth, ONE_OF(opcode, "\x0D\x0F\x10\x11\x12"));
		cr_assert_eq(traits->has_imm, ONE_OF(opcode, "\x03\x05\x09\x0B\x65"));
		cr_assert_eq(traits->has_ieth, ONE_OF(opcode, "\x16\x17"));
		cr_assert_eq(traits->has_deth, ONE_OF(opcode, "\x64\x65"));
		cr_assert_eq(traits->has_atomic_eth, ONE_OF(opcode, "\x13\x14"));
		cr_assert_eq(traits->has_atomic_ack_eth, opcode == 0x12);
		cr_assert_eq(traits->has_feth, opcode == 0x1C);
		cr_assert_eq(traits->has_cnp_reserved, opcode == 0x81);
	}
}

/* Some flags for the parser's fast path combine other flags, and must agree with them. */
Test(opcode, connected_and_extension_sum_up_the_others)
{
	for (int opcode = 0; opcode < 256; opcode++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits((uint8_t)opcode);
		bool other = traits->has_imm || traits->has_ieth || traits->has_deth ||
			traits->has_atomic_eth || traits->has_atomic_ack_eth || traits->has_feth ||
			traits->has_cnp_reserved;
		enum wire_extension extension = WIRE_EXTENSION_NONE;

		if (other || (traits->has_reth && traits->has_aeth))
			extension = WIRE_EXTENSION_OTHER;
		else if (traits->has_reth)
			extension = WIRE_EXTENSION_RETH;
		else if (traits->has_aeth)
			extension = WIRE_EXTENSION_AETH;
		cr_assert_eq(traits->extension, extension, "0x%02x", opcode);
		cr_assert_eq(traits->payload_max, traits->has_payload ? UINT16_MAX : 0);
		cr_assert_eq(traits->connected, opcode < 0x20 && traits->kind != WIRE_KIND_UNKNOWN,
			"0x%02x", opcode);
	}
}

Test(opcode, all_others_are_unknown_but_named)
{
	for (int opcode = 0; opcode < 256; opcode++) {
		const struct wire_opcode_traits *traits = wire_opcode_traits((uint8_t)opcode);

		cr_assert_not_null(traits->name, "opcode 0x%02x", opcode);
		if (expected_of(opcode) != NULL)
			continue;
		cr_assert_eq(traits->kind, WIRE_KIND_UNKNOWN, "opcode 0x%02x", opcode);
		cr_assert_eq(traits->header_bytes, 12, "opcode 0x%02x", opcode);
		cr_assert_not(traits->request || traits->response || traits->starts ||
				traits->ends || traits->has_payload || traits->needs_receive,
			"opcode 0x%02x has traits", opcode);
	}
	cr_assert_str_eq(wire_opcode_traits(0x15)->name, "RC reserved");
	cr_assert_str_eq(wire_opcode_traits(0x26)->name, "UC WRITE First");
	cr_assert_str_eq(wire_opcode_traits(0x4C)->name, "RD READ Request");
	cr_assert_str_eq(wire_opcode_traits(0xB4)->name, "XRC Fetch & Add");
	cr_assert_str_eq(wire_opcode_traits(0xFF)->name, "vendor");
}

Test(opcode, transport_is_the_upper_three_bits)
{
	cr_assert_eq(wire_opcode_transport(0x1F), WIRE_TRANSPORT_RC);
	cr_assert_eq(wire_opcode_transport(0x20), WIRE_TRANSPORT_UC);
	cr_assert_eq(wire_opcode_transport(0x55), WIRE_TRANSPORT_RD);
	cr_assert_eq(wire_opcode_transport(0x64), WIRE_TRANSPORT_UD);
	cr_assert_eq(wire_opcode_transport(0x81), WIRE_TRANSPORT_CNP);
	cr_assert_eq(wire_opcode_transport(0xA0), WIRE_TRANSPORT_XRC);
	cr_assert_eq(wire_opcode_transport(0xC0), WIRE_TRANSPORT_VENDOR);
	cr_assert_eq(wire_opcode_transport(0xFF), WIRE_TRANSPORT_VENDOR);
}
