/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test connecting, refusing and disconnecting through the public API. Names of tests contain the
 * numbers of the ND statements.
 */

#include <arpa/inet.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_lookup.h>

#include "support/nd_pair.h"

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(connect, .init = setup, .fini = teardown);

static nd_status
connect_start(const void *data, size_t bytes, struct nd_overlapped *overlapped)
{
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&pair, &address);

	return nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
		(struct sockaddr *)&address, length, 6, 0, data, bytes, overlapped);
}

/** Send a request from side 0, which has an endpoint already, to side 1's connector. */
static void
request_bring(const void *data, size_t bytes, struct nd_overlapped *connect)
{
	struct nd_overlapped request = {0};

	nd_pair_listen(&pair);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &pair.side[1].connector),
		ND_SUCCESS);
	cr_assert_eq(connect_start(data, bytes, connect), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_listener_get_connection_request(
				     pair.listener, pair.side[1].connector, &request),
			     &request),
		ND_SUCCESS);
}

/** Create the default endpoint on side 0 and send a request to side 1. */
static void
request_arrive(const void *data, size_t bytes, struct nd_overlapped *connect)
{
	nd_pair_endpoint(&pair, 0);
	request_bring(data, bytes, connect);
}

static void
accept_all(struct nd_overlapped *connect, const void *data, size_t bytes)
{
	struct nd_overlapped accept = {0}, complete = {0};
	nd_status accepting;

	nd_pair_endpoint(&pair, 1);
	accepting = nd_connector_accept(
		pair.side[1].connector, pair.side[1].endpoint, data, bytes, &accept);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, connect), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(pair.side[0].connector, &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, accepting, &accept), ND_SUCCESS);
}

Test(connect, nd149_without_listener_is_refused)
{
	struct nd_overlapped connect = {0};

	nd_pair_endpoint(&pair, 0);
	pair.listen_port = htons(4000);
	cr_assert_eq(nd_pair_finish(&pair, connect_start(NULL, 0, &connect), &connect),
		ND_CONNECTION_REFUSED);
}

Test(connect, nd150_after_the_listener_is_gone_is_refused)
{
	struct nd_overlapped connect = {0};

	nd_pair_listen(&pair);
	cr_assert_eq(nd_listener_release(pair.listener), ND_SUCCESS);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_pair_finish(&pair, connect_start(NULL, 0, &connect), &connect),
		ND_CONNECTION_REFUSED);
}

Test(connect, refused_connector_can_try_again)
{
	struct nd_overlapped connect = {0};

	nd_pair_endpoint(&pair, 0);
	pair.listen_port = htons(4000);
	cr_assert_eq(nd_pair_finish(&pair, connect_start(NULL, 0, &connect), &connect),
		ND_CONNECTION_REFUSED);
	nd_pair_listen(&pair);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &pair.side[1].connector),
		ND_SUCCESS);
	memset(&connect, 0, sizeof(connect));
	cr_assert_eq(connect_start(NULL, 0, &connect), ND_PENDING);
	struct nd_overlapped request = {0};
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_listener_get_connection_request(
				     pair.listener, pair.side[1].connector, &request),
			     &request),
		ND_SUCCESS);
	accept_all(&connect, NULL, 0);
}

Test(connect, unknown_peer_is_unreachable)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(1)};

	inet_pton(AF_INET, "192.0.2.77", &nobody.sin_addr);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
				     (struct sockaddr *)&nobody, sizeof(nobody), 6, 0, NULL, 0,
				     &connect),
			     &connect),
		ND_HOST_UNREACHABLE);
}

/* RC-164, B-010: an adapter cannot send packets to itself. */
Test(connect, own_address_is_refused_at_once)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_in own = {0};
	size_t length = sizeof(own);

	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_adapter_get_address(pair.side[0].adapter, (struct sockaddr *)&own, &length),
		ND_SUCCESS);
	own.sin_port = htons(4000);
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&own, sizeof(own), 6, 0, NULL, 0, &connect),
		ND_INVALID_ADDRESS);
}

Test(connect, missing_outputs_are_refused)
{
	struct nd_adapter *adapter = pair.side[0].adapter;
	struct nd_connector *connector = pair.side[0].connector;
	struct sockaddr_in address = {.sin_family = AF_INET};
	struct sockaddr *local = (struct sockaddr *)&address;

	address.sin_addr.s_addr = htonl(0xC0000202);
	ASSERT_ND(nd_adapter_query(adapter, ND_VERSION_1, NULL, NULL), ND_INVALID_PARAMETER_3);
	ASSERT_ND(nd_adapter_get_address(adapter, local, NULL), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_connector_get_local_address(connector, local, NULL), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_connector_get_peer_address(connector, local, NULL), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_adapter_resolve_address(local, sizeof(address), NULL, local, NULL),
		ND_INVALID_PARAMETER_5);
	ASSERT_ND(nd_overlapped_get_result(NULL, NULL, false), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_overlapped_cancel(NULL), ND_INVALID_PARAMETER_1);
}

Test(connect, peer_outside_the_network_has_no_route)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = htons(1)};

	inet_pton(AF_INET, "198.51.100.1", &far.sin_addr);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&far, sizeof(far), 6, 0, NULL, 0, &connect),
		ND_NETWORK_UNREACHABLE);
}

Test(connect, nd158_private_data_beyond_the_limit_is_refused_and_the_connector_stays_usable)
{
	uint8_t sent[57], got[56];
	/*
	 * The connect is still pending when the test ends, so the structure must outlive this
	 * function.
	 */
	static struct nd_overlapped connect;
	size_t bytes = sizeof(got);

	nd_pair_pattern(sent, sizeof(sent), 1);
	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(connect_start(sent, 57, &connect), ND_INVALID_BUFFER_SIZE);
	nd_endpoint_release(pair.side[0].endpoint);
	nd_listener_release(pair.listener);
	request_arrive(sent, 56, &connect);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[1].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_eq(bytes, 56);
	cr_assert_arr_eq(got, sent, 56);
}

Test(connect, nd159_accept_carries_up_to_148_bytes)
{
	uint8_t sent[149], got[256];
	struct nd_overlapped connect = {0}, accept = {0}, complete = {0};
	size_t bytes = 0;

	nd_pair_pattern(sent, sizeof(sent), 2);
	request_arrive(NULL, 0, &connect);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(nd_connector_accept(
			     pair.side[1].connector, pair.side[1].endpoint, sent, 149, &accept),
		ND_INVALID_BUFFER_SIZE);
	cr_assert_eq(nd_connector_accept(
			     pair.side[1].connector, pair.side[1].endpoint, sent, 148, &accept),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	/*
	 * ND-160, ND-163: first only the size is requested. The data is zero-padded to the fixed
	 * size that the transport sends.
	 */
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[0].connector, NULL, NULL, NULL, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_geq(bytes, 148);
	cr_assert_leq(bytes, sizeof(got));
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[0].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, sent, 148);
	for (size_t i = 148; i < bytes; i++)
		cr_assert_eq(got[i], 0, "byte %zu", i);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(pair.side[0].connector, &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &accept), ND_SUCCESS);
}

Test(connect, nd164_reject_brings_its_private_data)
{
	uint8_t sent[20], got[256];
	struct nd_overlapped connect = {0};
	size_t bytes = sizeof(got);

	nd_pair_pattern(sent, sizeof(sent), 3);
	request_arrive(NULL, 0, &connect);
	cr_assert_eq(nd_connector_reject(pair.side[1].connector, sent, sizeof(sent)), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[0].connector, NULL, NULL, got, &bytes),
		ND_SUCCESS);
	cr_assert_arr_eq(got, sent, sizeof(sent));
	cr_assert_eq(nd_connector_reject(pair.side[1].connector, NULL, 0), ND_CONNECTION_ABORTED);
}

Test(connect, nd153_active_side_may_reject_the_answer)
{
	struct nd_overlapped connect = {0}, accept = {0};

	request_arrive(NULL, 0, &connect);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(nd_connector_accept(
			     pair.side[1].connector, pair.side[1].endpoint, NULL, 0, &accept),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(nd_connector_reject(pair.side[0].connector, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &accept), ND_CONNECTION_REFUSED);
}

Test(connect, nd156_second_connect_while_one_is_under_way_is_active)
{
	struct nd_overlapped connect = {0}, second = {0};

	request_arrive(NULL, 0, &connect);
	cr_assert_eq(connect_start(NULL, 0, &second), ND_CONNECTION_ACTIVE);
	accept_all(&connect, NULL, 0);
	cr_assert_eq(connect_start(NULL, 0, &second), ND_CONNECTION_ACTIVE);
}

Test(connect, nd085_foreign_endpoint_is_refused)
{
	struct nd_overlapped overlapped = {0};
	struct nd_connector *other;
	struct sockaddr_storage address;
	socklen_t length;

	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	length = nd_pair_address(&pair, &address);
	cr_assert_eq(nd_adapter_create_connector(pair.side[0].adapter, &other), ND_SUCCESS);
	ASSERT_ND(nd_connector_connect(other, pair.side[0].endpoint, (struct sockaddr *)&address,
			  length, 6, 0, NULL, 0, &overlapped),
		ND_INVALID_PARAMETER_1);
}

/* ND-184: the inbound read limit of one side is the outbound read limit of the other side. */
Test(connect, nd184_read_limits_are_seen_from_the_other_side)
{
	struct nd_side *side = &pair.side[0];
	struct nd_overlapped connect = {0};
	size_t inbound, outbound;

	cr_assert_eq(nd_adapter_create_connector(side->adapter, &side->connector), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(side->connector, side->inbound, side->outbound, 8,
			     8, 1, 1, 3, 2, NULL, &side->endpoint),
		ND_SUCCESS);
	request_bring(NULL, 0, &connect);
	cr_assert_eq(nd_connector_get_connection_data(
			     pair.side[1].connector, &inbound, &outbound, NULL, NULL),
		ND_SUCCESS);
	cr_assert_eq(inbound, 2);
	cr_assert_eq(outbound, 3);
	accept_all(&connect, NULL, 0);
}

/*
 * ND-185: the active side may have 8 Reads outstanding, but the passive side accepts 2. Side 0
 * queues the other Reads, and sends the next one after an earlier Read is answered.
 */
Test(connect, nd185_active_side_uses_the_limits_of_the_accept)
{
	struct nd_side *side = &pair.side[0];
	struct nd_overlapped connect = {0};
	struct nd_mw_descriptor window;
	struct nd_result reads[8];
	uint64_t before;

	pair.config.reads = 2;
	cr_assert_eq(nd_adapter_create_connector(side->adapter, &side->connector), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(side->connector, side->inbound, side->outbound, 8,
			     8, 1, 1, 8, 8, NULL, &side->endpoint),
		ND_SUCCESS);
	request_bring(NULL, 0, &connect);
	accept_all(&connect, NULL, 0);
	nd_pair_bind(&pair, 1, 0, 4096, ND_OP_FLAG_ALLOW_READ, &window);
	before = nd_pair_counter(&pair, 0, "tx_packets");
	for (unsigned int i = 0; i < 8; i++) {
		struct nd_sge sge = {side->memory + 64 * i, 64, side->mr};

		cr_assert_eq(nd_endpoint_read(side->endpoint, &reads[i], &sge, 1, &window, 0, 0),
			ND_SUCCESS);
	}
	/* Posting transmits immediately, and no engine has been polled since. */
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_packets") - before, 2);
	for (unsigned int i = 0; i < 8; i++)
		cr_assert_eq(nd_pair_result(&pair, side->outbound, &reads[i]), ND_SUCCESS);
}

/* ND-175: a cancelled connect ends with ND_CANCELED, and its connection attempt ends. */
Test(connect, nd175_cancelled_connect_ends_canceled_and_can_be_repeated)
{
	struct nd_overlapped connect = {0}, request = {0};
	struct nd_connector *second;

	request_arrive(NULL, 0, &connect);
	cr_assert_eq(nd_connector_cancel_overlapped_requests(pair.side[0].connector), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&connect, NULL, false), ND_CANCELED);
	memset(&connect, 0, sizeof(connect));
	cr_assert_eq(connect_start(NULL, 0, &connect), ND_PENDING);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &second), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_listener_get_connection_request(pair.listener, second, &request),
			     &request),
		ND_SUCCESS);
	pair.side[1].connector = second;
	accept_all(&connect, NULL, 0);
}

Test(connect, nd177_released_listener_cancels_waiting_requests)
{
	struct nd_overlapped request = {0};
	struct nd_connector *connector;

	nd_pair_listen(&pair);
	cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &connector), ND_SUCCESS);
	cr_assert_eq(
		nd_listener_get_connection_request(pair.listener, connector, &request), ND_PENDING);
	cr_assert_eq(nd_listener_release(pair.listener), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&request, NULL, false), ND_CANCELED);
	cr_assert_eq(nd_connector_release(connector), ND_SUCCESS);
}

/* ND-176: if several connectors wait, only the first of them receives the first request. */
Test(connect, nd176_waiting_connectors_are_served_in_order)
{
	struct nd_overlapped connect = {0}, waiting[3] = {0};
	struct nd_connector *connectors[3];

	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(nd_adapter_create_connector(pair.side[1].adapter, &connectors[i]),
			ND_SUCCESS);
		cr_assert_eq(nd_listener_get_connection_request(
				     pair.listener, connectors[i], &waiting[i]),
			ND_PENDING);
	}
	cr_assert_eq(connect_start(NULL, 0, &connect), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &waiting[0]), ND_SUCCESS);
	for (unsigned int i = 1; i < 3; i++)
		cr_assert_eq(nd_overlapped_get_result(&waiting[i], NULL, false), ND_PENDING);
	pair.side[1].connector = connectors[0];
	accept_all(&connect, NULL, 0);
	for (unsigned int i = 1; i < 3; i++)
		cr_assert_eq(nd_connector_release(connectors[i]), ND_SUCCESS);
}

/* ND-178: port 0 selects a port of the dynamic range. */
Test(connect, nd178_nd179_ports)
{
	struct nd_listener *second;
	uint16_t port = 0;

	nd_pair_listen(&pair);
	cr_assert_geq(ntohs(pair.listen_port), 49152);
	cr_assert_eq(
		nd_adapter_listen(pair.side[1].adapter, 0, 6, pair.listen_port, &port, &second),
		ND_SHARING_VIOLATION);
}

Test(connect, nd170_nd171_before_the_connection_is_up)
{
	struct nd_overlapped connect = {0}, complete = {0}, disconnect = {0}, notify = {0};
	struct nd_result result;

	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_connector_complete_connect(pair.side[0].connector, &complete),
		ND_CONNECTION_INVALID);
	cr_assert_eq(nd_connector_disconnect(pair.side[0].connector, &disconnect),
		ND_CONNECTION_INVALID);
	cr_assert_eq(nd_connector_notify_disconnect(pair.side[0].connector, &notify),
		ND_CONNECTION_INVALID);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &result, NULL, 0, 0),
		ND_CONNECTION_INVALID);
	nd_endpoint_release(pair.side[0].endpoint);
	request_arrive(NULL, 0, &connect);
	accept_all(&connect, NULL, 0);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &result, NULL, 0, 0), ND_SUCCESS);
}

Test(connect, addresses_are_those_of_both_ends)
{
	struct nd_overlapped connect = {0};
	struct sockaddr_in local, remote;
	size_t length = 3;

	request_arrive(NULL, 0, &connect);
	cr_assert_eq(nd_connector_get_peer_address(
			     pair.side[1].connector, (struct sockaddr *)&remote, &length),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(length, sizeof(remote));
	/* ND-165: the application can query the addresses before it accepts the request. */
	cr_assert_eq(nd_connector_get_peer_address(
			     pair.side[1].connector, (struct sockaddr *)&remote, &length),
		ND_SUCCESS);
	cr_assert_eq(remote.sin_addr.s_addr, htonl(0xC0000201));
	cr_assert_eq(nd_connector_get_local_address(
			     pair.side[0].connector, (struct sockaddr *)&local, &length),
		ND_SUCCESS);
	cr_assert_eq(local.sin_port, remote.sin_port);
	cr_assert_eq(nd_connector_get_local_address(
			     pair.side[1].connector, (struct sockaddr *)&local, &length),
		ND_SUCCESS);
	cr_assert_eq(local.sin_port, pair.listen_port);
	accept_all(&connect, NULL, 0);
}
