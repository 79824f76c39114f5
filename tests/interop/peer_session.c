/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* A connection from its set-up to its end, on both sides. */
#include <stdio.h>
#include <stdlib.h>

#include <rte_byteorder.h>

#include "peer.h"
#include "peer_rxetest.h"
#include "peer_task.h"

/* Time in s to wait for acknowledgements and disconnect replies of the peer. */
#define SETTLE_SECONDS 0.2

static struct conn *
conn_new(struct peer *peer)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (conn == NULL) {
		perror("connection");
		exit(EXIT_FAILURE);
	}
	conn->peer = peer;
	conn->number = ++peer->begun;
	conn->started = task_now();
	conn->connect_status = ND_PENDING;
	conn->gone_status = ND_PENDING;
	peer->running++;
	return conn;
}

static void
conn_end(struct conn *conn)
{
	conn_close(conn);
	conn->peer->failed += conn->why[0] != '\0';
	conn->peer->running--;
	report_conn(conn);
	free(conn);
}

static bool
reject_reply(struct conn *conn)
{
	const bool rejected = conn_called(conn,
		nd_connector_reject(conn->connector, PROTOCOL_REJECTED, PROTOCOL_REJECTED_BYTES),
		"reject");

	task_sleep(SETTLE_SECONDS);
	return rejected;
}

/* @return true if the connection is established */
static bool
client_connect(struct conn *conn, const struct scenario *scenario)
{
	const struct peer_options *options = &conn->peer->options;
	uint8_t data[PROTOCOL_REQUEST_BYTES];
	bool connected;

	protocol_write_request(data, &conn->asked, scenario->name);
	if (!conn_open(conn) || !scenario->prepare(conn))
		return false;
	connected =
		conn_connect(conn, data, scenario->number == SCENARIO_UCMATOSE ? 0 : sizeof(data));
	if (strcmp(nd_status_name(conn->connect_status), options->connect_status) == 0) {
		/* The test expects this status, so a refused connection is not a failure. */
		if (!connected)
			conn->why[0] = '\0';
	} else {
		conn_fail(conn, "connect: %s", nd_status_name(conn->connect_status));
	}
	return connected;
}

static void
say_connected(const struct conn *conn)
{
	printf("{\"connected\":%u}\n", conn->number);
	fflush(stdout);
}

static bool
disconnects(const struct conn *conn, const struct scenario *scenario)
{
	if (scenario->ends != DRIVER_ENDS)
		return conn->active == (scenario->ends == CLIENT_ENDS);
	return offer_drives(conn) || conn->why[0] != '\0';
}

/* End the connection: one side disconnects, and the other side waits for the disconnect. */
static void
end(struct conn *conn, const struct scenario *scenario)
{
	if (!disconnects(conn, scenario))
		conn_wait_gone(conn);
	else if (!conn_is_gone(conn))
		conn_disconnect(conn);
}

/* @return scenario of a client's connection. The function stores the parameters in conn->asked. */
static const struct scenario *
choose(struct conn *conn, uint32_t round)
{
	const struct peer_options *options = &conn->peer->options;
	const struct scenario *scenario = options->scenario;
	struct protocol_request *asked = &conn->asked;

	*asked = (struct protocol_request){
		.arg = options->arg, .size = options->size, .count = options->count};
	if (round > 0 && options->later_scenario != NULL) {
		scenario = options->later_scenario;
		asked->arg = 0;
		asked->count = 1;
	} else if (options->second_scenario != NULL && conn->number % 2 == 0) {
		scenario = options->second_scenario;
		asked->arg = options->second_arg;
	}
	asked->scenario = scenario->number;
	conn->name = scenario->name;
	return scenario;
}

static void
client_once(struct peer *peer, uint32_t round)
{
	const struct peer_options *options = &peer->options;
	struct conn *conn = conn_new(peer);
	const struct scenario *scenario = choose(conn, round);

	conn->active = true;
	if (client_connect(conn, scenario)) {
		say_connected(conn);
		if (options->reject_reply) {
			reject_reply(conn);
		} else {
			if (scenario->client(conn) && options->linger_seconds > 0)
				task_sleep(options->linger_seconds);
			end(conn, scenario);
		}
	}
	conn_end(conn);
}

static void
wait_asked(const struct peer *peer, uint32_t round)
{
	while (peer->options.later_scenario != NULL && peer->rounds_asked < round && !peer->stopped)
		task_yield();
}

void
session_client(void *arg)
{
	struct peer *peer = arg;

	for (uint32_t round = 0; round < peer->options.rounds; round++) {
		wait_asked(peer, round);
		if (peer->stopped)
			break;
		client_once(peer, round);
	}
}

/*
 * @return scenario that the client requests; NULL if no scenario fits, and conn_fail() has stored
 * the reason
 */
static const struct scenario *
asked_scenario(struct conn *conn)
{
	const struct peer_options *options = &conn->peer->options;
	const struct scenario *scenario = options->scenario;

	conn_keep_peer_data(conn);
	if (scenario != NULL && scenario->number == SCENARIO_UCMATOSE) {
		conn->asked = (struct protocol_request){
			.scenario = scenario->number,
			.size = options->size,
			.count = options->count,
		};
	} else if (protocol_read_request(conn->peer_data, conn->peer_data_bytes, &conn->asked)) {
		scenario = scenario_by_number(conn->asked.scenario);
	} else {
		conn_fail(conn, "private data of another protocol");
		return NULL;
	}
	if (scenario == NULL || scenario->server == NULL) {
		conn_fail(conn, "scenario %u is not served", conn->asked.scenario);
		return NULL;
	}
	conn->name = scenario->name;
	return scenario;
}

static bool
reject(struct conn *conn)
{
	const bool rejected = conn_called(conn,
		nd_connector_reject(conn->connector, PROTOCOL_REJECTED, PROTOCOL_REJECTED_BYTES),
		"reject");

	conn->outcome = "rejected";
	task_sleep(SETTLE_SECONDS);
	return rejected;
}

/*
 * Key in the private data of the accept. No window has this key, because windows can only be bound
 * on an established connection. So an access is refused if the client has not yet got a key in a
 * message.
 */
#define NO_KEY 0x12345600u

static bool
accept_client(struct conn *conn)
{
	uint8_t data[PROTOCOL_REPLY_BYTES];

	protocol_write_reply(
		data, NO_KEY, (uintptr_t)conn->exposed.bytes, (uint32_t)conn->exposed.size);
	return conn_accept(conn, data, sizeof(data));
}

static void
serve(void *arg)
{
	struct conn *conn = arg;
	const struct scenario *scenario = asked_scenario(conn);

	if (scenario == NULL || scenario->number == RXETEST_REJ) {
		reject(conn);
	} else if (conn_open(conn) && scenario->prepare(conn) && accept_client(conn)) {
		say_connected(conn);
		scenario->server(conn);
		end(conn, scenario);
	}
	conn_end(conn);
}

static bool
listen_on_port(struct peer *peer)
{
	const uint16_t port = peer->options.peer.ss_family == AF_INET6
		? ((const struct sockaddr_in6 *)&peer->options.peer)->sin6_port
		: ((const struct sockaddr_in *)&peer->options.peer)->sin_port;
	uint16_t assigned;
	const nd_status status =
		nd_adapter_listen(peer->adapter, 0, 6, port, &assigned, &peer->listener);

	if (status != ND_SUCCESS) {
		fprintf(stderr, "listen: %s\n", nd_status_name(status));
		peer->failed++;
		return false;
	}
	printf("{\"listening\":%u}\n", rte_be_to_cpu_16(assigned));
	fflush(stdout);
	return true;
}

/*
 * Wait for a connection request. @return connector of the request; NULL if no more requests will be
 * accepted
 */
static struct nd_connector *
next_request(struct peer *peer)
{
	struct nd_overlapped overlapped = {0};
	struct nd_connector *connector;
	nd_status status = nd_adapter_create_connector(peer->adapter, &connector);

	if (status == ND_SUCCESS)
		status = nd_listener_get_connection_request(peer->listener, connector, &overlapped);
	while (status == ND_PENDING) {
		if (peer->stopped)
			nd_overlapped_cancel(&overlapped);
		else
			task_yield();
		status = nd_overlapped_get_result(&overlapped, NULL, false);
	}
	if (status == ND_SUCCESS)
		return connector;
	nd_connector_release(connector);
	if (!peer->stopped) {
		fprintf(stderr, "get_connection_request: %s\n", nd_status_name(status));
		peer->failed++;
	}
	return NULL;
}

void
session_listen(void *arg)
{
	struct peer *peer = arg;
	struct nd_connector *connector;

	if (!listen_on_port(peer))
		return;
	while ((peer->options.rounds == 0 || peer->begun < peer->options.rounds) &&
		(connector = next_request(peer)) != NULL) {
		struct conn *conn = conn_new(peer);

		conn->connector = connector;
		task_spawn(serve, conn);
	}
	while (peer->running > 0)
		task_yield();
	nd_listener_release(peer->listener);
}
