/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>

static void
wait_for_client(struct server *server)
{
	server->waiting = calloc(1, sizeof(*server->waiting));
	if (server->waiting == NULL) {
		fprintf(stderr, "ndrping: no memory for a client\n");
		server->has_failed = true;
		return;
	}
	echo_open(server->waiting, server->options, server->adapter, server->listener);
}

void
server_open(struct server *server, const struct options *options, struct nd_adapter *adapter)
{
	nd_status status;

	*server = (struct server){.options = options, .adapter = adapter};
	status = nd_adapter_listen(adapter, 0, CONNECTION_PROTOCOL,
		rte_cpu_to_be_16(options->service_port), NULL, &server->listener);
	if (nd_failed(status)) {
		fprintf(stderr, "ndrping: cannot listen on port %u: %s\n", options->service_port,
			nd_status_name(status));
		server->listener = NULL;
		server->has_failed = true;
		return;
	}
	wait_for_client(server);
	if (options->debug)
		fprintf(stderr, "ndrping: listening on port %u\n", options->service_port);
}

static void
end_echo(struct server *server, struct echo *echo)
{
	/* With -P, the failure of one client is not a failure of the server. */
	if (!echo_close(echo) && !server->options->persistent)
		server->has_failed = true;
	free(echo);
}

/* Release the listener. Requests in its queue and later requests are rejected. */
static void
stop_listening(struct server *server)
{
	if (server->listener != NULL)
		nd_listener_release(server->listener);
	server->listener = NULL;
}

/*
 * The listening connection has got a client. Move the connection to the list. With -P, create the
 * next listening connection.
 */
static void
take_client(struct server *server)
{
	struct echo *echo = server->waiting;

	server->waiting = NULL;
	echo->next = server->echoes;
	server->echoes = echo;
	if (server->options->persistent)
		wait_for_client(server);
	else
		stop_listening(server);
}

bool
server_turn(struct server *server)
{
	struct echo **link = &server->echoes;

	if (server->waiting != NULL) {
		echo_turn(server->waiting);
		if (server->waiting->state != ECHO_LISTENING)
			take_client(server);
	}
	while (*link != NULL) {
		struct echo *echo = *link;

		if (echo_turn(echo)) {
			link = &echo->next;
		} else {
			*link = echo->next;
			end_echo(server, echo);
		}
	}
	return server->waiting != NULL || server->echoes != NULL;
}

void
server_stop(struct server *server)
{
	if (server->waiting != NULL) {
		echo_stop(server->waiting);
		end_echo(server, server->waiting);
		server->waiting = NULL;
	}
	stop_listening(server);
	for (struct echo *echo = server->echoes; echo != NULL; echo = echo->next)
		echo_stop(echo);
}

bool
server_close(struct server *server)
{
	server_stop(server);
	while (server->echoes != NULL) {
		struct echo *echo = server->echoes;

		server->echoes = echo->next;
		end_echo(server, echo);
	}
	return !server->has_failed;
}
