/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Requests and their results: statements of docs/rules.md, sections ND F and G. */

#include <string.h>

#include "ndk_scene.h"

TestSuite(ndk_request, .init = pair_connected, .fini = pair_close);
TestSuite(ndk_request_listening, .init = pair_listening, .fini = pair_close);
TestSuite(ndk_request_closed, .init = pair_open, .fini = pair_close);

static int contexts[64];

static NTSTATUS
send_list(struct ndk_side *side, PVOID context, const NDK_SGE *list, ULONG count, ULONG flags)
{
	return side->qp->Dispatch->NdkSend(side->qp, context, list, count, flags);
}

static NTSTATUS
receive_list(struct ndk_side *side, PVOID context, const NDK_SGE *list, ULONG count)
{
	return side->qp->Dispatch->NdkReceive(side->qp, context, list, count);
}

static NTSTATUS
read_list(PVOID context, const NDK_SGE *list, ULONG count, UINT32 token, ULONG flags)
{
	return PEER->qp->Dispatch->NdkRead(
		PEER->qp, context, list, count, scene_at(0), token, flags);
}

static NTSTATUS
write_list(PVOID context, const NDK_SGE *list, ULONG count, UINT32 token, ULONG flags)
{
	return PEER->qp->Dispatch->NdkWrite(
		PEER->qp, context, list, count, scene_at(0), token, flags);
}

/* ND-093. A call that is refused has no result and no other effect. */
Test(ndk_request, nd_093_refused_call_has_no_result)
{
	NDK_SGE entry = side_sge(PEER, 0, 8);

	ASSERT_NT(send_list(PEER, contexts, NULL, 1, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(receive_list(PEER, contexts, NULL, 1), STATUS_INVALID_PARAMETER);
	entry.MemoryRegionToken = 0;
	ASSERT_NT(read_list(contexts, &entry, 1, 0, 0), STATUS_ACCESS_VIOLATION);
	ASSERT_NT(write_list(contexts, &entry, 1, 0, 0x80000000u), STATUS_INVALID_PARAMETER);
	side_no_result(PEER);
	pair_expect_alive();
}

/* ND-094. A request has exactly one result. A silent request that succeeds has none. */
Test(ndk_request, nd_094_one_result_of_each)
{
	UINT32 token = scene_window(NULL, 0, 4096, READ_WRITE);
	NDK_SGE entry = side_sge(PEER, 0, 8);

	for (unsigned int silent = 0; silent < 2; silent++) {
		ULONG flags = silent ? NDK_OP_FLAG_SILENT_SUCCESS : 0;

		side_receive(OWNER, NULL);
		ASSERT_NT(send_list(PEER, &contexts[0], NULL, 0, flags), STATUS_SUCCESS);
		ASSERT_NT(write_list(&contexts[1], &entry, 1, token, flags), STATUS_SUCCESS);
		ASSERT_NT(read_list(&contexts[2], &entry, 1, token, flags), STATUS_SUCCESS);
		if (!silent) {
			side_expect(PEER, &contexts[0], NdkOperationTypeSend, STATUS_SUCCESS);
			side_expect(PEER, &contexts[1], NdkOperationTypeWrite, STATUS_SUCCESS);
			side_expect(PEER, &contexts[2], NdkOperationTypeRead, STATUS_SUCCESS);
		}
		side_no_result(PEER);
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
		side_no_result(OWNER);
	}
}

/* ND-095. A request that fails ends the connection. All other requests are cancelled. */
Test(ndk_request, nd_095_failure_cancels_the_rest)
{
	NDK_SGE entry = side_sge(PEER, 0, 8);

	side_receive(PEER, &contexts[0]);
	ASSERT_NT(write_list(&contexts[1], &entry, 1, 0x1234, 0), STATUS_SUCCESS);
	ASSERT_NT(write_list(&contexts[2], NULL, 0, 0, 0), STATUS_SUCCESS);
	ASSERT_NT(read_list(&contexts[3], NULL, 0, 0, NDK_OP_FLAG_SILENT_SUCCESS), STATUS_SUCCESS);
	side_expect(PEER, &contexts[1], NdkOperationTypeWrite, REFUSED);
	for (unsigned int i = 0; i < 3; i++) {
		NDK_RESULT_EX result = side_result(PEER);

		ASSERT_NT(result.Status, STATUS_CANCELLED);
		cr_assert_neq(result.RequestContext, &contexts[1]);
	}
	side_no_result(PEER);
	pair_expect_over();
}

/* ND-096. Results are in the order of posting, whatever the kinds of the requests are. */
Test(ndk_request, nd_096_results_in_the_order_of_posting)
{
	NDK_MW *mw = side_mw(OWNER);
	const NDK_QP_DISPATCH *dispatch = OWNER->qp->Dispatch;

	for (unsigned int i = 0; i < 3; i++)
		side_receive(PEER, &contexts[32 + i]);
	scene_hold(&contexts[0]);
	side_send(OWNER, &contexts[1], 0);
	ASSERT_NT(scene_bind_post(mw, 0, 64, READ_WRITE), STATUS_SUCCESS);
	ASSERT_NT(dispatch->NdkWrite(OWNER->qp, &contexts[3], NULL, 0, 0, 0, 0), STATUS_SUCCESS);
	side_send(OWNER, &contexts[4], 0);
	scene_invalidate_post(mw, 0);
	ASSERT_NT(dispatch->NdkRead(OWNER->qp, &contexts[6], NULL, 0, 0, 0, 0), STATUS_SUCCESS);
	side_send(OWNER, &contexts[7], 0);
	for (unsigned int i = 0; i < 8; i++) {
		PVOID context = i == 2 || i == 5 ? (PVOID)mw : (PVOID)&contexts[i];
		NDK_RESULT_EX result = side_result(OWNER);

		cr_assert_eq(result.RequestContext, context, "result %u", i);
	}
	for (unsigned int i = 0; i < 3; i++)
		side_expect(PEER, &contexts[32 + i], NdkOperationTypeReceive, STATUS_SUCCESS);
}

/* ND-097. Queue pairs do not wait for each other, and neither do the two directions. */
Test(ndk_request, nd_097_no_order_between_queue_pairs)
{
	NDK_QP *first = OWNER->qp;
	static int held;

	scene_hold(&held);
	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	/* The receive is posted first, but completes after later requests of other queue pairs. */
	ASSERT_NT(first->Dispatch->NdkReceive(first, &contexts[0], NULL, 0), STATUS_SUCCESS);
	pair_connect();
	side_expect(OWNER, &held, NdkOperationTypeRead, STATUS_SUCCESS);
	pair_expect_alive();
	first->Dispatch->NdkFlush(first);
	side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_CANCELLED);
}

/* ND-098. The caller may reuse the SGE list as soon as the call has returned. */
Test(ndk_request, nd_098_lists_are_copied)
{
	NDK_SGE from = side_sge(PEER, 0, 8), to = side_sge(OWNER, 64, 8);

	ASSERT_NT(receive_list(OWNER, NULL, &to, 1), STATUS_SUCCESS);
	memset(&to, 0xff, sizeof(to));
	memset(PEER->memory, 'l', 8);
	ASSERT_NT(send_list(PEER, NULL, &from, 1, 0), STATUS_SUCCESS);
	memset(&from, 0xff, sizeof(from));
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert(scene_arrived(64, 8));
}

/*
 * ND-101. The result of a receive has the number of bytes. All results have their type and
 * contexts.
 */
Test(ndk_request, nd_101_bytes_of_a_receive)
{
	NDK_SGE from = side_sge(PEER, 0, 100),
		to[2] = {side_sge(OWNER, 0, 60), side_sge(OWNER, 1000, 500)};
	NDK_RESULT_EX result;

	ASSERT_NT(receive_list(OWNER, &contexts[0], to, 2), STATUS_SUCCESS);
	ASSERT_NT(send_list(PEER, &contexts[1], &from, 1, 0), STATUS_SUCCESS);
	result = side_result(OWNER);
	cr_assert_eq(result.BytesTransferred, 100);
	cr_assert_eq(result.RequestContext, &contexts[0]);
	cr_assert_eq(result.QPContext, OWNER);
	cr_assert_eq(result.Type, NdkOperationTypeReceive);
	side_expect(PEER, &contexts[1], NdkOperationTypeSend, STATUS_SUCCESS);
}

/* ND-102. A message without data uses up a receive. */
Test(ndk_request, nd_102_message_without_bytes)
{
	NDK_SGE to = side_sge(OWNER, 0, 60);
	NDK_RESULT_EX result;

	ASSERT_NT(receive_list(OWNER, &contexts[0], &to, 1), STATUS_SUCCESS);
	side_send(PEER, NULL, 0);
	result = side_result(OWNER);
	ASSERT_NT(result.Status, STATUS_SUCCESS);
	cr_assert_eq(result.BytesTransferred, 0);
	cr_assert_eq(result.RequestContext, &contexts[0]);
}

static void
open_impatient(void)
{
	pair_configure(&(struct nd_pair_config){.ack_timeout = 8, .rnr_retry_count = 1});
	pair_connected();
}

TestSuite(ndk_request_impatient, .init = open_impatient, .fini = pair_close);

/* ND-103. A read of 0 bytes detects that the peer is dead. */
Test(ndk_request_impatient, nd_103_read_without_bytes)
{
	NDK_RESULT_EX result;
	time_t since = 0;

	ASSERT_NT(read_list(&contexts[0], NULL, 0, 0, 0), STATUS_SUCCESS);
	side_expect(PEER, &contexts[0], NdkOperationTypeRead, STATUS_SUCCESS);
	ASSERT_NT(read_list(&contexts[1], NULL, 0, 0, 0), STATUS_SUCCESS);
	/* Poll only the peer. The owner is not polled, so it does not answer. */
	while (PEER->cq->Dispatch->NdkGetCqResultsEx(PEER->cq, &result, 1) == 0) {
		cr_assert(pair_patience(&since));
		side_poll(PEER);
	}
	ASSERT_NT(result.Status, STATUS_IO_TIMEOUT);
	cr_assert_eq(result.RequestContext, &contexts[1]);
}

/* ND-104. A receive that was posted before the connection gets the first message. */
Test(ndk_request_listening, nd_104_receive_before_the_connection)
{
	side_receive(OWNER, &contexts[0]);
	side_receive(PEER, &contexts[1]);
	pair_connect();
	side_send(OWNER, NULL, NDK_OP_FLAG_SILENT_SUCCESS);
	side_send(PEER, NULL, NDK_OP_FLAG_SILENT_SUCCESS);
	side_expect(PEER, &contexts[1], NdkOperationTypeReceive, STATUS_SUCCESS);
	side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_SUCCESS);
}

/* ND-105. A request with more SGEs than the queue pair allows is refused. */
Test(ndk_request, nd_105_too_many_entries)
{
	NDK_SGE list[17];

	for (unsigned int i = 0; i < 17; i++)
		list[i] = side_sge(PEER, 8 * i, 8);
	for (ULONG count = 5; count <= 17; count += 12) {
		ASSERT_NT(send_list(PEER, NULL, list, count, 0), STATUS_DATA_OVERRUN);
		ASSERT_NT(receive_list(PEER, NULL, list, count), STATUS_DATA_OVERRUN);
		ASSERT_NT(read_list(NULL, list, count, 0, 0), STATUS_DATA_OVERRUN);
		ASSERT_NT(write_list(NULL, list, count, 0, 0), STATUS_DATA_OVERRUN);
	}
	side_no_result(PEER);
	pair_expect_alive();
}

/* ND-106. A request with more bytes than the maximum message is refused. */
Test(ndk_request, nd_106_too_many_bytes)
{
	NDK_SGE list[2] = {side_sge(PEER, 0, UINT32_MAX), side_sge(PEER, 0, UINT32_MAX)};

	ASSERT_NT(send_list(PEER, NULL, list, 2, 0), STATUS_BUFFER_OVERFLOW);
	ASSERT_NT(read_list(NULL, list, 2, 0, 0), STATUS_BUFFER_OVERFLOW);
	ASSERT_NT(write_list(NULL, list, 2, 0, 0), STATUS_BUFFER_OVERFLOW);
	side_no_result(PEER);
	pair_expect_alive();
}

/* ND-107. Flags that a request does not define are refused. */
Test(ndk_request, nd_107_unknown_flags)
{
	for (unsigned int bit = 10; bit < 32; bit++) {
		ASSERT_NT(send_list(PEER, NULL, NULL, 0, 1u << bit), STATUS_INVALID_PARAMETER);
		ASSERT_NT(write_list(NULL, NULL, 0, 0, 1u << bit), STATUS_INVALID_PARAMETER);
		ASSERT_NT(read_list(NULL, NULL, 0, 0, 1u << bit), STATUS_INVALID_PARAMETER);
	}
	ASSERT_NT(write_list(NULL, NULL, 0, 0, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(read_list(NULL, NULL, 0, 0, NDK_OP_FLAG_INLINE), STATUS_INVALID_PARAMETER);
	side_no_result(PEER);
}

/*
 * ND-108. Inline data may have any number of SGEs, needs no tokens, and is copied during the call.
 */
Test(ndk_request, nd_108_inline_data)
{
	static uint8_t bytes[32];
	UINT32 token = scene_window(NULL, 0, 4096, READ_WRITE);
	NDK_SGE list[8], to = side_sge(OWNER, 512, 32);

	for (unsigned int i = 0; i < 8; i++)
		list[i] = (NDK_SGE){.VirtualAddress = bytes + 4 * i,
			.Length = 4,
			.MemoryRegionToken = 0xdeadbeef};
	memset(PEER->memory, 'q', 32);
	memset(bytes, 'q', 32);
	ASSERT_NT(receive_list(OWNER, NULL, &to, 1), STATUS_SUCCESS);
	ASSERT_NT(write_list(NULL, list, 8, token, NDK_OP_FLAG_INLINE), STATUS_SUCCESS);
	ASSERT_NT(send_list(PEER, NULL, list, 8, NDK_OP_FLAG_INLINE), STATUS_SUCCESS);
	memset(bytes, 0, 32);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert(scene_arrived(0, 32));
	cr_assert(scene_arrived(512, 32));
}

/**
 * Let the owner post a read that is not answered, and then a send.
 * @return whether the peer received the message before the read was answered
 */
static bool
sent_past_a_read(ULONG flags)
{
	NDK_RESULT_EX result;
	bool got = false;

	side_receive(PEER, &contexts[1]);
	scene_hold(&contexts[2]);
	side_send(OWNER, &contexts[3], flags);
	/* Poll only the peer, so that the owner does not process the read's response. */
	for (unsigned int i = 0; i < 100; i++)
		side_poll(PEER);
	got = PEER->cq->Dispatch->NdkGetCqResultsEx(PEER->cq, &result, 1) == 1;
	side_expect(OWNER, &contexts[2], NdkOperationTypeRead, STATUS_SUCCESS);
	side_expect(OWNER, &contexts[3], NdkOperationTypeSend, STATUS_SUCCESS);
	if (!got)
		side_expect(PEER, &contexts[1], NdkOperationTypeReceive, STATUS_SUCCESS);
	return got;
}

/* ND-110, ND-111. A fenced send waits only for earlier reads. */
Test(ndk_request, nd_110_fenced_send_waits_for_reads)
{
	cr_assert(sent_past_a_read(0));
	cr_assert_not(sent_past_a_read(NDK_OP_FLAG_READ_FENCE));
}

Test(ndk_request, nd_111_fence_without_reads)
{
	NDK_RESULT_EX result;

	side_receive(PEER, &contexts[0]);
	side_send(OWNER, &contexts[1], NDK_OP_FLAG_READ_FENCE);
	for (unsigned int i = 0; i < 100; i++)
		side_poll(PEER);
	cr_assert_eq(PEER->cq->Dispatch->NdkGetCqResultsEx(PEER->cq, &result, 1), 1);
	side_expect(OWNER, &contexts[1], NdkOperationTypeSend, STATUS_SUCCESS);
}

/* ND-112, ND-113. A request with an SGE outside its region fails and ends the connection. */
Test(ndk_request, nd_112_entry_outside_of_its_region)
{
	NDK_SGE entry = side_sge(PEER, 0, 8);

	entry.VirtualAddress = PEER->memory - 8;
	ASSERT_NT(send_list(PEER, &contexts[0], &entry, 1, 0), STATUS_SUCCESS);
	side_expect(PEER, &contexts[0], NdkOperationTypeSend, STATUS_ACCESS_VIOLATION);
	pair_expect_over();
}

Test(ndk_request, nd_113_one_byte_beyond_the_own_region)
{
	for (unsigned int i = 0; i < 2; i++) {
		UINT32 token = scene_window(NULL, 0, NDK_BYTES, READ_WRITE);
		NDK_SGE entry = side_sge(PEER, NDK_BYTES - 63, 64);

		ASSERT_NT(i == 0 ? read_list(NULL, &entry, 1, token, 0)
				 : write_list(NULL, &entry, 1, token, 0),
			STATUS_SUCCESS);
		ASSERT_NT(side_result(PEER).Status, STATUS_ACCESS_VIOLATION);
		pair_expect_over();
		scene_reconnect();
	}
}

/*
 * ND-114, ND-116. An access beyond the peer's window fails with REFUSED, the status of version 1 of
 * the SPI for a refused access.
 */
Test(ndk_request, nd_114_beyond_the_peers_window)
{
	ASSERT_NT(scene_read(scene_window(NULL, 0, 64, READ_WRITE), 1, 64), REFUSED);
	pair_expect_over();
	scene_reconnect();
	ASSERT_NT(scene_write(scene_window(NULL, 0, 64, READ_WRITE), 1, 64), REFUSED);
	pair_expect_over();
}

Test(ndk_request, nd_116_code_of_a_refused_access)
{
	ASSERT_NT(scene_write(scene_window(NULL, 0, 64, READ_WRITE), 64, 1), (NTSTATUS)0xC000013D);
}

/* ND-115. A write to a read-only window fails. The owner's receives are cancelled. */
Test(ndk_request, nd_115_write_to_a_window_that_is_read)
{
	UINT32 token = scene_window(NULL, 0, 64, SCENE_READ);

	side_receive(OWNER, &contexts[0]);
	ASSERT_NT(scene_write(token, 0, 64), REFUSED);
	side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_CANCELLED);
	pair_expect_over();
}

/*
 * ND-117. If a message is longer than the receive, the send and the receive fail. The statuses are
 * those of the native library, with the same values (docs/facade/ndk.md).
 */
Test(ndk_request, nd_117_message_is_too_long)
{
	NDK_SGE from = side_sge(PEER, 0, 1024), to = side_sge(OWNER, 0, 1023);

	ASSERT_NT(receive_list(OWNER, &contexts[0], &to, 1), STATUS_SUCCESS);
	ASSERT_NT(send_list(PEER, &contexts[1], &from, 1, 0), STATUS_SUCCESS);
	side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_BUFFER_OVERFLOW);
	side_expect(PEER, &contexts[1], NdkOperationTypeSend, REFUSED);
	cr_assert_eq(OWNER->memory[1023], 0, "written behind the receive");
	pair_expect_over();
}

/* ND-118. A send fails if the peer has no receive. */
Test(ndk_request_impatient, nd_118_send_without_a_receive)
{
	side_send(PEER, &contexts[0], 0);
	side_expect(PEER, &contexts[0], NdkOperationTypeSend, STATUS_IO_TIMEOUT);
	side_no_result(OWNER);
}

/* ND-120. Requests have the same results, whichever of them are deferred. */
Test(ndk_request, nd_120_deferring_changes_no_result)
{
	for (unsigned int pattern = 0; pattern < 32; pattern++) {
		for (unsigned int i = 0; i < 6; i++)
			side_receive(OWNER, &contexts[i]);
		for (unsigned int i = 0; i < 6; i++)
			side_send(PEER, &contexts[8 + i],
				(pattern >> i & 1) != 0 ? NDK_OP_FLAG_DEFER : 0);
		for (unsigned int i = 0; i < 6; i++) {
			side_expect(OWNER, &contexts[i], NdkOperationTypeReceive, STATUS_SUCCESS);
			side_expect(PEER, &contexts[8 + i], NdkOperationTypeSend, STATUS_SUCCESS);
		}
	}
}

/* ND-121. A deferred request may be executed before the end of its chain, but only once. */
Test(ndk_request, nd_121_deferred_request_may_be_early)
{
	ULONG early;
	NDK_RESULT_EX result;

	side_receive(OWNER, &contexts[0]);
	side_receive(OWNER, &contexts[1]);
	side_send(PEER, &contexts[2], NDK_OP_FLAG_DEFER);
	pair_quiet();
	early = PEER->cq->Dispatch->NdkGetCqResultsEx(PEER->cq, &result, 1);
	side_send(PEER, &contexts[3], 0);
	if (early == 0)
		side_expect(PEER, &contexts[2], NdkOperationTypeSend, STATUS_SUCCESS);
	side_expect(PEER, &contexts[3], NdkOperationTypeSend, STATUS_SUCCESS);
	side_no_result(PEER);
}

/* ND-122. A flush cancels receives and outbound requests. */
Test(ndk_request, nd_122_flush_cancels_both_directions)
{
	side_receive(OWNER, &contexts[0]);
	scene_hold(&contexts[1]);
	side_send(OWNER, &contexts[2], NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SILENT_SUCCESS);
	OWNER->qp->Dispatch->NdkFlush(OWNER->qp);
	for (unsigned int i = 0; i < 3; i++)
		ASSERT_NT(side_result(OWNER).Status, STATUS_CANCELLED);
	side_no_result(OWNER);
}

/* ND-123. A flush does not affect another queue pair of the same completion queue. */
Test(ndk_request, nd_123_flush_leaves_others_alone)
{
	NDK_QP *other = side_qp(OWNER, OWNER->cq, 4, OWNER);

	side_receive(OWNER, &contexts[0]);
	ASSERT_NT(other->Dispatch->NdkReceive(other, &contexts[1], NULL, 0), STATUS_SUCCESS);
	other->Dispatch->NdkFlush(other);
	side_expect(OWNER, &contexts[1], NdkOperationTypeReceive, STATUS_CANCELLED);
	side_no_result(OWNER);
	side_send(PEER, NULL, 0);
	side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_SUCCESS);
}

/*
 * ND-124. A flush of a queue pair that was never connected cancels its receives and causes a
 * notification.
 */
Test(ndk_request_closed, nd_124_flush_without_a_connection)
{
	NDK_RESULT results[2];

	side_receive(OWNER, &contexts[0]);
	side_receive(OWNER, &contexts[1]);
	OWNER->cq->Dispatch->NdkArmCq(OWNER->cq, NDK_CQ_NOTIFY_ANY);
	cr_assert_eq(OWNER->notified, 0);
	OWNER->qp->Dispatch->NdkFlush(OWNER->qp);
	POLL_UNTIL(OWNER->notified == 1);
	cr_assert_eq(OWNER->cq->Dispatch->NdkGetCqResults(OWNER->cq, results, 2), 2);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_NT(results[i].Status, STATUS_CANCELLED);
		cr_assert_eq(results[i].RequestContext, &contexts[i]);
	}
}

/* ND-125. A flushed queue pair cannot be used again. */
Test(ndk_request, nd_125_flushed_queue_pair_takes_nothing)
{
	NTSTATUS status;

	OWNER->qp->Dispatch->NdkFlush(OWNER->qp);
	pair_quiet();
	ASSERT_NT(send_list(OWNER, NULL, NULL, 0, 0), STATUS_CONNECTION_INVALID);
	status = receive_list(OWNER, &contexts[0], NULL, 0);
	if (status == STATUS_SUCCESS)
		side_expect(OWNER, &contexts[0], NdkOperationTypeReceive, STATUS_CANCELLED);
	else
		ASSERT_NT(status, STATUS_CONNECTION_INVALID);
	side_no_result(OWNER);
}
