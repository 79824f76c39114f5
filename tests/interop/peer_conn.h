/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_CONN_H
#define NDPDK_INTEROP_PEER_CONN_H

/**
 * One connection of interop-peer, with all its objects. Only the connection's task calls these
 * functions. While a function waits, other tasks run. conn_fail() stores the first failure in the
 * connection, so callers need not report it again.
 */

#include <ndpdk/nd.h>
#include <ndpdk/nd_end.h>

#include "guest/peer_protocol.h"

#define CONN_RECEIVES 64u
#define CONN_SENDS    64u

struct peer;

/**
 * An outstanding request. Member `result` must be the first, because its address identifies the
 * request.
 */
struct request {
	struct nd_result result;
	bool done;
};

/** Registered memory. */
struct region {
	uint8_t *bytes;
	size_t size;
	struct nd_mr *mr;
};

struct conn {
	struct peer *peer;
	uint32_t number;
	bool active; /* This side is the client. */
	struct protocol_request asked;
	const char *name; /* name of the scenario */

	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_overlapped gone; /* the peer has disconnected */
	nd_status gone_status;
	bool watched;

	struct region exposed;
	struct region local; /* memory for data to send and for data from READs */
	struct region inbox; /* receive buffers: up to CONN_RECEIVES slots of slot_bytes */
	uint32_t slot_bytes;
	uint32_t slots;
	uint32_t received;
	struct request receives[CONN_RECEIVES];
	struct request sends[CONN_SENDS];
	struct request single;
	bool offered; /* sends[0] is an offer */

	uint8_t peer_data[256];
	size_t peer_data_bytes;
	nd_status connect_status;
	const char *outcome; /* result of an access that may be refused; static text */
	char why[200];       /* first failure; empty: none */
	double started;
	struct nd_end end;
	double transfer_seconds;
};

bool conn_fail(struct conn *conn, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * @return true if the call has succeeded immediately; otherwise conn_fail() stores the name of the
 * call
 */
bool conn_called(struct conn *conn, nd_status status, const char *call);

/**
 * Wait until an overlapped call is complete. @return status of the call; ND_TIMEOUT if it did not
 * complete
 */
nd_status conn_finish(struct conn *conn, nd_status status, struct nd_overlapped *overlapped);

/** Create a completion queue, an endpoint and, unless the listener has created it, a connector. */
bool conn_open(struct conn *conn);

bool conn_register(struct conn *conn, struct region *region, size_t size);

bool conn_register_buffers(
	struct conn *conn, const struct nd_buffer *buffers, size_t count, struct nd_mr **mr);
bool conn_deregister(struct conn *conn, struct nd_mr *mr);

bool conn_make_window(struct conn *conn, struct request *invalidated, struct nd_mw **mw);
bool conn_release_window(struct conn *conn, struct nd_mw *mw);

/**
 * Register the receive buffers. @param slots number of expected messages; limited to CONN_RECEIVES
 */
bool conn_register_inbox(struct conn *conn, uint32_t slot_bytes, uint32_t slots);

bool conn_connect(struct conn *conn, const void *data, size_t bytes);
bool conn_accept(struct conn *conn, const void *data, size_t bytes);
void conn_keep_peer_data(struct conn *conn);

bool conn_disconnect(struct conn *conn);

/** Store the reason for the end of the connection in conn->end. */
void conn_keep_end(struct conn *conn);

bool conn_wait_gone(struct conn *conn);
bool conn_is_gone(struct conn *conn);

void conn_release_endpoint(struct conn *conn);

/** Release all objects. The connection counts as failed if a release fails. */
void conn_close(struct conn *conn);

bool conn_receive(struct conn *conn, uint32_t slot);
uint8_t *conn_slot(struct conn *conn, uint32_t slot);

/** Post a SEND of `size` bytes at `offset` of conn->local. */
bool conn_send(struct conn *conn, struct request *request, size_t offset, size_t size);

/**
 * Wait for the result of a request. @return status of the result; ND_TIMEOUT if no result arrived
 */
nd_status conn_result(struct conn *conn, struct request *request);

bool conn_succeeded(struct conn *conn, struct request *request, const char *what);

/** Wait for a message in a slot. The message must have `size` bytes. */
bool conn_received(struct conn *conn, uint32_t slot, size_t size);

/** Bind a window to [offset, offset + size) of conn->exposed. */
bool conn_bind(struct conn *conn, struct nd_mw *mw, size_t offset, size_t size, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/**
 * Execute a READ or WRITE, and wait. @return status of the result; if the call failed, status of
 * the call
 */
nd_status conn_access(struct conn *conn, bool read, const struct nd_mw_descriptor *window,
	uint64_t offset, const struct nd_sge *local);

struct nd_sge conn_sge(const struct region *region, size_t offset, size_t size);

/** conn_fill() writes the payload of operation k, and conn_check() checks it. */
void conn_fill(uint8_t *bytes, uint32_t k, size_t size);
bool conn_check(struct conn *conn, const uint8_t *bytes, uint32_t k, size_t size);

#endif
