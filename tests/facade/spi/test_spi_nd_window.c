/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, sections ND A and B), version 2 of the SPI: memory windows
 * and how they are bound.
 */

#include <stdlib.h>
#include <sys/mman.h>

#include <rte_dev.h>

#include "spi_scene.h"

/** A number above the maximum number of windows of an adapter. */
#define WINDOWS_MANY (2u << 20)

TestSuite(spi_nd_window, .init = scene_connected, .fini = scene_close);
TestSuite(spi_nd_window_early, .init = scene_open, .fini = scene_close);

Test(spi_nd_window, nd_001_window_never_bound_cannot_be_accessed)
{
	ASSERT_HR(scene_write(0, 64, IND2MemoryWindow_GetRemoteToken(OWNER->mw)),
		ND_ACCESS_VIOLATION);
	scene_second(NULL);
	ASSERT_HR(scene_read(0, 64, 0x13FF005A), ND_ACCESS_VIOLATION);
	scene_over();
}

Test(spi_nd_window, nd_002_windows_run_out)
{
	void **made = calloc(WINDOWS_MANY, sizeof(*made)), *refused = &scene;
	HRESULT status = ND_SUCCESS;
	unsigned int count = 0;

	while (count < WINDOWS_MANY && status == ND_SUCCESS) {
		status = IND2Adapter_CreateMemoryWindow(
			OWNER->adapter, &IID_IND2MemoryWindow, &refused);
		if (status == ND_SUCCESS)
			made[count++] = refused;
	}
	ASSERT_HR(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_eq(refused, made[count - 1], "nothing is stored");
	while (count-- > 0)
		cr_assert_eq(IND2MemoryWindow_Release((IND2MemoryWindow *)made[count]), 0);
	scene_window(OWNER);
	free(made);
}

/*
 * After the device was removed, creating an object returns ND_DEVICE_REMOVED. Releasing objects
 * works.
 */
Test(spi_nd_window, nd_003_nothing_is_made_on_a_removed_device)
{
	IND2MemoryRegion *mr = scene_region(OWNER);
	OVERLAPPED overlapped = {0};
	void *out;

	scene_bound(READ_WRITE);
	scene_hold();
	cr_assert_eq(rte_eal_hotplug_remove("vdev", "net_ring_spi_port_1"), 0);
	ASSERT_HR(IND2Adapter_CreateMemoryWindow(OWNER->adapter, &IID_IND2MemoryWindow, &out),
		ND_DEVICE_REMOVED);
	ASSERT_HR(IND2Adapter_CreateCompletionQueue(
			  OWNER->adapter, &IID_IND2CompletionQueue, OWNER->file, 4, 0, 0, &out),
		ND_DEVICE_REMOVED);
	ASSERT_HR(
		IND2Adapter_CreateConnector(OWNER->adapter, &IID_IND2Connector, OWNER->file, &out),
		ND_DEVICE_REMOVED);
	ASSERT_HR(IND2Adapter_CreateSharedReceiveQueue(OWNER->adapter, &IID_IND2SharedReceiveQueue,
			  OWNER->file, 4, 1, 0, 0, 0, &out),
		ND_DEVICE_REMOVED);
	ASSERT_HR(IND2MemoryRegion_Register(mr, OWNER->memory, 64, 0, &overlapped),
		ND_DEVICE_REMOVED);
	scene_let_go();
}

Test(spi_nd_window, nd_004_the_accessing_side_has_no_window)
{
	UINT32 token = scene_bound(READ_WRITE);

	cr_assert_eq(IND2MemoryWindow_Release(PEER->mw), 0);
	PEER->mw = NULL;
	ASSERT_HR(scene_write(0, 4096, token), ND_SUCCESS);
	ASSERT_HR(scene_read(0, 4096, token), ND_SUCCESS);
}

Test(spi_nd_window, nd_005_bound_window_is_refused_by_another_queue_pair)
{
	UINT32 token = scene_bound(READ_WRITE);
	struct spi_side first[2];

	scene_second(first);
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_INVALID_DEVICE_STATE);
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, token), ND_ACCESS_VIOLATION);
	scene_swap(first);
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
}

Test(spi_nd_window, nd_006_invalidated_window_moves_to_another_queue_pair)
{
	struct spi_side first[2];
	UINT32 token;

	scene_bound(READ_WRITE);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	scene_second(first);
	token = scene_bound(READ_WRITE);
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
	scene_swap(first);
	ASSERT_HR(scene_write(0, 64, token), ND_ACCESS_VIOLATION);
}

Test(spi_nd_window, nd_007_invalidated_window_moves_to_another_range_and_registration)
{
	IND2MemoryRegion *mr = scene_region(OWNER);
	UINT32 token = scene_bound(READ_WRITE);

	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_bind(OWNER->mw, 8192, 128, READ_WRITE), ND_SUCCESS);
	ASSERT_HR(scene_write(8192, 128, IND2MemoryWindow_GetRemoteToken(OWNER->mw)), ND_SUCCESS);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_register(mr, OWNER->memory + 16384, 4096, ND_MR_FLAG_ALLOW_LOCAL_WRITE),
		ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, NULL, (IUnknown *)mr, (IUnknown *)OWNER->mw,
			  OWNER->memory + 16384, 4096, READ_WRITE),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, NULL), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	ASSERT_HR(scene_write(16384, 4096, token), ND_SUCCESS);
	ASSERT_HR(scene_write(8192, 128, token), ND_ACCESS_VIOLATION);
	scene_release(mr);
}

Test(spi_nd_window_early, nd_008_queue_pair_not_connected_does_not_bind)
{
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_CONNECTION_INVALID);
	scene_quiet();
	spi_pair_connect(&scene);
	ASSERT_HR(scene_write(0, 64, scene_bound(READ_WRITE)), ND_SUCCESS);
	ASSERT_HR(scene_disconnect(OWNER), ND_SUCCESS);
	ASSERT_HR(scene_bind_post(scene_window(OWNER), 0, 64, READ_WRITE), ND_CONNECTION_INVALID);
	scene_quiet();
}

/** Fill the owner's initiator queue with messages that the peer has not acknowledged. */
static void
fill_owner(void)
{
	for (unsigned int i = 0; i < SCENE_ENTRIES; i++) {
		scene_receive(PEER, i, 0, 0);
		ASSERT_HR(scene_send_post(OWNER, i, 0, 0, 0), ND_SUCCESS);
	}
}

static void
drain_owner(void)
{
	for (unsigned int i = 0; i < SCENE_ENTRIES; i++) {
		ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeSend, CONTEXT(i)), ND_SUCCESS);
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(i)), ND_SUCCESS);
	}
}

Test(spi_nd_window, nd_009_full_queue_does_not_bind)
{
	scene_hold();
	fill_owner();
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_NO_MORE_ENTRIES);
	scene_let_go();
	drain_owner();
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, scene_bound(READ_WRITE)), ND_SUCCESS);
}

/*
 * A Bind to a range outside the registration is refused at once, with ND_INVALID_PARAMETER_4 for
 * its start and ND_INVALID_PARAMETER_5 for its length.
 */
Test(spi_nd_window, nd_010_range_outside_the_registration_is_refused)
{
	static const struct {
		ptrdiff_t offset;
		size_t bytes;
		HRESULT status;
	} rows[] = {
		{-1, 64, ND_INVALID_PARAMETER_4},
		{SPI_PAIR_BYTES, 1, ND_INVALID_PARAMETER_4},
		{0, SPI_PAIR_BYTES + 1, ND_INVALID_PARAMETER_5},
		{SPI_PAIR_BYTES - 1, 2, ND_INVALID_PARAMETER_5},
		{1, SIZE_MAX, ND_INVALID_PARAMETER_5},
		{0, 0, ND_INVALID_PARAMETER_5},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ASSERT_HR(scene_bind_post(
				  OWNER->mw, (size_t)rows[i].offset, rows[i].bytes, READ_WRITE),
			rows[i].status);
	scene_quiet();
	ASSERT_HR(scene_bind(OWNER->mw, 0, SPI_PAIR_BYTES, READ_WRITE), ND_SUCCESS);
}

/**
 * Bind with these rights, and try a Read and a Write. An access without its right must end the
 * connection.
 */
static void
rights_check(ULONG flags)
{
	static const HRESULT status[] = {ND_ACCESS_VIOLATION, ND_SUCCESS};
	UINT32 token = scene_bound(flags);

	ASSERT_HR(scene_read(0, 64, token), status[(flags & ND_OP_FLAG_ALLOW_READ) != 0]);
	if ((flags & ND_OP_FLAG_ALLOW_READ) == 0) {
		scene_second(NULL);
		OWNER->mw = (scene_keep(OWNER->mw), scene_window(OWNER));
		token = scene_bound(flags);
	}
	ASSERT_HR(scene_write(0, 64, token), status[(flags & ND_OP_FLAG_ALLOW_WRITE) != 0]);
	if ((flags & ND_OP_FLAG_ALLOW_WRITE) == 0)
		scene_over();
	else
		scene_alive();
	scene_keep(OWNER->mw);
	OWNER->mw = NULL;
}

/* With ALLOW_READ alone (0x8), Reads succeed and Writes are refused. */
Test(spi_nd_window, nd_011_allow_read_lets_read_and_not_write)
{
	rights_check(0x8);
}

/* With ALLOW_WRITE alone (0x10), Writes succeed and Reads are refused. */
Test(spi_nd_window, nd_012_allow_write_lets_write_and_not_read)
{
	rights_check(0x10);
}

/* With both flags (0x18), Reads and Writes succeed. */
Test(spi_nd_window, nd_013_both_flags_let_read_and_write)
{
	rights_check(0x18);
}

Test(spi_nd_window_early, nd_015_bind_gives_one_result_in_the_initiator_queue)
{
	IND2CompletionQueue *initiator = scene_cq(OWNER, 8);

	scene_keep(OWNER->qp);
	OWNER->qp = scene_queue_pair(OWNER, OWNER->cq, initiator);
	spi_pair_connect(&scene);
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_SUCCESS);
	ASSERT_HR(spi_pair_result(initiator).Status, ND_SUCCESS);
	spi_pair_quiet(initiator);
	scene_quiet();
}

Test(spi_nd_window, nd_016_silent_bind_gives_no_result)
{
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, IND2MemoryWindow_GetRemoteToken(OWNER->mw)), ND_SUCCESS);
	scene_quiet();
}

/*
 * A silent Bind that fails has a result. Here it is cancelled while it waits for a Read that is not
 * answered.
 */
Test(spi_nd_window, nd_017_silent_bind_that_fails_gives_a_result)
{
	scene_hold_a_read(1);
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64,
			  READ_WRITE | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_CANCELED);
	ASSERT_HR(spi_pair_result(OWNER->cq).Status, ND_CANCELED);
	spi_pair_quiet(OWNER->cq);
	scene_let_go();
}

/* A Bind with flags 0 completes with ND_SUCCESS. The window gives no access. */
Test(spi_nd_window, nd_018_bind_without_a_right_grants_nothing)
{
	rights_check(0);
}

/*
 * A fenced Bind is not executed before earlier Reads have completed. A Bind without a fence is
 * executed at once.
 */
Test(spi_nd_window, nd_019_fenced_bind_waits_for_earlier_reads)
{
	static const ULONG fences[] = {ND_OP_FLAG_READ_FENCE, 0};

	for (unsigned int i = 0; i < 2; i++) {
		IND2MemoryWindow *mw = scene_window(OWNER);
		HRESULT expected = i == 0 ? ND_ACCESS_VIOLATION : ND_SUCCESS;

		scene_hold_a_read(1);
		ASSERT_HR(scene_bind_post(
				  mw, 0, 64, READ_WRITE | fences[i] | ND_OP_FLAG_SILENT_SUCCESS),
			ND_SUCCESS);
		ASSERT_HR(scene_write_post(2, 0, 64, IND2MemoryWindow_GetRemoteToken(mw), 0),
			ND_SUCCESS);
		/*
		 * The peer has sent its Write, but it is not polled now, so it does not answer the
		 * Read.
		 */
		for (unsigned int turn = 0; turn < 100; turn++) {
			ND2_RESULT result;

			if (IND2CompletionQueue_GetResults(OWNER->cq, &result, 1) != 0)
				cr_assert_eq(result.Status, ND_CANCELED);
		}
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(2)), expected);
		scene_let_go();
		if (i == 1)
			ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(1)),
				ND_SUCCESS);
		scene_second(NULL);
		while (IND2CompletionQueue_GetResults(OWNER->cq, &(ND2_RESULT){0}, 1) != 0)
			continue;
	}
}

Test(spi_nd_window, nd_020_token_is_there_before_the_result)
{
	UINT32 token;

	scene_hold_a_read(1);
	ASSERT_HR(
		scene_bind_post(OWNER->mw, 0, 64, READ_WRITE | ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	scene_turn(OWNER, 50);
	scene_let_go();
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(spi_pair_result(OWNER->cq).Status, ND_SUCCESS);
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
}

/**
 * Bind a window and send its token in a message. The peer accesses the window with the received
 * token.
 */
static void
tell_token(void)
{
	UINT32 token;

	scene_receive(PEER, 1, 60000, sizeof(token));
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 4096, READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	memcpy(OWNER->memory + 60000, &token, sizeof(token));
	ASSERT_HR(scene_send_post(OWNER, 2, 60000, sizeof(token), 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	memcpy(&token, PEER->memory + 60000, sizeof(token));
	ASSERT_HR(scene_write(0, 4096, token), ND_SUCCESS);
	ASSERT_HR(scene_read(0, 4096, token), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
}

Test(spi_nd_window, nd_022_token_sent_behind_the_bind_is_usable)
{
	for (unsigned int i = 0; i < 20; i++) {
		tell_token();
		ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	}
}

Test(spi_nd_window, nd_023_overlapping_windows_have_their_own_rights)
{
	IND2MemoryWindow *reading = scene_window(OWNER), *writing = scene_window(OWNER);

	ASSERT_HR(scene_bind(reading, 0, 4096, ND_OP_FLAG_ALLOW_READ), ND_SUCCESS);
	ASSERT_HR(scene_bind(writing, 1024, 4096, ND_OP_FLAG_ALLOW_WRITE), ND_SUCCESS);
	ASSERT_HR(scene_read(1024, 3072, IND2MemoryWindow_GetRemoteToken(reading)), ND_SUCCESS);
	ASSERT_HR(scene_write(1024, 3072, IND2MemoryWindow_GetRemoteToken(writing)), ND_SUCCESS);
	ASSERT_HR(scene_write(1024, 64, IND2MemoryWindow_GetRemoteToken(reading)),
		ND_ACCESS_VIOLATION);
}

Test(spi_nd_window, nd_024_window_of_another_adapter_object_is_refused)
{
	struct spi_side other = *OWNER;
	IND2MemoryRegion *mr;
	IND2MemoryWindow *mw;

	ASSERT_HR(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&OWNER->address,
			  sizeof(OWNER->address), (void **)&other.adapter),
		S_OK);
	mw = scene_window(&other);
	mr = scene_region(&other);
	cr_assert_eq(IND2Adapter_Release(other.adapter), 0);
	ASSERT_HR(
		scene_register(mr, OWNER->memory, 4096, ND_MR_FLAG_ALLOW_LOCAL_WRITE), ND_SUCCESS);
	ASSERT_HR(scene_bind_post(mw, 0, 64, READ_WRITE), ND_INVALID_PARAMETER_3);
	ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, NULL, (IUnknown *)mr, (IUnknown *)OWNER->mw,
			  OWNER->memory, 64, READ_WRITE),
		ND_INVALID_PARAMETER_2);
	scene_quiet();
}

Test(spi_nd_window, nd_025_bound_region_is_busy_until_the_window_is_invalidated)
{
	IND2MemoryWindow *mw = scene_window(OWNER);
	ND2_SGE sge = spi_pair_sge(OWNER, 0, 64);

	scene_bound(READ_WRITE);
	ASSERT_HR(scene_bind(mw, 0, 64, READ_WRITE), ND_SUCCESS);
	ASSERT_HR(scene_deregister(OWNER->mr), ND_DEVICE_BUSY);
	ASSERT_HR(scene_invalidate(mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_deregister(OWNER->mr), ND_DEVICE_BUSY);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_deregister(OWNER->mr), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Send(OWNER->qp, NULL, &sge, 1, 0), ND_ACCESS_VIOLATION);
}

/*
 * While a window is bound, the call of Deregister itself returns ND_DEVICE_BUSY. No operation is
 * pending.
 */
Test(spi_nd_window, nd_026_deregister_says_busy_at_once)
{
	HANDLE port = CreateIoCompletionPort(OWNER->file, NULL, 0, 0);
	OVERLAPPED overlapped = {0}, *got = NULL;
	ULONG_PTR key;
	DWORD bytes;

	scene_bound(0);
	ASSERT_HR(IND2MemoryRegion_Deregister(OWNER->mr, &overlapped), ND_DEVICE_BUSY);
	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	cr_assert_null(got);
	CloseHandle(port);
}

/**
 * Fail unless a Bind to a region with these flags returns `read` for ALLOW_READ and `write` for
 * ALLOW_WRITE.
 */
static void
region_rights(ULONG region_flags, HRESULT read, HRESULT write)
{
	static uint8_t bytes[64];
	IND2MemoryRegion *mr = scene_region(OWNER);
	const ULONG flags[] = {ND_OP_FLAG_ALLOW_READ, ND_OP_FLAG_ALLOW_WRITE, READ_WRITE};
	const HRESULT expected[] = {read, write, write};

	ASSERT_HR(scene_register(mr, bytes, sizeof(bytes), region_flags), ND_SUCCESS);
	for (unsigned int i = 0; i < 3; i++) {
		IND2MemoryWindow *mw = scene_window(OWNER);

		ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, CONTEXT(i), (IUnknown *)mr, (IUnknown *)mw,
				  bytes, sizeof(bytes), flags[i]),
			expected[i]);
		if (expected[i] == ND_SUCCESS)
			ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, CONTEXT(i)),
				ND_SUCCESS);
	}
	scene_quiet();
}

Test(spi_nd_window, nd_027_write_window_needs_local_write)
{
	region_rights(0, ND_SUCCESS, ND_ACCESS_VIOLATION);
	region_rights(ND_MR_FLAG_ALLOW_REMOTE_READ, ND_SUCCESS, ND_ACCESS_VIOLATION);
	region_rights(ND_MR_FLAG_RDMA_READ_SINK, ND_SUCCESS, ND_ACCESS_VIOLATION);
	scene_alive();
}

/* A region with LOCAL_WRITE and RDMA_READ_SINK is sufficient for a window with both rights. */
Test(spi_nd_window, nd_028_window_needs_no_remote_rights_of_its_region)
{
	region_rights(
		ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK, ND_SUCCESS, ND_SUCCESS);
	/* The scene's region has exactly these two flags. */
	ASSERT_HR(scene_write(0, 64, scene_bound(READ_WRITE)), ND_SUCCESS);
}

Test(spi_nd_window, nd_029_token_is_valid_when_bind_has_returned)
{
	UINT32 token;

	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	cr_assert_neq(token, 0);
	ASSERT_HR(spi_pair_result(OWNER->cq).Status, ND_SUCCESS);
	cr_assert_eq(IND2MemoryWindow_GetRemoteToken(OWNER->mw), token);
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
}

Test(spi_nd_window, nd_030_token_goes_byte_for_byte)
{
	tell_token();
}

Test(spi_nd_window, nd_031_remote_address_is_the_owners)
{
	UINT32 token;

	ASSERT_HR(scene_bind(OWNER->mw, 1000, 1000, READ_WRITE), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	ASSERT_HR(scene_write(1000, 1000, token), ND_SUCCESS);
	ASSERT_HR(scene_read(1999, 1, token), ND_SUCCESS);
	ASSERT_HR(scene_write(999, 2, token), ND_ACCESS_VIOLATION);
}

Test(spi_nd_window, nd_032_address_outside_the_region_is_refused)
{
	static const ptrdiff_t offsets[] = {-1, -4096, SPI_PAIR_BYTES, SPI_PAIR_BYTES + 4096};

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		ASSERT_HR(scene_bind_post(OWNER->mw, (size_t)offsets[i], 1, READ_WRITE),
			ND_INVALID_PARAMETER_4);
	ASSERT_HR(scene_bind(OWNER->mw, SPI_PAIR_BYTES - 1, 1, READ_WRITE), ND_SUCCESS);
}

/* Bind and Invalidate do not access the memory, so they work with inaccessible memory. */
Test(spi_nd_window, nd_033_bind_does_not_touch_the_memory)
{
	uint8_t *bytes =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	IND2MemoryRegion *mr = scene_region(OWNER);

	ASSERT_HR(scene_register(mr, bytes, 8192, ND_MR_FLAG_ALLOW_LOCAL_WRITE), ND_SUCCESS);
	cr_assert_eq(mprotect(bytes, 8192, PROT_NONE), 0);
	ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, NULL, (IUnknown *)mr, (IUnknown *)OWNER->mw,
			  bytes + 5, 4096, READ_WRITE),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, NULL), ND_SUCCESS);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_deregister(mr), ND_SUCCESS);
	munmap(bytes, 8192);
}

/* Remote addresses do not begin at 0, so an offset into the window is no valid address. */
Test(spi_nd_window, nd_034_windows_are_not_zero_based)
{
	UINT32 token = scene_bound(READ_WRITE);
	ND2_SGE sge = spi_pair_sge(PEER, 0, 8);

	ASSERT_HR(IND2QueuePair_Write(PEER->qp, CONTEXT(1), &sge, 1, 0, token, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(1)), ND_ACCESS_VIOLATION);
	scene_over();
}

/*
 * A Bind with more rights than the region allows returns ND_ACCESS_VIOLATION at once. ALLOW_WRITE
 * requires the region's local write right.
 */
Test(spi_nd_window, nd_035_window_cannot_have_more_than_the_region)
{
	region_rights(0, ND_SUCCESS, ND_ACCESS_VIOLATION);
	region_rights(ND_MR_FLAG_ALLOW_LOCAL_WRITE, ND_SUCCESS, ND_SUCCESS);
	region_rights(ND_MR_FLAG_ALLOW_REMOTE_WRITE, ND_SUCCESS, ND_SUCCESS);
}

/* A Bind of a queue pair that was never connected returns ND_CONNECTION_INVALID (0xC000023A). */
Test(spi_nd_window_early, nd_036_bind_before_the_connection_is_refused)
{
	ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), (HRESULT)0xC000023A);
	cr_assert_eq(IND2MemoryWindow_GetRemoteToken(OWNER->mw), 0);
}

/* The token is final as soon as the Bind has returned, for each of many Binds. */
Test(spi_nd_window, nd_037_token_behind_the_call_is_final)
{
	for (unsigned int i = 0; i < 300; i++) {
		UINT32 token;

		ASSERT_HR(scene_bind_post(OWNER->mw, 0, 64, READ_WRITE), ND_SUCCESS);
		token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
		ASSERT_HR(spi_pair_result(OWNER->cq).Status, ND_SUCCESS);
		cr_assert_eq(IND2MemoryWindow_GetRemoteToken(OWNER->mw), token);
		ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	}
}

/* A result has the context of its request, even if the context is NULL or is used twice. */
Test(spi_nd_window, nd_038_context_comes_back)
{
	static const uintptr_t contexts[] = {0, UINTPTR_MAX, 7, 7};

	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_HR(IND2QueuePair_Bind(OWNER->qp, CONTEXT(contexts[i]), (IUnknown *)OWNER->mr,
				  (IUnknown *)scene_window(OWNER), OWNER->memory, 64, READ_WRITE),
			ND_SUCCESS);
	}
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeBind, CONTEXT(contexts[i])),
			ND_SUCCESS);
}

/* The flag SILENT_SUCCESS suppresses only the results of successful requests. */
Test(spi_nd_window, nd_040_silent_success_hides_no_failure)
{
	UINT32 token = scene_bound(ND_OP_FLAG_ALLOW_READ);

	ASSERT_HR(scene_read_post(1, 0, 8, token, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	ASSERT_HR(scene_read_post(2, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(2)), ND_SUCCESS);
	ASSERT_HR(scene_write_post(3, 0, 8, token, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(3)), ND_ACCESS_VIOLATION);
}

/*
 * Only the valid token gives access. Similar tokens and earlier tokens of the window are refused.
 */
Test(spi_nd_window, nd_041_rights_need_the_valid_token)
{
	UINT32 old = scene_bound(READ_WRITE), token;

	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 3; i++) {
		scene_second(NULL);
		scene_keep(OWNER->mw);
		OWNER->mw = scene_window(OWNER);
		token = scene_bound(READ_WRITE);
		ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
		ASSERT_HR(scene_write(0, 64, i == 0 ? old : token ^ 0x100u << 8 * i),
			ND_ACCESS_VIOLATION);
	}
	scene_keep(OWNER->mw);
	OWNER->mw = NULL;
}

/*
 * Flags have the values of user mode. INLINE is 0x20, and 0x40 is undefined. A region's remote
 * write flag is 0x5.
 */
Test(spi_nd_window, nd_042_flags_have_the_numbers_of_user_mode)
{
	static uint8_t bytes[8];
	ND2_SGE sge = {bytes, sizeof(bytes), 0xdeadbeef};
	IND2MemoryRegion *mr = scene_region(OWNER);

	cr_assert_eq(ND_OP_FLAG_INLINE, 0x20);
	cr_assert_eq(ND_MR_FLAG_ALLOW_REMOTE_WRITE, 0x5);
	scene_receive(OWNER, 1, 0, 8);
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, CONTEXT(2), &sge, 1, 0x20), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Send(PEER->qp, NULL, &sge, 1, 0x40), ND_INVALID_PARAMETER_4);
	ASSERT_HR(scene_register(mr, bytes, sizeof(bytes), 0x30), ND_INVALID_PARAMETER_3);
	ASSERT_HR(scene_register(mr, OWNER->memory, 64, 0x5), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
	ASSERT_HR(scene_write(0, 64, IND2MemoryRegion_GetRemoteToken(mr)), ND_SUCCESS);
}

/*
 * Releasing a region invalidates its windows, because nobody can deregister the region afterwards.
 */
Test(spi_nd_window, released_region_closes_its_windows)
{
	UINT32 token = scene_bound(READ_WRITE);

	ASSERT_HR(scene_read(0, 8, token), ND_SUCCESS);
	scene_release(OWNER->mr);
	OWNER->mr = NULL;
	ASSERT_HR(scene_read(0, 8, token), ND_ACCESS_VIOLATION);
}
