/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "attack_net.h"
#include "base/be.h"
#include "nd/connector.h"
#include "wire/cm_msg.h"

/*
 * Test the timeouts that the two sides of a connection exchange, and handshakes that only one side
 * has completed. The adapters run in virtual time.
 */

#define SECOND_NS UINT64_C(1000000000)
#define WAITING   200 /* more requests than a usual backlog */

/* Offsets in IPv4 frames without a VLAN tag. */
#define MAD_AT       (14 + 20 + 8 + 12 + 8)
#define ATTRIBUTE_AT (MAD_AT + 16)
#define MESSAGE_AT   (MAD_AT + 24)
#define MAD_FRAME    (MAD_AT + 256 + 4)

static struct net *net;

static void
open_with(const struct net_limits *limits)
{
	net = net_open(limits);
}

static bool
is_cm(const struct net_frame *frame, enum wire_cm_attribute attribute)
{
	return frame->bytes == MAD_FRAME && be_load16(frame->data + ATTRIBUTE_AT) == attribute;
}

/* Post a receive on the other side, and send an empty message from this side. */
static void
send_empty(const struct net_link *link, unsigned int from, struct nd_result results[2])
{
	cr_assert_eq(
		nd_endpoint_receive(link->endpoints[1 - from], &results[1], NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(link->endpoints[from], &results[0], NULL, 0, 0), ND_SUCCESS);
}

/* The receiver is unreachable for away_ns. Fail unless the sender keeps retrying all the time. */
static void
check_patient(struct net_link *link, unsigned int from, uint64_t away_ns)
{
	struct net_node *receiver = &net->nodes[from == 1 ? link->from : VICTIM];
	struct nd_result results[2], *got;

	receiver->deaf = true;
	send_empty(link, from, results);
	net_run(net, away_ns);
	cr_assert_eq(nd_cq_get_results(link->outbound[from], &got, 1), 0,
		"given up while the peer was away");
	receiver->deaf = false;
	cr_assert_eq(net_result(net, link->outbound[from], &results[0]), ND_SUCCESS);
	cr_assert_eq(net_result(net, link->inbound[1 - from], &results[1]), ND_SUCCESS);
}

/* @return time in ns after which the sender reports a timeout */
static uint64_t
gives_up_after(struct net_link *link, unsigned int from)
{
	struct nd_result results[2];
	uint64_t start_ns;

	net->nodes[from == 1 ? link->from : VICTIM].deaf = true;
	send_empty(link, from, results);
	start_ns = net->now_ns;
	cr_assert_eq(net_result(net, link->outbound[from], &results[0]), ND_IO_TIMEOUT);
	return net->now_ns - start_ns;
}

/* IBTA: the accepting side uses the ACK timeout from the REQ. */
Test(handshake, accepted_endpoint_waits_as_long_as_the_request_says)
{
	struct net_link link;

	open_with(&(struct net_limits){.ack_timeout = {[ATTACKER] = 20}});
	link = net_connect(net, ATTACKER);
	check_patient(&link, 1, 25 * SECOND_NS);
	net_close(net);
}

/*
 * The side that accepts never uses a timeout below its own configuration, even if the REQ has a
 * short ACK timeout. All retries take at least 27 times 67 ms.
 */
Test(handshake, accepted_endpoint_is_not_hastier_than_configured)
{
	struct net_link link;
	uint64_t took_ns;

	open_with(&(struct net_limits){.ack_timeout = {[ATTACKER] = 1}});
	link = net_connect(net, ATTACKER);
	took_ns = gives_up_after(&link, 1);
	cr_assert(took_ns > 27 * (UINT64_C(4096) << 14) && took_ns < 2 * SECOND_NS, "%lu ns",
		took_ns);
	net_close(net);
}

/*
 * IBTA: the accepting side also uses the retry count from the REQ. With one retry, it waits for one
 * timeout and then for a double timeout.
 */
Test(handshake, accepted_endpoint_retries_as_often_as_the_request_says)
{
	struct net_link link;
	uint64_t took_ns;

	open_with(&(struct net_limits){.retry_count = {[ATTACKER] = 1}});
	link = net_connect(net, ATTACKER);
	took_ns = gives_up_after(&link, 1);
	cr_assert(took_ns > 3 * (UINT64_C(4096) << 14) && took_ns < SECOND_NS, "%lu ns", took_ns);
	net_close(net);
}

Test(handshake, connecting_endpoint_retries_as_often_as_configured)
{
	struct net_link link;
	uint64_t took_ns;

	open_with(&(struct net_limits){.retry_count = {[VICTIM] = 1}});
	link = net_connect(net, ATTACKER);
	took_ns = gives_up_after(&link, 0);
	cr_assert(took_ns > 27 * (UINT64_C(4096) << 14) && took_ns < 2 * SECOND_NS, "%lu ns",
		took_ns);
	net_close(net);
}

/* Change a REP as if it came from a slow peer, with a target ACK delay of 20. */
static bool
rep_of_slow_peer(struct net_frame *frame)
{
	uint8_t *packed = &frame->data[MESSAGE_AT + 26];

	if (!is_cm(frame, WIRE_CM_REP))
		return false;
	*packed = (uint8_t)(20 << 3 | (*packed & 7));
	net_seal(frame);
	return false;
}

Test(handshake, connecting_endpoint_adds_the_target_ack_delay)
{
	struct net_link link;

	open_with(&(struct net_limits){0});
	net->nodes[VICTIM].meddle = rep_of_slow_peer;
	link = net_connect(net, ATTACKER);
	check_patient(&link, 0, 25 * SECOND_NS);
	net_close(net);
}

/*
 * ACK timeout in the last REQ, or target ACK delay in the last REP. The ACK timeout in a REQ
 * includes the default ACK delay of 12.
 */
static uint8_t announced;

static bool
req_seen(struct net_frame *frame)
{
	if (is_cm(frame, WIRE_CM_REQ))
		announced = frame->data[MESSAGE_AT + 95] >> 3;
	return false;
}

Test(handshake, request_announces_an_honest_ack_timeout)
{
	static const uint8_t cases[][2] = {{8, 12}, {12, 13}, {13, 14}, {14, 14}, {20, 20}};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net_link link;

		open_with(&(struct net_limits){.ack_timeout = {[ATTACKER] = cases[i][0]}});
		net->nodes[ATTACKER].meddle = req_seen;
		link = net_connect(net, ATTACKER);
		cr_assert_eq(announced, cases[i][1], "%u: announced %u", cases[i][0], announced);
		net_disconnect(net, &link);
		net_close(net);
	}
}

static bool
rep_seen(struct net_frame *frame)
{
	if (is_cm(frame, WIRE_CM_REP))
		announced = frame->data[MESSAGE_AT + 26] >> 3;
	return false;
}

Test(handshake, reply_announces_the_ack_delay)
{
	static const uint8_t cases[][2] = {{0, 12}, {5, 5}, {12, 12}, {20, 20}, {31, 31}};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net_link link;

		open_with(&(struct net_limits){.ack_delay = {[VICTIM] = cases[i][0]}});
		net->nodes[VICTIM].meddle = rep_seen;
		link = net_connect(net, ATTACKER);
		cr_assert_eq(announced, cases[i][1], "%u: announced %u", cases[i][0], announced);
		net_disconnect(net, &link);
		net_close(net);
	}
}

/*
 * The ACK timeout in the REQ is the sum of the configured ACK timeout and ACK delay, rounded to a
 * power of two.
 */
Test(handshake, request_covers_the_ack_delay)
{
	static const uint8_t cases[][2] = {{5, 10}, {10, 11}, {16, 16}};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net_link link;

		open_with(&(struct net_limits){
			.ack_delay = {[ATTACKER] = cases[i][0]}, .ack_timeout = {[ATTACKER] = 10}});
		net->nodes[ATTACKER].meddle = req_seen;
		link = net_connect(net, ATTACKER);
		cr_assert_eq(announced, cases[i][1], "%u: announced %u", cases[i][0], announced);
		net_disconnect(net, &link);
		net_close(net);
	}
}

static bool
rtu_lost(struct net_frame *frame)
{
	return is_cm(frame, WIRE_CM_RTU);
}

/* Connect, but lose the RTU. The attacker is connected, and the victim still waits for the RTU. */
static nd_status
connect_half(struct net_link *link, struct nd_overlapped *accept)
{
	struct nd_overlapped request = {0}, connect = {0}, complete = {0};
	nd_status asked, accepting;

	*link = (struct net_link){.from = ATTACKER};
	net->nodes[ATTACKER].meddle = rtu_lost;
	net_connector_make(net, link, 0);
	net_connector_make(net, link, 1);
	net_endpoint_make(link, 0);
	asked = nd_listener_get_connection_request(net->listener, link->connectors[1], &request);
	cr_assert_eq(net_connect_start(net, link, &connect), ND_PENDING);
	cr_assert_eq(net_finish(net, asked, &request, SECOND_NS), ND_SUCCESS);
	net_endpoint_make(link, 1);
	accepting = nd_connector_accept(link->connectors[1], link->endpoints[1], NULL, 0, accept);
	cr_assert_eq(net_finish(net, ND_PENDING, &connect, SECOND_NS), ND_SUCCESS);
	cr_assert_eq(nd_connector_complete_connect(link->connectors[0], &complete), ND_SUCCESS);
	return accepting;
}

/*
 * CM-019: an endpoint accepts data after it has sent its REP. If the RTU is lost, the data
 * establishes the connection (RC-122).
 */
Test(handshake, data_before_the_rtu_is_received)
{
	struct nd_overlapped accept = {0};
	struct nd_result received, sent;
	struct net_link link;
	nd_status accepting;

	open_with(&(struct net_limits){0});
	accepting = connect_half(&link, &accept);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[1], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(link.endpoints[0], &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.inbound[1], &received), ND_SUCCESS);
	cr_assert_eq(net_finish(net, accepting, &accept, SECOND_NS), ND_SUCCESS);
	net_close(net);
}

/*
 * If the victim gives up waiting for the RTU, it sends a REJ, so that the other side does not
 * remain connected.
 */
Test(handshake, rej_behind_the_rtu_ends_the_connection)
{
	struct nd_overlapped accept = {0}, notify = {0};
	struct nd_result received;
	struct net_link link;
	nd_status accepting;

	open_with(&(struct net_limits){0});
	accepting = connect_half(&link, &accept);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &notify), ND_PENDING);
	cr_assert_eq(net_finish(net, accepting, &accept, 33 * SECOND_NS), ND_PENDING,
		"given up before the time that the REQ grants");
	cr_assert_eq(net_finish(net, accepting, &accept, 5 * SECOND_NS), ND_IO_TIMEOUT);
	cr_assert_eq(net_finish(net, ND_PENDING, &notify, SECOND_NS), ND_SUCCESS);
	cr_assert_eq(net_result(net, link.inbound[0], &received), ND_CANCELED);
	net_close(net);
}

Test(handshake, error_while_accepting_ends_both_sides)
{
	struct nd_overlapped accept = {0}, notify = {0};
	struct nd_endpoint *other;
	struct net_link link;
	nd_status accepting;

	open_with(&(struct net_limits){0});
	accepting = connect_half(&link, &accept);
	cr_assert_eq(accepting, ND_PENDING);
	cr_assert_eq(nd_connector_notify_disconnect(link.connectors[0], &notify), ND_PENDING);
	/*
	 * No call of the application can make the queue pair fail in this state, so call an
	 * internal function.
	 */
	rc_qp_fail(link.endpoints[1]->slot.qp, RC_LOCAL_PROTECTION);
	engine_qp_kick(net->nodes[VICTIM].adapter->engine, &link.endpoints[1]->slot);
	cr_assert_eq(net_finish(net, accepting, &accept, SECOND_NS), ND_CONNECTION_ABORTED);
	cr_assert_eq(net_finish(net, ND_PENDING, &notify, SECOND_NS), ND_SUCCESS);
	cr_assert_eq(nd_connector_accept(link.connectors[1], link.endpoints[1], NULL, 0, &accept),
		ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_endpoint_release(link.endpoints[1]), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(link.connectors[1], link.inbound[1],
			     link.outbound[1], 4, 4, 1, 1, 0, 0, NULL, &other),
		ND_CONNECTION_ABORTED);
	net_close(net);
}

Test(handshake, no_endpoint_is_made_for_a_dead_connection)
{
	struct nd_overlapped request = {0}, connect = {0};
	struct nd_endpoint *other = NULL;
	struct net_link link = {.from = ATTACKER};
	nd_status asked;

	open_with(&(struct net_limits){0});
	net_connector_make(net, &link, 0);
	net_connector_make(net, &link, 1);
	net_endpoint_make(&link, 0);
	asked = nd_listener_get_connection_request(net->listener, link.connectors[1], &request);
	cr_assert_eq(net_connect_start(net, &link, &connect), ND_PENDING);
	cr_assert_eq(net_finish(net, asked, &request, SECOND_NS), ND_SUCCESS);
	cr_assert_eq(nd_connector_cancel_overlapped_requests(link.connectors[0]), ND_SUCCESS);
	cr_assert_eq(nd_connector_get_connection_data(link.connectors[1], NULL, NULL, NULL, NULL),
		ND_SUCCESS);
	net_run(net, SECOND_NS / 1000);
	/*
	 * The private data is no longer available, so the call returns the status with which the
	 * connection ended.
	 */
	cr_assert_eq(nd_connector_get_connection_data(link.connectors[1], NULL, NULL, NULL, NULL),
		ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_connector_create_endpoint(link.connectors[1], link.inbound[1],
			     link.outbound[1], 4, 4, 1, 1, 0, 0, NULL, &other),
		ND_CONNECTION_ABORTED);
	cr_assert_null(other);
	net_close(net);
}

/* Network Direct: a backlog of 0 selects the limit of the adapter. */
Test(handshake, backlog_of_zero_is_the_limit_of_the_adapter)
{
	static struct nd_overlapped connect[WAITING], request[WAITING];
	static struct net_link links[WAITING];

	open_with(&(struct net_limits){.endpoints_max = 1024, .half_open_max = 1024});
	for (unsigned int i = 0; i < WAITING; i++) {
		links[i].from = ATTACKER;
		net_connector_make(net, &links[i], 0);
		net_connector_make(net, &links[i], 1);
		net_endpoint_make(&links[i], 0);
		cr_assert_eq(net_connect_start(net, &links[i], &connect[i]), ND_PENDING);
	}
	net_run(net, 2 * SECOND_NS);
	cr_assert_eq(net_counter(net, "cm_drop_backlog"), 0);
	for (unsigned int i = 0; i < WAITING; i++)
		cr_assert_eq(nd_listener_get_connection_request(
				     net->listener, links[i].connectors[1], &request[i]),
			ND_SUCCESS, "request %u", i);
	net_close(net);
}
