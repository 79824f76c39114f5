/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Memory: MDLs, rights and tokens of regions, page lists, fast registration. Side 1 owns the
 * memory, and side 0 is the peer.
 */

#include <stdlib.h>
#include <string.h>

#include "ndk_pair.h"

#define OWNER (&pair.side[1])
#define PEER  (&pair.side[0])
#define BASE  0x7000000000u

TestSuite(ndk_memory, .init = pair_connected, .fini = pair_close);

static NDK_MR *
mr_new(BOOLEAN fast)
{
	NDK_MR *mr = NULL;

	ASSERT_NT(OWNER->pd->Dispatch->NdkCreateMr(OWNER->pd, fast, create_over, NULL, &mr),
		STATUS_SUCCESS);
	return mr;
}

static NTSTATUS
register_mr(NDK_MR *mr, MDL *mdl, SIZE_T length, ULONG flags)
{
	static struct ndk_call call = {0};
	NTSTATUS status = mr->Dispatch->NdkRegisterMr(mr, mdl, length, flags, call_over, &call);

	cr_assert_eq(call.count, 0);
	return status;
}

/**
 * Describe three pieces of memory. Their virtual addresses are contiguous, but in another order
 * than the pieces have in memory.
 */
static void
chain(MDL mdl[3])
{
	ndk_mdl_initialize(&mdl[0], (PVOID)(BASE + 100), OWNER->memory + 40000, 1000);
	ndk_mdl_initialize(&mdl[1], (PVOID)(BASE + 1100), OWNER->memory, 5000);
	ndk_mdl_initialize(&mdl[2], (PVOID)(BASE + 6100), OWNER->memory + 20000, 10);
	mdl[0].Next = &mdl[1];
	mdl[1].Next = &mdl[2];
}

static NTSTATUS
peer_access(bool write, uintptr_t address, ULONG length, UINT32 token)
{
	NDK_SGE sge = side_sge(PEER, 0, length);

	ASSERT_NT(write ? PEER->qp->Dispatch->NdkWrite(PEER->qp, NULL, &sge, 1, address, token, 0)
			: PEER->qp->Dispatch->NdkRead(PEER->qp, NULL, &sge, 1, address, token, 0),
		STATUS_SUCCESS);
	return side_result(PEER).Status;
}

/* A chain of MDLs is one range of virtual addresses, wherever its pieces are in memory. */
Test(ndk_memory, chain_is_one_range)
{
	NDK_MR *mr = mr_new(FALSE);
	MDL mdl[3];

	chain(mdl);
	cr_assert_eq(MmGetMdlVirtualAddress(&mdl[0]), (PVOID)(BASE + 100));
	cr_assert_eq(MmGetMdlByteOffset(&mdl[0]), 100);
	cr_assert_eq(MmGetMdlByteCount(&mdl[1]), 5000);
	ASSERT_NT(register_mr(mr, mdl, 6010, NDK_MR_FLAG_ALLOW_REMOTE_WRITE), STATUS_SUCCESS);
	nd_pair_pattern(PEER->memory, 6010, 1);
	ASSERT_NT(peer_access(true, BASE + 100, 6010, mr->Dispatch->NdkGetRemoteTokenFromMr(mr)),
		STATUS_SUCCESS);
	cr_assert_arr_eq(OWNER->memory + 40000, PEER->memory, 1000);
	cr_assert_arr_eq(OWNER->memory, PEER->memory + 1000, 5000);
	cr_assert_arr_eq(OWNER->memory + 20000, PEER->memory + 6000, 10);
}

/* Chains are refused if they have a gap, too few bytes, no bytes, the address 0 or no memory. */
Test(ndk_memory, bad_chains_are_refused)
{
	NDK_MR *mr = mr_new(FALSE);
	MDL mdl[3];

	chain(mdl);
	ASSERT_NT(register_mr(mr, mdl, 6011, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr, mdl, 0, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr, mdl, SIZE_MAX, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr, NULL, 1, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr, mdl, 10, 0x10), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr, mdl, 10, 0x4), STATUS_INVALID_PARAMETER);
	mdl[1].ByteOffset++;
	ASSERT_NT(register_mr(mr, mdl, 6010, 0), STATUS_INVALID_PARAMETER);
	/* MDLs after the first 1000 bytes are ignored, so the gap does not matter. */
	ASSERT_NT(register_mr(mr, mdl, 1000, 0), STATUS_SUCCESS);
	ASSERT_NT(register_mr(mr, mdl, 1000, 0), STATUS_INVALID_DEVICE_STATE);
	ndk_mdl_initialize(mdl, NULL, OWNER->memory, 10);
	ASSERT_NT(register_mr(mr_new(FALSE), mdl, 10, 0), STATUS_INVALID_PARAMETER);
	ndk_mdl_initialize(mdl, OWNER->memory, NULL, 10);
	ASSERT_NT(register_mr(mr_new(FALSE), mdl, 10, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(register_mr(mr_new(TRUE), mdl, 10, 0), STATUS_INVALID_PARAMETER);
}

/*
 * A registered region has a local token. A region has a remote token only if it has a remote right.
 * An unregistered region has no token.
 */
Test(ndk_memory, tokens_of_regions)
{
	NDK_MR *mr = mr_new(FALSE), *closed = mr_new(FALSE);
	static struct ndk_call call = {0};
	UINT32 token;
	MDL mdl;

	cr_assert_eq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	cr_assert_eq(mr->Dispatch->NdkGetRemoteTokenFromMr(mr), 0);
	ASSERT_NT(mr->Dispatch->NdkDeregisterMr(mr, call_over, &call), STATUS_INVALID_DEVICE_STATE);
	MmInitializeMdl(&mdl, OWNER->memory, 4096);
	ASSERT_NT(register_mr(mr, &mdl, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ), STATUS_SUCCESS);
	ASSERT_NT(register_mr(closed, &mdl, 4096, NDK_MR_FLAG_ALLOW_LOCAL_WRITE), STATUS_SUCCESS);
	cr_assert_neq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	cr_assert_neq(mr->Dispatch->NdkGetLocalTokenFromMr(closed), 0);
	cr_assert_eq(mr->Dispatch->NdkGetRemoteTokenFromMr(closed), 0);
	token = mr->Dispatch->NdkGetRemoteTokenFromMr(mr);
	cr_assert_neq(token, 0);
	ASSERT_NT(peer_access(false, (uintptr_t)OWNER->memory, 4096, token), STATUS_SUCCESS);
	ASSERT_NT(mr->Dispatch->NdkDeregisterMr(mr, call_over, &call), STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
	cr_assert_eq(mr->Dispatch->NdkGetLocalTokenFromMr(mr), 0);
	ASSERT_NT(
		peer_access(false, (uintptr_t)OWNER->memory, 4096, token), STATUS_REMOTE_RESOURCES);
	pair_expect_over();
}

Test(ndk_memory, peer_has_the_rights_of_the_region_only)
{
	NDK_MR *mr =
		side_mr(OWNER, OWNER->memory, OWNER->memory, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ);

	ASSERT_NT(peer_access(true, (uintptr_t)OWNER->memory, 8,
			  mr->Dispatch->NdkGetRemoteTokenFromMr(mr)),
		STATUS_REMOTE_RESOURCES);
	pair_expect_over();
}

/* Posting a request checks the local tokens and the local rights of its SGEs. */
Test(ndk_memory, entries_need_a_live_token_and_the_right)
{
	NDK_SGE sge = side_sge(OWNER, 0, 64), list[17];
	NDK_MR *source = side_mr(OWNER, OWNER->memory, OWNER->memory, 4096, 0);
	NTSTATUS status;

	sge.MemoryRegionToken ^= 0x100;
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1), STATUS_ACCESS_VIOLATION);
	sge.MemoryRegionToken = 0;
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1), STATUS_ACCESS_VIOLATION);
	for (unsigned int i = 0; i < 17; i++)
		list[i] = side_sge(OWNER, 0, 1);
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, list, 5), STATUS_DATA_OVERRUN);
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, list, 17), STATUS_DATA_OVERRUN);
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, NULL, 1),
		STATUS_INVALID_PARAMETER);
	/*
	 * A receive requires local write. The missing right is detected by the post, or when the
	 * message arrives.
	 */
	sge = side_sge(OWNER, 0, 64);
	sge.MemoryRegionToken = source->Dispatch->NdkGetLocalTokenFromMr(source);
	status = OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1);
	if (status == STATUS_SUCCESS) {
		sge = side_sge(PEER, 0, 64);
		memset(PEER->memory, 'x', 64);
		ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, &sge, 1, 0), STATUS_SUCCESS);
		status = side_result(OWNER).Status;
	}
	ASSERT_NT(status, STATUS_ACCESS_VIOLATION);
	cr_assert_neq(OWNER->memory[0], 'x');
}

/* ND-112. If an SGE ends outside its region, the result has an error and the connection ends. */
Test(ndk_memory, entry_outside_of_its_region)
{
	NDK_SGE sge = side_sge(PEER, NDK_BYTES - 63, 64);

	ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, &sge, 1, 0), STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_ACCESS_VIOLATION);
	pair_expect_over();
}

/* Inline data needs no token, is copied during the call, and is limited by the queue pair. */
Test(ndk_memory, inline_data)
{
	uint8_t bytes[80] = {0};
	NDK_SGE to = side_sge(OWNER, 0, 80), from[8];
	static int received;

	for (unsigned int i = 0; i < 8; i++)
		from[i] = (NDK_SGE){.VirtualAddress = bytes + 8 * i, .Length = 8};
	memset(bytes, 'i', sizeof(bytes));
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, &received, &to, 1), STATUS_SUCCESS);
	/* Eight inline SGEs are accepted, although registered memory has a lower SGE limit. */
	ASSERT_NT(PEER->qp->Dispatch->NdkSend(
			  PEER->qp, NULL, from, 8, NDK_OP_FLAG_INLINE | NDK_OP_FLAG_SILENT_SUCCESS),
		STATUS_SUCCESS);
	memset(bytes, 0, sizeof(bytes));
	cr_assert_eq(side_result(OWNER).BytesTransferred, 64);
	cr_assert_eq(OWNER->memory[63], 'i');
	from[7].Length = 9;
	ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, from, 8, NDK_OP_FLAG_INLINE),
		STATUS_BUFFER_OVERFLOW);
	from[7] = (NDK_SGE){.Length = 1};
	ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, from, 8, NDK_OP_FLAG_INLINE),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(PEER->qp->Dispatch->NdkRead(PEER->qp, NULL, NULL, 0, 0, 0, NDK_OP_FLAG_INLINE),
		STATUS_INVALID_PARAMETER);
}

/** @return memory for a logical address mapping (page list) with this number of pages */
static NDK_LOGICAL_ADDRESS_MAPPING *
mapping_room(unsigned int pages, ULONG *size)
{
	NDK_LOGICAL_ADDRESS_MAPPING *mapping;

	*size = (ULONG)(sizeof(*mapping) + pages * sizeof(NDK_LOGICAL_ADDRESS));
	mapping = calloc(1, *size);
	cr_assert_not_null(mapping);
	return mapping;
}

static NTSTATUS
build(MDL *mdl, SIZE_T length, NDK_LOGICAL_ADDRESS_MAPPING *mapping, ULONG *size, ULONG *offset)
{
	return OWNER->adapter->Dispatch->NdkBuildLAM(
		OWNER->adapter, mdl, length, NULL, NULL, mapping, size, offset);
}

/** @return page-aligned memory of four pages */
static uint8_t *
pages_of_owner(void)
{
	uintptr_t start = (uintptr_t)OWNER->memory;

	return OWNER->memory + (NDK_PAGE_SIZE - start % NDK_PAGE_SIZE) % NDK_PAGE_SIZE;
}

/*
 * The logical addresses of pages are their process addresses. The offset is relative to the first
 * page.
 */
Test(ndk_memory, pages_of_a_range)
{
	uint8_t *pages = pages_of_owner();
	NDK_LOGICAL_ADDRESS_MAPPING *mapping;
	ULONG size, offset = 0;
	MDL mdl, second;

	mapping = mapping_room(8, &size);
	MmInitializeMdl(&mdl, pages + 100, 2 * NDK_PAGE_SIZE);
	ASSERT_NT(build(&mdl, 2 * NDK_PAGE_SIZE, mapping, &size, &offset), STATUS_SUCCESS);
	cr_assert_eq(mapping->AdapterPageCount, 3);
	cr_assert_eq(offset, 100);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(mapping->AdapterPageArray[i].QuadPart,
			(LONGLONG)(uintptr_t)pages + i * NDK_PAGE_SIZE);
	OWNER->adapter->Dispatch->NdkReleaseLAM(OWNER->adapter, mapping);
	OWNER->adapter->Dispatch->NdkReleaseLAM(OWNER->adapter, mapping);
	/* A query without a buffer returns the required size. */
	size = 0;
	ASSERT_NT(build(&mdl, NDK_PAGE_SIZE, NULL, &size, &offset), STATUS_BUFFER_TOO_SMALL);
	size--;
	ASSERT_NT(build(&mdl, NDK_PAGE_SIZE, mapping, &size, &offset), STATUS_BUFFER_TOO_SMALL);
	/* A chain is refused if a piece inside it does not fill its page. */
	MmInitializeMdl(&mdl, pages, NDK_PAGE_SIZE - 1);
	ndk_mdl_initialize(&second, pages + NDK_PAGE_SIZE - 1, pages, 16);
	mdl.Next = &second;
	size = 1024;
	ASSERT_NT(
		build(&mdl, NDK_PAGE_SIZE + 1, mapping, &size, &offset), STATUS_INVALID_PARAMETER);
	ASSERT_NT(build(&mdl, 0, mapping, &size, &offset), STATUS_INVALID_PARAMETER);
	free(mapping);
}

/* An SGE may have a logical address and the privileged token, as long as the mapping exists. */
Test(ndk_memory, privileged_token)
{
	uint8_t *pages = pages_of_owner();
	NDK_LOGICAL_ADDRESS_MAPPING *mapping;
	ULONG size, offset = 0;
	UINT32 token = 0;
	NDK_SGE sge, from = side_sge(PEER, 0, 64);
	MDL mdl;

	mapping = mapping_room(8, &size);
	MmInitializeMdl(&mdl, pages, 2 * NDK_PAGE_SIZE);
	OWNER->pd->Dispatch->NdkGetPrivilegedMemoryRegionToken(OWNER->pd, &token);
	cr_assert_neq(token, 0);
	ASSERT_NT(build(&mdl, 2 * NDK_PAGE_SIZE, mapping, &size, &offset), STATUS_SUCCESS);
	sge = (NDK_SGE){.LogicalAddress = mapping->AdapterPageArray[1],
		.Length = 64,
		.MemoryRegionToken = token};
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1), STATUS_SUCCESS);
	memset(PEER->memory, 'l', 64);
	ASSERT_NT(PEER->qp->Dispatch->NdkSend(PEER->qp, NULL, &from, 1, 0), STATUS_SUCCESS);
	ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	ASSERT_NT(side_result(PEER).Status, STATUS_SUCCESS);
	cr_assert_arr_eq(pages + NDK_PAGE_SIZE, PEER->memory, 64);
	sge.Length = NDK_PAGE_SIZE + 1;
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1), STATUS_ACCESS_VIOLATION);
	OWNER->adapter->Dispatch->NdkReleaseLAM(OWNER->adapter, mapping);
	sge.Length = 64;
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkReceive(OWNER->qp, NULL, &sge, 1), STATUS_ACCESS_VIOLATION);
	free(mapping);
	/* NDK documentation (KD): peers cannot use the privileged token. */
	ASSERT_NT(peer_access(true, (uintptr_t)pages, 8, token), STATUS_REMOTE_RESOURCES);
}

/** Create a region for fast registration of up to four pages. */
static NDK_MR *
fast_region(BOOLEAN remote_access)
{
	static struct ndk_call call;
	NDK_MR *mr = mr_new(TRUE);

	ASSERT_NT(mr->Dispatch->NdkInitializeFastRegisterMr(mr, 4, remote_access, call_over, &call),
		STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
	return mr;
}

static NTSTATUS
fast_register(NDK_MR *mr, ULONG count, SIZE_T length, ULONG flags)
{
	uint8_t *memory = pages_of_owner();
	/* The page list is in a different order than the pages in memory. */
	NDK_LOGICAL_ADDRESS pages[5] = {
		{.QuadPart = (LONGLONG)(uintptr_t)memory + NDK_PAGE_SIZE},
		{.QuadPart = (LONGLONG)(uintptr_t)memory},
	};

	return OWNER->qp->Dispatch->NdkFastRegister(
		OWNER->qp, mr, mr, count, pages, 16, length, (PVOID)(BASE + 16), flags);
}

/*
 * A fast-register request registers pages. Then the peer writes, and invalidates the region with a
 * message.
 */
Test(ndk_memory, fast_registration)
{
	uint8_t *memory = pages_of_owner();
	NDK_MR *mr = fast_region(TRUE);
	NDK_RESULT_EX result;
	UINT32 token;

	ASSERT_NT(fast_register(mr, 2, 5000, NDK_OP_FLAG_ALLOW_REMOTE_WRITE | NDK_OP_FLAG_DEFER),
		STATUS_SUCCESS);
	token = mr->Dispatch->NdkGetRemoteTokenFromMr(mr);
	cr_assert_neq(token, 0);
	ASSERT_NT(OWNER->qp->Dispatch->NdkReceive(OWNER->qp, memory, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, NULL, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(OWNER->qp->Dispatch->NdkSend(OWNER->qp, NULL, NULL, 0, 0), STATUS_SUCCESS);
	side_expect(OWNER, mr, NdkOperationTypeFastRegister, STATUS_SUCCESS);
	side_expect(OWNER, NULL, NdkOperationTypeSend, STATUS_SUCCESS);
	side_expect(PEER, NULL, NdkOperationTypeReceive, STATUS_SUCCESS);
	nd_pair_pattern(PEER->memory, 5000, 2);
	ASSERT_NT(peer_access(true, BASE + 16, 5000, token), STATUS_SUCCESS);
	cr_assert_arr_eq(memory + NDK_PAGE_SIZE + 16, PEER->memory, NDK_PAGE_SIZE - 16);
	cr_assert_arr_eq(memory, PEER->memory + NDK_PAGE_SIZE - 16, 5000 - (NDK_PAGE_SIZE - 16));
	ASSERT_NT(PEER->qp->Dispatch->NdkSendAndInvalidate(PEER->qp, NULL, NULL, 0, 0, token),
		STATUS_SUCCESS);
	result = side_result(OWNER);
	cr_assert_eq(result.Type, NdkOperationTypeReceiveAndInvalidate);
	cr_assert_eq(result.TypeSpecificCompletionOutput, token);
	/* The next registration has a different token. The owner invalidates it. */
	ASSERT_NT(fast_register(mr, 1, 64, NDK_OP_FLAG_ALLOW_REMOTE_READ), STATUS_SUCCESS);
	cr_assert_neq(mr->Dispatch->NdkGetRemoteTokenFromMr(mr), token);
	side_expect(OWNER, mr, NdkOperationTypeFastRegister, STATUS_SUCCESS);
	ASSERT_NT(
		OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, mr, &mr->Header, 0), STATUS_SUCCESS);
	side_expect(OWNER, mr, NdkOperationTypeInvalidate, STATUS_SUCCESS);
}

/*
 * A read into a fast region can invalidate this region when it completes. The read has one result.
 */
Test(ndk_memory, read_with_local_invalidation)
{
	uint8_t *memory = pages_of_owner();
	NDK_MR *mr = fast_region(FALSE);
	NDK_MR *source =
		side_mr(PEER, PEER->memory, PEER->memory, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ);
	UINT32 token = source->Dispatch->NdkGetRemoteTokenFromMr(source);
	NDK_SGE sge = {.VirtualAddress = (PVOID)(uintptr_t)(BASE + 16),
		.Length = 64,
		.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr)};
	const ULONG flag = NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE;
	static int contexts[3];
	const NDK_QP_DISPATCH *dispatch = OWNER->qp->Dispatch;

	memset(PEER->memory, 'r', 64);
	for (unsigned int i = 0; i < 2; i++) {
		memset(memory, 0, 4096 + 80);
		ASSERT_NT(fast_register(mr, 1, 64,
				  NDK_OP_FLAG_ALLOW_LOCAL_WRITE | NDK_OP_FLAG_SILENT_SUCCESS),
			STATUS_SUCCESS);
		ASSERT_NT(
			dispatch->NdkRead(OWNER->qp, &contexts[i], &sge, 1, (uintptr_t)PEER->memory,
				token, flag | (i == 0 ? 0 : NDK_OP_FLAG_SILENT_SUCCESS)),
			STATUS_SUCCESS);
		if (i == 0)
			side_expect(OWNER, &contexts[0], NdkOperationTypeRead, STATUS_SUCCESS);
		side_no_result(OWNER);
		cr_assert_arr_eq(memory + NDK_PAGE_SIZE + 16, PEER->memory, 64);
	}
	/* The read has invalidated the region, so another invalidate fails. */
	ASSERT_NT(dispatch->NdkInvalidate(OWNER->qp, &contexts[2], &mr->Header, 0), STATUS_SUCCESS);
	side_expect(OWNER, &contexts[2], NdkOperationTypeInvalidate, STATUS_INVALID_DEVICE_REQUEST);
}

/*
 * A failed read with invalidation also has one result. A read with invalidation of a region that
 * cannot be invalidated is refused.
 */
Test(ndk_memory, read_with_local_invalidation_fails)
{
	NDK_MR *mr = fast_region(FALSE);
	NDK_SGE sge = side_sge(OWNER, 0, 64);
	const ULONG flag = NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE | NDK_OP_FLAG_SILENT_SUCCESS;
	static int contexts[2];
	const NDK_QP_DISPATCH *dispatch = OWNER->qp->Dispatch;

	ASSERT_NT(
		dispatch->NdkRead(OWNER->qp, NULL, &sge, 1, 0, 0, flag), STATUS_INVALID_PARAMETER);
	ASSERT_NT(
		dispatch->NdkRead(OWNER->qp, NULL, NULL, 0, 0, 0, flag), STATUS_INVALID_PARAMETER);
	pair_expect_alive();
	ASSERT_NT(fast_register(
			  mr, 1, 64, NDK_OP_FLAG_ALLOW_LOCAL_WRITE | NDK_OP_FLAG_SILENT_SUCCESS),
		STATUS_SUCCESS);
	sge = (NDK_SGE){.VirtualAddress = (PVOID)(uintptr_t)(BASE + 16),
		.Length = 64,
		.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr)};
	ASSERT_NT(dispatch->NdkRead(OWNER->qp, &contexts[0], &sge, 1, 0, 0x1234, flag),
		STATUS_SUCCESS);
	ASSERT_NT(dispatch->NdkSend(OWNER->qp, &contexts[1], NULL, 0, 0), STATUS_SUCCESS);
	side_expect(OWNER, &contexts[0], NdkOperationTypeRead, STATUS_REMOTE_RESOURCES);
	side_expect(OWNER, &contexts[1], NdkOperationTypeSend, STATUS_CANCELLED);
	side_no_result(OWNER);
	ASSERT_NT(
		dispatch->NdkRead(OWNER->qp, NULL, &sge, 1, 0, 0, flag), STATUS_CONNECTION_INVALID);
}

/*
 * A read with invalidation needs two entries of the send queue. If only one is free, the library
 * posts neither the read nor the invalidate.
 */
Test(ndk_memory, read_with_local_invalidation_needs_two_places)
{
	uint8_t *memory = pages_of_owner();
	NDK_MR *mr = fast_region(FALSE);
	NDK_MR *source =
		side_mr(PEER, PEER->memory, PEER->memory, 4096, NDK_MR_FLAG_ALLOW_REMOTE_READ);
	UINT32 token = source->Dispatch->NdkGetRemoteTokenFromMr(source);
	const NDK_QP_DISPATCH *dispatch = OWNER->qp->Dispatch;
	NDK_SGE sge = {.VirtualAddress = (PVOID)(uintptr_t)(BASE + 16), .Length = 64};

	memset(PEER->memory, 'r', 64);
	memset(memory, 0, NDK_PAGE_SIZE + 80);
	ASSERT_NT(fast_register(mr, 1, 64, NDK_OP_FLAG_ALLOW_LOCAL_WRITE), STATUS_SUCCESS);
	side_expect(OWNER, mr, NdkOperationTypeFastRegister, STATUS_SUCCESS);
	sge.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
	for (unsigned int i = 1; i < NDK_DEPTH; i++)
		ASSERT_NT(dispatch->NdkWrite(
				  OWNER->qp, NULL, NULL, 0, 0, 0, NDK_OP_FLAG_SILENT_SUCCESS),
			STATUS_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_NT(dispatch->NdkRead(OWNER->qp, NULL, &sge, 1, (uintptr_t)PEER->memory,
				  token, NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE),
			i == 0 ? STATUS_INSUFFICIENT_RESOURCES : STATUS_SUCCESS);
		pair_quiet();
		cr_assert_eq(memory[NDK_PAGE_SIZE + 16], i == 0 ? 0 : 'r');
	}
	side_expect(OWNER, NULL, NdkOperationTypeRead, STATUS_SUCCESS);
}

/*
 * A fast registration is refused if it has too many pages, remote rights without RemoteAccess, or
 * the wrong kind of region.
 */
Test(ndk_memory, fast_registration_is_refused)
{
	NDK_MR *mr = fast_region(FALSE);

	ASSERT_NT(fast_register(mr, 5, 64, 0), STATUS_IMPLEMENTATION_LIMIT);
	ASSERT_NT(fast_register(mr, 1, 64, NDK_OP_FLAG_ALLOW_REMOTE_READ), STATUS_ACCESS_VIOLATION);
	ASSERT_NT(fast_register(mr, 1, NDK_PAGE_SIZE - 15, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(fast_register(OWNER->mr, 1, 64, 0), STATUS_INVALID_PARAMETER);
	ASSERT_NT(fast_register(mr_new(TRUE), 1, 64, 0), STATUS_INVALID_PARAMETER);
	/* A region of NdkRegisterMr() cannot be invalidated. */
	ASSERT_NT(OWNER->qp->Dispatch->NdkInvalidate(OWNER->qp, NULL, &OWNER->mr->Header, 0),
		STATUS_INVALID_PARAMETER);
	pair_expect_alive();
}
