/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_PEER_KIND_H
#define NDPDK_NDPMD_PEER_KIND_H

#include <stdbool.h>

#include "options.h"

struct run_functions;
struct server_functions;

/** Properties of the peer's program (ndpmd or perftest), and functions for connections to it. */
struct peer_kind {
	const char *clients; /**< word for the clients in "waiting for clients" */
	bool is_metered;     /**< true if --interval prints lines and the figures are checked */
	const struct run_functions *run; /**< functions of a client */
	const struct server_functions *server;
};

/** @return the kind of peer that the options select. The structure has static lifetime. */
const struct peer_kind *peer_kind_of(const struct options *options);

/** Functions for a peer that is an ndpmd: run_sessions.c, server_sessions.c. */
extern const struct run_functions run_sessions;
extern const struct server_functions server_sessions;

/**
 * Functions for --perftest, with a program of Linux' perftest -R: perftest/client.c,
 * perftest/server.c.
 */
extern const struct run_functions perftest_client;
extern const struct server_functions perftest_server;

#endif
