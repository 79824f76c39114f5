/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONNECTOR_INTERNAL_H
#define NDPDK_ND_CONNECTOR_INTERNAL_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "nd/adapter.h"
#include "nd/cq.h"
#include "nd/srq.h"
#include "nd/state.h"

/** First member of each structure that may be the context of a cm_id. */
enum cm_owner {
	CM_OWNER_CONNECTOR,
	CM_OWNER_REQUEST, /**< request that waits in a listener, see listener.h */
};

/** Private data from the peer, zero-padded to the largest size of any message. */
struct peer_data {
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	uint16_t count;
};

/** An endpoint. Its queue pair follows in the same allocation: endpoint_qp(). */
struct nd_endpoint {
	/*
	 * The members that posting reads and writes are first, in one cache line with slot.timer.
	 * The queue pair and the completion queues of an endpoint have the same home.
	 */
	alignas(RTE_CACHE_LINE_SIZE) struct nd_engine *home;
	/** copy of the connector's state, so that posting does not read the connector; atomic */
	enum connector_state state;
	bool batching;
	/**
	 * nd_endpoint_flush() was called: an error of the queue pair does not end the connection;
	 * atomic, written on the endpoint's home
	 */
	bool flushing;
	struct engine_qp slot;
	struct nd_connector *connector;
	struct nd_cq *inbound_cq;
	struct nd_cq *outbound_cq;
	struct nd_srq *srq; /**< NULL: the endpoint has its own receive queue */
	uint32_t inline_max;
	uint8_t inbound_reads;
	uint8_t outbound_reads;
	/** largest value of inbound_reads; the queue pair was created for this many */
	uint8_t inbound_reads_max;
	/** whether ND_RECOVERY_SELECTIVE is used; read and written on the first engine */
	bool selective;
};

static_assert(offsetof(struct nd_endpoint, slot.timer) + sizeof(struct wheel_entry) <=
		RTE_CACHE_LINE_SIZE,
	"posting touches one line besides those of the queue pair");

struct nd_connector {
	enum cm_owner owner;
	enum connector_state state; /**< read and written on the first engine */
	struct nd_adapter *adapter;
	struct base_list node; /**< in adapter->connectors */
	struct nd_endpoint *endpoint;
	struct cm_id *id;
	struct cm_peer peer;      /**< valid in ANSWERED, ASKED and later */
	struct peer_data data;    /**< private data of the peer; valid if has_data is set */
	bool has_data;            /**< whether nd_connector_get_connection_data() may be called */
	struct wire_gid peer_gid; /**< valid from RESOLVING (active) or ASKED (passive) on */
	uint16_t peer_port;       /**< host order */
	uint16_t local_port;
	struct nd_end end; /**< how the connection or the last attempt ended */
	/** pending connect, accept or disconnect; empty or one operation */
	struct base_list operation;
	struct nd_overlapped
		*waiting; /**< pending nd_listener_get_connection_request() for this connector */
	struct base_list notifies; /**< pending nd_connector_notify_disconnect() operations */
	uint32_t keepalive_ms;     /**< keepalive interval of the connection; 0 = none */
	struct engine_resolve resolve;
	uint32_t receive_psn; /**< first PSN that the peer uses; sent to the peer in REQ or REP */
	nd_status
		connect_status; /**< ND_PENDING, or why the connect failed before a REQ was sent */
	/* Arguments of nd_connector_connect(), kept until the REQ is sent. */
	uint64_t service_id;
	uint8_t private_data[LIMIT_CALLER_DATA];
	uint16_t private_bytes;
};

/* ---- connector.c ---- */

/** Change the state of the connector. Its endpoint's home sees the new state at once. */
void connector_go(struct nd_connector *connector, enum connector_state next);

/** The peer can receive and answer: the connection is established. */
void connector_established(struct nd_connector *connector);

/** Finish the pending operation, if any. */
void connector_operation_finish(struct nd_connector *connector, nd_status status);

/**
 * overlapped_cancel_fn of connect, accept and disconnect. A connect or accept is abandoned
 * (ND-175). A disconnect continues, but its completion is not reported.
 */
nd_status connector_operation_cancel(struct nd_overlapped *overlapped);

/** Handle an event that the connection manager reports for this connection. */
void connector_event(struct nd_connector *connector, const struct cm_event *event);

/** Handle the first packet on the queue pair: a pending accept is complete. */
void connector_traffic_seen(struct nd_connector *connector);

/** Handle an error of the queue pair: disconnect from the peer, and end the connection. */
void connector_qp_failed(struct nd_connector *connector);

/** Called before the endpoint is released: end the connection, or abandon the attempt. */
void connector_endpoint_leaves(struct nd_connector *connector);

/** Finish the pending operations with ND_CANCELED. A pending connect or accept is abandoned. */
void connector_cancel(struct nd_connector *connector);

/** Free the connector. Pending operations end with ND_CANCELED. Release the endpoint before. */
void connector_close(struct nd_connector *connector);

/* ---- connect.c ---- */

/**
 * Negotiate the read limits with the peer, and fill in the parameters for connecting the queue
 * pair. Called on the first engine.
 */
void connector_connect_attr(struct nd_connector *connector, struct rc_qp_connect_attr *attr);

/** First member of the argument of a call that connects a queue pair. */
struct connecting {
	struct nd_endpoint *endpoint;
	struct rc_qp_connect_attr attr;
};

/**
 * Connect the queue pair. This is the stage execute() of the call, on the endpoint's home.
 * @param arg points to a struct connecting
 */
nd_status connecting_execute(void *arg);

/** @return values that this side sends in REQ or REP: read limits, QPN, Starting PSN */
struct cm_endpoint connector_offer(const struct nd_connector *connector);

/**
 * Called on the first engine when the queue pair is connected with this path. From now on the queue
 * pair follows changes of the peer's MAC address, which may have changed meanwhile.
 */
void connector_serve(struct nd_connector *connector, const struct wire_path *path);

/* ---- accept.c ---- */

/** Take over a connection request that a listener has received. */
void connector_take_request(
	struct nd_connector *connector, struct cm_id *id, const struct peer_data *data);

#endif
