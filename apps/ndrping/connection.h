/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_CONNECTION_H
#define NDPDK_NDRPING_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "message.h"
#include "options.h"

/*
 * What client and server have in common: the objects of one connection, and the two things its
 * state machine waits for, a message of the peer and the end of its own requests.
 *
 * Requests are posted silent but for the last one of each step: a queue pair executes and completes
 * its requests in order, so the result of the last one says that all are complete. A silent request
 * that fails has a result.
 */

/* IP protocol TCP: the RDMA port space that Linux' rping uses. */
#define CONNECTION_PROTOCOL 6

/** A request in flight, found from the pointer to its result. */
struct request {
	struct nd_result result;
	const char *name; /**< for messages; static */
};

struct connection {
	const struct options *options;
	struct nd_adapter *adapter;
	struct nd_cq *cq; /**< both directions */
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_mr *mr; /**< memory */
	uint8_t *memory;
	struct message *received; /**< of the peer, in memory */
	char *data;               /**< the rest of memory */

	struct nd_overlapped step; /**< what is being waited for: connect, accept, ... */
	nd_status step_status;
	struct nd_overlapped ended; /**< the peer's disconnect, or the loss of the connection */
	nd_status ended_status;

	struct request receive;
	/** the request of this step that is not silent; NULL: its result has come */
	const struct request *last;
	bool has_message; /**< received is the peer's, until connection_receive() */
	bool has_failed;  /**< why has been printed */
	char peer[64];    /**< address as text */
};

/**
 * Take memory for data_bytes and register it, make a completion queue and a connector.
 * @return false: has failed; connection_close() is due
 */
bool connection_open(struct connection *connection, const struct options *options,
	struct nd_adapter *adapter, size_t data_bytes);

/** The limits of an endpoint that differ between client and server. */
struct connection_limits {
	size_t requests;      /**< outbound at once */
	size_t inbound_reads; /**< of the peer */
	size_t outbound_reads;
};

/** Make the endpoint, and post the receive for the first message. @return false: has failed. */
bool
connection_open_endpoint(struct connection *connection, const struct connection_limits *limits);

/** The connection is up: ask to be notified of its end. */
void connection_watch(struct connection *connection);

/** @return status of what connection->step is for; ND_PENDING while it runs. */
nd_status connection_step(struct connection *connection);

/** Take results and look at the connection. Call it once per turn when connected. */
void connection_turn(struct connection *connection);

/** @return whether the peer has ended the connection, or it is lost. */
bool connection_is_over(const struct connection *connection);

/** @return whether requests are outstanding, silent ones included. */
static inline bool
connection_is_busy(const struct connection *connection)
{
	return connection->last != NULL;
}

/** Take the next message into connection->received. */
void connection_receive(struct connection *connection);

/** Send a message. flags: 0, or ND_OP_FLAG_SILENT_SUCCESS. */
void connection_send(struct connection *connection, struct request *request,
	const struct message *message, uint32_t flags);

/** Record the status of posting a request; flags are those it was posted with. */
void connection_posted(
	struct connection *connection, struct request *request, nd_status status, uint32_t flags);

/** Print why, once, and remember that the connection has failed. */
void connection_fail(struct connection *connection, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** With -d: print a step. */
void connection_debug(const struct connection *connection, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Begin to disconnect; connection_step() says when the peer has answered. */
void connection_disconnect(struct connection *connection);

/**
 * Free everything. A connection that is still up is disconnected without waiting for the answer.
 */
void connection_close(struct connection *connection);

#endif
