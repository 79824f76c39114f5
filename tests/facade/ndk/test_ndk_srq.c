/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Shared receive queues: two queue pairs of side 1 share one receive queue. */

#include <string.h>

#include "ndk_pair.h"
#include "support/engines.h"

#define SENDER   (&pair.side[0])
#define RECEIVER (&pair.side[1])

static NDK_SRQ *srq;
static NDK_QP *receivers[2], *senders[2];
static NDK_CONNECTOR *connectors[2];
static int contexts[2]; /* contexts of the two queue pairs of side 1 */
static unsigned int low;

static VOID
is_low(PVOID context, NTSTATUS status)
{
	cr_assert_eq(context, &low);
	ASSERT_NT(status, STATUS_SUCCESS);
	low++;
}

static NDK_SRQ *
srq_new(ULONG depth, ULONG threshold)
{
	struct ndk_side *side = RECEIVER;
	GROUP_AFFINITY affinity = {.Mask = (ULONG_PTR)1 << (test_engines() - 1)};
	NDK_SRQ *queue = NULL;

	ASSERT_NT(side->pd->Dispatch->NdkCreateSrq(side->pd, depth, 2, threshold, is_low, &low,
			  &affinity, create_over, NULL, &queue),
		STATUS_SUCCESS);
	return queue;
}

static NDK_QP *
qp_of_srq(PVOID context)
{
	struct ndk_side *side = RECEIVER;
	NDK_QP *qp = NULL;

	ASSERT_NT(side->pd->Dispatch->NdkCreateQpWithSrq(side->pd, side->cq, side->cq, srq, context,
			  4, 2, 0, create_over, NULL, &qp),
		STATUS_SUCCESS);
	return qp;
}

static void
open_srq(void)
{
	pair_listening();
	srq = srq_new(8, 0);
	for (unsigned int i = 0; i < 2; i++) {
		senders[i] = SENDER->qp = side_qp(SENDER, SENDER->cq, 8, SENDER);
		receivers[i] = RECEIVER->qp = qp_of_srq(&contexts[i]);
		pair_connect();
		connectors[i] = RECEIVER->connector;
	}
}

TestSuite(ndk_srq, .init = open_srq, .fini = pair_close);

static void
post(PVOID context, size_t offset)
{
	NDK_SGE sge = side_sge(RECEIVER, offset, 64);

	ASSERT_NT(srq->Dispatch->NdkSrqReceive(srq, context, &sge, 1), STATUS_SUCCESS);
}

static void
send_from(unsigned int number, char letter)
{
	NDK_SGE sge = side_sge(SENDER, number * 64u, 64);

	memset(SENDER->memory + number * 64u, letter, 64);
	ASSERT_NT(senders[number]->Dispatch->NdkSend(senders[number], NULL, &sge, 1, 0),
		STATUS_SUCCESS);
}

/**
 * Fail unless the next result is a message to queue pair `number` in the receive with this context.
 */
static void
expect_message(unsigned int number, PVOID context)
{
	NDK_RESULT_EX result = side_result(RECEIVER);

	ASSERT_NT(result.Status, STATUS_SUCCESS);
	cr_assert_eq(result.Type, NdkOperationTypeReceive);
	cr_assert_eq(result.QPContext, &contexts[number]);
	cr_assert_eq(result.RequestContext, context);
	cr_assert_eq(result.BytesTransferred, 64);
}

/* Messages of both queue pairs take receives in posting order. Each result names its queue pair. */
Test(ndk_srq, receives_are_shared)
{
	static int received[2];

	post(&received[0], 0);
	post(&received[1], 64);
	send_from(1, 'b');
	expect_message(1, &received[0]);
	send_from(0, 'a');
	expect_message(0, &received[1]);
	cr_assert_eq(RECEIVER->memory[0], 'b');
	cr_assert_eq(RECEIVER->memory[64], 'a');
	ASSERT_NT(receivers[0]->Dispatch->NdkReceive(receivers[0], NULL, NULL, 0),
		STATUS_INVALID_PARAMETER);
}

Test(ndk_srq, receives_are_used_again)
{
	static int received[40];

	for (unsigned int i = 0; i < 40; i++) {
		post(&received[i], 0);
		send_from(i % 2, 'x');
		pair_quiet();
		side_result(SENDER);
	}
	for (unsigned int i = 0; i < 40; i++)
		expect_message(i % 2, &received[i]);
}

Test(ndk_srq, full_queue)
{
	static struct ndk_call call = {0};

	for (unsigned int i = 0; i < 8; i++)
		post(NULL, 0);
	ASSERT_NT(srq->Dispatch->NdkSrqReceive(srq, NULL, NULL, 0), STATUS_INSUFFICIENT_RESOURCES);
	ASSERT_NT(srq->Dispatch->NdkModifySrq(srq, 4, 0, call_over, &call), STATUS_BUFFER_OVERFLOW);
	ASSERT_NT(srq->Dispatch->NdkModifySrq(srq, 16, 0, call_over, &call), STATUS_SUCCESS);
	post(NULL, 0);
	cr_assert_eq(call.count, 0);
}

/* Each arming causes one notification. Setting a threshold arms the queue again. */
Test(ndk_srq, notification)
{
	static struct ndk_call call = {0};

	low = 0;
	for (unsigned int i = 0; i < 4; i++)
		post(NULL, 0);
	ASSERT_NT(srq->Dispatch->NdkModifySrq(srq, 0, 3, call_over, &call), STATUS_SUCCESS);
	cr_assert_eq(low, 0);
	send_from(0, 'x');
	expect_message(0, NULL);
	cr_assert_eq(low, 0);
	send_from(0, 'x');
	expect_message(0, NULL);
	POLL_UNTIL(low == 1);
	send_from(0, 'x');
	expect_message(0, NULL);
	pair_quiet();
	cr_assert_eq(low, 1);
	/*
	 * The queue already holds fewer receives than the new threshold, so setting the threshold
	 * notifies at once.
	 */
	ASSERT_NT(srq->Dispatch->NdkModifySrq(srq, 0, 2, call_over, &call), STATUS_SUCCESS);
	POLL_UNTIL(low == 2);
}

/*
 * The close of a shared receive queue completes after its queue pairs are closed. Results of its
 * receives can be taken afterwards.
 */
Test(ndk_srq, closing)
{
	static struct ndk_call closing, pairs[2], gone[2];
	static int received[2];
	NDK_RESULT_EX result;

	post(&received[0], 0);
	post(&received[1], 0);
	send_from(0, 'x');
	side_result(SENDER);
	pair_quiet();
	ASSERT_NT(srq->Dispatch->NdkCloseSrq(&srq->Header, close_over, &closing), STATUS_PENDING);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_NT(receivers[i]->Dispatch->NdkCloseQp(
				  &receivers[i]->Header, close_over, &pairs[i]),
			STATUS_PENDING);
		cr_assert_eq(closing.count, 0);
		ASSERT_NT(call_wait(connectors[i]->Dispatch->NdkCloseConnector(
					    &connectors[i]->Header, close_over, &gone[i]),
				  &gone[i]),
			STATUS_SUCCESS);
	}
	cr_assert_eq(closing.count, 1);
	/* The second receive was not taken by a message, so it has no result. */
	expect_message(0, &received[0]);
	cr_assert_eq(RECEIVER->cq->Dispatch->NdkGetCqResultsEx(RECEIVER->cq, &result, 1), 0);
}
