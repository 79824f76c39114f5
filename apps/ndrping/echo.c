/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "echo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

/*
 * The server binds no window, because the client does not access its memory. The server accesses
 * the client's memory. In one round it posts:
 *
 *   read                          when the message "source is here" has arrived
 *   send "go ahead"               when the read is complete
 *   write, send "go ahead"        when the message "sink is here" has arrived
 */

/* Size of the send queue: the requests of two rounds. */
#define REQUESTS_MAX 8u

/*
 * Longest time in s that the server waits for the client's answer to the disconnect, because the
 * client may be dead.
 */
#define DISCONNECT_SECONDS 2u

void
echo_open(struct echo *echo, const struct options *options, struct nd_adapter *adapter,
	struct nd_listener *listener)
{
	struct connection *connection = &echo->connection;

	*echo = (struct echo){
		.state = ECHO_ENDED,
		.read = {.name = "read of the source"},
		.write = {.name = "write of the sink"},
		.go_ahead = {.name = "send of the go-ahead"},
	};
	/* Add a byte for a terminating zero, because the largest ping may not contain one. */
	if (!connection_open(connection, options, adapter, options->size_bytes + 1))
		return;
	echo->state = ECHO_LISTENING;
	connection->step_status = nd_listener_get_connection_request(
		listener, connection->connector, &connection->step);
}

/*
 * Accept a connection request. Post the receive before, so that it is ready for the client's first
 * message.
 */
static void
accept_client(struct echo *echo)
{
	struct connection *connection = &echo->connection;
	/* Only the server issues READs, one at a time. */
	const struct connection_limits limits = {.requests = REQUESTS_MAX, .outbound_reads = 1};

	if (!connection_open_endpoint(connection, &limits))
		return;
	connection->step = (struct nd_overlapped){0};
	connection->step_status = nd_connector_accept(
		connection->connector, connection->endpoint, NULL, 0, &connection->step);
	echo->state = ECHO_ACCEPTING;
}

/* Advance in LISTENING and ACCEPTING: wait for events of the connection manager. */
static void
handshake_turn(struct echo *echo)
{
	struct connection *connection = &echo->connection;
	const nd_status status = connection_step(connection);

	if (status == ND_PENDING)
		return;
	if (status == ND_CONNECTION_REFUSED || status == ND_CONNECTION_ABORTED) {
		connection_fail(connection, "a client aborted its connection attempt");
	} else if (status == ND_IO_TIMEOUT) {
		connection_fail(connection, "a client did not complete its connection");
	} else if (status != ND_SUCCESS) {
		connection_fail(connection, "cannot accept a client: %s", nd_status_name(status));
	} else if (echo->state == ECHO_LISTENING) {
		accept_client(echo);
	} else {
		connection_watch(connection);
		echo->state = ECHO_WAITING;
	}
}

static void
read_source(struct echo *echo)
{
	struct connection *connection = &echo->connection;
	const struct nd_mw_descriptor source = message_to_window(connection->received);
	const uint64_t size = rte_be_to_cpu_64(source.length);

	if (size == 0 || size > connection->options->size_bytes) {
		connection_fail(connection,
			"the client's ping has %" PRIu64 " bytes, -S allows 1 to %u", size,
			connection->options->size_bytes);
		return;
	}
	connection_debug(connection,
		"round %" PRIu32 ": %" PRIu64 " bytes at 0x%" PRIx64 ", rkey 0x%08x", echo->round,
		size, rte_be_to_cpu_64(source.base), rte_be_to_cpu_32(source.token));
	const struct nd_sge sge = {connection->data, size, connection->mr};

	echo->size_bytes = (uint32_t)size;
	connection_posted(connection, &echo->read,
		nd_endpoint_read(connection->endpoint, &echo->read.result, &sge, 1, &source, 0, 0),
		0);
	echo->state = ECHO_READING;
}

static void
send_go_ahead(struct echo *echo)
{
	const struct message empty = {0};

	connection_send(&echo->connection, &echo->go_ahead, &empty, 0);
}

static void
source_read(struct echo *echo)
{
	struct connection *connection = &echo->connection;
	const struct options *options = connection->options;

	connection->data[echo->size_bytes] = '\0';
	if (options->validate && !message_check(connection->data, echo->size_bytes, echo->round)) {
		connection_fail(connection,
			"round %" PRIu32 ": the data read differ from rping's data", echo->round);
		return;
	}
	if (options->verbose)
		printf("server ping data: %s\n", connection->data);
	/* Post the receive first, because the client answers the go-ahead with a message. */
	connection_receive(connection);
	send_go_ahead(echo);
	echo->state = ECHO_READ;
}

/* Write the text and its terminating zero, or the part that fits, into the client's sink. */
static void
write_sink(struct echo *echo)
{
	struct connection *connection = &echo->connection;
	const struct nd_mw_descriptor sink = message_to_window(connection->received);
	const uint64_t room = rte_be_to_cpu_64(sink.length);
	const size_t text = strlen(connection->data) + 1;
	const struct nd_sge sge = {
		connection->data, text < room ? text : (size_t)room, connection->mr};

	connection_receive(connection);
	/*
	 * Messages arrive in order. When the send arrives, the bytes of the preceding write have
	 * arrived. Therefore the write is silent, and the result of the send covers both requests.
	 */
	nd_endpoint_start_request_batch(connection->endpoint);
	connection_posted(connection, &echo->write,
		nd_endpoint_write(connection->endpoint, &echo->write.result, &sge, 1, &sink, 0,
			ND_OP_FLAG_SILENT_SUCCESS),
		ND_OP_FLAG_SILENT_SUCCESS);
	send_go_ahead(echo);
	nd_endpoint_submit_request_batch(connection->endpoint);
	echo->round++;
	echo->state = ECHO_WAITING;
}

/*
 * Advance in WAITING, READING and READ. A message is handled only after the requests of the
 * previous step are complete. The client may have received the go-ahead although the
 * acknowledgement was lost. In this case the write may be retransmitted, so the bytes to write must
 * not change yet.
 */
static void
round_turn(struct echo *echo)
{
	struct connection *connection = &echo->connection;

	connection_turn(connection);
	if (connection->has_failed)
		return;
	if (connection_is_over(connection)) {
		connection_debug(connection, "connection ended in round %" PRIu32, echo->round);
		echo->state = ECHO_ENDED;
	} else if (connection_is_busy(connection)) {
		return;
	} else if (echo->state == ECHO_READING) {
		source_read(echo);
	} else if (echo->state == ECHO_WAITING && connection->has_message) {
		read_source(echo);
	} else if (echo->state == ECHO_READ && connection->has_message) {
		write_sink(echo);
	}
}

static void
disconnect(struct echo *echo)
{
	echo->state = ECHO_DISCONNECTING;
	echo->deadline_tsc = rte_get_tsc_cycles() + DISCONNECT_SECONDS * rte_get_tsc_hz();
	connection_disconnect(&echo->connection);
}

bool
echo_turn(struct echo *echo)
{
	switch (echo->state) {
	case ECHO_LISTENING:
	case ECHO_ACCEPTING:
		handshake_turn(echo);
		if (echo->connection.has_failed)
			echo->state = ECHO_ENDED;
		break;
	case ECHO_WAITING:
	case ECHO_READING:
	case ECHO_READ:
		round_turn(echo);
		if (echo->connection.has_failed)
			disconnect(echo);
		break;
	case ECHO_DISCONNECTING:
		if (connection_step(&echo->connection) != ND_PENDING ||
			rte_get_tsc_cycles() > echo->deadline_tsc)
			echo->state = ECHO_ENDED;
		break;
	case ECHO_ENDED:
		break;
	}
	return echo->state != ECHO_ENDED;
}

void
echo_stop(struct echo *echo)
{
	if (echo->state == ECHO_LISTENING || echo->state == ECHO_ACCEPTING)
		echo->state = ECHO_ENDED;
	else if (echo->state != ECHO_DISCONNECTING && echo->state != ECHO_ENDED)
		disconnect(echo);
}

bool
echo_close(struct echo *echo)
{
	connection_close(&echo->connection);
	return !echo->connection.has_failed;
}
