/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_LISTENER_INTERNAL_H
#define NDPDK_ND_LISTENER_INTERNAL_H

#include "nd/connector.h"

/** A connection request that no connector has taken yet. */
struct nd_request {
	enum cm_owner owner;
	struct base_list node; /**< of the listener's requests */
	struct cm_id *id;
	struct peer_data data;
};

struct nd_listener {
	struct nd_adapter *adapter;
	struct base_list node; /**< of the adapter's listeners */
	struct cm_listener *cm;
	struct base_list waiting; /**< pending nd_listener_get_connection_request(), oldest first */
	struct base_list requests; /**< struct nd_request, oldest first */
};

/**
 * The connection manager has received a REQ for this listener: queue it, or give it to the
 * connector that waits longest.
 */
void listener_request(struct nd_listener *listener, struct cm_id *id, const struct cm_event *event);

/** The peer of a queued request has given up: drop the request. */
void listener_request_gone(struct nd_request *request);

/** End all pending nd_listener_get_connection_request() with ND_CANCELED. */
void listener_cancel(struct nd_listener *listener);

/** Stop listening and free. */
void listener_close(struct nd_listener *listener);

#endif
