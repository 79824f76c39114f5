/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Connections: attempts and how they end, private data, addresses, listeners, disconnects. */

#include <arpa/inet.h>
#include <string.h>

#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_connect, .init = pair_listening, .fini = pair_close);

static NTSTATUS
connect_to(NDK_CONNECTOR *connector, const struct sockaddr_in *to, const void *data, ULONG length,
	struct ndk_call *call)
{
	return connector->Dispatch->NdkConnect(connector, ACTIVE->qp, (PSOCKADDR)&pair.own[0],
		sizeof(pair.own[0]), (PSOCKADDR)(uintptr_t)to, sizeof(*to), 4, 4,
		(PVOID)(uintptr_t)data, length, call_over, call);
}

/** Start a connect and wait until the passive side has the request. The connect stays pending. */
static NDK_CONNECTOR *
asking(struct ndk_call *call)
{
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	unsigned int events = pair.events;

	ASSERT_NT(connect_to(connector, &pair.address, "question", 9, call), STATUS_PENDING);
	POLL_UNTIL(pair.events != events);
	return connector;
}

static NTSTATUS
accept_request(NDK_CONNECTOR *connector, struct ndk_call *call)
{
	return connector->Dispatch->NdkAccept(
		connector, PASSIVE->qp, 4, 4, NULL, 0, NULL, NULL, call_over, call);
}

/* ND-149. A connect to a port without a listener is refused. */
Test(ndk_connect, nobody_listens)
{
	struct sockaddr_in other = pair.address;
	static struct ndk_call call = {0};

	other.sin_port ^= htons(1);
	ASSERT_NT(call_wait(connect_to(side_connector(ACTIVE), &other, NULL, 0, &call), &call),
		STATUS_CONNECTION_REFUSED);
}

Test(ndk_connect, failed_attempt_may_be_repeated)
{
	struct sockaddr_in other = pair.address;
	static struct ndk_call call = {0}, again = {0}, accepting = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	NTSTATUS status;

	other.sin_port ^= htons(1);
	ASSERT_NT(call_wait(connect_to(connector, &other, NULL, 0, &call), &call),
		STATUS_CONNECTION_REFUSED);
	status = connect_to(connector, &pair.address, NULL, 0, &again);
	POLL_UNTIL(pair.events != 0);
	ASSERT_NT(accept_request(pair.asked, &accepting), STATUS_PENDING);
	ASSERT_NT(call_wait(status, &again), STATUS_SUCCESS);
}

Test(ndk_connect, queue_pair_goes_over_to_another_connector)
{
	struct sockaddr_in other = pair.address;
	static struct ndk_call call = {0}, closing = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);

	other.sin_port ^= htons(1);
	ASSERT_NT(call_wait(connect_to(connector, &other, NULL, 0, &call), &call),
		STATUS_CONNECTION_REFUSED);
	ASSERT_NT(connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing),
		STATUS_SUCCESS);
	pair_connect();
	pair_expect_alive();
}

/*
 * ND-164, ND-158. Private data is sent in both directions. A call with one byte too many has no
 * effect.
 */
Test(ndk_connect, private_data_goes_both_ways)
{
	static struct ndk_call call = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	uint8_t data[256] = {0}, answer[] = "no";
	ULONG length = 0, inbound = 0, outbound = 0;
	NDK_ADAPTER_INFO info;
	ULONG size = sizeof(info);
	NTSTATUS status;

	ASSERT_NT(ACTIVE->adapter->Dispatch->NdkQueryAdapterInfo(ACTIVE->adapter, &info, &size),
		STATUS_SUCCESS);
	memset(data, 'q', sizeof(data));
	ASSERT_NT(connect_to(connector, &pair.address, data, info.MaxCallerData + 1, &call),
		STATUS_INVALID_BUFFER_SIZE);
	status = connect_to(connector, &pair.address, data, info.MaxCallerData, &call);
	POLL_UNTIL(pair.events != 0);

	/* A query of the size succeeds in NDK, unlike in the user-mode interface. */
	ASSERT_NT(pair.asked->Dispatch->NdkGetConnectionData(
			  pair.asked, &inbound, &outbound, NULL, &length),
		STATUS_SUCCESS);
	cr_assert_geq(length, info.MaxCallerData);
	cr_assert_eq(inbound, 4);
	cr_assert_eq(outbound, 4);
	memset(data, 0, sizeof(data));
	length = 3;
	ASSERT_NT(pair.asked->Dispatch->NdkGetConnectionData(pair.asked, NULL, NULL, data, &length),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_geq(length, info.MaxCallerData);
	cr_assert_eq(memcmp(data, "qqq", 4), 0);
	ASSERT_NT(pair.asked->Dispatch->NdkGetConnectionData(pair.asked, NULL, NULL, data, &length),
		STATUS_SUCCESS);
	cr_assert_eq(data[info.MaxCallerData - 1], 'q');

	ASSERT_NT(pair.asked->Dispatch->NdkReject(pair.asked, answer, sizeof(answer)),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(status, &call), STATUS_CONNECTION_REFUSED);
	length = sizeof(data);
	ASSERT_NT(connector->Dispatch->NdkGetConnectionData(connector, NULL, NULL, data, &length),
		STATUS_SUCCESS);
	cr_assert_str_eq((char *)data, "no");
}

/* ND-153. If the active side rejects the reply, the accept fails. */
Test(ndk_connect, active_side_rejects)
{
	static struct ndk_call call = {0}, accepting = {0};
	NDK_CONNECTOR *connector = asking(&call);
	NTSTATUS status = accept_request(pair.asked, &accepting);

	ASSERT_NT(call_wait(STATUS_PENDING, &call), STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkReject(connector, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(call_wait(status, &accepting), STATUS_CONNECTION_REFUSED);
}

/*
 * ND-154. If the active side closes its connector instead of completing the connect, the accept
 * fails.
 */
Test(ndk_connect, active_side_closes)
{
	static struct ndk_call call = {0}, accepting = {0}, closing = {0};
	NDK_CONNECTOR *connector = asking(&call);
	NTSTATUS status = accept_request(pair.asked, &accepting);

	ASSERT_NT(call_wait(STATUS_PENDING, &call), STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(status, &accepting), STATUS_CONNECTION_REFUSED);
}

/*
 * ND-175. Closing a connector during its connect cancels the connect. The connect completes before
 * the close.
 */
Test(ndk_connect, closing_ends_the_attempt)
{
	static struct ndk_call call = {0}, closing = {0};
	NDK_CONNECTOR *connector = asking(&call);
	NTSTATUS status =
		connector->Dispatch->NdkCloseConnector(&connector->Header, close_over, &closing);

	ASSERT_NT(call_wait(STATUS_PENDING, &call), STATUS_CANCELLED);
	ASSERT_NT(call_wait(status, &closing), STATUS_SUCCESS);
}

Test(ndk_connect, closing_an_unanswered_request_rejects_it)
{
	static struct ndk_call call = {0}, closing = {0};

	asking(&call);
	ASSERT_NT(
		pair.asked->Dispatch->NdkCloseConnector(&pair.asked->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &call), STATUS_CONNECTION_REFUSED);
}

/* ND-156. A second connect while the first connect is pending is refused. */
Test(ndk_connect, connecting_twice)
{
	static struct ndk_call call = {0}, second = {0};
	NDK_CONNECTOR *connector = asking(&call);

	ASSERT_NT(connect_to(connector, &pair.address, NULL, 0, &second), STATUS_CONNECTION_ACTIVE);
	cr_assert_eq(second.count, 0);
}

/* ND-170, ND-191. Without a connection, calls that require one are refused. */
Test(ndk_connect, calls_without_a_connection)
{
	static struct ndk_call call = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	const NDK_CONNECTOR_DISPATCH *dispatch = connector->Dispatch;
	struct sockaddr_in address;
	ULONG length = sizeof(address), data_length = 0;

	ASSERT_NT(dispatch->NdkCompleteConnect(connector, NULL, NULL, call_over, &call),
		STATUS_CONNECTION_INVALID);
	ASSERT_NT(accept_request(side_connector(PASSIVE), &call), STATUS_CONNECTION_INVALID);
	ASSERT_NT(accept_request(connector, &call), STATUS_INVALID_PARAMETER);
	ASSERT_NT(dispatch->NdkReject(connector, NULL, 0), STATUS_CONNECTION_INVALID);
	ASSERT_NT(dispatch->NdkDisconnect(connector, call_over, &call), STATUS_CONNECTION_INVALID);
	ASSERT_NT(dispatch->NdkGetConnectionData(connector, NULL, NULL, NULL, &data_length),
		STATUS_CONNECTION_INVALID);
	ASSERT_NT(dispatch->NdkGetPeerAddress(connector, (PSOCKADDR)&address, &length),
		STATUS_CONNECTION_INVALID);
	ASSERT_NT(dispatch->NdkGetLocalAddress(connector, (PSOCKADDR)&address, &length),
		STATUS_CONNECTION_INVALID);
	cr_assert_eq(call.count, 0);
}

Test(ndk_connect, addresses_of_a_connection)
{
	struct sockaddr_in local, peer;
	ULONG length = sizeof(local);

	pair_connect();
	ASSERT_NT(ACTIVE->connector->Dispatch->NdkGetLocalAddress(
			  ACTIVE->connector, (PSOCKADDR)&local, &length),
		STATUS_SUCCESS);
	ASSERT_NT(PASSIVE->connector->Dispatch->NdkGetPeerAddress(
			  PASSIVE->connector, (PSOCKADDR)&peer, &length),
		STATUS_SUCCESS);
	cr_assert_eq(memcmp(&local, &peer, sizeof(local)), 0);
	cr_assert_geq(ntohs(local.sin_port), 49152);
	ASSERT_NT(PASSIVE->connector->Dispatch->NdkGetLocalAddress(
			  PASSIVE->connector, (PSOCKADDR)&local, &length),
		STATUS_SUCCESS);
	cr_assert_eq(local.sin_port, pair.address.sin_port);
	length = 4;
	ASSERT_NT(PASSIVE->connector->Dispatch->NdkGetLocalAddress(
			  PASSIVE->connector, (PSOCKADDR)&local, &length),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_eq(length, sizeof(local));
}

/*
 * ND-197, ND-198. A disconnect completes after the peer has answered. Outstanding requests are
 * cancelled.
 */
Test(ndk_connect, disconnect)
{
	static struct ndk_call call = {0}, other = {0};
	static int received;
	NTSTATUS status;

	pair_connect();
	ASSERT_NT(
		PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, &received, NULL, 0), STATUS_SUCCESS);
	status = ACTIVE->connector->Dispatch->NdkDisconnect(ACTIVE->connector, call_over, &call);
	ASSERT_NT(status, STATUS_PENDING);
	cr_assert_eq(call.count, 0);
	ASSERT_NT(call_wait(status, &call), STATUS_SUCCESS);
	/*
	 * ND-192: the peer gets the disconnect event once. The disconnecting side gets no event,
	 * although it requested the event.
	 */
	POLL_UNTIL(PASSIVE->disconnected == 1);
	cr_assert_eq(ACTIVE->disconnected, 0);
	ASSERT_NT(call_wait(PASSIVE->connector->Dispatch->NdkDisconnect(
				    PASSIVE->connector, call_over, &other),
			  &other),
		STATUS_SUCCESS);
	side_expect(PASSIVE, &received, NdkOperationTypeReceive, STATUS_CANCELLED);
	/* ND-190: after a disconnect, the connector cannot connect again. */
	other = (struct ndk_call){0};
	cr_assert(!NT_SUCCESS(connect_to(ACTIVE->connector, &pair.address, NULL, 0, &other)));
	pair_quiet();
	cr_assert_eq(PASSIVE->disconnected, 1);
}

/* ND-202. If both sides disconnect at the same time, both disconnects succeed. */
Test(ndk_connect, both_disconnect)
{
	static struct ndk_call call[2] = {{0}, {0}};
	NTSTATUS status[2];

	pair_connect();
	for (unsigned int i = 0; i < 2; i++)
		status[i] = pair.side[i].connector->Dispatch->NdkDisconnect(
			pair.side[i].connector, call_over, &call[i]);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(call_wait(status[i], &call[i]), STATUS_SUCCESS);
}

/*
 * A paused listener refuses requests as if no listener existed. The listener can resume on the same
 * port.
 */
Test(ndk_connect, paused_listener_refuses)
{
	static struct ndk_call call = {0}, again = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);

	pair.listener->Dispatch->NdkControlConnectEvents(pair.listener, TRUE);
	pair.listener->Dispatch->NdkControlConnectEvents(pair.listener, TRUE);
	ASSERT_NT(call_wait(connect_to(connector, &pair.address, NULL, 0, &call), &call),
		STATUS_CONNECTION_REFUSED);
	cr_assert_eq(pair.events, 0);
	pair.listener->Dispatch->NdkControlConnectEvents(pair.listener, FALSE);
	ASSERT_NT(connect_to(connector, &pair.address, NULL, 0, &again), STATUS_PENDING);
	POLL_UNTIL(pair.events == 1);
}

static NDK_LISTENER *restarted;
static unsigned int restarts;

static VOID
restart(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	restarts++;
	restarted->Dispatch->NdkControlConnectEvents(restarted, TRUE);
	restarted->Dispatch->NdkControlConnectEvents(restarted, FALSE);
	ASSERT_NT(connector->Dispatch->NdkReject(connector, NULL, 0), STATUS_SUCCESS);
}

/*
 * The connect event callback pauses and resumes the listener. The listener must still get the next
 * request.
 */
Test(ndk_connect, listener_is_resumed_within_its_event)
{
	static struct ndk_call listening = {0}, calls[2];
	struct ndk_side *side = &pair.side[1];
	struct sockaddr_in address;
	ULONG length = sizeof(address);

	ASSERT_NT(side->adapter->Dispatch->NdkCreateListener(
			  side->adapter, restart, NULL, create_over, NULL, &restarted),
		STATUS_SUCCESS);
	ASSERT_NT(restarted->Dispatch->NdkListen(restarted, (PSOCKADDR)&pair.own[1],
			  sizeof(pair.own[1]), call_over, &listening),
		STATUS_SUCCESS);
	ASSERT_NT(restarted->Dispatch->NdkGetLocalAddress(restarted, (PSOCKADDR)&address, &length),
		STATUS_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_NT(
			call_wait(connect_to(side_connector(ACTIVE), &address, NULL, 0, &calls[i]),
				&calls[i]),
			STATUS_CONNECTION_REFUSED);
		cr_assert_eq(restarts, i + 1);
	}
}

/* ND-150. After a listener was closed, connection requests to its port are refused at once. */
Test(ndk_connect, closed_listener_refuses)
{
	static struct ndk_call call = {0}, closing = {0};

	ASSERT_NT(pair.listener->Dispatch->NdkCloseListener(
			  &pair.listener->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(
		call_wait(connect_to(side_connector(ACTIVE), &pair.address, NULL, 0, &call), &call),
		STATUS_CONNECTION_REFUSED);
}

static VOID
not_asked(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	(void)connector;
	cr_assert_fail("nobody connects to this listener");
}

static NDK_LISTENER *
listener_new(void)
{
	NDK_LISTENER *listener = NULL;

	ASSERT_NT(PASSIVE->adapter->Dispatch->NdkCreateListener(
			  PASSIVE->adapter, not_asked, NULL, create_over, NULL, &listener),
		STATUS_SUCCESS);
	return listener;
}

static NTSTATUS
listen_to(NDK_LISTENER *listener, const struct sockaddr_in *address)
{
	static struct ndk_call call = {0};
	NTSTATUS status = listener->Dispatch->NdkListen(
		listener, (PSOCKADDR)(uintptr_t)address, sizeof(*address), call_over, &call);

	cr_assert_eq(call.count, 0);
	return status;
}

Test(ndk_connect, closed_accept_cancels_receives)
{
	static struct ndk_call asked = {0}, accepting = {0}, closing = {0};
	static int context;

	ASSERT_NT(
		PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, &context, NULL, 0), STATUS_SUCCESS);
	asking(&asked);
	ASSERT_NT(accept_request(pair.asked, &accepting), STATUS_PENDING);
	ASSERT_NT(call_wait(pair.asked->Dispatch->NdkCloseConnector(
				    &pair.asked->Header, close_over, &closing),
			  &closing),
		STATUS_SUCCESS);
	cr_assert_eq(accepting.count, 1);
	side_expect(PASSIVE, &context, NdkOperationTypeReceive, STATUS_CANCELLED);
}

/*
 * ND-179. NdkListen() refuses a port while a native listener uses it. After the native listener was
 * released, NdkListen() succeeds.
 */
Test(ndk_connect, refused_port_is_not_taken)
{
	NDK_LISTENER *listener = listener_new();
	struct sockaddr_in address = pair.own[1];
	struct nd_listener *native = NULL;

	cr_assert_eq(nd_adapter_listen(pair.native.side[1].adapter, 0, IPPROTO_TCP, 0,
			     &address.sin_port, &native),
		ND_SUCCESS);
	ASSERT_NT(listen_to(listener, &address), STATUS_SHARING_VIOLATION);
	cr_assert_eq(nd_listener_release(native), ND_SUCCESS);
	ASSERT_NT(listen_to(listener, &address), STATUS_SUCCESS);
}

/* ND-179. A port stays in use while a connector that the listener created is open. */
Test(ndk_connect, port_is_in_use_until_the_last_connector)
{
	static struct ndk_call closing = {0}, last = {0};
	NDK_LISTENER *second = listener_new();

	pair_connect();
	ASSERT_NT(listen_to(second, &pair.address), STATUS_SHARING_VIOLATION);
	ASSERT_NT(pair.listener->Dispatch->NdkCloseListener(
			  &pair.listener->Header, close_over, &closing),
		STATUS_SUCCESS);
	ASSERT_NT(listen_to(second, &pair.address), STATUS_SHARING_VIOLATION);
	ASSERT_NT(call_wait(PASSIVE->connector->Dispatch->NdkCloseConnector(
				    &PASSIVE->connector->Header, close_over, &last),
			  &last),
		STATUS_SUCCESS);
	ASSERT_NT(listen_to(second, &pair.address), STATUS_SUCCESS);
	ASSERT_NT(listen_to(second, &pair.address), STATUS_INVALID_DEVICE_STATE);
}

Test(ndk_connect, foreign_addresses)
{
	struct sockaddr_in foreign = pair.own[0], all = {.sin_family = AF_INET};
	struct sockaddr_in6 other = {.sin6_family = AF_INET6};
	static struct ndk_call call = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	ULONG length = sizeof(foreign);
	NDK_LISTENER *listener = listener_new();

	ASSERT_NT(listener->Dispatch->NdkGetLocalAddress(listener, (PSOCKADDR)&foreign, &length),
		STATUS_INVALID_DEVICE_STATE);
	ASSERT_NT(listen_to(listener, &foreign), STATUS_INVALID_ADDRESS);
	ASSERT_NT(listener->Dispatch->NdkListen(
			  listener, (PSOCKADDR)&other, sizeof(other), call_over, &call),
		STATUS_INVALID_ADDRESS);
	ASSERT_NT(listener->Dispatch->NdkListen(listener, (PSOCKADDR)&all, 8, call_over, &call),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(listen_to(listener, &all), STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkConnect(connector, ACTIVE->qp, (PSOCKADDR)&pair.own[1],
			  sizeof(pair.own[1]), (PSOCKADDR)&pair.address, sizeof(pair.address), 0, 0,
			  NULL, 0, call_over, &call),
		STATUS_INVALID_ADDRESS);
	foreign = pair.own[0];
	foreign.sin_port = htons(7);
	ASSERT_NT(connect_to(connector, &foreign, NULL, 0, &call), STATUS_INVALID_ADDRESS);
	cr_assert_eq(call.count, 0);
}

static NTSTATUS
shared_create(struct ndk_side *side, const struct sockaddr_in *address, NDK_SHARED_ENDPOINT **out)
{
	return side->adapter->Dispatch->NdkCreateSharedEndpoint(side->adapter,
		(PSOCKADDR)(uintptr_t)address, sizeof(*address), create_over, NULL, out);
}

/* Several connections may share a local address and port if they have different peers. */
Test(ndk_connect, shared_endpoint)
{
	static struct ndk_call call = {0}, second = {0}, closing = {0}, last = {0};
	NDK_SHARED_ENDPOINT *shared = NULL, *taken = NULL;
	struct sockaddr_in address, local;
	ULONG length = sizeof(address);
	NDK_CONNECTOR *connector = side_connector(ACTIVE), *other = side_connector(ACTIVE);
	NDK_QP *qp = side_qp(ACTIVE, ACTIVE->cq, 4, ACTIVE);

	ASSERT_NT(shared_create(ACTIVE, &pair.own[0], &shared), STATUS_SUCCESS);
	ASSERT_NT(shared->Dispatch->NdkGetLocalAddress(shared, (PSOCKADDR)&address, &length),
		STATUS_SUCCESS);
	ASSERT_NT(shared_create(ACTIVE, &address, &taken), STATUS_SHARING_VIOLATION);
	cr_assert_null(taken);
	ASSERT_NT(connector->Dispatch->NdkConnectWithSharedEndpoint(connector, ACTIVE->qp, shared,
			  (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1, NULL, 0, call_over,
			  &call),
		STATUS_PENDING);
	ASSERT_NT(other->Dispatch->NdkConnectWithSharedEndpoint(other, qp, shared,
			  (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1, NULL, 0, call_over,
			  &second),
		STATUS_ADDRESS_ALREADY_EXISTS);
	POLL_UNTIL(pair.events != 0);
	ASSERT_NT(pair.asked->Dispatch->NdkGetPeerAddress(pair.asked, (PSOCKADDR)&local, &length),
		STATUS_SUCCESS);
	cr_assert_eq(local.sin_port, address.sin_port);
	/* The close of the shared endpoint is pending until the connector is closed. */
	ASSERT_NT(shared->Dispatch->NdkCloseSharedEndpoint(&shared->Header, close_over, &closing),
		STATUS_PENDING);
	ASSERT_NT(call_wait(connector->Dispatch->NdkCloseConnector(
				    &connector->Header, close_over, &last),
			  &last),
		STATUS_SUCCESS);
	cr_assert_eq(closing.count, 1);
	ASSERT_NT(shared_create(ACTIVE, &address, &taken), STATUS_SUCCESS);
}

/* ND-178. If all ports that the adapter may choose are in use, the call fails. */
Test(ndk_connect, nd_178_no_port_is_left)
{
	NDK_SHARED_ENDPOINT *shared = NULL;
	NTSTATUS status;
	unsigned int count = 0;

	while ((status = shared_create(ACTIVE, &pair.own[0], &shared)) == STATUS_SUCCESS)
		count++;
	ASSERT_NT(status, STATUS_TOO_MANY_ADDRESSES);
	cr_assert_eq(count, 65536 - 49152);
}

/*
 * ND-184. The limit of a connection is the smaller limit of both sides. A limit above the adapter's
 * limit is reduced.
 */
Test(ndk_connect, nd_183_read_limits)
{
	static struct ndk_call call = {0}, accepting = {0}, completing = {0};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	ULONG inbound = 0, outbound = 0, length = 0;
	NTSTATUS status = connector->Dispatch->NdkConnect(connector, ACTIVE->qp,
		(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
		sizeof(pair.address), 100000, 2, NULL, 0, call_over, &call);

	POLL_UNTIL(pair.events != 0);
	ASSERT_NT(pair.asked->Dispatch->NdkGetConnectionData(
			  pair.asked, &inbound, &outbound, NULL, &length),
		STATUS_SUCCESS);
	cr_assert_eq(inbound, 2);
	cr_assert_eq(outbound, 128);
	ASSERT_NT(pair.asked->Dispatch->NdkAccept(pair.asked, PASSIVE->qp, 7, 0, NULL, 0, NULL,
			  NULL, call_over, &accepting),
		STATUS_PENDING);
	ASSERT_NT(call_wait(status, &call), STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkCompleteConnect(
			  connector, NULL, NULL, call_over, &completing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(STATUS_PENDING, &accepting), STATUS_SUCCESS);
	/* The passive side may not post reads, because its outbound limit is 0. */
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkRead(PASSIVE->qp, NULL, NULL, 0, 0, 0, 0),
		STATUS_INVALID_DEVICE_REQUEST);
}
