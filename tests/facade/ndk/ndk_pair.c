/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk_pair.h"

#include <arpa/inet.h>
#include <string.h>

#include "support/engines.h"

#define QUIET_TURNS      3000u
/** Time limit of all waits. The ports are rings, so only waits for timers could take longer. */
#define PATIENCE_SECONDS 20

struct ndk_pair pair;

VOID
call_over(PVOID context, NTSTATUS status)
{
	struct ndk_call *call = context;

	call->count++;
	call->status = status;
}

VOID
close_over(PVOID context)
{
	call_over(context, STATUS_SUCCESS);
}

VOID
create_over(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER *object)
{
	(void)object;
	call_over(context, status);
}

bool
pair_patience(time_t *since)
{
	if (*since == 0)
		*since = time(NULL);
	return time(NULL) - *since < PATIENCE_SECONDS;
}

void
pair_poll(void)
{
	nd_pair_poll(&pair.native);
}

void
side_poll(struct ndk_side *side)
{
	struct nd_adapter *adapter = ndk_adapter_native(side->adapter);
	struct nd_engine *engine;

	for (size_t i = 0; (engine = nd_adapter_get_engine(adapter, i)) != NULL; i++)
		nd_engine_poll(engine);
}

void
pair_quiet(void)
{
	for (unsigned int i = 0; i < QUIET_TURNS; i++)
		pair_poll();
}

NTSTATUS
call_wait(NTSTATUS status, struct ndk_call *call)
{
	if (status != STATUS_PENDING) {
		cr_assert_eq(call->count, 0, "a call that was not pending is told");
		return status;
	}
	POLL_UNTIL(call->count != 0);
	cr_assert_eq(call->count, 1, "the end was told %u times", call->count);
	return call->status;
}

static VOID
notified(PVOID context, NTSTATUS status)
{
	struct ndk_side *side = context;

	side->notified++;
	side->notified_status = status;
	if (side->at_notification != NULL)
		side->at_notification(side);
}

/** Affinity of all objects of a test. The affinity selects the last engine. */
static GROUP_AFFINITY
home(void)
{
	return (GROUP_AFFINITY){.Mask = (ULONG_PTR)1 << (test_engines() - 1)};
}

NDK_CQ *
side_cq(struct ndk_side *side, ULONG depth)
{
	GROUP_AFFINITY affinity = home();
	NDK_CQ *cq = NULL;

	ASSERT_NT(side->adapter->Dispatch->NdkCreateCq(
			  side->adapter, depth, notified, side, &affinity, create_over, NULL, &cq),
		STATUS_SUCCESS);
	return cq;
}

NDK_QP *
side_qp(struct ndk_side *side, NDK_CQ *cq, ULONG depth, PVOID context)
{
	NDK_QP *qp = NULL;

	ASSERT_NT(side->pd->Dispatch->NdkCreateQp(side->pd, cq, cq, context, depth, depth, 4, 4, 64,
			  create_over, NULL, &qp),
		STATUS_SUCCESS);
	return qp;
}

NDK_MR *
side_mr(struct ndk_side *side, PVOID address, PVOID memory, ULONG length, ULONG flags)
{
	struct ndk_call call = {0};
	NDK_MR *mr = NULL;
	MDL mdl;

	ASSERT_NT(side->pd->Dispatch->NdkCreateMr(side->pd, FALSE, create_over, NULL, &mr),
		STATUS_SUCCESS);
	ndk_mdl_initialize(&mdl, address, memory, length);
	ASSERT_NT(mr->Dispatch->NdkRegisterMr(mr, &mdl, length, flags, call_over, &call),
		STATUS_SUCCESS);
	return mr;
}

NDK_MW *
side_mw(struct ndk_side *side)
{
	NDK_MW *mw = NULL;

	ASSERT_NT(
		side->pd->Dispatch->NdkCreateMw(side->pd, create_over, NULL, &mw), STATUS_SUCCESS);
	return mw;
}

NDK_CONNECTOR *
side_connector(struct ndk_side *side)
{
	NDK_CONNECTOR *connector = NULL;

	ASSERT_NT(side->adapter->Dispatch->NdkCreateConnector(
			  side->adapter, create_over, NULL, &connector),
		STATUS_SUCCESS);
	return connector;
}

static void
side_open(unsigned int number)
{
	const NDK_VERSION version = {1, 2};
	struct ndk_side *side = &pair.side[number];

	side->memory = pair.native.side[number].memory;
	ASSERT_NT(ndk_adapter_open(pair.native.side[number].adapter, version, &side->adapter),
		STATUS_SUCCESS);
	ASSERT_NT(side->adapter->Dispatch->NdkCreatePd(side->adapter, create_over, NULL, &side->pd),
		STATUS_SUCCESS);
	side->cq = side_cq(side, 4 * NDK_DEPTH);
	side->qp = side_qp(side, side->cq, NDK_DEPTH, side);
	side->mr =
		side_mr(side, side->memory, side->memory, NDK_BYTES, NDK_MR_FLAG_ALLOW_LOCAL_WRITE);
	side->token = side->mr->Dispatch->NdkGetLocalTokenFromMr(side->mr);
	cr_assert_neq(side->token, 0);
	pair.own[number] = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0xC0000201 + number),
	};
}

static struct nd_pair_config configured;

void
pair_configure(const struct nd_pair_config *config)
{
	configured = *config;
}

void
pair_open(void)
{
	memset(&pair, 0, sizeof(pair));
	configured.memory_bytes = NDK_BYTES;
	configured.guesses_max = 10000;
	nd_pair_open(&pair.native, &configured);
	side_open(0);
	side_open(1);
}

static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	(void)context;
	pair.asked = connector;
	pair.events++;
}

void
pair_listening(void)
{
	struct ndk_side *side;
	struct ndk_call call = {0};
	ULONG length = sizeof(pair.address);

	pair_open();
	side = &pair.side[1];
	ASSERT_NT(side->adapter->Dispatch->NdkCreateListener(
			  side->adapter, asked, NULL, create_over, NULL, &pair.listener),
		STATUS_SUCCESS);
	ASSERT_NT(pair.listener->Dispatch->NdkListen(pair.listener, (PSOCKADDR)&pair.own[1],
			  sizeof(pair.own[1]), call_over, &call),
		STATUS_SUCCESS);
	ASSERT_NT(pair.listener->Dispatch->NdkGetLocalAddress(
			  pair.listener, (PSOCKADDR)&pair.address, &length),
		STATUS_SUCCESS);
}

static VOID
disconnected(PVOID context)
{
	struct ndk_side *side = context;

	side->disconnected++;
	if (side->at_disconnect != NULL)
		side->at_disconnect(side);
}

void
pair_connect(void)
{
	struct ndk_call connecting = {0}, accepting = {0}, completing = {0};
	struct ndk_side *active = &pair.side[0], *passive = &pair.side[1];
	unsigned int events = pair.events;
	NTSTATUS connect, accept;

	active->connector = side_connector(active);
	connect = active->connector->Dispatch->NdkConnect(active->connector, active->qp,
		(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
		sizeof(pair.address), 4, 4, NULL, 0, call_over, &connecting);
	ASSERT_NT(connect, STATUS_PENDING);
	POLL_UNTIL(pair.events != events);
	passive->connector = pair.asked;
	accept = passive->connector->Dispatch->NdkAccept(passive->connector, passive->qp, 4, 4,
		NULL, 0, disconnected, passive, call_over, &accepting);
	ASSERT_NT(call_wait(connect, &connecting), STATUS_SUCCESS);
	ASSERT_NT(active->connector->Dispatch->NdkCompleteConnect(
			  active->connector, disconnected, active, call_over, &completing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(accept, &accepting), STATUS_SUCCESS);
}

void
pair_connected(void)
{
	pair_listening();
	pair_connect();
}

void
pair_close(void)
{
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_NT(ndk_adapter_close(pair.side[i].adapter), STATUS_SUCCESS);
	nd_pair_close(&pair.native);
}

NDK_RESULT_EX
side_result(struct ndk_side *side)
{
	NDK_RESULT_EX result;

	POLL_UNTIL(side->cq->Dispatch->NdkGetCqResultsEx(side->cq, &result, 1) == 1);
	return result;
}

void
side_expect(struct ndk_side *side, PVOID context, NDK_OPERATION_TYPE type, NTSTATUS status)
{
	NDK_RESULT_EX result = side_result(side);

	ASSERT_NT(result.Status, status);
	cr_assert_eq(result.RequestContext, context);
	cr_assert_eq(result.QPContext, side);
	cr_assert_eq(result.Type, type, "type %d instead of %d", (int)result.Type, (int)type);
	cr_assert_eq(result.ProviderErrorCode, 0);
}

void
side_no_result(struct ndk_side *side)
{
	NDK_RESULT_EX result;

	pair_quiet();
	cr_assert_eq(side->cq->Dispatch->NdkGetCqResultsEx(side->cq, &result, 1), 0);
}

void
side_receive(struct ndk_side *side, PVOID context)
{
	ASSERT_NT(side->qp->Dispatch->NdkReceive(side->qp, context, NULL, 0), STATUS_SUCCESS);
}

void
side_send(struct ndk_side *side, PVOID context, ULONG flags)
{
	ASSERT_NT(side->qp->Dispatch->NdkSend(side->qp, context, NULL, 0, flags), STATUS_SUCCESS);
}

void
side_disconnect(struct ndk_side *side)
{
	struct ndk_call call = {0};

	ASSERT_NT(call_wait(side->connector->Dispatch->NdkDisconnect(
				    side->connector, call_over, &call),
			  &call),
		STATUS_SUCCESS);
}

NDK_SGE
side_sge(const struct ndk_side *side, size_t offset, ULONG length)
{
	return (NDK_SGE){
		.VirtualAddress = side->memory + offset,
		.Length = length,
		.MemoryRegionToken = side->token,
	};
}

void
pair_expect_alive(void)
{
	static int received, sent;

	for (unsigned int i = 0; i < 2; i++) {
		struct ndk_side *from = &pair.side[i], *to = &pair.side[1 - i];

		ASSERT_NT(to->qp->Dispatch->NdkReceive(to->qp, &received, NULL, 0), STATUS_SUCCESS);
		ASSERT_NT(from->qp->Dispatch->NdkSend(from->qp, &sent, NULL, 0, 0), STATUS_SUCCESS);
		side_expect(to, &received, NdkOperationTypeReceive, STATUS_SUCCESS);
		side_expect(from, &sent, NdkOperationTypeSend, STATUS_SUCCESS);
	}
}

void
pair_expect_over(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct ndk_side *side = &pair.side[i];

		POLL_UNTIL(side->disconnected != 0);
		ASSERT_NT(side->qp->Dispatch->NdkSend(side->qp, NULL, NULL, 0, 0),
			STATUS_CONNECTION_INVALID);
	}
	pair_quiet();
	cr_assert_eq(pair.side[0].disconnected, 1);
	cr_assert_eq(pair.side[1].disconnected, 1);
}
