/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The end of a connection: statements of docs/rules.md, section ND K, and which calls flush the
 * queue pair. In most tests, side 0 disconnects first.
 */

#include <string.h>

#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_disconnect, .init = pair_connected, .fini = pair_close);

static int received[NDK_DEPTH], sent[NDK_DEPTH];

static void
arm(ULONG type)
{
	PASSIVE->cq->Dispatch->NdkArmCq(PASSIVE->cq, type);
}

/**
 * Post receives on the passive side, disconnect the active side, and wait for the disconnect event
 * of the passive side.
 */
static void
peer_gone(unsigned int receives)
{
	for (unsigned int i = 0; i < receives; i++)
		side_receive(PASSIVE, &received[i]);
	side_disconnect(ACTIVE);
	POLL_UNTIL(PASSIVE->disconnected == 1);
}

static void
expect_flushed(unsigned int receives)
{
	for (unsigned int i = 0; i < receives; i++)
		side_expect(PASSIVE, &received[i], NdkOperationTypeReceive, STATUS_CANCELLED);
	side_no_result(PASSIVE);
}

/**
 * Fail unless the flush completes a notification of this type. The peer's earlier disconnect must
 * not complete the notification.
 */
static void
expect_told_by_the_flush(ULONG type)
{
	arm(type);
	peer_gone(2);
	side_no_result(PASSIVE);
	cr_assert_eq(PASSIVE->notified, 0, "told before the flush");
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkSend(PASSIVE->qp, NULL, NULL, 0, 0),
		STATUS_CONNECTION_INVALID);
	side_disconnect(PASSIVE);
	pair_quiet();
	cr_assert_eq(PASSIVE->notified, 1);
	expect_flushed(2);
	cr_assert_eq(PASSIVE->disconnected, 1);
}

Test(ndk_disconnect, event_does_not_flush_any)
{
	expect_told_by_the_flush(NDK_CQ_NOTIFY_ANY);
}

Test(ndk_disconnect, event_does_not_flush_solicited)
{
	expect_told_by_the_flush(NDK_CQ_NOTIFY_SOLICITED);
}

Test(ndk_disconnect, event_does_not_flush_errors)
{
	expect_told_by_the_flush(NDK_CQ_NOTIFY_ERRORS);
}

/* Results of a flush are new completions, so arming the queue afterwards notifies at once. */
Test(ndk_disconnect, flushed_results_are_new)
{
	peer_gone(1);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	arm(NDK_CQ_NOTIFY_ERRORS);
	cr_assert_eq(PASSIVE->notified, 1);
	expect_flushed(1);
}

/*
 * After the peer's disconnect, the cancelled receives of a full queue get results only by the
 * flush. Further receives are refused, or also wait for the flush.
 */
Test(ndk_disconnect, full_queues_wait_for_the_flush)
{
	unsigned int more = 0;

	peer_gone(NDK_DEPTH);
	side_no_result(PASSIVE);
	while (PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, &sent[0], NULL, 0) == STATUS_SUCCESS)
		cr_assert_leq(++more, NDK_DEPTH, "more than there is room for");
	side_no_result(PASSIVE);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	for (unsigned int i = 0; i < NDK_DEPTH; i++)
		side_expect(PASSIVE, &received[i], NdkOperationTypeReceive, STATUS_CANCELLED);
	while (more-- != 0)
		side_expect(PASSIVE, &sent[0], NdkOperationTypeReceive, STATUS_CANCELLED);
	side_no_result(PASSIVE);
}

/* If a message arrived before the connection ended, its result precedes the cancelled results. */
Test(ndk_disconnect, results_keep_their_order)
{
	side_receive(PASSIVE, &sent[0]);
	side_send(ACTIVE, NULL, 0);
	ASSERT_NT(side_result(ACTIVE).Status, STATUS_SUCCESS);
	peer_gone(2);
	side_expect(PASSIVE, &sent[0], NdkOperationTypeReceive, STATUS_SUCCESS);
	side_no_result(PASSIVE);
	side_disconnect(PASSIVE);
	expect_flushed(2);
}

Test(ndk_disconnect, others_of_the_queue_go_on)
{
	struct ndk_side first[2] = {pair.side[0], pair.side[1]};

	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	pair_connect();
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_NT(first[1].qp->Dispatch->NdkReceive(first[1].qp, &received[i], NULL, 0),
			STATUS_SUCCESS);
	}
	side_disconnect(&first[0]);
	POLL_UNTIL(PASSIVE->disconnected == 1);
	arm(NDK_CQ_NOTIFY_ANY);
	PASSIVE->notified = 0;
	pair_expect_alive();
	first[1].qp->Dispatch->NdkFlush(first[1].qp);
	expect_flushed(2);
	pair_expect_alive();
}

Test(ndk_disconnect, close_of_the_connector_flushes)
{
	static struct ndk_call closing;

	peer_gone(2);
	call_wait(PASSIVE->connector->Dispatch->NdkCloseConnector(
			  &PASSIVE->connector->Header, close_over, &closing),
		&closing);
	expect_flushed(2);
}

Test(ndk_disconnect, close_of_the_queue_pair_flushes)
{
	static struct ndk_call closing;

	peer_gone(2);
	ASSERT_NT(PASSIVE->qp->Dispatch->NdkCloseQp(&PASSIVE->qp->Header, close_over, &closing),
		STATUS_PENDING);
	expect_flushed(2);
}

Test(ndk_disconnect, adapter_is_closed_before_the_flush)
{
	peer_gone(3);
}

/* ND-189. NdkDisconnect() flushes the queue pair of the side that calls it. */
Test(ndk_disconnect, nd_189_disconnect_flushes_the_own_side)
{
	static struct ndk_call call;

	side_receive(ACTIVE, &received[0]);
	side_receive(ACTIVE, &received[1]);
	ASSERT_NT(ACTIVE->connector->Dispatch->NdkDisconnect(ACTIVE->connector, call_over, &call),
		STATUS_PENDING);
	for (unsigned int i = 0; i < 2; i++)
		side_expect(ACTIVE, &received[i], NdkOperationTypeReceive, STATUS_CANCELLED);
	side_no_result(ACTIVE);
}

/* ND-190. After a disconnect, neither the connector nor the queue pair can connect again. */
Test(ndk_disconnect, nd_190_no_second_connection)
{
	struct ndk_call call = {0};

	side_disconnect(ACTIVE);
	cr_assert(!NT_SUCCESS(ACTIVE->connector->Dispatch->NdkConnect(ACTIVE->connector, ACTIVE->qp,
		(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
		sizeof(pair.address), 1, 1, NULL, 0, call_over, &call)));
	cr_assert_eq(call.count, 0);
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, NULL, NULL, 0, 0),
		STATUS_CONNECTION_INVALID);
}

/* ND-191. Disconnecting a connector that is not connected is refused. */
Test(ndk_disconnect, nd_191_not_connected)
{
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	struct ndk_call call = {0};

	ASSERT_NT(connector->Dispatch->NdkDisconnect(connector, call_over, &call),
		STATUS_CONNECTION_INVALID);
	cr_assert_eq(call.count, 0);
}

/* ND-192. The disconnect event occurs when the peer disconnects and when the connection fails. */
Test(ndk_disconnect, nd_192_event_of_both_ends)
{
	NDK_SGE sge = side_sge(ACTIVE, 0, 8);

	side_disconnect(ACTIVE);
	POLL_UNTIL(PASSIVE->disconnected == 1);
	for (unsigned int i = 0; i < 2; i++) {
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
		pair.side[i].disconnected = 0;
	}
	pair_connect();
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkWrite(ACTIVE->qp, NULL, &sge, 1, 0, 0x1234, 0),
		STATUS_SUCCESS);
	POLL_UNTIL(PASSIVE->disconnected == 1 && ACTIVE->disconnected == 1);
}

static unsigned int wrong_events;

static VOID
wrong_event(PVOID context)
{
	(void)context;
	wrong_events++;
}

/*
 * A second accept is refused because the connector is connected. The disconnect event callback of
 * the first accept stays set.
 */
Test(ndk_disconnect, refused_accept_leaves_the_event)
{
	NDK_CONNECTOR *connector = pair.side[1].connector;
	struct ndk_call call = {0};

	ASSERT_NT(connector->Dispatch->NdkAccept(connector, pair.side[1].qp, 4, 4, NULL, 0,
			  wrong_event, NULL, call_over, &call),
		STATUS_CONNECTION_ACTIVE);
	side_disconnect(&pair.side[0]);
	POLL_UNTIL(pair.side[1].disconnected != 0);
	cr_assert_eq(wrong_events, 0);
}

/* ND-197. A disconnect completes after the peer has answered. */
Test(ndk_disconnect, nd_197_disconnect_waits_for_the_peer)
{
	static struct ndk_call call;

	ASSERT_NT(ACTIVE->connector->Dispatch->NdkDisconnect(ACTIVE->connector, call_over, &call),
		STATUS_PENDING);
	for (unsigned int i = 0; i < 100; i++)
		side_poll(ACTIVE);
	cr_assert_eq(call.count, 0, "over without an answer");
	ASSERT_NT(call_wait(STATUS_PENDING, &call), STATUS_SUCCESS);
}

/* ND-198. After a disconnect of one side, neither side can send. */
Test(ndk_disconnect, nd_198_no_half_of_a_connection)
{
	side_disconnect(ACTIVE);
	POLL_UNTIL(PASSIVE->disconnected == 1);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(pair.side[i].qp->Dispatch->NdkSend(pair.side[i].qp, NULL, NULL, 0, 0),
			STATUS_CONNECTION_INVALID);
}

/* ND-199. While a side disconnects, it may get the disconnect event, but at most once. */
Test(ndk_disconnect, nd_199_event_beside_the_own_disconnect)
{
	static struct ndk_call call[2];

	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(pair.side[i].connector->Dispatch->NdkDisconnect(
				  pair.side[i].connector, call_over, &call[i]),
			STATUS_PENDING);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(call_wait(STATUS_PENDING, &call[i]), STATUS_SUCCESS);
	pair_quiet();
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_leq(pair.side[i].disconnected, 1);
}

/* ND-200. Closing a connector disconnects it and flushes the queue pair. */
Test(ndk_disconnect, nd_200_closing_disconnects)
{
	static struct ndk_call closing;

	side_receive(ACTIVE, &received[0]);
	ASSERT_NT(call_wait(ACTIVE->connector->Dispatch->NdkCloseConnector(
				    &ACTIVE->connector->Header, close_over, &closing),
			  &closing),
		STATUS_SUCCESS);
	side_expect(ACTIVE, &received[0], NdkOperationTypeReceive, STATUS_CANCELLED);
	POLL_UNTIL(PASSIVE->disconnected == 1);
}

/* ND-201. After a queue pair was closed, its results may still be taken. */
Test(ndk_disconnect, nd_201_results_of_a_closed_queue_pair)
{
	static struct ndk_call closing;

	side_receive(ACTIVE, &received[0]);
	side_send(PASSIVE, NULL, 0);
	ASSERT_NT(side_result(PASSIVE).Status, STATUS_SUCCESS);
	side_disconnect(ACTIVE);
	ASSERT_NT(call_wait(ACTIVE->connector->Dispatch->NdkCloseConnector(
				    &ACTIVE->connector->Header, close_over, &closing),
			  &closing),
		STATUS_SUCCESS);
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkCloseQp(&ACTIVE->qp->Header, close_over, &closing),
		STATUS_SUCCESS);
	side_expect(ACTIVE, &received[0], NdkOperationTypeReceive, STATUS_SUCCESS);
}

/*
 * ND-202. If both sides disconnect at the same time, with no request outstanding, both calls
 * succeed.
 */
Test(ndk_disconnect, nd_202_both_disconnect)
{
	static struct ndk_call call[2];
	NTSTATUS status[2];

	pair_expect_alive();
	for (unsigned int i = 0; i < 2; i++)
		status[i] = pair.side[i].connector->Dispatch->NdkDisconnect(
			pair.side[i].connector, call_over, &call[i]);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(call_wait(status[i], &call[i]), STATUS_SUCCESS);
}
