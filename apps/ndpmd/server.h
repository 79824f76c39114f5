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
 * Serves any number of clients. With several engines, each engine has a server on its lcore. Only
 * the first server listens.
 *
 * Functions that depend on the clients' program are in struct server_functions. server_sessions.c
 * implements these functions for ndpmd, and perftest/server.c for a program of perftest.
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
	struct report *report; /**< NULL = report neither rows nor early disconnects */
	struct server_group *groups;
	uint64_t clients_done; /**< number of clients that have ended; may be read without lock */
	uint64_t errors;
};

/** Functions for the clients of a server. No function blocks. */
struct server_functions {
	size_t bytes; /**< size of server->clients, which is allocated and zeroed */
	void (*open)(struct server *server, struct nd_engine *engine);
	/** Listen for clients with server->listener. On failure, sets server->error. */
	void (*listen)(struct server *server);
	void (*turn)(struct server *server);
	/** Stop listening, because the listener was released. NULL = this is not necessary */
	void (*pause)(struct server *server);
	/** Disconnect all clients. Called after pause. The server does not listen again. */
	void (*stop)(struct server *server);
	bool (*is_idle)(const struct server *server);
	void (*close)(struct server *server);
};

struct server {
	void *clients; /**< data of the team's functions; NULL = not open */
	struct nd_adapter *adapter;
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_listener *listener; /**< NULL = this server does not listen */
	struct server_team *team;
	/**
	 * Loopback: latency of the server's operations; a run owns the histogram. NULL = use the
	 * group's histogram
	 */
	struct histogram *histogram;
	bool stopping;
	char error[320]; /**< reason why the server can accept no more clients; empty = it can */
};

/** Initialise a team without servers. For functions and report see struct server_team. */
void server_team_open(
	struct server_team *team, const struct server_functions *functions, struct report *report);

/**
 * Add a server to a team. All servers must be added before any of them is used.
 * @param options have the settings that the client does not decide
 * @return false: see server->error
 */
bool server_open(struct server *server, struct server_team *team, struct nd_adapter *adapter,
	struct nd_engine *engine, const struct stopwatch *stopwatch, const struct options *options);

/** Advance all sessions. Call this function after each poll of the adapter's engine. */
void server_turn(struct server *server);

/**
 * Accept clients. Call this function for the first server of a team. Does nothing if the server
 * already accepts clients.
 * @return false: see server->error
 */
bool server_listen(struct server *server, const struct options *options);

/** Accept no more clients until the next server_listen(). Connected clients stay connected. */
void server_pause(struct server *server);

/** Add 1 to the number of clients that have ended. */
void server_count_client(struct server_team *team);

/**
 * Disconnect all clients and accept no more clients. server_is_idle() returns true when all clients
 * have ended.
 */
void server_stop(struct server *server);

bool server_is_idle(const struct server *server);

void server_close(struct server *server);

#endif
