/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test nd_endpoint_query() in each state of a connection, on both sides. */

#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "attack_net.h"
#include "support/refusal.h"

#define MS          UINT64_C(1000000)
#define PATIENCE_NS (30000 * MS)
#define ENTRIES     32u /* entries of both queues, see net_endpoint_make() */

static struct net *net;

static void
teardown(void)
{
	net_close(net);
}

TestSuite(endpoint_info, .fini = teardown);

static void
start(void)
{
	net = net_open(&(struct net_limits){0});
}

/* Query the endpoint. Outstanding and free entries must add up to ENTRIES in every state. */
static struct nd_endpoint_info
ask(struct nd_endpoint *endpoint)
{
	struct nd_endpoint_info info;

	memset(&info, 0xff, sizeof(info));
	cr_assert_eq(nd_endpoint_query(endpoint, &info), ND_SUCCESS);
	cr_assert_eq(info.inbound_outstanding + info.inbound_free, ENTRIES);
	cr_assert_eq(info.outbound_outstanding + info.outbound_free, ENTRIES);
	return info;
}

static void
expect(struct nd_endpoint *endpoint, enum nd_endpoint_state state, enum nd_end_reason reason,
	uint16_t path_mtu)
{
	struct nd_endpoint_info info;

	/*
	 * Wait, because the engine of the endpoint may have to report its state to the first
	 * engine.
	 */
	net_run(net, MS);
	info = ask(endpoint);
	cr_assert_eq(info.state, state, "%s", nd_endpoint_state_text(info.state));
	cr_assert_eq(info.end_reason, reason, "%s", nd_end_reason_text(info.end_reason));
	cr_assert_eq(info.path_mtu, path_mtu, "%u", info.path_mtu);
}

static void
expect_outstanding(struct nd_endpoint *endpoint, size_t inbound, size_t outbound)
{
	const struct nd_endpoint_info info = ask(endpoint);

	cr_assert_eq(info.inbound_outstanding, inbound, "%zu", info.inbound_outstanding);
	cr_assert_eq(info.outbound_outstanding, outbound, "%zu", info.outbound_outstanding);
}

Test(endpoint_info, wrong_arguments_and_texts)
{
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	ASSERT_REFUSED(nd_endpoint_query(link.endpoints[0], NULL), ND_INVALID_PARAMETER_1,
		"nd_endpoint_query: parameter 1, info is NULL");
	cr_assert_str_eq(nd_endpoint_state_text(ND_ENDPOINT_IDLE), "idle");
	cr_assert_str_eq(nd_endpoint_state_text(ND_ENDPOINT_CONNECTING), "connecting");
	cr_assert_str_eq(nd_endpoint_state_text(ND_ENDPOINT_CONNECTED), "connected");
	cr_assert_str_eq(nd_endpoint_state_text(ND_ENDPOINT_DISCONNECTING), "disconnecting");
	cr_assert_str_eq(nd_endpoint_state_text(ND_ENDPOINT_ENDED), "ended");
	cr_assert_str_eq(nd_endpoint_state_text((enum nd_endpoint_state)99), "unknown");
}

/*
 * Query both sides in each state, from before the connection until the active side has
 * disconnected.
 */
Test(endpoint_info, life_of_a_connection)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, bye = {0};
	struct net_link link = {.from = ATTACKER};
	nd_status asked, connecting, accepting, leaving;

	start();
	net_connector_make(net, &link, 0);
	net_connector_make(net, &link, 1);
	net_endpoint_make(&link, 0);
	expect(link.endpoints[0], ND_ENDPOINT_IDLE, ND_END_NONE, 0);

	asked = nd_listener_get_connection_request(net->listener, link.connectors[1], &request);
	connecting = net_connect_start(net, &link, &connect);
	expect(link.endpoints[0], ND_ENDPOINT_CONNECTING, ND_END_NONE, 0);
	cr_assert_eq(net_finish(net, asked, &request, PATIENCE_NS), ND_SUCCESS);
	net_endpoint_make(&link, 1);
	expect(link.endpoints[1], ND_ENDPOINT_CONNECTING, ND_END_NONE, 0);
	accepting = nd_connector_accept(link.connectors[1], link.endpoints[1], NULL, 0, &accept);
	expect(link.endpoints[1], ND_ENDPOINT_CONNECTING, ND_END_NONE, NET_PMTU);
	cr_assert_eq(net_finish(net, connecting, &connect, PATIENCE_NS), ND_SUCCESS);
	expect(link.endpoints[0], ND_ENDPOINT_CONNECTING, ND_END_NONE, 0);
	cr_assert_eq(nd_connector_complete_connect(link.connectors[0], NULL), ND_SUCCESS);
	cr_assert_eq(net_finish(net, accepting, &accept, PATIENCE_NS), ND_SUCCESS);
	expect(link.endpoints[0], ND_ENDPOINT_CONNECTED, ND_END_NONE, NET_PMTU);
	expect(link.endpoints[1], ND_ENDPOINT_CONNECTED, ND_END_NONE, NET_PMTU);

	net->nodes[ATTACKER].deaf = true;
	leaving = nd_connector_disconnect(link.connectors[0], &bye);
	expect(link.endpoints[0], ND_ENDPOINT_DISCONNECTING, ND_END_LOCAL_DISCONNECT, NET_PMTU);
	net->nodes[ATTACKER].deaf = false;
	cr_assert_eq(net_finish(net, leaving, &bye, PATIENCE_NS), ND_SUCCESS);
	expect(link.endpoints[0], ND_ENDPOINT_ENDED, ND_END_LOCAL_DISCONNECT, NET_PMTU);
	expect(link.endpoints[1], ND_ENDPOINT_ENDED, ND_END_PEER_DISCONNECT, NET_PMTU);
}

/** Send a request and create both endpoints. @return status of nd_connector_connect() */
static nd_status
ask_to_connect(struct net_link *link, struct nd_overlapped *connect)
{
	struct nd_overlapped request = {0};
	nd_status asked, connecting;

	net_connector_make(net, link, 0);
	net_connector_make(net, link, 1);
	net_endpoint_make(link, 0);
	asked = nd_listener_get_connection_request(net->listener, link->connectors[1], &request);
	connecting = net_connect_start(net, link, connect);
	cr_assert_eq(net_finish(net, asked, &request, PATIENCE_NS), ND_SUCCESS);
	net_endpoint_make(link, 1);
	return connecting;
}

/* If the RTU is lost, the first packet of the peer establishes the connection instead. */
Test(endpoint_info, first_packet_of_the_peer_completes_the_accept)
{
	struct nd_overlapped connect = {0}, accept = {0};
	struct net_link link = {.from = ATTACKER};
	struct nd_result received, sent;
	nd_status connecting;

	start();
	connecting = ask_to_connect(&link, &connect);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_connector_accept(link.connectors[1], link.endpoints[1], NULL, 0, &accept),
		ND_PENDING);
	cr_assert_eq(net_finish(net, connecting, &connect, PATIENCE_NS), ND_SUCCESS);
	net->nodes[VICTIM].take_max = 0;
	cr_assert_eq(nd_connector_complete_connect(link.connectors[0], NULL), ND_SUCCESS);
	expect(link.endpoints[1], ND_ENDPOINT_CONNECTING, ND_END_NONE, NET_PMTU);
	net->nodes[VICTIM].take_max = UINT32_MAX;
	cr_assert_eq(nd_endpoint_send(link.endpoints[0], &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.inbound[1], &received), ND_SUCCESS);
	expect(link.endpoints[1], ND_ENDPOINT_CONNECTED, ND_END_NONE, NET_PMTU);
}

Test(endpoint_info, attempt_that_fails_may_begin_again)
{
	struct nd_overlapped connect = {0};
	struct net_link link = {.from = ATTACKER};
	struct nd_end end;

	start();
	net->listen_port ^= 1;
	net_connector_make(net, &link, 0);
	net_endpoint_make(&link, 0);
	cr_assert_eq(
		net_finish(net, net_connect_start(net, &link, &connect), &connect, PATIENCE_NS),
		ND_CONNECTION_REFUSED);
	expect(link.endpoints[0], ND_ENDPOINT_IDLE, ND_END_REJECTED, 0);
	cr_assert_eq(ask(link.endpoints[0]).end_status, ND_CONNECTION_REFUSED);
	cr_assert_eq(nd_connector_get_end_reason(link.connectors[0], &end), ND_SUCCESS);
	cr_assert_eq(end.reject_reason, 8);
}

Test(endpoint_info, refused_by_the_passive_side)
{
	struct nd_overlapped connect = {0};
	struct net_link link = {.from = ATTACKER};
	nd_status connecting;

	start();
	connecting = ask_to_connect(&link, &connect);
	cr_assert_eq(nd_connector_reject(link.connectors[1], NULL, 0), ND_SUCCESS);
	expect(link.endpoints[1], ND_ENDPOINT_ENDED, ND_END_LOCAL_REJECT, 0);
	cr_assert_eq(net_finish(net, connecting, &connect, PATIENCE_NS), ND_CONNECTION_REFUSED);
}

/*
 * A request counts as outstanding from the posting call until its result is in the completion
 * queue.
 */
Test(endpoint_info, requests_outstanding)
{
	struct nd_result received[3], sent[2];
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	expect_outstanding(link.endpoints[0], 0, 0);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(
			nd_endpoint_receive(link.endpoints[1], &received[i], NULL, 0), ND_SUCCESS);
	expect_outstanding(link.endpoints[1], 3, 0);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_endpoint_send(link.endpoints[0], &sent[i], NULL, 0, 0), ND_SUCCESS);
	expect_outstanding(link.endpoints[0], 0, 2);
	net_run(net, MS);
	/* The results are in the completion queue, but the application has not taken them. */
	expect_outstanding(link.endpoints[0], 0, 0);
	expect_outstanding(link.endpoints[1], 1, 0);
}

Test(endpoint_info, no_place_left)
{
	struct nd_result results[ENTRIES + 1];
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	net->nodes[VICTIM].deaf = true;
	for (unsigned int i = 0; i < ENTRIES; i++) {
		cr_assert_eq(ask(link.endpoints[0]).outbound_free, ENTRIES - i);
		cr_assert_eq(ask(link.endpoints[0]).inbound_free, ENTRIES - i);
		cr_assert_eq(
			nd_endpoint_send(link.endpoints[0], &results[i], NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(
			nd_endpoint_receive(link.endpoints[0], &results[i], NULL, 0), ND_SUCCESS);
	}
	expect_outstanding(link.endpoints[0], ENTRIES, ENTRIES);
	cr_assert_eq(nd_endpoint_send(link.endpoints[0], &results[ENTRIES], NULL, 0, 0),
		ND_NO_MORE_ENTRIES);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &results[ENTRIES], NULL, 0),
		ND_NO_MORE_ENTRIES);
}

/*
 * The peer is dead. The requests have their results, and the query returns why the connection
 * ended.
 */
Test(endpoint_info, peer_that_is_dead)
{
	struct nd_result received, sent;
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	net->nodes[VICTIM].deaf = true;
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(link.endpoints[0], &sent, NULL, 0, 0), ND_SUCCESS);
	expect_outstanding(link.endpoints[0], 1, 1);
	cr_assert_eq(net_result(net, link.outbound[0], &sent), ND_IO_TIMEOUT);
	expect(link.endpoints[0], ND_ENDPOINT_ENDED, ND_END_RETRIES, NET_PMTU);
	cr_assert_eq(ask(link.endpoints[0]).end_status, ND_IO_TIMEOUT);
	expect_outstanding(link.endpoints[0], 0, 0);
}

Test(endpoint_info, access_that_is_refused)
{
	struct nd_mw_descriptor forged;
	struct nd_result result;
	struct net_link link;
	struct nd_sge sge;

	start();
	forged = net_forge(0x12345678, net->nodes[VICTIM].memory, 4096);
	sge = (struct nd_sge){net->nodes[ATTACKER].memory, 64, net->nodes[ATTACKER].mr};
	link = net_connect(net, ATTACKER);
	cr_assert_eq(
		nd_endpoint_write(link.endpoints[0], &result, &sge, 1, &forged, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
	expect(link.endpoints[0], ND_ENDPOINT_ENDED, ND_END_REFUSED_BY_PEER, NET_PMTU);
	expect(link.endpoints[1], ND_ENDPOINT_ENDED, ND_END_REFUSED_HERE, NET_PMTU);
}
