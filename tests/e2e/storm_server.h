/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_STORM_SERVER_H
#define NDPDK_E2E_STORM_SERVER_H

#include <stdint.h>

#include "attack_net.h"

/*
 * What an honest application does on either side of a storm of connections: the victim accepts
 * every request, and releases what was never confirmed; the client connects many times at once.
 * Both look at their operations when they are polled.
 */

#define STORM_SERVER_MAX 6144
#define STORM_CLIENT_MAX 2048
#define STORM_WAITING    64 /**< requests that the server waits for at a time */

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
	uint32_t failed_count; /**< accepted or asked for, and never connected */
	uint32_t no_endpoint_count;
	uint32_t end_max;
	struct storm_end ends[STORM_SERVER_MAX];
};

/** Begin to take the victim's requests. @return the only server there is. */
struct storm_side *storm_server_start(struct net *net);
void storm_server_poll(struct storm_side *server);

/** Connect count times to the victim. @return the only client there is. */
struct storm_side *storm_client_start(struct net *net, enum net_name from, uint32_t count);
void storm_client_poll(struct storm_side *client);

#endif
