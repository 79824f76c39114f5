/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>
#include <stdlib.h>

#include "peer_kind.h"
#include "server.h"
#include "session.h"
#include "shared.h"
#include "start.h"

/*
 * Serves clients that are ndpmd processes. One session listens for the next connection; the other
 * sessions are connected. The sessions of one operation of one client form a group. When all
 * sessions of a group have ended, the group becomes a row of the table. A client ends with the
 * group of its last operation, or with a group that has a failure.
 *
 * With several servers, the first server accepts requests for all servers. It passes the session of
 * queue pair N to server N modulo the number of servers, which accepts the connection. All servers
 * share the groups.
 */

struct sessions {
	struct session *waiting;
	rte_spinlock_t given_lock; /* protects given */
	/* sessions from the first server that were not taken yet */
	TAILQ_HEAD(given, session) given;
	uint32_t given_count;                 /* length of given; may be read without the lock */
	TAILQ_HEAD(working, session) working; /* sessions that are accepted or are being accepted */
	struct completions completions;
	struct shared_receives shared; /* receives of --srq */
	bool shares;                   /* shared is open */
};

struct server_group {
	struct server_group *next;
	uint64_t client;
	uint32_t op_index;
	uint32_t live; /* number of the group's sessions that have not ended */
	bool last_op, broken;
	uint64_t start_tsc, stop_tsc;
	struct report_row row;
	/*
	 * With --bidirectional: a row for the operations that the servers posted, and a histogram
	 * for each server.
	 */
	struct report_row own_row;
	struct histogram *histograms;
};

/*
 * Create the session that listens. On failure, the server accepts no more clients and reports the
 * failure once.
 */
static void
wait_for_client(struct server *server)
{
	struct sessions *own = server->clients;
	struct session *session = calloc(1, sizeof(*session));

	if (session == NULL) {
		snprintf(server->error, sizeof(server->error), "no memory for a connection");
		return;
	}
	session->adapter = server->adapter;
	session->completions = &own->completions;
	session->shared = own->shares ? &own->shared : NULL;
	session->stopwatch = server->stopwatch;
	session->transport = &server->options->transport;
	session->sides = start_sides(server->options);
	session_listen(session, server->listener);
	if (session->state == SESSION_FAILED) {
		snprintf(server->error, sizeof(server->error), "%s", session->end.error);
		session_close(session);
		free(session);
		return;
	}
	own->waiting = session;
}

/*
 * With --srq: create the shared receive queue for all sessions of this server, and reserve entries
 * of the completion queue for the receive results.
 */
static void
share_receives(struct server *server, const struct nd_engine *engine)
{
	const struct options *options = server->options;
	struct sessions *own = server->clients;
	uint32_t size_bytes = 0;
	nd_status status;

	for (unsigned int i = 0; i < options->size_count; i++)
		size_bytes = RTE_MAX(size_bytes, options->sizes[i]);
	status = shared_open(&own->shared, server->adapter, engine, options->srq, size_bytes);
	if (!nd_failed(status))
		status = completions_reserve(&own->completions, options->srq);
	own->shares = !nd_failed(status);
	if (!own->shares) {
		shared_close(&own->shared);
		snprintf(server->error, sizeof(server->error),
			"%u shared receive%s of %u bytes cannot be created: %s", options->srq,
			options->srq == 1 ? "" : "s", size_bytes, nd_status_name(status));
	}
}

static void
open_all(struct server *server, struct nd_engine *engine)
{
	struct sessions *own = server->clients;

	TAILQ_INIT(&own->working);
	TAILQ_INIT(&own->given);
	rte_spinlock_init(&own->given_lock);
	completions_open(&own->completions, server->adapter, engine);
	if (server->options->srq > 0)
		share_receives(server, engine);
}

/* @return the group of a session; NULL = the group does not exist yet */
static struct server_group *
find_group(const struct server_team *team, const struct session *session)
{
	struct server_group *group;

	for (group = team->groups; group != NULL; group = group->next)
		if (group->client == session->setup.client &&
			group->op_index == session->setup.op_index)
			return group;
	return NULL;
}

static struct server_group *
make_group(struct server_team *team, const struct session *session)
{
	struct server_group *group = calloc(1, sizeof(*group));

	if (group == NULL)
		return NULL;
	if (session->setup.bidirectional) {
		group->histograms = calloc(team->count, sizeof(*group->histograms));
		if (group->histograms == NULL) {
			free(group);
			return NULL;
		}
	}
	group->client = session->setup.client;
	group->op_index = session->setup.op_index;
	group->start_tsc = UINT64_MAX;
	group->row.op = session->setup.op;
	group->row.size_bytes = session->setup.size_bytes;
	group->row.depth = session->setup.depth;
	group->row.qps = session->setup.bidirectional ? session->setup.qp_count / 2
						      : session->setup.qp_count;
	group->row.posted_by = session->setup.bidirectional ? "client" : NULL;
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
		server_count_client(team);
	if (group->stop_tsc > group->start_tsc)
		group->row.seconds = (double)stopwatch_ns(server->stopwatch,
					     group->stop_tsc - group->start_tsc) /
			1e9;
	if (team->report != NULL)
		report_group(team, group);
	free(group->histograms);
	free(group);
}

/*
 * @return 1 if the session's broken connection counts as an error; otherwise 0. In three cases the
 *         connection does not count: other errors of the session are counted, the client has
 *         disconnected (as after Ctrl-C), or the server is ending.
 */
static uint64_t
broken_count(const struct server *server, const struct session *session)
{
	const bool counted = session->tally.errors + session->tally.peer_errors > 0;

	return server->team->report != NULL && !server->stopping && !counted &&
		session->end.error[0] != '\0' && !session->end.peer_left;
}

/* Remove a session from its group. If the group has no other session, end the group. */
static void
leave_group(struct server *server, struct session *session)
{
	struct server_group *group = session->owner;

	if (group == NULL)
		return;
	if (session->posts) {
		group->own_row.ops += session->tally.completed;
		group->own_row.missed += session->pace.missed;
		group->own_row.errors += session->tally.errors + session->tally.peer_errors +
			broken_count(server, session);
	} else {
		group->row.ops += session->tally.done_count;
		group->row.errors += session->tally.errors + broken_count(server, session);
	}
	group->last_op |= session->last_op;
	group->broken |= session->end.error[0] != '\0';
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
	struct sessions *own = server->clients;
	struct server_team *team = server->team;
	const struct server_group *group = session->owner;

	TAILQ_REMOVE(&own->working, session, node);
	rte_spinlock_lock(&team->lock);
	/*
	 * Print one error for each group, because an error usually breaks all connections of the
	 * group.
	 */
	if (session->end.error[0] != '\0' && !server->stopping &&
		(group == NULL || !group->broken) &&
		(team->report != NULL || !session->end.peer_gone))
		fprintf(stderr, "ndpmd: %s\n", session->end.error);
	leave_group(server, session);
	rte_spinlock_unlock(&team->lock);
	session_close(session);
	free(session);
}

/*
 * Add a session to its group. @return the group; NULL = no memory, or there is no group because the
 * session has failed
 */
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

static void
set_histogram(const struct server *server, struct session *session)
{
	const struct server_group *group = session->owner;

	if (!session->posts)
		return;
	session->histogram = server->histogram;
	if (session->histogram != NULL)
		return;
	/* Either memory is lacking, or connections of one run differ in --bidirectional. */
	if (group == NULL || group->histograms == NULL)
		session_fail(session,
			"refused a client: no memory, or its connections differ in "
			"--bidirectional");
	else
		session->histogram = &group->histograms[session->setup.qp % server->team->count];
}

/* Pass a session to the server on a different lcore, which advances the session from now on. */
static void
give_session(struct sessions *own, struct session *session)
{
	completions_forget(session);
	session->completions = &own->completions;
	session->shared = own->shares ? &own->shared : NULL;
	session->link.asks = true;
	rte_spinlock_lock(&own->given_lock);
	TAILQ_INSERT_TAIL(&own->given, session, node);
	__atomic_store_n(&own->given_count, own->given_count + 1, __ATOMIC_RELEASE);
	rte_spinlock_unlock(&own->given_lock);
}

static void
take_given(struct server *server)
{
	struct sessions *own = server->clients;
	struct session *session;

	if (__atomic_load_n(&own->given_count, __ATOMIC_ACQUIRE) == 0)
		return;
	rte_spinlock_lock(&own->given_lock);
	while ((session = TAILQ_FIRST(&own->given)) != NULL) {
		TAILQ_REMOVE(&own->given, session, node);
		TAILQ_INSERT_TAIL(&own->working, session, node);
		completions_wake(session);
		if (server->stopping)
			session_disconnect(session);
	}
	__atomic_store_n(&own->given_count, 0, __ATOMIC_RELEASE);
	rte_spinlock_unlock(&own->given_lock);
}

/*
 * The session that listens has a connection request, from ndpmd or a different program. Pass the
 * session to the server that is responsible for its queue pair, and create a new session that
 * listens.
 * @return true if this server keeps the session; false = a different thread owns the session now
 */
static bool
take_client(struct server *server)
{
	struct sessions *own = server->clients;
	struct session *session = own->waiting;
	struct server *to = server->team->servers[session->setup.qp % server->team->count];
	const bool stays = to == server || session->state == SESSION_FAILED;

	own->waiting = NULL;
	session->owner = join_group(server->team, session);
	set_histogram(to, session);
	if (stays)
		TAILQ_INSERT_TAIL(&own->working, session, node);
	else
		give_session(to->clients, session);
	if (!server->stopping)
		wait_for_client(server);
	return stays;
}

static void
turn_session(struct server *server, struct session *session)
{
	const struct sessions *own = server->clients;

	session_turn(session);
	if (session == own->waiting) {
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

/* Check the deadline of one session. Each call checks the next session. */
static void
check_deadlines(struct sessions *own)
{
	struct session *session = TAILQ_FIRST(&own->working);

	if (session == NULL || own->completions.timed_count == 0)
		return;
	session_check_deadline(session);
	TAILQ_REMOVE(&own->working, session, node);
	TAILQ_INSERT_TAIL(&own->working, session, node);
}

static void
turn(struct server *server)
{
	struct sessions *own = server->clients;
	struct session *session;

	take_given(server);
	session_take_results(&own->completions);
	for (uint32_t i = completions_turn_count(&own->completions); i > 0; i--) {
		session = completions_next(&own->completions);
		if (session == NULL)
			break;
		turn_session(server, session);
	}
	check_deadlines(own);
}

static void
wait_no_more(struct server *server)
{
	struct sessions *own = server->clients;

	if (own->waiting == NULL)
		return;
	session_close(own->waiting);
	free(own->waiting);
	own->waiting = NULL;
}

static void
stop(struct server *server)
{
	struct sessions *own = server->clients;
	struct session *session;

	take_given(server);
	TAILQ_FOREACH (session, &own->working, node)
		if (session->state != SESSION_DISCONNECTING && session->state != SESSION_CLOSED) {
			session->finished_tsc = stopwatch_now();
			session_disconnect(session);
		}
}

static bool
is_idle(const struct server *server)
{
	const struct sessions *own = server->clients;

	return TAILQ_EMPTY(&own->working);
}

static void
close_all(struct server *server)
{
	struct sessions *own = server->clients;

	/*
	 * NOLINT: the static analyzer does not see that end_session() removes the session from the
	 * list.
	 */
	while (!TAILQ_EMPTY(&own->working))
		end_session(server, TAILQ_FIRST(&own->working)); /* NOLINT(*-unix.Malloc) */
	completions_close(&own->completions);
	shared_close(&own->shared);
}

const struct server_functions server_sessions = {
	.bytes = sizeof(struct sessions),
	.open = open_all,
	.listen = wait_for_client,
	.turn = turn,
	.pause = wait_no_more,
	.stop = stop,
	.is_idle = is_idle,
	.close = close_all,
};
