/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Shared receive queues of version 2, and adapters with several engines. docs/rules.md has no
 * statements about them, so the names and comments of the tests describe the expected behaviour.
 */

#include "spi_scene.h"

#define DEPTH 8

static IND2SharedReceiveQueue *srq;

/**
 * Create the owner's shared receive queue with DEPTH receives of 2 SGEs and this notification
 * threshold.
 */
static IND2SharedReceiveQueue *
create(ULONG threshold, KAFFINITY affinity)
{
	IND2SharedReceiveQueue *made = NULL;

	ASSERT_HR(IND2Adapter_CreateSharedReceiveQueue(OWNER->adapter, &IID_IND2SharedReceiveQueue,
			  OWNER->file, DEPTH, 2, threshold, 0, affinity, (void **)&made),
		ND_SUCCESS);
	scene_keep(made);
	return made;
}

static IND2QueuePair *
queue_pair(IND2CompletionQueue *cq, IND2SharedReceiveQueue *of, uintptr_t context)
{
	IND2QueuePair *qp = NULL;

	ASSERT_HR(IND2Adapter_CreateQueuePairWithSrq(OWNER->adapter, &IID_IND2QueuePair,
			  (IUnknown *)cq, (IUnknown *)cq, (IUnknown *)of, CONTEXT(context), 16, 4,
			  64, (void **)&qp),
		ND_SUCCESS);
	scene_keep(qp);
	return qp;
}

/** Connect a new queue pair of the peer to a new queue pair that uses the shared receive queue. */
static void
join(uintptr_t context, struct spi_side before[2])
{
	if (before != NULL)
		memcpy(before, scene.side, sizeof(scene.side));
	scene_keep(PEER->qp);
	scene_keep(OWNER->qp);
	PEER->qp = spi_pair_queue_pair(&scene, 0, SCENE_ENTRIES);
	OWNER->qp = queue_pair(OWNER->cq, srq, context);
	scene_keep(PEER->connector);
	scene_keep(OWNER->connector);
	scene_join();
}

static void
open_shared(void)
{
	scene_open();
	srq = create(3, 0);
	join(0x301, NULL);
}

TestSuite(spi_nd_srq, .init = open_shared, .fini = scene_close);

static HRESULT
post(uintptr_t context, ULONG bytes)
{
	ND2_SGE sge = spi_pair_sge(OWNER, 1024 * (context % 32), bytes);

	return IND2SharedReceiveQueue_Receive(srq, CONTEXT(context), &sge, 1);
}

static void
message(uintptr_t context, ULONG bytes)
{
	ASSERT_HR(scene_send_post(PEER, context, 0, bytes, 0), ND_SUCCESS);
}

static void
received(uintptr_t context, uintptr_t qp)
{
	ND2_RESULT result = spi_pair_result(OWNER->cq);

	ASSERT_HR(result.Status, ND_SUCCESS);
	cr_assert_eq(result.RequestType, Nd2RequestTypeReceive);
	cr_assert_eq(result.RequestContext, CONTEXT(context));
	cr_assert_eq(result.QueuePairContext, CONTEXT(qp));
}

/*
 * Messages of all queue pairs take receives in order. Each result has the context of its queue
 * pair.
 */
Test(spi_nd_srq, receives_of_several_queue_pairs)
{
	struct spi_side first[2];

	join(0x302, first);
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; i++) {
		message(10 + i, 8);
		received(i, i % 2 == 0 ? 0x302 : 0x301);
		scene_swap(first);
	}
	/* A queue pair with a shared receive queue cannot post its own receives. */
	ASSERT_HR(IND2QueuePair_Receive(OWNER->qp, NULL, NULL, 0), ND_NO_MORE_ENTRIES);
}

/*
 * The queue takes as many receives as its depth. A receive with too many SGEs or another adapter's
 * token is refused.
 */
Test(spi_nd_srq, limits_of_receives)
{
	ND2_SGE sge[3] = {
		spi_pair_sge(OWNER, 0, 8), spi_pair_sge(OWNER, 8, 8), spi_pair_sge(OWNER, 16, 8)};
	ND2_SGE stranger = {OWNER->memory, 8, 0x7777777};

	ASSERT_HR(IND2SharedReceiveQueue_Receive(srq, NULL, sge, 3), ND_DATA_OVERRUN);
	ASSERT_HR(IND2SharedReceiveQueue_Receive(srq, NULL, &stranger, 1), ND_ACCESS_VIOLATION);
	ASSERT_HR(IND2SharedReceiveQueue_Receive(srq, CONTEXT(0), sge, 2), ND_SUCCESS);
	for (unsigned int i = 1; i < DEPTH; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	ASSERT_HR(post(DEPTH, 64), ND_NO_MORE_ENTRIES);
	memcpy(PEER->memory, "0123456789abcdef", 16);
	message(1, 16);
	received(0, 0x301);
	cr_assert_eq(memcmp(OWNER->memory, "0123456789abcdef", 16), 0);
	ASSERT_HR(post(DEPTH, 64), ND_SUCCESS);
}

/*
 * Modify enlarges or shrinks the queue, but not below the posted receives. The argument 0 keeps the
 * old value.
 */
Test(spi_nd_srq, modify)
{
	for (unsigned int i = 0; i < DEPTH; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, DEPTH - 1, 0), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, 0x10000000, 0), ND_INVALID_PARAMETER);
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, 0, 0), ND_SUCCESS);
	ASSERT_HR(post(DEPTH, 64), ND_NO_MORE_ENTRIES);
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, 2 * DEPTH, 0), ND_SUCCESS);
	for (unsigned int i = DEPTH; i < 2 * DEPTH; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	for (unsigned int i = 0; i < 2 * DEPTH; i++) {
		message(i, 8);
		received(i, 0x301);
	}
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, 1, 0), ND_SUCCESS);
	ASSERT_HR(post(1, 64), ND_SUCCESS);
	ASSERT_HR(post(2, 64), ND_NO_MORE_ENTRIES);
}

static HRESULT
notified(OVERLAPPED *overlapped, BOOL wait)
{
	return IND2SharedReceiveQueue_GetOverlappedResult(srq, overlapped, wait);
}

/* All pending Notifies complete when fewer receives than the threshold are posted. */
Test(spi_nd_srq, notify)
{
	static OVERLAPPED low[2], canceled;

	for (unsigned int i = 0; i < 4; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_HR(IND2SharedReceiveQueue_Notify(srq, &low[i]), ND_PENDING);
	message(0, 8);
	received(0, 0x301);
	ASSERT_HR(notified(&low[0], FALSE), ND_PENDING);
	message(1, 8);
	received(1, 0x301);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_HR(notified(&low[i], TRUE), ND_SUCCESS);
	/*
	 * The queue is still below the threshold, but this state was already reported. A new Notify
	 * completes only at the next message.
	 */
	ASSERT_HR(IND2SharedReceiveQueue_Notify(srq, &low[0]), ND_PENDING);
	ASSERT_HR(notified(&low[0], FALSE), ND_PENDING);
	message(2, 8);
	received(2, 0x301);
	ASSERT_HR(notified(&low[0], TRUE), ND_SUCCESS);
	ASSERT_HR(post(0, 64), ND_SUCCESS);
	/* Post until the queue is above the threshold again. */
	ASSERT_HR(post(4, 64), ND_SUCCESS);
	ASSERT_HR(post(5, 64), ND_SUCCESS);
	ASSERT_HR(IND2SharedReceiveQueue_Notify(srq, &canceled), ND_PENDING);
	ASSERT_HR(notified(&canceled, FALSE), ND_PENDING);
	ASSERT_HR(IND2SharedReceiveQueue_CancelOverlappedRequests(srq), ND_SUCCESS);
	ASSERT_HR(notified(&canceled, TRUE), ND_CANCELED);
	/*
	 * Modify raises the threshold above the number of posted receives, which completes the
	 * Notify.
	 */
	ASSERT_HR(IND2SharedReceiveQueue_Notify(srq, &low[0]), ND_PENDING);
	ASSERT_HR(IND2SharedReceiveQueue_Modify(srq, 0, 5), ND_SUCCESS);
	ASSERT_HR(notified(&low[0], TRUE), ND_SUCCESS);
}

Test(spi_nd_srq, empty_queue_ends_no_connection)
{
	for (unsigned int i = 0; i < 4; i++)
		message(i, 8);
	scene_quiet();
	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_HR(post(i, 64), ND_SUCCESS);
		received(i, 0x301);
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(i)), ND_SUCCESS);
	}
}

Test(spi_nd_srq, flush_leaves_the_receives)
{
	struct spi_side first[2];

	ASSERT_HR(post(1, 64), ND_SUCCESS);
	ASSERT_HR(post(2, 64), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
	spi_pair_quiet(OWNER->cq);
	join(0x302, first);
	message(1, 8);
	received(1, 0x302);
	message(2, 8);
	received(2, 0x302);
}

Test(spi_nd_srq, message_longer_than_its_receive)
{
	struct spi_side first[2];

	join(0x302, first);
	ASSERT_HR(post(1, 4), ND_SUCCESS);
	ASSERT_HR(post(2, 64), ND_SUCCESS);
	message(1, 8);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_DATA_OVERRUN);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(1)), STATUS_DATA_ERROR);
	scene_swap(first);
	message(2, 8);
	received(2, 0x301);
}

Test(spi_nd_srq, queue_released_while_it_is_used)
{
	static OVERLAPPED low;

	for (unsigned int i = 0; i < 4; i++)
		ASSERT_HR(post(i, 64), ND_SUCCESS);
	ASSERT_HR(IND2SharedReceiveQueue_Notify(srq, &low), ND_PENDING);
	scene_release(srq);
	ASSERT_HR(IND2Connector_GetOverlappedResult(OWNER->connector, &low, TRUE), ND_CANCELED);
	for (unsigned int i = 0; i < 4; i++) {
		message(i, 8);
		received(i, 0x301);
	}
	/* The released queue is now empty. The release of its last queue pair frees it. */
	message(4, 8);
	scene_release(OWNER->qp);
	spi_pair_quiet(OWNER->cq);
}

Test(spi_nd_srq, results_outlive_the_queue)
{
	ASSERT_HR(post(1, 64), ND_SUCCESS);
	message(1, 8);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(1)), ND_SUCCESS);
	scene_release(srq);
	scene_release(OWNER->qp);
	received(1, 0x301);
}

/* ---- Several engines ---- */

static void
open_engines(void)
{
	scene_open_with("engines = 2; rnr_retry_count = 7", 2);
}

TestSuite(spi_nd_engines, .init = open_engines, .fini = scene_close);

/** Create a completion queue of the owner. @param affinity selects the engine of the queue */
static IND2CompletionQueue *
queue_of(KAFFINITY *affinity)
{
	IND2CompletionQueue *cq = NULL;
	USHORT group = 7;

	ASSERT_HR(IND2Adapter_CreateCompletionQueue(OWNER->adapter, &IID_IND2CompletionQueue,
			  OWNER->file, 64, 0, *affinity, (void **)&cq),
		ND_SUCCESS);
	scene_keep(cq);
	ASSERT_HR(IND2CompletionQueue_GetNotifyAffinity(cq, &group, affinity), ND_SUCCESS);
	cr_assert_eq(group, 0);
	return cq;
}

/*
 * The affinity selects the engine of an object. Each engine works, and objects of different engines
 * cannot be combined.
 */
Test(spi_nd_engines, affinity_chooses_the_engine)
{
	KAFFINITY affinity[2] = {1, 2}, of_srq;
	IND2CompletionQueue *cq[2];
	ND2_ADAPTER_INFO info = {.InfoVersion = ND_VERSION_2};
	ULONG bytes = sizeof(info);
	USHORT group;
	void *qp;

	ASSERT_HR(IND2Adapter_Query(OWNER->adapter, &info, &bytes), ND_SUCCESS);
	cr_assert((info.AdapterFlags & ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED) != 0);
	for (unsigned int i = 0; i < 2; i++) {
		cq[i] = queue_of(&affinity[i]);
		scene_keep(OWNER->qp);
		OWNER->qp = scene_queue_pair(OWNER, cq[i], cq[i]);
		scene_keep(PEER->qp);
		PEER->qp = spi_pair_queue_pair(&scene, 0, SCENE_ENTRIES);
		scene_keep(OWNER->connector);
		scene_keep(PEER->connector);
		scene_join();
		for (unsigned int n = 0; n < 50; n++) {
			scene_receive(OWNER, n, 0, 8);
			message(n, 8);
			ASSERT_HR(spi_pair_expect(cq[i], Nd2RequestTypeReceive, CONTEXT(n)),
				ND_SUCCESS);
			ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(n)),
				ND_SUCCESS);
		}
	}
	cr_assert_neq(affinity[0], affinity[1]);
	ASSERT_HR(IND2Adapter_CreateQueuePair(OWNER->adapter, &IID_IND2QueuePair, (IUnknown *)cq[0],
			  (IUnknown *)cq[1], NULL, 1, 1, 1, 1, 0, &qp),
		ND_INVALID_PARAMETER_3);
	srq = create(0, 2);
	ASSERT_HR(IND2SharedReceiveQueue_GetNotifyAffinity(srq, &group, &of_srq), ND_SUCCESS);
	cr_assert_eq(of_srq, affinity[1]);
	ASSERT_HR(
		IND2Adapter_CreateQueuePairWithSrq(OWNER->adapter, &IID_IND2QueuePair,
			(IUnknown *)cq[0], (IUnknown *)cq[0], (IUnknown *)srq, NULL, 1, 1, 0, &qp),
		ND_INVALID_PARAMETER_4);
}
