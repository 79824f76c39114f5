/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_byteorder.h>

#include "kit/link.h"

void
server_team_open(
	struct server_team *team, const struct server_functions *functions, struct report *report)
{
	*team = (struct server_team){.functions = functions, .report = report};
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
	server->team->functions->listen(server);
	return server->error[0] == '\0';
}

bool
server_open(struct server *server, struct server_team *team, struct nd_adapter *adapter,
	struct nd_engine *engine, const struct stopwatch *stopwatch, const struct options *options)
{
	*server = (struct server){
		.adapter = adapter,
		.options = options,
		.stopwatch = stopwatch,
		.team = team,
	};
	server->clients = calloc(1, team->functions->bytes);
	if (server->clients == NULL) {
		snprintf(server->error, sizeof(server->error), "no memory for connections");
		return false;
	}
	team->functions->open(server, engine);
	if (server->error[0] != '\0')
		return false;
	team->servers[team->count++] = server;
	return team->count > 1 || server_listen(server, options);
}

void
server_turn(struct server *server)
{
	/* server->clients is NULL if the server was closed in this turn. */
	if (server->clients != NULL)
		server->team->functions->turn(server);
}

void
server_count_client(struct server_team *team)
{
	__atomic_store_n(&team->clients_done, team->clients_done + 1, __ATOMIC_RELEASE);
}

void
server_pause(struct server *server)
{
	if (server->listener != NULL)
		nd_listener_release(server->listener);
	server->listener = NULL;
	if (server->team->functions->pause != NULL)
		server->team->functions->pause(server);
}

void
server_stop(struct server *server)
{
	server->stopping = true;
	server_pause(server);
	server->team->functions->stop(server);
}

bool
server_is_idle(const struct server *server)
{
	return server->team->functions->is_idle(server);
}

void
server_close(struct server *server)
{
	if (server->clients == NULL)
		return;
	if (!server->stopping)
		server_stop(server);
	server->team->functions->close(server);
	free(server->clients);
	server->clients = NULL;
}
