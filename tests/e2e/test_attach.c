/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test endpoints that are created first and attached to a connector later. */

#include <criterion/criterion.h>

#include "support/nd_pair.h"

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_listen(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(attach, .init = setup, .fini = teardown);

static struct nd_connector *
connector_make(unsigned int side)
{
	struct nd_connector *connector = NULL;

	cr_assert_eq(nd_adapter_create_connector(pair.side[side].adapter, &connector), ND_SUCCESS);
	return connector;
}

static nd_status
connect_start(
	struct nd_connector *connector, struct nd_endpoint *endpoint, struct nd_overlapped *connect)
{
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&pair, &address);

	return nd_connector_connect(
		connector, endpoint, (struct sockaddr *)&address, length, 6, 0, NULL, 0, connect);
}

static nd_status
receive_post(unsigned int side, struct nd_result *result)
{
	struct nd_sge sge = {pair.side[side].memory, 4096, pair.side[side].mr};

	return nd_endpoint_receive(pair.side[side].endpoint, result, &sge, 1);
}

/*
 * The passive side creates an endpoint and posts a receive before a request arrives. The request
 * has a new connector, to which the endpoint is attached. The peer's message uses the receive, and
 * the read limits of the attach call apply.
 */
Test(attach, request_gets_an_endpoint_that_was_made_before)
{
	static struct nd_overlapped connect, request, accept;
	static struct nd_result receive, send;
	struct nd_connector *asked = connector_make(1);
	struct nd_sge sge = {pair.side[0].memory, 100, pair.side[0].mr};
	size_t inbound, outbound;

	nd_pair_endpoint(&pair, 0);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(receive_post(1, &receive), ND_SUCCESS);
	cr_assert_eq(
		connect_start(pair.side[0].connector, pair.side[0].endpoint, &connect), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_listener_get_connection_request(pair.listener, asked, &request),
			     &request),
		ND_SUCCESS);
	ASSERT_ND(nd_connector_accept(asked, pair.side[1].endpoint, NULL, 0, &accept),
		ND_INVALID_PARAMETER_1);
	cr_assert_eq(nd_connector_attach_endpoint(asked, pair.side[1].endpoint, 3, 2), ND_SUCCESS);
	/* The connector to which the endpoint belonged before can be released. */
	cr_assert_eq(nd_connector_release(pair.side[1].connector), ND_SUCCESS);
	pair.side[1].connector = asked;
	cr_assert_eq(nd_connector_attach_endpoint(asked, pair.side[1].endpoint, 2, 1), ND_SUCCESS);
	cr_assert_eq(
		nd_connector_accept(asked, pair.side[1].endpoint, NULL, 0, &accept), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(nd_connector_get_connection_data(
			     pair.side[0].connector, &inbound, &outbound, NULL, NULL),
		ND_SUCCESS);
	cr_assert_eq(inbound, 1);
	cr_assert_eq(outbound, 2);
	cr_assert_eq(nd_connector_complete_connect(pair.side[0].connector, NULL), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &accept), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &send, &sge, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &receive), ND_SUCCESS);
	cr_assert_eq(receive.bytes_transferred, 100);
	cr_assert_eq(nd_connector_attach_endpoint(connector_make(1), pair.side[1].endpoint, 0, 0),
		ND_CONNECTION_ACTIVE);
}

Test(attach, endpoint_of_a_refused_connect_goes_to_another_connector)
{
	static struct nd_overlapped connect, again;
	struct nd_connector *second = connector_make(0);

	nd_pair_endpoint(&pair, 0);
	cr_assert_eq(nd_listener_release(pair.listener), ND_SUCCESS);
	pair.listener = NULL;
	cr_assert_eq(
		connect_start(pair.side[0].connector, pair.side[0].endpoint, &connect), ND_PENDING);
	cr_assert_eq(nd_connector_attach_endpoint(second, pair.side[0].endpoint, 1, 1),
		ND_CONNECTION_ACTIVE);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	cr_assert_eq(nd_connector_attach_endpoint(second, pair.side[0].endpoint, 1, 1), ND_SUCCESS);
	ASSERT_ND(connect_start(pair.side[0].connector, pair.side[0].endpoint, &again),
		ND_INVALID_PARAMETER_1);
	cr_assert_eq(connect_start(second, pair.side[0].endpoint, &again), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &again), ND_CONNECTION_REFUSED);
}

Test(attach, refusals)
{
	struct nd_connector *other = connector_make(0), *foreign = connector_make(1);
	struct nd_endpoint *endpoint;

	nd_pair_endpoint(&pair, 0);
	endpoint = pair.side[0].endpoint;
	ASSERT_ND(nd_connector_attach_endpoint(other, NULL, 0, 0), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_connector_attach_endpoint(foreign, endpoint, 0, 0), ND_INVALID_PARAMETER_1);
	/* nd_pair_endpoint() limits an endpoint to four Reads, so five are refused. */
	ASSERT_ND(nd_connector_attach_endpoint(other, endpoint, 5, 0), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_connector_attach_endpoint(other, endpoint, 4, 129), ND_INVALID_PARAMETER_3);
	cr_assert_eq(nd_connector_attach_endpoint(other, endpoint, 4, 128), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_flush(endpoint), ND_SUCCESS);
	cr_assert_eq(nd_connector_attach_endpoint(pair.side[0].connector, endpoint, 0, 0),
		ND_INVALID_DEVICE_STATE);
}
