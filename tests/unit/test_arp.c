/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test which ARP frames are answered, refused or ignored. */

#include "arp_frames.h"
#include "neigh_rig.h"

Test(arp, request_is_answered_and_teaches)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig, B_ASKS_ALL));
	rig_expect(rig, A_ANSWERS_B);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->rx_requests, 1);
	cr_assert_eq(rig_counters(rig)->tx_replies, 1);
	rig_stop(rig);
}

Test(arp, unicast_request_is_answered)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig, B_ASKS_A));
	rig_expect(rig, A_ANSWERS_B);
	rig_stop(rig);
}

Test(arp, padded_and_segmented_request_is_answered)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = rig_hex(B_ASKS_A);

	for (uint16_t segment_bytes = 1; segment_bytes <= 60; segment_bytes++) {
		cr_assert(rig_input_segments(rig, frame.data, 60, segment_bytes));
		rig_expect(rig, A_ANSWERS_B);
	}
	rig_stop(rig);
}

Test(arp, address_probe_is_answered_and_teaches_nothing)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig,
		"ffffffffffff 020000000002 0806 0001 0800 06 04 0001 020000000002 00000000 "
		"000000000000 c0000201"));
	rig_expect(rig,
		"020000000002 020000000001 0806 0001 0800 06 04 0002 020000000001 c0000201 "
		"020000000002 00000000");
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect_count(rig, 1);
	rig_stop(rig);
}

Test(arp, request_for_others_is_neither_answered_nor_learned)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig,
		"ffffffffffff 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 "
		"000000000000 c0000209"));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->rx_requests, 0);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect_count(rig, 1);
	rig_stop(rig);
}

Test(arp, frame_for_another_mac_is_not_taken)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert_not(rig_input(rig,
		"020000000007 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000202 "
		"000000000000 c0000201"));
	rig_stop(rig);
}

Test(arp, announcement_is_a_gratuitous_request)
{
	struct neigh_rig *rig = rig_start_v4();

	neigh_announce(rig->neigh);
	rig_expect(rig, A_ANNOUNCES);
	/* With a looped cable, the adapter receives its own announcement, which is no conflict. */
	cr_assert(rig_input(rig, A_ANNOUNCES));
	cr_assert_eq(rig_counters(rig)->conflicts, 0);
	rig_stop(rig);
}

Test(arp, claim_to_own_address_is_counted)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig,
		"ffffffffffff 020000000002 0806 0001 0800 06 04 0001 020000000002 c0000201 "
		"000000000000 c0000201"));
	cr_assert_eq(rig_counters(rig)->conflicts, 1);
	rig_expect_found(rig, rig_v4(1), &rig_own_mac);
	rig_stop(rig);
}

Test(arp, sender_outside_the_network_is_answered_but_not_learned)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig,
		"020000000001 020000000002 0806 0001 0800 06 04 0001 020000000002 08080808 "
		"020000000001 c0000201"));
	rig_expect_count(rig, 1);
	rig_expect_lookup(rig, wire_gid_from_v4(0x08080808), NEIGH_NO_ROUTE);
	rig_stop(rig);
}

Test(arp, truncated_request_of_any_length_is_dropped)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = rig_hex(B_ASKS_A);

	for (uint16_t bytes = 0; bytes < 42; bytes++) {
		bool taken = rig_input_segments(rig, frame.data, bytes, RIG_FRAME_BYTES);

		cr_assert_eq(taken, bytes >= 14, "%u bytes", bytes);
	}
	cr_assert_eq(rig_counters(rig)->drop_malformed, 42 - 14);
	rig_expect_nothing(rig);
	rig_stop(rig);
}

Test(arp, malformed_request_is_dropped)
{
	struct neigh_rig *rig = rig_start_v4();
	/* pairs: an offset in the frame, and a byte that is invalid there */
	static const uint8_t wrong[][2] = {
		{14, 1},    /* hardware type */
		{15, 2},    /* hardware type */
		{16, 0},    /* protocol type */
		{17, 1},    /* protocol type */
		{18, 8},    /* hardware address length */
		{19, 16},   /* protocol address length */
		{20, 1},    /* operation */
		{21, 0},    /* operation */
		{21, 3},    /* operation */
		{22, 0x03}, /* multicast sender */
	};

	for (unsigned int i = 0; i < RTE_DIM(wrong); i++) {
		struct rig_bytes frame = rig_hex(B_ASKS_A);

		frame.data[wrong[i][0]] = wrong[i][1];
		cr_assert(rig_input_bytes(rig, &frame));
		cr_assert_eq(rig_counters(rig)->drop_malformed, i + 1, "byte %u", wrong[i][0]);
	}
	rig_expect_nothing(rig);
	rig_stop(rig);
}

Test(arp, own_vlan_is_answered_with_the_tag_and_others_are_not)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .vlan = true, .vlan_tci = 0x6064});
	struct rte_mbuf *mbuf;
	struct rig_bytes frame;

	/* The VLAN ID of the request must match. Its priority does not matter. */
	cr_assert(rig_input(rig,
		"020000000001 020000000002 8100 0064 0806 0001 0800 06 04 0001 020000000002 "
		"c0000202 020000000001 c0000201"));
	rig_expect(rig,
		"020000000002 020000000001 8100 6064 0806 0001 0800 06 04 0002 020000000001 "
		"c0000201 020000000002 c0000202");
	cr_assert_not(rig_input(rig,
		"020000000001 020000000002 8100 0065 0806 0001 0800 06 04 0001 020000000002 "
		"c0000202 020000000001 c0000201"));
	cr_assert_not(rig_input(rig, B_ASKS_A));
	cr_assert_not(rig_input(rig, "020000000001 020000000002 8100 00"));

	frame = rig_hex(B_ASKS_A);
	mbuf = rig_mbuf(rig, frame.data, frame.count, RIG_FRAME_BYTES);
	mbuf->ol_flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	mbuf->vlan_tci = 100;
	cr_assert(neigh_input(rig->neigh, mbuf, rig->now_ns));
	mbuf->vlan_tci = 101;
	cr_assert_not(neigh_input(rig->neigh, mbuf, rig->now_ns));
	rte_pktmbuf_free(mbuf);
	rig_expect_count(rig, 1);
	neigh_announce(rig->neigh);
	rig_expect(rig,
		"ffffffffffff 020000000001 8100 6064 0806 0001 0800 06 04 0001 020000000001 "
		"c0000201 000000000000 c0000201");
	rig_stop(rig);
}

Test(arp, priority_tag_means_no_vlan)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig,
		"020000000001 020000000002 8100 6000 0806 0001 0800 06 04 0001 020000000002 "
		"c0000202 020000000001 c0000201"));
	rig_expect(rig, A_ANSWERS_B);
	cr_assert_not(rig_input(rig,
		"020000000001 020000000002 8100 6001 0806 0001 0800 06 04 0001 020000000002 "
		"c0000202 020000000001 c0000201"));
	rig_stop(rig);
}

Test(arp, other_protocols_are_left_alone)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert_not(rig_input(rig, "0180c200000e 020000000002 88cc 0207"));
	cr_assert_not(rig_input(rig, "ffffffffffff 020000000002 0800 45000014"));
	cr_assert_not(rig_input(rig, "020000000001 020000000002 86dd 60000000"));
	rig_stop(rig);
}
