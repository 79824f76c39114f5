/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND E): endpoints and their creation.
 */

#include <string.h>

#include <rte_common.h>
#include <rte_eal.h>

#include "dial.h"
#include "support/engines.h"

TestSuite(nd_endpoint, .init = scene_open, .fini = scene_close);
/* Open with more EAL memory than other tests, because the largest queue needs this memory. */
static void
open_large(void)
{
	static char text[][24] = {"test", "--no-huge", "--no-shconf", "--no-pci", "-m", "384",
		"--no-telemetry", "-l", "0", "--log-level=lib.eal:3"};
	char *args[RTE_DIM(text)];

	for (unsigned int i = 0; i < RTE_DIM(text); i++)
		args[i] = text[i];
	cr_assert_geq(rte_eal_init(RTE_DIM(args), args), 0);
	scene_open();
}

TestSuite(nd_endpoint_large, .init = open_large, .fini = scene_close);
TestSuite(nd_endpoint_connected, .init = scene_connected, .fini = scene_close);

/** Arguments of nd_connector_create_endpoint(), in the same order. */
struct creation {
	struct nd_connector *connector;
	struct nd_cq *inbound;
	struct nd_cq *outbound;
	/* The numbers are three pairs (inbound, outbound) of entries, SGEs and read limits. */
	size_t numbers[6];
};

/** @return valid arguments to create an endpoint, with a new connector of the owner */
static struct creation
usual(void)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct creation creation = {NULL, owner->inbound, owner->outbound, {8, 8, 1, 1, 1, 1}};

	ASSERT_ND(nd_adapter_create_connector(owner->adapter, &creation.connector), ND_SUCCESS);
	return creation;
}

static nd_status
create(const struct creation *creation, struct nd_endpoint **endpoint)
{
	const size_t *n = creation->numbers;

	return nd_connector_create_endpoint(creation->connector, creation->inbound,
		creation->outbound, n[0], n[1], n[2], n[3], n[4], n[5], NULL, endpoint);
}

/** Fail unless the call returns this status, sets no endpoint, and leaves the connector usable. */
static void
expect_refused(const struct creation *creation, nd_status expected)
{
	struct nd_endpoint *endpoint = (struct nd_endpoint *)(void *)&scene;
	struct creation good = usual();

	ASSERT_ND(create(creation, &endpoint), expected);
	cr_assert_eq((void *)endpoint, (void *)&scene, "set by a call that failed");
	good.connector = creation->connector;
	ASSERT_ND(create(&good, &endpoint), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_release(endpoint), ND_SUCCESS);
}

/** Fail unless numbers[which] is accepted at the limit and refused above the limit. */
static void
expect_limit(unsigned int which, size_t limit, nd_status expected)
{
	const size_t above[] = {limit + 1, (size_t)UINT32_MAX + 2, SIZE_MAX};
	struct creation creation = usual();
	struct nd_endpoint *endpoint;

	for (unsigned int i = 0; i < RTE_DIM(above); i++) {
		creation.numbers[which] = above[i];
		expect_refused(&creation, expected);
	}
	creation.numbers[which] = limit;
	ASSERT_ND(create(&creation, &endpoint), ND_SUCCESS);
}

Test(nd_endpoint, nd_069_inbound_queue_that_is_not_valid)
{
	struct creation creation = usual();

	creation.inbound = NULL;
	expect_refused(&creation, ND_INVALID_PARAMETER_1);
	creation.inbound = scene.side[PEER].inbound;
	expect_refused(&creation, ND_INVALID_PARAMETER_1);
	/* If both queues are invalid, the status refers to the inbound queue. */
	creation.outbound = NULL;
	expect_refused(&creation, ND_INVALID_PARAMETER_1);
}

Test(nd_endpoint, nd_070_outbound_queue_that_is_not_valid)
{
	struct creation creation = usual();

	creation.outbound = NULL;
	expect_refused(&creation, ND_INVALID_PARAMETER_2);
	creation.outbound = scene.side[PEER].outbound;
	expect_refused(&creation, ND_INVALID_PARAMETER_2);
}

Test(nd_endpoint, nd_071_inbound_entries_above_the_limit)
{
	expect_limit(0, scene_limits().max_inbound_requests, ND_INVALID_PARAMETER_3);
}

Test(nd_endpoint, nd_072_outbound_entries_above_the_limit)
{
	expect_limit(1, scene_limits().max_outbound_requests, ND_INVALID_PARAMETER_4);
}

Test(nd_endpoint, nd_073_inbound_list_above_the_limit)
{
	expect_limit(2, scene_limits().max_inbound_sge, ND_INVALID_PARAMETER_5);
}

Test(nd_endpoint, nd_074_outbound_list_above_the_limit)
{
	expect_limit(3, scene_limits().max_outbound_sge, ND_INVALID_PARAMETER_6);
}

Test(nd_endpoint, nd_075_inbound_reads_above_the_limit)
{
	expect_limit(4, scene_limits().max_inbound_read_limit, ND_INVALID_PARAMETER_7);
}

Test(nd_endpoint, nd_076_outbound_reads_above_the_limit)
{
	expect_limit(5, scene_limits().max_outbound_read_limit, ND_INVALID_PARAMETER_8);
}

/*
 * If no endpoint is left, the call returns ND_INSUFFICIENT_RESOURCES. After the release of an
 * endpoint, one can be created again.
 */
Test(nd_endpoint, nd_077_endpoints_run_out)
{
	struct nd_endpoint *endpoint = NULL, *last = NULL;
	struct creation creation;
	nd_status status;

	for (unsigned int i = 0;; i++) {
		creation = usual();
		status = create(&creation, &endpoint);
		if (status != ND_SUCCESS)
			break;
		last = endpoint;
		cr_assert_lt(i, 64, "more endpoints than the adapter was opened for");
	}
	ASSERT_ND(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_eq(endpoint, last, "set by a call that failed");
	ASSERT_ND(nd_endpoint_release(last), ND_SUCCESS);
	/*
	 * The released queue pair number is not reused while packets of its connection may be in
	 * flight.
	 */
	for (unsigned int i = 0; i < 1000 && status != ND_SUCCESS; i++) {
		nd_pair_poll(&scene);
		status = create(&creation, &endpoint);
	}
	ASSERT_ND(status, ND_SUCCESS);
}

Test(nd_endpoint, nd_078_no_endpoint_on_a_removed_device)
{
	struct creation creation = usual();
	struct nd_endpoint *endpoint = (struct nd_endpoint *)(void *)&scene;

	scene_unplug(OWNER);
	ASSERT_ND(create(&creation, &endpoint), ND_DEVICE_REMOVED);
	cr_assert_eq((void *)endpoint, (void *)&scene);
	ASSERT_ND(nd_connector_release(creation.connector), ND_SUCCESS);
}

/* Read limits of 0 are accepted in each direction. Messages can be sent without read limits. */
Test(nd_endpoint, nd_079_read_limits_of_zero)
{
	struct nd_overlapped connect = {0};
	struct creation creation = usual();
	struct nd_endpoint *endpoint;

	for (unsigned int which = 4; which < 6; which++) {
		creation.numbers[4] = which == 4 ? 0 : 1;
		creation.numbers[5] = which == 5 ? 0 : 1;
		ASSERT_ND(create(&creation, &endpoint), ND_SUCCESS);
		ASSERT_ND(nd_endpoint_release(endpoint), ND_SUCCESS);
	}
	scene.config.reads = 0;
	dial_request(NULL, 0, &connect);
	dial_finish(&connect);
	scene_expect_alive();
}

/*
 * The call stores the limit of inline data, in bytes, in *max_inline_data. The pointer may be NULL.
 */
Test(nd_endpoint, nd_080_inline_limit_is_told)
{
	struct creation c = usual();
	struct nd_endpoint *endpoint;
	size_t inline_bytes = 12345;

	ASSERT_ND(nd_connector_create_endpoint(
			  c.connector, c.inbound, NULL, 1, 1, 1, 1, 0, 0, &inline_bytes, &endpoint),
		ND_INVALID_PARAMETER_2);
	cr_assert_eq(inline_bytes, 12345, "set by a call that failed");
	ASSERT_ND(nd_connector_create_endpoint(c.connector, c.inbound, c.outbound, 1, 1, 1, 1, 0, 0,
			  &inline_bytes, &endpoint),
		ND_SUCCESS);
	cr_assert_eq(inline_bytes, scene_limits().max_inline_data);
	cr_assert_gt(inline_bytes, 0);
	ASSERT_ND(nd_endpoint_release(endpoint), ND_SUCCESS);
	ASSERT_ND(create(&c, &endpoint), ND_SUCCESS);
}

Test(nd_endpoint, nd_081_one_queue_for_both_directions)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_cq *outbound = owner->outbound;
	struct nd_result received, sent;

	owner->outbound = owner->inbound;
	nd_pair_connect(&scene);
	scene_receive(OWNER, &received);
	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	scene_receive(PEER, &received);
	scene_send(OWNER, &sent);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &sent), ND_SUCCESS);
	nd_pair_quiet(&scene, outbound);
}

Test(nd_endpoint, nd_082_all_maxima_together)
{
	const struct nd_adapter_info max = scene_limits();
	struct creation creation = usual();
	struct nd_endpoint *endpoint;

	memcpy(creation.numbers,
		(size_t[]){max.max_inbound_requests, max.max_outbound_requests, max.max_inbound_sge,
			max.max_outbound_sge, max.max_inbound_read_limit,
			max.max_outbound_read_limit},
		sizeof(creation.numbers));
	ASSERT_ND(create(&creation, &endpoint), ND_SUCCESS);
}

/*
 * Results of receives are only in the inbound queue, results of all other requests only in the
 * outbound queue.
 */
Test(nd_endpoint_connected, nd_083_each_result_comes_through_its_queue)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_sge sge = {owner->memory + 8192, 64, owner->mr};
	struct nd_result results[6], received[2], invalidated[2], sent, *got[6];
	struct nd_mw_descriptor source, own;
	struct nd_mw *mw = scene_window(OWNER, &invalidated[0]);

	nd_pair_bind(&scene, PEER, 0, 64, READ_WRITE, &source);
	for (unsigned int i = 0; i < 2; i++)
		scene_receive(PEER, &received[i]);
	ASSERT_ND(scene_bind_post(&results[0], mw, 0, 64, READ_WRITE, &own), ND_SUCCESS);
	ASSERT_ND(
		nd_endpoint_read(owner->endpoint, &results[1], &sge, 1, &source, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_write(owner->endpoint, &results[2], &sge, 1, &source, 0, 0),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &results[3], NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_invalidate(owner->endpoint, &results[4], mw, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send_and_invalidate(
			  owner->endpoint, &results[5], NULL, 0, &source, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	nd_pair_take(&scene, owner->outbound, got, 6);
	for (unsigned int i = 0; i < 6; i++)
		cr_assert_eq(
			got[i]->status, ND_SUCCESS, "%u: %s", i, nd_status_name(got[i]->status));
	cr_assert_eq(nd_cq_get_results(owner->inbound, got, 1), 0, "in the inbound queue");
	/* The inbound queue has the results of the invalidated window and of two receives. */
	nd_pair_take(&scene, peer->inbound, got, 3);
	cr_assert_eq(nd_cq_get_results(peer->outbound, got, 1), 0, "in the outbound queue");
	scene_receive(OWNER, &received[0]);
	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received[0]), ND_SUCCESS);
	nd_pair_quiet(&scene, owner->outbound);
}

Test(nd_endpoint, nd_084_connector_has_one_endpoint)
{
	struct nd_endpoint *first, *second = (struct nd_endpoint *)(void *)&scene;
	struct creation creation = usual();

	ASSERT_ND(create(&creation, &first), ND_SUCCESS);
	ASSERT_ND(create(&creation, &second), ND_NOT_SUPPORTED);
	cr_assert_eq((void *)second, (void *)&scene);
	ASSERT_ND(nd_endpoint_release(first), ND_SUCCESS);
	ASSERT_ND(create(&creation, &second), ND_SUCCESS);
}

Test(nd_endpoint, nd_085_endpoint_of_another_connector_is_refused)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	struct nd_endpoint *own, *other;
	struct nd_overlapped connect = {0}, accept = {0};
	struct creation creation = usual();

	nd_pair_listen(&scene);
	nd_pair_endpoint(&scene, PEER);
	own = peer->endpoint;
	peer->connector = NULL;
	nd_pair_endpoint(&scene, PEER);
	peer->endpoint = own;
	ASSERT_ND(dial_start(NULL, 0, &connect), ND_INVALID_PARAMETER_1);
	peer->endpoint = NULL;
	ASSERT_ND(dial_start(NULL, 0, &connect), ND_INVALID_PARAMETER_1);
	peer->connector = NULL;
	ASSERT_ND(create(&creation, &other), ND_SUCCESS);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_accept(owner->connector, other, NULL, 0, &accept),
		ND_INVALID_PARAMETER_1);
	dial_finish(&connect);
}

Test(nd_endpoint, nd_087_receive_queue_one_deeper_than_the_limit)
{
	struct creation creation = usual();

	creation.numbers[0] = scene_limits().max_inbound_requests + 1;
	expect_refused(&creation, ND_INVALID_PARAMETER_3);
}

/** Create a completion queue of a side, on the engine that the side's endpoints use. */
static struct nd_cq *
queue(unsigned int side, size_t entries)
{
	struct nd_cq *cq = NULL;

	ASSERT_ND(nd_engine_create_completion_queue(
			  test_home(scene.side[side].adapter), entries, &cq),
		ND_SUCCESS);
	return cq;
}

Test(nd_endpoint, nd_088_maxima_with_a_queue_of_two)
{
	const struct nd_adapter_info max = scene_limits();
	struct creation creation = usual();
	struct nd_endpoint *endpoint;

	creation.inbound = creation.outbound = queue(OWNER, 2);
	creation.numbers[1] = max.max_outbound_requests;
	creation.numbers[2] = max.max_inbound_sge;
	creation.numbers[3] = max.max_outbound_sge;
	ASSERT_ND(create(&creation, &endpoint), ND_SUCCESS);
}

/*
 * A completion queue of two entries serves an endpoint with 64 requests if the application takes
 * the results in time.
 */
Test(nd_endpoint, nd_089_queue_shallower_than_its_endpoint)
{
	struct nd_result received, sent;

	scene.side[OWNER].inbound = scene.side[OWNER].outbound = queue(OWNER, 2);
	nd_pair_connect(&scene);
	for (unsigned int i = 0; i < 64; i++) {
		scene_receive(OWNER, &received);
		scene_send(PEER, &sent);
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	}
}

Test(nd_endpoint_large, nd_090_deepest_queue)
{
	size_t entries = scene_limits().max_cq_entries;
	struct nd_cq *cq = queue(OWNER, entries);

	ASSERT_ND(nd_cq_release(cq), ND_SUCCESS);
	ASSERT_ND(nd_engine_create_completion_queue(
			  test_home(scene.side[OWNER].adapter), entries + 1, &cq),
		ND_INVALID_PARAMETER);
}

Test(nd_endpoint_connected, nd_091_inline_data_up_to_the_limit)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	size_t limit = scene_limits().max_inline_data;
	uint8_t bytes[1024];
	struct nd_result received, sent;

	cr_assert_lt(limit, sizeof(bytes));
	nd_pair_pattern(bytes, limit, 91);
	for (size_t length = 1; length <= limit; length += 17) {
		struct nd_sge from = {bytes, length, NULL}, to = {owner->memory, limit, owner->mr};

		if (length + 17 > limit)
			from.length = limit;
		ASSERT_ND(nd_endpoint_receive(owner->endpoint, &received, &to, 1), ND_SUCCESS);
		ASSERT_ND(nd_endpoint_send(peer->endpoint, &sent, &from, 1, 0), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, peer->outbound, &sent), ND_SUCCESS);
		cr_assert_eq(received.bytes_transferred, from.length);
		cr_assert_arr_eq(owner->memory, bytes, from.length);
	}
}

/*
 * Even during a connection attempt, only the application holds a reference to the connector. One
 * release frees the connector, and then its completion queues can be released.
 */
Test(nd_endpoint, nd_092_half_open_connector_is_released)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	struct nd_overlapped connect = {0}, accept = {0};

	dial_request(NULL, 0, &connect);
	ASSERT_ND(dial_accept(NULL, 0, &accept), ND_PENDING);
	ASSERT_ND(nd_endpoint_release(peer->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(peer->connector), ND_SUCCESS);
	ASSERT_ND(nd_overlapped_get_result(&connect, NULL, false), ND_CANCELED);
	ASSERT_ND(nd_endpoint_release(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(owner->connector), ND_SUCCESS);
	ASSERT_ND(nd_overlapped_get_result(&accept, NULL, false), ND_CANCELED);
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_ND(nd_cq_release(scene.side[i].inbound), ND_SUCCESS);
		ASSERT_ND(nd_cq_release(scene.side[i].outbound), ND_SUCCESS);
	}
}
