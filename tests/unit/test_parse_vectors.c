/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse.h"

#include <string.h>

#include <criterion/criterion.h>

#include "unit/wire_frame.h"
#include "unit/wire_vectors.h"

Test(parse_vectors, every_vector_is_accepted)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;

		frame_load(&frame, number);
		ASSERT_DROP(frame_drop(&frame), WIRE_OK, "%s", wire_vectors[number - 1].name);
	}
}

Test(parse_vectors, send_only_reads_as_listed)
{
	struct wire_view view;
	struct frame frame;
	char src[46], dst[46];

	frame_load(&frame, 1);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V1");
	cr_assert_eq(view.bth.opcode, WIRE_RC_SEND_ONLY);
	cr_assert(view.bth.ack_request);
	cr_assert_not(view.bth.solicited || view.bth.migrated || view.bth.fecn || view.bth.becn);
	cr_assert_eq(view.bth.pkey, 0xFFFF);
	cr_assert_eq(view.bth.dest_qp, 0x12u);
	cr_assert_eq(view.bth.psn, 0x100u);
	cr_assert_eq(view.bth.pad_count, 0);
	cr_assert_eq(view.bth_offset, 42);
	cr_assert_eq(view.payload_offset, 54);
	cr_assert_eq(view.payload_bytes, 16);
	cr_assert_arr_eq(frame.bytes + view.payload_offset, "Hello, RoCEv2!\r\n", 16);
	cr_assert_eq(view.udp_src_port, 0xC0A1);
	cr_assert_not(view.vlan);
	cr_assert_eq(view.tos, 0);
	cr_assert_eq(view.ttl, 64);
	cr_assert_arr_eq(view.dst_mac.addr_bytes, "\x02\0\0\0\0\x02", 6);
	cr_assert_arr_eq(view.src_mac.addr_bytes, "\x02\0\0\0\0\x01", 6);
	cr_assert_str_eq(wire_gid_format(&view.src, src, sizeof(src)), "192.0.2.1");
	cr_assert_str_eq(wire_gid_format(&view.dst, dst, sizeof(dst)), "192.0.2.2");
}

Test(parse_vectors, write_only_reads_as_listed)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 3);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V3");
	cr_assert_eq(view.bth.opcode, WIRE_RC_WRITE_ONLY);
	cr_assert(view.bth.migrated); /* B-106: MigReq may be 0 or 1; in V1 it is 1 */
	cr_assert_eq(view.bth.pad_count, 3);
	cr_assert_eq(view.bth.psn, 0xFFFFFFu);
	cr_assert_eq(view.reth.address, UINT64_C(0x00007F0011223344));
	cr_assert_eq(view.reth.rkey, 0x00040155u);
	cr_assert_eq(view.reth.length_bytes, 5u);
	cr_assert_eq(view.payload_bytes, 5);
	cr_assert_arr_eq(frame.bytes + view.payload_offset, "abcde", 5);
	cr_assert_eq(view.tos, 0x6A);
}

Test(parse_vectors, ipv6_packets_read_as_listed)
{
	struct wire_view view;
	struct frame frame;
	char src[46];

	frame_load(&frame, 4);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V4");
	cr_assert_eq(view.bth.opcode, WIRE_RC_SEND_ONLY_IMM);
	cr_assert(view.bth.solicited && view.bth.migrated && view.bth.ack_request);
	cr_assert_eq(view.immediate, 0xDEADBEEFu);
	cr_assert_eq(view.payload_bytes, 4);
	cr_assert_eq(view.tos, 0x68);
	cr_assert_str_eq(wire_gid_format(&view.src, src, sizeof(src)), "2001:db8::1");
	frame_load(&frame, 5);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V5");
	cr_assert_eq(view.bth.opcode, WIRE_RC_READ_REQUEST);
	cr_assert_eq(view.reth.address, UINT64_C(0x1000));
	cr_assert_eq(view.reth.rkey, 0x11223344u);
	cr_assert_eq(view.reth.length_bytes, 8192u);
	cr_assert_eq(view.payload_bytes, 0);
	frame_load(&frame, 12);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V12");
	cr_assert_eq(view.bth.opcode, WIRE_RC_READ_RESPONSE_ONLY);
	cr_assert_eq(view.bth.pad_count, 2);
	cr_assert_eq(view.payload_bytes, 6);
	cr_assert_arr_eq(frame.bytes + view.payload_offset, "sixbyt", 6);
}

Test(parse_vectors, acknowledges_read_as_listed)
{
	static const struct {
		unsigned int number;
		uint8_t syndrome;
		uint32_t msn;
	} listed[] = {{2, 0x1F, 1}, {7, 0x2C, 1}, {8, 0x60, 5}};
	struct wire_view view;
	struct frame frame;

	for (size_t i = 0; i < 3; i++) {
		frame_load(&frame, listed[i].number);
		ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V%u", listed[i].number);
		cr_assert_eq(view.bth.opcode, WIRE_RC_ACKNOWLEDGE);
		cr_assert_eq(view.aeth.syndrome, listed[i].syndrome);
		cr_assert_eq(view.aeth.msn, listed[i].msn);
	}
}

Test(parse_vectors, atomics_read_as_listed)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 9);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V9");
	cr_assert_eq(view.bth.opcode, WIRE_RC_COMPARE_SWAP);
	cr_assert_eq(view.atomic.address, UINT64_C(0x2000));
	cr_assert_eq(view.atomic.rkey, 0xA07u);
	cr_assert_eq(view.atomic.swap_add, UINT64_C(0x1111111122222222));
	cr_assert_eq(view.atomic.compare, UINT64_C(0x3333333344444444));
	frame_load(&frame, 10);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V10");
	cr_assert_eq(view.bth.opcode, WIRE_RC_ATOMIC_ACKNOWLEDGE);
	cr_assert_eq(view.atomic_original, UINT64_C(0x3333333344444444));
	cr_assert_eq(view.aeth.msn, 6u);
}

Test(parse_vectors, cnp_and_vlan_read_as_listed)
{
	struct wire_view view;
	struct frame frame;

	frame_load(&frame, 6);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V6");
	cr_assert_eq(view.bth.opcode, WIRE_CNP);
	cr_assert(view.bth.becn);
	cr_assert_not(view.bth.fecn);
	cr_assert_eq(view.tos >> 2, 48);
	cr_assert_eq(view.payload_bytes, 0);
	frame_load(&frame, 11);
	ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V11");
	cr_assert(view.vlan);
	cr_assert_eq(view.vlan_tci, 3 << 13 | 100);
	cr_assert_eq(view.bth.opcode, WIRE_RC_SEND_ONLY_INV);
	cr_assert_eq(view.invalidate_rkey, 0x00040155u);
	cr_assert_eq(view.payload_bytes, 0);
}

Test(parse_vectors, cm_datagrams_read_as_listed)
{
	for (unsigned int number = 13; number <= 17; number++) {
		struct wire_view view;
		struct frame frame;

		frame_load(&frame, number);
		ASSERT_DROP(frame_parse(&frame, &view), WIRE_OK, "V%u", number);
		cr_assert_eq(view.bth.opcode, WIRE_UD_SEND_ONLY);
		cr_assert_eq(view.bth.dest_qp, (uint32_t)WIRE_QPN_CM);
		cr_assert_eq(view.qkey, WIRE_QKEY_CM);
		cr_assert_eq(view.src_qp, (uint32_t)WIRE_QPN_CM);
		cr_assert_eq(view.payload_bytes, 256);
	}
}
