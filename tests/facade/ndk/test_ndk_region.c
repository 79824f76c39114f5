/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Memory registration and adapter information: statements of docs/rules.md, sections ND L and M.
 * The tests also cover the sizes of transfers and the order of written bytes.
 */

#include <string.h>
#include <sys/mman.h>

#include <rte_eal.h>

#include "ndk_scene.h"
#include "support/number.h"

TestSuite(ndk_region, .init = pair_connected, .fini = pair_close);

static NDK_ADAPTER_INFO
limits(void)
{
	NDK_ADAPTER_INFO info;
	ULONG size = sizeof(info);

	ASSERT_NT(OWNER->adapter->Dispatch->NdkQueryAdapterInfo(OWNER->adapter, &info, &size),
		STATUS_SUCCESS);
	return info;
}

static NDK_MR *
made(BOOLEAN fast)
{
	NDK_MR *mr = NULL;

	ASSERT_NT(OWNER->pd->Dispatch->NdkCreateMr(OWNER->pd, fast, create_over, NULL, &mr),
		STATUS_SUCCESS);
	return mr;
}

static NTSTATUS
registered(NDK_MR *mr, PVOID memory, SIZE_T bytes, SIZE_T length)
{
	struct ndk_call call = {0};
	MDL mdl;
	NTSTATUS status;

	ndk_mdl_initialize(&mdl, memory, memory, (ULONG)bytes);
	status = mr->Dispatch->NdkRegisterMr(
		mr, &mdl, length, NDK_MR_FLAG_ALLOW_LOCAL_WRITE, call_over, &call);
	cr_assert_eq(call.count, 0);
	return status;
}

static void
deregister(NDK_MR *mr)
{
	struct ndk_call call = {0};

	ASSERT_NT(mr->Dispatch->NdkDeregisterMr(mr, call_over, &call), STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
}

/* ND-203. A region is registered only if the call succeeds. After a failure it has no token. */
Test(ndk_region, nd_203_nothing_after_a_failure)
{
	NDK_MR *mr = (NDK_MR *)(uintptr_t)1;

	ASSERT_NT(OWNER->pd->Dispatch->NdkCreateMr(OWNER->pd, FALSE, NULL, NULL, &mr),
		STATUS_INVALID_PARAMETER);
	cr_assert_eq(mr, (NDK_MR *)(uintptr_t)1);
	mr = made(FALSE);
	ASSERT_NT(registered(mr, OWNER->memory, 64, 65), STATUS_INVALID_PARAMETER);
	cr_assert_eq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	ASSERT_NT(registered(mr, OWNER->memory, 64, 64), STATUS_SUCCESS);
	cr_assert_neq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
}

/*
 * ND-204, ND-205. An invalid buffer is refused, and so is a size beyond the buffer or the limit.
 * NDK has one status for all these errors.
 */
Test(ndk_region, nd_204_bad_buffer_or_size)
{
	NDK_MR *mr = made(FALSE);
	SIZE_T most = limits().MaxRegistrationSize;

	ASSERT_NT(registered(mr, NULL, 64, 64), STATUS_INVALID_PARAMETER);
	ASSERT_NT(registered(mr, OWNER->memory, 64, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(registered(mr, OWNER->memory, 64, SIZE_MAX), STATUS_INVALID_PARAMETER);
	ASSERT_NT(registered(mr, OWNER->memory, 64, most + 1), STATUS_INVALID_PARAMETER);
}

Test(ndk_region, nd_205_no_buffer_and_no_size)
{
	struct ndk_call call = {0};
	NDK_MR *mr = made(FALSE);

	ASSERT_NT(mr->Dispatch->NdkRegisterMr(mr, NULL, 0, 0, call_over, &call),
		STATUS_INVALID_PARAMETER);
	cr_assert_eq(call.count, 0);
}

/* ND-208. Every queue pair of the adapter can use a region. */
Test(ndk_region, nd_208_region_of_every_queue_pair)
{
	for (unsigned int round = 0; round < 3; round++) {
		NDK_SGE from = side_sge(PEER, 64 * round, 8), to = side_sge(OWNER, 64 * round, 8);

		memset(PEER->memory + 64 * round, 'a' + (int)round, 8);
		ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &to, 1), STATUS_SUCCESS);
		ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, &from, 1, 0), STATUS_SUCCESS);
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
		ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
		cr_assert_eq(OWNER->memory[64 * round], 'a' + round);
		for (unsigned int i = 0; i < 2; i++)
			pair.side[i].qp =
				side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, &pair.side[i]);
		pair_connect();
	}
}

/* ND-209. One buffer is registered several times with different rights. */
Test(ndk_region, nd_209_buffer_is_registered_twice)
{
	NDK_MR *reading =
		side_mr(OWNER, OWNER->memory, OWNER->memory, 64, NDK_MR_FLAG_ALLOW_REMOTE_READ);
	NDK_MR *writing =
		side_mr(OWNER, OWNER->memory, OWNER->memory, 64, NDK_MR_FLAG_ALLOW_REMOTE_WRITE);
	UINT32 tokens[2] = {reading->Dispatch->NdkGetRemoteTokenFromMr(reading),
		writing->Dispatch->NdkGetRemoteTokenFromMr(writing)};

	cr_assert_neq(tokens[0], tokens[1]);
	ASSERT_NT(scene_read(tokens[0], 0, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_write(tokens[1], 0, 64), STATUS_SUCCESS);
	ASSERT_NT(scene_write(tokens[0], 0, 64), REFUSED);
}

/* ND-210. One region object is registered repeatedly, from one byte to a large buffer. */
Test(ndk_region, nd_210_registered_again_and_again)
{
	static uint8_t large[1 << 24];
	NDK_MR *mr = made(FALSE);
	UINT32 last = 0;

	for (SIZE_T bytes = 1; bytes <= sizeof(large); bytes *= 2) {
		UINT32 token;

		ASSERT_NT(registered(mr, large, bytes, bytes), STATUS_SUCCESS);
		ASSERT_NT(registered(mr, large, bytes, bytes), STATUS_INVALID_DEVICE_STATE);
		token = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
		cr_assert_neq(token, last, "the token of a region that is gone");
		last = token;
		deregister(mr);
		cr_assert_eq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	}
}

/*
 * ND-212. A query without a buffer, or with a small one, returns the required size and leaves the
 * buffer unchanged.
 */
Test(ndk_region, nd_212_size_of_the_information)
{
	uint8_t bytes[sizeof(NDK_ADAPTER_INFO)], before[sizeof(NDK_ADAPTER_INFO)];
	NDK_ADAPTER *adapter = OWNER->adapter;
	ULONG size = 0;

	ASSERT_NT(adapter->Dispatch->NdkQueryAdapterInfo(adapter, NULL, &size),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_eq(size, sizeof(NDK_ADAPTER_INFO));
	memset(bytes, 0x5a, sizeof(bytes));
	memcpy(before, bytes, sizeof(bytes));
	size--;
	ASSERT_NT(adapter->Dispatch->NdkQueryAdapterInfo(adapter, (PVOID)bytes, &size),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_eq(size, sizeof(NDK_ADAPTER_INFO));
	cr_assert_arr_eq(bytes, before, sizeof(bytes));
}

/* ND-213. An unknown version is refused. */
Test(ndk_region, nd_213_unknown_version)
{
	static const NDK_VERSION versions[] = {{0, 0}, {1, 0}, {1, 3}, {2, 0}};
	NDK_ADAPTER *adapter = NULL;

	for (unsigned int i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		ASSERT_NT(ndk_adapter_open(pair.native.side[0].adapter, versions[i], &adapter),
			STATUS_NOT_SUPPORTED);
	cr_assert_null(adapter);
}

/* ND-214. A query with a buffer of the structure's size succeeds. */
Test(ndk_region, nd_214_information_of_the_adapter)
{
	NDK_ADAPTER_INFO info = limits();

	cr_assert_eq(info.Version.Major, 1);
	cr_assert_gt(info.MaxRegistrationSize, 0);
	cr_assert_gt(info.MaxWindowSize, 0);
	cr_assert_gt(info.MaxTransferLength, 0);
	cr_assert_gt(info.MaxCqDepth, 0);
	cr_assert_geq(info.FRMRPageCount, 16);
}

/* ND-216. The SGE limit of a read is not above that of other requests. */
Test(ndk_region, nd_216_entries_of_a_read)
{
	cr_assert_leq(limits().MaxReadRequestSge, limits().MaxInitiatorRequestSge);
}

static void
open_short_packets(void)
{
	pair_configure(&(struct nd_pair_config){.path_mtu = 256});
	pair_connected();
}

TestSuite(ndk_region_short_packets, .init = open_short_packets, .fini = pair_close);

/* ND-217. The last byte of a write is written last. */
Test(ndk_region_short_packets, nd_217_last_byte_comes_last)
{
	const ULONG bytes = 32768;
	UINT32 token = scene_window(NULL, 0, bytes, READ_WRITE);
	unsigned int early = 0;

	cr_assert(limits().AdapterFlags & NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED);
	memset(OWNER->memory, 0, bytes);
	memset(PEER->memory, 'z', bytes);
	scene_write_post(token, 0, bytes, NULL);
	while (__atomic_load_n(&OWNER->memory[bytes - 1], __ATOMIC_ACQUIRE) == 0) {
		pair_poll();
		early++;
	}
	cr_assert(scene_arrived(0, bytes));
	cr_assert_gt(early, 1, "it came in one turn");
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
}

#define LARGE (64u << 20)

/**
 * Memory for large requests. Element 0 is the memory of the peer, element 1 the memory of the
 * owner.
 */
static uint8_t *large[2];
static NDK_MR *large_mr[2];

static void
large_open(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		large[i] = mmap(
			NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		cr_assert_neq(large[i], MAP_FAILED);
		large_mr[i] = side_mr(&pair.side[i], large[i], large[i], LARGE,
			NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
				NDK_MR_FLAG_ALLOW_REMOTE_WRITE);
	}
}

static NDK_SGE
large_sge(ULONG length)
{
	return (NDK_SGE){.VirtualAddress = large[0],
		.Length = length,
		.MemoryRegionToken = large_mr[0]->Dispatch->NdkGetLocalTokenFromMr(large_mr[0])};
}

/*
 * ND-220. Register 64 MiB in one region, read and write many MiB, and check that small writes
 * arrive in order.
 */
Test(ndk_region, nd_220_large_requests)
{
	const ULONG most_read = (32u << 20) - 1024, most_write = 16u << 20;
	const uint32_t words = test_number("NDPDK_TEST_WRITES", 1u << 16);
	NDK_SGE sge;
	UINT32 token;

	large_open();
	token = large_mr[1]->Dispatch->NdkGetRemoteTokenFromMr(large_mr[1]);
	nd_pair_pattern(large[1], most_read, 220);
	sge = large_sge(most_read);
	ASSERT_NT(
		PEER->qp->Dispatch->NdkRead(PEER->qp, NULL, &sge, 1, (uintptr_t)large[1], token, 0),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert_eq(memcmp(large[0], large[1], most_read), 0);
	nd_pair_pattern(large[0], most_write, 221);
	sge = large_sge(most_write);
	ASSERT_NT(PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1,
			  (uintptr_t)large[1] + LARGE - most_write, token, 0),
		STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert_eq(memcmp(large[0], large[1] + LARGE - most_write, most_write), 0);
	memset(large[1], 0, 4);
	for (uint32_t i = 1, last = 0; i <= words; i++) {
		uint32_t now;

		sge = large_sge(4);
		sge.VirtualAddress = large[0] + 4 * (i % 1024);
		memcpy(sge.VirtualAddress, &i, 4);
		while (PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, (uintptr_t)large[1],
			       token, NDK_OP_FLAG_SILENT_SUCCESS) != STATUS_SUCCESS)
			pair_poll();
		memcpy(&now, large[1], 4);
		cr_assert(now >= last && now <= i, "%u behind %u", now, last);
		last = now;
	}
	pair_quiet();
	cr_assert_eq(*(uint32_t *)(void *)large[1], words);
}
