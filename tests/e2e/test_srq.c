/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test shared receive queues through the public API. Several connections share one queue. */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <ndpdk/nd_extension.h>
#include <ndpdk/nd_srq.h>

#include "nd/connector.h"
#include "srq_links.h"
#include "support/engines.h"
#include "support/refusal.h"

static void
setup(void)
{
	links_setup(0);
}

TestSuite(srq, .init = setup, .fini = links_teardown);

/* ---- which receive a message takes ---- */

Test(srq, receives_are_taken_in_posting_order)
{
	static const unsigned int order[] = {2, 0, 0, 1, 2, 1, 1, 0};

	post_all(0, RTE_DIM(order));
	for (unsigned int i = 0; i < RTE_DIM(order); i++)
		send_one(order[i], i, i == 3 ? 0 : 100 + i);
	cr_assert_eq(posted(), 0);
}

Test(srq, long_messages_at_the_same_time)
{
	unsigned int of[LINKS] = {0};
	struct nd_result *results[LINKS];

	post_all(0, LINKS);
	for (unsigned int i = 0; i < LINKS; i++)
		send_start(i, i, 2000);
	nd_pair_take(&pair, pair.side[SERVER].inbound, results, LINKS);
	for (unsigned int i = 0; i < LINKS; i++) {
		unsigned int link =
			(unsigned int)((struct srq_link *)results[i]->endpoint_context - links);

		cr_assert_lt(link, LINKS);
		cr_assert_eq(of[link]++, 0);
		cr_assert_eq(results[i]->status, ND_SUCCESS);
		expect((unsigned int)(results[i] - received), link, 2000);
	}
	nd_pair_take(&pair, pair.side[CLIENT].outbound, results, LINKS);
}

Test(srq, immediate_data_takes_one)
{
	struct nd_mw_descriptor window;
	struct nd_sge from = sge_of(CLIENT, 0, 64);
	struct nd_result written, bound, invalidated;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(pair.side[SERVER].adapter, &invalidated, &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(links[0].endpoints[SERVER], &bound, pair.side[SERVER].mr, mw,
			     pair.side[SERVER].memory + 32768, 64, ND_OP_FLAG_ALLOW_WRITE, &window),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].outbound, &bound), ND_SUCCESS);
	cr_assert_eq(bound.endpoint_context, &links[0]);
	post_all(0, 2);
	cr_assert_eq(nd_endpoint_write_with_imm(links[0].endpoints[CLIENT], &written, &from, 1,
			     &window, 0, rte_cpu_to_be_32(7), 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[0]), ND_SUCCESS);
	cr_assert_eq(received[0].flags, ND_RESULT_WITH_IMM | ND_RESULT_WRITE);
	cr_assert_eq(received[0].imm_data, rte_cpu_to_be_32(7));
	cr_assert_eq(received[0].endpoint_context, &links[0]);
	cr_assert_eq(nd_endpoint_send_with_imm(links[1].endpoints[CLIENT], &sent[1], &from, 1,
			     rte_cpu_to_be_32(8), 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[1]), ND_SUCCESS);
	cr_assert_eq(received[1].flags, ND_RESULT_WITH_IMM);
	cr_assert_eq(received[1].endpoint_context, &links[1]);
	cr_assert_eq(posted(), 0);
}

/*
 * ND-056: the window's result precedes the result of the receive that the invalidating message
 * took.
 */
Test(srq, invalidation_comes_before_its_receive)
{
	struct nd_result invalidated = {ND_PENDING, 1, 1, 1, NULL}, bound, *results[2];
	struct nd_mw_descriptor window;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(pair.side[SERVER].adapter, &invalidated, &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(links[1].endpoints[SERVER], &bound, pair.side[SERVER].mr, mw,
			     pair.side[SERVER].memory + 32768, 64, ND_OP_FLAG_ALLOW_READ, &window),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].outbound, &bound), ND_SUCCESS);
	post_all(0, 2);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     links[1].endpoints[CLIENT], &sent[0], NULL, 0, &window, 0),
		ND_SUCCESS);
	nd_pair_take(&pair, pair.side[SERVER].inbound, results, 2);
	cr_assert_eq(results[0], &invalidated);
	cr_assert_eq(results[0]->endpoint_context, &links[1]);
	cr_assert_eq(results[1], &received[0]);
	cr_assert_eq(results[1]->endpoint_context, &links[1]);
	cr_assert_eq(nd_pair_result(&pair, pair.side[CLIENT].outbound, &sent[0]), ND_SUCCESS);
	/*
	 * A peer tries to invalidate the window of another connection. Only the connection of this
	 * peer ends.
	 */
	cr_assert_eq(nd_endpoint_bind(links[1].endpoints[SERVER], &bound, pair.side[SERVER].mr, mw,
			     pair.side[SERVER].memory + 32768, 64, ND_OP_FLAG_ALLOW_READ, &window),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].outbound, &bound), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     links[0].endpoints[CLIENT], &sent[1], NULL, 0, &window, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[1]),
		ND_INVALIDATION_ERROR);
	cr_assert_eq(received[1].endpoint_context, &links[0]);
	cr_assert_eq(nd_pair_result(&pair, pair.side[CLIENT].outbound, &sent[1]), ND_REMOTE_ERROR);
	post_all(2, 1);
	send_one(2, 2, 33);
}

/* ---- the empty queue ---- */

/*
 * The queue is empty for longer than the adapter's own RNR retries take (rnr_retry_count). No
 * connection ends, because the peers retry without limit.
 */
Test(srq, empty_queue_ends_no_connection)
{
	for (unsigned int i = 0; i < LINKS; i++)
		send_start(i, i, 50);
	while (nd_pair_counter(&pair, CLIENT, "rx_rnr_naks") < 20 * LINKS)
		nd_pair_poll(&pair);
	for (unsigned int i = 0; i < LINKS; i++) {
		struct nd_result *result;
		struct srq_link *link;

		post_all(i, 1);
		nd_pair_take(&pair, pair.side[SERVER].inbound, &result, 1);
		cr_assert_eq(result, &received[i]);
		cr_assert_eq(result->status, ND_SUCCESS);
		link = result->endpoint_context;
		expect(i, (unsigned int)(link - links), 50);
		nd_pair_take(&pair, pair.side[CLIENT].outbound, &result, 1);
		cr_assert_eq(result->status, ND_SUCCESS);
		cr_assert_eq(result->endpoint_context, link);
	}
}

/*
 * REQ and REP of an endpoint with a shared queue have the SRQ bit and an RNR retry count of 7.
 * Without a shared queue, the bit is 0 and the count is the configured one.
 */
Test(srq, peers_are_told)
{
	const struct srq_link *link = &links[0];
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&pair, &address);
	/* Both are static, because they are pending until the adapters are closed. */
	static struct nd_overlapped request, connect;
	struct nd_connector *active, *passive;
	struct nd_endpoint *endpoint;
	struct nd_srq *mine;
	nd_status asked;

	cr_assert(link->connectors[CLIENT]->peer.srq);
	cr_assert_eq(link->connectors[CLIENT]->peer.rnr_retry_count, 7);
	cr_assert_not(link->connectors[SERVER]->peer.srq);
	cr_assert_eq(link->connectors[SERVER]->peer.rnr_retry_count, 1);
	cr_assert_eq(nd_adapter_create_srq(
			     pair.side[CLIENT].adapter, test_engines() - 1, 4, 1, 0, &mine),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(pair.side[CLIENT].adapter, &active), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(pair.side[SERVER].adapter, &passive), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint_with_srq(active, pair.side[CLIENT].inbound,
			     pair.side[CLIENT].outbound, mine, 4, 1, 0, 0, NULL, &endpoint),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(pair.listener, passive, &request);
	cr_assert_eq(nd_connector_connect(active, endpoint, (struct sockaddr *)&address, length, 6,
			     0, NULL, 0, &connect),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair, asked, &request), ND_SUCCESS);
	cr_assert(passive->peer.srq);
	cr_assert_eq(passive->peer.rnr_retry_count, 7);
}

/* ---- ends ---- */

Test(srq, flush_leaves_what_is_posted)
{
	struct nd_overlapped disconnect = {0};

	post_all(0, 3);
	cr_assert_eq(nd_endpoint_flush(links[0].endpoints[SERVER]), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(posted(), 3);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_disconnect(links[1].connectors[SERVER], &disconnect),
			     &disconnect),
		ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(nd_endpoint_release(links[1].endpoints[SERVER]), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(posted(), 3);
	for (unsigned int i = 0; i < 3; i++)
		send_one(2, i, 10);
}

Test(srq, too_long_message_ends_one_connection)
{
	struct nd_end end;

	post_all(0, 2);
	send_start(0, 0, SLOT + 1);
	cr_assert_eq(
		nd_pair_result(&pair, pair.side[SERVER].inbound, &received[0]), ND_BUFFER_OVERFLOW);
	cr_assert_eq(received[0].endpoint_context, &links[0]);
	cr_assert_eq(nd_pair_result(&pair, pair.side[CLIENT].outbound, &sent[0]), ND_REMOTE_ERROR);
	while (nd_connector_get_end_reason(links[0].connectors[SERVER], &end) == ND_SUCCESS &&
		end.reason == ND_END_NONE)
		nd_pair_poll(&pair);
	cr_assert_eq(posted(), 1);
	send_one(1, 1, 10);
}

/* ND-141: if an inbound queue overruns, only the endpoints that use this queue end. */
Test(srq, overrun_of_one_inbound_queue)
{
	struct nd_overlapped notify = {0};
	struct nd_result *result;
	struct nd_cq *small;

	cr_assert_eq(nd_endpoint_release(links[0].endpoints[SERVER]), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(links[0].connectors[SERVER]), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_release(links[0].endpoints[CLIENT]), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(links[0].connectors[CLIENT]), ND_SUCCESS);
	memset(&links[0], 0, sizeof(links[0]));
	cr_assert_eq(
		nd_engine_create_completion_queue(test_home(pair.side[SERVER].adapter), 2, &small),
		ND_SUCCESS);
	RTE_SWAP(small, pair.side[SERVER].inbound);
	srq_link_connect(0);
	RTE_SWAP(small, pair.side[SERVER].inbound);
	cr_assert_eq(nd_cq_notify(small, ND_CQ_NOTIFY_ERRORS, &notify), ND_PENDING);
	post_all(0, 5);
	for (unsigned int i = 0; i < 3; i++)
		send_start(0, i, 20);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_BUFFER_OVERFLOW);
	cr_assert_eq(nd_cq_get_results(small, &result, 1), 1);
	cr_assert_eq(result, &received[0]);
	cr_assert_eq(posted(), 2);
	for (unsigned int i = 0; i < 3; i++)
		nd_pair_take(&pair, pair.side[CLIENT].outbound, &result, 1);
	send_one(1, 3, 10);
	send_one(2, 4, 10);
}

Test(srq, release_while_in_use_is_busy)
{
	post_all(0, 2);
	for (unsigned int i = 0; i < LINKS; i++) {
		cr_assert_eq(nd_srq_release(srq), ND_DEVICE_BUSY);
		cr_assert_eq(nd_endpoint_release(links[i].endpoints[SERVER]), ND_SUCCESS);
	}
	/* The release drops the posted receives without results. */
	cr_assert_eq(nd_srq_release(srq), ND_SUCCESS);
	cr_assert_eq(nd_srq_release(NULL), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
}

Test(srq, arguments_of_creation)
{
	struct nd_adapter *adapter = pair.side[SERVER].adapter;
	const size_t engines = nd_adapter_engine_count(adapter);
	struct nd_adapter_info info;
	size_t bytes = sizeof(info);
	struct nd_srq *made = NULL;

	cr_assert_eq(nd_adapter_query(adapter, ND_VERSION_1, &info, &bytes), ND_SUCCESS);
	cr_assert_gt(info.max_srq_entries, 0);
#define MAKE(...) nd_adapter_create_srq(adapter, __VA_ARGS__)
	cr_assert_eq(MAKE(engines, 1, 1, 0, &made), ND_INVALID_PARAMETER_1);
	ASSERT_REFUSED(MAKE(0, 0, 1, 0, &made), ND_INVALID_PARAMETER_2,
		"nd_adapter_create_srq: parameter 2, entries 0: expected 1 to 32768");
	cr_assert_eq(MAKE(0, info.max_srq_entries + 1, 1, 0, &made), ND_INVALID_PARAMETER_2);
	cr_assert_eq(MAKE(0, SIZE_MAX, 1, 0, &made), ND_INVALID_PARAMETER_2);
	cr_assert_eq(MAKE(0, 1, info.max_inbound_sge + 1, 0, &made), ND_INVALID_PARAMETER_3);
	cr_assert_eq(MAKE(0, 1, 1, 0, NULL), ND_INVALID_PARAMETER_5);
	cr_assert_null(made);
	cr_assert_eq(
		MAKE(0, info.max_srq_entries, info.max_inbound_sge, SIZE_MAX, &made), ND_SUCCESS);
	cr_assert_eq(nd_srq_release(made), ND_SUCCESS);
#undef MAKE
}

Test(srq, arguments_of_an_endpoint)
{
	struct nd_cq *in = pair.side[SERVER].inbound, *out = pair.side[SERVER].outbound;
	struct nd_adapter *adapter = pair.side[SERVER].adapter;
	struct nd_endpoint *made = NULL;
	struct nd_connector *connector;
	struct nd_srq *other = NULL;
	size_t inlined = 1;

	cr_assert_eq(nd_adapter_create_connector(adapter, &connector), ND_SUCCESS);
#define MAKE(...) nd_connector_create_endpoint_with_srq(connector, __VA_ARGS__, &inlined, &made)
	cr_assert_eq(MAKE(NULL, out, srq, 1, 1, 0, 0), ND_INVALID_PARAMETER_1);
	cr_assert_eq(MAKE(pair.side[CLIENT].inbound, out, srq, 1, 1, 0, 0), ND_INVALID_PARAMETER_1);
	cr_assert_eq(MAKE(in, NULL, srq, 1, 1, 0, 0), ND_INVALID_PARAMETER_2);
	cr_assert_eq(MAKE(in, out, NULL, 1, 1, 0, 0), ND_INVALID_PARAMETER_3);
	cr_assert_eq(MAKE(in, out, srq, SIZE_MAX, 1, 0, 0), ND_INVALID_PARAMETER_4);
	ASSERT_REFUSED(MAKE(in, out, srq, 1, 17, 0, 0), ND_INVALID_PARAMETER_5,
		"nd_connector_create_endpoint_with_srq: parameter 5, outbound_sge 17: expected 0 "
		"to 16");
	cr_assert_eq(MAKE(in, out, srq, 1, 1, 129, 0), ND_INVALID_PARAMETER_6);
	cr_assert_eq(MAKE(in, out, srq, 1, 1, 0, 129), ND_INVALID_PARAMETER_7);
#undef MAKE
	cr_assert_eq(nd_connector_create_endpoint_with_srq(
			     connector, in, out, srq, 1, 1, 0, 0, NULL, NULL),
		ND_INVALID_PARAMETER_9);
	/*
	 * A shared queue of another adapter is refused. With several engines, a shared queue on
	 * another engine is also refused.
	 */
	cr_assert_eq(
		nd_adapter_create_srq(pair.side[CLIENT].adapter, 0, 4, 1, 0, &other), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint_with_srq(
			     connector, in, out, other, 1, 1, 0, 0, NULL, &made),
		ND_INVALID_PARAMETER_3);
	cr_assert_eq(nd_srq_release(other), ND_SUCCESS);
	for (unsigned int i = 0; i + 1 < test_engines(); i++) {
		cr_assert_eq(nd_adapter_create_srq(adapter, i, 4, 1, 0, &other), ND_SUCCESS);
		cr_assert_eq(nd_connector_create_endpoint_with_srq(
				     connector, in, out, other, 1, 1, 0, 0, NULL, &made),
			ND_INVALID_PARAMETER_3);
		cr_assert_eq(nd_srq_release(other), ND_SUCCESS);
	}
	cr_assert_null(made);
	cr_assert_eq(inlined, 1);
	cr_assert_eq(nd_connector_create_endpoint_with_srq(
			     connector, in, out, srq, 1, 1, 0, 0, &inlined, &made),
		ND_SUCCESS);
	cr_assert_gt(inlined, 1);
	cr_assert_eq(nd_connector_create_endpoint_with_srq(
			     connector, in, out, srq, 1, 1, 0, 0, &inlined, &made),
		ND_NOT_SUPPORTED);
	cr_assert_eq(nd_endpoint_release(made), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(connector), ND_SUCCESS);
}

Test(srq, arguments_of_a_receive)
{
	struct nd_sge sges[5], big[2];
	struct nd_endpoint_info info;

	for (unsigned int i = 0; i < 5; i++)
		sges[i] = sge_of(SERVER, 0, 8);
	cr_assert_eq(nd_srq_receive(srq, NULL, sges, 1), ND_INVALID_PARAMETER_1);
	ASSERT_REFUSED(nd_srq_receive(srq, &received[0], NULL, 1), ND_INVALID_PARAMETER_2,
		"nd_srq_receive: parameter 2, sgl is NULL, but sge_count is 1");
	cr_assert_eq(nd_srq_receive(srq, &received[0], sges, 5), ND_DATA_OVERRUN);
	cr_assert_eq(nd_srq_receive(srq, &received[0], sges, 17), ND_DATA_OVERRUN);
	big[0] = big[1] =
		(struct nd_sge){pair.side[SERVER].memory, (size_t)1 << 31, pair.side[SERVER].mr};
	cr_assert_eq(nd_srq_receive(srq, &received[0], big, 2), ND_BUFFER_OVERFLOW);
	sges[1].mr = NULL;
	cr_assert_eq(nd_srq_receive(srq, &received[0], sges, 2), ND_ACCESS_VIOLATION);
	cr_assert_eq(nd_srq_receive(srq, &received[0], sges + 1, 1), ND_ACCESS_VIOLATION);
	cr_assert_eq(posted(), 0);
	post_all(0, ENTRIES);
	cr_assert_eq(post(0), ND_NO_MORE_ENTRIES);
	cr_assert_eq(nd_endpoint_receive(links[0].endpoints[SERVER], &received[0], sges, 1),
		ND_NO_MORE_ENTRIES);
	cr_assert_eq(nd_endpoint_query(links[0].endpoints[SERVER], &info), ND_SUCCESS);
	cr_assert_eq(info.inbound_outstanding, 0);
	cr_assert_eq(info.inbound_free, 0);
}

/* B-067: the shared queue is made smaller and larger while receives are posted. */
Test(srq, modify_while_receives_are_posted)
{
	struct nd_srq_info info;

	post_all(0, 6);
	send_one(0, 0, 5);
	cr_assert_eq(nd_srq_modify(srq, 4, 3), ND_BUFFER_OVERFLOW);
	cr_assert_eq(nd_srq_modify(srq, SIZE_MAX, 3), ND_INVALID_PARAMETER_1);
	cr_assert_eq(nd_srq_query(srq, NULL), ND_INVALID_PARAMETER_1);
	cr_assert_eq(nd_srq_query(srq, &info), ND_SUCCESS);
	cr_assert_eq(info.entries, ENTRIES, "unchanged");
	cr_assert_eq(info.low_watermark, 0, "unchanged");
	cr_assert_eq(nd_srq_modify(srq, 5, 3), ND_SUCCESS);
	cr_assert_eq(nd_srq_modify(srq, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_srq_query(srq, &info), ND_SUCCESS);
	cr_assert_eq(info.entries, 5);
	cr_assert_eq(info.low_watermark, 3);
	cr_assert_eq(info.max_sge, 4);
	cr_assert_eq(info.posted, 5);
	cr_assert_eq(info.endpoints, LINKS);
	cr_assert_eq(post(6), ND_NO_MORE_ENTRIES);
	cr_assert_eq(nd_srq_modify(srq, 32, 0), ND_SUCCESS);
	post_all(6, 3);
	for (unsigned int i = 1; i < 9; i++)
		send_one(i % LINKS, i, i);
}

Test(srq, context_is_that_at_completion)
{
	int one, two;

	post_all(0, 2);
	nd_endpoint_set_context(links[0].endpoints[SERVER], &one);
	send_start(0, 0, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[0]), ND_SUCCESS);
	cr_assert_eq(received[0].endpoint_context, &one);
	nd_endpoint_set_context(links[0].endpoints[SERVER], &two);
	send_start(0, 1, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[1]), ND_SUCCESS);
	cr_assert_eq(received[1].endpoint_context, &two);
}

/*
 * The results of flushed requests also have the endpoint context. The member is NULL if the
 * endpoint has no context.
 */
Test(srq, context_of_flushed_requests)
{
	struct nd_result receive = {.endpoint_context = &pair};
	struct nd_result *results[2];

	cr_assert_eq(
		nd_endpoint_receive(links[2].endpoints[CLIENT], &receive, NULL, 0), ND_SUCCESS);
	send_start(2, 0, 8);
	cr_assert_eq(nd_endpoint_flush(links[2].endpoints[CLIENT]), ND_SUCCESS);
	nd_pair_take(&pair, pair.side[CLIENT].inbound, results, 1);
	cr_assert_eq(results[0], &receive);
	cr_assert_eq(receive.status, ND_CANCELED);
	cr_assert_eq(receive.endpoint_context, &links[2]);
	nd_pair_take(&pair, pair.side[CLIENT].outbound, results, 1);
	cr_assert_eq(results[0], &sent[0]);
	cr_assert_eq(sent[0].endpoint_context, &links[2]);
	nd_endpoint_set_context(links[1].endpoints[CLIENT], NULL);
	receive.endpoint_context = &pair;
	cr_assert_eq(
		nd_endpoint_receive(links[1].endpoints[CLIENT], &receive, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_flush(links[1].endpoints[CLIENT]), ND_SUCCESS);
	nd_pair_take(&pair, pair.side[CLIENT].inbound, results, 1);
	cr_assert_null(receive.endpoint_context);
}
