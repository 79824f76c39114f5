/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_STORM_SERVER_H
#define NDPDK_E2E_STORM_SERVER_H

#include <stdint.h>

#include "attack_net.h"

/*
 * Applications that behave correctly while one side floods the other with connection requests. The
 * server on the victim accepts every request, and releases connections that were never confirmed.
 * The client starts many connections at once. The poll functions of both check the status of all
 * operations.
 */

#define STORM_SERVER_MAX 6144
#define STORM_CLIENT_MAX 2048
#define STORM_WAITING    64 /**< number of the server's pending calls that wait for a request */

struct storm_end {
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped overlapped;
	enum { STORM_UNUSED, STORM_WAITS, STORM_ACCEPTS, STORM_CONNECTS, STORM_CONNECTED } state;
};

struct storm_side {
	struct net *net;
	struct nd_adapter *adapter;
	struct nd_cq *cq;
	uint32_t waiting_count;
	uint32_t connected_count;
	/** Number of connections that were requested or accepted but not established. */
	uint32_t failed_count;
	uint32_t no_endpoint_count;
	uint32_t end_max;
	struct storm_end ends[STORM_SERVER_MAX];
};

/** Let the victim accept connection requests. @return the only server of the process */
struct storm_side *storm_server_start(struct net *net);
void storm_server_poll(struct storm_side *server);

/** Start count connections to the victim. @return the only client of the process */
struct storm_side *storm_client_start(struct net *net, enum net_name from, uint32_t count);
void storm_client_poll(struct storm_side *client);

#endif
