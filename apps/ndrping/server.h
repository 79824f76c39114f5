/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_SERVER_H
#define NDPDK_NDRPING_SERVER_H

#include <stdbool.h>

#include "echo.h"

/* The listener, one connection that waits for a client, and a list of those that have one. */

struct server {
	const struct options *options;
	struct nd_adapter *adapter;
	struct nd_listener *listener; /**< NULL: no more clients are taken */
	struct echo *waiting;         /**< NULL: likewise */
	struct echo *echoes;
	bool has_failed; /**< why has been printed */
};

/** Listen. The caller must call server_close() in any case. */
void server_open(struct server *server, const struct options *options, struct nd_adapter *adapter);

/**
 * Advance all connections. Call it after each poll of the engine. @return whether there is more to
 * do.
 */
bool server_turn(struct server *server);

/** Disconnect all clients and take no more. */
void server_stop(struct server *server);

/** Free everything. @return whether all went well. */
bool server_close(struct server *server);

#endif
