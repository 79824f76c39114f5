/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test the neighbour table and the states of its entries, with ARP. */

#include "arp_frames.h"
#include "neigh_rig.h"

/* Look up B. B answers the request of A. */
static void
resolve(struct neigh_rig *rig)
{
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
}

Test(neigh, lookup_asks_everybody_and_takes_the_answer)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	resolve(rig);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	cr_assert_eq(rig_counters(rig)->rx_replies, 1);
	cr_assert_eq(rig_counters(rig)->tx_requests, 1);
	cr_assert_eq(rig_counters(rig)->drop_unasked, 0);
	rig_stop(rig);
}

Test(neigh, lookup_of_own_address_finds_own_mac)
{
	struct neigh_rig *rig = rig_start_v4();

	rig_expect_found(rig, rig_v4(1), &rig_own_mac);
	rig_stop(rig);
}

Test(neigh, unanswered_question_is_repeated_then_fails_for_a_second)
{
	struct neigh_rig *rig = rig_start_v4();
	uint64_t start_ns = rig->now_ns;

	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	for (unsigned int i = 1; i <= 3; i++) {
		rig_expect(rig, A_ASKS_ALL);
		cr_assert_eq(neigh_deadline(rig->neigh), start_ns + i * RIG_SECOND);
		rig_advance(rig, RIG_SECOND - 1);
		rig_expect_nothing(rig);
		rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
		rig_advance(rig, 1);
	}
	rig_expect_nothing(rig);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_UNREACHABLE);
	rig_advance(rig, RIG_SECOND - 1);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_UNREACHABLE);
	rig_advance(rig, 1);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert_eq(rig_counters(rig)->tx_requests, 4);
	rig_stop(rig);
}

Test(neigh, late_answer_ends_a_failure)
{
	struct neigh_rig *rig = rig_start_v4();

	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_advance(rig, 3 * RIG_SECOND + RIG_SECOND / 2);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_UNREACHABLE);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_expect_count(rig, 3);
	rig_stop(rig);
}

Test(neigh, old_entry_is_probed_by_unicast_when_used)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	rig_advance(rig, 30 * RIG_SECOND - 1);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	rig_expect_nothing(rig);
	rig_advance(rig, 1);
	rig_expect_nothing(rig);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	rig_expect(rig, A_ASKS_B);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	rig_expect_nothing(rig);
	cr_assert(rig_input(rig, B_ANSWERS));
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_advance(rig, 30 * RIG_SECOND - 1);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->drop_unasked, 0);
	rig_stop(rig);
}

Test(neigh, silent_probes_forget_the_entry)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	rig_advance(rig, 31 * RIG_SECOND);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	for (unsigned int i = 0; i < 3; i++) {
		rig_expect(rig, A_ASKS_B);
		rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
		rig_advance(rig, RIG_SECOND);
	}
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	rig_stop(rig);
}

Test(neigh, confirmation_extends_and_ends_a_probe)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2), nobody = rig_v4(9);

	neigh_confirm(rig->neigh, &nobody, &rig_peer_mac, rig->now_ns);
	rig_expect_lookup(rig, b, NEIGH_PENDING);
	rig_expect_count(rig, 1);
	neigh_confirm(rig->neigh, &b, &rig_peer_mac, rig->now_ns);
	rig_expect_lookup(rig, b, NEIGH_PENDING);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_advance(rig, 29 * RIG_SECOND);
	neigh_confirm(rig->neigh, &b, &rig_peer_mac, rig->now_ns);
	rig_advance(rig, 29 * RIG_SECOND);
	rig_expect_found(rig, b, &rig_peer_mac);
	rig_expect_nothing(rig);
	rig_advance(rig, RIG_SECOND);
	rig_expect_found(rig, b, &rig_peer_mac);
	rig_expect(rig, A_ASKS_B);
	neigh_confirm(rig->neigh, &b, &rig_peer_mac, rig->now_ns);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_expect_found(rig, b, &rig_peer_mac);
	rig_stop(rig);
}

/*
 * A packet confirms an entry only if it comes from the MAC address in the entry, because any host
 * can forge the source address.
 */
Test(neigh, confirmation_from_another_mac_changes_nothing)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2);

	resolve(rig);
	rig_advance(rig, 29 * RIG_SECOND);
	neigh_confirm(rig->neigh, &b, &rig_other_mac, rig->now_ns);
	rig_advance(rig, RIG_SECOND);
	rig_expect_found(rig, b, &rig_peer_mac);
	rig_expect(rig, A_ASKS_B);
	neigh_confirm(rig->neigh, &b, &rig_other_mac, rig->now_ns);
	cr_assert_eq(neigh_deadline(rig->neigh), rig->now_ns + RIG_SECOND);
	cr_assert(rig_input(rig, B3_ANNOUNCES));
	neigh_confirm(rig->neigh, &b, &rig_other_mac, rig->now_ns);
	rig_advance(rig, RIG_SECOND);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_found(rig, b, &rig_other_mac);
	rig_expect_moved(rig, 2, b, &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, doubt_asks_the_known_mac_then_everybody)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2);

	resolve(rig);
	/* No request is sent, because the last request was sent less than 250 ms ago. */
	rig_advance(rig, RIG_SECOND / 4 - 1);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect_nothing(rig);
	rig_advance(rig, 1);
	for (unsigned int i = 0; i < 100; i++)
		neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_B);
	rig_advance(rig, RIG_SECOND / 20);
	for (unsigned int i = 0; i < 100; i++)
		neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_ALL);
	rig_expect_nothing(rig);
	rig_expect_found(rig, b, &rig_peer_mac);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_found(rig, b, &rig_other_mac);
	rig_expect_moved(rig, 2, b, &rig_other_mac);
	cr_assert_eq(rig_counters(rig)->changed, 1);
	/* A slow but live neighbour that is doubted repeatedly gets four requests per second. */
	for (unsigned int i = 0; i < 5; i++) {
		rig_advance(rig, RIG_SECOND / 4);
		neigh_doubt(rig->neigh, &b, rig->now_ns);
		rig_expect_count(rig, 1);
		cr_assert(rig_input(rig, B3_ANSWERS));
		neigh_doubt(rig->neigh, &b, rig->now_ns);
		rig_expect_nothing(rig);
	}
	rig_expect_moved(rig, 2, b, &rig_other_mac);
	rig_stop(rig);
}

/*
 * If the requester doubts a peer that is not in the table, A sends a request to all hosts, because
 * the peer may be in use.
 */
Test(neigh, doubt_about_an_unknown_peer_asks_everybody)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2), own = rig_v4(1), far = wire_gid_from_v4(0x08080808);

	neigh_doubt(rig->neigh, &own, rig->now_ns);
	neigh_doubt(rig->neigh, &far, rig->now_ns);
	rig_expect_nothing(rig);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_moved(rig, 1, b, &rig_other_mac);
	rig_expect_found(rig, b, &rig_other_mac);
	rig_stop(rig);
}

/*
 * If A learns a MAC address from a request of B, A reports the new MAC address only after B has
 * answered a request from A. Otherwise any host could pretend to be B with a forged request.
 */
Test(neigh, learned_mac_is_told_when_an_answer_proves_it)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2);

	cr_assert(rig_input(rig, B_ASKS_A));
	rig_expect_count(rig, 1);
	rig_expect_found(rig, b, &rig_peer_mac);
	cr_assert_eq(rig->moved_count, 0);
	neigh_doubt(rig->neigh, &b, rig->now_ns);
	rig_expect(rig, A_ASKS_B);
	cr_assert_eq(rig->moved_count, 0);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_moved(rig, 1, b, &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->changed, 0);
	rig_stop(rig);
}

Test(neigh, next_hop_is_the_peer_or_the_gateway)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1),
		.prefix_length = 24,
		.has_gateway = true,
		.gateway = rig_v4(2),
	});
	struct wire_gid far = wire_gid_from_v4(0x08080808), known = wire_gid_from_v4(0x08080809);
	struct wire_gid near = rig_v4(3), gateway = rig_v4(2), other = rig_v6(2);

	cr_assert_eq(neigh_add_static(rig->neigh, &known, &rig_other_mac), RC_OK);
	cr_assert(wire_gid_equal(neigh_next_hop(rig->neigh, &far), &gateway));
	cr_assert(wire_gid_equal(neigh_next_hop(rig->neigh, &known), &known));
	cr_assert(wire_gid_equal(neigh_next_hop(rig->neigh, &near), &near));
	cr_assert_null(neigh_next_hop(rig->neigh, &other));
	/* If a peer that is reached through the gateway is doubted, A probes the gateway. */
	neigh_doubt(rig->neigh, &far, rig->now_ns);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_moved(rig, 1, gateway, &rig_peer_mac);
	rig_stop(rig);
}

Test(neigh, forged_answer_is_counted_and_changes_nothing)
{
	struct neigh_rig *rig = rig_start_v4();

	cr_assert(rig_input(rig, B_ANSWERS));
	cr_assert_eq(rig_counters(rig)->drop_unasked, 1);
	rig_expect_lookup(rig, rig_v4(2), NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B_ANSWERS));
	cr_assert(rig_input(rig, B3_ANSWERS));
	cr_assert_eq(rig_counters(rig)->drop_unasked, 2);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->changed, 0);
	rig_stop(rig);
}

/*
 * If a frame claims the address of B for another MAC address, A first sends a request to the known
 * MAC address, and then to all hosts. Only an answer to the second request changes the MAC address.
 */
static void
claim_is_verified(const char *claim, unsigned int answers)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	rig_expect_moved(rig, 1, rig_v4(2), &rig_peer_mac);
	rig_advance(rig, 2 * RIG_SECOND);
	cr_assert(rig_input(rig, claim));
	rig->taken += answers;
	rig_expect(rig, A_ASKS_B);
	/* An answer from a host to which A has sent no request has no effect. */
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_nothing(rig);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	rig_advance(rig, RIG_SECOND);
	rig_expect(rig, A_ASKS_ALL);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->changed, 0);
	rig_expect_moved(rig, 1, rig_v4(2), &rig_peer_mac);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_found(rig, rig_v4(2), &rig_other_mac);
	cr_assert_eq(rig_counters(rig)->changed, 1);
	rig_expect_moved(rig, 2, rig_v4(2), &rig_other_mac);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_found(rig, rig_v4(2), &rig_other_mac);
	rig_expect_moved(rig, 2, rig_v4(2), &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, gratuitous_change_is_verified)
{
	claim_is_verified(B3_ANNOUNCES, 0);
}

Test(neigh, change_by_a_request_is_verified)
{
	claim_is_verified(B3_ASKS_A, 1);
}

Test(neigh, change_by_an_unasked_answer_is_verified)
{
	claim_is_verified(B3_ANSWERS, 0);
}

Test(neigh, false_claim_leaves_the_mac)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	for (unsigned int round = 0; round < 10; round++) {
		rig_advance(rig, 2 * RIG_SECOND);
		for (unsigned int i = 0; i < 100; i++) {
			cr_assert(rig_input(rig, B3_ANNOUNCES));
			cr_assert(rig_input(rig, B3_ANSWERS));
		}
		rig_expect(rig, A_ASKS_B);
		cr_assert(rig_input(rig, B_ANSWERS));
		/* The owner has just confirmed its address, so A sends no request for 1 s. */
		cr_assert(rig_input(rig, B3_ANNOUNCES));
		cr_assert(rig_input(rig, B3_ANSWERS));
		rig_expect_nothing(rig);
		rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	}
	cr_assert_eq(rig_counters(rig)->changed, 0);
	rig_expect_moved(rig, 1, rig_v4(2), &rig_peer_mac);
	rig_stop(rig);
}

Test(neigh, claim_during_a_probe_makes_it_ask_everybody)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	rig_advance(rig, 31 * RIG_SECOND);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	rig_expect(rig, A_ASKS_B);
	cr_assert(rig_input(rig, B3_ANNOUNCES));
	rig_expect_nothing(rig);
	rig_advance(rig, RIG_SECOND);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_found(rig, rig_v4(2), &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, repeated_claim_makes_a_silent_owner_lose_sooner)
{
	struct neigh_rig *rig = rig_start_v4();

	resolve(rig);
	rig_advance(rig, RIG_SECOND);
	cr_assert(rig_input(rig, B3_ASKS_A));
	rig->taken++;
	rig_expect(rig, A_ASKS_B);
	rig_advance(rig, RIG_SECOND / 20 - 1);
	cr_assert(rig_input(rig, B3_ANNOUNCES));
	rig_expect_nothing(rig);
	rig_advance(rig, 1);
	for (unsigned int i = 0; i < 10; i++)
		cr_assert(rig_input(rig, B3_ANNOUNCES));
	rig_expect(rig, A_ASKS_ALL);
	rig_expect_nothing(rig);
	cr_assert(rig_input(rig, B3_ANSWERS));
	rig_expect_moved(rig, 2, rig_v4(2), &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, static_entry_never_changes)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2);

	cr_assert_eq(neigh_add_static(rig->neigh, &b, &rig_peer_mac), RC_OK);
	cr_assert(rig_input(rig, B3_ANSWERS));
	cr_assert(rig_input(rig, B3_ANNOUNCES));
	cr_assert(rig_input(rig, B3_ASKS_A));
	rig_expect_count(rig, 1);
	rig_advance(rig, 1000 * RIG_SECOND);
	neigh_confirm(rig->neigh, &b, &rig_peer_mac, rig->now_ns);
	rig_expect_found(rig, b, &rig_peer_mac);
	cr_assert_eq(rig_counters(rig)->drop_unasked, 1);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	cr_assert_eq(neigh_add_static(rig->neigh, &b, &rig_other_mac), RC_OK);
	rig_expect_found(rig, b, &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, static_entry_replaces_a_waiting_one)
{
	struct neigh_rig *rig = rig_start_v4();
	struct wire_gid b = rig_v4(2);

	rig_expect_lookup(rig, b, NEIGH_PENDING);
	rig_expect_count(rig, 1);
	cr_assert_eq(neigh_add_static(rig->neigh, &b, &rig_peer_mac), RC_OK);
	cr_assert_eq(neigh_deadline(rig->neigh), BASE_TIME_NEVER);
	rig_expect_found(rig, b, &rig_peer_mac);
	rig_stop(rig);
}

Test(neigh, static_entry_that_is_not_unicast_is_refused)
{
	struct neigh_rig *rig = rig_start_v4();
	static const struct rte_ether_addr group = {{3, 0, 0, 0, 0, 1}}, zero;
	struct wire_gid b = rig_v4(2), own = rig_v4(1), all = rig_v4(255), other = rig_v6(2),
			multicast = wire_gid_from_v4(0xE0000001);

	cr_assert_eq(neigh_add_static(rig->neigh, &b, &group), RC_INVALID_ARGUMENT);
	cr_assert_eq(neigh_add_static(rig->neigh, &b, &zero), RC_INVALID_ARGUMENT);
	cr_assert_eq(neigh_add_static(rig->neigh, &own, &rig_peer_mac), RC_INVALID_ARGUMENT);
	cr_assert_eq(neigh_add_static(rig->neigh, &all, &rig_peer_mac), RC_INVALID_ARGUMENT);
	cr_assert_eq(neigh_add_static(rig->neigh, &other, &rig_peer_mac), RC_INVALID_ARGUMENT);
	cr_assert_eq(neigh_add_static(rig->neigh, &multicast, &rig_peer_mac), RC_INVALID_ARGUMENT);
	rig_stop(rig);
}

Test(neigh, peer_outside_is_reached_by_the_gateway)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1),
		.prefix_length = 24,
		.has_gateway = true,
		.gateway = rig_v4(2),
	});
	struct wire_gid far = wire_gid_from_v4(0x08080808), known = wire_gid_from_v4(0x08080809);

	rig_expect_lookup(rig, far, NEIGH_PENDING);
	rig_expect(rig, A_ASKS_ALL);
	cr_assert(rig_input(rig, B_ANSWERS));
	rig_expect_found(rig, far, &rig_peer_mac);
	rig_expect_found(rig, rig_v4(2), &rig_peer_mac);
	cr_assert_eq(neigh_add_static(rig->neigh, &known, &rig_other_mac), RC_OK);
	rig_expect_found(rig, known, &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, peer_without_way_has_no_route)
{
	struct neigh_rig *rig = rig_start_v4();
	const uint32_t addresses[] = {
		0x08080808, /* off link, no gateway */
		0xC0000200, /* network address */
		0xC00002FF, /* broadcast address */
		0xFFFFFFFF,
		0xE0000001,
		0x7F000001,
		0,
	};

	for (unsigned int i = 0; i < RTE_DIM(addresses); i++)
		rig_expect_lookup(rig, wire_gid_from_v4(addresses[i]), NEIGH_NO_ROUTE);
	rig_expect_lookup(rig, rig_v6(2), NEIGH_NO_ROUTE);
	rig_stop(rig);
}

Test(neigh, prefix_of_any_length_decides_by_its_bits)
{
	for (uint8_t length = 0; length <= 32; length++) {
		struct neigh_rig *rig = rig_start(&(struct neigh_config){
			.address = wire_gid_from_v4(0x0A555555), .prefix_length = length});

		/*
		 * Look up peers whose address differs from A's address in one bit. The peer is in
		 * the same subnet if this bit is a host bit.
		 */
		for (unsigned int bit = 8; bit < 32; bit++) {
			uint32_t peer = 0x0A555555u ^ (0x80000000u >> bit);
			enum neigh_result want = bit < length ? NEIGH_NO_ROUTE : NEIGH_PENDING;
			enum neigh_result got;
			struct rte_ether_addr mac;

			/* In small subnets, skip the network address and the broadcast address. */
			if (bit >= length && (length == 30 || (length == 29 && bit == 30)))
				continue;
			rig_advance(rig, 5 * RIG_SECOND);
			got = rig_lookup(rig, wire_gid_from_v4(peer), &mac);
			cr_assert_eq(got, want, "length %u, bit %u: %d, expected %d", length, bit,
				got, want);
		}
		rig->taken = rig->sent_count;
		rig_stop(rig);
	}
}

static struct rig_bytes
request_from(uint8_t host)
{
	struct rig_bytes frame = rig_hex(B_ASKS_A);

	frame.data[11] = frame.data[27] = frame.data[31] = host;
	return frame;
}

Test(neigh, full_table_learns_no_more_but_answers)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .entries_max = 4});
	struct rig_bytes frame;

	for (uint8_t host = 2; host < 12; host++) {
		frame = request_from(host);
		cr_assert(rig_input_bytes(rig, &frame));
	}
	rig_expect_count(rig, 10);
	cr_assert_eq(rig_counters(rig)->drop_full, 6);
	rig_expect_found(rig, rig_v4(3), &rig_other_mac);
	rig_expect_lookup(rig, rig_v4(50), NEIGH_PENDING);
	rig_expect_lookup(rig, rig_v4(51), NEIGH_PENDING);
	rig_expect_lookup(rig, rig_v4(52), NEIGH_PENDING);
	rig_expect_count(rig, 3);
	rig_expect_lookup(rig, rig_v4(53), NEIGH_UNREACHABLE);
	cr_assert_eq(rig_counters(rig)->drop_full, 7);
	rig_expect_found(rig, rig_v4(3), &rig_other_mac);
	rig_stop(rig);
}

Test(neigh, idle_entry_makes_room)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .entries_max = 1});
	struct wire_gid other = rig_v4(9);

	resolve(rig);
	rig_advance(rig, 60 * RIG_SECOND - 1);
	rig_expect_lookup(rig, other, NEIGH_UNREACHABLE);
	cr_assert_eq(neigh_add_static(rig->neigh, &other, &rig_other_mac), RC_NO_RESOURCES);
	rig_advance(rig, 1);
	rig_expect_lookup(rig, other, NEIGH_PENDING);
	rig_expect_count(rig, 1);
	rig_stop(rig);
}

Test(neigh, learning_is_limited_per_second)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .entries_max = 256});
	struct rig_bytes frame;

	for (uint8_t host = 2; host < 102; host++) {
		frame = request_from(host);
		cr_assert(rig_input_bytes(rig, &frame));
	}
	rig_expect_count(rig, 100);
	cr_assert_eq(rig_counters(rig)->drop_full, 36);
	rig_advance(rig, RIG_SECOND);
	frame = request_from(101);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_count(rig, 1);
	cr_assert_eq(rig_counters(rig)->drop_full, 36);
	rig_stop(rig);
}

Test(neigh, tick_is_bounded_and_goes_on)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .entries_max = 100});
	unsigned int turns = 0;

	for (uint8_t host = 2; host < 102; host++)
		rig_expect_lookup(rig, rig_v4(host), NEIGH_PENDING);
	rig_expect_count(rig, 100);
	rig->now_ns += RIG_SECOND;
	while (neigh_deadline(rig->neigh) <= rig->now_ns) {
		neigh_tick(rig->neigh, rig->now_ns);
		turns++;
		cr_assert_leq(rig->sent_count - rig->taken, 32);
		rig->taken = rig->sent_count;
	}
	cr_assert_eq(turns, 4, "%u turns for 100 timers of 32 each", turns);
	cr_assert_eq(rig_counters(rig)->tx_requests, 200);
	rig_stop(rig);
}

Test(neigh, order_of_many_entries_is_kept)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 16, .entries_max = 1000});
	struct rte_ether_addr mac = {{2}};
	uint32_t host = 1;

	/* Each host 1..1008 occurs once, in mixed order: 353 is a primitive root modulo 1009. */
	for (uint32_t i = 0; i < 1000; i++, host = host * 353 % 1009) {
		struct wire_gid peer = wire_gid_from_v4(0xC0000300 + host);

		mac.addr_bytes[4] = (uint8_t)(host >> 8);
		mac.addr_bytes[5] = (uint8_t)host;
		cr_assert_eq(neigh_add_static(rig->neigh, &peer, &mac), RC_OK, "entry %u", i);
	}
	host = 1;
	for (uint32_t i = 0; i < 1000; i++, host = host * 353 % 1009) {
		mac.addr_bytes[4] = (uint8_t)(host >> 8);
		mac.addr_bytes[5] = (uint8_t)host;
		rig_expect_found(rig, wire_gid_from_v4(0xC0000300 + host), &mac);
	}
	rig_stop(rig);
}

Test(neigh, configuration_that_cannot_work_is_refused)
{
	struct neigh_rig *rig = rig_start_v4();
	struct neigh_config config = rig->config;
	struct neigh *neigh = NULL;

	config.prefix_length = 33;
	cr_assert_eq(neigh_create(&config, &neigh), RC_INVALID_ARGUMENT);
	config = rig->config;
	config.entries_max = 0;
	cr_assert_eq(neigh_create(&config, &neigh), RC_INVALID_ARGUMENT);
	config = rig->config;
	config.address = rig_v4(255);
	cr_assert_eq(neigh_create(&config, &neigh), RC_INVALID_ARGUMENT);
	config = rig->config;
	config.mac.addr_bytes[0] = 1;
	cr_assert_eq(neigh_create(&config, &neigh), RC_INVALID_ARGUMENT);
	config = rig->config;
	config.has_gateway = true;
	config.gateway = rig_v6(2);
	cr_assert_eq(neigh_create(&config, &neigh), RC_INVALID_ARGUMENT);
	cr_assert_null(neigh);
	rig_stop(rig);
}
