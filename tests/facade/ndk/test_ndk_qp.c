/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Queue pairs and their limits: statements of docs/rules.md, section ND E. NDK has a single status
 * for all invalid parameters.
 */

#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "ndk_scene.h"

TestSuite(ndk_qp, .init = pair_open, .fini = pair_close);
TestSuite(ndk_qp_listening, .init = pair_listening, .fini = pair_close);
TestSuite(ndk_qp_connected, .init = pair_connected, .fini = pair_close);

struct shape {
	ULONG receives, requests, receive_sge, request_sge, inline_bytes;
};

static NTSTATUS
create(NDK_CQ *receive_cq, NDK_CQ *initiator_cq, struct shape shape, NDK_QP **qp)
{
	return OWNER->pd->Dispatch->NdkCreateQp(OWNER->pd, receive_cq, initiator_cq, OWNER,
		shape.receives, shape.requests, shape.receive_sge, shape.request_sge,
		shape.inline_bytes, create_over, NULL, qp);
}

static NDK_ADAPTER_INFO
limits(void)
{
	NDK_ADAPTER_INFO info;
	ULONG size = sizeof(info);

	ASSERT_NT(OWNER->adapter->Dispatch->NdkQueryAdapterInfo(OWNER->adapter, &info, &size),
		STATUS_SUCCESS);
	return info;
}

static struct shape
largest(void)
{
	NDK_ADAPTER_INFO info = limits();

	return (struct shape){info.MaxReceiveQueueDepth, info.MaxInitiatorQueueDepth,
		info.MaxReceiveRequestSge, info.MaxInitiatorRequestSge, info.MaxInlineDataSize};
}

static void
expect_refused(NDK_CQ *receive_cq, NDK_CQ *initiator_cq, struct shape shape)
{
	NDK_QP *qp = NULL;

	ASSERT_NT(create(receive_cq, initiator_cq, shape, &qp), STATUS_INVALID_PARAMETER);
	cr_assert_null(qp);
}

static const struct shape small = {4, 4, 1, 1, 0};

/* ND-069 to ND-074. Creating a queue pair with an invalid parameter is refused. */
Test(ndk_qp, nd_069_receive_queue_is_none)
{
	expect_refused(NULL, OWNER->cq, small);
	expect_refused((NDK_CQ *)OWNER->pd, OWNER->cq, small);
	expect_refused(PEER->cq, OWNER->cq, small);
}

Test(ndk_qp, nd_070_initiator_queue_is_none)
{
	expect_refused(OWNER->cq, NULL, small);
	expect_refused(OWNER->cq, (NDK_CQ *)OWNER->mr, small);
	expect_refused(OWNER->cq, PEER->cq, small);
}

Test(ndk_qp, nd_071_too_many_receives)
{
	struct shape shape = small;

	shape.receives = largest().receives + 1;
	expect_refused(OWNER->cq, OWNER->cq, shape);
}

Test(ndk_qp, nd_072_too_many_requests)
{
	struct shape shape = small;

	shape.requests = largest().requests + 1;
	expect_refused(OWNER->cq, OWNER->cq, shape);
}

Test(ndk_qp, nd_073_too_many_entries_of_a_receive)
{
	struct shape shape = small;

	shape.receive_sge = largest().receive_sge + 1;
	expect_refused(OWNER->cq, OWNER->cq, shape);
}

Test(ndk_qp, nd_074_too_many_entries_of_a_request)
{
	struct shape shape = small;

	shape.request_sge = largest().request_sge + 1;
	expect_refused(OWNER->cq, OWNER->cq, shape);
}

static void
few_endpoints(unsigned int side, struct nd_adapter_config *config)
{
	(void)side;
	config->endpoints_max = 4;
}

static void
open_few(void)
{
	pair_configure(&(struct nd_pair_config){.adapt = few_endpoints});
	pair_open();
}

TestSuite(ndk_qp_few, .init = open_few, .fini = pair_close);

/* ND-077. If no queue pair is left, NdkCreateQp() fails. */
Test(ndk_qp_few, nd_077_no_queue_pair_is_left)
{
	NDK_QP *qp = NULL, *last = NULL;
	struct ndk_call call = {0};
	NTSTATUS status;
	unsigned int made = 0;

	while ((status = create(OWNER->cq, OWNER->cq, small, &qp)) == STATUS_SUCCESS) {
		cr_assert_leq(++made, 4);
		last = qp;
	}
	ASSERT_NT(status, STATUS_INSUFFICIENT_RESOURCES);
	cr_assert_not_null(last);
	ASSERT_NT(last->Dispatch->NdkCloseQp(&last->Header, close_over, &call), STATUS_SUCCESS);
	pair_quiet();
	ASSERT_NT(create(OWNER->cq, OWNER->cq, small, &qp), STATUS_SUCCESS);
}

/* ND-078. After the device was removed, NdkCreateQp() fails. */
Test(ndk_qp, nd_078_device_is_removed)
{
	char name[RTE_ETH_NAME_MAX_LEN];
	NDK_QP *qp = NULL;

	cr_assert_eq(rte_eth_dev_get_name_by_port(pair.native.ports[1], name), 0);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
	ASSERT_NT(create(OWNER->cq, OWNER->cq, small, &qp), STATUS_DEVICE_REMOVED);
	cr_assert_null(qp);
}

/** Connect new queue pairs with these read limits on both sides. */
static void
connect_with(ULONG inbound, ULONG outbound)
{
	struct ndk_call connecting = {0}, accepting = {0}, completing = {0};
	NDK_CONNECTOR *connector = side_connector(PEER);
	unsigned int events = pair.events;
	NTSTATUS accept,
		connect = connector->Dispatch->NdkConnect(connector, PEER->qp,
			(PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
			sizeof(pair.address), inbound, outbound, NULL, 0, call_over, &connecting);

	POLL_UNTIL(pair.events != events);
	accept = pair.asked->Dispatch->NdkAccept(pair.asked, OWNER->qp, inbound, outbound, NULL, 0,
		NULL, NULL, call_over, &accepting);
	ASSERT_NT(call_wait(connect, &connecting), STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkCompleteConnect(
			  connector, NULL, NULL, call_over, &completing),
		STATUS_SUCCESS);
	ASSERT_NT(call_wait(accept, &accepting), STATUS_SUCCESS);
}

/* ND-079. Read limits of 0 are accepted. In NDK, read limits are parameters of the connection. */
Test(ndk_qp_listening, nd_079_read_limits_of_0)
{
	connect_with(0, 0);
	pair_expect_alive();
}

/* ND-081. A queue pair may have one completion queue for both directions, or two. */
Test(ndk_qp, nd_081_one_completion_queue_for_both)
{
	NDK_QP *qp = NULL;

	ASSERT_NT(create(OWNER->cq, OWNER->cq, small, &qp), STATUS_SUCCESS);
	ASSERT_NT(create(OWNER->cq, side_cq(OWNER, 4), small, &qp), STATUS_SUCCESS);
}

/* ND-082. A queue pair can have all limits of the adapter at the same time. */
Test(ndk_qp, nd_082_all_limits_of_the_adapter)
{
	NDK_QP *qp = NULL;

	ASSERT_NT(create(OWNER->cq, OWNER->cq, largest(), &qp), STATUS_SUCCESS);
	cr_assert_not_null(qp);
}

/*
 * ND-083. Receives complete in the receive completion queue, all other requests in the initiator
 * completion queue.
 */
Test(ndk_qp_listening, nd_083_results_by_direction)
{
	static const NDK_OPERATION_TYPE types[] = {NdkOperationTypeBind, NdkOperationTypeSend,
		NdkOperationTypeSend, NdkOperationTypeRead, NdkOperationTypeWrite,
		NdkOperationTypeInvalidate};
	NDK_CQ *receives = side_cq(OWNER, 16);
	NDK_MW *mw = side_mw(OWNER);
	const NDK_QP_DISPATCH *dispatch;
	NDK_RESULT_EX result;

	ASSERT_NT(create(receives, OWNER->cq, (struct shape){8, 8, 1, 1, 0}, &OWNER->qp),
		STATUS_SUCCESS);
	pair_connect();
	dispatch = OWNER->qp->Dispatch;
	side_receive(OWNER, NULL);
	side_receive(PEER, NULL);
	side_receive(PEER, NULL);
	ASSERT_NT(scene_bind_post(mw, 0, 64, READ_WRITE), STATUS_SUCCESS);
	side_send(OWNER, mw, 0);
	side_send(OWNER, mw, 0);
	ASSERT_NT(dispatch->NdkRead(OWNER->qp, mw, NULL, 0, 0, 0, 0), STATUS_SUCCESS);
	ASSERT_NT(dispatch->NdkWrite(OWNER->qp, mw, NULL, 0, 0, 0, 0), STATUS_SUCCESS);
	scene_invalidate_post(mw, 0);
	side_send(PEER, NULL, 0);
	for (unsigned int i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		side_expect(OWNER, mw, types[i], STATUS_SUCCESS);
	side_no_result(OWNER);
	cr_assert_eq(receives->Dispatch->NdkGetCqResultsEx(receives, &result, 1), 1);
	cr_assert_eq(result.Type, NdkOperationTypeReceive);
	cr_assert_eq(receives->Dispatch->NdkGetCqResultsEx(receives, &result, 1), 0);
}

/* ND-084. A connector has at most one queue pair at a time. */
Test(ndk_qp_connected, nd_084_one_queue_pair_of_a_connector)
{
	NDK_QP *other = side_qp(PEER, PEER->cq, 4, PEER);
	struct ndk_call call = {0};

	ASSERT_NT(PEER->connector->Dispatch->NdkConnect(PEER->connector, other,
			  (PSOCKADDR)&pair.own[0], sizeof(pair.own[0]), (PSOCKADDR)&pair.address,
			  sizeof(pair.address), 1, 1, NULL, 0, call_over, &call),
		STATUS_CONNECTION_ACTIVE);
	cr_assert_eq(call.count, 0);
	pair_expect_alive();
}

/* ND-085. A connect is refused if another connector has already connected the queue pair. */
Test(ndk_qp_connected, nd_085_queue_pair_of_another_connector)
{
	NDK_CONNECTOR *connector = side_connector(PEER);
	struct ndk_call call = {0};

	cr_assert(!NT_SUCCESS(call_wait(
		connector->Dispatch->NdkConnect(connector, PEER->qp, (PSOCKADDR)&pair.own[0],
			sizeof(pair.own[0]), (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1,
			NULL, 0, call_over, &call),
		&call)));
	pair_expect_alive();
}

/* ND-087. A receive queue with one entry more than the adapter's limit is refused. */
Test(ndk_qp, nd_087_one_receive_too_many)
{
	struct shape shape = largest();

	shape.receives++;
	expect_refused(OWNER->cq, OWNER->cq, shape);
}

/*
 * ND-088. A queue pair with maximum SGEs and depths works with a completion queue of two entries.
 */
Test(ndk_qp, nd_088_largest_with_a_small_completion_queue)
{
	NDK_CQ *cq = side_cq(OWNER, 2);
	NDK_QP *qp = NULL;

	ASSERT_NT(create(cq, cq, largest(), &qp), STATUS_SUCCESS);
}

/* ND-089. The completion queue may have fewer entries than the queue pair's queues. */
Test(ndk_qp_listening, nd_089_shallow_completion_queue)
{
	static int received[4];

	OWNER->cq = side_cq(OWNER, 2);
	ASSERT_NT(create(OWNER->cq, OWNER->cq, (struct shape){64, 64, 1, 1, 0}, &OWNER->qp),
		STATUS_SUCCESS);
	pair_connect();
	for (unsigned int i = 0; i < 4; i++)
		side_receive(OWNER, &received[i]);
	for (unsigned int i = 0; i < 4; i++) {
		side_send(PEER, NULL, 0);
		side_expect(OWNER, &received[i], NdkOperationTypeReceive, STATUS_SUCCESS);
	}
}

/** Start EAL with enough memory for the deepest queue. */
static void
open_with_memory(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "512", lcores[] = "-l",
		    first_lcore[] = "0";
	static char *args[] = {
		program, no_huge, no_shconf, no_pci, memory, megabytes, lcores, first_lcore, NULL};

	cr_assert_geq(rte_eal_init(RTE_DIM(args) - 1, args), 0);
	pair_open();
}

TestSuite(ndk_qp_with_memory, .init = open_with_memory, .fini = pair_close);

/* ND-090. A completion queue of the maximum depth is accepted. One more entry is refused. */
Test(ndk_qp_with_memory, nd_090_deepest_completion_queue)
{
	ULONG depth = limits().MaxCqDepth;
	NDK_CQ *cq = NULL;

	ASSERT_NT(OWNER->adapter->Dispatch->NdkCreateCq(
			  OWNER->adapter, depth + 1, call_over, NULL, NULL, create_over, NULL, &cq),
		STATUS_INVALID_PARAMETER);
	cr_assert_null(cq);
	cr_assert_not_null(side_cq(OWNER, depth));
}

/* ND-091. A send with inline data of the adapter's maximum length succeeds. */
Test(ndk_qp_listening, nd_091_inline_up_to_the_limit)
{
	ULONG most = limits().MaxInlineDataSize;
	static uint8_t bytes[1024];
	NDK_SGE from = {.VirtualAddress = bytes}, to = side_sge(PEER, 0, 1024);

	ASSERT_NT(create(OWNER->cq, OWNER->cq, (struct shape){4, 4, 1, 1, most}, &OWNER->qp),
		STATUS_SUCCESS);
	pair_connect();
	memset(bytes, 'i', sizeof(bytes));
	for (ULONG length = most - 1; length <= most + 1; length++) {
		from.Length = length;
		if (length > most) {
			ASSERT_NT(OWNER->qp->Dispatch->NdkSend(
					  OWNER->qp, NULL, &from, 1, NDK_OP_FLAG_INLINE),
				STATUS_BUFFER_OVERFLOW);
			break;
		}
		ASSERT_NT(PEER->qp->Dispatch->NdkReceive(PEER->qp, NULL, &to, 1), STATUS_SUCCESS);
		ASSERT_NT(
			OWNER->qp->Dispatch->NdkSend(OWNER->qp, NULL, &from, 1, NDK_OP_FLAG_INLINE),
			STATUS_SUCCESS);
		cr_assert_eq(side_result(PEER).BytesTransferred, length);
		cr_assert_arr_eq(PEER->memory, bytes, length);
		ASSERT_NT(side_result(OWNER).Status, STATUS_SUCCESS);
	}
}
