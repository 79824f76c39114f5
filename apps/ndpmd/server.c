/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "start.h"

struct server_group {
	struct server_group *next;
	uint64_t client;
	uint32_t op_index;
	uint32_t live; /* sessions that belong to it */
	bool last_op, broken;
	uint64_t start_tsc, stop_tsc;
	struct report_row row;
	/* With operations of the server: their row, and a histogram for each server of the team. */
	struct report_row own_row;
	struct histogram *histograms;
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
	session->transport = server->transport;
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

void
server_team_open(struct server_team *team, struct report *report)
{
	*team = (struct server_team){.report = report};
	rte_spinlock_init(&team->lock);
}

bool
server_listen(struct server *server, const struct options *options)
{
	const uint16_t port = options->listen_port;
	nd_status status;

	if (server->listener != NULL)
		return true;
	status = nd_adapter_listen(
		server->adapter, 0, LINK_PROTOCOL, rte_cpu_to_be_16(port), NULL, &server->listener);
	if (nd_failed(status)) {
		server->listener = NULL;
		snprintf(server->error, sizeof(server->error), "cannot listen on port %u: %s", port,
			nd_status_name(status));
		return false;
	}
	wait_for_client(server);
	return server->waiting != NULL;
}

bool
server_open(struct server *server, struct server_team *team, struct nd_adapter *adapter,
	struct nd_engine *engine, const struct stopwatch *stopwatch, const struct options *options)
{
	memset(server, 0, sizeof(*server));
	TAILQ_INIT(&server->sessions);
	TAILQ_INIT(&server->given);
	rte_spinlock_init(&server->given_lock);
	completions_open(&server->completions, adapter, engine);
	server->adapter = adapter;
	server->stopwatch = stopwatch;
	server->team = team;
	server->transport = &options->transport;
	server->sides = start_sides(options);
	team->servers[team->count++] = server;
	return team->count > 1 || server_listen(server, options);
}

/* @return the group that a session belongs to, NULL: it would be the first one */
static struct server_group *
find_group(const struct server_team *team, const struct session *session)
{
	struct server_group *group;

	for (group = team->groups; group != NULL; group = group->next)
		if (group->client == session->client && group->op_index == session->op_index)
			return group;
	return NULL;
}

static struct server_group *
make_group(struct server_team *team, const struct session *session)
{
	struct server_group *group = calloc(1, sizeof(*group));

	if (group == NULL)
		return NULL;
	if (session->bidirectional) {
		group->histograms = calloc(team->count, sizeof(*group->histograms));
		if (group->histograms == NULL) {
			free(group);
			return NULL;
		}
	}
	group->client = session->client;
	group->op_index = session->op_index;
	group->start_tsc = UINT64_MAX;
	group->row.op = session->op;
	group->row.size_bytes = session->size_bytes;
	group->row.depth = session->depth;
	group->row.qps = session->bidirectional ? session->qp_count / 2 : session->qp_count;
	group->row.posted_by = session->bidirectional ? "client" : NULL;
	group->own_row = group->row;
	group->own_row.posted_by = "server";
	group->next = team->groups;
	team->groups = group;
	return group;
}

static void
report_group(struct server_team *team, struct server_group *group)
{
	struct report_row *own = &group->own_row;

	report_add(team->report, &group->row);
	if (group->histograms == NULL)
		return;
	for (uint32_t i = 1; i < team->count; i++)
		histogram_merge(&group->histograms[0], &group->histograms[i]);
	own->histogram = &group->histograms[0];
	own->seconds = group->row.seconds;
	own->posted = own->ops;
	report_add(team->report, own);
}

static void
end_group(struct server *server, struct server_group *group)
{
	struct server_team *team = server->team;
	struct server_group **link;

	for (link = &team->groups; *link != group; link = &(*link)->next)
		;
	*link = group->next;
	team->errors += group->row.errors + group->own_row.errors;
	if (group->last_op || group->broken)
		__atomic_store_n(&team->clients_done, team->clients_done + 1, __ATOMIC_RELEASE);
	if (group->stop_tsc > group->start_tsc)
		group->row.seconds = (double)stopwatch_ns(server->stopwatch,
					     group->stop_tsc - group->start_tsc) /
			1e9;
	if (team->report != NULL)
		report_group(team, group);
	free(group->histograms);
	free(group);
}

/* The session has ended; its group may have with it. */
static void
leave_group(struct server *server, struct session *session)
{
	struct server_group *group = session->owner;

	if (group == NULL)
		return;
	if (session->posts) {
		group->own_row.ops += session->completed;
		group->own_row.missed += session->missed;
		group->own_row.errors += session->errors + session->peer_errors;
	} else {
		group->row.ops += session->done_count;
		group->row.errors += session->errors;
	}
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
	struct server_team *team = server->team;
	const struct server_group *group = session->owner;

	TAILQ_REMOVE(&server->sessions, session, node);
	rte_spinlock_lock(&team->lock);
	/* Report it once per group: what breaks one connection mostly breaks all of them. */
	if (session->error[0] != '\0' && !server->stopping && (group == NULL || !group->broken) &&
		(team->report != NULL || !session->peer_gone))
		fprintf(stderr, "ndpmd: %s\n", session->error);
	leave_group(server, session);
	rte_spinlock_unlock(&team->lock);
	session_close(session);
	free(session);
}

/* The group of a session, which is one more of its members. NULL: it belongs to none. */
static struct server_group *
join_group(struct server_team *team, const struct session *session)
{
	struct server_group *group;

	rte_spinlock_lock(&team->lock);
	group = find_group(team, session);
	if (group == NULL && session->state != SESSION_FAILED)
		group = make_group(team, session);
	if (group != NULL)
		group->live++;
	rte_spinlock_unlock(&team->lock);
	return group;
}

/* Where the latency of its own operations goes. */
static void
set_histogram(const struct server *server, struct session *session)
{
	const struct server_group *group = session->owner;

	if (!session->posts)
		return;
	session->histogram = server->histogram;
	if (session->histogram != NULL)
		return;
	/* No memory, or connections of one run that do not agree on --bidirectional. */
	if (group == NULL || group->histograms == NULL)
		session_fail(session, "refused a client whose connections do not fit together");
	else
		session->histogram = &group->histograms[session->qp % server->team->count];
}

/* To the server of another lcore, which goes on with it. */
static void
give_session(struct server *to, struct session *session)
{
	completions_forget(session);
	session->completions = &to->completions;
	session->link.asks = true;
	rte_spinlock_lock(&to->given_lock);
	TAILQ_INSERT_TAIL(&to->given, session, node);
	__atomic_store_n(&to->given_count, to->given_count + 1, __ATOMIC_RELEASE);
	rte_spinlock_unlock(&to->given_lock);
}

static void
take_given(struct server *server)
{
	struct session *session;

	if (__atomic_load_n(&server->given_count, __ATOMIC_ACQUIRE) == 0)
		return;
	rte_spinlock_lock(&server->given_lock);
	while ((session = TAILQ_FIRST(&server->given)) != NULL) {
		TAILQ_REMOVE(&server->given, session, node);
		TAILQ_INSERT_TAIL(&server->sessions, session, node);
		completions_wake(session);
		if (server->stopping)
			session_disconnect(session);
	}
	__atomic_store_n(&server->given_count, 0, __ATOMIC_RELEASE);
	rte_spinlock_unlock(&server->given_lock);
}

/*
 * The waiting session got a connection, from a client or from a peer that is not ndpmd.
 * @return whether it is this server's; else another thread has it now
 */
static bool
take_client(struct server *server)
{
	struct session *session = server->waiting;
	struct server *to = server->team->servers[session->qp % server->team->count];
	const bool stays = to == server || session->state == SESSION_FAILED;

	server->waiting = NULL;
	session->owner = join_group(server->team, session);
	set_histogram(to, session);
	if (stays)
		TAILQ_INSERT_TAIL(&server->sessions, session, node);
	else
		give_session(to, session);
	if (!server->stopping)
		wait_for_client(server);
	return stays;
}

static void
turn_session(struct server *server, struct session *session)
{
	session_turn(session);
	if (session == server->waiting) {
		if (session->state == SESSION_LISTENING)
			return;
		if (!take_client(server))
			return;
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

	take_given(server);
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
server_pause(struct server *server)
{
	if (server->listener != NULL)
		nd_listener_release(server->listener);
	server->listener = NULL;
	if (server->waiting != NULL) {
		session_close(server->waiting);
		free(server->waiting);
		server->waiting = NULL;
	}
}

void
server_stop(struct server *server)
{
	struct session *session;

	server->stopping = true;
	take_given(server);
	server_pause(server);
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
