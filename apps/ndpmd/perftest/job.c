/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "job.h"

#include <stdio.h>

#include "kit/stop.h"

#include "client.h"
#include "server.h"

/* Longest time that the server waits for its client to disconnect. */
#define GOODBYE_SECONDS 2u

/* Too much for a stack: the client has a histogram in it. */
static struct perftest_server server;
static struct perftest_client client;

static void
complain(const char *why)
{
	fprintf(stderr, "ndpmd: %s\n", why);
}

static void
serve(const struct perftest_job *job)
{
	nd_engine_poll(nd_adapter_engine(job->server_adapter));
	perftest_server_turn(&server);
}

static bool
open_server(const struct perftest_job *job)
{
	const bool alone = job->client_adapter == NULL;

	if (perftest_server_open(&server, job->options, job->stopwatch, job->server_adapter,
		    alone ? job->report : NULL))
		return true;
	complain(server.error);
	perftest_server_close(&server);
	return false;
}

static bool
close_server(const struct perftest_job *job)
{
	const uint64_t end_tsc = stopwatch_now() + GOODBYE_SECONDS * job->stopwatch->hz;
	bool well = server.error[0] == '\0';

	if (!well)
		complain(server.error);
	if (job->client_adapter == NULL)
		perftest_server_stop(&server);
	while (!perftest_server_is_idle(&server) && stopwatch_now() < end_tsc)
		serve(job);
	perftest_server_close(&server);
	return well && server.errors == 0;
}

static void
serve_clients(const struct perftest_job *job)
{
	const uint64_t clients = job->options->clients;

	printf("waiting for perftest on port %u\n", job->options->listen_port);
	fflush(stdout);
	while (!stop_is_wanted() && server.error[0] == '\0' &&
		(clients == 0 || server.clients_done < clients))
		serve(job);
}

static bool
measure(const struct perftest_job *job)
{
	struct nd_engine *engine = nd_adapter_engine(job->client_adapter);
	struct report_row row;
	bool stopped = false, more;

	perftest_client_open(&client, job->options, job->stopwatch, job->client_adapter, job->peer);
	do {
		if (stop_is_wanted() && !stopped) {
			perftest_client_stop(&client);
			stopped = true;
		}
		nd_engine_poll(engine);
		more = perftest_client_turn(&client);
		if (job->server_adapter != NULL)
			serve(job);
	} while (more);
	if (perftest_client_result(&client, &row))
		report_add(job->report, &row);
	if (client.error[0] != '\0')
		complain(client.error);
	perftest_client_close(&client);
	return client.error[0] == '\0';
}

bool
perftest_work(const struct perftest_job *job)
{
	bool well = true;

	if (job->server_adapter != NULL && !open_server(job))
		return false;
	if (job->client_adapter != NULL)
		well = measure(job);
	else
		serve_clients(job);
	if (job->server_adapter != NULL)
		well &= close_server(job);
	return well;
}
