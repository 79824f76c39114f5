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
	CM_OWNER_REQUEST, /**< waits in a listener, see listener.h */
};

/** Private data as the peer sent it, zero-padded to the transport's full size. */
struct peer_data {
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	uint16_t count;
};

/** Its queue pair lies behind it in the same memory: endpoint_qp(). */
struct nd_endpoint {
	/*
	 * What posting reads and writes comes first, in one line with the timer of the slot. Its
	 * home is that of its queue pair and completion queues.
	 */
	alignas(RTE_CACHE_LINE_SIZE) struct nd_engine *home;
	/** the connector's, so that posting need not read it; atomic */
	enum connector_state state;
	bool batching;
	/**
	 * nd_endpoint_flush() was called: the error of the queue pair does not end the connection;
	 * atomic, written on the endpoint's home
	 */
	bool flushing;
	struct engine_qp slot;
	struct nd_connector *connector;
	struct nd_cq *inbound_cq;
	struct nd_cq *outbound_cq;
	struct nd_srq *srq; /**< NULL: it has receives of its own */
	uint32_t inline_max;
	uint8_t inbound_reads;
	uint8_t outbound_reads;
	uint8_t inbound_reads_max; /**< that its queue pair has room for */
	bool selective; /**< ND_RECOVERY_SELECTIVE; read and written on the first engine */
};

static_assert(offsetof(struct nd_endpoint, slot.timer) + sizeof(struct wheel_entry) <=
		RTE_CACHE_LINE_SIZE,
	"posting touches one line besides those of the queue pair");

struct nd_connector {
	enum cm_owner owner;
	enum connector_state state; /**< read and written on the first engine */
	struct nd_adapter *adapter;
	struct base_list node; /**< of the adapter's connectors */
	struct nd_endpoint *endpoint;
	struct cm_id *id;
	struct cm_peer peer;      /**< valid in ANSWERED, ASKED and later */
	struct peer_data data;    /**< valid when has_data */
	bool has_data;            /**< get_connection_data may be called */
	struct wire_gid peer_gid; /**< valid from RESOLVING, ASKED on */
	uint16_t peer_port;       /**< host order */
	uint16_t local_port;
	struct nd_end end;          /**< of the connection, or of the last attempt */
	struct base_list operation; /**< the pending connect, accept or disconnect */
	struct nd_overlapped
		*waiting; /**< pending nd_listener_get_connection_request() for this connector */
	struct base_list notifies; /**< pending notify_disconnect */
	uint32_t keepalive_ms;     /**< of its connection; 0 = none */
	struct engine_resolve resolve;
	uint32_t receive_psn; /**< first PSN that the peer shall use, told in REQ or REP */
	nd_status
		connect_status; /**< ND_PENDING, or why the connect failed before a REQ was sent */
	/* Arguments of nd_connector_connect(), kept until the REQ is sent. */
	uint64_t service_id;
	uint8_t private_data[LIMIT_CALLER_DATA];
	uint16_t private_bytes;
};

/* ---- connector.c ---- */

/** Go to a state; the endpoint's home learns it at once. */
void connector_go(struct nd_connector *connector, enum connector_state next);

/** The peer is there, and can answer: the connection is established. */
void connector_established(struct nd_connector *connector);

/** End the pending operation, if any. */
void connector_operation_finish(struct nd_connector *connector, nd_status status);

/**
 * overlapped_cancel_fn of connect, accept and disconnect: an attempt is abandoned (ND-175), a
 * disconnect goes on, but its end is not reported.
 */
nd_status connector_operation_cancel(struct nd_overlapped *overlapped);

/** The connection manager reports an event of this connection. */
void connector_event(struct nd_connector *connector, const struct cm_event *event);

/** The queue pair has received its first packet: an accept is complete. */
void connector_traffic_seen(struct nd_connector *connector);

/** The queue pair has gone to error, for whatever cause: tell the peer, and end the connection. */
void connector_qp_failed(struct nd_connector *connector);

/** Its endpoint is about to be released: end the connection, or abandon the attempt. */
void connector_endpoint_leaves(struct nd_connector *connector);

/** End its pending operations with ND_CANCELED; an attempt is abandoned. */
void connector_cancel(struct nd_connector *connector);

/** Free it; pending operations end with ND_CANCELED. Its endpoint must have been released. */
void connector_close(struct nd_connector *connector);

/* ---- connect.c ---- */

/**
 * Agree with the peer on read limits, and fill the parameters that the queue pair is connected
 * with. On the first engine.
 */
void connector_connect_attr(struct nd_connector *connector, struct rc_qp_connect_attr *attr);

/** The queue pair that a call puts in service, and how. First member of the call's argument. */
struct connecting {
	struct nd_endpoint *endpoint;
	struct rc_qp_connect_attr attr;
};

/**
 * Connect the queue pair: the stage of such a call at the home of the endpoint.
 * @param arg points to a struct connecting
 */
nd_status connecting_execute(void *arg);

/** @return what this side offers in REQ or REP: read limits, QPN, Starting PSN. */
struct cm_endpoint connector_offer(const struct nd_connector *connector);

/**
 * The queue pair is connected, with this path: from now on it follows its peer, which may have got
 * another MAC address meanwhile. On the first engine.
 */
void connector_serve(struct nd_connector *connector, const struct wire_path *path);

/* ---- accept.c ---- */

/** Take over a connection request that a listener has received. */
void connector_take_request(
	struct nd_connector *connector, struct cm_id *id, const struct peer_data *data);

#endif
