/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "start.h"

#define PROTOCOL 6

struct server_group {
	struct server_group *next;
	uint64_t client;
	uint32_t op_index;
	uint32_t live; /* sessions that belong to it */
	bool last_op, broken;
	uint64_t start_tsc, stop_tsc;
	struct report_row row;
};

/* A failure is reported once: without a waiting session the server accepts no more clients. */
static void
wait_for_client(struct server *server)
{
	struct session *session = calloc(1, sizeof(*session));

	if (session == NULL) {
		snprintf(server->error, sizeof(server->error), "no memory for a connection");
		return;
	}
	session->adapter = server->adapter;
	session->completions = &server->completions;
	session->stopwatch = server->stopwatch;
	session->sides = server->sides;
	session_listen(session, server->listener);
	if (session->state == SESSION_FAILED) {
		snprintf(server->error, sizeof(server->error), "%s", session->error);
		session_close(session);
		free(session);
		return;
	}
	server->waiting = session;
}

bool
server_open(struct server *server, struct nd_adapter *adapter, const struct stopwatch *stopwatch,
	const struct options *options, struct report *report)
{
	nd_status status;

	memset(server, 0, sizeof(*server));
	TAILQ_INIT(&server->sessions);
	completions_open(&server->completions, adapter);
	server->adapter = adapter;
	server->stopwatch = stopwatch;
	server->report = report;
	server->sides = start_sides(options);
	status = nd_adapter_listen(adapter, 0, PROTOCOL, rte_cpu_to_be_16(options->listen_port),
		NULL, &server->listener);
	if (nd_failed(status)) {
		server->listener = NULL;
		snprintf(server->error, sizeof(server->error), "cannot listen on port %u: %s",
			options->listen_port, nd_status_name(status));
		return false;
	}
	wait_for_client(server);
	return server->waiting != NULL;
}

/* @return the group that a session belongs to, NULL: it would be the first one */
static struct server_group *
find_group(const struct server *server, const struct session *session)
{
	struct server_group *group;

	for (group = server->groups; group != NULL; group = group->next)
		if (group->client == session->client && group->op_index == session->op_index)
			return group;
	return NULL;
}

static struct server_group *
make_group(struct server *server, const struct session *session)
{
	struct server_group *group = calloc(1, sizeof(*group));

	if (group == NULL)
		return NULL;
	group->client = session->client;
	group->op_index = session->op_index;
	group->start_tsc = UINT64_MAX;
	group->row.op = session->op;
	group->row.size_bytes = session->size_bytes;
	group->row.depth = session->depth;
	group->row.qps = session->qp_count;
	group->next = server->groups;
	server->groups = group;
	return group;
}

static void
end_group(struct server *server, struct server_group *group)
{
	struct server_group **link;

	for (link = &server->groups; *link != group; link = &(*link)->next)
		;
	*link = group->next;
	server->errors += group->row.errors;
	if (group->last_op || group->broken)
		server->clients_done++;
	if (group->stop_tsc > group->start_tsc)
		group->row.seconds = (double)stopwatch_ns(server->stopwatch,
					     group->stop_tsc - group->start_tsc) /
			1e9;
	if (server->report != NULL)
		report_add(server->report, &group->row);
	free(group);
}

/* The session has ended; its group may have with it. */
static void
leave_group(struct server *server, struct session *session)
{
	struct server_group *group = session->owner;

	if (group == NULL)
		return;
	group->row.ops += session->done_count;
	group->row.errors += session->errors;
	group->last_op |= session->last_op;
	group->broken |= session->error[0] != '\0';
	if (session->running_tsc != 0 && session->running_tsc < group->start_tsc)
		group->start_tsc = session->running_tsc;
	if (session->finished_tsc > group->stop_tsc)
		group->stop_tsc = session->finished_tsc;
	if (--group->live == 0)
		end_group(server, group);
}

static void
end_session(struct server *server, struct session *session)
{
	const struct server_group *group = session->owner;

	/* Report it once per group: what breaks one connection mostly breaks all of them. */
	if (session->error[0] != '\0' && !server->stopping && (group == NULL || !group->broken) &&
		(server->report != NULL || !session->peer_gone))
		fprintf(stderr, "ndpmd: %s\n", session->error);
	TAILQ_REMOVE(&server->sessions, session, node);
	leave_group(server, session);
	session_close(session);
	free(session);
}

/* The waiting session got a connection, from a client or from a peer that is not ndpmd. */
static void
take_client(struct server *server)
{
	struct session *session = server->waiting;
	struct server_group *group = find_group(server, session);

	server->waiting = NULL;
	if (group == NULL && session->state != SESSION_FAILED)
		group = make_group(server, session);
	session->owner = group;
	if (group != NULL)
		group->live++;
	TAILQ_INSERT_TAIL(&server->sessions, session, node);
	if (!server->stopping)
		wait_for_client(server);
}

static void
turn_session(struct server *server, struct session *session)
{
	session_turn(session);
	if (session == server->waiting) {
		if (session->state == SESSION_LISTENING)
			return;
		take_client(server);
	}
	if (session->state == SESSION_FAILED)
		session_disconnect(session);
	if (session->state == SESSION_CLOSED)
		end_session(server, session);
}

/* The deadline of one session, each time of another one. */
static void
check_deadlines(struct server *server)
{
	struct session *session = TAILQ_FIRST(&server->sessions);

	if (session == NULL || server->completions.timed_count == 0)
		return;
	session_check_deadline(session);
	TAILQ_REMOVE(&server->sessions, session, node);
	TAILQ_INSERT_TAIL(&server->sessions, session, node);
}

void
server_turn(struct server *server)
{
	struct session *session;

	completions_take(&server->completions);
	for (uint32_t i = completions_turn_count(&server->completions); i > 0; i--) {
		session = completions_next(&server->completions);
		if (session == NULL)
			break;
		turn_session(server, session);
	}
	check_deadlines(server);
}

void
server_stop(struct server *server)
{
	struct session *session;

	server->stopping = true;
	if (server->listener != NULL)
		nd_listener_release(server->listener);
	server->listener = NULL;
	if (server->waiting != NULL) {
		session_close(server->waiting);
		free(server->waiting);
		server->waiting = NULL;
	}
	TAILQ_FOREACH (session, &server->sessions, node)
		if (session->state != SESSION_DISCONNECTING && session->state != SESSION_CLOSED) {
			session->finished_tsc = stopwatch_now();
			session_disconnect(session);
		}
}

bool
server_is_idle(const struct server *server)
{
	return TAILQ_EMPTY(&server->sessions);
}

void
server_close(struct server *server)
{
	if (!server->stopping)
		server_stop(server);
	/* The static analyzer does not see that a session that was freed is in no list any more. */
	while (!TAILQ_EMPTY(&server->sessions))
		end_session(server, TAILQ_FIRST(&server->sessions)); /* NOLINT(*-unix.Malloc) */
	completions_close(&server->completions);
}
