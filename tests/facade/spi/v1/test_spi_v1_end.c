/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about read limits and about the end of
 * connections, version 1 of the SPI.
 */

#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];
static OVERLAPPED notify[2], disconnecting[2];

TestSuite(spi_v1_end, .init = v1_setup_open, .fini = v1_teardown);

static HRESULT
notified(unsigned int side)
{
	return v1_finish(v1.side[side].connector, ND_PENDING, &notify[side]);
}

static void
watch(unsigned int side)
{
	cr_assert_eq(
		INDConnector_NotifyDisconnect(v1.side[side].connector, &notify[side]), ND_PENDING);
}

/** Connect the client with these read limits, and get the request at the server. */
static void
request_with_reads(SIZE_T inbound, SIZE_T outbound, OVERLAPPED *connect)
{
	const struct v1_limits limits = {4, V1_ENTRIES, 1, 1, inbound, outbound};
	OVERLAPPED request = {0};

	v1_listen(&v1);
	client->connector = v1_connector(client);
	server->connector = v1_connector(server);
	client->endpoint = v1_endpoint(client, client->connector, &limits);
	cr_assert_eq(
		INDListen_GetConnectionRequest(v1.listen, server->connector, &request), ND_PENDING);
	cr_assert_eq(v1_connect_call(&v1, connect), ND_PENDING);
	V1_OK(v1_finish(v1.listen, ND_PENDING, &request));
}

/** Let the server accept with these read limits, and complete the connection. */
static void
accept_with_reads(SIZE_T inbound, SIZE_T outbound, OVERLAPPED *connect)
{
	const struct v1_limits limits = {4, V1_ENTRIES, 1, 1, inbound, outbound};
	OVERLAPPED accept = {0};
	SIZE_T in = 99, out = 99;

	server->endpoint = v1_endpoint(server, server->connector, &limits);
	cr_assert_eq(v1_accept_call(&v1, &accept), ND_PENDING);
	V1_OK(v1_finish(client->connector, ND_PENDING, connect));
	V1_OK(INDConnector_GetConnectionData(client->connector, &in, &out, NULL, NULL));
	cr_assert_eq(in, outbound);
	cr_assert_eq(out, inbound);
	V1_OK(INDConnector_CompleteConnect(client->connector, connect));
	V1_OK(v1_finish(server->connector, ND_PENDING, &accept));
}

/**
 * Post a Read. If the call succeeds, take the result, and fail unless it is a success.
 * @return status of the call
 */
static HRESULT
reads_work(struct v1_side *reader, struct v1_side *other)
{
	ND_MW_DESCRIPTOR remote = v1_bound(other, 0, 4096, V1_BOTH);
	HRESULT status = ND_SUCCESS;
	ND_RESULT read[16];

	for (unsigned int i = 0; i < 16 && status == ND_SUCCESS; i++)
		status = v1_read(reader, &read[i], 4096, 4096, &remote, 0);
	for (unsigned int i = 0; i < 16 && status == ND_SUCCESS; i++)
		v1_done(reader->out, &read[i]);
	return status;
}

Test(spi_v1_end, nd_182_passive_side_sees_and_lowers_limits)
{
	OVERLAPPED connect = {0};
	SIZE_T inbound = 99, outbound = 99;

	request_with_reads(3, 5, &connect);
	V1_OK(INDConnector_GetConnectionData(server->connector, &inbound, &outbound, NULL, NULL));
	cr_assert_eq(inbound, 5);
	cr_assert_eq(outbound, 3);
	accept_with_reads(2, 1, &connect);
	V1_OK(reads_work(client, server));
	V1_OK(reads_work(server, client));
}

Test(spi_v1_end, nd_184_limits_are_those_of_the_other_direction)
{
	OVERLAPPED connect = {0};
	SIZE_T inbound = 99, outbound = 99;

	request_with_reads(0, 7, &connect);
	V1_OK(INDConnector_GetConnectionData(server->connector, &inbound, NULL, NULL, NULL));
	V1_OK(INDConnector_GetConnectionData(server->connector, NULL, &outbound, NULL, NULL));
	cr_assert_eq(inbound, 7);
	cr_assert_eq(outbound, 0);
	accept_with_reads(7, 0, &connect);
}

Test(spi_v1_end, nd_185_active_side_has_the_limits_of_the_accept)
{
	OVERLAPPED connect = {0};

	request_with_reads(4, 4, &connect);
	accept_with_reads(0, 4, &connect);
	cr_assert(FAILED(reads_work(client, server)));
	V1_OK(reads_work(server, client));
}

Test(spi_v1_end, nd_186_surplus_reads_wait_and_complete_in_order)
{
	OVERLAPPED connect = {0};

	request_with_reads(1, 1, &connect);
	accept_with_reads(1, 1, &connect);
	V1_OK(reads_work(client, server));
}

Test(spi_v1_end, nd_188_read_with_a_limit_of_0)
{
	ND_MW_DESCRIPTOR remote;
	OVERLAPPED connect = {0};
	ND_RESULT read;

	request_with_reads(0, 0, &connect);
	accept_with_reads(0, 0, &connect);
	remote = v1_bound(server, 0, 64, V1_BOTH);
	cr_assert_eq(v1_read(client, &read, 0, 64, &remote, 0), ND_INVALID_REQUEST);
	v1_quiet(client->out);
}

Test(spi_v1_end, nd_189_disconnect_cancels_what_is_outstanding)
{
	ND_RESULT received[2], sent;

	v1_connect(&v1);
	V1_OK(v1_receive(client, &received[0], 0, 8));
	V1_OK(v1_receive(client, &received[1], 0, 8));
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	v1_disconnect(&v1);
	cr_assert_eq(v1_expect(client->in, &received[0]), ND_CANCELED);
	cr_assert_eq(v1_expect(client->in, &received[1]), ND_CANCELED);
	cr_assert_eq(v1_expect(client->out, &sent), ND_CANCELED);
}

Test(spi_v1_end, nd_190_disconnected_endpoint_and_connector_stay_so)
{
	OVERLAPPED overlapped = {0};
	HRESULT status;

	v1_connect(&v1);
	v1_disconnect(&v1);
	status = v1_connect_call(&v1, &overlapped);
	cr_assert_eq(status, ND_INVALID_DEVICE_STATE);
	v1_release(client->endpoint);
	cr_assert(FAILED(INDConnector_CreateEndpoint(client->connector, client->in, client->out, 1,
		1, 1, 1, 0, 0, NULL, &client->endpoint)));
}

Test(spi_v1_end, nd_191_disconnect_of_an_unconnected_connector)
{
	client->connector = v1_connector(client);
	cr_assert_eq(INDConnector_Disconnect(client->connector, &disconnecting[0]),
		ND_CONNECTION_INVALID);
}

Test(spi_v1_end, nd_192_notify_disconnect)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT written;

	v1_connect(&v1);
	watch(1);
	v1_pending(server->connector, &notify[1]);
	v1_disconnect(&v1);
	V1_OK(notified(1));
	v1_reconnect(&v1);
	/* Let the connection break. */
	remote = v1_bound(server, 0, 64, ND_OP_FLAG_ALLOW_READ);
	watch(0);
	watch(1);
	V1_OK(v1_write(client, &written, 0, 64, &remote, 0));
	cr_assert_eq(v1_expect(client->out, &written), ND_REMOTE_ERROR);
	V1_OK(notified(0));
	V1_OK(notified(1));
}

Test(spi_v1_end, nd_193_notify_disconnect_of_a_connector_that_was_never_connected)
{
	client->connector = v1_connector(client);
	cr_assert_eq(INDConnector_NotifyDisconnect(client->connector, &notify[0]),
		ND_CONNECTION_INVALID);
}

Test(spi_v1_end, nd_194_notify_disconnect_is_cancelled)
{
	v1_connect(&v1);
	watch(0);
	V1_OK(INDConnector_CancelOverlappedRequests(client->connector));
	cr_assert_eq(notified(0), ND_CANCELED);
	v1_alive(&v1);
}

Test(spi_v1_end, nd_195_own_disconnect_ends_notify_disconnect)
{
	v1_connect(&v1);
	watch(0);
	v1_disconnect(&v1);
	cr_assert_eq(notified(0), ND_CANCELED);
}

Test(spi_v1_end, nd_196_receive_ends_when_the_peer_disconnects)
{
	ND_RESULT received;

	v1_connect(&v1);
	V1_OK(v1_receive(server, &received, 0, 8));
	v1_disconnect(&v1);
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
}

Test(spi_v1_end, nd_197_disconnect_ends_behind_all_transfers)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT received, read, *got;

	v1_connect(&v1);
	remote = v1_bound(server, 0, 60000, V1_BOTH);
	V1_OK(v1_receive(client, &received, 0, 8));
	v1_hold();
	V1_OK(v1_read(client, &read, 0, 60000, &remote, ND_OP_FLAG_SILENT_SUCCESS));
	cr_assert_eq(INDConnector_Disconnect(client->connector, &disconnecting[0]), ND_PENDING);
	/*
	 * Only the client is polled, so the peer has not replied and Disconnect is still pending.
	 */
	v1_turns(0);
	cr_assert_not(HasOverlappedIoCompleted(&disconnecting[0]));
	v1_let();
	V1_OK(v1_finish(client->connector, ND_PENDING, &disconnecting[0]));
	cr_assert_eq(INDCompletionQueue_GetResults(client->in, &got, 1), 1);
	cr_assert_eq(got, &received);
	cr_assert_eq(INDCompletionQueue_GetResults(client->out, &got, 1), 1);
	cr_assert_eq(got->Status, ND_CANCELED);
}

Test(spi_v1_end, nd_198_there_is_no_half_closed_connection)
{
	ND_RESULT result;

	v1_connect(&v1);
	watch(1);
	v1_disconnect(&v1);
	cr_assert_eq(v1_send(client, &result, 0, 8, 0), ND_CONNECTION_INVALID);
	V1_OK(notified(1));
	cr_assert_eq(v1_send(server, &result, 0, 8, 0), ND_CONNECTION_INVALID);
}

Test(spi_v1_end, nd_200_last_release_of_an_endpoint_disconnects)
{
	ND_RESULT received, own;

	v1_connect(&v1);
	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(v1_receive(client, &own, 0, 8));
	watch(1);
	v1_release(client->endpoint);
	V1_OK(notified(1));
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
	cr_assert_eq(v1_expect(client->in, &own), ND_CANCELED);
}

Test(spi_v1_end, nd_201_results_of_a_released_endpoint)
{
	ND_RESULT sent, received;

	v1_connect(&v1);
	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	v1_done(server->in, &received);
	v1_hold();
	v1_turns(0);
	v1_release(client->endpoint);
	v1_let();
	v1_done(client->out, &sent);
}

Test(spi_v1_end, nd_202_both_sides_disconnect)
{
	for (unsigned int round = 0; round < 20; round++) {
		v1_connect(&v1);
		v1_alive(&v1);
		v1_hold();
		for (unsigned int i = 0; i < 2; i++)
			cr_assert_eq(
				INDConnector_Disconnect(v1.side[i].connector, &disconnecting[i]),
				ND_PENDING);
		v1_let();
		for (unsigned int i = 0; i < 2; i++) {
			V1_OK(v1_finish(v1.side[i].connector, ND_PENDING, &disconnecting[i]));
			v1_release(v1.side[i].connector);
			v1_release(v1.side[i].endpoint);
		}
	}
}
