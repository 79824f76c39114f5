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
 * Common part of client and server: the objects of one connection, and the two events that its
 * state machine waits for. The events are a message of the peer, and the completion of this side's
 * requests.
 *
 * All requests of a step, except the last one, are posted with silent success. A queue pair
 * executes and completes its requests in order. Therefore the result of the last request shows that
 * all requests of the step are complete. A silent request that fails still has a result.
 */

/* IP protocol TCP: the RDMA port space that Linux' rping uses. */
#define CONNECTION_PROTOCOL 6

/** A request in flight. The address of its result leads to the request. */
struct request {
	struct nd_result result;
	const char *name; /**< name for messages; static text */
};

struct connection {
	const struct options *options;
	struct nd_adapter *adapter;
	struct nd_cq *cq; /**< for requests and receives */
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_mr *mr; /**< memory */
	uint8_t *memory;
	struct message *received; /**< the peer's newest message; points into memory */
	char *data;               /**< data of the ping, in the rest of memory */

	struct nd_overlapped step; /**< call in progress: connect, accept, ... */
	nd_status step_status;
	struct nd_overlapped ended; /**< completes when the connection has ended */
	nd_status ended_status;

	struct request receive;
	/**
	 * The last request of the current step, which is the only request that is not silent. NULL
	 * = the result of this request has arrived.
	 */
	const struct request *last;
	bool has_message; /**< received has a message; valid until connection_receive() */
	bool has_failed;  /**< the reason for the failure has been printed */
	char peer[64];    /**< address of the peer as text */
};

/**
 * Allocate and register memory for data_bytes, and create a completion queue and a connector.
 * @return false: has failed; the caller must call connection_close()
 */
bool connection_open(struct connection *connection, const struct options *options,
	struct nd_adapter *adapter, size_t data_bytes);

/** Limits of an endpoint, which are different for client and server. */
struct connection_limits {
	size_t requests;      /**< highest number of outstanding requests */
	size_t inbound_reads; /**< highest number of the peer's READs */
	size_t outbound_reads;
};

/** Create the endpoint, and post the receive for the first message. @return false: has failed. */
bool
connection_open_endpoint(struct connection *connection, const struct connection_limits *limits);

/** Request a notification of the end of the connection, which is established now. */
void connection_watch(struct connection *connection);

/**
 * @return status of the overlapped call in connection->step; ND_PENDING while it is in progress.
 */
nd_status connection_step(struct connection *connection);

/**
 * Take results and check whether the connection has ended. Call this function once per turn when
 * connected.
 */
void connection_turn(struct connection *connection);

/** @return true if the peer has disconnected or the connection is lost. */
bool connection_is_over(const struct connection *connection);

/** @return true if requests are outstanding, including silent requests. */
static inline bool
connection_is_busy(const struct connection *connection)
{
	return connection->last != NULL;
}

/** Post the receive again, so that the next message will be stored in connection->received. */
void connection_receive(struct connection *connection);

/** Send a message. @param flags 0, or ND_OP_FLAG_SILENT_SUCCESS */
void connection_send(struct connection *connection, struct request *request,
	const struct message *message, uint32_t flags);

/** Check the status of posting a request. @param flags the flags of the posted request */
void connection_posted(
	struct connection *connection, struct request *request, nd_status status, uint32_t flags);

/** Mark the connection as failed, and print the reason if it is the first failure. */
void connection_fail(struct connection *connection, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** With option -d: print the step that was reached. */
void connection_debug(const struct connection *connection, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Begin to disconnect. connection_step() returns ND_PENDING until the peer has answered. */
void connection_disconnect(struct connection *connection);

/**
 * Free everything. If the connection is still established, disconnect without waiting for the
 * answer.
 */
void connection_close(struct connection *connection);

#endif
