/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/header.h"

#include <string.h>

#include <criterion/criterion.h>

#include "base/random.h"
#include "wire/gid.h"

Test(header, aeth_type_is_bits_six_and_five)
{
	cr_assert_eq(wire_aeth_type(WIRE_SYNDROME_ACK), WIRE_AETH_ACK);
	cr_assert_eq(wire_aeth_type(WIRE_SYNDROME_RNR | 12), WIRE_AETH_RNR_NAK);
	cr_assert_eq(wire_aeth_type(0x5F), WIRE_AETH_RESERVED);
	cr_assert_eq(wire_aeth_type(WIRE_NAK_SEQUENCE), WIRE_AETH_NAK);
	cr_assert_eq(wire_aeth_type(WIRE_NAK_REMOTE_OPERATION), WIRE_AETH_NAK);
}

Test(header, bth_fields_lie_where_the_specification_says)
{
	static const uint8_t bytes[12] = {
		0x0A, 0xF0, 0x12, 0x34, 0xC0, 0x56, 0x78, 0x9A, 0x80, 0xBC, 0xDE, 0xF0};
	const struct wire_bth_value value = {.opcode = 0x0A,
		.pad_count = 3,
		.solicited = true,
		.migrated = true,
		.ack_request = true,
		.fecn = true,
		.becn = true,
		.pkey = 0x1234,
		.dest_qp = 0x56789A,
		.psn = 0xBCDEF0};
	struct wire_bth bth;

	memset(&bth, 0xFF, sizeof(bth));
	wire_bth_store(&bth, &value);
	cr_assert_arr_eq(&bth, bytes, sizeof(bytes));
}

Test(header, bth_flags_are_independent)
{
	for (unsigned int flags = 0; flags < 32; flags++) {
		struct wire_bth_value in = {.solicited = flags & 1,
			.migrated = flags & 2,
			.ack_request = flags & 4,
			.fecn = flags & 8,
			.becn = flags & 16};
		struct wire_bth_value out;
		struct wire_bth bth;

		memset(&bth, 0xFF, sizeof(bth));
		wire_bth_store(&bth, &in);
		wire_bth_load(&bth, &out);
		cr_assert(out.solicited == in.solicited && out.migrated == in.migrated &&
				out.ack_request == in.ack_request && out.fecn == in.fecn &&
				out.becn == in.becn,
			"flags %u", flags);
		cr_assert_eq(out.pkey | out.dest_qp | out.psn | out.version | out.pad_count, 0u);
	}
}

Test(header, bth_load_ignores_reserved_bits)
{
	struct wire_bth_value value;
	struct wire_bth bth;

	memset(&bth, 0, sizeof(bth));
	bth.fecn_becn_rsv = 0x3F;
	bth.ackreq_rsv = 0x7F;
	wire_bth_load(&bth, &value);
	cr_assert_not(value.fecn || value.becn || value.ack_request);
	cr_assert_eq(value.dest_qp | value.psn, 0u);
}

Test(header, bth_round_trip_keeps_every_value)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {20};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int i = 0; i < 10000; i++) {
		struct wire_bth_value in = {.opcode = (uint8_t)base_random_u32(&random),
			.pad_count = (uint8_t)base_random_below(&random, 4),
			.version = (uint8_t)base_random_below(&random, 16),
			.pkey = (uint16_t)base_random_u32(&random),
			.dest_qp = base_random_below(&random, 1 << 24),
			.psn = base_random_below(&random, 1 << 24)};
		struct wire_bth_value out;
		struct wire_bth bth;

		wire_bth_store(&bth, &in);
		wire_bth_load(&bth, &out);
		cr_assert(out.opcode == in.opcode && out.pad_count == in.pad_count &&
				out.version == in.version && out.pkey == in.pkey &&
				out.dest_qp == in.dest_qp && out.psn == in.psn,
			"round %d", i);
	}
}

Test(header, reth_lies_where_the_specification_says)
{
	static const uint8_t bytes[16] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x11,
		0x12, 0x13, 0x14, 0x80, 0x00, 0x00, 0x00};
	struct wire_reth_value value;
	struct wire_reth reth;

	memcpy(&reth, bytes, sizeof(reth));
	wire_reth_load(&reth, &value);
	cr_assert_eq(value.address, UINT64_C(0x0102030405060708));
	cr_assert_eq(value.rkey, 0x11121314u);
	cr_assert_eq(value.length_bytes, 0x80000000u);
	memset(&reth, 0xFF, sizeof(reth));
	wire_reth_store(&reth, &value);
	cr_assert_arr_eq(&reth, bytes, sizeof(bytes));
}

Test(header, atomic_eth_lies_where_the_specification_says)
{
	uint8_t bytes[28];
	struct wire_atomic_value value;
	struct wire_atomic_eth eth;

	for (uint8_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(0xA0 + i);
	memcpy(&eth, bytes, sizeof(eth));
	wire_atomic_load(&eth, &value);
	cr_assert_eq(value.address, UINT64_C(0xA0A1A2A3A4A5A6A7));
	cr_assert_eq(value.rkey, 0xA8A9AAABu);
	cr_assert_eq(value.swap_add, UINT64_C(0xACADAEAFB0B1B2B3));
	cr_assert_eq(value.compare, UINT64_C(0xB4B5B6B7B8B9BABB));
	memset(&eth, 0, sizeof(eth));
	wire_atomic_store(&eth, &value);
	cr_assert_arr_eq(&eth, bytes, sizeof(bytes));
}

Test(header, gid_of_ipv4_is_mapped)
{
	static const uint8_t raw[16] = {[10] = 0xFF, [11] = 0xFF, [12] = 192, 0, 2, 1};
	struct wire_gid gid = wire_gid_from_v4(0xC0000201);
	char text[46];

	cr_assert_arr_eq(gid.raw, raw, sizeof(raw));
	cr_assert(wire_gid_is_v4(&gid));
	cr_assert_eq(wire_gid_v4(&gid), 0xC0000201u);
	cr_assert_str_eq(wire_gid_format(&gid, text, sizeof(text)), "192.0.2.1");
}

Test(header, reserved_qpns_are_not_usable)
{
	static const uint32_t reserved[] = {0, 1, 0xFFFFFF, 0x1000000, UINT32_MAX};

	for (size_t i = 0; i < RTE_DIM(reserved); i++)
		cr_assert_not(wire_qpn_usable(reserved[i]), "QPN %#x", reserved[i]);
	cr_assert(wire_qpn_usable(2));
	cr_assert(wire_qpn_usable(0xFFFFFE));
}

Test(header, multicast_loopback_and_unspecified_are_not_unicast)
{
	static const uint32_t hosts[] = {
		0x01000000, 0x7EFFFFFF, 0x80000000, 0xC0000201, 0xDFFFFFFF};
	static const uint32_t others[] = {
		0, 0x00FFFFFF, 0x7F000000, 0x7FFFFFFF, 0xE0000000, 0xEFFFFFFF, 0xFFFFFFFF};
	static const struct wire_gid hosts6[] = {{.raw = {0xFE, 0x80, [15] = 1}},
		{.raw = {0x20, 0x01, 0x0D, 0xB8}}, {.raw = {[15] = 2}}};
	static const struct wire_gid others6[] = {
		{.raw = {0}}, {.raw = {[15] = 1}}, {.raw = {0xFF, 0x02, [15] = 1}}};
	struct wire_gid gid;

	for (size_t i = 0; i < RTE_DIM(hosts); i++) {
		gid = wire_gid_from_v4(hosts[i]);
		cr_assert(wire_gid_is_unicast(&gid), "%#x", hosts[i]);
	}
	for (size_t i = 0; i < RTE_DIM(others); i++) {
		gid = wire_gid_from_v4(others[i]);
		cr_assert_not(wire_gid_is_unicast(&gid), "%#x", others[i]);
	}
	for (size_t i = 0; i < RTE_DIM(hosts6); i++)
		cr_assert(wire_gid_is_unicast(&hosts6[i]), "IPv6 host %zu", i);
	for (size_t i = 0; i < RTE_DIM(others6); i++)
		cr_assert_not(wire_gid_is_unicast(&others6[i]), "other IPv6 address %zu", i);
}

Test(header, gid_of_ipv6_is_the_address)
{
	struct wire_gid gid = {.raw = {0x20, 0x01, 0x0D, 0xB8, [15] = 1}};
	struct wire_gid longest;
	char text[46];

	cr_assert_not(wire_gid_is_v4(&gid));
	cr_assert_str_eq(wire_gid_format(&gid, text, sizeof(text)), "2001:db8::1");
	memset(longest.raw, 0xFF, sizeof(longest.raw));
	cr_assert_str_eq(wire_gid_format(&longest, text, sizeof(text)),
		"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
	cr_assert_not(wire_gid_equal(&gid, &longest));
	cr_assert_str_eq(wire_gid_format(&longest, text, 8), "");
}
