/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, section ND F), version 2 of the SPI: posting requests, and
 * their results.
 */

#include <sys/mman.h>

#include "spi_scene.h"

TestSuite(spi_nd_data, .init = scene_connected, .fini = scene_close);
TestSuite(spi_nd_data_early, .init = scene_open, .fini = scene_close);

/** Open and connect with only one RNR retry, so that a Send without a Receive soon fails. */
static void
open_impatient(void)
{
	scene_open_with("rnr_retry_count = 1; rnr_timer = 1", 1);
	spi_pair_connect(&scene);
}

/** Open and connect with a short timeout for a peer that does not answer. */
static void
open_mortal(void)
{
	scene_open_with("ack_timeout = 10; retry_count = 1", 1);
	/* Poll both engines on this thread only, so that the test can stop a side. */
	scene_hold();
	spi_pair_connect(&scene);
}

TestSuite(spi_nd_data_impatient, .init = open_impatient, .fini = scene_close);
TestSuite(spi_nd_data_mortal, .init = open_mortal, .fini = scene_close);

static HRESULT
send_result(uintptr_t context)
{
	return spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(context));
}

static HRESULT
receive_result(uintptr_t context)
{
	return spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(context));
}

Test(spi_nd_data, nd_093_failing_call_changes_nothing)
{
	ND2_SGE many[17], one = spi_pair_sge(PEER, 0, 8), stranger = {PEER->memory, 8, 0x1234567};

	for (unsigned int i = 0; i < 17; i++)
		many[i] = one;
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, many, 17, 0), ND_DATA_OVERRUN);
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, &stranger, 1, 0), ND_ACCESS_VIOLATION);
	ASSERT_REFUSED(IND2QueuePair_Send(PEER->qp, NULL, &one, 1, 0x80), ND_INVALID_PARAMETER_4,
		"IND2QueuePair_Send: parameter 4, flags 0x80: expected a subset of 0x27");
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, NULL, 1, 0), ND_INVALID_PARAMETER_2);
	ASSERT_HR(IND2QueuePair_Receive(PEER->qp, NULL, many, 5), ND_DATA_OVERRUN);
	ASSERT_HR(IND2QueuePair_Read(PEER->qp, NULL, many, 5, 0, 0, 0), ND_DATA_OVERRUN);
	ASSERT_HR(IND2QueuePair_Write(PEER->qp, NULL, many, 5, 0, 0, 0), ND_DATA_OVERRUN);
	scene_quiet();
	scene_alive();
}

Test(spi_nd_data, nd_094_each_request_has_one_result)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(scene_read_post(3, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(scene_write_post(4, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	ASSERT_HR(send_result(2), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(3)), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(4)), ND_SUCCESS);
	scene_quiet();
}

/* A request that fails ends the connection. All other requests are cancelled, in order. */
Test(spi_nd_data, nd_095_failed_result_ends_the_connection)
{
	UINT32 token = scene_bound(ND_OP_FLAG_ALLOW_READ);

	scene_receive(PEER, 1, 0, 8);
	scene_receive(OWNER, 2, 0, 8);
	scene_hold();
	ASSERT_HR(scene_write_post(3, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(scene_read_post(4, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 5, 0, 8, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	scene_let_go();
	for (unsigned int i = 0; i < 4; i++) {
		ND2_RESULT result = spi_pair_result(PEER->cq);

		ASSERT_HR(result.Status,
			result.RequestContext == CONTEXT(3) ? ND_ACCESS_VIOLATION : ND_CANCELED);
	}
	ASSERT_HR(receive_result(2), ND_CANCELED);
	scene_quiet();
	scene_over();
}

Test(spi_nd_data, nd_096_results_come_in_the_order_of_posting)
{
	static const ND2_REQUEST_TYPE types[] = {Nd2RequestTypeSend, Nd2RequestTypeBind,
		Nd2RequestTypeRead, Nd2RequestTypeInvalidate, Nd2RequestTypeWrite};
	UINT32 token = scene_bound(READ_WRITE);

	for (unsigned int i = 0; i < 40; i++) {
		IUnknown *mw = (IUnknown *)PEER->mw;
		ND2_SGE sge = spi_pair_sge(PEER, 4096, 8192);
		HRESULT status = ND_SUCCESS;

		switch (types[i % 5]) {
		case Nd2RequestTypeSend:
			scene_receive(OWNER, i, 0, 0);
			status = IND2QueuePair_Send(PEER->qp, CONTEXT(i), NULL, 0, 0);
			break;
		case Nd2RequestTypeBind:
			status = IND2QueuePair_Bind(PEER->qp, CONTEXT(i), (IUnknown *)PEER->mr, mw,
				PEER->memory, 64, READ_WRITE);
			break;
		case Nd2RequestTypeInvalidate:
			status = IND2QueuePair_Invalidate(PEER->qp, CONTEXT(i), mw, 0);
			break;
		case Nd2RequestTypeRead:
			sge.BufferLength = 4096;
			status = IND2QueuePair_Read(
				PEER->qp, CONTEXT(i), &sge, 1, REMOTE(0), token, 0);
			break;
		case Nd2RequestTypeWrite:
		case Nd2RequestTypeReceive:
			status = scene_write_post(i, 0, 8, token, 0);
			break;
		}
		ASSERT_HR(status, ND_SUCCESS);
	}
	for (unsigned int i = 0; i < 40; i++)
		ASSERT_HR(spi_pair_expect(PEER->cq, types[i % 5], CONTEXT(i)), ND_SUCCESS);
	for (unsigned int i = 0; i < 40; i += 5)
		ASSERT_HR(receive_result(i), ND_SUCCESS);
}

Test(spi_nd_data, nd_097_queue_pairs_and_directions_are_independent)
{
	struct spi_side first[2];

	scene_receive(OWNER, 1, 0, 8);
	scene_send_post(PEER, 2, 0, 0, 0);
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	ASSERT_HR(send_result(2), ND_SUCCESS);
	scene_receive(OWNER, 3, 0, 8);
	scene_send_post(OWNER, 4, 0, 0, 0);
	scene_second(first);
	scene_alive();
	scene_swap(first);
	scene_receive(PEER, 5, 0, 8);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(5)), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeSend, CONTEXT(4)), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 6, 0, 0, 0), ND_SUCCESS);
	ASSERT_HR(receive_result(3), ND_SUCCESS);
}

Test(spi_nd_data, nd_098_list_may_be_reused_at_once)
{
	ND2_SGE to[2] = {spi_pair_sge(OWNER, 100, 5), spi_pair_sge(OWNER, 200, 5)};
	ND2_SGE from[2] = {spi_pair_sge(PEER, 0, 5), spi_pair_sge(PEER, 5, 5)};

	memcpy(PEER->memory, "123456789", 10);
	scene_hold();
	ASSERT_HR(IND2QueuePair_Receive(OWNER->qp, CONTEXT(1), to, 2), ND_SUCCESS);
	memset(to, 0xff, sizeof(to));
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, CONTEXT(2), from, 2, 0), ND_SUCCESS);
	memset(from, 0xff, sizeof(from));
	scene_let_go();
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	ASSERT_HR(send_result(2), ND_SUCCESS);
	cr_assert_eq(memcmp(OWNER->memory + 100, "12345", 5), 0);
	cr_assert_str_eq((char *)OWNER->memory + 200, "6789");
}

/*
 * BytesTransferred of a Receive is the length of the message. For a Send, Read or Write it is the
 * sum of the SGE lengths.
 */
Test(spi_nd_data, nd_100_bytes_transferred)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_receive(OWNER, 1, 8192, 4096);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 3000, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_result(OWNER->cq).BytesTransferred, 3000);
	cr_assert_eq(spi_pair_result(PEER->cq).BytesTransferred, 3000);
	ASSERT_HR(scene_read_post(3, 0, 2000, token, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_result(PEER->cq).BytesTransferred, 2000);
	ASSERT_HR(scene_write_post(4, 0, 1000, token, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_result(PEER->cq).BytesTransferred, 1000);
}

/*
 * Each result has its request type and both contexts, whatever its status is. The result of a
 * Receive has the length of the message.
 */
Test(spi_nd_data, nd_101_members_of_results)
{
	ND2_RESULT result;
	UINT32 token = scene_bound(0);

	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 7, 0), ND_SUCCESS);
	result = spi_pair_result(OWNER->cq);
	cr_assert_eq(result.BytesTransferred, 7);
	cr_assert_eq(result.QueuePairContext, SPI_PAIR_CONTEXT(1));
	cr_assert_eq(result.RequestContext, CONTEXT(1));
	cr_assert_eq(result.RequestType, Nd2RequestTypeReceive);
	ASSERT_HR(send_result(2), ND_SUCCESS);
	ASSERT_HR(scene_write_post(3, 0, 8, token, 0), ND_SUCCESS);
	result = spi_pair_result(PEER->cq);
	cr_assert_neq(result.Status, ND_SUCCESS);
	cr_assert_eq(result.QueuePairContext, SPI_PAIR_CONTEXT(0));
	cr_assert_eq(result.RequestContext, CONTEXT(3));
	cr_assert_eq(result.RequestType, Nd2RequestTypeWrite);
}

Test(spi_nd_data, nd_102_zero_byte_send)
{
	ND2_SGE nothing = {NULL, 0, 0};
	ND2_RESULT result;

	for (unsigned int i = 0; i < 2; i++) {
		scene_receive(OWNER, 1, 0, 8);
		ASSERT_HR(IND2QueuePair_Send(PEER->qp, CONTEXT(2), i == 0 ? NULL : &nothing, i, 0),
			ND_SUCCESS);
		result = spi_pair_result(OWNER->cq);
		ASSERT_HR(result.Status, ND_SUCCESS);
		cr_assert_eq(result.BytesTransferred, 0);
		ASSERT_HR(send_result(2), ND_SUCCESS);
	}
}

/* On a live connection, a Read or Write of 0 bytes completes without a valid token. */
Test(spi_nd_data, nd_103_zero_byte_read)
{
	ASSERT_HR(IND2QueuePair_Read(PEER->qp, CONTEXT(1), NULL, 0, 0, 0, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Write(PEER->qp, CONTEXT(2), NULL, 0, 0, 0, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(2)), ND_SUCCESS);
	scene_alive();
}

/* ND-103: a Read of 0 bytes fails if the peer is dead. Here the owner's engine is not polled. */
Test(spi_nd_data_mortal, zero_byte_read_of_a_dead_peer)
{
	ASSERT_HR(IND2QueuePair_Read(PEER->qp, CONTEXT(1), NULL, 0, 0, 0, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_IO_TIMEOUT);
}

Test(spi_nd_data_early, nd_104_receive_before_the_connection)
{
	scene_receive(OWNER, 1, 0, 8);
	scene_receive(PEER, 2, 0, 8);
	spi_pair_connect(&scene);
	ASSERT_HR(scene_send_post(PEER, 3, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	ASSERT_HR(send_result(3), ND_SUCCESS);
	ASSERT_HR(scene_send_post(OWNER, 4, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(2)), ND_SUCCESS);
}

Test(spi_nd_data, nd_105_too_many_entries)
{
	static const ULONG counts[] = {5, 16, 17, 1000};
	UINT32 token = scene_bound(READ_WRITE);
	ND2_SGE list[1000];

	for (unsigned int i = 0; i < 1000; i++)
		list[i] = spi_pair_sge(PEER, i, 1);
	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, list, counts[i], 0), ND_DATA_OVERRUN);
		ASSERT_HR(IND2QueuePair_Receive(PEER->qp, NULL, list, counts[i]), ND_DATA_OVERRUN);
		ASSERT_HR(IND2QueuePair_Read(PEER->qp, NULL, list, counts[i], REMOTE(0), token, 0),
			ND_DATA_OVERRUN);
		ASSERT_HR(IND2QueuePair_Write(PEER->qp, NULL, list, counts[i], REMOTE(0), token, 0),
			ND_DATA_OVERRUN);
	}
	ASSERT_HR(IND2QueuePair_Write(PEER->qp, CONTEXT(1), list, 4, REMOTE(0), token, 0),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(1)), ND_SUCCESS);
}

Test(spi_nd_data, nd_106_too_many_bytes)
{
	size_t bytes = (size_t)1 << 30;
	uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	IND2MemoryRegion *mr = scene_region(PEER);
	ND2_ADAPTER_INFO info = {.InfoVersion = ND_VERSION_2};
	ULONG room = sizeof(info);
	ND2_SGE list[4];

	ASSERT_HR(IND2Adapter_Query(PEER->adapter, &info, &room), ND_SUCCESS);
	cr_assert_lt(info.MaxTransferLength, 4 * bytes);
	ASSERT_HR(scene_register(mr, memory, bytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; i++)
		list[i] = (ND2_SGE){memory, (ULONG)bytes, IND2MemoryRegion_GetLocalToken(mr)};
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, list, 4, 0), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2QueuePair_Receive(PEER->qp, NULL, list, 4), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2QueuePair_Read(PEER->qp, NULL, list, 4, 0, 0, 0), ND_BUFFER_OVERFLOW);
	ASSERT_HR(IND2QueuePair_Write(PEER->qp, NULL, list, 4, 0, 0, 0), ND_BUFFER_OVERFLOW);
	scene_quiet();
	scene_alive();
	ASSERT_HR(scene_deregister(mr), ND_SUCCESS);
	munmap(memory, bytes);
}

/*
 * Send refuses unknown flags with ND_INVALID_PARAMETER_4, Write, Read and Bind with _6, and
 * Invalidate with _3.
 */
Test(spi_nd_data, nd_107_unknown_flags)
{
	for (unsigned int bit = 0; bit < 32; bit++) {
		ULONG flag = 1u << bit;

		if ((flag & 0x27) == 0)
			ASSERT_HR(scene_send_post(PEER, 1, 0, 8, flag), ND_INVALID_PARAMETER_4);
		if ((flag & 0x23) == 0)
			ASSERT_HR(scene_write_post(1, 0, 8, 0, flag), ND_INVALID_PARAMETER_6);
		if ((flag & 0x03) == 0) {
			ASSERT_HR(scene_read_post(1, 0, 8, 0, flag), ND_INVALID_PARAMETER_6);
			ASSERT_HR(IND2QueuePair_Invalidate(
					  OWNER->qp, NULL, (IUnknown *)OWNER->mw, flag),
				ND_INVALID_PARAMETER_3);
		}
		if ((flag & 0x1b) == 0)
			ASSERT_HR(scene_bind_post(OWNER->mw, 0, 8, flag), ND_INVALID_PARAMETER_6);
	}
	scene_quiet();
}

/*
 * Inline requests may have any number of SGEs. Their tokens are ignored, and the bytes are copied
 * during the call.
 */
Test(spi_nd_data, nd_108_inline_data)
{
	uint8_t bytes[64];
	ND2_SGE list[64];
	UINT32 token = scene_bound(READ_WRITE);

	for (unsigned int i = 0; i < 64; i++)
		list[i] = (ND2_SGE){bytes + i, 1, 0xdeadbeef};
	scene_receive(OWNER, 1, 8192, 64);
	scene_hold();
	for (unsigned int write = 0; write < 2; write++) {
		memset(bytes, write ? 'w' : 's', sizeof(bytes));
		ASSERT_HR(write ? IND2QueuePair_Write(PEER->qp, CONTEXT(2), list, 64, REMOTE(0),
					  token, ND_OP_FLAG_INLINE)
				: IND2QueuePair_Send(
					  PEER->qp, CONTEXT(2), list, 64, ND_OP_FLAG_INLINE),
			ND_SUCCESS);
		memset(bytes, 0, sizeof(bytes));
	}
	scene_let_go();
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_SUCCESS);
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	cr_assert_eq(OWNER->memory[0], 'w');
	cr_assert_eq(OWNER->memory[8192 + 63], 's');
	list[63].BufferLength = 2;
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, list, 64, ND_OP_FLAG_INLINE),
		ND_BUFFER_OVERFLOW);
}

/* A fenced Send waits for earlier Reads, so it sends the bytes that they have read. */
Test(spi_nd_data, nd_110_fenced_send_has_the_bytes_of_earlier_reads)
{
	UINT32 token = scene_bound(READ_WRITE);

	for (unsigned int i = 1; i <= 20; i++) {
		memset(OWNER->memory, (int)i, 4096);
		memset(PEER->memory, 0, 4096);
		scene_receive(OWNER, 1, 8192, 4096);
		ASSERT_HR(
			scene_read_post(2, 0, 4096, token, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
		ASSERT_HR(scene_send_post(PEER, 3, 0, 4096, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
		ASSERT_HR(receive_result(1), ND_SUCCESS);
		ASSERT_HR(send_result(3), ND_SUCCESS);
		cr_assert_eq(memcmp(OWNER->memory, OWNER->memory + 8192, 4096), 0);
	}
}

Test(spi_nd_data, nd_111_fence_without_reads)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 8, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(scene_write_post(3, 0, 8, token, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(scene_read_post(4, 0, 8, token, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(receive_result(1), ND_SUCCESS);
	for (unsigned int i = 2; i < 5; i++) {
		ND2_RESULT result = spi_pair_result(PEER->cq);

		cr_assert_eq(result.RequestContext, CONTEXT(i));
		ASSERT_HR(result.Status, ND_SUCCESS);
	}
}

Test(spi_nd_data, nd_112_entry_outside_its_region)
{
	ND2_SGE sge = spi_pair_sge(PEER, SPI_PAIR_BYTES, 8);

	ASSERT_HR(IND2QueuePair_Send(PEER->qp, CONTEXT(1), &sge, 1, 0), ND_SUCCESS);
	ASSERT_HR(send_result(1), ND_ACCESS_VIOLATION);
	scene_over();
	scene_second(NULL);
	sge = spi_pair_sge(OWNER, SPI_PAIR_BYTES - 4, 8);
	ASSERT_HR(IND2QueuePair_Receive(OWNER->qp, CONTEXT(2), &sge, 1), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 3, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(receive_result(2), ND_ACCESS_VIOLATION);
	scene_over();
}

Test(spi_nd_data, nd_113_entry_one_byte_too_long)
{
	for (unsigned int write = 0; write < 2; write++) {
		ND2_SGE sge = spi_pair_sge(PEER, SPI_PAIR_BYTES - 64, 65);
		UINT32 token;

		scene_keep(OWNER->mw);
		OWNER->mw = scene_window(OWNER);
		token = scene_bound(READ_WRITE);
		scene_receive(OWNER, 1, 0, 8);
		ASSERT_HR(write ? IND2QueuePair_Write(
					  PEER->qp, CONTEXT(2), &sge, 1, REMOTE(0), token, 0)
				: IND2QueuePair_Read(
					  PEER->qp, CONTEXT(2), &sge, 1, REMOTE(0), token, 0),
			ND_SUCCESS);
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_ACCESS_VIOLATION);
		ASSERT_HR(receive_result(1), ND_CANCELED);
		scene_over();
		scene_second(NULL);
	}
	scene_keep(OWNER->mw);
	OWNER->mw = NULL;
}

/* An access beyond the peer's window ends with ND_ACCESS_VIOLATION at the initiator. */
Test(spi_nd_data, nd_114_beyond_the_window)
{
	for (unsigned int i = 0; i < 4; i++) {
		size_t offset = i < 2 ? SCENE_WINDOW_BYTES - 63 : SCENE_WINDOW_BYTES;
		UINT32 token;

		scene_keep(OWNER->mw);
		OWNER->mw = scene_window(OWNER);
		token = scene_bound(READ_WRITE);
		ASSERT_HR(i % 2 ? scene_write(offset, 64, token) : scene_read(offset, 64, token),
			ND_ACCESS_VIOLATION);
		scene_over();
		scene_second(NULL);
	}
	scene_keep(OWNER->mw);
	OWNER->mw = NULL;
}

/* A Write to a read-only window ends with ND_ACCESS_VIOLATION. The owner's Receive is cancelled. */
Test(spi_nd_data, nd_115_write_into_a_read_only_window)
{
	UINT32 token = scene_bound(ND_OP_FLAG_ALLOW_READ);

	scene_receive(OWNER, 1, 8192, 64);
	ASSERT_HR(scene_write(0, 64, token), ND_ACCESS_VIOLATION);
	ASSERT_HR(receive_result(1), ND_CANCELED);
	scene_over();
}

/*
 * If a message is longer than its Receive, the Receive ends with ND_DATA_OVERRUN and the Send with
 * STATUS_DATA_ERROR.
 */
Test(spi_nd_data, nd_117_message_longer_than_its_receive)
{
	scene_receive(OWNER, 1, 0, 1023);
	ASSERT_HR(scene_send_post(PEER, 2, 0, 1024, 0), ND_SUCCESS);
	ASSERT_HR(receive_result(1), ND_DATA_OVERRUN);
	ASSERT_HR(send_result(2), STATUS_DATA_ERROR);
	scene_over();
}

/* A Send for which the peer has no Receive ends with ND_IO_TIMEOUT. The peer has no result. */
Test(spi_nd_data_impatient, nd_118_send_without_a_receive)
{
	ASSERT_HR(scene_send_post(PEER, 1, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(send_result(1), ND_IO_TIMEOUT);
	scene_quiet();
}
