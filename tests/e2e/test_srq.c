/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Shared receive queues through the public API: several connections whose receives are in one. */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include "support/engines.h"
#include "support/nd_pair.h"

#define LINKS   3u
#define ENTRIES 16u
#define SLOT    2048u /* memory of a receive of side 1, at its number */
#define CLIENT  0
#define SERVER  1

/** One connection; index 0 is the end of side 0. */
struct link {
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
};

static struct nd_pair pair;
static struct nd_srq *srq;
static struct link links[LINKS];
static struct nd_result received[ENTRIES], sent[ENTRIES];

static void
end_make(unsigned int link, unsigned int side)
{
	struct nd_connector **connector = &links[link].connectors[side];
	struct nd_endpoint **endpoint = &links[link].endpoints[side];
	struct nd_side *on = &pair.side[side];

	if (*connector == NULL)
		cr_assert_eq(nd_adapter_create_connector(on->adapter, connector), ND_SUCCESS);
	if (side == SERVER)
		cr_assert_eq(nd_connector_create_endpoint_with_srq(*connector, on->inbound,
				     on->outbound, srq, 16, 4, 4, 4, NULL, endpoint),
			ND_SUCCESS);
	else
		cr_assert_eq(nd_connector_create_endpoint(*connector, on->inbound, on->outbound, 16,
				     16, 4, 4, 4, 4, NULL, endpoint),
			ND_SUCCESS);
	nd_endpoint_set_context(*endpoint, &links[link]);
}

static void
link_connect(unsigned int number)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	struct link *link = &links[number];
	struct sockaddr_storage address;
	nd_status asked, connecting, accepting;
	socklen_t length = nd_pair_address(&pair, &address);

	end_make(number, CLIENT);
	cr_assert_eq(
		nd_adapter_create_connector(pair.side[SERVER].adapter, &link->connectors[SERVER]),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(
		pair.listener, link->connectors[SERVER], &request);
	connecting = nd_connector_connect(link->connectors[CLIENT], link->endpoints[CLIENT],
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect);
	cr_assert_eq(nd_pair_finish(&pair, asked, &request), ND_SUCCESS);
	end_make(number, SERVER);
	accepting = nd_connector_accept(
		link->connectors[SERVER], link->endpoints[SERVER], NULL, 0, &accept);
	cr_assert_eq(nd_pair_finish(&pair, connecting, &connect), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_complete_connect(link->connectors[CLIENT], &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, accepting, &accept), ND_SUCCESS);
}

/* On the engine where the pair's completion queues are. */
static nd_status
srq_make(size_t entries, size_t low, struct nd_srq **out)
{
	return nd_adapter_create_srq(
		pair.side[SERVER].adapter, test_engines() - 1, entries, 4, low, out);
}

static void
setup_low(size_t low)
{
	memset(links, 0, sizeof(links));
	/* So few retries that a connection with receives of its own would not survive a test. */
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .rnr_retry_count = 1});
	cr_assert_eq(srq_make(ENTRIES, low, &srq), ND_SUCCESS);
	nd_pair_listen(&pair);
	for (unsigned int i = 0; i < LINKS; i++)
		link_connect(i);
}

static void
setup(void)
{
	setup_low(0);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(srq, .init = setup, .fini = teardown);
TestSuite(srq_notify, .fini = teardown);

static struct nd_sge
sge_of(unsigned int side, size_t offset, size_t length)
{
	return (struct nd_sge){pair.side[side].memory + offset, length, pair.side[side].mr};
}

static nd_status
post(unsigned int number)
{
	struct nd_sge sge = sge_of(SERVER, number * SLOT, SLOT);

	return nd_srq_receive(srq, &received[number], &sge, 1);
}

static void
post_all(unsigned int from, unsigned int count)
{
	for (unsigned int i = from; i < from + count; i++)
		cr_assert_eq(post(i), ND_SUCCESS);
}

static size_t
posted(void)
{
	struct nd_srq_info info;

	cr_assert_eq(nd_srq_query(srq, &info), ND_SUCCESS);
	return info.posted;
}

/* Start a message of a link; its bytes are the link's own. */
static void
send_start(unsigned int link, unsigned int number, size_t bytes)
{
	struct nd_sge sge = sge_of(CLIENT, link * 16384, bytes);

	nd_pair_pattern(pair.side[CLIENT].memory + link * 16384, bytes, link);
	cr_assert_eq(nd_endpoint_send(links[link].endpoints[CLIENT], &sent[number], &sge, 1, 0),
		ND_SUCCESS);
}

static void
expect(unsigned int number, unsigned int link, size_t bytes)
{
	cr_assert_eq(received[number].bytes_transferred, bytes);
	cr_assert_eq(received[number].endpoint_context, &links[link]);
	cr_assert_arr_eq(pair.side[SERVER].memory + number * SLOT,
		pair.side[CLIENT].memory + link * 16384, bytes);
}

/* One message, from its post to both results. */
static void
send_one(unsigned int link, unsigned int number, size_t bytes)
{
	send_start(link, number, bytes);
	cr_assert_eq(
		nd_pair_result(&pair, pair.side[SERVER].inbound, &received[number]), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[CLIENT].outbound, &sent[number]), ND_SUCCESS);
	cr_assert_eq(sent[number].endpoint_context, &links[link]);
	expect(number, link, bytes);
}

/* ---- who takes what ---- */

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
			(unsigned int)((struct link *)results[i]->endpoint_context - links);

		cr_assert_lt(link, LINKS);
		cr_assert_eq(of[link]++, 0);
		cr_assert_eq(results[i]->status, ND_SUCCESS);
		expect((unsigned int)(results[i] - received), link, 2000);
	}
	nd_pair_take(&pair, pair.side[CLIENT].outbound, results, LINKS);
}

/* Immediate data takes one as well, of a send and of a write. */
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

/* ND-056: the window's result, then that of the receive which brought the invalidation. */
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
	/* Another connection's window is not its to invalidate: this one ends, the others go on. */
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

/* However long it stays so: it is longer than the adapter's own retries last (rnr_retry_count). */
Test(srq, empty_queue_ends_no_connection)
{
	for (unsigned int i = 0; i < LINKS; i++)
		send_start(i, i, 50);
	while (nd_pair_counter(&pair, CLIENT, "rx_rnr_naks") < 20 * LINKS)
		nd_pair_poll(&pair);
	for (unsigned int i = 0; i < LINKS; i++) {
		struct nd_result *result;
		struct link *link;

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

/* ---- ends ---- */

/* A flush of one gives back nothing that it has not taken: the others use it. */
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

/* A message that is too long ends the connection of its endpoint with the receive it took. */
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

/* ND-141: an inbound queue that overruns kills its endpoints, and no others of the shared queue. */
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
	link_connect(0);
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
	/* What is posted is dropped: no result comes. */
	cr_assert_eq(nd_srq_release(srq), ND_SUCCESS);
	cr_assert_eq(nd_srq_release(NULL), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
}

/* ---- arguments ---- */

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
	cr_assert_eq(MAKE(0, 0, 1, 0, &made), ND_INVALID_PARAMETER_2);
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
	cr_assert_eq(MAKE(in, out, srq, 1, 17, 0, 0), ND_INVALID_PARAMETER_5);
	cr_assert_eq(MAKE(in, out, srq, 1, 1, 129, 0), ND_INVALID_PARAMETER_6);
	cr_assert_eq(MAKE(in, out, srq, 1, 1, 0, 129), ND_INVALID_PARAMETER_7);
#undef MAKE
	cr_assert_eq(nd_connector_create_endpoint_with_srq(
			     connector, in, out, srq, 1, 1, 0, 0, NULL, NULL),
		ND_INVALID_PARAMETER_9);
	/* Of another adapter; of another engine, where there are some. */
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
	cr_assert_eq(nd_srq_receive(srq, &received[0], NULL, 1), ND_INVALID_PARAMETER_2);
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

/* B-067 */
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

/* ---- contexts ---- */

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

/* Of requests that are flushed, too; and of an endpoint that has none it is NULL. */
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

/* ---- notifications ---- */

static struct nd_overlapped notes[3];
static unsigned int told, order[8];

static void
on_note(struct nd_overlapped *note, void *arg)
{
	(void)arg;
	order[told++] = (unsigned int)(note - notes);
}

static nd_status
notify(unsigned int number)
{
	notes[number] = (struct nd_overlapped){.callback = on_note};
	return nd_srq_notify(srq, &notes[number]);
}

static nd_status
status_of(unsigned int number)
{
	return nd_overlapped_get_result(&notes[number], NULL, false);
}

/* RC-162: all that are pending together, each once. */
Test(srq_notify, once_per_arming_all_together_rc162)
{
	setup_low(3);
	told = 0;
	post_all(0, 5);
	cr_assert_eq(notify(0), ND_PENDING);
	cr_assert_eq(notify(1), ND_PENDING);
	cr_assert_eq(nd_srq_notify(srq, &notes[0]), ND_INVALID_PARAMETER, "it is pending");
	cr_assert_eq(nd_srq_notify(srq, NULL), ND_INVALID_PARAMETER);
	send_one(0, 0, 1);
	send_one(1, 1, 1);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(told, 0, "three are left");
	send_one(2, 2, 1);
	cr_assert_eq(told, 2);
	cr_assert_eq(status_of(0), ND_SUCCESS);
	cr_assert_eq(status_of(1), ND_SUCCESS);
	cr_assert(order[0] == 0 && order[1] == 1);
	send_one(0, 3, 1);
	cr_assert_eq(told, 2);
	/* It has fallen further since: the next one is answered at once, and nothing is told. */
	cr_assert_eq(notify(2), ND_SUCCESS);
	cr_assert_eq(told, 2);
	post_all(5, 4);
	cr_assert_eq(notify(2), ND_PENDING);
	send_one(0, 4, 1);
	send_one(0, 5, 1);
	cr_assert_eq(told, 2);
	send_one(0, 6, 1);
	cr_assert_eq(told, 3);
}

/* A queue that was never filled is reported by its first message, not before. */
Test(srq_notify, new_queue_has_not_fallen)
{
	setup_low(3);
	told = 0;
	cr_assert_eq(notify(0), ND_PENDING);
	post_all(0, 1);
	nd_pair_quiet(&pair, pair.side[SERVER].inbound);
	cr_assert_eq(told, 0);
	send_one(1, 0, 1);
	cr_assert_eq(told, 1);
}

Test(srq_notify, message_that_finds_no_receive_is_told)
{
	setup_low(1);
	told = 0;
	cr_assert_eq(notify(0), ND_PENDING);
	send_start(0, 0, 1);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notes[0]), ND_SUCCESS);
	cr_assert_eq(told, 1);
	post_all(0, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[SERVER].inbound, &received[0]), ND_SUCCESS);
}

Test(srq_notify, raised_watermark_is_told_at_once)
{
	setup_low(0);
	told = 0;
	post_all(0, 4);
	cr_assert_eq(notify(0), ND_PENDING);
	cr_assert_eq(nd_srq_modify(srq, 0, 4), ND_SUCCESS);
	cr_assert_eq(told, 0);
	cr_assert_eq(nd_srq_modify(srq, 3, 9), ND_BUFFER_OVERFLOW);
	cr_assert_eq(told, 0, "nothing has changed");
	cr_assert_eq(nd_srq_modify(srq, 0, 5), ND_SUCCESS);
	cr_assert_eq(told, 1);
	cr_assert_eq(status_of(0), ND_SUCCESS);
}

Test(srq_notify, cancelled_in_their_order)
{
	setup_low(2);
	told = 0;
	post_all(0, 2);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(notify(i), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&notes[1]), ND_SUCCESS);
	cr_assert_eq(status_of(1), ND_CANCELED);
	cr_assert_eq(nd_srq_cancel_overlapped_requests(srq), ND_SUCCESS);
	cr_assert_eq(told, 3);
	cr_assert(order[0] == 1 && order[1] == 0 && order[2] == 2);
	cr_assert_eq(status_of(2), ND_CANCELED);
	/* It falls unnoticed; who asks then is told at once. */
	send_one(0, 0, 1);
	cr_assert_eq(told, 3);
	cr_assert_eq(notify(0), ND_SUCCESS);
}

static void
on_release(struct nd_overlapped *note, void *arg)
{
	cr_assert_eq(nd_overlapped_get_result(note, NULL, false), ND_CANCELED);
	told++;
	(void)arg;
}

/* Pending when the queue is released, and when the adapter is closed. */
Test(srq_notify, released_and_closed)
{
	struct nd_srq *other;

	setup_low(0);
	told = 0;
	cr_assert_eq(srq_make(4, 1, &other), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		notes[i] = (struct nd_overlapped){.callback = on_release};
		cr_assert_eq(nd_srq_notify(i == 0 ? other : srq, &notes[i]), ND_PENDING);
	}
	cr_assert_eq(nd_srq_release(other), ND_SUCCESS);
	cr_assert_eq(told, 1);
	post_all(0, 3);
	nd_adapter_close(pair.side[SERVER].adapter);
	cr_assert_eq(told, 2);
	pair.side[SERVER].adapter = NULL;
}

/* A callback may post, and ask again. */
static void
on_low(struct nd_overlapped *note, void *arg)
{
	unsigned int *next = arg;

	if (nd_overlapped_get_result(note, NULL, false) == ND_CANCELED)
		return; /* the adapter is closed */
	told++;
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(post((*next)++ % ENTRIES), ND_SUCCESS);
	cr_assert_eq(nd_srq_notify(srq, note), ND_PENDING);
}

Test(srq_notify, callback_refills_b066)
{
	unsigned int next = 4;

	setup_low(3);
	told = 0;
	post_all(0, 4);
	notes[0] = (struct nd_overlapped){.callback = on_low, .callback_arg = &next};
	cr_assert_eq(nd_srq_notify(srq, &notes[0]), ND_PENDING);
	for (unsigned int i = 0; i < 3 * ENTRIES; i++)
		send_one(i % LINKS, i % ENTRIES, 1 + i);
	cr_assert_gt(told, ENTRIES);
	cr_assert_eq(nd_pair_counter(&pair, CLIENT, "rx_rnr_naks"), 0);
}
