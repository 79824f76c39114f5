/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SERVER_H
#define NDPDK_NDPMD_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_spinlock.h>

#include <ndpdk/nd.h>

#include "histogram.h"
#include "options.h"
#include "report.h"
#include "stopwatch.h"

/*
 * Serves any number of clients. With several engines there is a server for each engine, on the
 * lcore of the engine. The first server listens.
 *
 * Functions that depend on the program of the clients are in struct server_functions:
 * server_sessions.c implements them for ndpmd, and perftest/server.c for a program of perftest.
 */

struct server;
struct server_group;

#define SERVERS_MAX OPTIONS_LCORES_MAX

/** All servers of an adapter. */
struct server_team {
	const struct server_functions *functions;
	struct server *servers[SERVERS_MAX]; /**< the first server listens */
	uint32_t count;
	rte_spinlock_t lock;   /**< protects groups, clients_done and errors */
	struct report *report; /**< NULL = report no rows and no clients that disconnect early */
	struct server_group *groups;
	uint64_t clients_done; /**< clients that have ended; may be read without the lock */
	uint64_t errors;
};

/** Functions for the clients of a server. No function blocks. */
struct server_functions {
	size_t bytes; /**< size of server->clients, which is zeroed */
	/** Prepare for clients. */
	void (*open)(struct server *server, struct nd_engine *engine);
	/** Wait for clients with the listener. Sets error on failure. */
	void (*listen)(struct server *server);
	/** Advance the connections. */
	void (*turn)(struct server *server);
	/** Stop waiting for clients, because the listener was released. NULL: nothing to do */
	void (*pause)(struct server *server);
	/** Disconnect all clients, after pause. The server does not listen again. */
	void (*stop)(struct server *server);
	/** @return whether no client is connected */
	bool (*is_idle)(const struct server *server);
	/** Free everything. */
	void (*close)(struct server *server);
};

struct server {
	void *clients; /**< data of the team's functions; NULL = not open */
	struct nd_adapter *adapter;
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_listener *listener; /**< NULL = accepts no clients */
	struct server_team *team;
	/** Loopback: latency of the server's operations, owned by a run; NULL: the group has one */
	struct histogram *histogram;
	bool stopping;
	char error[320]; /**< why no more connections can be accepted; empty = they can */
};

/** Initialise a team without servers. @param functions, report see server_team */
void server_team_open(
	struct server_team *team, const struct server_functions *functions, struct report *report);

/**
 * Add a server to a team. Add all servers before one of them is used.
 * @param options settings that the client does not decide
 * @return false: see error
 */
bool server_open(struct server *server, struct server_team *team, struct nd_adapter *adapter,
	struct nd_engine *engine, const struct stopwatch *stopwatch, const struct options *options);

/** Advance all sessions. Call it after each poll of the adapter's engine. */
void server_turn(struct server *server);

/**
 * First server of a team: accept clients. Does nothing if it accepts clients already.
 * @return false: see error
 */
bool server_listen(struct server *server, const struct options *options);

/** Accept no more clients until server_listen(). Connected clients stay. */
void server_pause(struct server *server);

/** Count a client that has ended. */
void server_count_client(struct server_team *team);

/** Disconnect all clients and accept no more. server_is_idle() returns true when this is done. */
void server_stop(struct server *server);

/** @return whether no client is connected. */
bool server_is_idle(const struct server *server);

/** Free everything. */
void server_close(struct server *server);

#endif
