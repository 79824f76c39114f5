/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_version.h>

#include <ndpdk/nd.h>

#include "process/eal.h"
#include "process/output.h"
#include "process/stop.h"

#include "loopback.h"
#include "options.h"
#include "perftest.h"
#include "report.h"
#include "run.h"
#include "server.h"
#include "start.h"
#include "stopwatch.h"

/*
 * Traffic generator. One thread polls the engines of this process (two in loopback), then advances
 * the state machines of the connections: those of the client, which belong to a run, and those of
 * the server.
 */

#define EXIT_RUN_FAILED 1
#define EXIT_BAD_USE    2

/* Longest time that a server that ends waits for its clients to disconnect. */
#define GOODBYE_SECONDS 2u

#define LINGER_US 100000u

#define COUNTERS_MAX 256

/* Benchmarking addresses of RFC 2544, which no network routes. */
#define LOOPBACK_CLIENT 0xc6120001u /* 198.18.0.1 */
#define LOOPBACK_SERVER 0xc6120002u

struct process {
	struct options options;
	struct stopwatch stopwatch;
	struct report report;
	struct nd_adapter *client_adapter, *server_adapter; /* NULL = not this role */
	struct sockaddr_storage peer;
	struct server server;
	struct run run;
	int exit_status;
};

static int
complain(int exit_status, const char *why)
{
	fprintf(stderr, "ndpmd: %s\n", why);
	return exit_status;
}

static struct sockaddr_storage
loopback_address(uint32_t address)
{
	struct sockaddr_storage storage = {0};
	struct sockaddr_in *v4 = (struct sockaddr_in *)&storage;

	v4->sin_family = AF_INET;
	v4->sin_addr.s_addr = htonl(address);
	return storage;
}

static bool
open_loopback(struct process *process, char *why, size_t size)
{
	const struct sockaddr_storage client = loopback_address(LOOPBACK_CLIENT);
	struct options *options = &process->options;

	process->peer = loopback_address(LOOPBACK_SERVER);
	if (options->port_count == 0 && !loopback_create(options->ports, why, size))
		return false;
	process->client_adapter = start_adapter(
		options, options->ports[0], &client, options->qps * options->windows, why, size);
	if (process->client_adapter == NULL)
		return false;
	process->server_adapter =
		start_adapter(options, options->ports[1], &process->peer, 0, why, size);
	return process->server_adapter != NULL;
}

static bool
open_adapters(struct process *process, char *why, size_t size)
{
	const struct options *options = &process->options;
	struct nd_adapter *adapter;

	if (options->mode == OPTIONS_MODE_LOOPBACK)
		return open_loopback(process, why, size);
	process->peer = options->peer;
	adapter = start_adapter(options, options->ports[0], &options->address,
		options->qps * options->windows, why, size);
	if (options->mode == OPTIONS_MODE_SERVER)
		process->server_adapter = adapter;
	else
		process->client_adapter = adapter;
	return adapter != NULL;
}

static void
serve(struct process *process)
{
	nd_engine_poll(nd_adapter_engine(process->server_adapter));
	server_turn(&process->server);
}

/* One operation of the list. @return whether to go on with the next. */
static bool
measure(struct process *process, unsigned int op_index)
{
	struct run *run = &process->run;
	struct nd_engine *engine = nd_adapter_engine(process->client_adapter);
	struct report_row row;
	bool stopped = false, more;

	run_open(run, &process->options, &process->stopwatch, process->client_adapter,
		&process->peer, op_index);
	do {
		if (stop_is_wanted() && !stopped) {
			run_stop(run);
			stopped = true;
		}
		nd_engine_poll(engine);
		more = run_turn(run);
		if (process->server_adapter != NULL)
			serve(process);
	} while (more);
	if (run_result(run, &row))
		report_add(&process->report, &row);
	if (run->error[0] != '\0')
		complain(0, run->error);
	if (row.errors > 0)
		process->exit_status = EXIT_RUN_FAILED;
	run_close(run);
	return run->failures == 0 && !stop_is_wanted();
}

/* Serve until no client is connected any more, or the time is over. */
static void
say_goodbye(struct process *process)
{
	const uint64_t end = stopwatch_now() + GOODBYE_SECONDS * process->stopwatch.hz;

	while (!server_is_idle(&process->server) && stopwatch_now() < end)
		serve(process);
}

static void
serve_clients(struct process *process)
{
	const uint64_t clients = process->options.clients;
	struct server *server = &process->server;

	while (!stop_is_wanted() && server->error[0] == '\0' &&
		(clients == 0 || server->clients_done < clients))
		serve(process);
	if (server->error[0] != '\0') {
		complain(0, server->error);
		process->exit_status = EXIT_RUN_FAILED;
	}
	server_stop(server);
	say_goodbye(process);
	/*
	 * The last client may be closing its port. Some drivers, memif among them, react to that in
	 * a thread of their own and may crash if this side uses or closes its port at the same
	 * moment.
	 */
	rte_delay_us_sleep(LINGER_US);
}

static void
print_counters(const char *name, const struct nd_adapter *adapter)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count;

	if (adapter == NULL)
		return;
	count = nd_adapter_counters(adapter, counters, COUNTERS_MAX);
	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		if (counters[i].value > 0)
			printf("%s %s %llu\n", name, counters[i].name,
				(unsigned long long)counters[i].value);
}

static void
print_all_counters(const struct process *process)
{
	if (!process->options.counters)
		return;
	print_counters("client", process->client_adapter);
	print_counters("server", process->server_adapter);
}

static void
work(struct process *process)
{
	bool go_on = true;

	if (process->client_adapter == NULL)
		serve_clients(process);
	else
		for (unsigned int i = 0; go_on && i < process->options.op_count; i++)
			go_on = measure(process, i);
	if (process->server_adapter != NULL) {
		if (process->client_adapter != NULL)
			say_goodbye(process);
		server_close(&process->server);
		if (process->server.errors > 0)
			process->exit_status = EXIT_RUN_FAILED;
	}
	print_all_counters(process);
}

static void
work_perftest(struct process *process)
{
	const struct perftest_job job = {
		.options = &process->options,
		.stopwatch = &process->stopwatch,
		.client_adapter = process->client_adapter,
		.server_adapter = process->server_adapter,
		.peer = &process->peer,
		.report = &process->report,
	};

	if (!perftest_work(&job))
		process->exit_status = EXIT_RUN_FAILED;
	print_all_counters(process);
}

static int
run_process(struct process *process, const struct eal_arguments *divided)
{
	char why[512];
	const bool alone = process->options.mode == OPTIONS_MODE_SERVER;

	if (!report_open(&process->report, &process->options, why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	if (!start_check_memory(&process->options, why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	stop_catch_signals();
	if (!eal_start(divided, start_megabytes(&process->options), why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	stopwatch_init(&process->stopwatch);
	if (!open_adapters(process, why, sizeof(why))) {
		process->exit_status = complain(EXIT_BAD_USE, why);
	} else if (process->options.perftest) {
		work_perftest(process);
	} else if (process->server_adapter != NULL &&
		!server_open(&process->server, process->server_adapter, &process->stopwatch,
			&process->options, alone ? &process->report : NULL)) {
		process->exit_status = complain(EXIT_BAD_USE, process->server.error);
		server_close(&process->server);
	} else {
		work(process);
	}
	if (!report_close(&process->report) && process->exit_status == 0)
		process->exit_status = complain(EXIT_RUN_FAILED, "the JSON cannot be written");
	if (process->client_adapter != NULL)
		nd_adapter_close(process->client_adapter);
	if (process->server_adapter != NULL)
		nd_adapter_close(process->server_adapter);
	rte_eal_cleanup();
	return process->exit_status;
}

static int
run_arguments(int count, char *arguments[])
{
	/* A run has a histogram in it: too much for a stack. */
	static struct process process;
	struct eal_arguments divided;
	char why[512];

	eal_divide(count, arguments, &divided);
	if (!options_parse(&process.options, divided.application_count, divided.application, why,
		    sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	if (process.options.help) {
		options_print_help(stdout);
		return 0;
	}
	if (process.options.version) {
		printf("ndpmd %s, %s\n", NDPMD_VERSION, rte_version());
		return 0;
	}
	return run_process(&process, &divided);
}

int
main(int count, char *arguments[])
{
	const int status = output_open("ndpmd");

	if (status != 0)
		return status;
	return output_close("ndpmd", run_arguments(count, arguments));
}
