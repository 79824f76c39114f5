/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Lifetime of objects. A close waits for other objects and operations. Each call completes once.
 * Closing the adapter ends all its objects and operations.
 */

#include <pthread.h>
#include <sched.h>

#include "ndk/adapter.h"
#include "ndk_pair.h"

#define ACTIVE  (&pair.side[0])
#define PASSIVE (&pair.side[1])

TestSuite(ndk_life, .init = pair_connected, .fini = pair_close);

static NTSTATUS
close_object(NDK_OBJECT_HEADER *object, NDK_FN_CLOSE_OBJECT how, struct ndk_call *call)
{
	return how(object, close_over, call);
}

/* NDK documentation (KC): the header and the dispatch table of each object are set. */
Test(ndk_life, headers_say_what_objects_are)
{
	const struct {
		const NDK_OBJECT_HEADER *header;
		NDK_OBJECT_TYPE type;
	} objects[] = {
		{&ACTIVE->adapter->Header, NdkObjectTypeAdapter},
		{&ACTIVE->pd->Header, NdkObjectTypePd},
		{&ACTIVE->cq->Header, NdkObjectTypeCq},
		{&ACTIVE->qp->Header, NdkObjectTypeQp},
		{&ACTIVE->mr->Header, NdkObjectTypeMr},
		{&side_mw(ACTIVE)->Header, NdkObjectTypeMw},
		{&ACTIVE->connector->Header, NdkObjectTypeConnector},
		{&pair.listener->Header, NdkObjectTypeListener},
	};

	for (unsigned int i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		cr_assert_eq(objects[i].header->ObjectType, objects[i].type);
		cr_assert_eq(objects[i].header->Version.Major, 1);
		cr_assert_eq(objects[i].header->Version.Minor, 2);
		for (unsigned int j = 0; j < 4; j++)
			cr_assert_null(objects[i].header->NdkReserved.rf[j]);
	}
}

/*
 * NDK documentation (KC): the close of an antecedent waits for its successors, even if the
 * antecedent is closed first. This test closes the antecedents first.
 */
Test(ndk_life, antecedents_wait_for_successors)
{
	static struct ndk_call pd = {0}, cq = {0}, qp = {0}, mr = {0}, connector = {0};
	NTSTATUS status;

	ASSERT_NT(close_object(&ACTIVE->pd->Header, ACTIVE->pd->Dispatch->NdkClosePd, &pd),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->cq->Header, ACTIVE->cq->Dispatch->NdkCloseCq, &cq),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->qp->Header, ACTIVE->qp->Dispatch->NdkCloseQp, &qp),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->mr->Header, ACTIVE->mr->Dispatch->NdkCloseMr, &mr),
		STATUS_SUCCESS);
	pair_quiet();
	cr_assert_eq(pd.count + cq.count + qp.count + mr.count, 0);
	status = close_object(&ACTIVE->connector->Header,
		ACTIVE->connector->Dispatch->NdkCloseConnector, &connector);
	ASSERT_NT(call_wait(status, &connector), STATUS_SUCCESS);
	POLL_UNTIL(pd.count == 1);
	cr_assert_eq(cq.count, 1);
	cr_assert_eq(qp.count, 1);
	pair_quiet();
	cr_assert_eq(
		pd.count + cq.count + qp.count + connector.count, 4 - (status != STATUS_PENDING));
}

/*
 * This test closes successors first. All objects are freed at once, except the connector, which
 * must disconnect.
 */
Test(ndk_life, successors_first)
{
	static struct ndk_call call = {0}, connector = {0};
	NTSTATUS status = close_object(&ACTIVE->connector->Header,
		ACTIVE->connector->Dispatch->NdkCloseConnector, &connector);

	ASSERT_NT(status, STATUS_PENDING);
	ASSERT_NT(call_wait(status, &connector), STATUS_SUCCESS);
	ASSERT_NT(close_object(&ACTIVE->qp->Header, ACTIVE->qp->Dispatch->NdkCloseQp, &call),
		STATUS_SUCCESS);
	ASSERT_NT(close_object(&ACTIVE->cq->Header, ACTIVE->cq->Dispatch->NdkCloseCq, &call),
		STATUS_SUCCESS);
	ASSERT_NT(close_object(&ACTIVE->mr->Header, ACTIVE->mr->Dispatch->NdkCloseMr, &call),
		STATUS_SUCCESS);
	ASSERT_NT(close_object(&ACTIVE->pd->Header, ACTIVE->pd->Dispatch->NdkClosePd, &call),
		STATUS_SUCCESS);
	cr_assert_eq(call.count, 0);
}

/* All calls refuse an object that is being closed, and so does a second close. */
Test(ndk_life, closing_object_takes_nothing)
{
	static struct ndk_call call = {0}, second = {0};

	ASSERT_NT(close_object(&ACTIVE->qp->Header, ACTIVE->qp->Dispatch->NdkCloseQp, &call),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->qp->Header, ACTIVE->qp->Dispatch->NdkCloseQp, &second),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(ACTIVE->qp->Dispatch->NdkSend(ACTIVE->qp, NULL, NULL, 0, 0),
		STATUS_INVALID_PARAMETER);
	cr_assert_eq(second.count, 0);
}

Test(ndk_life, closing_flushes)
{
	static struct ndk_call call = {0};
	static int received;

	ASSERT_NT(ACTIVE->qp->Dispatch->NdkReceive(ACTIVE->qp, &received, NULL, 0), STATUS_SUCCESS);
	ASSERT_NT(close_object(&ACTIVE->qp->Header, ACTIVE->qp->Dispatch->NdkCloseQp, &call),
		STATUS_PENDING);
	side_expect(ACTIVE, &received, NdkOperationTypeReceive, STATUS_CANCELLED);
}

/*
 * A connector is closed while its disconnect is pending. The disconnect must complete before the
 * close.
 */
static unsigned int order;
static unsigned int disconnect_order, close_order;

static VOID
note_disconnect(PVOID context, NTSTATUS status)
{
	call_over(context, status);
	disconnect_order = ++order;
}

static VOID
note_close(PVOID context)
{
	close_over(context);
	close_order = ++order;
}

Test(ndk_life, close_waits_for_a_request)
{
	static struct ndk_call disconnecting = {0}, closing = {0};
	NDK_CONNECTOR *connector = ACTIVE->connector;

	order = 0;
	ASSERT_NT(connector->Dispatch->NdkDisconnect(connector, note_disconnect, &disconnecting),
		STATUS_PENDING);
	ASSERT_NT(connector->Dispatch->NdkCloseConnector(&connector->Header, note_close, &closing),
		STATUS_PENDING);
	cr_assert_eq(closing.count, 0);
	POLL_UNTIL(closing.count == 1);
	ASSERT_NT(disconnecting.status, STATUS_SUCCESS);
	cr_assert_eq(disconnecting.count, 1);
	cr_assert_eq(disconnect_order, 1);
	cr_assert_eq(close_order, 2);
}

static VOID
close_in_callback(PVOID context, NTSTATUS status)
{
	call_over(context, status);
	/*
	 * NDK documentation (KC): an object may be closed in a callback. The close waits until the
	 * callback has returned.
	 */
	ASSERT_NT(ACTIVE->connector->Dispatch->NdkCloseConnector(
			  &ACTIVE->connector->Header, note_close, context),
		STATUS_PENDING);
	cr_assert_eq(((struct ndk_call *)context)->count, 1);
}

Test(ndk_life, closing_in_a_callback)
{
	static struct ndk_call call = {0};

	ASSERT_NT(ACTIVE->connector->Dispatch->NdkDisconnect(
			  ACTIVE->connector, close_in_callback, &call),
		STATUS_PENDING);
	POLL_UNTIL(call.count == 2);
}

static void
close_adapter(struct ndk_side *side)
{
	/*
	 * The adapter cannot be closed in a callback, because the close would wait for this
	 * callback.
	 */
	ASSERT_NT(ndk_adapter_close(side->adapter), STATUS_INVALID_DEVICE_STATE);
}

Test(ndk_life, adapter_is_not_closed_in_a_callback)
{
	PASSIVE->at_notification = close_adapter;
	PASSIVE->cq->Dispatch->NdkArmCq(PASSIVE->cq, NDK_CQ_NOTIFY_ANY);
	PASSIVE->qp->Dispatch->NdkReceive(PASSIVE->qp, NULL, NULL, 0);
	PASSIVE->qp->Dispatch->NdkFlush(PASSIVE->qp);
	POLL_UNTIL(PASSIVE->notified != 0);
	PASSIVE->at_notification = NULL;
	pair_quiet();
}

/*
 * Closing the adapter ends all objects and all pending operations, here a disconnect, a connect and
 * closes.
 */
Test(ndk_life, adapter_ends_everything)
{
	static struct ndk_call connecting = {0}, disconnecting = {0}, closing = {0}, pd = {0};
	const NDK_VERSION version = {1, 1};
	NDK_CONNECTOR *connector = side_connector(ACTIVE);
	NDK_QP *qp = side_qp(ACTIVE, ACTIVE->cq, 4, ACTIVE);
	NDK_MW *mw = side_mw(ACTIVE);

	ASSERT_NT(ACTIVE->qp->Dispatch->NdkBind(ACTIVE->qp, NULL, ACTIVE->mr, mw, ACTIVE->memory,
			  64, NDK_OP_FLAG_ALLOW_REMOTE_READ),
		STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkConnect(connector, qp, (PSOCKADDR)&pair.own[0],
			  sizeof(pair.own[0]), (PSOCKADDR)&pair.address, sizeof(pair.address), 0, 0,
			  NULL, 0, call_over, &connecting),
		STATUS_PENDING);
	ASSERT_NT(ACTIVE->connector->Dispatch->NdkDisconnect(
			  ACTIVE->connector, call_over, &disconnecting),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->pd->Header, ACTIVE->pd->Dispatch->NdkClosePd, &pd),
		STATUS_PENDING);
	ASSERT_NT(close_object(&ACTIVE->mr->Header, ACTIVE->mr->Dispatch->NdkCloseMr, &closing),
		STATUS_PENDING);
	ASSERT_NT(ndk_adapter_close(ACTIVE->adapter), STATUS_SUCCESS);
	cr_assert_eq(connecting.count, 1);
	ASSERT_NT(connecting.status, STATUS_CANCELLED);
	cr_assert_eq(disconnecting.count, 1);
	cr_assert_eq(closing.count, 1);
	cr_assert_eq(pd.count, 1);
	/* The native adapter stays open. Another NDK adapter can be opened on it. */
	ASSERT_NT(ndk_adapter_open(pair.native.side[0].adapter, version, &ACTIVE->adapter),
		STATUS_SUCCESS);
	cr_assert_eq(ndk_adapter_native(ACTIVE->adapter), pair.native.side[0].adapter);
	cr_assert_eq(ACTIVE->adapter->Header.Version.Minor, 1);
}

/** Adapter that another thread closes during the first call of nd_cq_release(), or NULL. */
static NDK_ADAPTER *closed_meanwhile;
static unsigned int queues_released;
static pthread_t closer;

nd_status __real_nd_cq_release(struct nd_cq *cq);
nd_status __wrap_nd_cq_release(struct nd_cq *cq);

static void *
adapter_close(void *arg)
{
	return ndk_adapter_close(arg) == STATUS_SUCCESS ? NULL : arg;
}

nd_status
__wrap_nd_cq_release(struct nd_cq *cq)
{
	struct ndk_tree *tree;
	bool ending = false;

	if (closed_meanwhile == NULL)
		return __real_nd_cq_release(cq);
	if (__atomic_fetch_add(&queues_released, 1, __ATOMIC_RELAXED) != 0)
		return ND_SUCCESS;
	cr_assert_eq(pthread_create(&closer, NULL, adapter_close, closed_meanwhile), 0);
	tree = &((struct ndk_adapter *)closed_meanwhile)->tree;
	while (!ending) {
		sched_yield();
		pthread_mutex_lock(&tree->lock);
		ending = tree->ending;
		pthread_mutex_unlock(&tree->lock);
	}
	return __real_nd_cq_release(cq);
}

static VOID
not_notified(PVOID context, NTSTATUS status)
{
	(void)context;
	(void)status;
}

/*
 * If another thread is freeing an object, the close of the adapter waits for that thread, and does
 * not free the object again.
 */
Test(ndk_life, adapter_waits_for_an_object_that_goes)
{
	static struct ndk_call closing = {0};
	const NDK_VERSION version = {1, 1};
	NDK_ADAPTER *adapter = NULL;
	void *refused = NULL;
	NDK_CQ *cq = NULL;

	ASSERT_NT(ndk_adapter_open(pair.native.side[0].adapter, version, &adapter), STATUS_SUCCESS);
	ASSERT_NT(adapter->Dispatch->NdkCreateCq(
			  adapter, 4, not_notified, NULL, NULL, create_over, NULL, &cq),
		STATUS_SUCCESS);
	closed_meanwhile = adapter;
	ASSERT_NT(close_object(&cq->Header, cq->Dispatch->NdkCloseCq, &closing), STATUS_SUCCESS);
	cr_assert_eq(pthread_join(closer, &refused), 0);
	closed_meanwhile = NULL;
	cr_assert_null(refused);
	cr_assert_eq(queues_released, 1);
}

/* ndk_adapter_open() refuses unknown versions and NULL. */
Test(ndk_life, opening_an_adapter)
{
	const NDK_VERSION good = {1, 2};
	const NDK_VERSION bad[] = {{0, 0}, {1, 0}, {1, 3}, {2, 1}};
	NDK_ADAPTER *adapter = NULL;

	for (unsigned int i = 0; i < 4; i++)
		ASSERT_NT(ndk_adapter_open(pair.native.side[0].adapter, bad[i], &adapter),
			STATUS_NOT_SUPPORTED);
	ASSERT_NT(ndk_adapter_open(NULL, good, &adapter), STATUS_INVALID_PARAMETER);
	ASSERT_NT(ndk_adapter_open(pair.native.side[0].adapter, good, NULL),
		STATUS_INVALID_PARAMETER);
	ASSERT_NT(ndk_adapter_close(NULL), STATUS_INVALID_PARAMETER);
	ASSERT_NT(ndk_adapter_close((NDK_ADAPTER *)ACTIVE->pd), STATUS_INVALID_PARAMETER);
	cr_assert_null(ndk_adapter_native(NULL));
	cr_assert_null(adapter);
}

/* NdkQueryAdapterInfo() first returns the size of the structure, and then the limits. */
Test(ndk_life, limits)
{
	NDK_ADAPTER_INFO info = {0};
	ULONG size = 0;

	ASSERT_NT(ACTIVE->adapter->Dispatch->NdkQueryAdapterInfo(ACTIVE->adapter, NULL, &size),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_eq(size, sizeof(info));
	size--;
	ASSERT_NT(ACTIVE->adapter->Dispatch->NdkQueryAdapterInfo(ACTIVE->adapter, &info, &size),
		STATUS_BUFFER_TOO_SMALL);
	cr_assert_eq(info.MaxCqDepth, 0);
	ASSERT_NT(ACTIVE->adapter->Dispatch->NdkQueryAdapterInfo(ACTIVE->adapter, &info, &size),
		STATUS_SUCCESS);
	cr_assert_eq(info.RdmaTechnology, NdkRoCEv2);
	cr_assert_eq(info.MaxCallerData, 56);
	cr_assert_eq(info.MaxCalleeData, 148);
	cr_assert_leq(info.MaxReadRequestSge, info.MaxInitiatorRequestSge);
	/* ND-217: programs that poll the last byte of a write require this flag. */
	cr_assert(info.AdapterFlags & NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED);
	cr_assert(info.AdapterFlags & NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED);
	cr_assert(info.AdapterFlags & NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED);
	cr_assert(info.AdapterFlags & NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED);
	cr_assert(info.AdapterFlags & NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED);
}

Test(ndk_life, names_of_codes)
{
	cr_assert_str_eq(ndk_status_name(STATUS_SUCCESS), "STATUS_SUCCESS");
	cr_assert_str_eq(
		ndk_status_name(STATUS_IMPLEMENTATION_LIMIT), "STATUS_IMPLEMENTATION_LIMIT");
	cr_assert_str_eq(ndk_status_name(12345), "STATUS_(unknown)");
}
