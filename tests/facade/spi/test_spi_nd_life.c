/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, section ND K), version 2 of the SPI: the end of
 * connections.
 */

#include "spi_scene.h"

TestSuite(spi_nd_life, .init = scene_connected, .fini = scene_close);
TestSuite(spi_nd_life_early, .init = scene_open, .fini = scene_close);

static void
notify(const struct spi_side *side, OVERLAPPED *overlapped)
{
	memset(overlapped, 0, sizeof(*overlapped));
	ASSERT_HR(IND2Connector_NotifyDisconnect(side->connector, overlapped), ND_PENDING);
}

static HRESULT
notified(const struct spi_side *side, OVERLAPPED *overlapped)
{
	return spi_pair_finish(side->connector, ND_PENDING, overlapped);
}

Test(spi_nd_life, nd_189_disconnect_flushes_this_side)
{
	static OVERLAPPED disconnect;
	UINT32 token = scene_bound(READ_WRITE);

	scene_hold();
	for (unsigned int i = 0; i < 3; i++) {
		scene_receive(PEER, i, 0, 8);
		ASSERT_HR(scene_read_post(10 + i, 0, 8, token, 0), ND_SUCCESS);
	}
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &disconnect), ND_PENDING);
	for (unsigned int i = 0; i < 6; i++)
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_CANCELED);
	scene_let_go();
	ASSERT_HR(notified(PEER, &disconnect), ND_SUCCESS);
	spi_pair_quiet(PEER->cq);
}

Test(spi_nd_life, nd_190_disconnected_objects_are_not_used_again)
{
	IND2QueuePair *used = PEER->qp;
	IND2Connector *fresh = scene_connector(PEER);
	static OVERLAPPED overlapped;
	const struct sockaddr *to = (const struct sockaddr *)&scene.listening;

	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	scene_over();
	cr_assert(FAILED(spi_pair_finish(PEER->connector,
		IND2Connector_Connect(PEER->connector,
			(IUnknown *)scene_queue_pair(PEER, PEER->cq, PEER->cq), to,
			sizeof(struct sockaddr_in), 1, 1, NULL, 0, &overlapped),
		&overlapped)));
	cr_assert(FAILED(spi_pair_finish(fresh,
		IND2Connector_Connect(fresh, (IUnknown *)used, to, sizeof(struct sockaddr_in), 1, 1,
			NULL, 0, &overlapped),
		&overlapped)));
	scene_second(NULL);
	scene_alive();
}

Test(spi_nd_life_early, nd_191_nothing_to_disconnect)
{
	static OVERLAPPED connect, overlapped;

	ASSERT_HR(IND2Connector_Disconnect(scene_connector(PEER), &overlapped),
		ND_CONNECTION_INVALID);
	ASSERT_HR(IND2Connector_Disconnect(scene_connector(OWNER), &overlapped),
		ND_CONNECTION_INVALID);
	spi_pair_request(&scene, &connect);
	ASSERT_HR(IND2Connector_Disconnect(OWNER->connector, &overlapped), ND_CONNECTION_INVALID);
}

Test(spi_nd_life, nd_192_notification_of_the_end)
{
	static OVERLAPPED overlapped, late;

	notify(OWNER, &overlapped);
	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	ASSERT_HR(notified(OWNER, &overlapped), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(OWNER->connector,
			  IND2Connector_NotifyDisconnect(OWNER->connector, &late), &late),
		ND_SUCCESS);
	scene_second(NULL);
	notify(OWNER, &overlapped);
	notify(PEER, &late);
	ASSERT_HR(scene_write(0, 64, 0x1234), ND_ACCESS_VIOLATION);
	ASSERT_HR(notified(OWNER, &overlapped), ND_SUCCESS);
	ASSERT_HR(notified(PEER, &late), ND_SUCCESS);
}

Test(spi_nd_life_early, nd_193_no_end_without_a_connection)
{
	static OVERLAPPED overlapped;

	ASSERT_HR(IND2Connector_NotifyDisconnect(scene_connector(PEER), &overlapped),
		ND_CONNECTION_INVALID);
}

Test(spi_nd_life, nd_194_cancelled_notification)
{
	static OVERLAPPED overlapped;

	notify(PEER, &overlapped);
	ASSERT_HR(IND2Connector_CancelOverlappedRequests(PEER->connector), ND_SUCCESS);
	ASSERT_HR(notified(PEER, &overlapped), ND_CANCELED);
	scene_alive();
}

/*
 * CancelOverlappedRequests also ends NotifyDisconnect after a Disconnect has failed because the
 * connection was not established yet.
 */
Test(spi_nd_life_early, nd_194_cancelled_notification_after_a_failed_disconnect)
{
	static OVERLAPPED connect, accept, overlapped;

	scene_request(1, 1, 0, &connect);
	ASSERT_HR(IND2Connector_Disconnect(OWNER->connector, &overlapped), ND_CONNECTION_INVALID);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	notify(OWNER, &overlapped);
	ASSERT_HR(IND2Connector_CancelOverlappedRequests(OWNER->connector), ND_SUCCESS);
	ASSERT_HR(notified(OWNER, &overlapped), ND_CANCELED);
}

/*
 * A Disconnect of the same side ends NotifyDisconnect with ND_CANCELED or
 * STATUS_CONNECTION_DISCONNECTED.
 */
Test(spi_nd_life, nd_195_notification_of_the_own_end)
{
	static OVERLAPPED overlapped;

	notify(PEER, &overlapped);
	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	/* This implementation returns STATUS_CONNECTION_DISCONNECTED. */
	ASSERT_HR(notified(PEER, &overlapped), STATUS_CONNECTION_DISCONNECTED);
}

Test(spi_nd_life, nd_196_receives_end_when_the_peer_disconnects)
{
	scene_receive(OWNER, 1, 0, 8);
	scene_receive(OWNER, 2, 0, 8);
	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	for (unsigned int i = 1; i < 3; i++)
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(i)), ND_CANCELED);
}

/* Disconnect completes only after the peer has answered. Afterwards the memory is not accessed. */
Test(spi_nd_life, nd_197_disconnect_waits_for_the_answer)
{
	static OVERLAPPED disconnect;
	UINT32 token = scene_bound(READ_WRITE);

	memset(OWNER->memory, 1, 4096);
	scene_hold();
	ASSERT_HR(scene_read_post(1, 0, 4096, token, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &disconnect), ND_PENDING);
	for (unsigned int i = 0; i < 1000; i++)
		(void)IND2CompletionQueue_GetResults(PEER->cq, &(ND2_RESULT){0}, 1);
	cr_assert(!HasOverlappedIoCompleted(&disconnect), "the peer has not answered yet");
	scene_let_go();
	ASSERT_HR(notified(PEER, &disconnect), ND_SUCCESS);
	memset(PEER->memory, 2, 4096);
	scene_quiet();
	for (unsigned int i = 0; i < 4096; i++)
		cr_assert_eq(PEER->memory[i], 2);
}

Test(spi_nd_life, nd_198_there_is_no_half_close)
{
	static OVERLAPPED overlapped;

	ASSERT_HR(scene_disconnect(PEER), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 1, 0, 8, 0), ND_CONNECTION_INVALID);
	scene_over();
	/* The owner may still call Disconnect. */
	ASSERT_HR(spi_pair_finish(OWNER->connector,
			  IND2Connector_Disconnect(OWNER->connector, &overlapped), &overlapped),
		ND_SUCCESS);
}

/*
 * The peer's disconnect may be indicated after this side has called Disconnect. The indication
 * occurs once, and the Disconnects of both sides succeed.
 */
Test(spi_nd_life, nd_199_indication_behind_the_own_disconnect)
{
	static OVERLAPPED indication, own, late;
	HRESULT status;

	notify(OWNER, &indication);
	scene_hold();
	ASSERT_HR(IND2Connector_Disconnect(PEER->connector, &late), ND_PENDING);
	ASSERT_HR(IND2Connector_Disconnect(OWNER->connector, &own), ND_PENDING);
	scene_let_go();
	ASSERT_HR(notified(OWNER, &own), ND_SUCCESS);
	ASSERT_HR(notified(PEER, &late), ND_SUCCESS);
	status = notified(OWNER, &indication);
	cr_assert(status == ND_SUCCESS || status == STATUS_CONNECTION_DISCONNECTED, "%#x",
		(unsigned int)status);
	/* A NotifyDisconnect that is called later ends at once. */
	ASSERT_HR(IND2Connector_NotifyDisconnect(OWNER->connector, &late),
		STATUS_CONNECTION_DISCONNECTED);
}

Test(spi_nd_life, nd_200_released_queue_pair_disconnects)
{
	static OVERLAPPED overlapped;

	scene_receive(PEER, 1, 0, 8);
	scene_receive(OWNER, 2, 0, 8);
	notify(OWNER, &overlapped);
	scene_release(PEER->qp);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_CANCELED);
	ASSERT_HR(notified(OWNER, &overlapped), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(2)), ND_CANCELED);
}

Test(spi_nd_life, nd_201_results_of_a_released_queue_pair)
{
	static OVERLAPPED sent;

	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	/* Wait until the result is in the queue, but do not take it. */
	scene_receive(PEER, 3, 0, 8);
	ASSERT_HR(spi_pair_finish(PEER->cq,
			  IND2CompletionQueue_Notify(PEER->cq, ND_CQ_NOTIFY_ANY, &sent), &sent),
		ND_SUCCESS);
	scene_release(PEER->qp);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(3)), ND_CANCELED);
	spi_pair_quiet(PEER->cq);
}

Test(spi_nd_life, nd_202_both_sides_disconnect_at_once)
{
	static OVERLAPPED disconnect[2];

	for (unsigned int round = 0; round < 10; round++) {
		memset(disconnect, 0, sizeof(disconnect));
		scene_alive();
		scene_hold();
		for (unsigned int i = 0; i < 2; i++)
			ASSERT_HR(IND2Connector_Disconnect(scene.side[i].connector, &disconnect[i]),
				ND_PENDING);
		scene_let_go();
		for (unsigned int i = 0; i < 2; i++)
			ASSERT_HR(notified(&scene.side[i], &disconnect[i]), ND_SUCCESS);
		scene_second(NULL);
	}
}
