/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test cancelled operations, the release of objects during an operation, and calls in the wrong
 * state.
 */

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include "nd/connector.h"
#include "support/nd_pair.h"

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(cancel, .init = setup, .fini = teardown);

static nd_status
connect_start(struct nd_overlapped *overlapped)
{
	struct sockaddr_storage address;
	socklen_t length = nd_pair_address(&pair, &address);

	return nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, overlapped);
}

static void
connector_make(unsigned int side)
{
	cr_assert_eq(
		nd_adapter_create_connector(pair.side[side].adapter, &pair.side[side].connector),
		ND_SUCCESS);
}

/** Send a connection request from side 0 to side 1. The connect remains pending. */
static void
request_arrive(struct nd_overlapped *connect)
{
	struct nd_overlapped request = {0};

	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	connector_make(1);
	cr_assert_eq(connect_start(connect), ND_PENDING);
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_listener_get_connection_request(
				     pair.listener, pair.side[1].connector, &request),
			     &request),
		ND_SUCCESS);
}

Test(cancel, connector_of_a_cancelled_request_is_free_again)
{
	struct nd_overlapped *request = calloc(1, sizeof(*request)), again = {0};

	nd_pair_listen(&pair);
	connector_make(1);
	cr_assert_eq(
		nd_listener_get_connection_request(pair.listener, pair.side[1].connector, request),
		ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(request), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(request, NULL, false), ND_CANCELED);
	free(request);
	cr_assert_eq(
		nd_listener_get_connection_request(pair.listener, pair.side[1].connector, &again),
		ND_PENDING);
	cr_assert_eq(nd_connector_release(pair.side[1].connector), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&again, NULL, false), ND_CANCELED);
}

Test(cancel, nd175_connect_cancelled_alone_is_abandoned)
{
	struct nd_overlapped connect = {0}, again = {0};
	struct sockaddr_storage address;
	size_t length = sizeof(address);

	request_arrive(&connect);
	cr_assert_eq(nd_overlapped_cancel(&connect), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&connect, NULL, false), ND_CANCELED);
	cr_assert_eq(nd_connector_get_local_address(
			     pair.side[0].connector, (struct sockaddr *)&address, &length),
		ND_CONNECTION_INVALID);
	cr_assert_eq(connect_start(&again), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&again), ND_SUCCESS);
}

Test(cancel, nothing_pending_leaves_a_request_to_be_accepted)
{
	static struct nd_overlapped connect;
	struct nd_overlapped accept = {0};

	request_arrive(&connect);
	cr_assert_eq(nd_connector_cancel_overlapped_requests(pair.side[1].connector), ND_SUCCESS);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(nd_connector_accept(
			     pair.side[1].connector, pair.side[1].endpoint, NULL, 0, &accept),
		ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&accept), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&accept, NULL, false), ND_CANCELED);
}

Test(cancel, connector_given_to_a_listener_cannot_connect)
{
	struct nd_overlapped request = {0}, connect = {0};

	nd_pair_listen(&pair);
	cr_assert_eq(nd_adapter_listen(pair.side[0].adapter, 0, 6, 0, &(uint16_t){0},
			     &(struct nd_listener *){NULL}),
		ND_SUCCESS);
	connector_make(1);
	cr_assert_eq(
		nd_listener_get_connection_request(pair.listener, pair.side[1].connector, &request),
		ND_PENDING);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(nd_connector_connect(pair.side[1].connector, pair.side[1].endpoint,
			     (struct sockaddr *)&(struct sockaddr_in){.sin_family = AF_INET,
				     .sin_port = htons(1),
				     .sin_addr.s_addr = htonl(0xC0000201)},
			     sizeof(struct sockaddr_in), 6, 0, NULL, 0, &connect),
		ND_CONNECTION_ACTIVE);
	cr_assert_eq(nd_overlapped_cancel(&request), ND_SUCCESS);
}

Test(cancel, refused_second_connect_keeps_the_peer_address)
{
	struct sockaddr_in other = {
		.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0xC0000209)};
	struct sockaddr_in peer;
	struct nd_overlapped connect = {0};
	size_t length = sizeof(peer);

	nd_pair_connect(&pair);
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&other, sizeof(other), 6, 0, NULL, 0, &connect),
		ND_CONNECTION_ACTIVE);
	cr_assert_eq(nd_connector_get_peer_address(
			     pair.side[0].connector, (struct sockaddr *)&peer, &length),
		ND_SUCCESS);
	cr_assert_eq(ntohl(peer.sin_addr.s_addr), 0xC0000202, "%08x", ntohl(peer.sin_addr.s_addr));
	cr_assert_eq(peer.sin_port, pair.listen_port);
}

Test(cancel, connection_data_end_with_accept_and_complete)
{
	struct nd_overlapped connect = {0}, accept = {0};
	nd_status accepting;

	request_arrive(&connect);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[1].connector, NULL, NULL, NULL, NULL),
		ND_SUCCESS);
	nd_pair_endpoint(&pair, 1);
	accepting = nd_connector_accept(
		pair.side[1].connector, pair.side[1].endpoint, NULL, 0, &accept);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[1].connector, NULL, NULL, NULL, NULL),
		ND_CONNECTION_INVALID);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[0].connector, NULL, NULL, NULL, NULL),
		ND_SUCCESS);
	cr_assert_eq(nd_connector_complete_connect(pair.side[0].connector, NULL), ND_SUCCESS);
	cr_assert_eq(
		nd_connector_get_connection_data(pair.side[0].connector, NULL, NULL, NULL, NULL),
		ND_CONNECTION_INVALID);
	cr_assert_eq(nd_pair_finish(&pair, accepting, &accept), ND_SUCCESS);
}

Test(cancel, flushed_endpoint_cannot_complete_its_connect)
{
	struct nd_overlapped connect = {0};
	static struct nd_overlapped accept;

	request_arrive(&connect);
	nd_pair_endpoint(&pair, 1);
	cr_assert_eq(nd_connector_accept(
			     pair.side[1].connector, pair.side[1].endpoint, NULL, 0, &accept),
		ND_PENDING);
	cr_assert_eq(nd_endpoint_flush(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_SUCCESS);
	cr_assert_eq(
		nd_connector_complete_connect(pair.side[0].connector, NULL), ND_CONNECTION_INVALID);
	cr_assert_eq(nd_connector_reject(pair.side[0].connector, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &accept), ND_CONNECTION_REFUSED);
}

/* ND-195: the release of an endpoint disconnects it and notifies the peer. */
Test(cancel, released_endpoint_cancels_its_own_notification)
{
	struct nd_overlapped notify[2] = {0};

	nd_pair_connect(&pair);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_connector_notify_disconnect(pair.side[i].connector, &notify[i]),
			ND_PENDING);
	cr_assert_eq(nd_endpoint_release(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify[1]), ND_SUCCESS);
}

/* ND-136: after a notification was cancelled, the next result completes the next notification. */
Test(cancel, notification_cancelled_leaves_the_next_result_to_wake)
{
	struct nd_overlapped notify = {0};
	struct nd_result received, sent;

	for (unsigned int single = 0; single < 2; single++) {
		if (single == 0)
			nd_pair_connect(&pair);
		notify = (struct nd_overlapped){0};
		cr_assert_eq(
			nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
		cr_assert_eq(
			nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
		cr_assert_eq(single ? nd_overlapped_cancel(&notify)
				    : nd_cq_cancel_overlapped_requests(pair.side[1].inbound),
			ND_SUCCESS);
		cr_assert_eq(
			nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
		notify = (struct nd_overlapped){0};
		cr_assert_eq(
			nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	}
}

Test(cancel, released_window_takes_its_result_out_of_the_queue)
{
	struct nd_result *invalidated = calloc(1, sizeof(*invalidated)), received, sent, bound;
	struct nd_side *owner = &pair.side[1];
	struct nd_mw_descriptor descriptor;
	struct nd_mw *mw;

	nd_pair_connect(&pair);
	cr_assert_eq(nd_adapter_create_memory_window(owner->adapter, invalidated, &mw), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(owner->endpoint, &bound, owner->mr, mw, owner->memory, 64,
			     ND_OP_FLAG_ALLOW_READ, &descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, owner->outbound, &bound), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_receive(owner->endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send_and_invalidate(
			     pair.side[0].endpoint, &sent, NULL, 0, &descriptor, 0),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	/*
	 * Both results are in the queue. After the release, the library no longer writes to the
	 * window's result, so the application may free it.
	 */
	cr_assert_eq(nd_mw_release(owner->adapter, mw), ND_SUCCESS);
	free(invalidated);
	cr_assert_eq(nd_pair_result(&pair, owner->inbound, &received), ND_SUCCESS);
	nd_pair_quiet(&pair, owner->inbound);
}

/*
 * An overlapped structure that is pending is refused by every call. Without this check, the list of
 * pending operations became circular, and a cancel never returned.
 */
Test(cancel, pending_structure_is_refused_by_every_call)
{
	struct nd_overlapped pending = {0};
	struct sockaddr_storage address;
	socklen_t length;
	struct nd_mr *mr;
	size_t count;

	nd_pair_connect(&pair);
	length = nd_pair_address(&pair, &address);
	cr_assert_eq(nd_cq_notify(pair.side[0].inbound, ND_CQ_NOTIFY_ANY, &pending), ND_PENDING);
	ASSERT_ND(nd_cq_notify(pair.side[0].inbound, ND_CQ_NOTIFY_ANY, &pending),
		ND_INVALID_PARAMETER);
	ASSERT_REFUSED(nd_connector_notify_disconnect(pair.side[0].connector, &pending),
		ND_INVALID_PARAMETER_1,
		"nd_connector_notify_disconnect: parameter 1, overlapped is NULL or used by a "
		"pending operation");
	ASSERT_ND(
		nd_connector_disconnect(pair.side[0].connector, &pending), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			  (struct sockaddr *)&address, length, 6, 0, NULL, 0, &pending),
		ND_INVALID_PARAMETER_8);
	ASSERT_ND(nd_connector_accept(
			  pair.side[1].connector, pair.side[1].endpoint, NULL, 0, &pending),
		ND_INVALID_PARAMETER_4);
	ASSERT_ND(
		nd_listener_get_connection_request(pair.listener, pair.side[1].connector, &pending),
		ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_mr_invalidate_windows(pair.side[0].adapter, pair.side[0].mr, &pending, &count),
		ND_INVALID_PARAMETER);
	cr_assert_eq(nd_adapter_register_memory(
			     pair.side[0].adapter, &address, sizeof(address), NULL, &mr),
		ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(pair.side[0].adapter, mr, &pending),
		ND_INVALID_PARAMETER);
	/*
	 * The refused calls changed nothing. The notification is still pending, and the memory is
	 * still registered.
	 */
	cr_assert_eq(nd_overlapped_get_result(&pending, NULL, false), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&pending), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&pending, NULL, false), ND_CANCELED);
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, mr, &pending), ND_SUCCESS);
}

/** @return status of nd_endpoint_create() on a connector after its first endpoint was released */
static nd_status
endpoint_again(struct nd_connector *connector, const struct nd_side *side)
{
	struct nd_endpoint *endpoint;

	return nd_connector_create_endpoint(
		connector, side->inbound, side->outbound, 1, 1, 1, 1, 1, 1, NULL, &endpoint);
}

Test(cancel, connection_that_is_over_takes_no_endpoint)
{
	static struct nd_overlapped connect;
	struct nd_overlapped disconnect = {0};
	struct nd_connector *refused;

	request_arrive(&connect);
	refused = pair.side[1].connector;
	cr_assert_eq(nd_connector_reject(refused, NULL, 0), ND_SUCCESS);
	cr_assert_eq(endpoint_again(refused, &pair.side[1]), ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	cr_assert_eq(nd_endpoint_release(pair.side[0].endpoint), ND_SUCCESS);

	/*
	 * The call puts side 0 into the state disconnecting and then disconnected. Side 1 loses its
	 * connection.
	 */
	nd_pair_connect(&pair);
	cr_assert_eq(nd_connector_disconnect(pair.side[0].connector, &disconnect), ND_PENDING);
	cr_assert_eq(nd_endpoint_release(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(endpoint_again(pair.side[0].connector, &pair.side[0]), ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &disconnect), ND_SUCCESS);
	cr_assert_eq(endpoint_again(pair.side[0].connector, &pair.side[0]), ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_endpoint_release(pair.side[1].endpoint), ND_SUCCESS);
	cr_assert_eq(endpoint_again(pair.side[1].connector, &pair.side[1]), ND_CONNECTION_ABORTED);
}

/*
 * If the queue pair fails while the connection is being accepted, the accept ends as well. The test
 * makes the queue pair fail, because today the peer's first packet always establishes the
 * connection.
 */
Test(cancel, queue_pair_that_fails_while_accepting_ends_the_accept)
{
	static struct nd_overlapped connect;
	struct nd_overlapped accept = {0};
	struct nd_connector *connector;

	request_arrive(&connect);
	nd_pair_endpoint(&pair, 1);
	connector = pair.side[1].connector;
	cr_assert_eq(nd_connector_accept(connector, pair.side[1].endpoint, NULL, 0, &accept),
		ND_PENDING);
	connector_qp_failed(connector);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &accept), ND_CONNECTION_ABORTED);
	cr_assert_eq(nd_connector_accept(connector, pair.side[1].endpoint, NULL, 0, &accept),
		ND_CONNECTION_ABORTED);
	nd_pair_finish(&pair, ND_PENDING, &connect);
	nd_pair_quiet(&pair, pair.side[0].inbound);
	cr_assert_eq(
		nd_connector_complete_connect(pair.side[0].connector, NULL), ND_CONNECTION_ABORTED);
}

Test(cancel, every_counter_has_a_name_of_its_own)
{
	struct nd_counter counters[256];
	size_t count = nd_adapter_counters(pair.side[0].adapter, counters, 256);

	cr_assert_leq(count, 256);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++)
			cr_assert_str_neq(counters[i].name, counters[j].name);
	}
	nd_pair_counter(&pair, 0, "cm_drop_backlog");
	nd_pair_counter(&pair, 0, "cm_drop_invalid");
	nd_pair_counter(&pair, 0, "neigh_conflicts");
	nd_pair_counter(&pair, 0, "neigh_drop_echo");
}

/**
 * Fail unless nd_adapter_open() refuses this configuration with this status. The port does not
 * exist, because the configuration is checked before the port.
 */
static void
open_refused(const struct nd_adapter_config *config, nd_status expected)
{
	struct nd_adapter *adapter;
	nd_status status = nd_adapter_open(config, &adapter);

	cr_assert_eq(status, expected, "%s: %s", nd_status_name(status), nd_adapter_open_error());
	cr_assert_str_not_empty(nd_adapter_open_error());
}

Test(cancel, adapter_with_a_wrong_gateway_or_no_neighbours_is_refused)
{
	struct nd_adapter_config config = {.port_id = 31};
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000205)};
	struct sockaddr_in multicast = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xE0000001)};

	memcpy(&config.address, &own, sizeof(own));
	open_refused(&config, ND_DEVICE_NOT_READY);
	config.neighbour_count = 1;
	open_refused(&config, ND_INVALID_PARAMETER);
	config.neighbour_count = 0;
	memcpy(&config.gateway, &multicast, sizeof(multicast));
	open_refused(&config, ND_INVALID_ADDRESS);
	config.gateway.ss_family = AF_UNIX;
	open_refused(&config, ND_INVALID_ADDRESS);
}

/*
 * A path MTU is refused if the configured port cannot receive packets of this size. Without this
 * check, every full packet would be lost, and no error would be reported.
 */
Test(cancel, path_mtu_beyond_a_configured_port_is_refused)
{
	struct nd_adapter_config config = {.port_configured = true, .path_mtu = 2048};
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201)};
	struct nd_adapter *adapter;

	memcpy(&config.address, &own, sizeof(own));
	nd_adapter_close(pair.side[0].adapter);
	pair.side[0].adapter = NULL;
	config.port_id = pair.ports[0];
	cr_assert_eq(rte_eth_dev_configure(
			     config.port_id, 1, 1, &(struct rte_eth_conf){.rxmode.mtu = 1500}),
		0);
	cr_assert_eq(rte_eth_rx_queue_setup(config.port_id, 0, 64, 0, NULL,
			     rte_pktmbuf_pool_create("configured", 64, 0, 0, 2048, 0)),
		0);
	cr_assert_eq(rte_eth_tx_queue_setup(config.port_id, 0, 64, 0, NULL), 0);
	cr_assert_eq(rte_eth_dev_start(config.port_id), 0);
	open_refused(&config, ND_INVALID_PARAMETER);
	cr_assert_not_null(strstr(nd_adapter_open_error(), "MTU"));
	config.path_mtu = 1024;
	cr_assert_eq(nd_adapter_open(&config, &adapter), ND_SUCCESS, "%s", nd_adapter_open_error());
	nd_adapter_close(adapter);
}

static bool entropy_limited;
/* return value of the replaced getrandom(): number of bytes, or -1 for an error */
static ssize_t entropy_bytes;

/* This function replaces getrandom() of libc. */
ssize_t
getrandom(void *buffer, size_t length, unsigned int flags)
{
	if (!entropy_limited)
		return syscall(SYS_getrandom, buffer, length, flags);
	memset(buffer, 0, length);
	return entropy_bytes;
}

/*
 * SEC-008: without entropy, the adapter is not opened, because an attacker could guess the random
 * numbers.
 */
Test(cancel, adapter_without_entropy_is_refused_sec008)
{
	struct nd_adapter_config config = {.port_id = pair.ports[0]};
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201)};
	struct nd_adapter *adapter;

	memcpy(&config.address, &own, sizeof(own));
	nd_adapter_close(pair.side[0].adapter);
	pair.side[0].adapter = NULL;
	entropy_limited = true;
	for (entropy_bytes = -1; entropy_bytes < BASE_RANDOM_SEED_BYTES; entropy_bytes++) {
		open_refused(&config, ND_DEVICE_NOT_READY);
		cr_assert_not_null(strstr(nd_adapter_open_error(), "random"));
	}
	entropy_limited = false;
	cr_assert_eq(nd_adapter_open(&config, &adapter), ND_SUCCESS, "%s", nd_adapter_open_error());
	nd_adapter_close(adapter);
}
