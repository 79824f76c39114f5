/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "storm_server.h"

#include <arpa/inet.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/engines.h"

static struct storm_side the_server, the_client;

static void
side_init(struct storm_side *side, struct net *net, enum net_name name)
{
	memset(side, 0, sizeof(*side));
	side->net = net;
	side->adapter = net->nodes[name].adapter;
	cr_assert_eq(nd_engine_create_completion_queue(test_home(side->adapter), 65536, &side->cq),
		ND_SUCCESS);
}

static nd_status
endpoint_make(struct storm_side *side, struct storm_end *end)
{
	return nd_connector_create_endpoint(
		end->connector, side->cq, side->cq, 1, 1, 1, 1, 1, 1, NULL, &end->endpoint);
}

static void
end_release(struct storm_end *end)
{
	if (end->endpoint != NULL)
		cr_assert_eq(nd_endpoint_release(end->endpoint), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(end->connector), ND_SUCCESS);
	*end = (struct storm_end){.state = STORM_UNUSED};
}

static void
accept_request(struct storm_side *server, struct storm_end *end)
{
	nd_status status = endpoint_make(server, end);

	server->waiting_count--;
	if (status != ND_SUCCESS) {
		server->no_endpoint_count++;
		end_release(end);
		return;
	}
	end->overlapped = (struct nd_overlapped){0};
	status = nd_connector_accept(end->connector, end->endpoint, NULL, 0, &end->overlapped);
	end->state = STORM_ACCEPTS;
	if (status == ND_PENDING)
		return;
	server->failed_count++;
	end_release(end);
}

static void
server_step(struct storm_side *server, struct storm_end *end)
{
	nd_status status;

	if (end->state != STORM_WAITS && end->state != STORM_ACCEPTS)
		return;
	status = nd_overlapped_get_result(&end->overlapped, NULL, false);
	if (status == ND_PENDING)
		return;
	if (end->state == STORM_WAITS) {
		cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
		accept_request(server, end);
	} else if (status == ND_SUCCESS) {
		server->connected_count++;
		end->state = STORM_CONNECTED;
	} else {
		server->failed_count++;
		end_release(end);
	}
}

static void
server_wait(struct storm_side *server, struct storm_end *end)
{
	nd_status status;

	cr_assert_eq(nd_adapter_create_connector(server->adapter, &end->connector), ND_SUCCESS);
	end->overlapped = (struct nd_overlapped){0};
	status = nd_listener_get_connection_request(
		server->net->listener, end->connector, &end->overlapped);
	server->waiting_count++;
	end->state = STORM_WAITS;
	if (status == ND_SUCCESS)
		accept_request(server, end);
	else
		cr_assert_eq(status, ND_PENDING, "%s", nd_status_name(status));
}

void
storm_server_poll(struct storm_side *server)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < server->end_max; i++)
		server_step(server, &server->ends[i]);
	for (uint32_t i = 0;
		i < STORM_SERVER_MAX && server->waiting_count < STORM_WAITING && taken < 1024;
		i++) {
		if (server->ends[i].state != STORM_UNUSED)
			continue;
		server->end_max = server->end_max > i ? server->end_max : i + 1;
		server_wait(server, &server->ends[i]);
		taken++;
	}
	cr_assert_gt(server->waiting_count + taken, 0, "the server has no more room");
}

struct storm_side *
storm_server_start(struct net *net)
{
	side_init(&the_server, net, VICTIM);
	storm_server_poll(&the_server);
	return &the_server;
}

static void
client_connect(struct storm_side *client, struct storm_end *end)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0xC0000201 + VICTIM),
		.sin_port = client->net->listen_port};

	cr_assert_eq(nd_adapter_create_connector(client->adapter, &end->connector), ND_SUCCESS);
	cr_assert_eq(endpoint_make(client, end), ND_SUCCESS);
	cr_assert_eq(
		nd_connector_connect(end->connector, end->endpoint, (struct sockaddr *)&address,
			sizeof(address), 6, 0, NULL, 0, &end->overlapped),
		ND_PENDING);
	end->state = STORM_CONNECTS;
}

struct storm_side *
storm_client_start(struct net *net, enum net_name from, uint32_t count)
{
	struct storm_side *client = &the_client;

	cr_assert_leq(count, STORM_CLIENT_MAX);
	side_init(client, net, from);
	client->end_max = count;
	for (uint32_t i = 0; i < count; i++)
		client_connect(client, &client->ends[i]);
	return client;
}

void
storm_client_poll(struct storm_side *client)
{
	for (uint32_t i = 0; i < client->end_max; i++) {
		struct storm_end *end = &client->ends[i];
		struct nd_overlapped complete = {0};
		nd_status status;

		if (end->state != STORM_CONNECTS)
			continue;
		status = nd_overlapped_get_result(&end->overlapped, NULL, false);
		if (status == ND_PENDING)
			continue;
		if (status == ND_SUCCESS)
			status = nd_connector_complete_connect(end->connector, &complete);
		if (status == ND_SUCCESS)
			client->connected_count++;
		else
			client->failed_count++;
		end->state = STORM_CONNECTED;
	}
}
