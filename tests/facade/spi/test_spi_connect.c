/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Connection setup and disconnect through version 2 of the SPI. The tests are named after the
 * statements in docs/rules.md.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "spi_pair.h"

static struct spi_pair pair;

static void
setup(void)
{
	spi_pair_configure();
	spi_pair_open(&pair);
}

static void
teardown(void)
{
	spi_pair_close(&pair);
}

TestSuite(spi_connect, .init = setup, .fini = teardown);

static HRESULT
bind_connector(unsigned int side)
{
	return IND2Connector_Bind(pair.side[side].connector,
		(struct sockaddr *)&pair.side[side].address, sizeof(struct sockaddr_in));
}

static HRESULT
connect_to(const struct sockaddr_in *address, ULONG data_bytes, OVERLAPPED *overlapped)
{
	static const uint8_t data[256] = {1, 2, 3};

	return spi_pair_finish(pair.side[0].connector,
		IND2Connector_Connect(pair.side[0].connector, (IUnknown *)pair.side[0].qp,
			(const struct sockaddr *)address, sizeof(*address), 1000, 1000, data,
			data_bytes, overlapped),
		overlapped);
}

/* ND-149, ND-150, ND-151, ND-155, ND-174: connects that fail may be repeated. */
Test(spi_connect, ND_149_connects_that_fail)
{
	struct sockaddr_in address;
	OVERLAPPED overlapped = {0};

	spi_pair_listen(&pair);
	memcpy(&address, &pair.listening, sizeof(address));
	pair.side[0].connector = spi_pair_connector(&pair, 0);
	cr_assert_eq(connect_to(&address, 0, &overlapped), STATUS_ADDRESS_NOT_ASSOCIATED);
	cr_assert_eq(bind_connector(0), ND_SUCCESS);
	cr_assert_eq(bind_connector(0), STATUS_ADDRESS_ALREADY_ASSOCIATED);
	address.sin_addr.s_addr = 0;
	cr_assert_eq(connect_to(&address, 0, &overlapped), STATUS_BAD_NETWORK_NAME);
	memcpy(&address, &pair.listening, sizeof(address));
	cr_assert_eq(connect_to(&address, 57, &overlapped), ND_INVALID_BUFFER_SIZE);
	cr_assert_eq(IND2Listener_Release(pair.listener), 0);
	pair.listener = NULL;
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(connect_to(&address, 56, &overlapped), ND_CONNECTION_REFUSED);
}

/* ND-153, ND-154: after an Accept, the active side rejects or releases its connector. */
static void
back_out(bool release)
{
	OVERLAPPED connect = {0}, accept = {0};
	HRESULT accepting;

	spi_pair_request(&pair, &connect);
	accepting = IND2Connector_Accept(
		pair.side[1].connector, (IUnknown *)pair.side[1].qp, 1, 1, NULL, 0, &accept);
	cr_assert_eq(accepting, ND_PENDING);
	cr_assert_eq(spi_pair_finish(pair.side[0].connector, ND_PENDING, &connect), ND_SUCCESS);
	if (release) {
		/* ND-092: only the application holds references to the connector. */
		cr_assert_eq(IND2Connector_Release(pair.side[0].connector), 0);
		pair.side[0].connector = NULL;
	} else {
		cr_assert_eq(IND2Connector_Reject(pair.side[0].connector, NULL, 0), ND_SUCCESS);
	}
	cr_assert_eq(
		spi_pair_finish(pair.side[1].connector, accepting, &accept), ND_CONNECTION_REFUSED);
}

Test(spi_connect, ND_153_active_side_rejects)
{
	back_out(false);
}

Test(spi_connect, ND_154_active_side_releases)
{
	back_out(true);
}

/* ND-156, ND-157, ND-158, ND-160, ND-165, ND-184: calls in each state of a connection setup. */
Test(spi_connect, ND_156_states_and_data_of_a_request)
{
	OVERLAPPED connect = {0}, again = {0}, accept = {0};
	struct sockaddr_storage address;
	uint8_t data[256];
	ULONG bytes = 0, inbound = 0, outbound = 0;

	spi_pair_request(&pair, &connect);
	cr_assert_eq(IND2Listener_Bind(pair.listener, (struct sockaddr *)&pair.side[1].address,
			     sizeof(struct sockaddr_in)),
		STATUS_ADDRESS_ALREADY_ASSOCIATED);
	cr_assert_eq(IND2Listener_Listen(pair.listener, 0), ND_INVALID_DEVICE_STATE);
	cr_assert_eq(IND2Connector_GetPrivateData(pair.side[1].connector, NULL, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, 56);
	cr_assert_eq(
		IND2Connector_GetPrivateData(pair.side[1].connector, data, &bytes), ND_SUCCESS);
	cr_assert_eq(IND2Connector_GetReadLimits(pair.side[1].connector, &inbound, &outbound),
		ND_SUCCESS);
	cr_assert_eq(inbound, 8);
	cr_assert_eq(outbound, 8);
	bytes = sizeof(address);
	cr_assert_eq(IND2Connector_GetPeerAddress(
			     pair.side[1].connector, (struct sockaddr *)&address, &bytes),
		ND_SUCCESS);
	/* ND-159: an Accept with too much private data does not change the connector. */
	cr_assert_eq(IND2Connector_Accept(pair.side[1].connector, (IUnknown *)pair.side[1].qp, 1, 1,
			     data, 149, &accept),
		ND_INVALID_BUFFER_SIZE);
	cr_assert_eq(IND2Connector_Accept(pair.side[1].connector, (IUnknown *)pair.side[1].qp, 1, 1,
			     data, 148, &accept),
		ND_PENDING);
	cr_assert_eq(spi_pair_finish(pair.side[0].connector, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(IND2Connector_Connect(pair.side[0].connector, (IUnknown *)pair.side[0].qp,
			     (struct sockaddr *)&pair.listening, sizeof(struct sockaddr_in), 1, 1,
			     NULL, 0, &again),
		ND_CONNECTION_ACTIVE);
	cr_assert_eq(IND2Connector_CompleteConnect(pair.side[0].connector, &connect), ND_SUCCESS);
	cr_assert_eq(spi_pair_finish(pair.side[1].connector, ND_PENDING, &accept), ND_SUCCESS);
}

/* ND-189, ND-191, ND-192, ND-193, ND-195, ND-196: effects of a disconnect on both sides. */
Test(spi_connect, ND_196_disconnect)
{
	OVERLAPPED notify[2] = {{0}, {0}}, disconnect = {0};
	ND2_SGE sge = spi_pair_sge(&pair.side[1], 0, 64);
	IND2Connector *fresh = spi_pair_connector(&pair, 0);

	cr_assert_eq(IND2Connector_NotifyDisconnect(fresh, &disconnect), ND_CONNECTION_INVALID);
	cr_assert_eq(IND2Connector_Disconnect(fresh, &disconnect), ND_CONNECTION_INVALID);
	cr_assert_eq(IND2Connector_Release(fresh), 0);
	cr_assert_eq(IND2QueuePair_Receive(pair.side[1].qp, NULL, &sge, 1), ND_SUCCESS);
	spi_pair_connect(&pair);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(IND2Connector_NotifyDisconnect(pair.side[i].connector, &notify[i]),
			ND_PENDING);
	cr_assert_eq(
		spi_pair_finish(pair.side[0].connector,
			IND2Connector_Disconnect(pair.side[0].connector, &disconnect), &disconnect),
		ND_SUCCESS);
	cr_assert_eq(spi_pair_finish(pair.side[0].connector, ND_PENDING, &notify[0]),
		STATUS_CONNECTION_DISCONNECTED);
	cr_assert_eq(spi_pair_finish(pair.side[1].connector, ND_PENDING, &notify[1]), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(pair.side[1].cq, Nd2RequestTypeReceive, NULL), ND_CANCELED);
}

/*
 * ND-145, ND-146, ND-147, ND-148: when the cancel returns, the packets of cancelled notifications
 * are in the port, in order.
 */
Test(spi_connect, ND_146_cancel_is_in_the_port_when_it_returns)
{
	struct spi_side *side = &pair.side[0];
	HANDLE port = CreateIoCompletionPort(side->file, NULL, 7, 0);
	IND2CompletionQueue *other = NULL;
	OVERLAPPED notify[4] = {{0}, {0}, {0}, {0}};
	OVERLAPPED *order[] = {&notify[2], &notify[3], &notify[0], &notify[1]};

	cr_assert_not_null(port);
	cr_assert_eq(IND2Adapter_CreateCompletionQueue(side->adapter, &IID_IND2CompletionQueue,
			     side->file, 4, 0, 0, (void **)&other),
		ND_SUCCESS);
	for (unsigned int round = 0; round < 100; round++) {
		for (unsigned int i = 0; i < 4; i++)
			cr_assert_eq(IND2CompletionQueue_Notify(i < 2 ? side->cq : other,
					     ND_CQ_NOTIFY_ANY, &notify[i]),
				ND_PENDING);
		cr_assert_eq(IND2CompletionQueue_CancelOverlappedRequests(other), ND_SUCCESS);
		cr_assert_eq(IND2CompletionQueue_CancelOverlappedRequests(side->cq), ND_SUCCESS);
		for (unsigned int i = 0; i < 4; i++) {
			OVERLAPPED *overlapped = NULL;
			ULONG_PTR key = 0;
			DWORD bytes = 0;

			cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, 0),
				FALSE);
			cr_assert_eq(overlapped, order[i]);
			cr_assert_eq(key, 7);
			cr_assert_eq(IND2CompletionQueue_GetOverlappedResult(
					     side->cq, overlapped, FALSE),
				ND_CANCELED);
		}
	}
	cr_assert_eq(IND2CompletionQueue_Release(other), 0);
	CloseHandle(port);
}

/*
 * ND-177: releasing a listener ends its pending operations. Objects may be released in any order.
 */
Test(spi_connect, ND_177_release_with_operations_pending)
{
	OVERLAPPED request = {0}, notify = {0};
	IND2Connector *waiting = spi_pair_connector(&pair, 1);

	spi_pair_listen(&pair);
	cr_assert_eq(
		IND2Listener_GetConnectionRequest(pair.listener, (IUnknown *)waiting, &request),
		ND_PENDING);
	cr_assert_eq(IND2Adapter_Release(pair.side[1].adapter), 0);
	pair.side[1].adapter = NULL;
	cr_assert_eq(
		IND2CompletionQueue_Notify(pair.side[1].cq, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(IND2CompletionQueue_Release(pair.side[1].cq), 0);
	pair.side[1].cq = NULL;
	cr_assert_eq(IND2Listener_Release(pair.listener), 0);
	pair.listener = NULL;
	cr_assert_eq(spi_pair_finish(waiting, ND_PENDING, &request), ND_CANCELED);
	cr_assert_eq(spi_pair_finish(waiting, ND_PENDING, &notify), ND_CANCELED);
	cr_assert_eq(IND2Connector_Release(waiting), 0);
}
