/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Windows: statements of docs/rules.md, sections ND B and D, and rules in the documentation of
 * NDK_FN_BIND. Side 1 owns the memory and binds windows. Side 0 is the peer.
 */

#include <string.h>
#include <sys/mman.h>

#include "ndk_pair.h"

TestSuite(ndk_bind, .init = pair_connected, .fini = pair_close);

#define READ_WRITE (NDK_OP_FLAG_ALLOW_REMOTE_READ | NDK_OP_FLAG_ALLOW_REMOTE_WRITE)
#define OWNER      (&pair.side[1])
#define PEER       (&pair.side[0])

static NTSTATUS
bind_post(NDK_MR *mr, NDK_MW *mw, uintptr_t address, SIZE_T length, ULONG flags)
{
	return OWNER->qp->Dispatch->NdkBind(OWNER->qp, mw, mr, mw, (void *)address, length, flags);
}

/** Bind a range of the owner's memory, and wait for the result. @return the token */
static UINT32
bound(NDK_MW *mw, size_t offset, SIZE_T length, ULONG flags)
{
	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory + offset, length, flags),
		STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	return mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
}

/** Write from the start of the peer's memory. @return status of the write's result */
static NTSTATUS
peer_write(uintptr_t address, ULONG length, UINT32 token)
{
	NDK_SGE sge = side_sge(PEER, 0, length);

	ASSERT_NT(PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, address, token, 0),
		STATUS_SUCCESS);
	return side_result(PEER).Status;
}

static NTSTATUS
peer_read(uintptr_t address, ULONG length, UINT32 token)
{
	NDK_SGE sge = side_sge(PEER, 0, length);

	ASSERT_NT(PEER->qp->Dispatch->NdkRead(PEER->qp, NULL, &sge, 1, address, token, 0),
		STATUS_SUCCESS);
	return side_result(PEER).Status;
}

static void
owner_invalidate(NDK_MW *mw)
{
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, mw, &mw->Header, 0), STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeInvalidate, STATUS_SUCCESS);
}

/* ND-032. A bind to an address below the region's base, or at or after its end, is refused. */
Test(ndk_bind, nd_032_address_outside_the_region_is_refused)
{
	const uintptr_t base = (uintptr_t)OWNER->memory;
	const struct {
		uintptr_t address;
		SIZE_T length;
	} outside[] = {
		{base - 1, 1},
		{1, 1},
		{base + NDK_BYTES, 1},
		{base + NDK_BYTES + 4096, 1},
		{base + NDK_BYTES - 1, 2},
		{base, NDK_BYTES + 1},
		{base, SIZE_MAX},
	};
	NDK_MW *mw = side_mw(OWNER);

	for (unsigned int i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		ASSERT_NT(
			bind_post(OWNER->mr, mw, outside[i].address, outside[i].length, READ_WRITE),
			STATUS_INVALID_PARAMETER);
	bound(mw, NDK_BYTES - 1, 1, READ_WRITE);
	pair_expect_alive();
}

/*
 * ND-033. The address of a region is only an index. The library does not access the process memory
 * at this address.
 */
Test(ndk_bind, nd_033_address_is_only_an_index)
{
	void *hole = mmap(NULL, NDK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NDK_MW *mw = side_mw(OWNER);
	NDK_MR *mr;

	cr_assert_neq(hole, MAP_FAILED);
	mr = side_mr(OWNER, hole, OWNER->memory, NDK_BYTES, NDK_MR_FLAG_ALLOW_LOCAL_WRITE);
	ASSERT_NT(bind_post(mr, mw, (uintptr_t)hole + 4096, 64, READ_WRITE), STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	memset(PEER->memory, 'x', 64);
	ASSERT_NT(peer_write((uintptr_t)hole + 4096, 64, mw->Dispatch->NdkGetRemoteTokenFromMw(mw)),
		STATUS_SUCCESS);
	cr_assert_arr_eq(OWNER->memory + 4096, PEER->memory, 64);
	munmap(hole, NDK_BYTES);
}

/* ND-034. Addresses of a window are addresses of its region, not offsets from 0. */
Test(ndk_bind, nd_034_windows_are_not_zero_based)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token = bound(mw, 4096, 64, READ_WRITE);

	ASSERT_NT(peer_write(0, 8, token), STATUS_REMOTE_RESOURCES);
	pair_expect_over();
}

/* ND-035. Remote write through a window requires local write of the region, and no other right. */
Test(ndk_bind, nd_035_window_to_write_needs_local_write)
{
	NDK_MR *mr = side_mr(OWNER, OWNER->memory, OWNER->memory, 4096, 0);
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(bind_post(mr, mw, (uintptr_t)OWNER->memory, 64, NDK_OP_FLAG_ALLOW_REMOTE_WRITE),
		STATUS_ACCESS_VIOLATION);
	ASSERT_NT(bind_post(mr, mw, (uintptr_t)OWNER->memory, 64, NDK_OP_FLAG_ALLOW_REMOTE_READ),
		STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	pair_expect_alive();
}

/* ND-037, ND-020. The token is valid when the call returns, before the bind is executed. */
Test(ndk_bind, nd_037_token_is_there_at_once)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token;

	cr_assert_eq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0);
	/* Delay the bind by an outstanding read that is not answered. */
	bound(mw, 0, 64, READ_WRITE);
	token = mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
	cr_assert_neq(token, 0);
	owner_invalidate(mw);
	ASSERT_NT(
		bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64, READ_WRITE), STATUS_SUCCESS);
	cr_assert_neq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), token);
	token = mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	cr_assert_eq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), token);
	ASSERT_NT(peer_read((uintptr_t)OWNER->memory, 64, token), STATUS_SUCCESS);
}

/* ND-038. A result has the request's context, its type, and the context of the queue pair. */
Test(ndk_bind, nd_038_context_comes_back)
{
	static int context;
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(OWNER->qp->Dispatch->NdkBind(
			  OWNER->qp, &context, OWNER->mr, mw, OWNER->memory, 64, READ_WRITE),
		STATUS_SUCCESS);
	side_expect(OWNER, &context, NdkOperationTypeBind, STATUS_SUCCESS);
	owner_invalidate(mw);
	ASSERT_NT(OWNER->qp->Dispatch->NdkBind(
			  OWNER->qp, NULL, OWNER->mr, mw, OWNER->memory, 64, READ_WRITE),
		STATUS_SUCCESS);
	side_expect(OWNER, NULL, NdkOperationTypeBind, STATUS_SUCCESS);
}

/*
 * ND-039. With or without NDK_OP_FLAG_DEFER, binds and a send have the same results in the same
 * order.
 */
Test(ndk_bind, nd_039_deferred_requests_have_the_same_results)
{
	NDK_MW *mw[3];
	static int sent, received;
	NDK_SGE sge = side_sge(OWNER, 0, 12);

	ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, &received, NULL, 0), STATUS_SUCCESS);
	for (unsigned int i = 0; i < 3; i++) {
		mw[i] = side_mw(OWNER);
		ASSERT_NT(bind_post(OWNER->mr, mw[i], (uintptr_t)OWNER->memory + 64 * i, 64,
				  READ_WRITE | NDK_OP_FLAG_DEFER),
			STATUS_SUCCESS);
	}
	sge.Length = 0;
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, &sent, &sge, 1, 0), STATUS_SUCCESS);
	for (unsigned int i = 0; i < 3; i++)
		side_expect(OWNER, mw[i], NdkOperationTypeBind, STATUS_SUCCESS);
	side_expect(PEER, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
	side_expect(OWNER, &sent, NdkOperationTypeSend, STATUS_SUCCESS);
	ASSERT_NT(peer_read((uintptr_t)OWNER->memory + 64, 64,
			  mw[1]->Dispatch->NdkGetRemoteTokenFromMw(mw[1])),
		STATUS_SUCCESS);
}

/*
 * ND-040. A silent bind that succeeds has no result. A silent bind that fails during its execution
 * has one.
 */
Test(ndk_bind, nd_040_only_success_is_silent)
{
	NDK_MW *mw = side_mw(OWNER);
	static int marker, silent;

	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64,
			  READ_WRITE | NDK_OP_FLAG_SILENT_SUCCESS),
		STATUS_SUCCESS);
	ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, NULL, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, &marker, NULL, 0, 0), STATUS_SUCCESS);
	side_expect(OWNER, &marker, NdkOperationTypeSend, STATUS_SUCCESS);
	owner_invalidate(mw);
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(
			  OWNER->qp, &silent, &mw->Header, NDK_OP_FLAG_SILENT_SUCCESS),
		STATUS_SUCCESS);
	side_expect(OWNER, &silent, NdkOperationTypeInvalidate, STATUS_INVALID_DEVICE_REQUEST);
}

/* ND-041. The peer needs a valid token. An invalidated or forged token gives no access. */
Test(ndk_bind, nd_041_dead_token_has_no_rights)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token = bound(mw, 0, 64, READ_WRITE);

	memset(PEER->memory, 'x', 8);
	ASSERT_NT(peer_write((uintptr_t)OWNER->memory, 8, token), STATUS_SUCCESS);
	owner_invalidate(mw);
	memset(PEER->memory, 'y', 8);
	ASSERT_NT(peer_write((uintptr_t)OWNER->memory, 8, token), STATUS_REMOTE_RESOURCES);
	cr_assert_eq(OWNER->memory[0], 'x');
	pair_expect_over();
}

/*
 * ND-042. The flags have the values of the kernel interface. A native flag whose value is no kernel
 * flag is refused.
 */
Test(ndk_bind, nd_042_flags_have_the_numbers_of_the_kernel)
{
	static const uint8_t bytes[] = "inline";
	NDK_SGE sge = {.VirtualAddress = (PVOID)(uintptr_t)bytes, .Length = sizeof(bytes)};
	NDK_SGE to = side_sge(PEER, 0, 64);
	NDK_MW *mw = side_mw(OWNER);
	static int received, sent;

	/* 0x10 is the native flag for remote writes. 0x20 is no flag for a bind. */
	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64, 0x10),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64, 0x20),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64, 0),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, &sent, &sge, 1, 0x20),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, &received, &to, 1), STATUS_SUCCESS);
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, &sent, &sge, 1, 0x40), STATUS_SUCCESS);
	side_expect(OWNER, &sent, NdkOperationTypeSend, STATUS_SUCCESS);
	side_expect(PEER, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
	cr_assert_str_eq((char *)PEER->memory, "inline");
}

static void
peer_send_and_invalidate(UINT32 token, PVOID context)
{
	ASSERT_NT(PEER->qp->Dispatch->NdkSendAndInvalidate(PEER->qp, context, NULL, 0, 0, token),
		STATUS_SUCCESS);
}

/*
 * ND-067. The sender's result has the type Send. The receiver's result contains the invalidated
 * token.
 */
Test(ndk_bind, nd_067_receive_tells_the_token_that_the_peer_invalidated)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token = bound(mw, 0, 64, READ_WRITE);
	static int received, sent;
	NDK_RESULT_EX result;

	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, &received, NULL, 0), STATUS_SUCCESS);
	peer_send_and_invalidate(token, &sent);
	side_expect(PEER, &sent, NdkOperationTypeSend, STATUS_SUCCESS);
	result = side_result(OWNER);
	ASSERT_NT(result.Status, STATUS_SUCCESS);
	cr_assert_eq(result.RequestContext, &received);
	cr_assert_eq(result.Type, NdkOperationTypeReceiveAndInvalidate);
	cr_assert_eq(result.TypeSpecificCompletionOutput, token);
	/* The queue has no further result, and the window can be bound again. */
	pair_quiet();
	cr_assert_eq(OWNER->cq->Dispatch->NdkGetCqResultsEx(OWNER->cq, &result, 1), 0);
	bound(mw, 0, 64, READ_WRITE);
	pair_expect_alive();
}

/*
 * ND-066. The token is also invalid if the results are taken without their extended members. A
 * later invalidate fails.
 */
Test(ndk_bind, nd_066_plain_results_invalidate_as_well)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token = bound(mw, 0, 64, READ_WRITE);
	NDK_RESULT result = {0};
	static int received, invalidated;

	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, &received, NULL, 0), STATUS_SUCCESS);
	peer_send_and_invalidate(token, NULL);
	POLL_UNTIL(OWNER->cq->Dispatch->NdkGetCqResults(OWNER->cq, &result, 1) == 1);
	ASSERT_NT(result.Status, STATUS_SUCCESS);
	cr_assert_eq(result.RequestContext, &received);
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, &invalidated, &mw->Header, 0),
		STATUS_SUCCESS);
	side_expect(OWNER, &invalidated, NdkOperationTypeInvalidate, STATUS_INVALID_DEVICE_REQUEST);
	pair_expect_over();
}

/* ND-065. If a message names an invalid token, the receiver ends the connection. */
Test(ndk_bind, nd_065_bad_token_ends_the_connection)
{
	static int received;

	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, &received, NULL, 0), STATUS_SUCCESS);
	peer_send_and_invalidate(0x12345678, NULL);
	cr_assert(!NT_SUCCESS(side_result(OWNER).Status));
	pair_expect_over();
}

/* Documentation of NDK_FN_BIND: any connected peer that has the token may use the window. */
Test(ndk_bind, window_is_for_the_peers_of_all_queue_pairs)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token = bound(mw, 0, 64, READ_WRITE);

	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	pair_connect();
	memset(PEER->memory, 'z', 8);
	ASSERT_NT(peer_write((uintptr_t)OWNER->memory, 8, token), STATUS_SUCCESS);
	cr_assert_arr_eq(OWNER->memory, PEER->memory, 8);
}

/*
 * ND-025. A region with a bound window cannot be deregistered. The close of the region waits until
 * the window is closed.
 */
Test(ndk_bind, bound_window_keeps_its_region)
{
	NDK_MW *mw = side_mw(OWNER);
	NDK_MR *mr = side_mr(OWNER, OWNER->memory, OWNER->memory, 4096, 0);
	static struct ndk_call call = {0}, closing = {0};

	ASSERT_NT(bind_post(mr, mw, (uintptr_t)OWNER->memory, 64, NDK_OP_FLAG_ALLOW_REMOTE_READ),
		STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	ASSERT_NT(mr->Dispatch->NdkDeregisterMr(mr, call_over, &call), STATUS_DEVICE_BUSY);
	ASSERT_NT(mr->Dispatch->NdkCloseMr(&mr->Header, close_over, &closing), STATUS_PENDING);
	pair_quiet();
	cr_assert_eq(closing.count, 0);
	ASSERT_NT(mw->Dispatch->NdkCloseMw(&mw->Header, close_over, &call), STATUS_SUCCESS);
	cr_assert_eq(closing.count, 1);
	cr_assert_eq(call.count, 0);
}

TestSuite(ndk_unconnected, .init = pair_open, .fini = pair_close);

/* ND-036. Without a connection, a bind is refused and has no result. */
Test(ndk_unconnected, nd_036_bind_needs_a_connection)
{
	NDK_MW *mw = side_mw(OWNER);
	NDK_RESULT_EX result;

	ASSERT_NT(bind_post(OWNER->mr, mw, (uintptr_t)OWNER->memory, 64, READ_WRITE),
		STATUS_CONNECTION_INVALID);
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, NULL, &mw->Header, 0),
		STATUS_CONNECTION_INVALID);
	pair_quiet();
	cr_assert_eq(OWNER->cq->Dispatch->NdkGetCqResultsEx(OWNER->cq, &result, 1), 0);
}
