/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ping.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include "kit/connect_error.h"
#include "kit/end_words.h"

/*
 * Linux' rping sends the rkey of a memory region. The rkey gives access as long as the region is
 * registered. Network Direct has no such keys: a peer's access goes through a window. In this
 * program, a window is bound and invalidated for each single access. Therefore the server can read
 * the source, or write the sink, only during the step that needs the access. The server gets the
 * window's token as rkey and sees no difference.
 *
 * In one round the client posts, in this order:
 *
 *   bind source, send "source is here"                    the server answers when it has read
 *   invalidate source, bind sink, send "sink is here"     the server answers when it has written
 *   invalidate sink                                       its result ends the round
 */

/* Size of the send queue: the requests of two rounds. */
#define REQUESTS_MAX 16u

/*
 * Longest time in s that the client waits for the server's answer to the disconnect, because the
 * server may be dead.
 */
#define DISCONNECT_SECONDS 2u

static bool
open_window(
	struct ping *ping, struct ping_window *window, const char *name, char *text, uint32_t flags)
{
	const nd_status status = nd_adapter_create_memory_window(
		ping->connection.adapter, &window->invalidated.result, &window->mw);

	window->text = text;
	window->flags = flags;
	window->bind.name = name;
	window->advertise.name = "send of a window";
	window->invalidate.name = "invalidate";
	window->invalidated.name = "invalidate by the server";
	if (nd_failed(status))
		connection_fail(&ping->connection, "no window: %s", nd_status_name(status));
	return !nd_failed(status);
}

static void
connect_to_server(struct ping *ping)
{
	struct connection *connection = &ping->connection;
	struct sockaddr_storage server = connection->options->peer;
	const rte_be16_t port = rte_cpu_to_be_16(connection->options->service_port);
	const bool v6 = server.ss_family == AF_INET6;

	if (v6)
		((struct sockaddr_in6 *)&server)->sin6_port = port;
	else
		((struct sockaddr_in *)&server)->sin_port = port;
	connection->step_status = nd_connector_connect(connection->connector, connection->endpoint,
		(struct sockaddr *)&server,
		v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in), CONNECTION_PROTOCOL,
		0, NULL, 0, &connection->step);
}

void
ping_open(struct ping *ping, const struct options *options, struct nd_adapter *adapter)
{
	struct connection *connection = &ping->connection;
	const size_t size = options->size_bytes;
	/* Only the server issues READs, one at a time. */
	const struct connection_limits limits = {.requests = REQUESTS_MAX, .inbound_reads = 1};

	*ping = (struct ping){.state = PING_ENDED};
	if (!connection_open(connection, options, adapter, 2 * size) ||
		!open_window(ping, &ping->source, "bind of the source", connection->data,
			ND_OP_FLAG_ALLOW_READ) ||
		!open_window(ping, &ping->sink, "bind of the sink", connection->data + size,
			ND_OP_FLAG_ALLOW_WRITE) ||
		!connection_open_endpoint(connection, &limits))
		return;
	ping->state = PING_CONNECTING;
	connect_to_server(ping);
}

/*
 * Bind the window and send its descriptor. The send is posted after the bind, so the window is
 * valid when the descriptor is transmitted.
 */
static void
advertise(struct ping *ping, struct ping_window *window)
{
	struct connection *connection = &ping->connection;
	struct message message;
	nd_status status;

	status = nd_endpoint_bind(connection->endpoint, &window->bind.result, connection->mr,
		window->mw, window->text, connection->options->size_bytes,
		window->flags | ND_OP_FLAG_SILENT_SUCCESS, &window->descriptor);
	connection_posted(connection, &window->bind, status, ND_OP_FLAG_SILENT_SUCCESS);
	if (status != ND_SUCCESS)
		return;
	connection_debug(connection, "round %" PRIu32 ": %s at 0x%" PRIx64 ", token 0x%08x",
		ping->round, window->bind.name, rte_be_to_cpu_64(window->descriptor.base),
		rte_be_to_cpu_32(window->descriptor.token));
	message = message_from_window(&window->descriptor);
	connection_send(connection, &window->advertise, &message, ND_OP_FLAG_SILENT_SUCCESS);
}

/*
 * Invalidate the window. When the invalidate is complete, the server can no longer access the
 * window's memory.
 */
static void
withdraw(struct ping *ping, struct ping_window *window, uint32_t flags)
{
	struct connection *connection = &ping->connection;

	connection_posted(connection, &window->invalidate,
		nd_endpoint_invalidate(
			connection->endpoint, &window->invalidate.result, window->mw, flags),
		flags);
}

static void
begin_round(struct ping *ping)
{
	const size_t size = ping->connection.options->size_bytes;

	message_fill(ping->source.text, size, ping->round);
	/*
	 * Clear the sink. Otherwise the bytes of the previous round could be taken for this round's
	 * answer.
	 */
	memset(ping->sink.text, 0, size);
	nd_endpoint_start_request_batch(ping->connection.endpoint);
	advertise(ping, &ping->source);
	nd_endpoint_submit_request_batch(ping->connection.endpoint);
	ping->state = PING_SOURCE_OPEN;
}

static void
source_read(struct ping *ping)
{
	struct connection *connection = &ping->connection;

	connection_debug(
		connection, "round %" PRIu32 ": the server has read the source", ping->round);
	connection_receive(connection);
	nd_endpoint_start_request_batch(connection->endpoint);
	withdraw(ping, &ping->source, ND_OP_FLAG_SILENT_SUCCESS);
	advertise(ping, &ping->sink);
	nd_endpoint_submit_request_batch(connection->endpoint);
	ping->state = PING_SINK_OPEN;
}

static void
sink_written(struct ping *ping)
{
	struct connection *connection = &ping->connection;

	connection_debug(
		connection, "round %" PRIu32 ": the server has written the sink", ping->round);
	connection_receive(connection);
	withdraw(ping, &ping->sink, 0);
	ping->state = PING_SINK_CLOSING;
}

static void
disconnect(struct ping *ping)
{
	ping->state = PING_DISCONNECTING;
	ping->deadline_tsc = rte_get_tsc_cycles() + DISCONNECT_SECONDS * rte_get_tsc_hz();
	connection_disconnect(&ping->connection);
}

static void
end_round(struct ping *ping)
{
	const struct options *options = ping->connection.options;
	const size_t size = options->size_bytes;

	if (options->validate && memcmp(ping->source.text, ping->sink.text, size) != 0) {
		connection_fail(&ping->connection,
			"round %" PRIu32 ": the data received differ from the data sent",
			ping->round);
		return;
	}
	/*
	 * Limit the length, because a different implementation of the server may not have written a
	 * terminating zero.
	 */
	if (options->verbose)
		printf("ping data: %.*s\n", (int)size, ping->sink.text);
	ping->round++;
	if (options->count > 0 && ping->round == options->count)
		disconnect(ping);
	else
		begin_round(ping);
}

/* Advance in CONNECTING and COMPLETING: wait for events of the connection manager. */
static void
handshake_turn(struct ping *ping)
{
	struct connection *connection = &ping->connection;
	const nd_status status = connection_step(connection);
	char words[CONNECT_ERROR_BYTES];

	if (status == ND_PENDING)
		return;
	if (status != ND_SUCCESS) {
		connection_fail(connection, "%s",
			connect_error(&(struct connect_attempt){connection->adapter,
					      connection->connector, status},
				words));
	} else if (ping->state == PING_CONNECTING) {
		connection->step = (struct nd_overlapped){0};
		connection->step_status =
			nd_connector_complete_connect(connection->connector, &connection->step);
		ping->state = PING_COMPLETING;
	} else {
		connection_watch(connection);
		begin_round(ping);
	}
}

/*
 * Advance in SOURCE_OPEN, SINK_OPEN and SINK_CLOSING: handle the server's messages and the results
 * of own requests.
 */
static void
round_turn(struct ping *ping)
{
	struct connection *connection = &ping->connection;
	char words[END_WORDS_BYTES];

	connection_turn(connection);
	if (connection->has_failed)
		return;
	if (ping->state == PING_SINK_CLOSING && !connection_is_busy(connection))
		end_round(ping);
	else if (ping->state == PING_SOURCE_OPEN && connection->has_message)
		source_read(ping);
	else if (ping->state == PING_SINK_OPEN && connection->has_message)
		sink_written(ping);
	else if (connection_is_over(connection))
		connection_fail(connection,
			"the server ended the connection in round %" PRIu32 "%s", ping->round,
			end_words(connection->connector, words));
}

bool
ping_turn(struct ping *ping)
{
	switch (ping->state) {
	case PING_CONNECTING:
	case PING_COMPLETING:
		handshake_turn(ping);
		if (ping->connection.has_failed)
			ping->state = PING_ENDED;
		break;
	case PING_SOURCE_OPEN:
	case PING_SINK_OPEN:
	case PING_SINK_CLOSING:
		round_turn(ping);
		if (ping->connection.has_failed)
			disconnect(ping);
		break;
	case PING_DISCONNECTING:
		if (connection_step(&ping->connection) != ND_PENDING ||
			rte_get_tsc_cycles() > ping->deadline_tsc)
			ping->state = PING_ENDED;
		break;
	case PING_ENDED:
		break;
	}
	return ping->state != PING_ENDED;
}

void
ping_stop(struct ping *ping)
{
	if (ping->state == PING_CONNECTING || ping->state == PING_COMPLETING)
		ping->state = PING_ENDED;
	else if (ping->state != PING_DISCONNECTING && ping->state != PING_ENDED)
		disconnect(ping);
}

bool
ping_close(struct ping *ping)
{
	struct nd_adapter *adapter = ping->connection.adapter;

	connection_close(&ping->connection);
	if (ping->source.mw != NULL)
		nd_mw_release(adapter, ping->source.mw);
	if (ping->sink.mw != NULL)
		nd_mw_release(adapter, ping->sink.mw);
	return !ping->connection.has_failed;
}
