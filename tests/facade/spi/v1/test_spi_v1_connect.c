/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about establishing connections, version 1 of
 * the SPI.
 */

#include <string.h>

#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../spi_counter.h"
#include "support/number.h"
#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];
static OVERLAPPED connecting, accepting, requesting;
static uint8_t data[200], got[200];

static void
setup(void)
{
	v1_open(&v1);
	for (unsigned int i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + 1);
}

/** Open adapters that soon time out a Connect that gets no reply. */
static void
setup_impatient(void)
{
	v1_connect_retries = 1;
	v1_open_with(&v1, "neighbour = 192.0.2.77 02:00:00:00:00:77");
}

TestSuite(spi_v1_connect, .init = setup, .fini = v1_teardown);
TestSuite(spi_v1_silent, .init = setup_impatient, .fini = v1_teardown);

static void
client_ready(void)
{
	client->connector = v1_connector(client);
	client->endpoint = v1_endpoint(client, client->connector, &v1_limits);
}

static HRESULT
connect_with_data(SIZE_T bytes)
{
	return INDConnector_Connect(client->connector, client->endpoint,
		(struct sockaddr *)&v1.listening, sizeof(v1.listening), IPPROTO_TCP, 0, data, bytes,
		&connecting);
}

static HRESULT
connected(void)
{
	return v1_finish(client->connector, ND_PENDING, &connecting);
}

static HRESULT
accepted(void)
{
	return v1_finish(server->connector, ND_PENDING, &accepting);
}

static void
complete(void)
{
	V1_OK(INDConnector_CompleteConnect(client->connector, &connecting));
	V1_OK(accepted());
	v1_alive(&v1);
}

static void
accept_and_complete(void)
{
	cr_assert_eq(v1_accept_call(&v1, &accepting), ND_PENDING);
	V1_OK(connected());
	complete();
}

/** Let the server reject the request. The client's Connect must be refused. */
static void
reject(void)
{
	V1_OK(INDConnector_Reject(server->connector, NULL, 0));
	cr_assert_eq(connected(), ND_CONNECTION_REFUSED);
}

/** Fail unless the private data that a side received begins with these bytes of `data`. */
static void
told(const struct v1_side *side, size_t from, size_t count)
{
	SIZE_T bytes = sizeof(got);

	V1_OK(INDConnector_GetConnectionData(side->connector, NULL, NULL, got, &bytes));
	cr_assert_eq(memcmp(got, data + from, count), 0);
}

/** Let the server wait for a connection request, with a new connector. */
static void
server_waits(void)
{
	server->connector = v1_connector(server);
	cr_assert_eq(INDListen_GetConnectionRequest(v1.listen, server->connector, &requesting),
		ND_PENDING);
}

/** Connect with this number of bytes of private data, and get the request at the server. */
static void
request_with_data(SIZE_T bytes)
{
	v1_listen(&v1);
	client_ready();
	server_waits();
	cr_assert_eq(connect_with_data(bytes), ND_PENDING);
	V1_OK(v1_finish(v1.listen, ND_PENDING, &requesting));
	server->endpoint = v1_endpoint(server, server->connector, &v1_limits);
}

/** Connect until the client has the reply. CompleteConnect is not called. */
static void
half_connected(void)
{
	v1_request(&v1, &connecting);
	cr_assert_eq(v1_accept_call(&v1, &accepting), ND_PENDING);
	V1_OK(connected());
}

Test(spi_v1_connect, nd_149_no_listener)
{
	client_ready();
	v1.listening = server->address;
	v1.listening.sin_port = htons(7777);
	cr_assert_eq((uint32_t)v1_connect_wait(&v1), 0xC0000236u);
}

Test(spi_v1_connect, nd_150_listener_that_was_released)
{
	v1_connect(&v1);
	v1_release(v1.listen);
	v1_release(client->endpoint);
	v1_release(client->connector);
	client_ready();
	cr_assert_eq(v1_connect_wait(&v1), ND_CONNECTION_REFUSED);
}

Test(spi_v1_connect, nd_151_address_of_zeros)
{
	client_ready();
	v1.listening.sin_family = AF_INET;
	v1.listening.sin_port = htons(7777);
	cr_assert_eq((uint32_t)v1_connect_wait(&v1), 0xC00000CCu);
}

Test(spi_v1_connect, nd_152_connect_waits_for_the_answer)
{
	v1_request(&v1, &connecting);
	v1_pending(client->connector, &connecting);
	accept_and_complete();
}

Test(spi_v1_connect, nd_153_active_side_rejects_the_answer)
{
	half_connected();
	V1_OK(INDConnector_Reject(client->connector, NULL, 0));
	cr_assert_eq(accepted(), ND_CONNECTION_REFUSED);
}

Test(spi_v1_connect, nd_154_active_side_releases_the_connector)
{
	half_connected();
	v1_release(client->connector);
	cr_assert_eq(accepted(), ND_CONNECTION_REFUSED);
}

Test(spi_v1_connect, nd_156_second_connect_is_refused)
{
	OVERLAPPED second = {0};

	half_connected();
	cr_assert_eq((uint32_t)v1_connect_call(&v1, &second), 0xC000023Bu);
	complete();
	cr_assert_eq(v1_connect_call(&v1, &second), ND_CONNECTION_ACTIVE);
}

Test(spi_v1_connect, nd_158_private_data_of_connect)
{
	v1_listen(&v1);
	client_ready();
	cr_assert_eq((uint32_t)connect_with_data(57), 0xC0000206u);
	server_waits();
	cr_assert_eq(connect_with_data(56), ND_PENDING);
	V1_OK(v1_finish(v1.listen, ND_PENDING, &requesting));
	told(server, 0, 56);
	server->endpoint = v1_endpoint(server, server->connector, &v1_limits);
	accept_and_complete();
}

Test(spi_v1_connect, nd_159_private_data_of_accept)
{
	v1_request(&v1, &connecting);
	cr_assert_eq(
		INDConnector_Accept(server->connector, server->endpoint, data, 149, &accepting),
		ND_INVALID_BUFFER_SIZE);
	cr_assert_eq(
		INDConnector_Accept(server->connector, server->endpoint, data, 148, &accepting),
		ND_PENDING);
	V1_OK(connected());
	told(client, 0, 148);
	complete();
}

Test(spi_v1_connect, nd_160_length_of_private_data)
{
	SIZE_T bytes = 0, again;

	request_with_data(36);
	cr_assert_eq(INDConnector_GetConnectionData(server->connector, NULL, NULL, NULL, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_geq(bytes, 36);
	again = bytes;
	V1_OK(INDConnector_GetConnectionData(server->connector, NULL, NULL, got, &again));
	cr_assert_eq(again, bytes);
	cr_assert_eq(memcmp(got, data, 36), 0);
	cr_assert_eq(got[36], 0);
	reject();
}

Test(spi_v1_connect, nd_161_private_data_in_both_directions)
{
	request_with_data(36);
	told(server, 0, 36);
	cr_assert_eq(INDConnector_Accept(
			     server->connector, server->endpoint, data + 100, 36, &accepting),
		ND_PENDING);
	V1_OK(connected());
	told(client, 100, 36);
	complete();
}

Test(spi_v1_connect, nd_162_40_bytes_of_private_data)
{
	ND_ADAPTER_INFO info;
	SIZE_T bytes = sizeof(info);

	V1_OK(INDAdapter_Query(client->adapter, 1, &info, &bytes));
	cr_assert_geq(info.MaxCallerData, 40);
	request_with_data(40);
	reject();
}

Test(spi_v1_connect, nd_163_short_buffer_gets_a_part)
{
	SIZE_T bytes = 10;

	request_with_data(36);
	cr_assert_eq(INDConnector_GetConnectionData(server->connector, NULL, NULL, got, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_geq(bytes, 36);
	cr_assert_eq(memcmp(got, data, 10), 0);
	cr_assert_eq(got[10], 0);
	reject();
}

Test(spi_v1_connect, nd_164_private_data_of_reject)
{
	v1_request(&v1, &connecting);
	cr_assert_eq(INDConnector_Reject(server->connector, data, 149), ND_INVALID_BUFFER_SIZE);
	V1_OK(INDConnector_Reject(server->connector, data, 148));
	cr_assert_eq(connected(), ND_CONNECTION_REFUSED);
	told(client, 0, 148);
}

Test(spi_v1_connect, nd_165_addresses_of_a_request)
{
	struct sockaddr_in own, peer;
	SIZE_T bytes = 0;

	v1_request(&v1, &connecting);
	cr_assert_eq(
		INDConnector_GetPeerAddress(server->connector, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(peer));
	V1_OK(INDConnector_GetPeerAddress(server->connector, (struct sockaddr *)&peer, &bytes));
	cr_assert_eq(peer.sin_addr.s_addr, client->address.sin_addr.s_addr);
	V1_OK(INDConnector_GetLocalAddress(client->connector, (struct sockaddr *)&own, &bytes));
	cr_assert_eq(own.sin_addr.s_addr, client->address.sin_addr.s_addr);
	cr_assert_eq(own.sin_port, peer.sin_port);
	reject();
}

/* Both sides connect to each other at the same time. For this, side 0 also listens. */
Test(spi_v1_connect, nd_166_connects_in_both_directions)
{
	struct v1_pair other = {.side = {v1.side[1], v1.side[0]}};
	static OVERLAPPED opposite;

	v1_request(&v1, &connecting);
	v1_request(&other, &opposite);
	V1_OK(INDConnector_Reject(other.side[1].connector, NULL, 0));
	cr_assert_eq(
		v1_finish(other.side[0].connector, ND_PENDING, &opposite), ND_CONNECTION_REFUSED);
	accept_and_complete();
}

Test(spi_v1_connect, nd_167_receives_of_an_accept_that_failed)
{
	ND_RESULT received;

	v1_request(&v1, &connecting);
	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(INDConnector_CancelOverlappedRequests(client->connector));
	cr_assert_eq(connected(), ND_CANCELED);
	/* Without a call of the server, its library detects that the attempt has ended. */
	while (INDConnector_GetConnectionData(server->connector, NULL, NULL, NULL, NULL) !=
		ND_CONNECTION_ABORTED)
		Sleep(1);
	cr_assert_eq(v1_accept_call(&v1, &accepting), ND_CONNECTION_ABORTED);
	V1_OK(INDEndpoint_Flush(server->endpoint));
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
}

Test(spi_v1_connect, nd_169_accept_waits_for_complete_connect)
{
	half_connected();
	v1_pending(server->connector, &accepting);
	complete();
}

Test(spi_v1_connect, nd_170_complete_connect_without_an_answer)
{
	client_ready();
	cr_assert_eq(INDConnector_CompleteConnect(client->connector, &connecting),
		ND_CONNECTION_INVALID);
	v1_release(client->endpoint);
	v1_release(client->connector);
	v1_request(&v1, &connecting);
	cr_assert_eq(
		INDConnector_CompleteConnect(client->connector, &accepting), ND_CONNECTION_INVALID);
}

Test(spi_v1_connect, nd_171_send_before_complete_connect)
{
	ND_RESULT sent;

	half_connected();
	cr_assert_eq(v1_send(client, &sent, 0, 8, 0), ND_CONNECTION_INVALID);
	complete();
}

Test(spi_v1_connect, nd_172_passive_side_sends_first)
{
	ND_RESULT sent, received;

	half_connected();
	V1_OK(v1_receive(client, &received, 0, 8));
	V1_OK(INDConnector_CompleteConnect(client->connector, &connecting));
	V1_OK(accepted());
	V1_OK(v1_send(server, &sent, 0, 8, 0));
	v1_done(server->out, &sent);
	v1_done(client->in, &received);
}

Test(spi_v1_silent, nd_173_connect_that_times_out_may_be_repeated)
{
	struct sockaddr_in listening;

	v1_listen(&v1);
	listening = v1.listening;
	client_ready();
	/* Nobody answers at this address, although its MAC address is known. */
	v1.listening.sin_addr.s_addr = htonl(0xC000024D);
	cr_assert_eq(v1_connect_call(&v1, &connecting), ND_PENDING);
	cr_assert_eq((uint32_t)connected(), 0x102u);
	v1.listening = listening;
	server_waits();
	cr_assert_eq(v1_connect_call(&v1, &connecting), ND_PENDING);
	V1_OK(v1_finish(v1.listen, ND_PENDING, &requesting));
	server->endpoint = v1_endpoint(server, server->connector, &v1_limits);
	cr_assert_eq(v1_accept_call(&v1, &accepting), ND_PENDING);
}

Test(spi_v1_connect, nd_175_attempt_is_abandoned)
{
	v1_request(&v1, &connecting);
	V1_OK(INDConnector_CancelOverlappedRequests(client->connector));
	cr_assert_eq(connected(), ND_CANCELED);
	for (unsigned int i = 0; i < 2; i++) {
		v1_release(v1.side[i].endpoint);
		v1_release(v1.side[i].connector);
	}
	v1_request(&v1, &connecting);
	v1_release(client->connector);
	cr_assert_eq(INDAdapter_GetOverlappedResult(client->adapter, &connecting, NULL, FALSE),
		ND_CANCELED);
}

Test(spi_v1_connect, nd_176_requests_are_served_in_order)
{
	INDConnector *connectors[3];
	static OVERLAPPED requests[3], connects[3];

	v1_listen(&v1);
	for (unsigned int i = 0; i < 3; i++) {
		connectors[i] = v1_connector(server);
		cr_assert_eq(INDListen_GetConnectionRequest(v1.listen, connectors[i], &requests[i]),
			ND_PENDING);
	}
	for (unsigned int i = 0; i < 3; i++) {
		SIZE_T bytes = sizeof(got);

		client_ready();
		data[0] = (uint8_t)(100 + i);
		cr_assert_eq(INDConnector_Connect(client->connector, client->endpoint,
				     (struct sockaddr *)&v1.listening, sizeof(v1.listening),
				     IPPROTO_TCP, 0, data, 1, &connects[i]),
			ND_PENDING);
		V1_OK(v1_finish(v1.listen, ND_PENDING, &requests[i]));
		if (i < 2)
			v1_pending(v1.listen, &requests[i + 1]);
		V1_OK(INDConnector_GetConnectionData(connectors[i], NULL, NULL, got, &bytes));
		cr_assert_eq(got[0], 100 + i);
	}
}

Test(spi_v1_connect, nd_177_released_listener_cancels_requests)
{
	v1_listen(&v1);
	server_waits();
	v1_release(v1.listen);
	cr_assert_eq(INDAdapter_GetOverlappedResult(server->adapter, &requesting, NULL, FALSE),
		ND_CANCELED);
}

/* Port 0 selects a port. An adapter has fewer listeners than ports, so listeners run out first. */
Test(spi_v1_connect, nd_178_port_is_chosen)
{
	static INDListen *listens[16385];
	unsigned int count = 0;
	HRESULT status;
	USHORT port;

	while ((status = INDAdapter_Listen(server->adapter, 0, 6, 0, &port, &listens[count])) ==
		ND_SUCCESS) {
		cr_assert_geq(ntohs(port), 49152);
		count++;
		cr_assert_lt(count, 16385);
	}
	cr_assert_eq(status, ND_INSUFFICIENT_RESOURCES, "%#x", (unsigned int)status);
	cr_assert_gt(count, 10);
	while (count-- > 0)
		v1_release(listens[count]);
}

Test(spi_v1_connect, nd_179_port_in_use)
{
	INDListen *first = NULL, *second = NULL;

	V1_OK(INDAdapter_Listen(server->adapter, 0, 6, htons(5000), NULL, &first));
	cr_assert_eq((uint32_t)INDAdapter_Listen(server->adapter, 0, 6, htons(5000), NULL, &second),
		0xC0000043u);
	cr_assert_null(second);
	v1_release(first);
	V1_OK(INDAdapter_Listen(server->adapter, 0, 6, htons(5000), NULL, &second));
	v1_release(second);
}

Test(spi_v1_connect, nd_180_ports_are_not_those_of_the_host)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	INDListen *listener = NULL;

	address.sin_addr.s_addr = htonl(INADDR_ANY);
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	cr_assert_eq(listen(fd, 1), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	V1_OK(INDAdapter_Listen(
		server->adapter, 0, IPPROTO_TCP, address.sin_port, NULL, &listener));
	v1_release(listener);
	close(fd);
}

Test(spi_v1_connect, nd_181_connections_come_and_go)
{
	time_t since = 0;

	for (unsigned int i = 0; !test_churn_over(&since) || i < 40; i++) {
		v1_connect(&v1);
		v1_alive(&v1);
		if (i % 2 == 0)
			v1_disconnect(&v1);
		for (unsigned int side = 0; side < 2; side++) {
			v1_release(v1.side[side].endpoint);
			v1_release(v1.side[side].connector);
		}
	}
	v1_connect(&v1);
}

/** @return number of requests that the server's listener dropped because its backlog was full */
static uint64_t
dropped(void)
{
	return spi_counter(1, "cm_drop_backlog");
}

Test(spi_v1_connect, backlog_bounds_what_waits)
{
	static OVERLAPPED connects[2];

	v1.listening = server->address;
	V1_OK(INDAdapter_Listen(
		server->adapter, 1, IPPROTO_TCP, 0, &v1.listening.sin_port, &v1.listen));
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(dropped(), 0);
		client_ready();
		cr_assert_eq(v1_connect_call(&v1, &connects[i]), ND_PENDING);
		v1_pending(client->connector, &connects[i]);
	}
	for (unsigned int i = 0; i < 100 && dropped() == 0; i++)
		v1_pending(client->connector, &connects[1]);
	cr_assert_gt(dropped(), 0);
	v1_release(v1.listen);
}
