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

/**
 * Type of the object that a cm_id has as context. The type is the first member of each of these
 * objects.
 */
enum cm_owner {
	CM_OWNER_CONNECTOR,
	CM_OWNER_REQUEST, /**< connection request that waits in a listener; see listener.h */
};

/** Private data that the peer has sent, padded with zeros to the largest size of any message. */
struct peer_data {
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	uint16_t count;
};

/** An endpoint. Its queue pair follows it in the same allocation; see endpoint_qp(). */
struct nd_endpoint {
	/*
	 * The members that posting reads and writes are first. They are in one cache line with
	 * slot.timer. The endpoint, its queue pair and its completion queues have the same home.
	 */
	alignas(RTE_CACHE_LINE_SIZE) struct nd_engine *home;
	/** Copy of the connector's state, so that posting need not read the connector. Atomic. */
	enum connector_state state;
	bool batching;
	/**
	 * True after nd_endpoint_flush(): an error of the queue pair then does not end the
	 * connection. Atomic. Written on the endpoint's home.
	 */
	bool flushing;
	struct engine_qp slot;
	struct nd_connector *connector;
	struct nd_cq *inbound_cq;
	struct nd_cq *outbound_cq;
	struct nd_srq *srq; /**< NULL if the endpoint has its own receive queue */
	uint32_t inline_max;
	uint8_t inbound_reads;
	uint8_t outbound_reads;
	/**
	 * Largest allowed value of inbound_reads. The queue pair was created for this number of
	 * READs.
	 */
	uint8_t inbound_reads_max;
	/** True if ND_RECOVERY_SELECTIVE is used. Only the first engine reads and writes it. */
	bool selective;
};

static_assert(offsetof(struct nd_endpoint, slot.timer) + sizeof(struct wheel_entry) <=
		RTE_CACHE_LINE_SIZE,
	"posting uses one cache line besides those of the queue pair");

struct nd_connector {
	enum cm_owner owner;
	enum connector_state state; /**< used by the first engine only */
	struct nd_adapter *adapter;
	struct base_list node; /**< in adapter->connectors */
	struct nd_endpoint *endpoint;
	struct cm_id *id;
	/** Values of the peer. Valid in ANSWERED, ASKED and later states. */
	struct cm_peer peer;
	struct peer_data data; /**< private data from the peer; valid if has_data is set */
	bool has_data;         /**< true if nd_connector_get_connection_data() may be called */
	/** Peer's address. Valid from RESOLVING (active side) or ASKED (passive side) on. */
	struct wire_gid peer_gid;
	uint16_t peer_port; /**< host order */
	uint16_t local_port;
	struct nd_end end; /**< reason for the end of the connection or of the last attempt */
	/** List that contains the pending connect, accept or disconnect operation, or is empty. */
	struct base_list operation;
	struct nd_overlapped
		/** Pending nd_listener_get_connection_request() of this connector. NULL: none. */
		*waiting;
	struct base_list notifies; /**< pending nd_connector_notify_disconnect() operations */
	uint32_t keepalive_ms;     /**< keepalive interval of the connection; 0 = no keepalives */
	struct engine_resolve resolve;
	/** Starting PSN of the peer's packets. Sent to the peer in the REQ or REP. */
	uint32_t receive_psn;
	nd_status
		connect_status; /**< reason why a connect failed before the REQ; ND_PENDING: none */
	/* The members below are arguments of nd_connector_connect(), kept until the REQ is sent. */
	uint64_t service_id;
	uint8_t private_data[LIMIT_CALLER_DATA];
	uint16_t private_bytes;
};

/* ---- connector.c ---- */

/** Change the connector's state. The copy of the state in its endpoint changes at once. */
void connector_go(struct nd_connector *connector, enum connector_state next);

/** Called when the connection is established, that is, when the peer can receive and answer. */
void connector_established(struct nd_connector *connector);

/** Finish the pending connect, accept or disconnect, if there is one. */
void connector_operation_finish(struct nd_connector *connector, nd_status status);

/**
 * Implements overlapped_cancel_fn for connect, accept and disconnect. A connect or accept is
 * abandoned (ND-175). A disconnect continues, but its completion is not reported.
 */
nd_status connector_operation_cancel(struct nd_overlapped *overlapped);

/** Handle an event that the connection manager reports for this connection. */
void connector_event(struct nd_connector *connector, const struct cm_event *event);

/**
 * Called when the first packet of the peer arrives on the queue pair, which completes a pending
 * accept.
 */
void connector_traffic_seen(struct nd_connector *connector);

/** Called when the queue pair has failed: disconnect from the peer, and end the connection. */
void connector_qp_failed(struct nd_connector *connector);

/** Called before the endpoint is released: end the connection, or abandon the connect or accept. */
void connector_endpoint_leaves(struct nd_connector *connector);

/** Finish the pending operations with ND_CANCELED. A pending connect or accept is abandoned. */
void connector_cancel(struct nd_connector *connector);

/**
 * Free the connector. Pending operations end with ND_CANCELED. Its endpoint must be released
 * before.
 */
void connector_close(struct nd_connector *connector);

/* ---- connect.c ---- */

/**
 * Negotiate the read limits with the peer, and fill in the parameters for connecting the queue
 * pair. Called on the first engine.
 */
void connector_connect_attr(struct nd_connector *connector, struct rc_qp_connect_attr *attr);

/** First member of the argument of each call that connects a queue pair. */
struct connecting {
	struct nd_endpoint *endpoint;
	struct rc_qp_connect_attr attr;
};

/**
 * Connect the queue pair. Stage execute() of the staged call, on the endpoint's home.
 * @param arg points to a struct connecting
 */
nd_status connecting_execute(void *arg);

/** @return values that this side sends in REQ or REP: read limits, QPN, Starting PSN */
struct cm_endpoint connector_offer(const struct nd_connector *connector);

/**
 * Called on the first engine when the queue pair is connected with this path. From now on, the
 * queue pair follows changes of the peer's MAC address. A change that happened meanwhile is applied
 * now.
 */
void connector_serve(struct nd_connector *connector, const struct wire_path *path);

/* ---- accept.c ---- */

/** Assign a connection request that a listener has received to the connector. */
void connector_take_request(
	struct nd_connector *connector, struct cm_id *id, const struct peer_data *data);

#endif
