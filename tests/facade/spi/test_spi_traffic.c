/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Requests and results through version 2 of the SPI. The tests are named after the statements in
 * docs/rules.md.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "spi_pair.h"

#define CONTEXT(number) ((void *)(uintptr_t)(number))

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

TestSuite(spi_traffic, .init = setup, .fini = teardown);

/** Bind side 1's window to [0, 4096) of its memory. @return token of the window */
static UINT32
bind_window(ULONG flags)
{
	struct spi_side *side = &pair.side[1];

	cr_assert_eq(IND2QueuePair_Bind(side->qp, CONTEXT(77), (IUnknown *)side->mr,
			     (IUnknown *)side->mw, side->memory, 4096, flags),
		ND_SUCCESS);
	/* ND-029: the token is valid when Bind has returned. */
	cr_assert_neq(IND2MemoryWindow_GetRemoteToken(side->mw), 0);
	cr_assert_eq(spi_pair_expect(side->cq, Nd2RequestTypeBind, CONTEXT(77)), ND_SUCCESS);
	return IND2MemoryWindow_GetRemoteToken(side->mw);
}

/*
 * ND-101, ND-104: results have contexts and types. A receive that was posted before the connection
 * is used.
 */
Test(spi_traffic, ND_101_result_of_send_and_receive)
{
	ND2_SGE from, to;
	ND2_RESULT result;

	to = spi_pair_sge(&pair.side[1], 0, 4096);
	cr_assert_eq(IND2QueuePair_Receive(pair.side[1].qp, CONTEXT(1), &to, 1), ND_SUCCESS);
	spi_pair_connect(&pair);
	from = spi_pair_sge(&pair.side[0], 100, 1000);
	memset(from.Buffer, 0x5a, from.BufferLength);
	cr_assert_eq(IND2QueuePair_Send(pair.side[0].qp, CONTEXT(2), &from, 1, 0), ND_SUCCESS);
	result = spi_pair_result(pair.side[1].cq);
	cr_assert_eq(result.Status, ND_SUCCESS);
	cr_assert_eq(result.BytesTransferred, 1000);
	cr_assert_eq(result.QueuePairContext, SPI_PAIR_CONTEXT(1));
	cr_assert_eq(result.RequestContext, CONTEXT(1));
	cr_assert_eq(result.RequestType, Nd2RequestTypeReceive);
	cr_assert_eq(memcmp(to.Buffer, from.Buffer, 1000), 0);
	result = spi_pair_result(pair.side[0].cq);
	cr_assert_eq(result.Status, ND_SUCCESS);
	cr_assert_eq(result.QueuePairContext, SPI_PAIR_CONTEXT(0));
	cr_assert_eq(result.RequestContext, CONTEXT(2));
	cr_assert_eq(result.RequestType, Nd2RequestTypeSend);
}

/*
 * ND-028, ND-030, ND-031, ND-053: access through a window with an unchanged token and an absolute
 * address, and Invalidate.
 */
Test(spi_traffic, ND_030_read_and_write_through_a_window)
{
	struct spi_side *owner = &pair.side[1], *peer = &pair.side[0];
	ND2_SGE local = spi_pair_sge(peer, 0, 64);
	UINT32 token;

	spi_pair_connect(&pair);
	token = bind_window(ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE);
	memset(peer->memory, 0x11, 64);
	cr_assert_eq(IND2QueuePair_Write(peer->qp, CONTEXT(3), &local, 1,
			     (UINT64)(uintptr_t)owner->memory + 128, token, 0),
		ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(peer->cq, Nd2RequestTypeWrite, CONTEXT(3)), ND_SUCCESS);
	cr_assert_eq(memcmp(owner->memory + 128, peer->memory, 64), 0);
	memset(owner->memory + 256, 0x22, 64);
	cr_assert_eq(IND2QueuePair_Read(peer->qp, CONTEXT(4), &local, 1,
			     (UINT64)(uintptr_t)owner->memory + 256, token, 0),
		ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(peer->cq, Nd2RequestTypeRead, CONTEXT(4)), ND_SUCCESS);
	cr_assert_eq(memcmp(owner->memory + 256, peer->memory, 64), 0);
	cr_assert_eq(
		IND2QueuePair_Invalidate(owner->qp, NULL, (IUnknown *)owner->mw, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(owner->cq, Nd2RequestTypeInvalidate, NULL), ND_SUCCESS);
}

/* ND-115: a Write to a read-only window ends the connection on both sides. */
Test(spi_traffic, ND_115_write_into_a_read_only_window)
{
	struct spi_side *owner = &pair.side[1], *peer = &pair.side[0];
	ND2_SGE local = spi_pair_sge(peer, 0, 64), receive = spi_pair_sge(owner, 8192, 64);
	UINT32 token;

	spi_pair_connect(&pair);
	token = bind_window(ND_OP_FLAG_ALLOW_READ);
	cr_assert_eq(IND2QueuePair_Receive(owner->qp, CONTEXT(5), &receive, 1), ND_SUCCESS);
	cr_assert_eq(IND2QueuePair_Write(peer->qp, CONTEXT(6), &local, 1,
			     (UINT64)(uintptr_t)owner->memory, token, 0),
		ND_SUCCESS);
	cr_assert_eq(
		spi_pair_expect(peer->cq, Nd2RequestTypeWrite, CONTEXT(6)), ND_ACCESS_VIOLATION);
	cr_assert_eq(spi_pair_expect(owner->cq, Nd2RequestTypeReceive, CONTEXT(5)), ND_CANCELED);
	/* ND-095: requests that are posted after the failure are refused. */
	cr_assert_eq(IND2QueuePair_Send(peer->qp, NULL, &local, 1, 0), ND_CONNECTION_INVALID);
}

/* ND-117: the message is one byte longer than its receive. */
Test(spi_traffic, ND_117_message_longer_than_its_receive)
{
	ND2_SGE from = spi_pair_sge(&pair.side[0], 0, 1024);
	ND2_SGE to = spi_pair_sge(&pair.side[1], 0, 1023);

	cr_assert_eq(IND2QueuePair_Receive(pair.side[1].qp, CONTEXT(1), &to, 1), ND_SUCCESS);
	spi_pair_connect(&pair);
	cr_assert_eq(IND2QueuePair_Send(pair.side[0].qp, CONTEXT(2), &from, 1, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(pair.side[1].cq, Nd2RequestTypeReceive, CONTEXT(1)),
		ND_DATA_OVERRUN);
	cr_assert_eq(spi_pair_expect(pair.side[0].cq, Nd2RequestTypeSend, CONTEXT(2)),
		STATUS_DATA_ERROR);
}

/*
 * ND-018, ND-026, ND-027: rights of windows and regions. A region with a bound window cannot be
 * deregistered.
 */
Test(spi_traffic, ND_026_deregister_with_a_bound_window)
{
	struct spi_side *owner = &pair.side[1];
	OVERLAPPED overlapped = {0};
	IND2MemoryRegion *source = NULL;
	static uint8_t bytes[64];

	spi_pair_connect(&pair);
	bind_window(0);
	cr_assert_eq(IND2MemoryRegion_Deregister(owner->mr, &overlapped), ND_DEVICE_BUSY);
	cr_assert_eq(
		IND2QueuePair_Invalidate(owner->qp, NULL, (IUnknown *)owner->mw, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(owner->cq, Nd2RequestTypeInvalidate, NULL), ND_SUCCESS);
	cr_assert_eq(spi_pair_finish(owner->mr, IND2MemoryRegion_Deregister(owner->mr, &overlapped),
			     &overlapped),
		ND_SUCCESS);
	cr_assert_eq(IND2MemoryRegion_GetLocalToken(owner->mr), 0);
	cr_assert_eq(IND2Adapter_CreateMemoryRegion(
			     owner->adapter, &IID_IND2MemoryRegion, owner->file, (void **)&source),
		ND_SUCCESS);
	cr_assert_eq(
		spi_pair_finish(source,
			IND2MemoryRegion_Register(source, bytes, sizeof(bytes), 0, &overlapped),
			&overlapped),
		ND_SUCCESS);
	cr_assert_eq(IND2QueuePair_Bind(owner->qp, NULL, (IUnknown *)source, (IUnknown *)owner->mw,
			     bytes, sizeof(bytes), ND_OP_FLAG_ALLOW_WRITE),
		ND_ACCESS_VIOLATION);
	cr_assert_eq(IND2MemoryRegion_Release(source), 0);
}

/* ND-108: inline data is copied during the call, needs no region, and has no SGE limit. */
Test(spi_traffic, ND_108_inline_data)
{
	ND2_SGE to = spi_pair_sge(&pair.side[1], 0, 4096);
	uint8_t parts[8][8];
	ND2_SGE from[8];

	cr_assert_eq(IND2QueuePair_Receive(pair.side[1].qp, NULL, &to, 1), ND_SUCCESS);
	spi_pair_connect(&pair);
	for (unsigned int i = 0; i < 8; i++) {
		memset(parts[i], (int)i + 1, sizeof(parts[i]));
		from[i] = (ND2_SGE){parts[i], sizeof(parts[i]), 0xdeadbeef};
	}
	cr_assert_eq(
		IND2QueuePair_Send(pair.side[0].qp, NULL, from, 8, ND_OP_FLAG_INLINE), ND_SUCCESS);
	memset(parts, 0, sizeof(parts));
	cr_assert_eq(spi_pair_expect(pair.side[1].cq, Nd2RequestTypeReceive, NULL), ND_SUCCESS);
	for (unsigned int i = 0; i < 64; i++)
		cr_assert_eq(pair.side[1].memory[i], i / 8 + 1);
	from[0].BufferLength = 65;
	cr_assert_eq(IND2QueuePair_Send(pair.side[0].qp, NULL, from, 1, ND_OP_FLAG_INLINE),
		ND_BUFFER_OVERFLOW);
	/* ND-105: without the INLINE flag, the number of SGEs and the tokens are checked. */
	cr_assert_eq(IND2QueuePair_Send(pair.side[0].qp, NULL, from, 1, 0), ND_ACCESS_VIOLATION);
}

/* ND-124, ND-125, ND-129: Flush cancels the receives of a queue pair that was never connected. */
Test(spi_traffic, ND_124_flush_of_an_unconnected_queue_pair)
{
	struct spi_side *side = &pair.side[0];
	OVERLAPPED notify = {0};
	ND2_RESULT results[2];

	cr_assert_eq(IND2CompletionQueue_Notify(side->cq, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(IND2CompletionQueue_GetOverlappedResult(side->cq, &notify, FALSE), ND_PENDING);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(IND2QueuePair_Receive(side->qp, CONTEXT(i), NULL, 0), ND_SUCCESS);
	cr_assert_eq(IND2QueuePair_Flush(side->qp), ND_SUCCESS);
	cr_assert_eq(spi_pair_finish(side->cq, ND_PENDING, &notify), ND_SUCCESS);
	cr_assert_eq(IND2CompletionQueue_GetResults(side->cq, results, 2), 2);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(results[i].Status, ND_CANCELED);
		cr_assert_eq(results[i].RequestContext, CONTEXT(i));
	}
}

/* ND-016: silent requests have no results. Their queue entries are reused. */
Test(spi_traffic, ND_016_many_silent_requests)
{
	struct spi_side *owner = &pair.side[1], *peer = &pair.side[0];
	ND2_SGE local = spi_pair_sge(peer, 0, 8);
	UINT32 token;
	ND2_RESULT result;

	spi_pair_connect(&pair);
	token = bind_window(ND_OP_FLAG_ALLOW_WRITE);
	for (unsigned int i = 0; i < 5000; i++) {
		HRESULT status;

		do {
			cr_assert_eq(IND2CompletionQueue_GetResults(owner->cq, &result, 1), 0);
			cr_assert_eq(IND2CompletionQueue_GetResults(peer->cq, &result, 1), 0);
			status = IND2QueuePair_Write(peer->qp, CONTEXT(i), &local, 1,
				(UINT64)(uintptr_t)owner->memory, token, ND_OP_FLAG_SILENT_SUCCESS);
		} while (status == ND_NO_MORE_ENTRIES);
		cr_assert_eq(status, ND_SUCCESS);
	}
	cr_assert_eq(IND2QueuePair_Write(peer->qp, CONTEXT(9), &local, 1,
			     (UINT64)(uintptr_t)owner->memory, token, 0),
		ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(peer->cq, Nd2RequestTypeWrite, CONTEXT(9)), ND_SUCCESS);
	spi_pair_quiet(peer->cq);
}

/* ND-201: after a queue pair was released, its results can still be taken. */
Test(spi_traffic, ND_201_results_of_a_released_queue_pair)
{
	struct spi_side *side = &pair.side[0];
	IND2QueuePair *qp = spi_pair_queue_pair(&pair, 0, 64);

	for (unsigned int i = 0; i < 64; i++)
		cr_assert_eq(IND2QueuePair_Receive(qp, CONTEXT(i), NULL, 0), ND_SUCCESS);
	cr_assert_eq(IND2QueuePair_Release(qp), 0);
	for (unsigned int i = 0; i < 64; i++)
		cr_assert_eq(
			spi_pair_expect(side->cq, Nd2RequestTypeReceive, CONTEXT(i)), ND_CANCELED);
	spi_pair_quiet(side->cq);
}
