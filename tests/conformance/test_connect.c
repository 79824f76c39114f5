/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of Network Direct statements (docs/rules.md, section ND I): establishing connections. */

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_common.h>

#include "access.h"
#include "dial.h"

#define CM_REQ 0x10
#define CM_RTU 0x14

/** Let an adapter retransmit CM messages soon. */
static void
impatient(unsigned int side, struct nd_adapter_config *config)
{
	dial_tap(side, config);
	config->connect_retransmit_ms = 2;
}

static void
open_impatient(void)
{
	scene_open_as((struct nd_pair_config){.adapt = impatient});
}

TestSuite(nd_connect, .init = scene_open, .fini = scene_close);
TestSuite(nd_connect_impatient, .init = open_impatient, .fini = scene_close);

static nd_status
status_of(struct nd_overlapped *overlapped)
{
	return nd_overlapped_get_result(overlapped, NULL, false);
}

static nd_status
finish(struct nd_overlapped *overlapped)
{
	return nd_pair_finish(&scene, ND_PENDING, overlapped);
}

/** Poll both sides so often that all frames in flight arrive. */
static void
turns(void)
{
	for (unsigned int i = 0; i < 500; i++)
		nd_pair_poll(&scene);
}

Test(nd_connect, nd_149_nobody_listens)
{
	struct nd_overlapped connect = {0};

	scene.listen_port = htons(4000);
	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(dial_start(NULL, 0, &connect), ND_PENDING);
	ASSERT_ND(finish(&connect), ND_CONNECTION_REFUSED);
}

Test(nd_connect, nd_150_listener_is_gone)
{
	struct nd_overlapped connect = {0};

	nd_pair_listen(&scene);
	ASSERT_ND(nd_listener_release(scene.listener), ND_SUCCESS);
	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(dial_start(NULL, 0, &connect), ND_PENDING);
	ASSERT_ND(finish(&connect), ND_CONNECTION_REFUSED);
	cr_assert_eq(nd_pair_counter(&scene, PEER, "cm_retransmissions"), 0, "it has waited");
}

/* A connect to 0.0.0.0 fails at once. The library's choice of status is ND_INVALID_ADDRESS. */
Test(nd_connect, nd_151_address_of_nobody)
{
	struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(4000)};
	struct nd_side *peer = &scene.side[PEER];
	struct nd_overlapped connect = {0};

	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(nd_connector_connect(peer->connector, peer->endpoint, (struct sockaddr *)&nobody,
			  sizeof(nobody), 6, 0, NULL, 0, &connect),
		ND_INVALID_ADDRESS);
	dial_request(NULL, 0, &connect);
	dial_finish(&connect);
}

Test(nd_connect, nd_152_connect_waits_for_the_answer)
{
	struct nd_overlapped connect[2] = {0}, accept = {0};

	dial_request(NULL, 0, &connect[0]);
	turns();
	ASSERT_ND(status_of(&connect[0]), ND_PENDING);
	ASSERT_ND(nd_connector_reject(scene.side[OWNER].connector, NULL, 0), ND_SUCCESS);
	ASSERT_ND(finish(&connect[0]), ND_CONNECTION_REFUSED);
	dial_request(NULL, 0, &connect[1]);
	turns();
	ASSERT_ND(status_of(&connect[1]), ND_PENDING);
	ASSERT_ND(dial_accept(NULL, 0, &accept), ND_PENDING);
	ASSERT_ND(finish(&connect[1]), ND_SUCCESS);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
}

Test(nd_connect, nd_153_answer_is_rejected)
{
	struct nd_overlapped accept = {0};

	dial_answer(&accept);
	ASSERT_ND(nd_connector_reject(scene.side[PEER].connector, NULL, 0), ND_SUCCESS);
	ASSERT_ND(finish(&accept), ND_CONNECTION_REFUSED);
}

Test(nd_connect, nd_154_connector_is_released_in_place_of_completing)
{
	struct nd_overlapped accept = {0};

	dial_answer(&accept);
	ASSERT_ND(nd_endpoint_release(scene.side[PEER].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(scene.side[PEER].connector), ND_SUCCESS);
	ASSERT_ND(finish(&accept), ND_CONNECTION_REFUSED);
}

Test(nd_connect, nd_156_second_connect)
{
	struct nd_overlapped second = {0}, accept = {0};

	dial_answer(&accept);
	ASSERT_ND(dial_start(NULL, 0, &second), ND_CONNECTION_ACTIVE);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
	ASSERT_ND(dial_start(NULL, 0, &second), ND_CONNECTION_ACTIVE);
	scene_expect_alive();
}

Test(nd_connect, nd_158_caller_data_up_to_the_limit)
{
	size_t limit = scene_limits().max_caller_data, bytes = 256;
	uint8_t data[257], got[256];
	struct nd_overlapped connect = {0};

	nd_pair_pattern(data, sizeof(data), 158);
	nd_pair_listen(&scene);
	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(dial_start(data, limit + 1, &connect), ND_INVALID_BUFFER_SIZE);
	dial_request(data, limit, &connect);
	ASSERT_ND(nd_connector_get_connection_data(
			  scene.side[OWNER].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_geq(bytes, limit);
	cr_assert_arr_eq(got, data, limit);
	dial_finish(&connect);
}

Test(nd_connect, nd_159_callee_data_up_to_the_limit)
{
	size_t limit = scene_limits().max_callee_data, bytes = 256;
	struct nd_overlapped connect = {0}, accept = {0};
	uint8_t data[257], got[256];

	nd_pair_pattern(data, sizeof(data), 159);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(dial_accept(data, limit + 1, &accept), ND_INVALID_BUFFER_SIZE);
	ASSERT_ND(nd_connector_accept(scene.side[OWNER].connector, scene.side[OWNER].endpoint, data,
			  limit, &accept),
		ND_PENDING);
	ASSERT_ND(finish(&connect), ND_SUCCESS);
	ASSERT_ND(nd_connector_get_connection_data(
			  scene.side[PEER].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, data, limit);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
}

/*
 * A query of private data without a buffer returns ND_BUFFER_OVERFLOW and the required length. With
 * a buffer of this length, the query returns the peer's data.
 */
Test(nd_connect, nd_160_length_of_private_data_is_told)
{
	struct nd_connector *connector;
	struct nd_overlapped connect = {0};
	uint8_t data[20], got[256];
	size_t bytes = 0;

	nd_pair_pattern(data, sizeof(data), 160);
	dial_request(data, sizeof(data), &connect);
	connector = scene.side[OWNER].connector;
	ASSERT_ND(nd_connector_get_connection_data(connector, NULL, NULL, NULL, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert(bytes >= sizeof(data) && bytes <= sizeof(got), "%zu bytes", bytes);
	ASSERT_ND(nd_connector_get_connection_data(connector, NULL, NULL, got, &bytes), ND_SUCCESS);
	cr_assert_arr_eq(got, data, sizeof(data));
	dial_finish(&connect);
}

/** Fail unless private data of this length in an Accept arrives unchanged at the peer. */
static void
expect_data(size_t length)
{
	struct nd_overlapped connect = {0}, accept = {0};
	uint8_t data[2][256], got[256];
	size_t bytes;

	for (unsigned int i = 0; i < 2; i++)
		nd_pair_pattern(data[i], length, 161 + i);
	dial_request(data[0], length, &connect);
	ASSERT_ND(dial_accept(data[1], length, &accept), ND_PENDING);
	bytes = sizeof(got);
	ASSERT_ND(finish(&connect), ND_SUCCESS);
	ASSERT_ND(nd_connector_get_connection_data(
			  scene.side[PEER].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, data[1], length);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
}

/** Fail unless private data of this length in a Connect arrives unchanged at the owner. */
static void
expect_data_asked(size_t length)
{
	struct nd_overlapped connect = {0};
	uint8_t data[256], got[256];
	size_t bytes = sizeof(got);

	nd_pair_pattern(data, length, 163);
	dial_request(data, length, &connect);
	ASSERT_ND(nd_connector_get_connection_data(
			  scene.side[OWNER].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, data, length);
	dial_finish(&connect);
}

Test(nd_connect, nd_161_data_of_36_bytes)
{
	expect_data(36);
	scene.side[PEER].connector = NULL;
	expect_data_asked(36);
}

Test(nd_connect, nd_162_data_of_40_bytes)
{
	cr_assert_geq(scene_limits().max_caller_data, 40);
	expect_data_asked(40);
}

/*
 * If the buffer is too small for the private data, the data is truncated, and the call returns the
 * required length.
 */
Test(nd_connect, nd_163_too_little_room_for_private_data)
{
	struct nd_connector *connector;
	struct nd_overlapped connect = {0};
	uint8_t data[32], got[32];
	size_t bytes = 10;

	nd_pair_pattern(data, sizeof(data), 163);
	memset(got, 0xEE, sizeof(got));
	dial_request(data, sizeof(data), &connect);
	connector = scene.side[OWNER].connector;
	ASSERT_ND(nd_connector_get_connection_data(connector, NULL, NULL, got, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_geq(bytes, sizeof(data));
	cr_assert_arr_eq(got, data, 10);
	for (unsigned int i = 10; i < sizeof(got); i++)
		cr_assert_eq(got[i], 0xEE, "byte %u was written", i);
	dial_finish(&connect);
}

Test(nd_connect, nd_164_private_data_of_a_rejection)
{
	struct nd_overlapped connect = {0};
	uint8_t data[100], got[256];
	size_t bytes = sizeof(got);

	nd_pair_pattern(data, sizeof(data), 164);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_reject(scene.side[OWNER].connector, data, sizeof(data)), ND_SUCCESS);
	ASSERT_ND(finish(&connect), ND_CONNECTION_REFUSED);
	ASSERT_ND(nd_connector_get_connection_data(
			  scene.side[PEER].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, data, sizeof(data));
}

Test(nd_connect, nd_165_address_of_who_asks)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_in asks, own;
	size_t length = sizeof(asks);

	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_get_peer_address(
			  scene.side[OWNER].connector, (struct sockaddr *)&asks, &length),
		ND_SUCCESS);
	cr_assert_eq(length, sizeof(asks));
	ASSERT_ND(nd_connector_get_local_address(
			  scene.side[PEER].connector, (struct sockaddr *)&own, &length),
		ND_SUCCESS);
	cr_assert_eq(asks.sin_port, own.sin_port);
	cr_assert_eq(asks.sin_addr.s_addr, own.sin_addr.s_addr);
	dial_finish(&connect);
}

/** Connect the owner to a listener of the peer, and get the connection request at the peer. */
static void
head_on(struct nd_connector *connectors[2], struct nd_overlapped *connect)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_overlapped request = {0};
	struct nd_listener *listener;
	struct nd_endpoint *endpoint;
	struct sockaddr_in address;
	size_t length = sizeof(address);

	ASSERT_ND(nd_adapter_get_address(peer->adapter, (struct sockaddr *)&address, &length),
		ND_SUCCESS);
	address.sin_port = htons(4001);
	ASSERT_ND(nd_adapter_listen(peer->adapter, 0, 6, address.sin_port, NULL, &listener),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_adapter_create_connector(scene.side[i].adapter, &connectors[i]),
			ND_SUCCESS);
	ASSERT_ND(nd_connector_create_endpoint(connectors[OWNER], owner->inbound, owner->outbound,
			  4, 4, 1, 1, 1, 1, NULL, &endpoint),
		ND_SUCCESS);
	ASSERT_ND(nd_connector_connect(connectors[OWNER], endpoint, (struct sockaddr *)&address,
			  sizeof(address), 6, 0, NULL, 0, connect),
		ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene,
			  nd_listener_get_connection_request(listener, connectors[PEER], &request),
			  &request),
		ND_SUCCESS);
}

/*
 * Both sides connect to each other, on two ports. One connection request is rejected, and the other
 * connect succeeds.
 */
Test(nd_connect, nd_166_connects_against_each_other)
{
	struct nd_overlapped connect = {0}, against = {0};
	struct nd_connector *connectors[2];

	dial_request(NULL, 0, &connect);
	head_on(connectors, &against);
	ASSERT_ND(nd_connector_reject(connectors[PEER], NULL, 0), ND_SUCCESS);
	ASSERT_ND(finish(&against), ND_CONNECTION_REFUSED);
	ASSERT_ND(status_of(&connect), ND_PENDING);
	dial_finish(&connect);
	scene_expect_alive();
}

Test(nd_connect, nd_167_aborted_accept_leaves_receives)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped connect = {0}, accept = {0};
	struct nd_result received, *got;

	dial_request(NULL, 0, &connect);
	nd_pair_endpoint(&scene, OWNER);
	scene_receive(OWNER, &received);
	ASSERT_ND(nd_connector_cancel_overlapped_requests(scene.side[PEER].connector), ND_SUCCESS);
	turns();
	ASSERT_ND(nd_connector_accept(owner->connector, owner->endpoint, NULL, 0, &accept),
		ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_cq_get_results(owner->inbound, &got, 1), 0, "cancelled without flush");
	ASSERT_ND(nd_endpoint_flush(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received), ND_CANCELED);
}

static bool
lose_rtu(const struct dial_frame *frame)
{
	return frame->attribute == CM_RTU;
}

/* If a message arrives before the RTU, both the receive and the Accept complete. */
Test(nd_connect_impatient, nd_168_message_before_the_confirmation)
{
	struct nd_overlapped accept = {0};
	struct nd_result received, sent;

	dial_look = lose_rtu;
	dial_answer(&accept);
	scene_receive(OWNER, &received);
	dial_complete();
	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	ASSERT_ND(finish(&accept), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
}

Test(nd_connect, nd_169_accept_waits_for_the_completion)
{
	struct nd_overlapped accept = {0};

	dial_answer(&accept);
	turns();
	ASSERT_ND(status_of(&accept), ND_PENDING);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
}

Test(nd_connect, nd_170_nothing_to_complete)
{
	struct nd_overlapped connect = {0};
	struct nd_connector *connector;

	nd_pair_endpoint(&scene, PEER);
	connector = scene.side[PEER].connector;
	ASSERT_ND(nd_connector_complete_connect(connector, NULL), ND_CONNECTION_INVALID);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_complete_connect(connector, NULL), ND_CONNECTION_INVALID);
	dial_finish(&connect);
	ASSERT_ND(nd_connector_complete_connect(connector, NULL), ND_CONNECTION_INVALID);
	scene_expect_alive();
}

Test(nd_connect, nd_171_send_before_completion)
{
	struct nd_endpoint *endpoint;
	struct nd_overlapped accept = {0};
	struct nd_result sent;

	dial_answer(&accept);
	endpoint = scene.side[PEER].endpoint;
	ASSERT_ND(nd_endpoint_send(endpoint, &sent, NULL, 0, 0), ND_CONNECTION_INVALID);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
	scene_expect_alive();
}

Test(nd_connect, nd_172_passive_side_sends_first)
{
	struct nd_overlapped accept = {0};
	struct nd_result received, sent;

	dial_answer(&accept);
	scene_receive(PEER, &received);
	dial_complete();
	ASSERT_ND(finish(&accept), ND_SUCCESS);
	scene_send(OWNER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &sent), ND_SUCCESS);
}

static bool
lose_req(const struct dial_frame *frame)
{
	return frame->attribute == CM_REQ;
}

Test(nd_connect_impatient, nd_174_connect_without_answer)
{
	struct nd_overlapped connect[2] = {0};

	nd_pair_listen(&scene);
	nd_pair_endpoint(&scene, PEER);
	dial_look = lose_req;
	ASSERT_ND(dial_start(NULL, 0, &connect[0]), ND_PENDING);
	ASSERT_ND(finish(&connect[0]), ND_IO_TIMEOUT);
	dial_look = NULL;
	dial_request(NULL, 0, &connect[1]);
	dial_finish(&connect[1]);
	scene_expect_alive();
}

Test(nd_connect, nd_175_connect_is_abandoned)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_overlapped connect[2] = {0};

	dial_request(NULL, 0, &connect[0]);
	ASSERT_ND(nd_connector_cancel_overlapped_requests(peer->connector), ND_SUCCESS);
	ASSERT_ND(status_of(&connect[0]), ND_CANCELED);
	turns();
	/*
	 * The owner cannot reject the request, because the cancel has ended the attempt on both
	 * sides.
	 */
	ASSERT_ND(nd_connector_reject(scene.side[OWNER].connector, NULL, 0), ND_CONNECTION_ABORTED);
	dial_request(NULL, 0, &connect[1]);
	ASSERT_ND(nd_endpoint_release(peer->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(peer->connector), ND_SUCCESS);
	ASSERT_ND(status_of(&connect[1]), ND_CANCELED);
}

Test(nd_connect, nd_176_connection_requests_in_order)
{
	static struct nd_overlapped connects[2], waiting[3];
	struct nd_connector *connectors[3];
	uint8_t got[256];

	nd_pair_listen(&scene);
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_ND(nd_adapter_create_connector(scene.side[OWNER].adapter, &connectors[i]),
			ND_SUCCESS);
		ASSERT_ND(nd_listener_get_connection_request(
				  scene.listener, connectors[i], &waiting[i]),
			ND_PENDING);
	}
	for (uint8_t i = 0; i < 2; i++) {
		size_t bytes = sizeof(got);
		uint8_t mark = (uint8_t)(0x70 + i);

		scene.side[PEER].connector = NULL;
		nd_pair_endpoint(&scene, PEER);
		ASSERT_ND(dial_start(&mark, 1, &connects[i]), ND_PENDING);
		ASSERT_ND(finish(&waiting[i]), ND_SUCCESS);
		ASSERT_ND(status_of(&waiting[i + 1]), ND_PENDING);
		ASSERT_ND(nd_connector_get_connection_data(connectors[i], NULL, NULL, got, &bytes),
			ND_SUCCESS);
		cr_assert_eq(got[0], mark);
	}
}

Test(nd_connect, nd_177_released_listener_cancels)
{
	struct nd_overlapped waiting[2] = {0};
	struct nd_connector *connectors[2];

	nd_pair_listen(&scene);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_ND(nd_adapter_create_connector(scene.side[OWNER].adapter, &connectors[i]),
			ND_SUCCESS);
		ASSERT_ND(nd_listener_get_connection_request(
				  scene.listener, connectors[i], &waiting[i]),
			ND_PENDING);
	}
	ASSERT_ND(nd_listener_release(scene.listener), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status_of(&waiting[i]), ND_CANCELED);
}

/*
 * Port 0 selects a free port in 49152..65535. The adapter has fewer listeners than ports, so the
 * listeners run out first, with ND_INSUFFICIENT_RESOURCES.
 */
Test(nd_connect, nd_178_ports_that_are_chosen)
{
	static bool taken[UINT16_MAX + 1];
	struct nd_listener *listener;
	unsigned int count = 0;
	uint16_t port = 0;
	nd_status status;

	while ((status = nd_adapter_listen(scene.side[OWNER].adapter, 1, 6, 0, &port, &listener)) ==
		ND_SUCCESS) {
		cr_assert_geq(ntohs(port), 49152);
		cr_assert_not(taken[port], "port %u twice", ntohs(port));
		taken[port] = true;
		count++;
	}
	ASSERT_ND(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_geq(count, 16);
}

Test(nd_connect, nd_179_port_in_use)
{
	struct nd_adapter *adapter = scene.side[OWNER].adapter;
	struct nd_listener *first, *second = NULL;
	uint16_t port = htons(4000);

	ASSERT_ND(nd_adapter_listen(adapter, 0, 6, port, NULL, &first), ND_SUCCESS);
	ASSERT_ND(nd_adapter_listen(adapter, 0, 6, port, NULL, &second), ND_SHARING_VIOLATION);
	cr_assert_null(second);
	ASSERT_ND(nd_listener_release(first), ND_SUCCESS);
	ASSERT_ND(nd_adapter_listen(adapter, 0, 6, port, NULL, &second), ND_SUCCESS);
}

Test(nd_connect, nd_180_ports_are_not_those_of_tcp)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	struct nd_listener *listener;
	int sockets[2];

	sockets[0] = socket(AF_INET, SOCK_STREAM, 0);
	sockets[1] = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert(sockets[0] >= 0 && sockets[1] >= 0);
	cr_assert_eq(bind(sockets[0], (struct sockaddr *)&address, length), 0);
	cr_assert_eq(listen(sockets[0], 1), 0);
	cr_assert_eq(getsockname(sockets[0], (struct sockaddr *)&address, &length), 0);
	ASSERT_ND(nd_adapter_listen(
			  scene.side[OWNER].adapter, 0, 6, address.sin_port, NULL, &listener),
		ND_SUCCESS);
	close(sockets[0]);
	cr_assert_eq(bind(sockets[1], (struct sockaddr *)&address, length), 0,
		"TCP cannot have the port of a listener");
	close(sockets[1]);
}
