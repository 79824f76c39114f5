/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Connects that the client abandons before the server accepts them. */

#include <unistd.h>

#include "spi_scene.h"

/** Number of abandoned connects. An adapter has fewer connections, including those in TimeWait. */
#define GIVEN_UP 1024

TestSuite(spi_given_up, .init = scene_open, .fini = scene_close);

/**
 * Connect. While the adapter has no free connection, try again, because an ended attempt occupies a
 * connection for a second.
 */
static void
connect_with_patience(IND2Connector *connector, OVERLAPPED *overlapped)
{
	const struct sockaddr_in to = scene_listening();
	const struct timespec end = spi_pair_deadline();
	HRESULT status;

	ASSERT_HR(IND2Connector_Bind(
			  connector, (struct sockaddr *)&PEER->address, sizeof(struct sockaddr_in)),
		ND_SUCCESS);
	while ((status = scene_connect_post(connector, &to, 1, 1, 0, overlapped)) ==
		ND_INSUFFICIENT_RESOURCES) {
		cr_assert(!spi_pair_is_late(&end), "no room comes");
		usleep(1000);
	}
	ASSERT_HR(status, ND_PENDING);
}

static void
connect_given_up(OVERLAPPED *overlapped)
{
	IND2Connector *connector = spi_pair_connector(&scene, 0);

	connect_with_patience(connector, overlapped);
	ASSERT_HR(IND2Connector_CancelOverlappedRequests(connector), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(connector, ND_PENDING, overlapped), ND_CANCELED);
	cr_assert_eq(IND2Connector_Release(connector), 0);
}

/**
 * Accept the next request. If it is the last request of the peer, complete the peer's Connect.
 * @return final status of the Accept
 */
static HRESULT
serve_next(OVERLAPPED *connect, OVERLAPPED *accept)
{
	const struct timespec end = spi_pair_deadline();
	OVERLAPPED asked = {0};
	HRESULT status;

	OWNER->connector = spi_pair_connector(&scene, 1);
	ASSERT_HR(spi_pair_finish(scene.listener,
			  IND2Listener_GetConnectionRequest(
				  scene.listener, (IUnknown *)OWNER->connector, &asked),
			  &asked),
		ND_SUCCESS);
	status = scene_accept_post(1, 1, 0, accept);
	while (status == ND_PENDING) {
		cr_assert(!spi_pair_is_late(&end), "neither accepted nor over");
		if (IND2Connector_GetOverlappedResult(PEER->connector, connect, FALSE) ==
			ND_SUCCESS)
			ASSERT_HR(IND2Connector_CompleteConnect(PEER->connector, connect),
				ND_SUCCESS);
		status = IND2Connector_GetOverlappedResult(OWNER->connector, accept, FALSE);
	}
	return status;
}

/** @return whether the Accept of an abandoned request may end with this status */
static bool
is_over(HRESULT status)
{
	return status == ND_CONNECTION_ABORTED || status == ND_CONNECTION_REFUSED;
}

/*
 * Connects are abandoned while no server gets requests. A server that starts later may get an
 * abandoned request, and its Accept then fails. The last connect, which is not abandoned, is
 * accepted.
 */
Test(spi_given_up, connects_leave_no_request)
{
	static OVERLAPPED connect, accept, given_up[GIVEN_UP];
	unsigned int over = 0;
	HRESULT status;

	spi_pair_listen(&scene);
	for (unsigned int i = 0; i < GIVEN_UP; i++)
		connect_given_up(&given_up[i]);
	/*
	 * Use a new queue pair. If the server missed the end of an attempt, a new request of the
	 * same queue pair would be stale.
	 */
	cr_assert_eq(IND2QueuePair_Release(PEER->qp), 0);
	PEER->qp = spi_pair_queue_pair(&scene, 0, SCENE_ENTRIES);
	PEER->connector = spi_pair_connector(&scene, 0);
	connect_with_patience(PEER->connector, &connect);
	while (is_over(status = serve_next(&connect, &accept))) {
		cr_assert_lt(over++, GIVEN_UP);
		cr_assert_eq(IND2Connector_Release(OWNER->connector), 0);
		/*
		 * The failed Accept has used this queue pair, so the next Accept needs another one.
		 */
		cr_assert_eq(IND2QueuePair_Release(OWNER->qp), 0);
		OWNER->qp = spi_pair_queue_pair(&scene, 1, SCENE_ENTRIES);
	}
	ASSERT_HR(status, ND_SUCCESS);
	scene_alive();
}
