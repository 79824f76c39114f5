/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SERVER_H
#define NDPDK_NDPMD_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"
#include "session.h"
#include "stopwatch.h"

/*
 * The targets of any number of clients: a listener, always one session that waits for the next
 * connection, and the sessions at work. Sessions of one operation of one client form a group; a
 * group that has ended becomes a row of the table. With the group of its last operation, or with
 * one that failed, a client has ended.
 */

struct server_group;

struct server {
	struct nd_adapter *adapter;
	const struct stopwatch *stopwatch;
	struct nd_listener *listener;
	uint32_t sides;        /**< adapters of the process */
	struct report *report; /**< NULL = report no rows and no clients that disconnect early */
	struct session *waiting;
	TAILQ_HEAD(server_sessions, session) sessions; /**< accepted or about to be */
	struct completions completions;
	struct server_group *groups;
	uint64_t clients_done;
	uint64_t errors;
	bool stopping;
	char error[320]; /**< why no more connections can be taken; empty = they can */
};

/** Listen. @param options for all that a client does not decide. @return false: see error. */
bool server_open(struct server *server, struct nd_adapter *adapter,
	const struct stopwatch *stopwatch, const struct options *options, struct report *report);

/** Advance all sessions. Call it after each poll of the adapter's engine. */
void server_turn(struct server *server);

/** Disconnect all clients and take no more. server_is_idle() says when this is done. */
void server_stop(struct server *server);

/** @return whether no client is connected. */
bool server_is_idle(const struct server *server);

/** Free everything. */
void server_close(struct server *server);

#endif
