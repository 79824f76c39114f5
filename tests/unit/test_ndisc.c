/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* IPv6 neighbour discovery. */

#include <netinet/in.h>

#include <rte_ip.h>

#include "neigh_rig.h"

#define A_ADDRESS "20010db8000000000000000000000001"
#define B_ADDRESS "20010db8000000000000000000000002"
#define A_GROUP   "ff0200000000000000000001ff000001"
#define B_GROUP   "ff0200000000000000000001ff000002"
#define ALL_NODES "ff020000000000000000000000000001"
#define ANYBODY   "00000000000000000000000000000000"

/* Frames that A sends. Their checksums were computed by an independent program. */
#define A_ASKS_ALL                                                                                 \
	"3333ff000002 020000000001 86dd 60000000 0020 3a ff" A_ADDRESS B_GROUP                     \
	"8700 1c27 00000000" B_ADDRESS "0101 020000000001"
#define A_ASKS_B                                                                                   \
	"020000000002 020000000001 86dd 60000000 0020 3a ff" A_ADDRESS B_ADDRESS                   \
	"8700 ec72 00000000" B_ADDRESS "0101 020000000001"
#define A_ANSWERS_B                                                                                \
	"020000000002 020000000001 86dd 60000000 0020 3a ff" A_ADDRESS B_ADDRESS                   \
	"8800 8a73 60000000" A_ADDRESS "0201 020000000001"
#define A_ANSWERS_ALL                                                                              \
	"333300000001 020000000001 86dd 60000000 0020 3a ff" A_ADDRESS ALL_NODES                   \
	"8800 f92a 20000000" A_ADDRESS "0201 020000000001"

/* Frames that A receives. complete() fills in the checksums. */
#define B_ASKS_ALL                                                                                 \
	"3333ff000001 020000000002 86dd 60000000 0020 3a ff" B_ADDRESS A_GROUP                     \
	"8700 0000 00000000" A_ADDRESS "0101 020000000002"
#define B_ASKS_A                                                                                   \
	"020000000001 020000000002 86dd 60000000 0020 3a ff" B_ADDRESS A_ADDRESS                   \
	"8700 0000 00000000" A_ADDRESS "0101 020000000002"
#define B_ASKS_A_BARE                                                                              \
	"020000000001 020000000002 86dd 60000000 0018 3a ff" B_ADDRESS A_ADDRESS                   \
	"8700 0000 00000000" A_ADDRESS
#define DAD_ASKS                                                                                   \
	"3333ff000001 020000000002 86dd 60000000 0018 3a ff" ANYBODY A_GROUP                       \
	"8700 0000 00000000" A_ADDRESS
#define B_ANSWERS                                                                                  \
	"020000000001 020000000002 86dd 60000000 0020 3a ff" B_ADDRESS A_ADDRESS                   \
	"8800 0000 60000000" B_ADDRESS "0201 020000000002"
#define B_ANSWERS_BARE                                                                             \
	"020000000001 020000000002 86dd 60000000 0018 3a ff" B_ADDRESS A_ADDRESS                   \
	"8800 0000 40000000" B_ADDRESS
#define B3_ANSWERS                                                                                 \
	"020000000001 020000000003 86dd 60000000 0020 3a ff" B_ADDRESS A_ADDRESS                   \
	"8800 0000 60000000" B_ADDRESS "0201 020000000003"
#define B3_ANSWERS_NO_OVERRIDE                                                                     \
	"020000000001 020000000003 86dd 60000000 0020 3a ff" B_ADDRESS A_ADDRESS                   \
	"8800 0000 40000000" B_ADDRESS "0201 020000000003"
#define B3_ANNOUNCES                                                                               \
	"333300000001 020000000003 86dd 60000000 0020 3a ff" B_ADDRESS ALL_NODES                   \
	"8800 0000 20000000" B_ADDRESS "0201 020000000003"

#define IP_AT    14
#define BODY_AT  (IP_AT + 40)
#define CHECK_AT (BODY_AT + 2)

static uint16_t
checksum(const uint8_t *frame)
{
	struct rte_ipv6_hdr ip;
	uint16_t bytes;

	memcpy(&ip, frame + IP_AT, sizeof(ip));
	bytes = rte_be_to_cpu_16(ip.payload_len);
	return (uint16_t)~__rte_raw_cksum_reduce(
		(uint32_t)rte_ipv6_phdr_cksum(&ip, 0) + rte_raw_cksum(frame + BODY_AT, bytes));
}

static void
complete(struct rig_bytes *frame)
{
	uint16_t value;

	memset(frame->data + CHECK_AT, 0, sizeof(value));
	value = checksum(frame->data);
	memcpy(frame->data + CHECK_AT, &value, sizeof(value));
}

static bool
input(struct neigh_rig *rig, const char *hex)
{
	struct rig_bytes frame = rig_hex(hex);

	complete(&frame);
	return rig_input_bytes(rig, &frame);
}

static bool
input_from(struct neigh_rig *rig, const char *hex, const struct rte_ether_addr *mac)
{
	struct rig_bytes frame = rig_hex(hex);

	complete(&frame);
	memcpy(frame.data + 6, mac->addr_bytes, sizeof(mac->addr_bytes));
	return rig_input_bytes(rig, &frame);
}

static void
resolve(struct neigh_rig *rig)
{
	rig_expect_lookup(rig, rig_v6(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(input(rig, B_ANSWERS));
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
}

Test(ndisc, lookup_solicits_the_group_and_takes_the_answer)
{
	struct neigh_rig *rig = rig_start_v6();

	resolve(rig);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	cr_assert_eq(rig_counters(rig)->rx_replies, 1);
	cr_assert_eq(rig_counters(rig)->tx_requests, 1);
	rig_stop(rig);
}

Test(ndisc, every_sent_message_has_a_valid_checksum)
{
	struct neigh_rig *rig = rig_start_v6();

	neigh_announce(rig->neigh);
	rig_expect(rig, A_ANSWERS_ALL);
	resolve(rig);
	rig_advance(rig, 30 * RIG_SECOND);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	cr_assert(input(rig, B_ASKS_A));
	cr_assert(input(rig, DAD_ASKS));
	for (uint32_t i = 0; i < rig->sent_count; i++)
		cr_assert_eq(checksum(rig->sent[i]), 0, "frame %u", i);
	cr_assert_geq(rig->sent_count, 5);
	rig->taken = rig->sent_count;
	rig_stop(rig);
}

Test(ndisc, solicitation_to_the_group_is_answered_and_teaches)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig, B_ASKS_ALL));
	rig_expect(rig, A_ANSWERS_B);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->rx_requests, 1);
	cr_assert_eq(rig_counters(rig)->tx_replies, 1);
	rig_stop(rig);
}

Test(ndisc, unicast_solicitation_is_answered)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = rig_hex(B_ASKS_A);

	complete(&frame);
	for (uint16_t segment_bytes = 2; segment_bytes <= frame.count; segment_bytes++) {
		cr_assert(rig_input_segments(rig, frame.data, frame.count, segment_bytes));
		rig_expect(rig, A_ANSWERS_B);
	}
	rig_stop(rig);
}

Test(ndisc, solicitation_without_mac_is_answered_to_its_sender_and_teaches_nothing)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig, B_ASKS_A_BARE));
	rig_expect(rig, A_ANSWERS_B);
	rig_expect_lookup(rig, rig_v6(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	rig_stop(rig);
}

Test(ndisc, duplicate_address_detection_is_answered_to_all_nodes)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig, DAD_ASKS));
	rig_expect(rig, A_ANSWERS_ALL);
	cr_assert_eq(rig_counters(rig)->drop_malformed, 0);
	rig_stop(rig);
}

Test(ndisc, announcement_is_an_unsolicited_advertisement)
{
	struct neigh_rig *rig = rig_start_v6();

	neigh_announce(rig->neigh);
	rig_expect(rig, A_ANSWERS_ALL);
	rig_stop(rig);
}

Test(ndisc, solicitation_of_others_is_not_answered)
{
	struct neigh_rig *rig = rig_start_v6();

	/*
	 * The request is for an address with the same last three bytes, and therefore with the same
	 * multicast group.
	 */
	cr_assert(input(rig,
		"3333ff000001 020000000002 86dd 60000000 0020 3a ff" B_ADDRESS A_GROUP
		"8700 0000 00000000"
		"20010db8000000000000000077000001"
		"0101 020000000002"));
	/* These requests for the adapter's address were sent to all nodes or to a wrong group. */
	cr_assert(input(rig,
		"333300000001 020000000002 86dd 60000000 0020 3a ff" B_ADDRESS ALL_NODES
		"8700 0000 00000000" A_ADDRESS "0101 020000000002"));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->rx_requests, 0);
	rig_stop(rig);
}

Test(ndisc, entry_is_probed_by_unicast_and_confirmed_without_mac)
{
	struct neigh_rig *rig = rig_start_v6();

	resolve(rig);
	rig_advance(rig, 30 * RIG_SECOND);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	rig_expect(rig, A_ASKS_B);
	cr_assert(input(rig, B_ANSWERS_BARE));
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->drop_unasked, 0);
	rig_stop(rig);
}

Test(ndisc, forged_advertisement_is_counted_and_changes_nothing)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig, B_ANSWERS));
	cr_assert(input(rig, B_ANSWERS_BARE));
	cr_assert_eq(rig_counters(rig)->drop_unasked, 2);
	rig_expect_lookup(rig, rig_v6(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	/* The answer to the first request is ignored, because it does not contain a MAC address. */
	cr_assert(input(rig, B_ANSWERS_BARE));
	cr_assert_eq(rig_counters(rig)->drop_unasked, 3);
	rig_expect_lookup(rig, rig_v6(2), NEIGH_PENDING);
	rig_stop(rig);
}

Test(ndisc, announced_change_is_verified)
{
	struct neigh_rig *rig = rig_start_v6();

	resolve(rig);
	rig_advance(rig, 2 * RIG_SECOND);
	cr_assert(input(rig, B3_ANNOUNCES));
	rig_expect(rig, A_ASKS_B);
	/*
	 * An answer from a MAC address that A did not probe has no effect, with or without option.
	 */
	cr_assert(input(rig, B3_ANSWERS));
	cr_assert(input_from(rig, B_ANSWERS_BARE, &rig_other_mac));
	cr_assert_eq(rig_counters(rig)->drop_unasked, 1);
	rig_advance(rig, RIG_SECOND);
	rig_expect(rig, A_ASKS_ALL);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	/* RFC 4861: an answer without the override flag does not change a known MAC address. */
	cr_assert(input(rig, B3_ANSWERS_NO_OVERRIDE));
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	cr_assert(input(rig, B3_ANSWERS));
	rig_expect_found(rig, rig_v6(2), &rig_other_mac);
	cr_assert_eq(rig_counters(rig)->changed, 1);
	rig_expect_moved(rig, 2, rig_v6(2), &rig_other_mac);
	rig_stop(rig);
}

Test(ndisc, false_announcement_is_refuted_by_the_owner)
{
	struct neigh_rig *rig = rig_start_v6();

	resolve(rig);
	rig_advance(rig, 2 * RIG_SECOND);
	cr_assert(input(rig, B3_ANNOUNCES));
	cr_assert(input(rig, B3_ANSWERS));
	rig_expect(rig, A_ASKS_B);
	cr_assert(input(rig, B_ANSWERS));
	cr_assert(input(rig, B3_ANSWERS));
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->changed, 0);
	rig_expect_moved(rig, 1, rig_v6(2), &rig_peer_mac);
	rig_stop(rig);
}

Test(ndisc, doubt_solicits_the_known_mac_then_the_group)
{
	struct neigh_rig *rig = rig_start_v6();
	struct wire_gid b = rig_v6(2);

	resolve(rig);
	rig_advance(rig, RIG_SECOND);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_B);
	rig_advance(rig, RIG_SECOND / 20);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(input(rig, B3_ANSWERS));
	rig_expect_moved(rig, 2, b, &rig_other_mac);
	rig_stop(rig);
}

Test(ndisc, claim_to_own_address_is_counted)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig,
		"333300000001 020000000002 86dd 60000000 0020 3a ff" A_ADDRESS ALL_NODES
		"8800 0000 20000000" A_ADDRESS "0201 020000000002"));
	cr_assert_eq(rig_counters(rig)->conflicts, 1);
	rig_stop(rig);
}

Test(ndisc, truncated_solicitation_of_any_length_is_dropped)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = rig_hex(B_ASKS_ALL);

	complete(&frame);
	for (uint16_t bytes = 0; bytes < frame.count; bytes++)
		cr_assert_eq(rig_input_segments(rig, frame.data, bytes, RIG_FRAME_BYTES),
			bytes > BODY_AT, "%u bytes", bytes);
	cr_assert_eq(rig_counters(rig)->drop_malformed, frame.count - BODY_AT - 1u);
	/* The packet is too short for the message or its option, so it is counted as malformed. */
	for (uint16_t bytes = 0; bytes < 32; bytes++) {
		if (bytes == 24) /* without option: well-formed */
			continue;
		frame = rig_hex(B_ASKS_ALL);
		frame.data[IP_AT + 5] = (uint8_t)bytes;
		complete(&frame);
		cr_assert(rig_input_bytes(rig, &frame));
	}
	cr_assert_eq(rig_counters(rig)->drop_malformed, frame.count - BODY_AT - 1u + 31);
	rig_expect_nothing(rig);
	rig_stop(rig);
}

Test(ndisc, malformed_message_is_dropped)
{
	struct neigh_rig *rig = rig_start_v6();
	static const struct {
		const char *frame;
		uint16_t at;
		uint8_t value;
	} wrong[] = {
		{B_ASKS_ALL, IP_AT, 0x50}, /* version */
		/* hop limit 254, because a router has forwarded the packet */
		{B_ASKS_ALL, IP_AT + 7, 254}, {B_ASKS_ALL, IP_AT + 8, 0xFF}, /* multicast source */
		{B_ASKS_ALL, BODY_AT + 1, 1},                                /* code */
		{B_ASKS_ALL, BODY_AT + 8, 0xFF},                             /* multicast target */
		{B_ASKS_ALL, BODY_AT + 25, 0},    /* option of length 0 */
		{B_ASKS_ALL, BODY_AT + 25, 2},    /* option beyond the end */
		{B_ASKS_ALL, BODY_AT + 26, 0x03}, /* multicast MAC address */
		/* the MAC address is the adapter's own address */
		{B_ASKS_ALL, BODY_AT + 31, 1},
		/* duplicate address detection, but sent to a unicast address */
		{DAD_ASKS, IP_AT + 24, 0x20}, {B_ANSWERS, IP_AT + 7, 64}, /* hop limit */
		{B_ANSWERS, BODY_AT + 8, 0xFF},                           /* multicast target */
		/* the MAC address is the adapter's own address */
		{B_ANSWERS, BODY_AT + 31, 1},
		{B3_ANNOUNCES, BODY_AT + 4, 0x60}, /* solicited flag, but sent to all nodes */
	};

	for (unsigned int i = 0; i < RTE_DIM(wrong); i++) {
		struct rig_bytes frame = rig_hex(wrong[i].frame);

		frame.data[wrong[i].at] = wrong[i].value;
		complete(&frame);
		cr_assert(rig_input_bytes(rig, &frame), "case %u", i);
		cr_assert_eq(rig_counters(rig)->drop_malformed, i + 1, "case %u", i);
	}
	rig_expect_nothing(rig);
	rig_stop(rig);
}

Test(ndisc, duplicate_detection_with_mac_is_dropped)
{
	struct neigh_rig *rig = rig_start_v6();

	cr_assert(input(rig,
		"3333ff000001 020000000002 86dd 60000000 0020 3a ff" ANYBODY A_GROUP
		"8700 0000 00000000" A_ADDRESS "0101 020000000002"));
	cr_assert_eq(rig_counters(rig)->drop_malformed, 1);
	rig_stop(rig);
}

Test(ndisc, flipped_bit_fails_the_checksum)
{
	struct neigh_rig *rig = rig_start_v6();

	/*
	 * Change each byte that the checksum covers. The checksum does not cover the first 8 bytes
	 * of the IP header.
	 */
	for (uint16_t at = IP_AT + 8; at < BODY_AT + 32; at++) {
		struct rig_bytes frame = rig_hex(B_ASKS_A);

		if (at == BODY_AT) /* ICMPv6 type that is no neighbour discovery */
			continue;
		complete(&frame);
		frame.data[at] ^= 0x10;
		cr_assert(rig_input_bytes(rig, &frame));
	}
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->drop_malformed, 32 + 31);
	rig_stop(rig);
}

Test(ndisc, unknown_options_are_skipped)
{
	struct neigh_rig *rig = rig_start_v6();

	/* The frame has a nonce (RFC 7527) before the MAC address, as frames of Linux have. */
	cr_assert(input(rig,
		"3333ff000001 020000000002 86dd 60000000 0028 3a ff" B_ADDRESS A_GROUP
		"8700 0000 00000000" A_ADDRESS "0e01 010203040506 0101 020000000002"));
	rig_expect(rig, A_ANSWERS_B);
	rig_expect_found(rig, rig_v6(2), &rig_peer_mac);
	rig_stop(rig);
}

Test(ndisc, link_local_peer_is_on_link)
{
	struct neigh_rig *rig = rig_start_v6();
	struct wire_gid router = {{0xFE, 0x80, [15] = 9}};

	rig_expect_lookup(rig, router, NEIGH_PENDING);
	rig_expect_count(rig, 1);
	rig_stop(rig);
}

Test(ndisc, peer_without_way_has_no_route)
{
	struct neigh_rig *rig = rig_start_v6();

	rig_expect_lookup(
		rig, (struct wire_gid){{0x20, 0x01, 0x0D, 0xB9, [15] = 2}}, NEIGH_NO_ROUTE);
	rig_expect_lookup(rig, (struct wire_gid){{0xFF, 0x02, [15] = 1}}, NEIGH_NO_ROUTE);
	rig_expect_lookup(rig, (struct wire_gid){{[15] = 1}}, NEIGH_NO_ROUTE);
	rig_expect_lookup(rig, (struct wire_gid){{0}}, NEIGH_NO_ROUTE);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_NO_ROUTE);
	rig_stop(rig);
}

Test(ndisc, tagged_solicitation_is_answered_with_the_tag)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v6(1), .prefix_length = 64, .vlan = true, .vlan_tci = 100});
	struct rig_bytes frame = rig_hex(B_ASKS_A), tagged;

	cr_assert_not(input(rig, B_ASKS_A));
	complete(&frame);
	tagged = rig_hex("020000000001 020000000002 8100 0064");
	memcpy(tagged.data + 16, frame.data + 12, frame.count - 12u);
	tagged.count = (uint16_t)(frame.count + 4);
	cr_assert(rig_input_bytes(rig, &tagged));
	rig_expect(rig,
		"020000000002 020000000001 8100 0064 86dd 60000000 0020 3a ff" A_ADDRESS B_ADDRESS
		"8800 8a73 60000000" A_ADDRESS "0201 020000000001");
	rig_stop(rig);
}

Test(ndisc, other_messages_are_left_alone)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = rig_hex(B_ASKS_ALL);

	frame.data[BODY_AT] = 134; /* router advertisement */
	complete(&frame);
	cr_assert_not(rig_input_bytes(rig, &frame));
	frame = rig_hex(B_ASKS_ALL);
	frame.data[IP_AT + 6] = IPPROTO_TCP;
	cr_assert_not(rig_input_bytes(rig, &frame));
	cr_assert_not(rig_input(rig,
		"ffffffffffff 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 "
		"000000000000 c0000201"));
	rig_stop(rig);
}
