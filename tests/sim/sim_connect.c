/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Set-up and disconnect of the sides' connections. */

#include "sim_world.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/limits.h"
#include "sim_lack.h"
#include "sim_trace.h"
#include "wire/cm_msg.h"

/** IP protocol number of TCP. RDMA programs use the port space of TCP. */
#define PROTOCOL     6
/**
 * Maximum number of attempts to connect. The plan may refuse the first attempt, and address
 * resolution may fail in later attempts.
 */
#define ATTEMPTS_MAX 5
/** Maximum time in ns until an active side connects again after an accident. */
#define RETRY_NS     20000000
/**
 * Maximum time in ns that a side waits for its peer during accidents. The limit is short, because
 * the library may wait up to a minute.
 */
#define PATIENCE_NS  UINT64_C(1500000000)
/** Time in ns during which an adapter does not repeat a failed address resolution. */
#define NEIGHBOUR_NS UINT64_C(1000000000)
/** Maximum time in ns until a passive side answers a connection request. */
#define ANSWER_NS    3000000

static nd_status
connector_make(struct sim_node *node, struct nd_connector **connector)
{
	struct sim_lack lack = sim_lack_begin(node->world, "create_connector", ND_NO_MEMORY);
	nd_status status;

	do
		status = nd_adapter_create_connector(node->adapter, connector);
	while (sim_lack_again(&lack, status));
	return status;
}

static void
listen_one(struct sim_node *node, struct sim_listening *listening)
{
	/*
	 * Create one connector per passive side. A connector may receive the request for any side
	 * of the node.
	 */
	nd_status status = connector_make(node, &listening->connector);

	if (status != ND_SUCCESS)
		sim_fail(node->world, "create_connector: %s", nd_status_name(status));
	status = nd_listener_get_connection_request(
		node->listener, listening->connector, sim_wait_begin(&listening->wait, node));
	sim_wait_returned(&listening->wait, status);
}

void
sim_connect_listen(struct sim_node *node)
{
	struct sim_lack lack = sim_lack_begin(node->world, "listen", ND_INSUFFICIENT_RESOURCES);
	nd_status status;

	do
		status = nd_adapter_listen(
			node->adapter, 0, PROTOCOL, 0, &node->port, &node->listener);
	while (sim_lack_again(&lack, status));
	if (status != ND_SUCCESS)
		sim_fail(node->world, "listen: %s", nd_status_name(status));
	for (uint32_t i = 0; i < node->side_count; i++) {
		if (!node->sides[i]->active)
			sim_connect_expect(node->sides[i]);
	}
}

void
sim_connect_expect(struct sim_side *side)
{
	struct sim_listening *listening = side->node->listening;

	if (side->expecting)
		return;
	while (listening->connector != NULL)
		listening++;
	listen_one(side->node, listening);
	side->expecting = true;
}

/**
 * Compare the received private data with the data that the peer has sent. All later bytes must be
 * 0.
 */
static void
private_check(struct sim_side *side, const uint8_t *bytes, size_t length, size_t least)
{
	if (length < least || memcmp(bytes, side->peer->private_data, SIM_PRIVATE_BYTES) != 0)
		sim_fail(side->world, "%s: private data is wrong (%zu bytes)", side->name, length);
	for (size_t i = SIM_PRIVATE_BYTES; i < length; i++) {
		if (bytes[i] != 0)
			sim_fail(side->world, "%s: private data is not padded with zeroes",
				side->name);
	}
}

/**
 * Check the peer's private data and read limits. Skip the check if the peer has given up the
 * connection.
 */
static void
data_check(struct sim_side *side, size_t least)
{
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	size_t length = sizeof(bytes), inbound, outbound;
	uint32_t in_expected, out_expected;
	nd_status status = nd_connector_get_connection_data(
		side->connector, &inbound, &outbound, bytes, &length);

	if (status == ND_CONNECTION_ABORTED && sim_accident_explains(side))
		return;
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: get_connection_data: %s", side->name,
			nd_status_name(status));
	private_check(side, bytes, length, least);
	/*
	 * A request contains its sender's limits. The answer contains the agreed limits, the
	 * minimum of both sides.
	 */
	in_expected = side->peer->outbound_reads;
	out_expected = side->peer->inbound_reads;
	if (side->active) {
		in_expected = RTE_MIN(in_expected, side->inbound_reads);
		out_expected = RTE_MIN(out_expected, side->outbound_reads);
	}
	if (inbound != in_expected || outbound != out_expected)
		sim_fail(side->world, "%s: read limits %zu %zu, but %u %u were agreed", side->name,
			inbound, outbound, in_expected, out_expected);
}

/**
 * @return true if the peer has answered a request that this side sent before its adapter was
 * restarted
 */
static bool
answer_old(const struct sim_side *side)
{
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	size_t length = sizeof(bytes);

	return sim_accident_ids_known(side->pair) &&
		nd_connector_get_connection_data(side->connector, NULL, NULL, bytes, &length) ==
		ND_SUCCESS &&
		memcmp(bytes, side->peer->private_data, SIM_PRIVATE_BYTES) != 0;
}

static struct sim_side *
side_of_pair(struct sim_node *node, uint32_t pair)
{
	for (uint32_t i = 0; i < node->side_count; i++) {
		if (node->sides[i]->pair->index == pair)
			return node->sides[i];
	}
	sim_fail(node->world, "a connection request for an unknown pair");
}

/**
 * @return side for which a request is meant, found by the private data of the request; NULL if the
 * peer has cancelled the request because of an accident
 */
static struct sim_side *
side_of_request(struct sim_node *node, struct nd_connector *connector)
{
	uint8_t bytes[LIMIT_CALLER_DATA];
	size_t length = sizeof(bytes);
	nd_status status = nd_connector_get_connection_data(connector, NULL, NULL, bytes, &length);
	struct sim_side *side;

	if (status == ND_CONNECTION_ABORTED && node->world->plan.accident_count != 0)
		return NULL;
	if (status != ND_SUCCESS || length != sizeof(bytes))
		sim_fail(node->world, "data of a request: %s, %zu bytes", nd_status_name(status),
			length);
	side = side_of_pair(node, bytes[0]);
	if (side->active ||
		(side->state != SIM_SIDE_START && node->world->plan.accident_count == 0))
		sim_fail(node->world, "%s: unexpected connection request", side->name);
	return side;
}

static void
request_refuse(struct sim_side *side, struct sim_listening *listening)
{
	nd_status status =
		nd_connector_reject(listening->connector, side->private_data, SIM_PRIVATE_BYTES);

	if (status == ND_SUCCESS ||
		(status == ND_CONNECTION_ABORTED && sim_accident_explains(side)))
		status = nd_connector_release(listening->connector);
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: reject: %s", side->name, nd_status_name(status));
	listen_one(side->node, listening);
}

static void
request_forget(struct sim_node *node, struct sim_listening *listening)
{
	nd_status status = nd_connector_release(listening->connector);

	if (status != ND_SUCCESS)
		sim_fail(node->world, "release of a request: %s", nd_status_name(status));
	listen_one(node, listening);
}

void
sim_connect_requests(struct sim_node *node)
{
	for (uint32_t i = 0; i < SIM_PAIRS_MAX; i++) {
		struct sim_listening *listening = &node->listening[i];
		struct sim_side *side;

		if (listening->connector == NULL || !listening->wait.done)
			continue;
		if (listening->wait.status != ND_SUCCESS)
			sim_fail(node->world, "get_connection_request: %s",
				nd_status_name(listening->wait.status));
		side = side_of_request(node, listening->connector);
		if (side == NULL) {
			request_forget(node, listening);
			continue;
		}
		/* This side has not yet finished its previous connection, so refuse the request. */
		if (side->state != SIM_SIDE_START) {
			request_refuse(side, listening);
			continue;
		}
		if (side->pair->rejecting) {
			side->pair->rejecting = false;
			side->pair->rejected = true;
			request_refuse(side, listening);
			continue;
		}
		side->connector = listening->connector;
		listening->connector = NULL;
		side->expecting = false;
		/*
		 * With accidents, the peer may connect again before this side detects the failure.
		 * So wait for another request.
		 */
		if (node->world->plan.accident_count != 0)
			sim_connect_expect(side);
		data_check(side, LIMIT_CALLER_DATA);
		side->state = SIM_SIDE_ASKED;
		side->wake_ns = node->world->now_ns + sim_random_below(&side->random, ANSWER_NS);
		sim_world_wake(node, side->wake_ns);
	}
}

static void
up(struct sim_side *side)
{
	nd_status status = nd_connector_notify_disconnect(
		side->connector, sim_wait_begin(&side->notify, side->node));

	if (status != ND_PENDING && !sim_accident_excuses(side))
		sim_fail(side->world, "%s: notify_disconnect: %s", side->name,
			nd_status_name(status));
	sim_wait_returned(&side->notify, status);
	sim_trace_event(&side->world->trace, side->name, "up", 0, 0);
	side->world->progress_ns = side->world->now_ns;
	side->state = SIM_SIDE_UP;
	side->wake_ns = 0;
	sim_world_wake(side->node, side->world->now_ns);
}

static void
connect_begin(struct sim_side *side)
{
	struct sim_node *there = side->peer->node;
	struct sockaddr_storage address = there->address;
	uint16_t port = there->port;
	nd_status status;

	if (side->connector == NULL) {
		status = connector_make(side->node, &side->connector);
		if (status != ND_SUCCESS)
			sim_fail(side->world, "create_connector: %s", nd_status_name(status));
		sim_side_make_endpoint(side);
	}
	side->attempts++;
	/*
	 * Connect to a port that has no listener. Adapters use ports from 49152 on. The changed
	 * port is below 49152 and is not 0.
	 */
	if (side->pair->wrong_port)
		port ^= htons(0x8000);
	if (address.ss_family == AF_INET)
		((struct sockaddr_in *)&address)->sin_port = port;
	else
		((struct sockaddr_in6 *)&address)->sin6_port = port;
	status = nd_connector_connect(side->connector, side->endpoint,
		(const struct sockaddr *)&address, sizeof(address), PROTOCOL, 0, side->private_data,
		SIM_PRIVATE_BYTES, sim_wait_begin(&side->connect, side->node));
	sim_wait_returned(&side->connect, status);
	side->tired_ns = side->world->now_ns + PATIENCE_NS;
	side->state = SIM_SIDE_CONNECTING;
}

static void
rejection_check(struct sim_side *side)
{
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	size_t length = sizeof(bytes);
	nd_status status =
		nd_connector_get_connection_data(side->connector, NULL, NULL, bytes, &length);

	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: data of a rejection: %s", side->name,
			nd_status_name(status));
	private_check(side, bytes, length, LIMIT_CALLEE_DATA);
}

/** @return true if an attempt to connect may fail with this status */
static bool
refusal_expected(struct sim_side *side, nd_status status)
{
	const struct sim_plan *plan = &side->world->plan;

	if (status == ND_HOST_UNREACHABLE && plan->faults && !plan->static_neighbours)
		return true;
	if (status == ND_IO_TIMEOUT && sim_accident_explains(side))
		return true;
	if (status != ND_CONNECTION_REFUSED)
		return false;
	if (side->pair->wrong_port) {
		side->pair->wrong_port = false;
		return true;
	}
	/*
	 * After an accident, the refusal may belong to the previous connection or to an abandoned
	 * attempt.
	 */
	if (sim_accident_explains(side))
		return true;
	if (!side->pair->rejected)
		return false;
	side->pair->rejected = false;
	rejection_check(side);
	return true;
}

static void
connect_failed(struct sim_side *side, nd_status status)
{
	bool explained = sim_accident_explains(side);

	if (!refusal_expected(side, status) || (side->attempts == ATTEMPTS_MAX && !explained))
		sim_fail(side->world, "%s: connect: %s", side->name, nd_status_name(status));
	side->state = SIM_SIDE_START;
	if (explained) {
		side->wake_ns = side->world->now_ns + 1 + sim_random_below(&side->random, RETRY_NS);
	} else if (status == ND_HOST_UNREACHABLE) {
		/* Wait, because an immediate attempt would fail in the same way. */
		side->wake_ns = side->world->now_ns + NEIGHBOUR_NS;
		side->world->progress_ns = side->world->now_ns;
	}
	sim_world_wake(side->node, side->world->now_ns);
}

static void
connect_end(struct sim_side *side)
{
	nd_status status = side->connect.status;

	sim_trace_status(
		&side->world->trace, side->name, "connect", (int64_t)side->attempts, status);
	side->connect.begun = false;
	if (status != ND_SUCCESS) {
		connect_failed(side, status);
		return;
	}
	if (answer_old(side)) {
		sim_side_doom(side->pair);
		sim_side_abandon(side);
		return;
	}
	data_check(side, LIMIT_CALLEE_DATA);
	status = nd_connector_complete_connect(
		side->connector, sim_wait_begin(&side->connect, side->node));
	if (status == ND_CONNECTION_ABORTED && sim_accident_excuses(side)) {
		sim_side_abandon(side);
		return;
	}
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: complete_connect: %s", side->name,
			nd_status_name(status));
	side->connect.begun = false;
	up(side);
}

static void
accept_begin(struct sim_side *side)
{
	nd_status status;

	if (!sim_side_make_endpoint(side)) {
		sim_side_abandon(side);
		return;
	}
	if (sim_random_chance(&side->random, 500))
		sim_work_receives(side);
	status = nd_connector_accept(side->connector, side->endpoint, side->private_data,
		SIM_PRIVATE_BYTES, sim_wait_begin(&side->connect, side->node));
	sim_wait_returned(&side->connect, status);
	side->tired_ns = side->world->now_ns + PATIENCE_NS;
	side->state = SIM_SIDE_ACCEPTING;
}

static void
accept_end(struct sim_side *side)
{
	nd_status status = side->connect.status;

	sim_trace_status(&side->world->trace, side->name, "accept", 0, status);
	if ((status == ND_CONNECTION_ABORTED || status == ND_CONNECTION_REFUSED ||
		    status == ND_IO_TIMEOUT) &&
		sim_accident_excuses(side)) {
		sim_side_abandon(side);
		return;
	}
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: accept: %s", side->name, nd_status_name(status));
	side->connect.begun = false;
	up(side);
}

/**
 * @return true if this side cannot connect any more, because the pair is lost or its other side has
 * ended
 */
static bool
hopeless(const struct sim_side *side)
{
	return side->world->plan.accident_count != 0 && side->state == SIM_SIDE_START &&
		(side->pair->lost || side->peer->state > SIM_SIDE_UP);
}

/**
 * @return true if the peer has not answered for PATIENCE_NS, and an accident explains the silence
 */
static bool
tired(struct sim_side *side)
{
	if (side->world->plan.accident_count == 0 ||
		(side->state != SIM_SIDE_CONNECTING && side->state != SIM_SIDE_ACCEPTING))
		return false;
	if (side->world->now_ns < side->tired_ns)
		sim_world_wake(side->node, side->tired_ns);
	return side->world->now_ns >= side->tired_ns && sim_accident_explains(side);
}

void
sim_connect_turn(struct sim_side *side)
{
	uint64_t now_ns = side->world->now_ns;

	if (hopeless(side) || tired(side)) {
		sim_side_doom(side->pair);
		sim_side_abandon(side);
		return;
	}
	if (side->state == SIM_SIDE_START && side->active && now_ns >= side->wake_ns)
		connect_begin(side);
	if (side->state == SIM_SIDE_ASKED && now_ns >= side->wake_ns)
		accept_begin(side);
	if (side->state == SIM_SIDE_CONNECTING && side->connect.done)
		connect_end(side);
	if (side->state == SIM_SIDE_ACCEPTING && side->connect.done)
		accept_end(side);
}

void
sim_connect_end(struct sim_side *side)
{
	nd_status status = nd_connector_disconnect(
		side->connector, sim_wait_begin(&side->disconnect, side->node));

	sim_trace_status(&side->world->trace, side->name, "disconnect", 0, status);
	if (nd_failed(status))
		sim_fail(side->world, "%s: disconnect: %s", side->name, nd_status_name(status));
	sim_wait_returned(&side->disconnect, status);
	side->fatal = true;
	side->node->emptied = false;
	side->state = SIM_SIDE_DISCONNECTING;
	sim_world_wake(side->node, side->world->now_ns);
}

void
sim_connect_down_turn(struct sim_side *side)
{
	nd_status status;

	if (!side->disconnect.done || !side->notify.done)
		return;
	status = side->disconnect.status;
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: disconnect ended with %s", side->name,
			nd_status_name(status));
	status = side->notify.status;
	if (status != ND_SUCCESS && status != ND_CANCELED)
		sim_fail(side->world, "%s: notify_disconnect ended with %s", side->name,
			nd_status_name(status));
	/*
	 * All results are in the completion queues now. Continue only after the application has
	 * taken them.
	 */
	if (!sim_yield_knows_all(side))
		return;
	sim_oracle_finish(side);
	side->state = SIM_SIDE_DOWN;
}
