/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of ND statements (docs/rules.md, ND I and J), version 2 of the SPI: connection setup. */

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

#include "spi_counter.h"
#include "spi_scene.h"

#define CALLER_BYTES   56
#define CALLEE_BYTES   148
/** A number above the maximum number of listeners of an adapter. */
#define LISTENERS_MANY 1024

TestSuite(spi_nd_connect, .init = scene_open, .fini = scene_close);

/** Open adapters that soon time out a Connect that gets no answer. */
static void
open_impatient(void)
{
	scene_open_with("peer_timeout_ms = 100", 1);
}

TestSuite(spi_nd_connect_impatient, .init = open_impatient, .fini = scene_close);

static HRESULT
connect_to(const struct sockaddr_in *to)
{
	OVERLAPPED overlapped;

	return spi_pair_finish(PEER->connector,
		scene_connect_post(PEER->connector, to, 1, 1, 0, &overlapped), &overlapped);
}

Test(spi_nd_connect, nd_149_connect_without_listener)
{
	struct sockaddr_in to;

	memcpy(&to, &OWNER->address, sizeof(to));
	to.sin_port = htons(7);
	PEER->connector = scene_connector(PEER);
	ASSERT_HR(connect_to(&to), ND_CONNECTION_REFUSED);
}

Test(spi_nd_connect, nd_150_connect_after_the_listener)
{
	struct sockaddr_in to;

	spi_pair_listen(&scene);
	to = scene_listening();
	PEER->connector = scene_connector(PEER);
	cr_assert_eq(IND2Listener_Release(scene.listener), 0);
	scene.listener = NULL;
	ASSERT_HR(connect_to(&to), ND_CONNECTION_REFUSED);
}

/*
 * A Connect to 0.0.0.0 returns STATUS_BAD_NETWORK_NAME. A Connect to the own address or to port 0
 * returns ND_INVALID_ADDRESS.
 */
Test(spi_nd_connect, nd_151_connect_to_no_address)
{
	struct sockaddr_in to;

	spi_pair_listen(&scene);
	to = scene_listening();
	PEER->connector = scene_connector(PEER);
	to.sin_addr.s_addr = 0;
	ASSERT_HR(connect_to(&to), (HRESULT)0xC00000CC);
	memcpy(&to, &PEER->address, sizeof(to));
	to.sin_port = scene_listening().sin_port;
	ASSERT_HR(connect_to(&to), ND_INVALID_ADDRESS);
	to = scene_listening();
	to.sin_port = 0;
	ASSERT_HR(connect_to(&to), ND_INVALID_ADDRESS);
}

Test(spi_nd_connect, nd_152_connect_waits_for_the_answer)
{
	static OVERLAPPED connect, accept;

	for (unsigned int i = 0; i < 2; i++) {
		scene_request(1, 1, 0, &connect);
		scene_quiet();
		ASSERT_HR(IND2Connector_GetOverlappedResult(PEER->connector, &connect, FALSE),
			ND_PENDING);
		if (i == 0) {
			ASSERT_HR(IND2Connector_Reject(OWNER->connector, NULL, 0), ND_SUCCESS);
			ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect),
				ND_CONNECTION_REFUSED);
		}
	}
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
}

/** After an Accept, let the active side reject, or release its connector. */
static void
back_out(bool release)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	if (release)
		scene_release(PEER->connector);
	else
		ASSERT_HR(IND2Connector_Reject(PEER->connector, NULL, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, &accept), ND_CONNECTION_REFUSED);
}

Test(spi_nd_connect, nd_153_active_side_rejects)
{
	back_out(false);
}

Test(spi_nd_connect, nd_154_active_side_releases)
{
	back_out(true);
}

Test(spi_nd_connect, nd_155_connector_is_bound_once)
{
	ASSERT_HR(IND2Connector_Bind(scene_connector(PEER), (struct sockaddr *)&PEER->address,
			  sizeof(struct sockaddr_in)),
		(HRESULT)0xC0000238);
}

Test(spi_nd_connect, nd_156_connector_connects_once)
{
	static OVERLAPPED connect, accept, again;
	struct sockaddr_in to;

	scene_request(1, 1, 0, &connect);
	to = scene_listening();
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &again), ND_CONNECTION_ACTIVE);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &again), ND_CONNECTION_ACTIVE);
	scene_complete(&connect, &accept);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &again), ND_CONNECTION_ACTIVE);
	scene_alive();
}

/* A second Bind of a listener returns STATUS_ADDRESS_ALREADY_ASSOCIATED. A second Listen fails. */
Test(spi_nd_connect, nd_157_listener_is_bound_and_listens_once)
{
	spi_pair_listen(&scene);
	ASSERT_HR(IND2Listener_Bind(scene.listener, (struct sockaddr *)&OWNER->address,
			  sizeof(struct sockaddr_in)),
		STATUS_ADDRESS_ALREADY_ASSOCIATED);
	cr_assert(FAILED(IND2Listener_Listen(scene.listener, 0)));
}

/*
 * A Connect with a byte of private data too many returns ND_INVALID_BUFFER_SIZE. The same connector
 * can connect afterwards.
 */
Test(spi_nd_connect, nd_158_connect_with_too_much_data)
{
	static OVERLAPPED connect, accept, asked;
	struct sockaddr_in to;

	spi_pair_listen(&scene);
	to = scene_listening();
	PEER->connector = scene_connector(PEER);
	OWNER->connector = scene_connector(OWNER);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, CALLER_BYTES + 1, &connect),
		ND_INVALID_BUFFER_SIZE);
	ASSERT_HR(
		scene_connect_post(PEER->connector, &to, 1, 1, CALLER_BYTES, &connect), ND_PENDING);
	ASSERT_HR(spi_pair_finish(scene.listener,
			  IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)OWNER->connector, &asked),
			  &asked),
		ND_SUCCESS);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	scene_alive();
}

/*
 * An Accept with a byte of private data too many returns ND_INVALID_BUFFER_SIZE. The same connector
 * can accept afterwards.
 */
Test(spi_nd_connect, nd_159_accept_with_too_much_data)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, CALLEE_BYTES + 1, &accept), ND_INVALID_BUFFER_SIZE);
	ASSERT_HR(scene_accept_post(1, 1, CALLEE_BYTES, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	scene_alive();
}

/** Fail unless the private data that the connector received begins with these bytes. */
static void
data_check(IND2Connector *connector, const uint8_t *expected, size_t count)
{
	uint8_t data[256];
	ULONG bytes = 0;

	ASSERT_HR(IND2Connector_GetPrivateData(connector, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert(bytes >= count && bytes <= sizeof(data), "%u bytes", bytes);
	ASSERT_HR(IND2Connector_GetPrivateData(connector, data, &bytes), ND_SUCCESS);
	cr_assert_eq(memcmp(data, expected, count), 0);
}

static const uint8_t caller_data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
	19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
static const uint8_t callee_data[36] = {9, 8, 7};

/*
 * GetPrivateData without a buffer returns ND_BUFFER_OVERFLOW and the length. With a buffer it
 * returns the peer's bytes.
 */
Test(spi_nd_connect, nd_160_length_of_private_data)
{
	static OVERLAPPED connect, other;

	scene_request(1, 1, 5, &connect);
	data_check(OWNER->connector, caller_data, 5);
	scene_keep(PEER->qp);
	PEER->qp = scene_queue_pair(PEER, PEER->cq, PEER->cq);
	scene_request(1, 1, 0, &other);
	data_check(OWNER->connector, caller_data, 0);
}

Test(spi_nd_connect, nd_161_private_data_in_both_directions)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 1, 36, &connect);
	data_check(OWNER->connector, caller_data, 36);
	ASSERT_HR(scene_accept_post(1, 1, 36, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	data_check(PEER->connector, callee_data, 36);
}

Test(spi_nd_connect, nd_162_forty_bytes_of_private_data)
{
	static OVERLAPPED connect;

	scene_request(1, 1, 40, &connect);
	data_check(OWNER->connector, caller_data, 40);
}

/*
 * GetPrivateData with a small buffer returns a part of the data, the required length and
 * ND_BUFFER_OVERFLOW.
 */
Test(spi_nd_connect, nd_163_part_of_private_data)
{
	static OVERLAPPED connect;
	uint8_t data[8] = {0};
	ULONG bytes = 4;

	scene_request(1, 1, 8, &connect);
	ASSERT_HR(IND2Connector_GetPrivateData(OWNER->connector, data, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_geq(bytes, 8);
	cr_assert_eq(memcmp(data, (uint8_t[]){1, 2, 3, 4, 0, 0, 0, 0}, 8), 0);
}

/*
 * After a Reject, the Connect ends with ND_CONNECTION_REFUSED, and the active side can read the
 * Reject's private data.
 */
Test(spi_nd_connect, nd_164_private_data_of_reject)
{
	static OVERLAPPED connect;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(IND2Connector_Reject(OWNER->connector, caller_data, 40), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	data_check(PEER->connector, caller_data, 40);
}

Test(spi_nd_connect, nd_165_address_of_the_peer_before_accept)
{
	struct sockaddr_in peer = {0}, local = {0};
	ULONG bytes = 4;
	static OVERLAPPED connect;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(IND2Connector_GetPeerAddress(OWNER->connector, (struct sockaddr *)&peer, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(peer));
	ASSERT_HR(IND2Connector_GetPeerAddress(OWNER->connector, (struct sockaddr *)&peer, &bytes),
		ND_SUCCESS);
	ASSERT_HR(IND2Connector_GetLocalAddress(PEER->connector, (struct sockaddr *)&local, &bytes),
		ND_SUCCESS);
	cr_assert_eq(peer.sin_addr.s_addr, local.sin_addr.s_addr);
	cr_assert_eq(peer.sin_port, local.sin_port);
}

static IND2Listener *
peer_listener(struct sockaddr_in *address)
{
	IND2Listener *listener = NULL;
	ULONG bytes = sizeof(*address);

	ASSERT_HR(IND2Adapter_CreateListener(
			  PEER->adapter, &IID_IND2Listener, PEER->file, (void **)&listener),
		ND_SUCCESS);
	scene_keep(listener);
	ASSERT_HR(IND2Listener_Bind(listener, (struct sockaddr *)&PEER->address, sizeof(*address)),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_Listen(listener, 0), ND_SUCCESS);
	ASSERT_HR(IND2Listener_GetLocalAddress(listener, (struct sockaddr *)address, &bytes),
		ND_SUCCESS);
	return listener;
}

/* If one of two connects in opposite directions is rejected, the other connect still succeeds. */
Test(spi_nd_connect, nd_166_connects_head_to_head)
{
	struct sockaddr_in to_peer, to_owner;
	IND2Listener *listener = peer_listener(&to_peer);
	IND2Connector *active = scene_connector(OWNER), *passive = scene_connector(OWNER);
	IND2Connector *back = spi_pair_connector(&scene, 0);
	static OVERLAPPED connect, other, asked[2], accept;

	scene_keep(back);
	spi_pair_listen(&scene);
	to_owner = scene_listening();
	PEER->connector = scene_connector(PEER);
	OWNER->connector = passive;
	ASSERT_HR(IND2Connector_Bind(
			  active, (struct sockaddr *)&OWNER->address, sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	ASSERT_HR(scene_connect_post(PEER->connector, &to_owner, 1, 1, 0, &connect), ND_PENDING);
	ASSERT_HR(IND2Connector_Connect(active,
			  (IUnknown *)scene_queue_pair(OWNER, OWNER->cq, OWNER->cq),
			  (struct sockaddr *)&to_peer, sizeof(to_peer), 1, 1, NULL, 0, &other),
		ND_PENDING);
	ASSERT_HR(spi_pair_finish(listener,
			  IND2Listener_GetConnectionRequest(listener, (IUnknown *)back, &asked[0]),
			  &asked[0]),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(scene.listener,
			  IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)passive, &asked[1]),
			  &asked[1]),
		ND_SUCCESS);
	ASSERT_HR(IND2Connector_Reject(back, NULL, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(active, ND_PENDING, &other), ND_CONNECTION_REFUSED);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	scene_alive();
}

/*
 * If the peer has ended the attempt, Accept returns ND_CONNECTION_ABORTED. Flush then completes the
 * Receives.
 */
Test(spi_nd_connect, nd_167_accept_of_an_aborted_request)
{
	static OVERLAPPED connect, accept;
	HRESULT status = ND_CONNECTION_INVALID;

	scene_receive(OWNER, 1, 0, 8);
	scene_request(1, 1, 0, &connect);
	scene_release(PEER->connector);
	ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, &connect), ND_CANCELED);
	scene_quiet();
	status = spi_pair_finish(OWNER->connector, scene_accept_post(1, 1, 0, &accept), &accept);
	ASSERT_HR(status, ND_CONNECTION_ABORTED);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_CANCELED);
}

Test(spi_nd_connect, nd_168_message_before_accept_is_reported)
{
	static OVERLAPPED connect, accept;

	scene_receive(OWNER, 1, 0, 8);
	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	ASSERT_HR(IND2Connector_CompleteConnect(PEER->connector, &connect), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, &accept), ND_SUCCESS);
}

Test(spi_nd_connect, nd_169_accept_waits_for_complete_connect)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	scene_quiet();
	ASSERT_HR(IND2Connector_GetOverlappedResult(OWNER->connector, &accept, FALSE), ND_PENDING);
	scene_complete(&connect, &accept);
}

Test(spi_nd_connect, nd_170_nothing_to_complete)
{
	static OVERLAPPED connect, overlapped;

	ASSERT_HR(IND2Connector_CompleteConnect(scene_connector(PEER), &overlapped),
		ND_CONNECTION_INVALID);
	scene_request(1, 1, 0, &connect);
	ASSERT_HR(
		IND2Connector_CompleteConnect(PEER->connector, &overlapped), ND_CONNECTION_INVALID);
	ASSERT_HR(IND2Connector_CompleteConnect(OWNER->connector, &overlapped),
		ND_CONNECTION_INVALID);
}

Test(spi_nd_connect, nd_171_send_before_complete_connect)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_send_post(PEER, 1, 0, 8, 0), ND_CONNECTION_INVALID);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 1, 0, 8, 0), ND_CONNECTION_INVALID);
	scene_complete(&connect, &accept);
	scene_quiet();
	scene_alive();
}

Test(spi_nd_connect, nd_172_passive_side_sends_first)
{
	static OVERLAPPED connect, accept;

	scene_receive(PEER, 1, 0, 8);
	scene_request(1, 1, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	ASSERT_HR(scene_send_post(OWNER, 2, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
}

/* A Connect that gets no answer ends with ND_IO_TIMEOUT. The Connect may be repeated. */
Test(spi_nd_connect_impatient, nd_174_timed_out_connect_may_be_repeated)
{
	static OVERLAPPED connect, accept, asked;
	struct sockaddr_in to;

	/* Poll both engines on this thread only, because the timeouts are short for both sides. */
	scene_hold();
	spi_pair_listen(&scene);
	to = scene_listening();
	PEER->connector = scene_connector(PEER);
	OWNER->connector = scene_connector(OWNER);
	/* Connect once, so that the hardware address of the peer is known afterwards. */
	to.sin_port = htons(7);
	ASSERT_HR(connect_to(&to), ND_CONNECTION_REFUSED);
	to = scene_listening();
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &connect), ND_PENDING);
	while (!HasOverlappedIoCompleted(&connect))
		scene_turn(PEER, 1);
	ASSERT_HR(
		IND2Connector_GetOverlappedResult(PEER->connector, &connect, FALSE), ND_IO_TIMEOUT);
	ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &connect), ND_PENDING);
	/* The owner first gets the requests of the first attempt. Their Accepts fail. */
	while (!HasOverlappedIoCompleted(&connect)) {
		scene_keep(OWNER->connector);
		OWNER->connector = scene_connector(OWNER);
		ASSERT_HR(spi_pair_finish(scene.listener,
				  IND2Listener_GetConnectionRequest(
					  scene.listener, (IUnknown *)OWNER->connector, &asked),
				  &asked),
			ND_SUCCESS);
		scene_keep(OWNER->qp);
		OWNER->qp = scene_queue_pair(OWNER, OWNER->cq, OWNER->cq);
		if (scene_accept_post(1, 1, 0, &accept) != ND_PENDING)
			continue;
		while (!HasOverlappedIoCompleted(&connect) && !HasOverlappedIoCompleted(&accept))
			(void)IND2Connector_GetOverlappedResult(OWNER->connector, &accept, FALSE);
	}
	scene_complete(&connect, &accept);
	scene_alive();
	scene_let_go();
}

Test(spi_nd_connect, nd_175_abandoned_connect)
{
	static OVERLAPPED connect;

	for (unsigned int i = 0; i < 2; i++) {
		scene_request(1, 1, 0, &connect);
		if (i == 0)
			ASSERT_HR(IND2Connector_CancelOverlappedRequests(PEER->connector),
				ND_SUCCESS);
		else
			scene_release(PEER->connector);
		ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, &connect), ND_CANCELED);
	}
}

Test(spi_nd_connect, nd_176_requests_are_served_in_order)
{
	IND2Connector *waiting[3];
	static OVERLAPPED asked[3], connect;
	struct sockaddr_in to;

	spi_pair_listen(&scene);
	to = scene_listening();
	for (unsigned int i = 0; i < 3; i++) {
		waiting[i] = scene_connector(OWNER);
		ASSERT_HR(IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)waiting[i], &asked[i]),
			ND_PENDING);
	}
	for (unsigned int i = 0; i < 3; i++) {
		PEER->connector = scene_connector(PEER);
		ASSERT_HR(scene_connect_post(PEER->connector, &to, 1, 1, 0, &connect), ND_PENDING);
		ASSERT_HR(spi_pair_finish(scene.listener, ND_PENDING, &asked[i]), ND_SUCCESS);
		for (unsigned int n = i + 1; n < 3; n++)
			ASSERT_HR(
				IND2Listener_GetOverlappedResult(scene.listener, &asked[n], FALSE),
				ND_PENDING);
		ASSERT_HR(IND2Connector_Reject(waiting[i], NULL, 0), ND_SUCCESS);
		ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect),
			ND_CONNECTION_REFUSED);
	}
}

Test(spi_nd_connect, nd_177_released_listener_cancels_requests)
{
	IND2Connector *connector = scene_connector(OWNER);
	OVERLAPPED asked = {0};

	spi_pair_listen(&scene);
	ASSERT_HR(IND2Listener_GetConnectionRequest(scene.listener, (IUnknown *)connector, &asked),
		ND_PENDING);
	cr_assert_eq(IND2Listener_Release(scene.listener), 0);
	scene.listener = NULL;
	ASSERT_HR(spi_pair_finish(connector, ND_PENDING, &asked), ND_CANCELED);
}

/**
 * Create a listener and listen on this port. @param port in network byte order @param listener set
 * on success
 */
static HRESULT
listen_on(uint16_t port, IND2Listener **listener)
{
	struct sockaddr_in address;
	HRESULT status;

	memcpy(&address, &OWNER->address, sizeof(address));
	address.sin_port = port;
	ASSERT_HR(IND2Adapter_CreateListener(
			  OWNER->adapter, &IID_IND2Listener, OWNER->file, (void **)listener),
		ND_SUCCESS);
	status = IND2Listener_Bind(*listener, (struct sockaddr *)&address, sizeof(address));
	if (status == ND_SUCCESS)
		status = IND2Listener_Listen(*listener, 0);
	if (status != ND_SUCCESS)
		cr_assert_eq(IND2Listener_Release(*listener), 0);
	return status;
}

/*
 * Port 0 selects a port in 49152..65535, a different one for each listener. The listeners run out
 * before the ports.
 */
Test(spi_nd_connect, nd_178_ports_that_are_chosen)
{
	static bool taken[65536];
	IND2Listener *made[LISTENERS_MANY];
	HRESULT status = ND_SUCCESS;
	unsigned int count = 0;
	struct sockaddr_in address;
	ULONG bytes = sizeof(address);

	while (count < LISTENERS_MANY && (status = listen_on(0, &made[count])) == ND_SUCCESS) {
		ASSERT_HR(IND2Listener_GetLocalAddress(
				  made[count], (struct sockaddr *)&address, &bytes),
			ND_SUCCESS);
		cr_assert_geq(ntohs(address.sin_port), 49152);
		cr_assert_not(taken[address.sin_port]);
		taken[address.sin_port] = true;
		count++;
	}
	ASSERT_HR(status, ND_INSUFFICIENT_RESOURCES);
	while (count-- > 0)
		cr_assert_eq(IND2Listener_Release(made[count]), 0);
	ASSERT_HR(IND2Connector_GetLocalAddress(
			  scene_connector(PEER), (struct sockaddr *)&address, &bytes),
		ND_SUCCESS);
	cr_assert_geq(ntohs(address.sin_port), 49152);
}

Test(spi_nd_connect, nd_179_port_in_use)
{
	IND2Listener *listener, *other;

	ASSERT_HR(listen_on(htons(7000), &listener), ND_SUCCESS);
	ASSERT_HR(listen_on(htons(7000), &other), ND_SHARING_VIOLATION);
	cr_assert_eq(IND2Listener_Release(listener), 0);
	ASSERT_HR(listen_on(htons(7000), &listener), ND_SUCCESS);
	cr_assert_eq(IND2Listener_Release(listener), 0);
}

Test(spi_nd_connect, nd_180_ports_are_not_those_of_tcp)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t bytes = sizeof(address);
	int tcp = socket(AF_INET, SOCK_STREAM, 0);
	IND2Listener *listener;

	cr_assert_eq(bind(tcp, (struct sockaddr *)&address, bytes), 0);
	cr_assert_eq(listen(tcp, 1), 0);
	cr_assert_eq(getsockname(tcp, (struct sockaddr *)&address, &bytes), 0);
	ASSERT_HR(listen_on(address.sin_port, &listener), ND_SUCCESS);
	cr_assert_eq(IND2Listener_Release(listener), 0);
	close(tcp);
}

/** @return number of requests that the owner's listener dropped because its backlog was full */
static uint64_t
dropped(void)
{
	return spi_counter(1, "cm_drop_backlog");
}

Test(spi_nd_connect, backlog_bounds_what_waits)
{
	static OVERLAPPED connects[2];
	struct sockaddr_in to;
	ULONG bytes = sizeof(to);

	ASSERT_HR(IND2Adapter_CreateListener(
			  OWNER->adapter, &IID_IND2Listener, OWNER->file, (void **)&scene.listener),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_Bind(scene.listener, (struct sockaddr *)&OWNER->address,
			  sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_Listen(scene.listener, 1), ND_SUCCESS);
	ASSERT_HR(IND2Listener_GetLocalAddress(scene.listener, (struct sockaddr *)&to, &bytes),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		IND2Connector *connector = scene_connector(PEER);

		cr_assert_eq(dropped(), 0);
		PEER->qp = scene_queue_pair(PEER, PEER->cq, PEER->cq);
		ASSERT_HR(scene_connect_post(connector, &to, 1, 1, 0, &connects[i]), ND_PENDING);
	}
	for (unsigned int i = 0; i < 100 && dropped() == 0; i++)
		scene_quiet();
	cr_assert_gt(dropped(), 0);
}

Test(spi_nd_connect, bound_connector_takes_no_request)
{
	IND2Connector *connector = scene_connector(OWNER);
	OVERLAPPED asked;

	spi_pair_listen(&scene);
	ASSERT_HR(IND2Connector_Bind(connector, (struct sockaddr *)&OWNER->address,
			  sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	ASSERT_HR(IND2Listener_GetConnectionRequest(scene.listener, (IUnknown *)connector, &asked),
		ND_CONNECTION_ACTIVE);
}
