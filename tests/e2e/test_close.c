/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the close of an adapter while operations of every kind are pending. The callbacks of the
 * operations run before the objects of the adapter are freed, and may make any call except close.
 * The sanitized build and the perturbed malloc of meson test detect memory errors.
 */

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_mempool.h>

#include "support/eal.h"
#include "support/engines.h"
#include "support/nd_pair.h"

#define CYCLES 200

/** Operations that are pending on side 0 when it is closed, one of each kind. */
enum pending {
	PENDING_NOTIFY_CQ,
	PENDING_NOTIFY_DISCONNECT,
	PENDING_CONNECT,
	PENDING_ACCEPT,
	PENDING_DISCONNECT,
	PENDING_REQUEST,
	PENDING_COUNT,
};

/** Roles of the connectors of side 0. The role determines the operation that is pending. */
enum role {
	ROLE_CONNECTED,
	ROLE_CONNECTING,
	ROLE_ACCEPTING,
	ROLE_DISCONNECTING,
	ROLE_WAITING,
	ROLE_COUNT,
};

static struct scene {
	struct nd_pair pair;
	struct nd_connector *connectors[ROLE_COUNT];
	struct nd_endpoint *endpoints[ROLE_COUNT];
	struct nd_listener *listener;
	struct nd_cq *spare; /* queue that no endpoint uses */
	struct nd_mw *window;
	struct nd_overlapped operations[PENDING_COUNT];
	unsigned int told[PENDING_COUNT];
	void (*action)(void);
} scene;

static void
told(struct nd_overlapped *overlapped, void *arg)
{
	unsigned int *count = arg;

	cr_assert_eq(nd_overlapped_get_result(overlapped, NULL, false), ND_CANCELED);
	(*count)++;
	scene.action();
}

static void
endpoint_make(enum role role)
{
	struct nd_side *side = &scene.pair.side[0];

	if (scene.connectors[role] == NULL)
		cr_assert_eq(nd_adapter_create_connector(side->adapter, &scene.connectors[role]),
			ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(scene.connectors[role], side->inbound,
			     side->outbound, 8, 8, 1, 1, 1, 1, NULL, &scene.endpoints[role]),
		ND_SUCCESS);
}

static nd_status
connect_start(enum role role, struct nd_overlapped *overlapped)
{
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&scene.pair, &address);

	return nd_connector_connect(scene.connectors[role], scene.endpoints[role],
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, overlapped);
}

static void
disconnecting_make(void)
{
	struct nd_overlapped connect = {0}, request = {0}, accept = {0};
	struct nd_side *peer = &scene.pair.side[1];
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	nd_status asked, connecting, accepting;

	endpoint_make(ROLE_DISCONNECTING);
	cr_assert_eq(nd_adapter_create_connector(peer->adapter, &connector), ND_SUCCESS);
	asked = nd_listener_get_connection_request(scene.pair.listener, connector, &request);
	connecting = connect_start(ROLE_DISCONNECTING, &connect);
	cr_assert_eq(nd_pair_finish(&scene.pair, asked, &request), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(connector, peer->inbound, peer->outbound, 8, 8, 1,
			     1, 1, 1, NULL, &endpoint),
		ND_SUCCESS);
	accepting = nd_connector_accept(connector, endpoint, NULL, 0, &accept);
	cr_assert_eq(nd_pair_finish(&scene.pair, connecting, &connect), ND_SUCCESS);
	cr_assert_eq(nd_connector_complete_connect(scene.connectors[ROLE_DISCONNECTING], NULL),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&scene.pair, accepting, &accept), ND_SUCCESS);
}

/** Send a request from side 1 to side 0, which side 0 will accept. */
static void
accepting_make(void)
{
	static struct nd_overlapped connect;
	struct nd_overlapped request = {0};
	struct nd_side *peer = &scene.pair.side[1];
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201)};
	nd_status asked;

	cr_assert_eq(nd_adapter_listen(scene.pair.side[0].adapter, 0, 6, 0, &address.sin_port,
			     &scene.listener),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(
			     scene.pair.side[0].adapter, &scene.connectors[ROLE_ACCEPTING]),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(
		scene.listener, scene.connectors[ROLE_ACCEPTING], &request);
	cr_assert_eq(nd_adapter_create_connector(peer->adapter, &connector), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(connector, peer->inbound, peer->outbound, 8, 8, 1,
			     1, 1, 1, NULL, &endpoint),
		ND_SUCCESS);
	cr_assert_eq(nd_connector_connect(connector, endpoint, (struct sockaddr *)&address,
			     sizeof(address), 6, 0, NULL, 0, &connect),
		ND_PENDING);
	cr_assert_eq(nd_pair_finish(&scene.pair, asked, &request), ND_SUCCESS);
	endpoint_make(ROLE_ACCEPTING);
}

static struct nd_overlapped *
operation(enum pending pending)
{
	struct nd_overlapped *overlapped = &scene.operations[pending];

	*overlapped =
		(struct nd_overlapped){.callback = told, .callback_arg = &scene.told[pending]};
	return overlapped;
}

static void
operations_begin(void)
{
	cr_assert_eq(nd_cq_notify(scene.spare, ND_CQ_NOTIFY_ANY, operation(PENDING_NOTIFY_CQ)),
		ND_PENDING);
	cr_assert_eq(nd_connector_notify_disconnect(scene.connectors[ROLE_CONNECTED],
			     operation(PENDING_NOTIFY_DISCONNECT)),
		ND_PENDING);
	cr_assert_eq(connect_start(ROLE_CONNECTING, operation(PENDING_CONNECT)), ND_PENDING);
	cr_assert_eq(nd_connector_accept(scene.connectors[ROLE_ACCEPTING],
			     scene.endpoints[ROLE_ACCEPTING], NULL, 0, operation(PENDING_ACCEPT)),
		ND_PENDING);
	cr_assert_eq(nd_connector_disconnect(
			     scene.connectors[ROLE_DISCONNECTING], operation(PENDING_DISCONNECT)),
		ND_PENDING);
	cr_assert_eq(nd_listener_get_connection_request(scene.listener,
			     scene.connectors[ROLE_WAITING], operation(PENDING_REQUEST)),
		ND_PENDING);
}

static void
close_with(void (*action)(void))
{
	static struct nd_result invalidated;
	struct nd_side *side = &scene.pair.side[0];

	scene.action = action;
	nd_pair_open(&scene.pair, &(struct nd_pair_config){0});
	nd_pair_connect(&scene.pair);
	scene.connectors[ROLE_CONNECTED] = side->connector;
	scene.endpoints[ROLE_CONNECTED] = side->endpoint;
	cr_assert_eq(nd_engine_create_completion_queue(test_home(side->adapter), 8, &scene.spare),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidated, &scene.window),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_connector(side->adapter, &scene.connectors[ROLE_WAITING]),
		ND_SUCCESS);
	disconnecting_make();
	accepting_make();
	endpoint_make(ROLE_CONNECTING);
	operations_begin();
	nd_adapter_close(side->adapter);
	side->adapter = NULL;
	for (unsigned int i = 0; i < PENDING_COUNT; i++)
		cr_assert_eq(scene.told[i], 1, "operation %u was told %u times", i, scene.told[i]);
	nd_pair_close(&scene.pair);
}

static void
nothing(void)
{
}

Test(close, every_operation_ends_with_canceled)
{
	close_with(nothing);
}

static void
release_all(void)
{
	struct nd_side *side = &scene.pair.side[0];

	for (unsigned int i = 0; i < ROLE_COUNT; i++) {
		if (scene.endpoints[i] != NULL)
			cr_assert_eq(nd_endpoint_release(scene.endpoints[i]), ND_SUCCESS);
		if (scene.connectors[i] != NULL)
			cr_assert_eq(nd_connector_release(scene.connectors[i]), ND_SUCCESS);
		scene.endpoints[i] = NULL;
		scene.connectors[i] = NULL;
	}
	if (scene.listener == NULL)
		return;
	cr_assert_eq(nd_listener_release(scene.listener), ND_SUCCESS);
	scene.listener = NULL;
	cr_assert_eq(nd_cq_release(scene.spare), ND_SUCCESS);
	cr_assert_eq(nd_cq_release(side->inbound), ND_SUCCESS);
	cr_assert_eq(nd_cq_release(side->outbound), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(side->adapter, scene.window), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(side->adapter, side->mr, NULL), ND_SUCCESS);
}

Test(close, callbacks_may_release_everything)
{
	close_with(release_all);
}

/**
 * Release one connector per callback, so that later callbacks run while some objects no longer
 * exist.
 */
static void
release_one(void)
{
	for (unsigned int i = 0; i < ROLE_COUNT; i++) {
		struct nd_connector *connector = scene.connectors[i];

		if (connector == NULL)
			continue;
		if (scene.endpoints[i] != NULL)
			cr_assert_eq(nd_endpoint_release(scene.endpoints[i]), ND_SUCCESS);
		cr_assert_eq(nd_connector_release(connector), ND_SUCCESS);
		scene.endpoints[i] = NULL;
		scene.connectors[i] = NULL;
		return;
	}
}

Test(close, callbacks_may_release_one_after_the_other)
{
	close_with(release_one);
}

static void
listener_release(void)
{
	cr_assert_eq(nd_listener_release(scene.listener), ND_SUCCESS);
	scene.listener = NULL;
	scene.action = nothing;
}

Test(close, callback_may_release_the_listener)
{
	close_with(listener_release);
}

/** Start the operations once more, some of them with the same overlapped structures. */
static void
begin_again(void)
{
	struct nd_overlapped again = {0};

	cr_assert_eq(nd_connector_disconnect(scene.connectors[ROLE_DISCONNECTING], &again),
		ND_CONNECTION_INVALID);
	nd_connector_disconnect(scene.connectors[ROLE_CONNECTED], &again);
	cr_assert_neq(nd_overlapped_get_result(&again, NULL, false), ND_PENDING);
	cr_assert_eq(nd_cq_notify(scene.spare, ND_CQ_NOTIFY_ANY,
			     &scene.operations[PENDING_NOTIFY_CQ]) == ND_PENDING,
		false);
	cr_assert_neq(nd_connector_notify_disconnect(scene.connectors[ROLE_CONNECTED],
			      &scene.operations[PENDING_NOTIFY_DISCONNECT]),
		ND_PENDING);
	cr_assert_neq(connect_start(ROLE_CONNECTING, &again), ND_PENDING);
	cr_assert_neq(nd_connector_accept(scene.connectors[ROLE_ACCEPTING],
			      scene.endpoints[ROLE_ACCEPTING], NULL, 0, &again),
		ND_PENDING);
	cr_assert_neq(nd_listener_get_connection_request(
			      scene.listener, scene.connectors[ROLE_WAITING], &again),
		ND_PENDING);
}

Test(close, callbacks_begin_nothing_new)
{
	close_with(begin_again);
}

static void
make_more(void)
{
	static struct nd_result invalidated;
	struct nd_adapter *adapter = scene.pair.side[0].adapter;
	uint16_t port;

	cr_assert_eq(nd_adapter_create_connector(adapter, &(struct nd_connector *){NULL}),
		ND_DEVICE_REMOVED);
	cr_assert_eq(
		nd_engine_create_completion_queue(test_home(adapter), 8, &(struct nd_cq *){NULL}),
		ND_DEVICE_REMOVED);
	cr_assert_eq(
		nd_adapter_create_memory_window(adapter, &invalidated, &(struct nd_mw *){NULL}),
		ND_DEVICE_REMOVED);
	cr_assert_eq(nd_adapter_listen(adapter, 0, 6, 0, &port, &(struct nd_listener *){NULL}),
		ND_DEVICE_REMOVED);
	cr_assert_eq(nd_adapter_register_memory(
			     adapter, scene.operations, 8, NULL, &(struct nd_mr *){NULL}),
		ND_DEVICE_REMOVED);
	cr_assert_eq(nd_connector_create_endpoint(scene.connectors[ROLE_WAITING],
			     scene.pair.side[0].inbound, scene.pair.side[0].outbound, 8, 8, 1, 1, 1,
			     1, NULL, &(struct nd_endpoint *){NULL}),
		ND_DEVICE_REMOVED);
}

Test(close, callbacks_make_nothing_new)
{
	close_with(make_more);
}

static void
post_everything(void)
{
	static struct nd_result results[4];
	struct nd_side *side = &scene.pair.side[0];
	struct nd_mw_descriptor descriptor;
	struct nd_result *taken[4];

	for (unsigned int i = 0; i < ROLE_COUNT; i++) {
		struct nd_endpoint *endpoint = scene.endpoints[i];

		if (endpoint == NULL)
			continue;
		nd_endpoint_send(endpoint, &results[0], NULL, 0, 0);
		nd_endpoint_receive(endpoint, &results[1], NULL, 0);
		nd_endpoint_bind(endpoint, &results[2], side->mr, scene.window, side->memory, 64,
			ND_OP_FLAG_ALLOW_READ, &descriptor);
		nd_endpoint_invalidate(endpoint, &results[3], scene.window, 0);
	}
	nd_cq_get_results(side->outbound, taken, 4);
	test_poll(side->adapter);
}

Test(close, callbacks_may_post_and_poll)
{
	close_with(post_everything);
}

static void
cancel_everything(void)
{
	for (unsigned int i = 0; i < PENDING_COUNT; i++)
		cr_assert_eq(nd_overlapped_cancel(&scene.operations[i]), ND_SUCCESS);
	for (unsigned int i = 0; i < ROLE_COUNT; i++)
		cr_assert_eq(
			nd_connector_cancel_overlapped_requests(scene.connectors[i]), ND_SUCCESS);
	cr_assert_eq(nd_listener_cancel_overlapped_requests(scene.listener), ND_SUCCESS);
	cr_assert_eq(nd_cq_cancel_overlapped_requests(scene.spare), ND_SUCCESS);
	for (unsigned int i = 0; i < ROLE_COUNT; i++) {
		if (scene.endpoints[i] != NULL)
			cr_assert_eq(nd_endpoint_flush(scene.endpoints[i]), ND_SUCCESS);
	}
}

Test(close, callbacks_may_cancel_and_flush)
{
	close_with(cancel_everything);
}

/* Release functions accept NULL, like free(), so an application need not check. */
Test(close, nothing_can_be_released)
{
	nd_pair_open(&scene.pair, &(struct nd_pair_config){0});
	cr_assert_eq(nd_endpoint_release(NULL), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(NULL), ND_SUCCESS);
	cr_assert_eq(nd_listener_release(NULL), ND_SUCCESS);
	cr_assert_eq(nd_cq_release(NULL), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(scene.pair.side[0].adapter, NULL), ND_SUCCESS);
	nd_adapter_close(NULL);
	nd_pair_close(&scene.pair);
}

/** Open, connect, send and close a pair. The last packets remain in the rings. */
static void
cycle(struct nd_pair *pair, bool first)
{
	struct nd_side *side = &pair->side[0];
	struct nd_result sent[2], received;
	struct nd_sge sge;

	if (!first)
		nd_pair_reopen(pair);
	nd_pair_connect(pair);
	cr_assert_eq(nd_endpoint_receive(pair->side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent[0], NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(pair, pair->side[1].inbound, &received), ND_SUCCESS);
	sge = (struct nd_sge){side->memory, 1024, side->mr};
	cr_assert_eq(nd_endpoint_send(side->endpoint, &sent[1], &sge, 1, 0), ND_SUCCESS);
	nd_pair_close(pair);
}

/*
 * Each close leaves packets in the rings, so the pool of these packets cannot be freed yet. The
 * adapters of the next cycle free the packets. Then the pools must be freed, because EAL's memory
 * has room for a few pools only.
 */
Test(close, cycles_leave_no_pools_behind)
{
	static struct nd_pair pair;

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .mbuf_count = 512});
	for (unsigned int i = 0; i < CYCLES; i++)
		cycle(&pair, i == 0);
}

static unsigned int
mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned int lines = 0;
	int c;

	cr_assert_not_null(file);
	while ((c = fgetc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	return lines;
}

/* The tables of registered memory are separate mappings. A close must unmap them as well. */
Test(close, cycles_leave_no_memory_index_behind)
{
	const struct nd_pair_config config = {.path_mtu = 1024, .mbuf_count = 512};
	static struct nd_pair pair;
	unsigned int before;

	nd_pair_open(&pair, &config);
	for (unsigned int i = 0; i < 10; i++)
		cycle(&pair, i == 0);
	before = mappings();
	for (unsigned int i = 0; i < 50; i++)
		cycle(&pair, false);
	cr_assert_lt(mappings(), before + 20, "%u mappings, then %u", before, mappings());
}

static void
count_pool(struct rte_mempool *pool, void *count)
{
	(void)pool;
	++*(unsigned int *)count;
}

static unsigned int
pools(void)
{
	unsigned int count = 0;

	rte_mempool_walk(count_pool, &count);
	return count;
}

/*
 * The driver keeps receive buffers until its port is opened again, so one pool remains after a
 * close. No other pool may remain.
 */
Test(close, pool_that_a_closed_tap_keeps_is_freed_when_it_is_opened_again)
{
	struct nd_adapter_config config = {.mbuf_count = 2048, .path_mtu = 1024};
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201)};
	struct nd_adapter *adapter;
	unsigned int first = 0;

	if (!test_tap_add(&config.port_id))
		cr_skip_test("net_tap cannot be used: no driver, or no right to make a device");
	memcpy(&config.address, &own, sizeof(own));
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(nd_adapter_open(&config, &adapter), ND_SUCCESS, "%s",
			nd_adapter_open_error());
		/*
		 * The driver creates a pool as well, so compare with the number after the first
		 * cycle.
		 */
		if (i == 0)
			first = pools();
		cr_assert_eq(pools(), first, "%u pools, then %u", first, pools());
		nd_adapter_close(adapter);
	}
}
