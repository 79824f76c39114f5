/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "ndreplay/player/mad.h"
#include "ndreplay/player/packet.h"
#include "wire/parse.h"

/*
 * Test which headers ndreplay finds in packets. The library's parser checks the packets that
 * ndreplay builds.
 */

static const struct packet_ends v4 = {
	.source_mac = {2, 0, 0, 0, 0, 1},
	.destination_mac = {2, 0, 0, 0, 0, 2},
	.source_ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1},
	.destination_ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 2},
};

static uint8_t frame[PACKET_BYTES_MAX];
static size_t count;
static struct packet packet;

static void
make(bool v6, bool vlan)
{
	struct packet_ends ends = v4;
	uint8_t mad[PACKET_MAD_BYTES];

	if (v6) {
		ends.source_ip[0] = ends.destination_ip[0] = 0xFD;
		ends.vlan_tci = 0x123;
	}
	ends.vlan = vlan;
	mad_begin(mad, MAD_RTU, 77);
	count = packet_make_mad(&ends, mad, frame);
	cr_assert(packet_find(frame, count, &packet));
}

static void
init(void)
{
	make(false, false);
}

TestSuite(replay_packet, .init = init);

Test(replay_packet, library_takes_what_is_made)
{
	for (unsigned int form = 0; form < 4; form++) {
		struct wire_view view;
		size_t at;

		make(form & 1, form & 2);
		cr_assert_eq(wire_parse_bytes(frame, count, &view), WIRE_OK, "form %u", form);
		cr_expect_eq(view.bth.opcode, PACKET_UD_SEND);
		cr_expect_eq(view.bth.dest_qp, 1);
		cr_expect_eq(view.bth_offset, packet.bth);
		cr_expect_eq(packet.v6, form & 1);
		cr_expect_eq(packet.bytes, count);
		at = packet_mad(&packet);
		cr_expect_eq(at, view.payload_offset);
		cr_expect_eq(mad_attribute(frame + at), MAD_RTU);
		cr_expect_eq(mad_transaction(frame + at), 77);
	}
}

Test(replay_packet, icrc)
{
	struct wire_view view;

	cr_expect(packet_is_right(&packet));
	packet_seal(&packet, false);
	cr_expect(!packet_is_right(&packet));
	cr_expect_eq(wire_parse_bytes(frame, count, &view), WIRE_DROP_ICRC);
	packet_seal(&packet, true);
	frame[packet.icrc - 1] ^= 1;
	cr_expect(!packet_is_right(&packet));
	frame[packet.icrc - 1] ^= 1;
	/*
	 * Change fields that routers may change: TTL, DSCP, checksum, FECN. The ICRC remains
	 * correct.
	 */
	frame[packet.ip + 8]--;
	frame[packet.ip + 1] ^= 0xFF;
	frame[packet.bth + 4] ^= 0xC0;
	cr_expect(packet_is_right(&packet));
}

Test(replay_packet, cut)
{
	for (unsigned int form = 0; form < 4; form++) {
		make(form & 1, form & 2);
		for (size_t bytes = 0; bytes < count; bytes++)
			cr_expect(!packet_find(frame, bytes, &packet), "%zu bytes", bytes);
		cr_expect(packet_find(frame, count, &packet));
		cr_expect(packet_find(frame, count + 9, &packet));
		cr_expect_eq(packet.bytes, count);
	}
}

Test(replay_packet, tags)
{
	static const uint8_t tags[8] = {0x88, 0xA8, 0, 1, 0x81, 0, 0, 2};
	const size_t bth = packet.bth;

	memmove(frame + 12 + sizeof(tags), frame + 12, count - 12);
	memcpy(frame + 12, tags, sizeof(tags));
	cr_assert(packet_find(frame, count + sizeof(tags), &packet));
	cr_expect_eq(packet.bth, bth + sizeof(tags));
	cr_expect(packet_is_right(&packet));
	for (size_t i = 12; i < 200; i += 4)
		memcpy(frame + i, tags, 4);
	for (size_t bytes = 0; bytes < 200; bytes++)
		cr_expect(!packet_find(frame, bytes, &packet));
}

/* Each row: the offset of a header byte, and a value with which the packet is refused. */
Test(replay_packet, refused)
{
	static const struct {
		size_t at;
		uint8_t value;
		const char *what;
	} rows[] = {{12, 9, "type"}, {14, 0x65, "version"}, {14, 0x44, "header of 16 bytes"},
		{14, 0x4F, "options beyond another port"}, {23, 6, "TCP"}, {20, 0x20, "fragment"},
		{21, 1, "fragment offset"}, {17, 0xFF, "some bytes longer than the frame"},
		{16, 0xFF, "longer than the frame"}, {37, 0, "port"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		make(false, false);
		frame[rows[i].at] = rows[i].value;
		cr_expect(!packet_find(frame, count, &packet), "%s", rows[i].what);
	}
	make(false, false);
	packet_store(frame + 16, 2, 20 + 8 + 12 + 4);
	cr_expect(packet_find(frame, count, &packet));
	packet_store(frame + 16, 2, 20 + 8 + 12 + 3);
	cr_expect(!packet_find(frame, count, &packet));
}

/* Rows: sizes of the headers that contain a key, as specified by IBTA. 0: no such header. */
Test(replay_packet, places_of_keys)
{
	static const struct {
		uint8_t opcode;
		size_t target, invalidate;
	} rows[] = {{PACKET_SEND_FIRST, 0, 0}, {PACKET_WRITE_FIRST, 16, 0},
		{PACKET_WRITE_ONLY, 16, 0}, {PACKET_WRITE_ONLY_IMMEDIATE, 16, 0},
		{PACKET_WRITE_LAST_IMMEDIATE, 0, 0}, {PACKET_READ_REQUEST, 16, 0},
		{PACKET_READ_RESPONSE_ONLY, 0, 0}, {PACKET_ACKNOWLEDGE, 0, 0},
		{PACKET_COMPARE_SWAP, 28, 0}, {PACKET_FETCH_ADD, 28, 0},
		{PACKET_SEND_LAST_INVALIDATE, 0, 4}, {PACKET_SEND_ONLY_INVALIDATE, 0, 4},
		{PACKET_CNP, 0, 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t bytes = 0; bytes <= 32; bytes++) {
			const size_t at = packet.bth + 12;

			frame[packet.bth] = rows[i].opcode;
			packet.icrc = at + bytes;
			cr_expect_eq(packet_target(&packet),
				rows[i].target != 0 && bytes >= rows[i].target ? at : 0,
				"opcode 0x%02x, %zu bytes", rows[i].opcode, bytes);
			cr_expect_eq(packet_invalidate(&packet),
				rows[i].invalidate != 0 && bytes >= rows[i].invalidate ? at : 0);
			cr_expect_eq(packet_mad(&packet), 0);
		}
}

Test(replay_packet, mads_are_whole_and_to_queue_pair_1)
{
	const size_t at = packet_mad(&packet);

	cr_expect_neq(at, 0);
	packet.icrc--;
	cr_expect_eq(packet_mad(&packet), 0, "one byte is missing");
	packet.icrc++;
	frame[at + 1] = 3;
	cr_expect_eq(packet_mad(&packet), 0, "subnet administration");
	frame[at + 1] = 7;
	frame[packet.bth + 7] = 2;
	cr_expect_eq(packet_mad(&packet), 0, "queue pair 2");
}

Test(replay_packet, numbers_and_names)
{
	uint8_t bytes[8] = {0};

	packet_store(bytes, 3, 0x1A2B3C4D);
	cr_expect_eq(packet_load(bytes, 3), 0x2B3C4D);
	cr_expect_eq(bytes[3], 0);
	packet_store(bytes, 8, UINT64_MAX - 5);
	cr_expect_eq(packet_load(bytes, 8), UINT64_MAX - 5);
	for (unsigned int opcode = 0; opcode < 256; opcode++)
		cr_expect_not_null(packet_opcode_name((uint8_t)opcode));
	cr_expect_str_eq(packet_opcode_name(0x17), "SEND Only with Invalidate");
	cr_expect_str_eq(packet_opcode_name(0x18), "another opcode");
	cr_expect(packet_is_request(PACKET_READ_REQUEST));
	cr_expect(!packet_is_request(PACKET_READ_RESPONSE_FIRST));
	cr_expect(!packet_is_request(PACKET_CNP));
	cr_expect(packet_is_read_response(PACKET_READ_RESPONSE_ONLY));
	cr_expect(!packet_is_read_response(PACKET_ACKNOWLEDGE));
}
