/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Call each function of each dispatch table with each invalid argument, while all other arguments
 * are valid. arguments.py generates the calls from the headers. A refusal must log the argument.
 */

#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "support/refusal.h"

TestSuite(ndk_arguments, .init = pair_connected, .fini = pair_close);

static struct ndk_call told;
static uint8_t room[4096];
static ULONG length;
static MDL mdl;
static NDK_SGE entry;
static NDK_LOGICAL_ADDRESS page[2];
static void *made;
static struct arguments arguments;
static unsigned int lines; /* number of lines in the log before the call */

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
	lines = refusal_count();
}

void
end(const struct arguments *with, const char *call)
{
	(void)with;
	cr_expect_eq(told.count, 0, "%s: a callback was called", call);
	cr_expect_null(made, "%s: an object was made", call);
	told.count = 0;
}

/**
 * Fail unless the call has logged one line, with the function and the parameter. If the native
 * function has refused the argument, the line has the names of the native API.
 */
static void
expect_line(const char *call)
{
	const char *line = refusal_last();
	char function[64], parameter[64];

	cr_assert_eq(sscanf(call, "%63[^:]: %63s", function, parameter), 2);
	cr_expect_eq(refusal_count() - lines, 1, "%s: %u lines", call, refusal_count() - lines);
	if (strncmp(line, "nd_", 3) == 0)
		return;
	cr_expect(strncmp(line, function, strlen(function)) == 0 && strstr(line, parameter) != NULL,
		"%s: the log has: %s", call, line);
}

void
expect(const char *call, int64_t returned, int64_t expected)
{
	if (expected == STATUS_INVALID_PARAMETER)
		expect_line(call);
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

/** @return valid arguments for all functions, with objects of the active side */
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

/* Use a region that is not registered yet, so that only the tested argument is invalid. */
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

	/*
	 * Use a new connector and a new queue pair. Both can be connected, so only the tested
	 * argument is invalid.
	 */
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

/* Check the log of some invalid arguments. A request for a size and a full queue log nothing. */
Test(ndk_arguments, lines_in_the_log)
{
	const struct arguments *with = valid();
	const NDK_ADAPTER_DISPATCH *adapter = with->adapter->Dispatch;
	const NDK_CQ_DISPATCH *cq = with->cq->Dispatch;
	const NDK_QP_DISPATCH *qp = with->qp->Dispatch;
	struct sockaddr_in far = pair.own[0];
	PSOCKADDR address = (PSOCKADDR)&far;
	NTSTATUS status = STATUS_SUCCESS;
	unsigned int before;

	ASSERT_REFUSED(cq->NdkResizeCq(with->cq, 0, call_over, NULL), STATUS_INVALID_PARAMETER,
		"NdkResizeCq: CqDepth 0: expected 1 to 2097152");
	ASSERT_REFUSED(cq->NdkControlCqInterruptModeration(with->cq, UINT32_MAX, UINT32_MAX),
		STATUS_INVALID_PARAMETER_MIX,
		"NdkControlCqInterruptModeration: ModerationInterval and ModerationCount are both "
		"0xffffffff: expected at most one");
	ASSERT_REFUSED(adapter->NdkCreateSharedEndpoint(with->adapter, address, 3, create_over,
			       NULL, with->ppNdkSharedEndpoint),
		STATUS_INVALID_PARAMETER,
		"NdkCreateSharedEndpoint: AddressLength is 3, but a sockaddr_in has 16 bytes");
	far.sin_addr.s_addr ^= htonl(0xff);
	ASSERT_REFUSED(adapter->NdkCreateSharedEndpoint(with->adapter, address, sizeof(far),
			       create_over, NULL, with->ppNdkSharedEndpoint),
		STATUS_INVALID_ADDRESS,
		"NdkCreateSharedEndpoint: pAddress: expected 192.0.2.1, the address of the "
		"adapter, or the wildcard address");
	ASSERT_REFUSED(qp->NdkSend(with->qp, NULL, NULL, 2, 0), STATUS_INVALID_PARAMETER,
		"NdkSend: pSgl is NULL, but nSge is 2");
	length = 8;
	ASSERT_REFUSED(adapter->NdkQueryAdapterInfo(with->adapter, with->pInfo, &length),
		STATUS_BUFFER_TOO_SMALL,
		"NdkQueryAdapterInfo: *pBufferSize is 8, but NDK_ADAPTER_INFO has 104 bytes");

	before = refusal_count();
	ASSERT_NT(adapter->NdkQueryAdapterInfo(with->adapter, NULL, &length),
		STATUS_BUFFER_TOO_SMALL);
	while (status == STATUS_SUCCESS)
		status = qp->NdkReceive(with->qp, NULL, with->pSgl, 1);
	ASSERT_NT(status, STATUS_INSUFFICIENT_RESOURCES);
	cr_assert_eq(refusal_count(), before, "the last line: %s", refusal_last());
}
