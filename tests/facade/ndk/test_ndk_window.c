/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Windows: statements of docs/rules.md, section ND A. */

#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "ndk_scene.h"

TestSuite(ndk_window, .init = pair_connected, .fini = pair_close);
TestSuite(ndk_window_closed, .init = pair_open, .fini = pair_close);

/* ND-001. A window that was never bound gives no access. */
Test(ndk_window, nd_001_window_begins_invalid)
{
	NDK_MW *mw = side_mw(OWNER);

	cr_assert_eq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0);
	ASSERT_NT(scene_write(0, 0, 8), REFUSED);
	pair_expect_over();
	scene_reconnect();
	ASSERT_NT(scene_read(0, 0, 8), REFUSED);
	pair_expect_over();
}

static void
few_windows(unsigned int side, struct nd_adapter_config *config)
{
	(void)side;
	config->windows_max = 5;
}

static void
open_few_windows(void)
{
	pair_configure(&(struct nd_pair_config){.adapt = few_windows});
	pair_open();
}

TestSuite(ndk_window_few_windows, .init = open_few_windows, .fini = pair_close);

/* ND-002. If no window is left, NdkCreateMw() fails. */
Test(ndk_window_few_windows, nd_002_no_window_is_left)
{
	NDK_MW *mw, *none = NULL;
	struct ndk_call call = {0};

	for (unsigned int i = 0; i < 5; i++)
		mw = side_mw(OWNER);
	ASSERT_NT(OWNER->pd->Dispatch->NdkCreateMw(OWNER->pd, create_over, &call, &none),
		STATUS_INSUFFICIENT_RESOURCES);
	cr_assert_null(none);
	cr_assert_eq(call.count, 0);
	ASSERT_NT(mw->Dispatch->NdkCloseMw(&mw->Header, close_over, &call), STATUS_SUCCESS);
	side_mw(OWNER);
}

static void
unplug(void)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	cr_assert_eq(rte_eth_dev_get_name_by_port(pair.native.ports[1], name), 0);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
}

/*
 * ND-003, ND-078. After the device was removed, no object can be created. Existing objects can be
 * closed.
 */
Test(ndk_window, nd_003_device_is_removed)
{
	NDK_MW *mw = side_mw(OWNER), *none = NULL;
	NDK_CONNECTOR *connector = NULL;
	struct ndk_call call = {0};
	NDK_CQ *cq = NULL;

	unplug();
	ASSERT_NT(OWNER->pd->Dispatch->NdkCreateMw(OWNER->pd, create_over, &call, &none),
		STATUS_DEVICE_REMOVED);
	ASSERT_NT(OWNER->adapter->Dispatch->NdkCreateConnector(
			  OWNER->adapter, create_over, &call, &connector),
		STATUS_DEVICE_REMOVED);
	ASSERT_NT(OWNER->adapter->Dispatch->NdkCreateCq(
			  OWNER->adapter, 4, call_over, &call, NULL, create_over, &call, &cq),
		STATUS_DEVICE_REMOVED);
	cr_assert_null(none);
	cr_assert_null(connector);
	cr_assert_null(cq);
	ASSERT_NT(mw->Dispatch->NdkCloseMw(&mw->Header, close_over, &call), STATUS_SUCCESS);
	ASSERT_NT(
		OWNER->mr->Dispatch->NdkDeregisterMr(OWNER->mr, call_over, &call), STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
}

/* ND-004. The side that reads and writes needs no window. */
Test(ndk_window, nd_004_peer_needs_no_window)
{
	UINT32 token = scene_window(NULL, 0, 4096, READ_WRITE);

	memset(PEER->memory, 'n', 64);
	ASSERT_NT(scene_write(token, 0, 64), STATUS_SUCCESS);
	cr_assert(scene_arrived(0, 64));
	memset(PEER->memory, 0, 64);
	ASSERT_NT(scene_read(token, 0, 64), STATUS_SUCCESS);
	cr_assert(scene_arrived(0, 64));
}

/*
 * ND-005, ND-006. A bound window cannot be bound again. After its invalidation, any queue pair can
 * bind it.
 */
Test(ndk_window, nd_005_bound_window_is_not_bound_again)
{
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(scene_bind_post(mw, 64, 64, READ_WRITE), STATUS_INVALID_DEVICE_STATE);
	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	pair_connect();
	ASSERT_NT(scene_bind_post(mw, 64, 64, READ_WRITE), STATUS_INVALID_DEVICE_STATE);
	side_no_result(OWNER);
	pair_expect_alive();
}

Test(ndk_window, nd_006_another_queue_pair_binds_it_then)
{
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		pair.side[i].qp = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
	pair_connect();
	ASSERT_NT(scene_write(scene_bind(mw, 0, 64, READ_WRITE), 0, 64), STATUS_SUCCESS);
}

/* ND-007. After its invalidation, a window can be bound to another range or another region. */
Test(ndk_window, nd_007_another_range_or_region)
{
	static uint8_t other[4096];
	NDK_MR *mr = side_mr(OWNER, other, other, 4096, NDK_MR_FLAG_ALLOW_LOCAL_WRITE);
	NDK_SGE sge = side_sge(PEER, 0, 16);
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	ASSERT_NT(scene_write(scene_bind(mw, 8192, 64, READ_WRITE), 8192, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	ASSERT_NT(OWNER->qp->Dispatch->NdkBind(OWNER->qp, mw, mr, mw, other + 16, 16, READ_WRITE),
		STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	memset(PEER->memory, 'o', 16);
	ASSERT_NT(PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, (uintptr_t)other + 16,
			  mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert_arr_eq(other + 16, PEER->memory, 16);
}

/* ND-008. If there is no connection, a bind is refused and has no result. */
Test(ndk_window_closed, nd_008_bind_needs_a_connection)
{
	ASSERT_NT(scene_bind_post(side_mw(OWNER), 0, 64, READ_WRITE), STATUS_CONNECTION_INVALID);
	side_no_result(OWNER);
}

/*
 * ND-009. If the send queue is full, a bind is refused and has no result. NDK has a special status
 * for a full queue.
 */
Test(ndk_window, nd_009_full_queue_takes_no_bind)
{
	NDK_MW *mw = side_mw(OWNER);

	scene_hold(NULL);
	for (unsigned int i = 1; i < NDK_DEPTH; i++)
		side_send(OWNER, NULL, NDK_OP_FLAG_READ_FENCE);
	ASSERT_NT(scene_bind_post(mw, 0, 64, READ_WRITE), STATUS_INSUFFICIENT_RESOURCES);
	cr_assert_eq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0);
	for (unsigned int i = 0; i < NDK_DEPTH; i++)
		side_receive(PEER, NULL);
	for (unsigned int i = 0; i < NDK_DEPTH; i++)
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	side_no_result(OWNER);
	scene_bind(mw, 0, 64, READ_WRITE);
}

/* ND-010. A bind to a range outside the region is refused. */
Test(ndk_window, nd_010_range_outside_of_the_region)
{
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(scene_bind_post(mw, NDK_BYTES - 63, 64, READ_WRITE), STATUS_INVALID_PARAMETER);
	ASSERT_NT(scene_bind_post(mw, (size_t)-1, 2, READ_WRITE), STATUS_INVALID_PARAMETER);
	scene_bind(mw, NDK_BYTES - 64, 64, READ_WRITE);
}

/* ND-011 to ND-013. A window allows only the accesses that the flags of its bind name. */
Test(ndk_window, nd_011_right_to_read)
{
	UINT32 token = scene_window(NULL, 0, 64, SCENE_READ);

	ASSERT_NT(scene_read(token, 0, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_write(token, 0, 64), REFUSED);
	pair_expect_over();
}

Test(ndk_window, nd_012_right_to_write)
{
	UINT32 token = scene_window(NULL, 0, 64, SCENE_WRITE);

	ASSERT_NT(scene_write(token, 0, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_read(token, 0, 64), REFUSED);
	pair_expect_over();
}

Test(ndk_window, nd_013_both_rights)
{
	UINT32 token = scene_window(NULL, 0, 64, READ_WRITE);

	ASSERT_NT(scene_write(token, 0, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_read(token, 0, 64), STATUS_SUCCESS);
}

/* ND-014. A bind without rights is refused. */
Test(ndk_window, nd_014_no_right_at_all)
{
	ASSERT_NT(scene_bind_post(side_mw(OWNER), 0, 64, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(scene_bind_post(side_mw(OWNER), 0, 64, NDK_OP_FLAG_READ_FENCE),
		STATUS_INVALID_PARAMETER);
	side_no_result(OWNER);
	pair_expect_alive();
}

/* ND-015. A bind has one result, in the initiator completion queue. */
Test(ndk_window, nd_015_bind_has_one_result)
{
	scene_window(NULL, 0, 64, READ_WRITE);
	side_no_result(OWNER);
}

/* ND-016. A silent bind that succeeds has no result, but the window is bound. */
Test(ndk_window, nd_016_silent_bind_has_no_result)
{
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(scene_bind_post(mw, 0, 64, READ_WRITE | NDK_OP_FLAG_SILENT_SUCCESS),
		STATUS_SUCCESS);
	side_no_result(OWNER);
	ASSERT_NT(scene_write(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0, 64), STATUS_SUCCESS);
}

/* ND-017. A silent bind that fails has a result. */
Test(ndk_window, nd_017_silent_bind_that_fails_has_a_result)
{
	NDK_MW *mw = side_mw(OWNER);
	static int read;

	scene_hold(&read);
	ASSERT_NT(scene_bind_post(mw, 0, 64,
			  READ_WRITE | NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE),
		STATUS_SUCCESS);
	OWNER->qp->Dispatch->NdkFlush(OWNER->qp);
	side_expect(OWNER, &read, NdkOperationTypeRead, STATUS_CANCELLED);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_CANCELLED);
}

/**
 * Let the owner post a read that is not answered, and then a bind. Then let the peer write through
 * the window.
 * @return whether the peer's write arrived
 */
static bool
bound_past_a_read(ULONG flags)
{
	NDK_MW *mw = side_mw(OWNER);

	memset(PEER->memory, 'b', 64);
	memset(OWNER->memory + 4096, 0, 64);
	scene_hold(NULL);
	ASSERT_NT(scene_bind_post(mw, 4096, 64, READ_WRITE | flags), STATUS_SUCCESS);
	scene_write_post(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 4096, 64, NULL);
	for (unsigned int i = 0; i < 100; i++)
		side_poll(OWNER);
	return scene_arrived(4096, 64);
}

/* ND-019. A fenced bind is not executed before earlier reads have completed. */
Test(ndk_window, nd_019_fenced_bind_waits_for_reads)
{
	cr_assert(bound_past_a_read(0), "not bound although nothing was to be waited for");
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	cr_assert_not(bound_past_a_read(NDK_OP_FLAG_READ_FENCE), "bound before the read");
	ASSERT_NT(side_result(PEER).Status, REFUSED);
}

/* ND-020, ND-029. The token is final and valid when the bind call returns. */
Test(ndk_window, nd_020_token_when_the_call_returns)
{
	NDK_MW *mw = side_mw(OWNER);
	UINT32 token;

	scene_hold(NULL);
	ASSERT_NT(
		scene_bind_post(mw, 4096, 64, READ_WRITE | NDK_OP_FLAG_READ_FENCE), STATUS_SUCCESS);
	token = mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
	cr_assert_neq(token, 0);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	side_expect(OWNER, mw, NdkOperationTypeBind, STATUS_SUCCESS);
	cr_assert_eq(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), token);
}

struct offer {
	UINT64 address;
	UINT32 token;
};

static struct offer
offer(size_t offset, ULONG length)
{
	NDK_SGE to = side_sge(PEER, 1024, sizeof(struct offer));
	NDK_MW *mw = side_mw(OWNER);
	struct offer sent, got;
	NDK_SGE from = {.VirtualAddress = &sent, .Length = sizeof(sent)};
	static int received;

	ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, &received, &to, 1), STATUS_SUCCESS);
	ASSERT_NT(scene_bind_post(mw, offset, length, READ_WRITE), STATUS_SUCCESS);
	sent = (struct offer){scene_at(offset), mw->Dispatch->NdkGetRemoteTokenFromMw(mw)};
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, NULL, &from, 1, NDK_OP_FLAG_INLINE),
		STATUS_SUCCESS);
	side_expect(PEER, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
	memcpy(&got, PEER->memory + 1024, sizeof(got));
	return got;
}

/* ND-022. A token that is sent directly after the bind is valid when the message arrives. */
Test(ndk_window, nd_022_token_sent_behind_the_bind_is_good)
{
	struct offer got = offer(4096, 64);

	/* The peer already writes although the owner has not taken its results. */
	ASSERT_NT(scene_write(got.token, 4096, 64), STATUS_SUCCESS);
}

/* ND-023. Windows that overlap have separate rights. */
Test(ndk_window, nd_023_overlapping_windows)
{
	UINT32 reading = scene_window(NULL, 0, 4096, SCENE_READ);
	UINT32 writing = scene_window(NULL, 2048, 4096, SCENE_WRITE);

	ASSERT_NT(scene_write(writing, 2048, 4096), STATUS_SUCCESS);
	ASSERT_NT(scene_read(reading, 0, 4096), STATUS_SUCCESS);
	ASSERT_NT(scene_read(writing, 2048, 64), REFUSED);
	scene_reconnect();
	reading = scene_window(NULL, 0, 4096, SCENE_READ);
	ASSERT_NT(scene_write(reading, 2048, 64), REFUSED);
}

/* ND-024. A bind is refused unless window, region and queue pair belong to one adapter. */
Test(ndk_window, nd_024_objects_of_another_adapter)
{
	NDK_MW *foreign = side_mw(PEER);

	ASSERT_NT(scene_bind_post(foreign, 0, 64, READ_WRITE), STATUS_INVALID_PARAMETER);
	ASSERT_NT(OWNER->qp->Dispatch->NdkBind(
			  OWNER->qp, NULL, PEER->mr, side_mw(OWNER), PEER->memory, 64, READ_WRITE),
		STATUS_INVALID_PARAMETER);
	side_no_result(OWNER);
	pair_expect_alive();
}

/*
 * ND-025, ND-026. While a window is bound, its region cannot be deregistered, and the call itself
 * returns the error.
 */
Test(ndk_window, nd_025_bound_region_is_busy)
{
	struct ndk_call call = {0};
	NDK_MW *mw;

	scene_window(&mw, 0, 64, READ_WRITE);
	ASSERT_NT(OWNER->mr->Dispatch->NdkDeregisterMr(OWNER->mr, call_over, &call),
		STATUS_DEVICE_BUSY);
	ASSERT_NT(scene_invalidate(mw), STATUS_SUCCESS);
	ASSERT_NT(
		OWNER->mr->Dispatch->NdkDeregisterMr(OWNER->mr, call_over, &call), STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
}

Test(ndk_window, nd_026_busy_is_said_inline)
{
	struct ndk_call call = {0};

	ASSERT_NT(scene_bind_post(side_mw(OWNER), 0, 64, READ_WRITE), STATUS_SUCCESS);
	ASSERT_NT(OWNER->mr->Dispatch->NdkDeregisterMr(OWNER->mr, call_over, &call),
		STATUS_DEVICE_BUSY);
	pair_quiet();
	cr_assert_eq(call.count, 0);
}

/** Register memory with region_flags, and bind a window to its first 64 bytes with flags. */
static NTSTATUS
bind_of(ULONG region_flags, ULONG flags)
{
	NDK_MR *mr = side_mr(OWNER, OWNER->memory, OWNER->memory, 4096, region_flags);
	NDK_MW *mw = side_mw(OWNER);

	return OWNER->qp->Dispatch->NdkBind(OWNER->qp, mw, mr, mw, OWNER->memory, 64, flags);
}

/* ND-027. A bind with remote write is refused if the region does not allow local write. */
Test(ndk_window, nd_027_window_to_write_needs_local_write)
{
	ASSERT_NT(bind_of(0, SCENE_WRITE), STATUS_ACCESS_VIOLATION);
	ASSERT_NT(bind_of(NDK_MR_FLAG_ALLOW_REMOTE_READ, READ_WRITE), STATUS_ACCESS_VIOLATION);
	side_no_result(OWNER);
}

/* ND-028. A bind does not require remote rights of the region. */
Test(ndk_window, nd_028_region_needs_no_remote_right)
{
	ASSERT_NT(bind_of(NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_RDMA_READ_SINK, READ_WRITE),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
}

/*
 * ND-029. The token is valid as soon as NdkBind() has returned. The peer uses the token before the
 * owner has taken the result.
 */
Test(ndk_window, nd_029_token_is_valid_at_once)
{
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(scene_bind_post(mw, 0, 64, READ_WRITE), STATUS_SUCCESS);
	ASSERT_NT(scene_write(mw->Dispatch->NdkGetRemoteTokenFromMw(mw), 0, 64), STATUS_SUCCESS);
}

/*
 * ND-030, ND-031. Token and address are transferred unchanged. The address is that of the owner's
 * memory.
 */
Test(ndk_window, nd_030_token_travels_as_it_is)
{
	struct offer got = offer(8192, 64);
	NDK_SGE sge = side_sge(PEER, 0, 64);

	ASSERT_NT(PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, got.address, got.token, 0),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert(scene_arrived(8192, 64));
}

Test(ndk_window, nd_031_address_is_the_owners)
{
	UINT32 token = scene_window(NULL, 4096, 64, READ_WRITE);
	NDK_SGE sge = side_sge(PEER, 0, 8);

	memset(PEER->memory, 'a', 8);
	ASSERT_NT(scene_write(token, 4096 + 56, 8), STATUS_SUCCESS);
	cr_assert(scene_arrived(4096 + 56, 8));
	ASSERT_NT(
		PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, 0, token, 0), STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, REFUSED);
}

/*
 * The remote write right consists of two bits. A bind with only one of the bits is refused, with or
 * without further rights.
 */
Test(ndk_window, half_a_right_is_refused)
{
	const ULONG half = SCENE_WRITE & ~NDK_OP_FLAG_ALLOW_LOCAL_WRITE;
	NDK_MW *mw = side_mw(OWNER);

	ASSERT_NT(scene_bind_post(mw, 0, 64, half), STATUS_INVALID_PARAMETER);
	ASSERT_NT(scene_bind_post(mw, 0, 64, SCENE_READ | half), STATUS_INVALID_PARAMETER);
	ASSERT_NT(scene_bind_post(mw, 0, 64, SCENE_READ | NDK_OP_FLAG_ALLOW_LOCAL_WRITE),
		STATUS_INVALID_PARAMETER);
	side_no_result(OWNER);
}
