/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_SERVER_H
#define NDPDK_NDRPING_SERVER_H

#include <stdbool.h>

#include "echo.h"

/*
 * The server: the listener, one connection that listens for a client, and a list of connections
 * with clients.
 */

struct server {
	const struct options *options;
	struct nd_adapter *adapter;
	struct nd_listener *listener; /**< NULL = the server accepts no more clients */
	struct echo *waiting;         /**< connection that listens; NULL = no connection listens */
	struct echo *echoes;
	bool has_failed; /**< the reason for the failure has been printed */
};

/** Start to listen. The caller must call server_close() in any case, even after a failure. */
void server_open(struct server *server, const struct options *options, struct nd_adapter *adapter);

/**
 * Advance all connections. Call this function after each poll of the engine.
 * @return true until the server has ended
 */
bool server_turn(struct server *server);

/** Disconnect all clients and accept no more. */
void server_stop(struct server *server);

/** Free everything. @return true if no connection has failed. */
bool server_close(struct server *server);

#endif
