/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_LISTENER_INTERNAL_H
#define NDPDK_ND_LISTENER_INTERNAL_H

#include "nd/connector.h"

/** A connection request that no connector has taken yet. */
struct nd_request {
	enum cm_owner owner;
	struct base_list node; /**< in the listener's requests */
	struct cm_id *id;
	struct peer_data data;
};

struct nd_listener {
	struct nd_adapter *adapter;
	struct base_list node; /**< in the adapter's listeners */
	struct cm_listener *cm;
	/** Pending operations of nd_listener_get_connection_request(), oldest first. */
	struct base_list waiting;
	struct base_list requests; /**< struct nd_request, oldest first */
};

/**
 * Handle a REQ for this listener: give the request to the connector that has waited longest, or
 * queue it.
 */
void listener_request(struct nd_listener *listener, struct cm_id *id, const struct cm_event *event);

/** Drop a queued request because its peer has given up. */
void listener_request_gone(struct nd_request *request);

/** Finish all pending nd_listener_get_connection_request() operations with ND_CANCELED. */
void listener_cancel(struct nd_listener *listener);

/** Stop listening, and free the listener. */
void listener_close(struct nd_listener *listener);

#endif
