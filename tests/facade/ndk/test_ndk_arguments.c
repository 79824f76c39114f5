/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Each function of each table is called with each invalid argument, while all other arguments are
 * valid. arguments.py generates the calls from the headers.
 */

#include "arguments.h"

TestSuite(ndk_arguments, .init = pair_connected, .fini = pair_close);

static struct ndk_call told;
static uint8_t room[4096];
static ULONG length;
static MDL mdl;
static NDK_SGE entry;
static NDK_LOGICAL_ADDRESS page[2];
static void *made;
static struct arguments arguments;

static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	(void)connector;
	close_over(context);
}

void
begin(struct arguments *with)
{
	made = NULL;
	length = sizeof(room);
	with->calls++;
}

void
end(const struct arguments *with, const char *call)
{
	(void)with;
	cr_expect_eq(told.count, 0, "%s: a callback was called", call);
	cr_expect_null(made, "%s: an object was made", call);
	told.count = 0;
}

void
expect(const char *call, int64_t returned, int64_t expected)
{
	cr_expect_eq(returned, expected, "%s: %s instead of %s", call,
		ndk_status_name((NTSTATUS)returned), ndk_status_name((NTSTATUS)expected));
}

static NDK_MR *
region(BOOLEAN fast)
{
	struct ndk_side *side = &pair.side[0];
	NDK_MR *mr = NULL;

	ASSERT_NT(side->pd->Dispatch->NdkCreateMr(side->pd, fast, create_over, NULL, &mr),
		STATUS_SUCCESS);
	return mr;
}

/** Create the objects that the functions use. */
static void
valid_objects(struct ndk_side *side, struct arguments *with)
{
	const NDK_ADAPTER_DISPATCH *dispatch = side->adapter->Dispatch;

	MmInitializeMdl(&mdl, side->memory, 4096);
	entry = side_sge(side, 0, 8);
	page[0].QuadPart = (LONGLONG)(uintptr_t)room / NDK_PAGE_SIZE * NDK_PAGE_SIZE;
	ASSERT_NT(dispatch->NdkCreateListener(
			  side->adapter, asked, NULL, create_over, NULL, &with->listener),
		STATUS_SUCCESS);
	ASSERT_NT(dispatch->NdkCreateSharedEndpoint(side->adapter, (PSOCKADDR)&pair.own[0],
			  sizeof(pair.own[0]), create_over, NULL, &with->shared),
		STATUS_SUCCESS);
	with->fast = region(TRUE);
	with->empty_fast = region(TRUE);
	ASSERT_NT(with->fast->Dispatch->NdkInitializeFastRegisterMr(
			  with->fast, 1, TRUE, call_over, NULL),
		STATUS_SUCCESS);
	ASSERT_NT(side->pd->Dispatch->NdkCreateSrq(
			  side->pd, 4, 1, 0, NULL, NULL, NULL, create_over, NULL, &with->srq),
		STATUS_SUCCESS);
}

/** Set the buffers for outputs. */
static void
valid_outputs(struct arguments *with)
{
	with->pAddressLength = &length;
	with->pBufferSize = &length;
	with->pFBO = &length;
	with->pLAMSize = &length;
	with->pPrivateDataLength = &length;
	with->pInboundReadLimit = &length;
	with->pOutboundReadLimit = &length;
	with->pInfo = (NDK_ADAPTER_INFO *)(PVOID)room;
	with->pNdkLAM = (NDK_LOGICAL_ADDRESS_MAPPING *)(PVOID)room;
	with->pToken = (UINT32 *)(PVOID)room;
	with->ppNdkConnector = (NDK_CONNECTOR **)&made;
	with->ppNdkCq = (NDK_CQ **)&made;
	with->ppNdkListener = (NDK_LISTENER **)&made;
	with->ppNdkMr = (NDK_MR **)&made;
	with->ppNdkMw = (NDK_MW **)&made;
	with->ppNdkPd = (NDK_PD **)&made;
	with->ppNdkQp = (NDK_QP **)&made;
	with->ppNdkSharedEndpoint = (NDK_SHARED_ENDPOINT **)&made;
	with->ppNdkSrq = (NDK_SRQ **)&made;
}

/** @return all arguments, on the active side */
static struct arguments *
valid(void)
{
	struct ndk_side *side = &pair.side[0];
	struct arguments *with = &arguments;

	*with = (struct arguments){
		.adapter = side->adapter,
		.pd = side->pd,
		.cq = side->cq,
		.qp = side->qp,
		.mr = side->mr,
		.mw = side_mw(side),
		.connector = side->connector,
		.CreateCompletion = create_over,
		.CloseCompletion = close_over,
		.RequestCompletion = call_over,
		.ConnectEvent = asked,
		.CqNotification = call_over,
		.SrqNotification = NULL,
		.DisconnectEvent = close_over,
		.RequestContext = &told,
		.ExtensionInterfaceID = (GUID *)(PVOID)room,
		.ExtensionInterfaceVersion = {1, 2},
		.pExtensionInterface = (NDK_EXTENSION_INTERFACE *)(PVOID)room,
		.CqDepth = 4,
		.SrqDepth = 4,
		.ReceiveQueueDepth = 4,
		.InitiatorQueueDepth = 4,
		.MaxInitiatorRequestSge = 1,
		.MaxReceiveRequestSge = 1,
		.nResults = 1,
		.nSge = 1,
		.AdapterPageCount = 1,
		.Flags = 0,
		.Length = 64,
		.Mdl = &mdl,
		.VirtualAddress = side->memory,
		.BaseVirtualAddress = (PVOID)(uintptr_t)0x10000,
		.AdapterPageArray = page,
		.pSgl = &entry,
		.Results = room,
		.pAddress = (PSOCKADDR)&pair.own[0],
		.pSrcAddress = (PSOCKADDR)&pair.own[0],
		.pDestAddress = (PSOCKADDR)&pair.address,
		.AddressLength = sizeof(pair.own[0]),
		.SrcAddressLength = sizeof(pair.own[0]),
		.DestAddressLength = sizeof(pair.address),
		.PrivateDataLength = 4,
		.pPrivateData = room,
	};
	valid_outputs(with);
	valid_objects(side, with);
	return with;
}

Test(ndk_arguments, adapter)
{
	arguments_of_adapter(valid());
	cr_assert_gt(arguments.calls, 30);
}

Test(ndk_arguments, protection_domain)
{
	arguments_of_pd(valid());
	cr_assert_gt(arguments.calls, 30);
}

Test(ndk_arguments, completion_queue)
{
	arguments_of_cq(valid());
	cr_assert_gt(arguments.calls, 10);
}

Test(ndk_arguments, queue_pair)
{
	struct arguments *with = valid();

	arguments_of_qp(with);
	cr_assert_gt(with->calls, 30);
	pair_expect_alive();
}

Test(ndk_arguments, shared_receive_queue)
{
	arguments_of_srq(valid());
	cr_assert_gt(arguments.calls, 5);
}

/* The region is not registered, so only the argument is wrong. */
Test(ndk_arguments, region)
{
	struct arguments *with = valid();

	with->mr = region(FALSE);
	arguments_of_mr(with);
	cr_assert_gt(with->calls, 20);
}

Test(ndk_arguments, window)
{
	arguments_of_mw(valid());
	cr_assert_gt(arguments.calls, 5);
}

Test(ndk_arguments, connector)
{
	struct arguments *with = valid();

	/* The connector and the queue pair can be connected. */
	with->connector = side_connector(&pair.side[0]);
	with->qp = side_qp(&pair.side[0], pair.side[0].cq, 4, NULL);
	arguments_of_connector(with);
	cr_assert_gt(with->calls, 40);
}

Test(ndk_arguments, listener)
{
	arguments_of_listener(valid());
	cr_assert_gt(arguments.calls, 10);
}

Test(ndk_arguments, shared_endpoint)
{
	arguments_of_shared_endpoint(valid());
	cr_assert_gt(arguments.calls, 5);
}
