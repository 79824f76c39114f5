/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONNECTOR_INTERNAL_H
#define NDPDK_ND_CONNECTOR_INTERNAL_H

#include <stdbool.h>

#include "base/limits.h"
#include "nd/adapter.h"
#include "nd/cq.h"
#include "nd/state.h"

/** First member of what a cm_id's context points to. */
enum cm_owner {
	CM_OWNER_CONNECTOR,
	CM_OWNER_REQUEST, /**< waits in a listener, see listener.h */
};

/** Private data as the peer sent it, at the transport's full size. */
struct peer_data {
	uint8_t bytes[WIRE_CM_PRIVATE_BYTES];
	uint16_t count;
};

struct nd_endpoint {
	struct engine_qp slot;
	struct nd_connector *connector;
	struct nd_cq *inbound_cq;
	struct nd_cq *outbound_cq;
	uint32_t inline_max;
	uint8_t inbound_reads;
	uint8_t outbound_reads;
	bool batching;
	bool flushing; /**< nd_endpoint_flush(): the error that follows is wanted */
};

struct nd_connector {
	enum cm_owner owner;
	struct nd_adapter *adapter;
	struct base_list node; /**< of the adapter's connectors */
	enum connector_state state;
	struct nd_endpoint *endpoint;
	struct cm_id *id;
	struct cm_peer peer;      /**< valid in ANSWERED, ASKED and later */
	struct peer_data data;    /**< valid when has_data */
	bool has_data;            /**< get_connection_data may be called */
	struct wire_gid peer_gid; /**< valid from RESOLVING, ASKED on */
	uint16_t peer_port;       /**< host order */
	uint16_t local_port;
	struct base_list operation; /**< the pending connect, accept or disconnect */
	struct nd_overlapped
		*waiting; /**< pending nd_listener_get_connection_request() for this connector */
	struct base_list notifies; /**< pending notify_disconnect */
	struct engine_resolve resolve;
	uint32_t receive_psn;     /**< first PSN of the peer's requests, told in REQ or REP */
	nd_status connect_status; /**< what the start of a connect came to */
	/* What nd_connector_connect() was given, until the REQ is sent. */
	uint64_t service_id;
	uint8_t private_data[LIMIT_CALLER_DATA];
	uint16_t private_bytes;
};

/* ---- connector.c ---- */

/** End the pending operation, if any. */
void connector_operation_finish(struct nd_connector *connector, nd_status status);

/**
 * How a pending connect, accept or disconnect is cancelled: an attempt is given up (ND-175), a
 * disconnect goes on unwatched.
 */
nd_status connector_operation_cancel(struct nd_overlapped *overlapped);

/** A message or a timer of the connection manager. */
void connector_event(struct nd_connector *connector, const struct cm_event *event);

/** The first packet of the peer came through the queue pair. */
void connector_traffic_seen(struct nd_connector *connector);

/** The queue pair has failed, or was flushed. */
void connector_qp_failed(struct nd_connector *connector);

/** Its endpoint is about to be released: end the connection, or give up the attempt. */
void connector_endpoint_leaves(struct nd_connector *connector);

/** End its pending operations with ND_CANCELED; an attempt is given up. */
void connector_cancel(struct nd_connector *connector);

/** Free it; its operations end with ND_CANCELED. It has no endpoint any more. */
void connector_close(struct nd_connector *connector);

/* ---- connect.c ---- */

/** Bring the endpoint into service with the peer's and the adapter's parameters. */
nd_status connector_endpoint_connect(struct nd_connector *connector);

/** What this side offers in REQ or REP: read limits after capping, QPN, PSN. */
struct cm_endpoint connector_offer(const struct nd_connector *connector);

/* ---- accept.c ---- */

/** Take over a request that waited in a listener. */
void connector_take_request(
	struct nd_connector *connector, struct cm_id *id, const struct peer_data *data);

#endif
