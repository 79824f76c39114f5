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
 * The targets of any number of clients. With several engines there is a server for each, on the
 * lcore of the engine; the first one listens.
 *
 * What clients say and do depends on the program that they are: struct server_functions, which
 * server_sessions.c has for an ndpmd and perftest/server.c for a program of perftest.
 */

struct server;
struct server_group;

#define SERVERS_MAX OPTIONS_LCORES_MAX

/** What all servers of an adapter have in common. */
struct server_team {
	struct server *servers[SERVERS_MAX]; /**< the first one listens */
	uint32_t count;
	rte_spinlock_t lock;   /**< of groups and what follows */
	struct report *report; /**< NULL = report no rows and no clients that disconnect early */
	struct server_group *groups;
	uint64_t clients_done; /**< may be read without the lock */
	uint64_t errors;
};

/** The clients of a server. No function blocks. */
struct server_functions {
	size_t bytes; /**< of server->clients, which are zeroed */
	/** Prepare for clients. */
	void (*open)(struct server *server, struct nd_engine *engine);
	/** There is a listener: wait for clients. Sets error when it cannot. */
	void (*listen)(struct server *server);
	/** Let connections go on. */
	void (*turn)(struct server *server);
	/** The listener is gone: wait for clients no more. NULL: nothing to do */
	void (*pause)(struct server *server);
	/** After pause, and for good: disconnect. */
	void (*stop)(struct server *server);
	/** @return whether no client is connected */
	bool (*is_idle)(const struct server *server);
	/** Free everything. */
	void (*close)(struct server *server);
};

struct server {
	const struct server_functions *functions;
	void *clients; /**< theirs; NULL = not open */
	struct nd_adapter *adapter;
	const struct options *options;
	const struct stopwatch *stopwatch;
	struct nd_listener *listener; /**< NULL = takes no clients */
	struct server_team *team;
	/** Of its own operations in loopback, where a run has it; NULL: the group has one */
	struct histogram *histogram;
	bool stopping;
	char error[320]; /**< why no more connections can be taken; empty = they can */
};

/** Prepare a team without servers. @param report see server_team */
void server_team_open(struct server_team *team, struct report *report);

/**
 * Add a server to a team; the first one listens. All are added before one of them is used.
 * @param options for all that a client does not decide
 * @return false: see error
 */
bool server_open(struct server *server, struct server_team *team, struct nd_adapter *adapter,
	struct nd_engine *engine, const struct stopwatch *stopwatch, const struct options *options);

/** Advance all sessions. Call it after each poll of the adapter's engine. */
void server_turn(struct server *server);

/**
 * The first server of a team: take clients. Does nothing if it does so already.
 * @return false: see error
 */
bool server_listen(struct server *server, const struct options *options);

/** Take no more clients; those that are connected stay. server_listen() ends it. */
void server_pause(struct server *server);

/** A client has ended. */
void server_count_client(struct server_team *team);

/** Disconnect all clients and take no more. server_is_idle() says when this is done. */
void server_stop(struct server *server);

/** @return whether no client is connected. */
bool server_is_idle(const struct server *server);

/** Free everything. */
void server_close(struct server *server);

#endif
