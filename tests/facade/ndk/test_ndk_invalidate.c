/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Invalidation by the owner and by the peer: statements of docs/rules.md, sections ND C and D.
 * test_ndk_bind.c tests statements that apply to NDK only.
 */

#include <string.h>

#include "ndk_scene.h"

TestSuite(ndk_invalidate, .init = pair_connected, .fini = pair_close);
TestSuite(ndk_invalidate_closed, .init = pair_open, .fini = pair_close);

/**
 * NDK's status for an invalidate of a window that is not bound. ND_INVALIDATION_ERROR has the same
 * value.
 */
#define NOT_OPEN STATUS_INVALID_DEVICE_REQUEST

static NTSTATUS
invalidate(NDK_MW *mw, ULONG flags)
{
	return OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, mw, &mw->Header, flags);
}

static void
peer_invalidates(UINT32 token, ULONG flags)
{
	ASSERT_NT(PEER->qp->Dispatch->NdkSendAndInvalidate(PEER->qp, PEER, NULL, 0, flags, token),
		STATUS_SUCCESS);
}

/** Fail unless the next result is the receive with this context and the invalidated token. */
static void
expect_invalidated(PVOID context, UINT32 token)
{
	NDK_RESULT_EX result = side_result(OWNER);

	ASSERT_NT(result.Status, STATUS_SUCCESS);
	cr_assert_eq(result.RequestContext, context);
	cr_assert_eq(result.Type, NdkOperationTypeReceiveAndInvalidate);
	cr_assert_eq(result.TypeSpecificCompletionOutput, token);
}

/* ND-043. If there is no connection, an invalidate is refused. */
Test(ndk_invalidate_closed, nd_043_invalidate_needs_a_connection)
{
	ASSERT_NT(invalidate(side_mw(OWNER), 0), STATUS_CONNECTION_INVALID);
	side_no_result(OWNER);
}

/* ND-044. If the send queue is full, an invalidate is refused. */
Test(ndk_invalidate, nd_044_full_queue_takes_no_invalidate)
{
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 0, 64, READ_WRITE);

	scene_hold(NULL);
	for (unsigned int i = 1; i < NDK_DEPTH; i++)
		side_send(OWNER, NULL, NDK_OP_FLAG_READ_FENCE);
	ASSERT_NT(invalidate(mw, 0), STATUS_INSUFFICIENT_RESOURCES);
	for (unsigned int i = 1; i < NDK_DEPTH; i++)
		side_receive(PEER, NULL);
	for (unsigned int i = 0; i < NDK_DEPTH; i++)
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	side_no_result(OWNER);
	for (unsigned int i = 1; i < NDK_DEPTH; i++)
		ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	ASSERT_NT(scene_write(token, 0, 64), STATUS_SUCCESS);
}

/* ND-045. A successful invalidate has one result. A silent invalidate has none. */
Test(ndk_invalidate, nd_045_one_result_or_none)
{
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	side_no_result(OWNER);
	scene_bind(mw, 0, 64, READ_WRITE);
	scene_invalidate_post(mw, NDK_OP_FLAG_SILENT_SUCCESS);
	side_no_result(OWNER);
	scene_bind(mw, 0, 64, READ_WRITE);
}

/* ND-046. A silent invalidate has a result if it fails. */
Test(ndk_invalidate, nd_046_silent_invalidate_that_fails_has_a_result)
{
	NDK_MW *mw = side_mw(OWNER);

	scene_invalidate_post(mw, NDK_OP_FLAG_SILENT_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeInvalidate, NOT_OPEN);
}

/*
 * ND-047. The result of an invalidate has one of three statuses: success, cancelled, or NOT_OPEN
 * (window not bound).
 */
Test(ndk_invalidate, nd_047_statuses_of_results)
{
	NDK_MW *mw;
	static int read;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	ASSERT_NT(scene_invalidate(mw), NOT_OPEN);
	scene_reconnect();
	scene_bind(mw, 0, 64, READ_WRITE);
	scene_hold(&read);
	scene_invalidate_post(mw, NDK_OP_FLAG_READ_FENCE);
	OWNER->qp->Dispatch->NdkFlush(OWNER->qp);
	side_expect(OWNER, &read, NdkOperationTypeRead, STATUS_CANCELLED);
	side_expect(OWNER, mw, NdkOperationTypeInvalidate, STATUS_CANCELLED);
}

static void
open_short_packets(void)
{
	pair_configure(&(struct nd_pair_config){.path_mtu = 256});
	pair_connected();
}

TestSuite(ndk_invalidate_short_packets, .init = open_short_packets, .fini = pair_close);

/*
 * ND-048. If the window is invalidated during a write of the peer, the write fails and no further
 * byte is written.
 */
Test(ndk_invalidate_short_packets, nd_048_transfer_in_progress_fails)
{
	static uint8_t then[NDK_BYTES];
	static int received;
	size_t arrived = 0;
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 0, NDK_BYTES, READ_WRITE);

	memset(PEER->memory, 'w', NDK_BYTES);
	memset(OWNER->memory, 0, NDK_BYTES);
	side_receive(OWNER, &received);
	scene_write_post(token, 0, NDK_BYTES, NULL);
	while (OWNER->memory[255] == 0)
		side_poll(OWNER);
	while (arrived < NDK_BYTES && OWNER->memory[arrived] != 0)
		arrived += 256;
	cr_assert_lt(arrived, NDK_BYTES, "all packets came in one turn");
	scene_invalidate_post(mw, 0);
	memcpy(then, OWNER->memory, NDK_BYTES);
	ASSERT_NT(side_result(PEER).Status, REFUSED);
	side_expect(OWNER, mw, NdkOperationTypeInvalidate, STATUS_SUCCESS);
	side_expect(OWNER, &received, NdkOperationTypeReceive, STATUS_CANCELLED);
	pair_expect_over();
	cr_assert_arr_eq(OWNER->memory, then, NDK_BYTES);
}

/* ND-049. An access to an invalidated window ends the connection on both sides. */
Test(ndk_invalidate, nd_049_access_after_the_invalidation_is_fatal)
{
	for (unsigned int i = 0; i < 2; i++) {
		NDK_MW *mw;
		UINT32 token = scene_window(&mw, 0, 64, READ_WRITE);

		ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
		ASSERT_NT(i == 0 ? scene_write(token, 0, 8) : scene_read(token, 0, 8), REFUSED);
		pair_expect_over();
		scene_reconnect();
	}
}

/**
 * Let the owner post a read that is not answered, and then an invalidate. Then let the peer write.
 * @return whether the peer's write succeeded
 */
static bool
open_past_a_read(ULONG flags)
{
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 4096, 64, READ_WRITE);

	memset(PEER->memory, 'i', 64);
	memset(OWNER->memory + 4096, 0, 64);
	scene_hold(NULL);
	scene_invalidate_post(mw, flags);
	scene_write_post(token, 4096, 64, NULL);
	for (unsigned int i = 0; i < 100; i++)
		side_poll(OWNER);
	return scene_arrived(4096, 64);
}

/* ND-050. A fenced invalidate is not executed before earlier reads have completed. */
Test(ndk_invalidate, nd_050_fenced_invalidate_waits_for_reads)
{
	cr_assert(open_past_a_read(NDK_OP_FLAG_READ_FENCE), "invalidated before the read");
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	side_expect(OWNER, NULL, NdkOperationTypeRead, STATUS_SUCCESS);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	cr_assert_not(open_past_a_read(0), "open although nothing was to be waited for");
	ASSERT_NT(side_result(PEER).Status, REFUSED);
}

/*
 * ND-051. After the invalidate's result, the window can be bound again. Its token then differs.
 */
Test(ndk_invalidate, nd_051_window_can_be_bound_again)
{
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 0, 64, READ_WRITE);

	for (unsigned int i = 1; i <= 50; i++) {
		UINT32 before = token;

		ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
		token = scene_bind(mw, 64 * i, 64, READ_WRITE);
		cr_assert_neq(token, before);
		ASSERT_NT(scene_write(token, 64 * i, 64), STATUS_SUCCESS);
	}
}

/* ND-052. An invalidate of an unbound window fails and ends the connection. */
Test(ndk_invalidate, nd_052_window_that_is_not_bound)
{
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(scene_invalidate(mw), NOT_OPEN);
	pair_expect_over();
}

/* ND-053. An invalidate without a context and without flags succeeds and has a result. */
Test(ndk_invalidate, nd_053_no_context_and_no_flags)
{
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	OWNER->cq->Dispatch->NdkArmCq(OWNER->cq, NDK_CQ_NOTIFY_ANY);
	OWNER->notified = 0;
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, NULL, &mw->Header, 0),
		STATUS_SUCCESS);
	side_expect(OWNER, NULL, NdkOperationTypeInvalidate, STATUS_SUCCESS);
}

/* ND-054. If an access of the peer fails, the owner's receives are cancelled without a flush. */
Test(ndk_invalidate, nd_054_receives_do_not_stay_pending)
{
	static int received[2];

	side_receive(OWNER, &received[0]);
	side_receive(OWNER, &received[1]);
	OWNER->cq->Dispatch->NdkArmCq(OWNER->cq, NDK_CQ_NOTIFY_ERRORS);
	ASSERT_NT(scene_write(0x1234, 0, 8), REFUSED);
	POLL_UNTIL(OWNER->notified == 1);
	side_expect(OWNER, &received[0], NdkOperationTypeReceive, STATUS_CANCELLED);
	side_expect(OWNER, &received[1], NdkOperationTypeReceive, STATUS_CANCELLED);
	pair_expect_over();
}

/* ND-055. An invalidate is not executed before an earlier send. */
Test(ndk_invalidate, nd_055_invalidate_stays_behind_a_send)
{
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 4096, 64, READ_WRITE);

	memset(PEER->memory, 's', 64);
	side_receive(PEER, NULL);
	scene_hold(NULL);
	/* The fenced send waits for the read. The invalidate waits only for the send. */
	side_send(OWNER, NULL, NDK_OP_FLAG_READ_FENCE);
	scene_invalidate_post(mw, 0);
	scene_write_post(token, 4096, 64, NULL);
	for (unsigned int i = 0; i < 100; i++)
		side_poll(OWNER);
	cr_assert(scene_arrived(4096, 64), "invalidated before the send was executed");
	for (unsigned int i = 0; i < 3; i++)
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	ASSERT_NT(scene_write(token, 4096, 8), REFUSED);
}

static void
open_patient(void)
{
	pair_configure(&(struct nd_pair_config){.rnr_retry_count = 7});
	pair_connected();
}

TestSuite(ndk_invalidate_patient, .init = open_patient, .fini = pair_close);

/*
 * ND-059. Without a receive, the SendAndInvalidate is retransmitted. The token is invalidated after
 * a receive was posted.
 */
Test(ndk_invalidate_patient, nd_059_send_and_invalidate_needs_a_receive)
{
	UINT32 token = scene_window(NULL, 0, 64, READ_WRITE);
	static int received;

	peer_invalidates(token, 0);
	side_no_result(OWNER);
	side_no_result(PEER);
	side_receive(OWNER, &received);
	expect_invalidated(&received, token);
	side_expect(PEER, PEER, NdkOperationTypeSend, STATUS_SUCCESS);
}

/*
 * ND-060. After the peer has invalidated the window, the owner's invalidate fails and ends the
 * connection.
 */
Test(ndk_invalidate, nd_060_local_invalidate_comes_too_late)
{
	NDK_MW *mw;
	UINT32 token = scene_window(&mw, 0, 64, READ_WRITE);
	static int received;

	side_receive(OWNER, &received);
	peer_invalidates(token, 0);
	expect_invalidated(&received, token);
	ASSERT_NT(scene_invalidate(mw), NOT_OPEN);
	pair_expect_over();
}

/*
 * ND-061. If invalidations of the owner and of the peer race, one of them succeeds, and the
 * connection ends.
 */
Test(ndk_invalidate, nd_061_one_of_two_invalidations_wins)
{
	for (unsigned int local_first = 0; local_first < 2; local_first++) {
		unsigned int invalidated = 0;
		static int received;
		NDK_RESULT_EX results[2];
		NDK_MW *mw;
		UINT32 token = scene_window(&mw, 0, 64, READ_WRITE);

		side_receive(OWNER, &received);
		if (local_first)
			scene_invalidate_post(mw, 0);
		peer_invalidates(token, 0);
		side_poll(OWNER);
		if (!local_first)
			scene_invalidate_post(mw, 0);
		for (unsigned int i = 0; i < 2; i++) {
			results[i] = side_result(OWNER);
			invalidated += NT_SUCCESS(results[i].Status);
		}
		cr_assert_eq(invalidated, 1, "both, or none");
		cr_assert(NT_SUCCESS(results[0].Status), "the loser comes second");
		cr_assert_eq(results[0].RequestContext, local_first ? (PVOID)mw : &received);
		pair_expect_over();
		scene_reconnect();
	}
}

/* ND-063. SendAndInvalidate works with data and without data. */
Test(ndk_invalidate, nd_063_message_without_bytes)
{
	UINT32 token = scene_window(NULL, 0, 64, READ_WRITE);
	static int received;
	NDK_SGE sge = side_sge(PEER, 0, 8), to = side_sge(OWNER, 512, 8);

	side_receive(OWNER, &received);
	peer_invalidates(token, 0);
	expect_invalidated(&received, token);
	side_expect(PEER, PEER, NdkOperationTypeSend, STATUS_SUCCESS);
	token = scene_window(NULL, 0, 64, READ_WRITE);
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, &received, &to, 1), STATUS_SUCCESS);
	memset(PEER->memory, 'm', 8);
	ASSERT_NT(PEER->qp->Dispatch->NdkSendAndInvalidate(PEER->qp, PEER, &sge, 1, 0, token),
		STATUS_SUCCESS);
	expect_invalidated(&received, token);
	cr_assert(scene_arrived(512, 8));
}

/*
 * ND-064. A SendAndInvalidate can solicit an event. The event occurs when the receive's result is
 * in the queue. `found` is the number of results at the event.
 */
static ULONG found;

static void
take_one(struct ndk_side *side)
{
	NDK_RESULT result;

	found += side->cq->Dispatch->NdkGetCqResults(side->cq, &result, 1);
}

Test(ndk_invalidate, nd_064_event_of_send_and_invalidate)
{
	UINT32 token = scene_window(NULL, 0, 64, READ_WRITE);
	UINT32 second = scene_window(NULL, 0, 64, READ_WRITE);

	found = 0;
	side_receive(OWNER, NULL);
	side_receive(OWNER, NULL);
	OWNER->cq->Dispatch->NdkArmCq(OWNER->cq, NDK_CQ_NOTIFY_ANY);
	OWNER->notified = 0;
	OWNER->cq->Dispatch->NdkArmCq(OWNER->cq, NDK_CQ_NOTIFY_SOLICITED);
	OWNER->at_notification = take_one;
	peer_invalidates(token, 0);
	pair_quiet();
	cr_assert_eq(OWNER->notified, 0);
	peer_invalidates(second, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	pair_quiet();
	cr_assert_eq(OWNER->notified, 1);
	cr_assert_eq(found, 1, "there was no result");
}
