/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SERVER_H
#define NDPDK_NDPMD_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_spinlock.h>

#include "report.h"
#include "session.h"
#include "stopwatch.h"

/*
 * The targets of any number of clients: a listener, always one session that waits for the next
 * connection, and the sessions at work. Sessions of one operation of one client form a group; a
 * group that has ended becomes a row of the table. With the group of its last operation, or with
 * one that failed, a client has ended.
 *
 * With several engines there is a server for each, on the lcore of the engine. The first one
 * listens; it gives the session of queue pair N of a client to server N modulo their number, which
 * accepts it. Groups belong to all of them.
 */

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

struct server {
	struct nd_adapter *adapter;
	const struct stopwatch *stopwatch;
	struct nd_listener *listener;
	struct server_team *team;
	const struct transport *transport; /**< of the options */
	uint32_t sides;                    /**< adapters of the process */
	struct session *waiting;
	rte_spinlock_t given_lock;               /**< of given */
	TAILQ_HEAD(server_given, session) given; /**< by the first server, not looked at yet */
	uint32_t given_count;                    /**< may be read without the lock */
	TAILQ_HEAD(server_sessions, session) sessions; /**< accepted or about to be */
	struct completions completions;
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

/** Disconnect all clients and take no more. server_is_idle() says when this is done. */
void server_stop(struct server *server);

/** @return whether no client is connected. */
bool server_is_idle(const struct server *server);

/** Free everything. */
void server_close(struct server *server);

#endif
