/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The MAC address of a connected peer changes, because another port of its bond has taken over or a
 * virtual machine has moved. Connections must follow the peer, whether the peer announces the
 * change or not. Connections must not follow another host that claims the peer's address (SEC-041).
 * The same applies to a gateway between the victim and the peer.
 *
 * The bystander is the peer. The attacker claims the peer's address, or is the gateway.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "attack_net.h"
#include "nd/adapter.h"

#define MS            UINT64_C(1000000)
#define MESSAGE_BYTES 5000u /* several packets */

static const struct rte_ether_addr moved_mac[] = {
	{{0x02, 0, 0, 0, 1, 0}}, {{0x02, 0, 0, 0, 2, 0}}, {{0x02, 0, 0, 0, 3, 0}}};

static struct net *net;
static struct net_link connection;
/* node that changes its MAC address; ATTACKER means the gateway */
static enum net_name mover = BYSTANDER;
static bool victim_known; /* true if no node resolves the victim's address */

enum { PEER_SIDE, VICTIM_SIDE };

static void
begin(bool v6)
{
	net = net_open(&(struct net_limits){.guesses_max = 1000,
		.resolve = true,
		.routed = mover == ATTACKER,
		.victim_known = victim_known,
		.v6 = v6});
	connection = net_connect(net, BYSTANDER);
}

static void
end(void)
{
	net_disconnect(net, &connection);
	net_close(net);
}

static struct net_node *
node_of(unsigned int side)
{
	return &net->nodes[side == VICTIM_SIDE ? VICTIM : BYSTANDER];
}

static void
message_send(unsigned int from)
{
	struct net_node *sender = node_of(from), *receiver = node_of(!from);
	struct nd_sge out = {sender->memory, MESSAGE_BYTES, sender->mr};
	struct nd_sge in = {receiver->memory + MESSAGE_BYTES, MESSAGE_BYTES, receiver->mr};
	struct nd_result sent, received;
	nd_status status;

	net->log_count = 0;
	memset(in.address, 0, MESSAGE_BYTES);
	cr_assert_eq(
		nd_endpoint_receive(connection.endpoints[!from], &received, &in, 1), ND_SUCCESS);
	status = nd_endpoint_send(connection.endpoints[from], &sent, &out, 1, 0);
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	status = net_result(net, connection.outbound[from], &sent);
	cr_assert_eq(status, ND_SUCCESS, "side %u: %s", from, nd_status_name(status));
	cr_assert_eq(net_result(net, connection.inbound[!from], &received), ND_SUCCESS);
	cr_assert_eq(memcmp(in.address, out.address, MESSAGE_BYTES), 0);
}

/* Send messages in both directions. Fail if a packet is retransmitted. */
static void
expect_smooth(void)
{
	uint64_t before = net_counter(net, "retries_timeout");
	uint64_t start_ns = net->now_ns;

	for (unsigned int i = 0; i < 8; i++)
		message_send(i & 1);
	cr_assert_eq(net_counter(net, "retries_timeout"), before);
	cr_assert_lt(net->now_ns - start_ns, 50 * MS);
}

/* Fail unless all unicast frames of the victim go to this MAC address. */
static void
expect_destination(const struct rte_ether_addr *mac)
{
	message_send(VICTIM_SIDE);
	cr_assert_gt(net->log_count, 0);
	for (uint32_t i = 0; i < net->log_count; i++)
		if ((net->log[i].data[0] & 1) == 0)
			cr_assert_eq(memcmp(net->log[i].data, mac, sizeof(*mac)), 0,
				"frame %u of %u goes elsewhere", i, net->log_count);
}

static void
silent_move_play(bool v6, unsigned int from, uint64_t idle_ns)
{
	begin(v6);
	for (unsigned int i = 0; i < RTE_DIM(moved_mac); i++) {
		message_send(from);
		net_run(net, idle_ns);
		net_move(net, mover, &moved_mac[i]);
		message_send(from);
		expect_smooth();
		expect_destination(&moved_mac[i]);
	}
	end();
}

/* The peer moves silently. The victim sends, and receives no ACK from the new MAC address. */
Test(move, silent_move_is_found_by_who_sends)
{
	silent_move_play(false, VICTIM_SIDE, 0);
	silent_move_play(false, VICTIM_SIDE, 40000 * MS);
}

Test(move, silent_move_v6_is_found_by_who_sends)
{
	silent_move_play(true, VICTIM_SIDE, 0);
	silent_move_play(true, VICTIM_SIDE, 40000 * MS);
}

/* The peer moves silently. The peer sends, and the victim's ACKs go to the old MAC address. */
Test(move, silent_move_is_found_by_who_answers)
{
	silent_move_play(false, PEER_SIDE, 0);
	silent_move_play(false, PEER_SIDE, 40000 * MS);
}

Test(move, silent_move_v6_is_found_by_who_answers)
{
	silent_move_play(true, PEER_SIDE, 0);
	silent_move_play(true, PEER_SIDE, 40000 * MS);
}

/*
 * The peer moves and announces its new MAC address while no messages are sent, so the next message
 * needs no retransmission.
 */
static void
announced_move_play(bool v6)
{
	begin(v6);
	for (unsigned int i = 0; i < RTE_DIM(moved_mac); i++) {
		message_send(VICTIM_SIDE);
		net_run(net, 2000 * MS);
		net_move(net, mover, &moved_mac[i]);
		net_announce(net, mover);
		net_run(net, 2000 * MS);
		expect_smooth();
		expect_destination(&moved_mac[i]);
	}
	end();
}

Test(move, announced_move_is_followed)
{
	announced_move_play(false);
}

Test(move, announced_move_v6_is_followed)
{
	announced_move_play(true);
}

/*
 * For 2 s, the peer can receive only one frame. Then the peer's MAC address changes, and messages
 * are sent in both directions.
 */
static void
move_in_flight_play(bool v6, bool announced)
{
	begin(v6);
	for (unsigned int i = 0; i < RTE_DIM(moved_mac); i++) {
		struct net_node *peer = node_of(PEER_SIDE);

		peer->take_max = 1;
		net_run(net, 2000 * MS);
		peer->take_max = UINT32_MAX;
		net_move(net, mover, &moved_mac[i]);
		if (announced)
			net_announce(net, mover);
		message_send(VICTIM_SIDE);
		message_send(PEER_SIDE);
		expect_smooth();
		expect_destination(&moved_mac[i]);
	}
	end();
}

/* B-123: if the MAC address of a neighbour changes during traffic, the connection follows. */
Test(move, move_during_traffic_is_followed)
{
	for (unsigned int i = 0; i < 4; i++)
		move_in_flight_play(i & 1, i & 2);
}

/*
 * Failover of a gateway: the new gateway has the same IP address and another MAC address. If the
 * new gateway does not announce itself, it must resolve the victim's address before it can forward
 * a packet to the victim.
 */
Test(move, silent_failover_of_the_gateway_is_found)
{
	mover = ATTACKER;
	for (unsigned int i = 0; i < 8; i++)
		silent_move_play(
			i & 1, i & 2 ? PEER_SIDE : VICTIM_SIDE, i & 4 ? 40000 * MS : 2000 * MS);
}

Test(move, announced_failover_of_the_gateway_is_followed)
{
	mover = ATTACKER;
	announced_move_play(false);
	announced_move_play(true);
}

Test(move, failover_of_the_gateway_during_traffic_is_followed)
{
	mover = ATTACKER;
	for (unsigned int i = 0; i < 4; i++)
		move_in_flight_play(i & 1, i & 2);
}

/*
 * A peer or gateway that knows the victim's MAC address never asks for this address. The victim,
 * which only sends answers, must then resolve the peer. The resolution creates an entry that an
 * announcement can update. The victim resolves the peer again when requests are retransmitted.
 */
Test(move, announced_move_of_who_never_asks_is_followed)
{
	victim_known = true;
	for (unsigned int i = 0; i < 4; i++) {
		mover = i & 2 ? ATTACKER : BYSTANDER;
		announced_move_play(i & 1);
	}
}

Test(move, silent_move_of_who_never_asks_is_found)
{
	victim_known = true;
	for (unsigned int i = 0; i < 8; i++) {
		mover = i & 2 ? ATTACKER : BYSTANDER;
		silent_move_play(i & 1, PEER_SIDE, i & 4 ? 40000 * MS : 2000 * MS);
	}
}

/* The attacker claims the peer's address with a gratuitous ARP request and an ARP reply. */
static void
claim(void)
{
	struct net_node *attacker = &net->nodes[ATTACKER];
	static const uint8_t arp[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 2, 8, 6, 0,
		1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 192, 0, 2, 3, 0, 0, 0, 0, 0, 0, 192, 0, 2,
		3};
	/* Turn the request into an ARP reply to the victim, 192.0.2.1. */
	uint8_t answer[sizeof(arp)];

	cr_assert_eq(attacker->mac.addr_bytes[5], 2);
	memcpy(answer, arp, sizeof(arp));
	memcpy(answer, "\x02\0\0\0\0\x01", 6);
	answer[21] = 2;
	answer[41] = 1;
	net_inject(net, arp, sizeof(arp));
	net_inject(net, answer, sizeof(answer));
}

Test(move, false_claim_moves_nothing)
{
	begin(false);
	for (unsigned int i = 0; i < 20; i++) {
		net_run(net, 700 * MS);
		claim();
		expect_smooth();
		claim();
		expect_destination(&net->nodes[BYSTANDER].mac);
	}
	cr_assert_eq(net_counter(net, "neigh_changed"), 0);
	end();
}

/*
 * A CM message with the peer's IP address arrives from another MAC address. The message must
 * neither change the neighbour entry nor stop the resolution that the peer's announcement has
 * started.
 */
static void
spoofed_mad_play(bool v6)
{
	struct net_frame spoofed;

	begin(v6);
	spoofed = net->mad;
	cr_assert_gt(spoofed.bytes, 0);
	memcpy(spoofed.data + 6, &net->nodes[ATTACKER].mac, sizeof(net->nodes[ATTACKER].mac));
	for (unsigned int i = 0; i < 10; i++) {
		net_inject(net, spoofed.data, spoofed.bytes);
		expect_smooth();
		expect_destination(&net->nodes[BYSTANDER].mac);
	}
	net_run(net, 2000 * MS);
	net_move(net, BYSTANDER, &moved_mac[0]);
	net_announce(net, BYSTANDER);
	for (unsigned int i = 0; i < 200; i++) {
		net_run(net, 10 * MS);
		net_inject(net, spoofed.data, spoofed.bytes);
	}
	expect_smooth();
	expect_destination(&moved_mac[0]);
	end();
}

Test(move, cm_message_from_another_mac_confirms_nothing)
{
	spoofed_mad_play(false);
	spoofed_mad_play(true);
}

/*
 * After the peer has moved, the messages that end the connection are sent to its new MAC address.
 */
Test(move, disconnect_finds_the_peer_that_has_moved)
{
	struct nd_overlapped gone = {0}, bye = {0};
	nd_status status;

	begin(false);
	net_run(net, 2000 * MS);
	net_move(net, BYSTANDER, &moved_mac[0]);
	net_announce(net, BYSTANDER);
	net_run(net, 2000 * MS);
	cr_assert_eq(nd_connector_notify_disconnect(connection.connectors[PEER_SIDE], &gone),
		ND_PENDING);
	status = nd_connector_disconnect(connection.connectors[VICTIM_SIDE], &bye);
	cr_assert(status == ND_PENDING || status == ND_SUCCESS);
	net_run(net, 100 * MS);
	cr_assert_eq(nd_overlapped_get_result(&bye, NULL, false), ND_SUCCESS);
	cr_assert_neq(nd_overlapped_get_result(&gone, NULL, false), ND_PENDING);
	end();
}
