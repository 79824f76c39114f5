/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "connection.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "kit/end_words.h"

/* Entries of the CQ, more than the requests and receives that can be outstanding at a time. */
#define CQ_ENTRIES 32u

#define RESULTS_PER_TURN 8u

/*
 * Size in bytes of the buffer for a received message. The buffer is at the start of the memory and
 * has its own cache line. The data follow the buffer. One receive is enough, because this side
 * posts it again with connection_receive() before it sends a message that the peer answers.
 */
#define MESSAGE_BYTES 64u

static_assert(sizeof(struct message) <= MESSAGE_BYTES, "the data follow the message");

static void
print_line(const struct connection *connection, const char *format, va_list list)
{
	char text[256];

	vsnprintf(text, sizeof(text), format, list);
	fprintf(stderr, "ndrping: %s%s%s\n", connection->peer,
		connection->peer[0] != '\0' ? ": " : "", text);
}

void
connection_fail(struct connection *connection, const char *format, ...)
{
	va_list list;

	/* Print only the first failure, because it usually causes the later failures. */
	if (connection->has_failed)
		return;
	connection->has_failed = true;
	va_start(list, format);
	print_line(connection, format, list);
	va_end(list);
}

void
connection_debug(const struct connection *connection, const char *format, ...)
{
	va_list list;

	if (!connection->options->debug)
		return;
	va_start(list, format);
	print_line(connection, format, list);
	va_end(list);
}

static bool
made(struct connection *connection, nd_status status, const char *what)
{
	if (nd_failed(status))
		connection_fail(connection, "no %s: %s", what, nd_status_name(status));
	return !nd_failed(status);
}

bool
connection_open(struct connection *connection, const struct options *options,
	struct nd_adapter *adapter, size_t data_bytes)
{
	const size_t memory_bytes = MESSAGE_BYTES + data_bytes;

	*connection = (struct connection){
		.options = options,
		.adapter = adapter,
		.memory = calloc(1, memory_bytes),
		.receive = {.name = "receive"},
		.step_status = ND_SUCCESS,
		.ended_status = ND_PENDING,
	};
	if (connection->memory == NULL)
		return made(connection, ND_NO_MEMORY, "memory");
	connection->received = (struct message *)connection->memory;
	connection->data = (char *)connection->memory + MESSAGE_BYTES;
	/* Register all memory at once. The peer has no access before a window is bound. */
	return made(connection,
		       nd_adapter_register_memory(
			       adapter, connection->memory, memory_bytes, NULL, &connection->mr),
		       "registered memory") &&
		made(connection,
			nd_adapter_create_completion_queue(adapter, CQ_ENTRIES, &connection->cq),
			"completion queue") &&
		made(connection, nd_adapter_create_connector(adapter, &connection->connector),
			"connector");
}

bool
connection_open_endpoint(struct connection *connection, const struct connection_limits *limits)
{
	if (!made(connection,
		    nd_connector_create_endpoint(connection->connector, connection->cq,
			    connection->cq, 1, limits->requests, 1, 1, limits->inbound_reads,
			    limits->outbound_reads, NULL, &connection->endpoint),
		    "endpoint"))
		return false;
	connection_receive(connection);
	return !connection->has_failed;
}

nd_status
connection_step(struct connection *connection)
{
	/*
	 * If a call does not return ND_PENDING, the call is complete, and step_status is its final
	 * status.
	 */
	if (connection->step_status == ND_PENDING)
		connection->step_status = nd_overlapped_get_result(&connection->step, NULL, false);
	return connection->step_status;
}

/*
 * Store the peer's address as text. Called when the connection is established, because the server
 * does not know its peer earlier.
 */
static void
note_peer(struct connection *connection)
{
	struct sockaddr_storage address = {0};
	const void *bytes = &((struct sockaddr_in *)&address)->sin_addr;
	size_t length = sizeof(address);

	(void)nd_connector_get_peer_address(
		connection->connector, (struct sockaddr *)&address, &length);
	if (address.ss_family == AF_INET6)
		bytes = &((struct sockaddr_in6 *)&address)->sin6_addr;
	if (inet_ntop(address.ss_family, bytes, connection->peer, sizeof(connection->peer)) == NULL)
		connection->peer[0] = '\0';
}

void
connection_watch(struct connection *connection)
{
	note_peer(connection);
	connection->ended = (struct nd_overlapped){0};
	connection->ended_status =
		nd_connector_notify_disconnect(connection->connector, &connection->ended);
	connection_debug(connection, "connected");
}

bool
connection_is_over(const struct connection *connection)
{
	return connection->ended_status != ND_PENDING;
}

static void
take_result(struct connection *connection, struct nd_result *result)
{
	struct request *request = container_of(result, struct request, result);
	char words[END_WORDS_BYTES];

	if (result->status == ND_CANCELED) {
		/*
		 * The end of a connection cancels all outstanding requests. connection_is_over()
		 * reports the end.
		 */
	} else if (result->status != ND_SUCCESS) {
		connection_fail(connection, "%s failed: %s%s", request->name,
			nd_status_name(result->status), end_words(connection->connector, words));
	} else if (request != &connection->receive) {
		connection_debug(connection, "%s is complete", request->name);
		if (request == connection->last)
			connection->last = NULL;
	} else if (result->bytes_transferred != sizeof(struct message)) {
		connection_fail(connection, "a message of %zu bytes is not an rping message",
			result->bytes_transferred);
	} else {
		connection->has_message = true;
	}
}

void
connection_turn(struct connection *connection)
{
	struct nd_result *results[RESULTS_PER_TURN];
	size_t count;

	/*
	 * Check for the end before taking results. In this order, all results that arrived before
	 * the end were handled when connection_is_over() becomes true.
	 */
	if (!connection_is_over(connection))
		connection->ended_status =
			nd_overlapped_get_result(&connection->ended, NULL, false);
	count = nd_cq_get_results(connection->cq, results, RESULTS_PER_TURN);
	for (size_t i = 0; i < count; i++)
		take_result(connection, results[i]);
}

void
connection_posted(
	struct connection *connection, struct request *request, nd_status status, uint32_t flags)
{
	if (status == ND_SUCCESS) {
		if ((flags & ND_OP_FLAG_SILENT_SUCCESS) == 0)
			connection->last = request;
	} else if (status != ND_CONNECTION_INVALID) {
		connection_fail(connection, "%s cannot be posted: %s", request->name,
			nd_status_name(status));
	}
	/*
	 * ND_CONNECTION_INVALID means that the connection was lost just before the post.
	 * connection_is_over() reports the loss.
	 */
}

void
connection_receive(struct connection *connection)
{
	const struct nd_sge sge = {
		connection->received, sizeof(*connection->received), connection->mr};

	connection->has_message = false;
	connection_posted(connection, &connection->receive,
		nd_endpoint_receive(connection->endpoint, &connection->receive.result, &sge, 1),
		ND_OP_FLAG_SILENT_SUCCESS);
}

void
connection_send(struct connection *connection, struct request *request,
	const struct message *message, uint32_t flags)
{
	/*
	 * During the call, the library copies data that are not in registered memory, so copy may
	 * be on the stack.
	 */
	struct message copy = *message;
	const struct nd_sge sge = {&copy, sizeof(copy), NULL};

	connection_posted(connection, request,
		nd_endpoint_send(connection->endpoint, &request->result, &sge, 1, flags), flags);
}

void
connection_disconnect(struct connection *connection)
{
	connection->step = (struct nd_overlapped){0};
	connection->step_status = nd_connector_disconnect(connection->connector, &connection->step);
}

/* Free the memory only after its registration has ended, because an access may be in progress. */
static void
release_memory(struct connection *connection)
{
	nd_status status = ND_SUCCESS;

	if (connection->mr != NULL)
		status = nd_adapter_deregister_memory(connection->adapter, connection->mr, NULL);
	if (status == ND_SUCCESS)
		free(connection->memory);
}

void
connection_close(struct connection *connection)
{
	/*
	 * Release the objects in this order, because an object cannot be released while another
	 * object uses it.
	 */
	if (connection->endpoint != NULL)
		nd_endpoint_release(connection->endpoint);
	if (connection->connector != NULL)
		nd_connector_release(connection->connector);
	if (connection->cq != NULL)
		nd_cq_release(connection->cq);
	release_memory(connection);
}
