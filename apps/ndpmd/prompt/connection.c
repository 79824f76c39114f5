/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "connection.h"

#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/program.h"
#include "kit/value.h"

#include "commands.h"
#include "prompt.h"
#include "ndpmd/session.h"

/*
 * Longest time in s to wait for the engine. The limit applies if the engine makes no progress. A
 * handshake that fails ends earlier.
 */
#define WAIT_SECONDS    60u
/* Longest time in s that ndpmd waits, before it ends, for the peer's answer to a disconnect. */
#define GOODBYE_SECONDS 2u

struct prompt_connection {
	struct completions completions;
	struct session session;
	struct histogram histogram; /* histogram that a session needs but never uses here */
	struct nd_mw *mw;
	struct nd_result invalidated; /* result of the window, which the peer never invalidates */
	struct nd_mw_descriptor descriptor;
	struct request request; /* the bind or invalidate in progress */
	bool is_requested;      /* request was posted, and its result has not arrived */
	bool is_bound, is_leaving;
	struct sockaddr_storage peer;
};

/* Close the connection without waiting for the peer. */
static void
connection_close(struct prompt *prompt)
{
	struct prompt_connection *connection = prompt->connection;

	if (connection == NULL)
		return;
	session_close(&connection->session);
	if (connection->mw != NULL)
		nd_mw_release(connection->session.adapter, connection->mw);
	completions_close(&connection->completions);
	free(connection);
	prompt->connection = NULL;
}

void
connection_turn(struct prompt *prompt)
{
	struct prompt_connection *connection = prompt->connection;
	struct session *session;

	if (connection == NULL)
		return;
	session_take_results(&connection->completions);
	session = completions_next(&connection->completions);
	if (session != NULL)
		session_turn(session);
	session_check_deadline(&connection->session);
	if (connection->is_requested && !connection->request.busy) {
		connection->is_requested = false;
		connection->is_bound = !connection->is_bound;
	}
	if (connection->is_leaving && connection->session.state == SESSION_RUNNING)
		session_finish(&connection->session);
}

static bool
has_ended(const struct prompt_connection *connection)
{
	return connection->session.state == SESSION_FAILED ||
		connection->session.state == SESSION_CLOSED;
}

void
connection_end(struct prompt *prompt)
{
	const uint64_t end_tsc = stopwatch_now() + GOODBYE_SECONDS * prompt->host.stopwatch->hz;
	struct prompt_connection *connection = prompt->connection;

	if (connection == NULL)
		return;
	connection->is_leaving = true;
	while (connection->session.state >= SESSION_RUNNING && !has_ended(connection) &&
		stopwatch_now() < end_tsc) {
		workers_turn(prompt->host.workers);
		connection_turn(prompt);
	}
	connection_close(prompt);
}

/*
 * @return true if the connection no longer exists because a different command has detected a
 *         failure and closed it
 */
static bool
is_forgotten(const struct prompt *prompt, struct answer *answer)
{
	if (prompt->connection != NULL)
		return false;
	answer_refuse(answer, EXIT_RUN_FAILED, "the connection has ended");
	return true;
}

static void
tell_connection(struct prompt *prompt, struct answer *answer)
{
	answer->result = json_object_new_object();
	json_object_object_add(answer->result, "connection", connection_window_json(prompt));
}

static bool
connect_is_over(struct prompt *prompt, struct answer *answer)
{
	const struct session *session;

	if (is_forgotten(prompt, answer))
		return true;
	session = &prompt->connection->session;
	if (session->state == SESSION_RUNNING) {
		tell_connection(prompt, answer);
		return true;
	}
	if (!has_ended(prompt->connection) && stopwatch_now() < answer->until_tsc)
		return false;
	answer_refuse(answer, EXIT_RUN_FAILED, "%s",
		session->end.error[0] != '\0' ? session->end.error
					      : "the connection was not established in time");
	connection_close(prompt);
	return true;
}

static void
prepare(struct prompt *prompt, struct prompt_connection *connection)
{
	const struct prompt_host *host = &prompt->host;
	const bool is_client = host->client_adapter != NULL;
	struct worker *worker = host->workers->worker[0];
	struct nd_adapter *adapter = is_client ? host->client_adapter : host->server_adapter;
	struct session *session = &connection->session;

	completions_open(&connection->completions, adapter,
		is_client ? worker->client_engine : worker->server_engine);
	session->adapter = adapter;
	session->completions = &connection->completions;
	session->transport = &host->options->transport;
	session->sides = 1;
	session->stopwatch = host->stopwatch;
	session->setup.op = OPTIONS_OP_SEND;
	session->setup.size_bytes = 64;
	session->setup.depth = 1;
	session->setup.qp_count = 1;
	session->setup.client = pattern_seed(0, PATTERN_REQUEST, stopwatch_now());
	session->histogram = &connection->histogram;
	session->last_op = true;
}

void
command_connect(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct prompt_connection *connection;

	if (prompt->connection != NULL && has_ended(prompt->connection))
		connection_close(prompt);
	if (prompt->connection != NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"there is already a connection: disconnect first; start makes its own "
			"connections");
		return;
	}
	connection = calloc(1, sizeof(*connection));
	if (connection == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED, "no memory for a connection");
		return;
	}
	connection->peer = *prompt->host.peer;
	if (words->count == 1 && !value_address(words->word[0], &connection->peer))
		answer_refuse(answer, EXIT_BAD_USE,
			"Bad arguments: %.64s: expected an IPv4 or IPv6 address", words->word[0]);
	else if (connection->peer.ss_family == AF_UNSPEC)
		answer_refuse(answer, EXIT_BAD_USE,
			"Bad arguments: expected connect IP: a server has no default peer");
	if (answer->error[0] != '\0') {
		free(connection);
		return;
	}
	prepare(prompt, connection);
	prompt->connection = connection;
	session_connect(&connection->session, &connection->peer, prompt->host.options->listen_port);
	answer->until_tsc = stopwatch_now() + WAIT_SECONDS * prompt->host.stopwatch->hz;
	answer->later = connect_is_over;
}

static bool
disconnect_is_over(struct prompt *prompt, struct answer *answer)
{
	const struct session *session;

	if (is_forgotten(prompt, answer))
		return true;
	session = &prompt->connection->session;
	if (session->state == SESSION_FAILED)
		answer_refuse(answer, EXIT_RUN_FAILED, "%s", session->end.error);
	else if (session->state != SESSION_CLOSED && stopwatch_now() < answer->until_tsc)
		return false;
	connection_close(prompt);
	if (answer->error[0] == '\0') {
		answer->result = json_object_new_object();
		json_object_object_add(
			answer->result, "state", json_object_new_string("disconnected"));
	}
	return true;
}

/* @return true if the connection is established and no bind or invalidate is in progress */
static bool
is_usable(struct prompt *prompt, struct answer *answer)
{
	struct prompt_connection *connection = prompt->connection;

	if (connection == NULL) {
		answer_refuse(answer, EXIT_RUN_FAILED, "there is no connection: connect first");
		return false;
	}
	if (has_ended(connection)) {
		answer_refuse(answer, EXIT_RUN_FAILED, "%s",
			connection->session.end.error[0] != '\0' ? connection->session.end.error
								 : "the connection has ended");
		connection_close(prompt);
		return false;
	}
	if (connection->session.state != SESSION_RUNNING || connection->is_leaving ||
		connection->is_requested) {
		answer_refuse(answer, EXIT_RUN_FAILED,
			"another command for this connection is in progress");
		return false;
	}
	return true;
}

void
command_disconnect(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	if (!is_usable(prompt, answer))
		return;
	prompt->connection->is_leaving = true;
	answer->until_tsc = stopwatch_now() + WAIT_SECONDS * prompt->host.stopwatch->hz;
	answer->later = disconnect_is_over;
}

static bool
request_is_over(struct prompt *prompt, struct answer *answer)
{
	struct prompt_connection *connection = prompt->connection;

	if (is_forgotten(prompt, answer))
		return true;
	if (has_ended(connection)) {
		answer_refuse(answer, EXIT_RUN_FAILED, "%s",
			connection->session.end.error[0] != '\0' ? connection->session.end.error
								 : "the connection has ended");
		connection_close(prompt);
		return true;
	}
	if (connection->is_requested)
		return false;
	tell_connection(prompt, answer);
	return true;
}

/*
 * Prepare the request so that its result is passed to the session. The session handles the result
 * like the result of binding a window.
 */
static void
begin_request(struct prompt_connection *connection)
{
	connection->is_requested = true;
	connection->request = (struct request){
		.session = &connection->session, .kind = REQUEST_WINDOW, .busy = true};
}

static void
request_posted(struct prompt_connection *connection, nd_status status, const char *what,
	struct answer *answer)
{
	if (nd_failed(status)) {
		connection->is_requested = false;
		answer_refuse(answer, EXIT_RUN_FAILED, "%s cannot be posted: %s", what,
			nd_status_name(status));
		return;
	}
	answer->later = request_is_over;
}

void
command_bind(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct prompt_connection *connection;
	struct session *session;
	nd_status status = ND_SUCCESS;

	(void)words;
	if (!is_usable(prompt, answer))
		return;
	connection = prompt->connection;
	session = &connection->session;
	if (connection->is_bound) {
		answer_refuse(answer, EXIT_RUN_FAILED, "the window is bound: invalidate first");
		return;
	}
	if (connection->mw == NULL)
		status = nd_adapter_create_memory_window(
			session->adapter, &connection->invalidated, &connection->mw);
	if (nd_failed(status)) {
		answer_refuse(answer, EXIT_RUN_FAILED, "the memory window cannot be created: %s",
			nd_status_name(status));
		return;
	}
	begin_request(connection);
	status = nd_endpoint_bind(session->link.endpoint, &connection->request.result,
		session->memory.mr, connection->mw, session->memory.local,
		session->memory.slot_bytes, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
		&connection->descriptor);
	request_posted(connection, status, "the bind", answer);
}

void
command_invalidate(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct prompt_connection *connection;

	(void)words;
	if (!is_usable(prompt, answer))
		return;
	connection = prompt->connection;
	if (!connection->is_bound) {
		answer_refuse(answer, EXIT_RUN_FAILED, "no window is bound: bind first");
		return;
	}
	begin_request(connection);
	request_posted(connection,
		nd_endpoint_invalidate(connection->session.link.endpoint,
			&connection->request.result, connection->mw, 0),
		"the invalidate", answer);
}

static const char *
state_name(const struct prompt_connection *connection)
{
	switch (connection->session.state) {
	case SESSION_RUNNING:
		return "connected";
	case SESSION_FAILED:
		return "failed";
	case SESSION_CLOSED:
		return "closed";
	case SESSION_FINISHING:
	case SESSION_DISCONNECTING:
		return "disconnecting";
	case SESSION_IDLE:
	case SESSION_LISTENING:
	case SESSION_ASKED:
	case SESSION_ACCEPTING:
	case SESSION_CONNECTING:
	case SESSION_COMPLETING:
	case SESSION_GREETING:
	case SESSION_PREPARING:
		break;
	}
	return "connecting";
}

struct json_object *
connection_window_json(struct prompt *prompt)
{
	const struct prompt_connection *connection = prompt->connection;
	struct json_object *object;
	char address[64];

	if (connection == NULL)
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "state", json_object_new_string(state_name(connection)));
	json_object_object_add(object, "peer",
		json_object_new_string(
			options_address_text(&connection->peer, address, sizeof(address))));
	json_object_object_add(
		object, "window_bound", json_object_new_boolean(connection->is_bound));
	json_object_object_add(object, "window_bytes",
		json_object_new_uint64(
			connection->is_bound ? connection->session.memory.slot_bytes : 0));
	return object;
}
