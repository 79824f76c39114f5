/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Lifetime of objects and operations, version 1. */

#include <stdlib.h>
#include <string.h>

#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];

TestSuite(spi_v1_life, .init = v1_setup, .fini = v1_teardown);

#define SERVER_OBJECTS 6

static void
released_in_order(const unsigned int order[SERVER_OBJECTS])
{
	static OVERLAPPED overlapped[3];
	static ND_RESULT results[4];
	void *objects[SERVER_OBJECTS] = {server->adapter, server->in, server->out,
		server->connector, server->endpoint, server->mw};
	ND_MW_DESCRIPTOR remote = v1_bound(server, 0, 64, V1_BOTH);

	memset(overlapped, 0, sizeof(overlapped));
	V1_OK(v1_receive(server, &results[0], 0, 8));
	V1_OK(v1_read(client, &results[1], 0, 64, &remote, 0));
	v1_done(client->out, &results[1]);
	v1_notify(server->in, ND_CQ_NOTIFY_SOLICITED, &overlapped[0]);
	cr_assert_eq(INDConnector_NotifyDisconnect(server->connector, &overlapped[1]), ND_PENDING);
	cr_assert_eq(INDConnector_NotifyDisconnect(client->connector, &overlapped[2]), ND_PENDING);
	for (unsigned int i = 0; i < SERVER_OBJECTS; i++)
		v1_release(objects[order[i]]);
	/*
	 * When the last object was released, all operations have ended and the peer was notified.
	 */
	for (unsigned int i = 0; i < 2; i++) {
		HRESULT status = INDAdapter_GetOverlappedResult(
			client->adapter, &overlapped[i], NULL, FALSE);

		cr_assert(status == ND_CANCELED || status == ND_SUCCESS, "operation %u: %#x", i,
			(unsigned int)status);
	}
	V1_OK(v1_finish(client->connector, ND_PENDING, &overlapped[2]));
}

static void
exchange(unsigned int *one, unsigned int *other)
{
	unsigned int kept = *one;

	*one = *other;
	*other = kept;
}

/** Change to the next permutation in lexicographic order. @return false if this was the last one */
static bool
permute(unsigned int *order, unsigned int count)
{
	unsigned int i = count - 1, j = count - 1;

	while (i > 0 && order[i - 1] > order[i])
		i--;
	if (i == 0)
		return false;
	while (order[j] < order[i - 1])
		j--;
	exchange(&order[i - 1], &order[j]);
	for (unsigned int a = i, b = count - 1; a < b; a++, b--)
		exchange(&order[a], &order[b]);
	return true;
}

/* Test every order in which the server's six objects can be released, in 720 connections. */
Test(spi_v1_life, objects_are_released_in_any_order)
{
	unsigned int order[SERVER_OBJECTS] = {0, 1, 2, 3, 4, 5};

	do {
		released_in_order(order);
		v1_release(v1.listen);
		v1_release(client->connector);
		v1_release(client->endpoint);
		v1.listen = NULL;
		v1_side_open(server);
		v1_connect(&v1);
	} while (permute(order, SERVER_OBJECTS));
	v1_alive(&v1);
}

Test(spi_v1_life, one_overlapped_is_used_again_and_again)
{
	HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);
	OVERLAPPED overlapped = {.hEvent = event};
	ND_RESULT sent, received;

	for (unsigned int i = 0; i < 50; i++) {
		SIZE_T bytes = 77;

		V1_OK(v1_receive(server, &received, 0, 8));
		v1_notify(server->in, ND_CQ_NOTIFY_ANY, &overlapped);
		cr_assert_eq(WaitForSingleObject(event, 0), WAIT_TIMEOUT);
		cr_assert_eq(INDCompletionQueue_GetOverlappedResult(
				     server->in, &overlapped, &bytes, FALSE),
			ND_PENDING);
		V1_OK(v1_send(client, &sent, 0, 8, 0));
		cr_assert_eq(WaitForSingleObject(event, INFINITE), WAIT_OBJECT_0);
		V1_OK(INDCompletionQueue_GetOverlappedResult(
			server->in, &overlapped, &bytes, TRUE));
		cr_assert_eq(bytes, 0);
		v1_done(server->in, &received);
		v1_done(client->out, &sent);
	}
	CloseHandle(event);
}

Test(spi_v1_life, operations_complete_on_the_port_of_the_adapter)
{
	HANDLE port =
		CreateIoCompletionPort(INDAdapter_GetFileHandle(server->adapter), NULL, 42, 0);
	OVERLAPPED notify = {0}, disconnect = {0}, *got = NULL;
	ND_RESULT sent, received;
	ULONG_PTR key = 0;
	DWORD bytes;

	V1_OK(v1_receive(server, &received, 0, 8));
	v1_notify(server->in, ND_CQ_NOTIFY_ANY, &notify);
	cr_assert_eq(INDConnector_NotifyDisconnect(server->connector, &disconnect), ND_PENDING);
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, INFINITE), TRUE);
	cr_assert_eq(got, &notify);
	cr_assert_eq(key, 42);
	v1_done(server->in, &received);
	v1_done(client->out, &sent);
	v1_disconnect(&v1);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, INFINITE), TRUE);
	cr_assert_eq(got, &disconnect);
	CloseHandle(port);
}

/* The application closes the file handle that the adapter owns. Later calls still work. */
Test(spi_v1_life, closed_file_handle)
{
	HANDLE file = INDAdapter_GetFileHandle(server->adapter);
	OVERLAPPED notify = {0};

	cr_assert_not_null(file);
	cr_assert_eq(INDAdapter_GetFileHandle(server->adapter), file);
	CloseHandle(file);
	v1_notify(server->in, ND_CQ_NOTIFY_ANY, &notify);
	V1_OK(INDCompletionQueue_CancelOverlappedRequests(server->in));
	cr_assert_eq(v1_poll(server->in, &notify), ND_CANCELED);
}

Test(spi_v1_life, window_is_released_while_its_bind_is_queued)
{
	ND_RESULT *result = calloc(1, sizeof(*result));
	ND_MW_DESCRIPTOR source = v1_bound(client, 0, 64, V1_BOTH), remote;
	INDMemoryWindow *window = v1_window(server, result);
	ND_RESULT read, bound, received, sent;

	V1_OK(v1_receive(server, &received, 0, 8));
	v1_hold();
	V1_OK(v1_read(server, &read, 0, 64, &source, 0));
	V1_OK(INDEndpoint_Bind(server->endpoint, &bound, server->mr, window, server->memory, 64,
		V1_BOTH | ND_OP_FLAG_READ_FENCE, &remote));
	v1_release(window);
	v1_let();
	free(result);
	v1_done(server->out, &read);
	(void)v1_expect(server->out, &bound);
	V1_OK(INDEndpoint_SendAndInvalidate(client->endpoint, &sent, NULL, 0, &remote, 0));
	v1_take(server->in);
	v1_quiet(server->in);
	(void)v1_expect(client->out, &sent);
}

Test(spi_v1_life, registrations_end_with_the_adapter)
{
	OVERLAPPED overlapped = {0};
	INDAdapter *adapter;
	ND_MR_HANDLE mr;

	for (unsigned int i = 0; i < 100; i++) {
		adapter = NULL;
		cr_assert_eq(NdOpenV1Adapter((struct sockaddr *)&server->address,
				     sizeof(server->address), &adapter),
			S_OK);
		for (unsigned int n = 0; n < 10; n++)
			cr_assert_eq(INDAdapter_RegisterMemory(
					     adapter, server->memory + n, 1000, &overlapped, &mr),
				ND_PENDING);
		v1_release(adapter);
	}
	cr_assert_eq(
		INDAdapter_DeregisterMemory(server->adapter, mr, &overlapped), ND_INVALID_HANDLE);
}
