/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the reasons why connections and connection attempts end, as nd_connector_get_end_reason()
 * and the counters report them.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_end.h>

#include "attack_net.h"
#include "support/refusal.h"

#define MS          UINT64_C(1000000)
#define PATIENCE_NS (30000 * MS)

static struct net *net;

static void
teardown(void)
{
	net_close(net);
}

TestSuite(end, .fini = teardown);

static void
start(void)
{
	net = net_open(&(struct net_limits){0});
}

static void
expect_end(struct nd_connector *connector, enum nd_end_reason reason, nd_status status,
	uint16_t reject_reason)
{
	struct nd_end end;

	/*
	 * Wait, because the engine of the endpoint may have to report the end to the first engine.
	 */
	net_run(net, MS);
	cr_assert_eq(nd_connector_get_end_reason(connector, &end), ND_SUCCESS);
	cr_assert_eq(end.reason, reason, "%s", nd_end_reason_text(end.reason));
	cr_assert_eq(end.status, status, "%s", nd_status_name(end.status));
	cr_assert_eq(end.reject_reason, reject_reason, "%u", end.reject_reason);
}

static void
expect_ends(const struct net_link *link, enum nd_end_reason peer, nd_status peer_status,
	enum nd_end_reason victim, nd_status victim_status)
{
	expect_end(link->connectors[0], peer, peer_status, 0);
	expect_end(link->connectors[1], victim, victim_status, 0);
}

Test(end, one_side_disconnects)
{
	struct nd_overlapped bye = {0}, told = {0};
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	expect_ends(&link, ND_END_NONE, ND_SUCCESS, ND_END_NONE, ND_SUCCESS);
	ASSERT_REFUSED(nd_connector_get_end_reason(link.connectors[0], NULL), ND_INVALID_PARAMETER,
		"nd_connector_get_end_reason: end is NULL");
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[1], &told), ND_PENDING);
	cr_assert_eq(net_finish(net, nd_connector_disconnect(link.connectors[0], &bye), &bye,
			     PATIENCE_NS),
		ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&told, NULL, false), ND_SUCCESS);
	cr_assert_eq(nd_connector_disconnect(link.connectors[1], &bye), ND_SUCCESS);
	expect_ends(&link, ND_END_LOCAL_DISCONNECT, ND_SUCCESS, ND_END_PEER_DISCONNECT, ND_SUCCESS);
	cr_assert_eq(net_counter(net, "end_peer_disconnect"), 1);
	cr_assert_eq(net_counter(net, "end_local_disconnect"), 0);
}

static nd_status
send_status(const struct net_link *link, const struct nd_sge *sge)
{
	struct nd_result sent;

	cr_assert_eq(nd_endpoint_send(link->endpoints[1], &sent, sge, sge != NULL, 0), ND_SUCCESS);
	return net_result(net, link->outbound[1], &sent);
}

Test(end, request_that_nobody_acknowledges)
{
	struct nd_overlapped bye = {0};
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	net->nodes[ATTACKER].deaf = true;
	cr_assert_eq(send_status(&link, NULL), ND_IO_TIMEOUT);
	expect_end(link.connectors[1], ND_END_RETRIES, ND_IO_TIMEOUT, 0);
	cr_assert_eq(nd_connector_disconnect(link.connectors[1], &bye), ND_SUCCESS);
	expect_end(link.connectors[1], ND_END_RETRIES, ND_IO_TIMEOUT, 0);
	cr_assert_eq(net_counter(net, "end_retries"), 1);
}

Test(end, peer_has_no_receive)
{
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	cr_assert_eq(send_status(&link, NULL), ND_IO_TIMEOUT);
	expect_ends(&link, ND_END_PEER_DISCONNECT, ND_SUCCESS, ND_END_RNR_RETRIES, ND_IO_TIMEOUT);
}

Test(end, access_with_a_wrong_key)
{
	struct net_node *attacker;
	struct nd_mw_descriptor forged;
	struct nd_result result;
	struct net_link link;
	struct nd_sge sge;

	start();
	attacker = &net->nodes[ATTACKER];
	forged = net_forge(0x12345678, net->nodes[VICTIM].memory, 4096);
	sge = (struct nd_sge){attacker->memory, 64, attacker->mr};
	link = net_connect(net, ATTACKER);
	cr_assert_eq(
		nd_endpoint_write(link.endpoints[0], &result, &sge, 1, &forged, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.outbound[0], &result), ND_REMOTE_ERROR);
	expect_ends(&link, ND_END_REFUSED_BY_PEER, ND_REMOTE_ERROR, ND_END_REFUSED_HERE,
		ND_REMOTE_ERROR);
	cr_assert_eq(net_counter(net, "end_refused_here"), 1);
}

Test(end, message_longer_than_its_receive)
{
	struct nd_result received;
	struct net_link link;
	struct nd_sge sge;

	start();
	link = net_connect(net, ATTACKER);
	sge = (struct nd_sge){net->nodes[VICTIM].memory, 64, net->nodes[VICTIM].mr};
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(send_status(&link, &sge), ND_REMOTE_ERROR);
	expect_ends(&link, ND_END_REFUSED_HERE, ND_BUFFER_OVERFLOW, ND_END_REFUSED_BY_PEER,
		ND_REMOTE_ERROR);
}

Test(end, port_that_takes_nothing)
{
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	net->nodes[VICTIM].send_max = 0;
	cr_assert_eq(send_status(&link, NULL), ND_IO_TIMEOUT);
	expect_end(link.connectors[1], ND_END_PORT_STUCK, ND_IO_TIMEOUT, 0);
}

Test(end, completion_queue_that_is_too_small)
{
	struct nd_overlapped told = {0};
	struct nd_result sent[2];
	struct net_link link;

	start();
	link = net_connect(net, ATTACKER);
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[1], &told), ND_PENDING);
	cr_assert_eq(nd_cq_resize(link.outbound[1], 1), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &sent[i], NULL, 0), ND_SUCCESS);
		cr_assert_eq(nd_endpoint_send(link.endpoints[1], &sent[i], NULL, 0, 0), ND_SUCCESS);
	}
	cr_assert_eq(net_finish(net, ND_PENDING, &told, PATIENCE_NS), ND_SUCCESS);
	expect_ends(&link, ND_END_PEER_DISCONNECT, ND_SUCCESS, ND_END_LOCAL_ERROR, ND_FAILURE);
}

static nd_status
attempt(struct net_link *link, struct nd_overlapped *connect)
{
	*link = (struct net_link){.from = ATTACKER};
	net_connector_make(net, link, 0);
	net_endpoint_make(link, 0);
	return net_connect_start(net, link, connect);
}

Test(end, rejected_with_private_data)
{
	struct nd_overlapped connect = {0}, request = {0};
	nd_status asked, connecting;
	char data[256];
	size_t length = sizeof(data);
	struct net_link link;

	start();
	connecting = attempt(&link, &connect);
	net_connector_make(net, &link, 1);
	asked = nd_listener_get_connection_request(net->listener, link.connectors[1], &request);
	cr_assert_eq(net_finish(net, asked, &request, PATIENCE_NS), ND_SUCCESS);
	cr_assert_eq(nd_connector_reject(link.connectors[1], "busy", 5), ND_SUCCESS);
	cr_assert_eq(net_finish(net, connecting, &connect, PATIENCE_NS), ND_CONNECTION_REFUSED);
	expect_end(link.connectors[0], ND_END_REJECTED, ND_CONNECTION_REFUSED, 28);
	expect_end(link.connectors[1], ND_END_LOCAL_REJECT, ND_SUCCESS, 0);
	cr_assert_eq(
		nd_connector_get_connection_data(link.connectors[0], NULL, NULL, data, &length),
		ND_SUCCESS);
	cr_assert_str_eq(data, "busy");
}

Test(end, nobody_listens)
{
	struct nd_overlapped connect = {0};
	struct net_link link;

	start();
	net->listen_port ^= 1;
	cr_assert_eq(net_finish(net, attempt(&link, &connect), &connect, PATIENCE_NS),
		ND_CONNECTION_REFUSED);
	expect_end(link.connectors[0], ND_END_REJECTED, ND_CONNECTION_REFUSED, 8);
}

Test(end, path_mtu_of_the_peer_is_smaller)
{
	struct nd_overlapped connect = {0};
	struct net_link link;
	struct nd_end end;

	net = net_open(&(struct net_limits){.path_mtu = {[ATTACKER] = 2 * NET_PMTU}});
	cr_assert_eq(net_finish(net, attempt(&link, &connect), &connect, PATIENCE_NS),
		ND_CONNECTION_REFUSED);
	expect_end(link.connectors[0], ND_END_REJECTED, ND_CONNECTION_REFUSED, 26);
	cr_assert_eq(nd_connector_get_end_reason(link.connectors[0], &end), ND_SUCCESS);
	cr_assert_eq(end.accepted_path_mtu, NET_PMTU, "%u", end.accepted_path_mtu);
}

/* A second attempt clears the end reason of the first attempt. */
Test(end, connect_without_answer_and_again)
{
	struct nd_overlapped connect = {0};
	struct net_link link;

	start();
	net->nodes[VICTIM].deaf = true;
	cr_assert_eq(
		net_finish(net, attempt(&link, &connect), &connect, PATIENCE_NS), ND_IO_TIMEOUT);
	expect_end(link.connectors[0], ND_END_CONNECT_TIMEOUT, ND_IO_TIMEOUT, 0);
	cr_assert_eq(net_connect_start(net, &link, &connect), ND_PENDING);
	expect_end(link.connectors[0], ND_END_NONE, ND_SUCCESS, 0);
	cr_assert_eq(nd_connector_cancel_overlapped_requests(link.connectors[0]), ND_SUCCESS);
	expect_end(link.connectors[0], ND_END_CANCELED, ND_CANCELED, 0);
}

/*
 * The victim sends three requests for the MAC address at intervals of 1 s, and then gives up. A
 * connect in the next second fails at once. After that second, the address is resolved again.
 */
Test(end, peer_that_cannot_be_found)
{
	struct nd_overlapped connect = {0}, request = {0};
	nd_status status, asked;
	struct net_link link;

	net = net_open(&(struct net_limits){.resolve = true});
	/*
	 * Drop the victim's announcement. Otherwise the attacker would know the victim's MAC
	 * address.
	 */
	net->nodes[ATTACKER].head = net->nodes[ATTACKER].tail;
	net->nodes[VICTIM].deaf = true;
	status = net_finish(net, attempt(&link, &connect), &connect, 2990 * MS);
	cr_assert_eq(status, ND_PENDING, "%s", nd_status_name(status));
	status = net_finish(net, status, &connect, 20 * MS);
	cr_assert_eq(status, ND_HOST_UNREACHABLE, "%s", nd_status_name(status));
	expect_end(link.connectors[0], ND_END_UNREACHABLE, ND_HOST_UNREACHABLE, 0);
	net->nodes[VICTIM].deaf = false;
	status = net_finish(net, net_connect_start(net, &link, &connect), &connect, MS);
	cr_assert_eq(status, ND_HOST_UNREACHABLE, "%s", nd_status_name(status));
	net_run(net, 1000 * MS);
	net_connector_make(net, &link, 1);
	asked = nd_listener_get_connection_request(net->listener, link.connectors[1], &request);
	cr_assert_eq(net_connect_start(net, &link, &connect), ND_PENDING);
	cr_assert_eq(net_finish(net, asked, &request, 100 * MS), ND_SUCCESS);
	cr_assert_eq(nd_connector_cancel_overlapped_requests(link.connectors[0]), ND_SUCCESS);
}

static struct nd_end closing_end;

static void
closing_told(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	cr_assert_eq(nd_connector_get_end_reason(arg, &closing_end), ND_SUCCESS);
}

Test(end, adapter_is_closed)
{
	struct nd_overlapped told = {.callback = closing_told};
	struct net_link link;

	start();
	link = net_connect(net, BYSTANDER);
	told.callback_arg = link.connectors[0];
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &told), ND_PENDING);
	nd_adapter_close(net->nodes[BYSTANDER].adapter);
	net->nodes[BYSTANDER].adapter = NULL;
	cr_assert_eq(closing_end.reason, ND_END_ADAPTER_CLOSING, "%s",
		nd_end_reason_text(closing_end.reason));
}
