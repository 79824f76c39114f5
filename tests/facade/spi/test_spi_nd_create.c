/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, sections ND E and G), version 2 of the SPI: queue pairs
 * and their flush.
 */

#include <stdlib.h>

#include <rte_dev.h>
#include <rte_eal.h>

#include "spi_scene.h"

#define QUEUE_PAIRS_MANY 1024

static ND2_ADAPTER_INFO info;

static void
open_informed(void)
{
	ULONG bytes = sizeof(info);

	scene_open();
	info.InfoVersion = ND_VERSION_2;
	ASSERT_HR(IND2Adapter_Query(PEER->adapter, &info, &bytes), ND_SUCCESS);
}

/** Open adapters with the amount of memory that docs/facade/spi.md specifies. */
static void
open_with_memory(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "256",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", lcore[] = "0";
	static char *arguments[] = {program, no_huge, no_shconf, no_pci, memory, megabytes,
		no_telemetry, lcores, lcore, NULL};

	cr_assert(rte_eal_init(9, arguments) >= 0);
	open_informed();
}

TestSuite(spi_nd_create, .init = open_informed, .fini = scene_close);
TestSuite(spi_nd_deepest, .init = open_with_memory, .fini = scene_close);
TestSuite(spi_nd_flush, .init = scene_connected, .fini = scene_close);

/** The arguments of CreateQueuePair from the fifth on, in their order. */
struct limits {
	ULONG receive_depth;
	ULONG initiator_depth;
	ULONG receive_sge;
	ULONG initiator_sge;
	ULONG inline_bytes;
};

static HRESULT
create(void *receive, void *initiator, const struct limits *limits, IND2QueuePair **qp)
{
	*qp = NULL;
	return IND2Adapter_CreateQueuePair(PEER->adapter, &IID_IND2QueuePair, receive, initiator,
		CONTEXT(1), limits->receive_depth, limits->initiator_depth, limits->receive_sge,
		limits->initiator_sge, limits->inline_bytes, (void **)qp);
}

/** Create a queue pair with these limits, and release it. @return status of CreateQueuePair */
static HRESULT
try_limits(const struct limits *limits)
{
	IND2QueuePair *qp;
	HRESULT status = create(PEER->cq, PEER->cq, limits, &qp);

	if (status == ND_SUCCESS)
		cr_assert_eq(IND2QueuePair_Release(qp), 0);
	else
		cr_assert_null(qp);
	return status;
}

static struct limits
largest(void)
{
	return (struct limits){info.MaxReceiveQueueDepth, info.MaxInitiatorQueueDepth,
		info.MaxReceiveSge, info.MaxInitiatorSge, info.MaxInlineDataSize};
}

Test(spi_nd_create, nd_077_queue_pairs_run_out)
{
	static IND2QueuePair *made[QUEUE_PAIRS_MANY];
	const struct limits small = {1, 1, 1, 1, 0};
	HRESULT status = ND_SUCCESS;
	unsigned int count = 0;

	while (count < QUEUE_PAIRS_MANY &&
		(status = create(PEER->cq, PEER->cq, &small, &made[count])) == ND_SUCCESS)
		count++;
	ASSERT_HR(status, ND_INSUFFICIENT_RESOURCES);
	while (count-- > 0)
		cr_assert_eq(IND2QueuePair_Release(made[count]), 0);
	ASSERT_HR(try_limits(&small), ND_SUCCESS);
}

Test(spi_nd_create, nd_078_no_queue_pair_of_a_removed_device)
{
	const struct limits small = {1, 1, 1, 1, 0};

	scene_hold();
	cr_assert_eq(rte_eal_hotplug_remove("vdev", "net_ring_spi_port_0"), 0);
	ASSERT_HR(try_limits(&small), ND_DEVICE_REMOVED);
	scene_let_go();
}

Test(spi_nd_create, nd_081_one_queue_for_both_directions)
{
	IND2CompletionQueue *other = scene_cq(PEER, 8);

	scene_keep(PEER->qp);
	PEER->qp = scene_queue_pair(PEER, PEER->cq, PEER->cq);
	spi_pair_connect(&scene);
	scene_alive();
	scene_keep(PEER->connector);
	scene_queue_pair(PEER, PEER->cq, other);
	scene_queue_pair(PEER, other, PEER->cq);
}

Test(spi_nd_create, nd_082_largest_values_succeed)
{
	const struct limits limits = largest();

	ASSERT_HR(try_limits(&limits), ND_SUCCESS);
}

Test(spi_nd_create, nd_083_each_result_comes_in_its_queue)
{
	IND2CompletionQueue *receive = scene_cq(PEER, 8), *initiator = scene_cq(PEER, 16);
	static const ND2_REQUEST_TYPE types[] = {Nd2RequestTypeSend, Nd2RequestTypeBind,
		Nd2RequestTypeInvalidate, Nd2RequestTypeRead, Nd2RequestTypeWrite};
	UINT32 token;

	scene_keep(PEER->qp);
	PEER->qp = scene_queue_pair(PEER, receive, initiator);
	spi_pair_connect(&scene);
	token = scene_bound(READ_WRITE);
	scene_receive(PEER, 1, 0, 8);
	scene_receive(OWNER, 2, 0, 8);
	ASSERT_HR(scene_send_post(OWNER, 3, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 4, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Bind(PEER->qp, CONTEXT(5), (IUnknown *)PEER->mr,
			  (IUnknown *)PEER->mw, PEER->memory, 64, READ_WRITE),
		ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Invalidate(PEER->qp, CONTEXT(6), (IUnknown *)PEER->mw, 0),
		ND_SUCCESS);
	ASSERT_HR(scene_read_post(7, 0, 8, token, 0), ND_SUCCESS);
	ASSERT_HR(scene_write_post(8, 0, 8, token, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 5; i++)
		ASSERT_HR(spi_pair_expect(initiator, types[i], CONTEXT(4 + i)), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(receive, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	spi_pair_quiet(initiator);
	spi_pair_quiet(receive);
	spi_pair_quiet(PEER->cq);
}

Test(spi_nd_create, nd_084_connector_has_one_queue_pair)
{
	IND2QueuePair *other = scene_queue_pair(PEER, PEER->cq, PEER->cq);
	OVERLAPPED connect = {0}, again = {0}, accept = {0};

	spi_pair_request(&scene, &connect);
	ASSERT_HR(IND2Connector_Connect(PEER->connector, (IUnknown *)other,
			  (struct sockaddr *)&scene.listening, sizeof(struct sockaddr_in), 1, 1,
			  NULL, 0, &again),
		ND_CONNECTION_ACTIVE);
	ASSERT_HR(IND2Connector_Accept(
			  OWNER->connector, (IUnknown *)OWNER->qp, 1, 1, NULL, 0, &accept),
		ND_PENDING);
	ASSERT_HR(IND2Connector_Accept(OWNER->connector,
			  (IUnknown *)scene_queue_pair(OWNER, OWNER->cq, OWNER->cq), 1, 1, NULL, 0,
			  &again),
		ND_CONNECTION_ACTIVE);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	ASSERT_HR(IND2Connector_CompleteConnect(PEER->connector, &connect), ND_SUCCESS);
	ASSERT_HR(spi_pair_finish(OWNER->connector, ND_PENDING, &accept), ND_SUCCESS);
	scene_alive();
}

/*
 * The number in the status of CreateQueuePair names the invalid argument, which is 2, 3, 5, 6, 7, 8
 * or 9.
 */
Test(spi_nd_create, nd_086_codes_name_the_argument)
{
	static const HRESULT codes[] = {ND_INVALID_PARAMETER_5, ND_INVALID_PARAMETER_6,
		ND_INVALID_PARAMETER_7, ND_INVALID_PARAMETER_8, ND_INVALID_PARAMETER_9};
	struct limits limits = largest();
	IND2QueuePair *qp;

	ASSERT_HR(create(NULL, PEER->cq, &limits, &qp), ND_INVALID_PARAMETER_2);
	ASSERT_HR(create(OWNER->cq, PEER->cq, &limits, &qp), ND_INVALID_PARAMETER_2);
	ASSERT_REFUSED(create(PEER->cq, NULL, &limits, &qp), ND_INVALID_PARAMETER_3,
		"IND2Adapter_CreateQueuePair: parameter 3, pInitiatorCompletionQueue is NULL, of "
		"another adapter, or on another engine than pReceiveCompletionQueue");
	ASSERT_HR(create(PEER->cq, PEER->mw, &limits, &qp), ND_INVALID_PARAMETER_3);
	for (unsigned int i = 0; i < 5; i++) {
		ULONG *limit = &limits.receive_depth + i;

		++*limit;
		ASSERT_HR(try_limits(&limits), codes[i]);
		--*limit;
	}
}

Test(spi_nd_create, nd_087_deeper_than_the_maximum_fails)
{
	const struct limits limits = {info.MaxReceiveQueueDepth + 1, 1, 1, 1, 0};

	cr_assert(FAILED(try_limits(&limits)));
}

Test(spi_nd_create, nd_088_largest_lists_with_a_short_completion_queue)
{
	IND2CompletionQueue *cq = scene_cq(PEER, 2);
	const struct limits limits = {
		1, info.MaxInitiatorQueueDepth, info.MaxReceiveSge, info.MaxInitiatorSge, 0};
	IND2QueuePair *qp;

	ASSERT_HR(create(cq, cq, &limits, &qp), ND_SUCCESS);
	scene_release(qp);
}

Test(spi_nd_create, nd_089_short_completion_queue_is_accepted)
{
	IND2CompletionQueue *cq = scene_cq(PEER, 2);

	scene_keep(PEER->qp);
	PEER->qp = scene_queue_pair(PEER, cq, cq);
	spi_pair_connect(&scene);
	for (unsigned int i = 0; i < 10; i++) {
		scene_receive(OWNER, 1, 0, 8);
		ASSERT_HR(scene_send_post(PEER, 2, 0, 8, 0), ND_SUCCESS);
		ASSERT_HR(spi_pair_expect(cq, Nd2RequestTypeSend, CONTEXT(2)), ND_SUCCESS);
		ASSERT_HR(
			spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	}
}

Test(spi_nd_deepest, nd_090_deepest_completion_queue)
{
	void *out;

	scene_release(scene_cq(PEER, info.MaxCompletionQueueDepth));
	ASSERT_HR(IND2Adapter_CreateCompletionQueue(PEER->adapter, &IID_IND2CompletionQueue,
			  PEER->file, info.MaxCompletionQueueDepth + 1, 0, 0, &out),
		ND_INVALID_PARAMETER_3);
}

/* Messages with fewer than InlineRequestThreshold bytes can be sent inline. */
Test(spi_nd_create, nd_091_inline_up_to_the_threshold)
{
	const struct limits limits = {8, 8, 1, 1, info.InlineRequestThreshold};
	uint8_t bytes[1024] = {0};

	scene_keep(PEER->qp);
	ASSERT_HR(create(PEER->cq, PEER->cq, &limits, &PEER->qp), ND_SUCCESS);
	spi_pair_connect(&scene);
	cr_assert_lt(info.InlineRequestThreshold, sizeof(bytes));
	for (ULONG length = 0; length < info.InlineRequestThreshold; length++) {
		ND2_SGE sge = {bytes, length, 0};

		scene_receive(OWNER, 1, 0, 1024);
		ASSERT_HR(IND2QueuePair_Send(PEER->qp, CONTEXT(2), &sge, 1, ND_OP_FLAG_INLINE),
			ND_SUCCESS);
		cr_assert_eq(spi_pair_result(OWNER->cq).BytesTransferred, length);
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_SUCCESS);
	}
}

/*
 * In each state of a connection, one Release of a connector returns 0, because the library holds no
 * reference.
 */
Test(spi_nd_create, nd_092_connector_has_no_hidden_references)
{
	static OVERLAPPED connect, accept, notify;

	/*
	 * First release a bound connector. Then release both connectors while a request waits for
	 * its answer.
	 */
	scene_release(scene_connector(PEER));
	spi_pair_request(&scene, &connect);
	scene_release(PEER->connector);
	scene_release(OWNER->connector);
	/* Next release both connectors while Accept is pending and Connect has completed. */
	scene_keep(PEER->qp);
	scene_keep(OWNER->qp);
	PEER->qp = spi_pair_queue_pair(&scene, 0, 8);
	OWNER->qp = spi_pair_queue_pair(&scene, 1, 8);
	memset(&connect, 0, sizeof(connect));
	spi_pair_request(&scene, &connect);
	ASSERT_HR(IND2Connector_Accept(
			  OWNER->connector, (IUnknown *)OWNER->qp, 1, 1, NULL, 0, &accept),
		ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	scene_release(OWNER->connector);
	scene_release(PEER->connector);
	/* Finally release connected connectors, one of them with a pending NotifyDisconnect. */
	scene_second(NULL);
	ASSERT_HR(IND2Connector_NotifyDisconnect(PEER->connector, &notify), ND_PENDING);
	scene_release(PEER->connector);
	scene_release(OWNER->connector);
}

/** Take all results. Fail unless all are cancelled. @return number of results */
static unsigned int
take_cancelled(IND2CompletionQueue *cq, unsigned int wanted)
{
	unsigned int count = 0;

	while (count < wanted) {
		ASSERT_HR(spi_pair_result(cq).Status, ND_CANCELED);
		count++;
	}
	spi_pair_quiet(cq);
	return count;
}

/** Post four receives, a Read that the peer does not answer, and four writes. */
static void
post_both_directions(void)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_hold();
	for (unsigned int i = 0; i < 4; i++) {
		scene_receive(PEER, i, 0, 8);
		ASSERT_HR(scene_read_post(i, 0, 8, token, 0), ND_SUCCESS);
	}
}

Test(spi_nd_flush, nd_122_flush_cancels_both_directions)
{
	post_both_directions();
	ASSERT_HR(IND2QueuePair_Flush(PEER->qp), ND_SUCCESS);
	take_cancelled(PEER->cq, 8);
	scene_let_go();
}

Test(spi_nd_flush, nd_123_flush_leaves_others_alone)
{
	struct spi_side first[2];

	scene_receive(PEER, 1, 0, 8);
	scene_second(first);
	scene_receive(PEER, 2, 0, 8);
	ASSERT_HR(IND2QueuePair_Flush(PEER->qp), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(2)), ND_CANCELED);
	scene_swap(first);
	ASSERT_HR(scene_send_post(OWNER, 3, 0, 8, 0), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
}

/*
 * A flush of a queue pair that was never connected cancels its two Receives and completes a Notify.
 */
Test(spi_nd_create, nd_124_flush_before_the_connection)
{
	OVERLAPPED notify = {0};
	ND2_RESULT results[2];

	scene_receive(PEER, 1, 0, 0);
	scene_receive(PEER, 2, 0, 0);
	ASSERT_HR(IND2CompletionQueue_Notify(PEER->cq, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_not(scene_notified(PEER->cq, &notify, FALSE));
	ASSERT_HR(IND2QueuePair_Flush(PEER->qp), ND_SUCCESS);
	cr_assert(scene_notified(PEER->cq, &notify, TRUE));
	cr_assert_eq(IND2CompletionQueue_GetResults(PEER->cq, results, 2), 2);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_HR(results[i].Status, ND_CANCELED);
		cr_assert_eq(results[i].RequestContext, CONTEXT(1 + i));
	}
}

Test(spi_nd_create, nd_125_flushed_queue_pair_stays_out_of_service)
{
	OVERLAPPED connect = {0};
	HRESULT status;

	ASSERT_HR(IND2QueuePair_Flush(PEER->qp), ND_SUCCESS);
	ASSERT_HR(scene_send_post(PEER, 1, 0, 8, 0), ND_CONNECTION_INVALID);
	status = IND2QueuePair_Receive(PEER->qp, CONTEXT(2), NULL, 0);
	if (status == ND_SUCCESS)
		status = spi_pair_result(PEER->cq).Status;
	cr_assert(status == ND_CANCELED || status == ND_CONNECTION_INVALID, "%#x",
		(unsigned int)status);
	spi_pair_listen(&scene);
	PEER->connector = scene_connector(PEER);
	cr_assert(FAILED(spi_pair_finish(PEER->connector,
		IND2Connector_Connect(PEER->connector, (IUnknown *)PEER->qp,
			(struct sockaddr *)&scene.listening, sizeof(struct sockaddr_in), 1, 1, NULL,
			0, &connect),
		&connect)));
}

Test(spi_nd_flush, nd_126_drained_queue_shows_the_end_of_a_flush)
{
	post_both_directions();
	ASSERT_HR(IND2QueuePair_Flush(PEER->qp), ND_SUCCESS);
	cr_assert_eq(take_cancelled(PEER->cq, 8), 8);
	ASSERT_HR(scene_read_post(1, 0, 8, 0, 0), ND_CONNECTION_INVALID);
	scene_let_go();
}
