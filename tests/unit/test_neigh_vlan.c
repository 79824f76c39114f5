/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test VLAN tags that are in the frame, or in the mbuf because the port has stripped them. Echo,
 * ARP and neighbour discovery are tested with both. Frame lengths include all limits: the length of
 * a received frame does not contain a stripped tag, but the length of the answer must contain it.
 * Each frame is in a memory block of exactly its size, so that a sanitizer detects any read beyond
 * the frame.
 */

#include <stdlib.h>

#include <netinet/in.h>

#include <rte_ip.h>

#include "neigh_rig.h"

#define VLAN_ID     5
#define OWN_TCI     0x6005
#define V4_BYTES    20
#define V6_BYTES    40
#define ECHO_BYTES  8
#define PACKET_MAX  1500
#define ETHER_BYTES 14

/* Position of the VLAN tags of a received frame. */
enum tag {
	TAG_NONE,
	TAG_IN_FRAME,
	TAG_STRIPPED,
	TAG_STACK_STRIPPED,          /* two tags, both stripped into the mbuf */
	TAG_STRIPPED_BEFORE_ANOTHER, /* two tags, one stripped and one in the frame */
};

struct tagged {
	enum tag how;
	uint16_t tci;
};

/* Tags for an adapter with VLAN_ID, for an adapter without a VLAN, and for no adapter. */
static const struct tagged of_vlan[] = {{TAG_IN_FRAME, VLAN_ID}, {TAG_STRIPPED, VLAN_ID | 0x2000}};
static const struct tagged of_none[] = {
	{TAG_NONE, 0}, {TAG_IN_FRAME, 0x4000}, {TAG_STRIPPED, 0}, {TAG_STRIPPED, 0x4000}};
static const struct tagged of_no_adapter[] = {{TAG_STACK_STRIPPED, VLAN_ID},
	{TAG_STACK_STRIPPED, 0}, {TAG_STRIPPED_BEFORE_ANOTHER, VLAN_ID},
	{TAG_STRIPPED_BEFORE_ANOTHER, 0}, {TAG_STRIPPED, VLAN_ID + 1}, {TAG_IN_FRAME, VLAN_ID + 1}};

static struct rig_bytes
with_tag(const struct rig_bytes *plain, uint16_t tci)
{
	struct rig_bytes frame = *plain;

	memmove(frame.data + 16, frame.data + 12, plain->count - 12u);
	frame.data[12] = 0x81;
	frame.data[13] = 0;
	frame.data[14] = (uint8_t)(tci >> 8);
	frame.data[15] = (uint8_t)tci;
	frame.count = (uint16_t)(plain->count + 4);
	return frame;
}

static uint64_t
flags_of(enum tag how)
{
	switch (how) {
	case TAG_NONE:
	case TAG_IN_FRAME:
		return 0;
	case TAG_STRIPPED:
	case TAG_STRIPPED_BEFORE_ANOTHER:
		return RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	case TAG_STACK_STRIPPED:
		return RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ |
			RTE_MBUF_F_RX_QINQ_STRIPPED;
	}
	return 0;
}

static bool
input(struct neigh_rig *rig, const struct rig_bytes *plain, struct tagged tag)
{
	bool in_frame = tag.how == TAG_IN_FRAME || tag.how == TAG_STRIPPED_BEFORE_ANOTHER;
	struct rig_bytes frame = in_frame ? with_tag(plain, tag.tci) : *plain;
	uint8_t *memory = malloc(frame.count);
	struct rte_mbuf mbuf = {
		.buf_addr = memory,
		.buf_len = frame.count,
		.data_len = frame.count,
		.pkt_len = frame.count,
		.nb_segs = 1,
		.ol_flags = flags_of(tag.how),
		.vlan_tci = tag.tci,
		.vlan_tci_outer = 7,
	};
	bool taken;

	cr_assert_not_null(memory);
	memcpy(memory, frame.data, frame.count);
	taken = neigh_input(rig->neigh, &mbuf, rig->now_ns);
	free(memory);
	return taken;
}

static struct neigh_rig *
start(bool v6, bool vlan)
{
	return rig_start(&(struct neigh_config){
		.address = v6 ? rig_v6(1) : rig_v4(1),
		.prefix_length = v6 ? 64 : 24,
		.vlan = vlan,
		.vlan_tci = vlan ? OWN_TCI : 0,
	});
}

static void
store_complement(uint8_t *at, uint16_t sum)
{
	sum = (uint16_t)~sum;
	memcpy(at, &sum, sizeof(sum));
}

static struct rig_bytes
ping_v4(uint16_t packet_bytes)
{
	struct rig_bytes frame = rig_hex("020000000001 020000000002 0800 4500 0000 1234 0000 40 01 "
					 "0000 c0000202 c0000201 0800 0000 abcd 0001");
	uint8_t *ip = frame.data + ETHER_BYTES;

	for (uint16_t i = frame.count; i < ETHER_BYTES + packet_bytes; i++)
		frame.data[i] = (uint8_t)(i * 7);
	frame.count = (uint16_t)(ETHER_BYTES + packet_bytes);
	ip[2] = (uint8_t)(packet_bytes >> 8);
	ip[3] = (uint8_t)packet_bytes;
	store_complement(ip + 10, rte_raw_cksum(ip, V4_BYTES));
	store_complement(
		ip + V4_BYTES + 2, rte_raw_cksum(ip + V4_BYTES, (size_t)packet_bytes - V4_BYTES));
	return frame;
}

static void
complete_v6(struct rig_bytes *frame, uint16_t packet_bytes)
{
	uint8_t *ip = frame->data + ETHER_BYTES;
	uint16_t bytes = (uint16_t)(packet_bytes - V6_BYTES);
	struct rte_ipv6_hdr header;

	ip[4] = (uint8_t)(bytes >> 8);
	ip[5] = (uint8_t)bytes;
	memcpy(&header, ip, sizeof(header));
	memset(ip + V6_BYTES + 2, 0, 2);
	store_complement(ip + V6_BYTES + 2,
		__rte_raw_cksum_reduce((uint32_t)rte_ipv6_phdr_cksum(&header, 0) +
			rte_raw_cksum(ip + V6_BYTES, bytes)));
}

static struct rig_bytes
ping_v6(uint16_t packet_bytes)
{
	struct rig_bytes frame = rig_hex("020000000001 020000000002 86dd 60000000 0000 3a 40 "
					 "20010db8000000000000000000000002 "
					 "20010db8000000000000000000000001 8000 0000 abcd 0001");

	for (uint16_t i = frame.count; i < ETHER_BYTES + packet_bytes; i++)
		frame.data[i] = (uint8_t)(i * 7);
	frame.count = (uint16_t)(ETHER_BYTES + packet_bytes);
	complete_v6(&frame, packet_bytes);
	return frame;
}

static struct rig_bytes
ping(bool v6, uint16_t packet_bytes)
{
	return v6 ? ping_v6(packet_bytes) : ping_v4(packet_bytes);
}

/*
 * Fail unless exactly one frame was sent, which answers this request. If the adapter has a VLAN,
 * the frame must have a tag.
 */
static void
expect_answer(struct neigh_rig *rig, const struct rig_bytes *request, bool v6)
{
	uint16_t tag_bytes = rig->config.vlan ? 4 : 0;
	uint16_t want = (uint16_t)(request->count + tag_bytes);
	uint16_t body_at = (uint16_t)(ETHER_BYTES + (v6 ? V6_BYTES : V4_BYTES) + 4);
	const uint8_t *tag = rig->last + 12;

	cr_assert_eq(rig->sent_count, rig->taken + 1, "%u frames", rig->sent_count - rig->taken);
	cr_assert_eq(rig->sent_bytes[rig->taken], RTE_MAX(want, (uint16_t)60));
	if (rig->config.vlan)
		cr_assert_eq(memcmp(tag, "\x81\x00\x60\x05", 4), 0);
	cr_assert_eq(memcmp(rig->last + 12 + tag_bytes, request->data + 12, 2), 0);
	cr_assert_eq(memcmp(rig->last + tag_bytes + body_at, request->data + body_at,
			     request->count - (size_t)body_at),
		0);
	rig->sent_count = rig->taken = 0;
}

/* Fail unless the neighbour table is intact. A too long answer would overwrite the table. */
static void
expect_neighbours(struct neigh_rig *rig, bool v6)
{
	rig_expect_found(rig, v6 ? rig_v6(9) : rig_v4(9), &rig_other_mac);
	rig_expect_nothing(rig);
}

static void
lengths_play(bool v6, bool vlan)
{
	const struct tagged *tags = vlan ? of_vlan : of_none;
	uint32_t tag_count = vlan ? RTE_DIM(of_vlan) : RTE_DIM(of_none);
	struct neigh_rig *rig = start(v6, vlan);
	struct wire_gid known = v6 ? rig_v6(9) : rig_v4(9);
	uint16_t shortest = (uint16_t)((v6 ? V6_BYTES : V4_BYTES) + ECHO_BYTES);
	uint64_t too_long = 0;

	cr_assert_eq(neigh_add_static(rig->neigh, &known, &rig_other_mac), RC_OK);
	for (uint16_t bytes = shortest; bytes <= 1600; bytes++) {
		struct rig_bytes request = ping(v6, bytes);

		for (uint32_t i = 0; i < tag_count; i++) {
			cr_assert(input(rig, &request, tags[i]), "%u bytes", bytes);
			if (bytes <= PACKET_MAX)
				expect_answer(rig, &request, v6);
			else
				too_long++;
			rig_expect_nothing(rig);
			cr_assert_eq(rig_counters(rig)->drop_echo, too_long, "%u bytes", bytes);
			expect_neighbours(rig, v6);
		}
		rig_advance(rig, RIG_SECOND);
	}
	cr_assert_eq(rig_counters(rig)->drop_malformed, 0);
	rig_stop(rig);
}

Test(neigh_vlan, ping_of_any_length_is_answered_in_its_own_length)
{
	lengths_play(false, false);
}

/* The answer has a tag, even if the port has stripped the tag of the request. */
Test(neigh_vlan, ping_of_any_length_is_answered_with_the_own_tag)
{
	lengths_play(false, true);
}

Test(neigh_vlan, ping_v6_of_any_length_is_answered_in_its_own_length)
{
	lengths_play(true, false);
}

Test(neigh_vlan, ping_v6_of_any_length_is_answered_with_the_own_tag)
{
	lengths_play(true, true);
}

/*
 * Bytes after an IP packet do not belong to it. Some ports leave padding or the frame check
 * sequence there.
 */
Test(neigh_vlan, what_follows_a_full_packet_is_not_part_of_it)
{
	for (unsigned int round = 0; round < 4; round++) {
		bool v6 = round & 1, vlan = round & 2;
		struct neigh_rig *rig = start(v6, vlan);
		struct rig_bytes request = ping(v6, PACKET_MAX), padded = request;

		for (uint16_t trailer = 1; trailer <= 16; trailer++) {
			padded.count = (uint16_t)(request.count + trailer);
			cr_assert(input(rig, &padded, vlan ? of_vlan[1] : of_none[2]));
			expect_answer(rig, &request, v6);
		}
		rig_stop(rig);
	}
}

Test(neigh_vlan, length_that_does_not_fit_the_frame_gets_no_answer)
{
	for (unsigned int round = 0; round < 4; round++) {
		bool v6 = round & 1, vlan = round & 2;
		struct neigh_rig *rig = start(v6, vlan);
		uint16_t at = v6 ? 4 : 2;

		for (uint32_t said = 0; said <= UINT16_MAX; said += said < 1600 ? 1 : 97) {
			struct rig_bytes request = ping(v6, 1499);

			request.data[ETHER_BYTES + at] = (uint8_t)(said >> 8);
			request.data[ETHER_BYTES + at + 1] = (uint8_t)said;
			if (said == (v6 ? 1499 - V6_BYTES : 1499))
				continue;
			cr_assert(input(rig, &request, vlan ? of_vlan[1] : of_none[2]));
			rig_expect_nothing(rig);
		}
		rig_stop(rig);
	}
}

#define B_ASKS_A_V4                                                                                \
	"020000000001 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 "               \
	"000000000000 c0000201"
#define B_ASKS_A_V6                                                                                \
	"020000000001 020000000002 86dd 60000000 0020 3a ff 20010db8000000000000000000000002 "     \
	"20010db8000000000000000000000001 8700 0000 00000000 20010db8000000000000000000000001 "    \
	"0101 020000000002"

static struct rig_bytes
question(bool v6)
{
	struct rig_bytes frame = rig_hex(v6 ? B_ASKS_A_V6 : B_ASKS_A_V4);

	if (v6)
		complete_v6(&frame, (uint16_t)(frame.count - ETHER_BYTES));
	return frame;
}

static void
question_play(bool v6, bool vlan)
{
	const struct tagged *own = vlan ? of_vlan : of_none;
	const struct tagged *foreign = vlan ? of_none : of_vlan;
	struct neigh_rig *rig = start(v6, vlan);
	struct rig_bytes frame = question(v6), request = ping(v6, 100);
	uint16_t bytes = (uint16_t)(frame.count + (vlan ? 4 : 0));

	for (uint32_t i = 0; i < (vlan ? RTE_DIM(of_none) : RTE_DIM(of_vlan)); i++)
		cr_assert(!input(rig, &frame, foreign[i]) && !input(rig, &request, foreign[i]));
	for (uint32_t i = 0; i < RTE_DIM(of_no_adapter); i++)
		cr_assert(!input(rig, &frame, of_no_adapter[i]) &&
				!input(rig, &request, of_no_adapter[i]),
			"%u", i);
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->rx_requests, 0);
	for (uint32_t i = 0; i < (vlan ? RTE_DIM(of_vlan) : RTE_DIM(of_none)); i++) {
		cr_assert(input(rig, &frame, own[i]));
		cr_assert_eq(rig->sent_bytes[rig->taken], RTE_MAX(bytes, (uint16_t)60));
		cr_assert_eq(memcmp(rig->last, rig_peer_mac.addr_bytes, 6), 0);
		if (vlan)
			cr_assert_eq(memcmp(rig->last + 12, "\x81\x00\x60\x05", 4), 0);
		rig_expect_count(rig, 1);
	}
	rig_expect_found(rig, v6 ? rig_v6(2) : rig_v4(2), &rig_peer_mac);
	rig_stop(rig);
}

Test(neigh_vlan, question_is_answered_wherever_its_tag_is)
{
	question_play(false, false);
	question_play(false, true);
}

Test(neigh_vlan, question_v6_is_answered_wherever_its_tag_is)
{
	question_play(true, false);
	question_play(true, true);
}
