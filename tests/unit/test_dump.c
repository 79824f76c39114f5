/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/dump.h"

#include <string.h>

#include <criterion/criterion.h>

#include "unit/wire_frame.h"

#define MAD_OFFSET (14 + 20 + 8 + 12 + 8)

static const struct {
	unsigned int number;
	const char *line;
} packets[] = {
	{1, "192.0.2.1 > 192.0.2.2 RC SEND Only qp 0x12 psn 256 A len 16"},
	{2, "192.0.2.2 > 192.0.2.1 RC Acknowledge qp 0x11 psn 256 ACK credits 31 msn 1"},
	{3,
		"192.0.2.1 > 192.0.2.2 RC WRITE Only qp 0x12 psn 16777215 tos 0x6a M A "
		"va 0x7f0011223344 rkey 0x40155 dma 5 len 5"},
	{4,
		"2001:db8::1 > 2001:db8::2 RC SEND Only w/ Immediate qp 0x12 psn 257 tos 0x68 SE M "
		"A "
		"imm 0xdeadbeef len 4"},
	{5,
		"2001:db8::1 > 2001:db8::2 RC READ Request qp 0x12 psn 258 A "
		"va 0x1000 rkey 0x11223344 dma 8192"},
	{6, "192.0.2.2 > 192.0.2.1 CNP qp 0x11 psn 0 tos 0xc0 B"},
	{7, "192.0.2.2 > 192.0.2.1 RC Acknowledge qp 0x11 psn 259 RNR NAK timer 12 msn 1"},
	{8, "192.0.2.2 > 192.0.2.1 RC Acknowledge qp 0x11 psn 272 NAK sequence msn 5"},
	{9,
		"192.0.2.1 > 192.0.2.2 RC Compare & Swap qp 0x12 psn 273 A va 0x2000 rkey 0xa07 "
		"compare 0x3333333344444444 swap 0x1111111122222222"},
	{10,
		"192.0.2.2 > 192.0.2.1 RC ATOMIC Acknowledge qp 0x11 psn 273 ACK credits 31 msn 6 "
		"original 0x3333333344444444"},
	{11,
		"192.0.2.1 > 192.0.2.2 RC SEND Only w/ Invalidate qp 0x12 psn 274 vlan 100 A "
		"invalidate 0x40155 len 0"},
	{12,
		"2001:db8::2 > 2001:db8::1 RC READ Response Only qp 0x11 psn 258 "
		"ACK credits 31 msn 7 len 6"},
	{13, "192.0.2.1 > 192.0.2.2 UD SEND Only qp 0x1 psn 0 qkey 0x80010000 from qp 0x1 len 256"},
};

static const struct {
	unsigned int number;
	const char *line;
} messages[] = {
	{13,
		"CM REQ id 0xa1b2c3d4 service 0x0000000001061c06 qpn 0x12 psn 5921370 "
		"guid 0x0200000000000001 resources 1 depth 1 mtu 1024 retry 7 rnr 7 timeout 17 "
		"192.0.2.1 > 192.0.2.2"},
	{14,
		"CM REP id 0x0badcafe of 0xa1b2c3d4 qpn 0x13 psn 1911 guid 0x0200000000000002 "
		"resources 1 depth 1 rnr 7"},
	{15, "CM RTU id 0xa1b2c3d4 of 0x0badcafe"},
	{16, "CM DREQ id 0xa1b2c3d4 of 0x0badcafe qpn 0x13"},
	{17, "CM REJ id 0x00000000 of 0xa1b2c3d4 message 0 reason 8"},
};

static void
view_load(unsigned int number, struct wire_view *view)
{
	struct frame frame;

	frame_load(&frame, number);
	ASSERT_DROP(frame_parse(&frame, view), WIRE_OK, "V%u", number);
}

Test(dump, vectors_are_one_line_each)
{
	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		struct wire_view view;
		char line[512];

		view_load(packets[i].number, &view);
		cr_assert_eq(wire_dump(&view, line, sizeof(line)), strlen(packets[i].line));
		cr_assert_str_eq(line, packets[i].line);
	}
}

Test(dump, cm_vectors_are_one_line_each)
{
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct wire_cm_msg msg;
		struct frame frame;
		char line[512];

		frame_load(&frame, messages[i].number);
		cr_assert_eq(wire_cm_decode(frame.bytes + MAD_OFFSET, LIMIT_MAD_BYTES, &msg),
			WIRE_MAD_OK);
		cr_assert_eq(wire_cm_dump(&msg, line, sizeof(line)), strlen(messages[i].line));
		cr_assert_str_eq(line, messages[i].line);
	}
}

/* Replace the syndrome in vector V2, and check the end of the line that wire_dump() prints. */
static void
syndrome_check(uint8_t syndrome, const char *tail)
{
	struct wire_view view;
	char line[512];

	view_load(2, &view);
	view.aeth.syndrome = syndrome;
	wire_dump(&view, line, sizeof(line));
	cr_assert_str_eq(strstr(line, " psn 256 ") + 9, tail);
}

Test(dump, syndromes_are_named)
{
	syndrome_check(0x00, "ACK credits 0 msn 1");
	syndrome_check(0x20, "RNR NAK timer 0 msn 1");
	syndrome_check(0x4A, "syndrome 0x4a msn 1");
	syndrome_check(0x61, "NAK invalid request msn 1");
	syndrome_check(0x62, "NAK remote access msn 1");
	syndrome_check(0x63, "NAK remote operation msn 1");
	syndrome_check(0x64, "NAK 0x64 msn 1");
}

Test(dump, reserved_opcode_is_shown_as_number)
{
	struct wire_view view;
	char line[512];

	view_load(1, &view);
	view.bth.opcode = 0x15;
	view.traits = wire_opcode_traits(0x15);
	wire_dump(&view, line, sizeof(line));
	cr_assert_str_eq(line, "192.0.2.1 > 192.0.2.2 RC reserved 0x15 qp 0x12 psn 256 A len 16");
}

Test(dump, fetch_add_shows_the_addend)
{
	struct wire_view view;
	char line[512];

	view_load(9, &view);
	view.bth.opcode = WIRE_RC_FETCH_ADD;
	view.traits = wire_opcode_traits(WIRE_RC_FETCH_ADD);
	wire_dump(&view, line, sizeof(line));
	cr_assert_str_eq(line,
		"192.0.2.1 > 192.0.2.2 RC Fetch & Add qp 0x12 psn 273 A va 0x2000 "
		"rkey 0xa07 add 0x1111111122222222");
}

Test(dump, short_buffer_cuts_the_line)
{
	struct wire_view view;
	char whole[512], line[512];
	size_t length;

	view_load(3, &view);
	length = wire_dump(&view, whole, sizeof(whole));
	for (size_t size = 1; size <= length; size++) {
		memset(line, 'x', sizeof(line));
		cr_assert_eq(wire_dump(&view, line, size), size - 1);
		cr_assert_eq(line[size - 1], '\0');
		cr_assert_eq(line[size], 'x');
		cr_assert_eq(strncmp(line, whole, size - 1), 0, "size %zu: %s", size, line);
	}
}
