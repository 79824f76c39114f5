/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <ndpdk/nd.h>

#include "kit/adapter.h"
#include "kit/eal.h"
#include "kit/inject_port.h"
#include "kit/program.h"
#include "kit/stop.h"

#include "loopback.h"
#include "meter.h"
#include "options.h"
#include "peer_kind.h"
#include "prompt/prompt.h"
#include "report.h"
#include "run.h"
#include "server.h"
#include "start.h"
#include "stopwatch.h"
#include "worker.h"

/*
 * Traffic generator. Each lcore polls its engines (two in loopback), and advances the state
 * machines of the connections of these engines after each poll (worker.h). The client's connections
 * belong to a run (run.h). The server's connections belong to a server (server.h). Without
 * --lcores, the main thread is the only lcore.
 */

#define NAME "ndpmd"

/* Benchmarking addresses of RFC 2544. No network routes them. */
#define LOOPBACK_CLIENT 0xc6120001u /* 198.18.0.1 */
#define LOOPBACK_SERVER 0xc6120002u

struct process {
	struct options options;
	struct stopwatch stopwatch;
	struct report report;
	struct nd_adapter *client_adapter, *server_adapter; /* NULL = the role is not used */
	struct inject *inject; /* fault injection of one port; NULL = none */
	struct sockaddr_storage peer;
	struct server_team team;
	struct run_meeting meeting;
	struct worker worker[OPTIONS_LCORES_MAX];
	struct workers workers;
	struct meter meter;
	struct prompt prompt; /* used if options_has_commands() */
	int exit_status;
};

static int
complain(int exit_status, const char *why)
{
	return program_complain(NAME, exit_status, why);
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
	if (options->port_count == 0 &&
		!loopback_create(options->ports, start_engines(options), why, size))
		return false;
	process->client_adapter = start_adapter(options,
		&(struct start_place){&options->ports[0], &client, options->qps * options->windows,
			process->inject},
		why, size);
	if (process->client_adapter == NULL)
		return false;
	process->server_adapter = start_adapter(options,
		&(struct start_place){&options->ports[1], &process->peer, 0, NULL}, why, size);
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
	adapter = start_adapter(options,
		&(struct start_place){&options->ports[0], &options->network.address,
			options->qps * options->windows, process->inject},
		why, size);
	if (options->mode == OPTIONS_MODE_SERVER)
		process->server_adapter = adapter;
	else
		process->client_adapter = adapter;
	return adapter != NULL;
}

static bool
open_all(struct process *process, char *why, size_t size)
{
	const struct nd_adapter *adapter;

	if (process->options.inject_text == NULL)
		return open_adapters(process, why, size);
	process->inject = inject_open(&process->options.inject, why, size);
	process->report.injected = (struct injected){.inject = process->inject};
	if (process->inject == NULL || !open_adapters(process, why, size))
		return false;
	adapter =
		process->client_adapter != NULL ? process->client_adapter : process->server_adapter;
	if (!inject_begin(process->inject, nd_adapter_port_id(adapter), why, size))
		return false;
	/*
	 * Print the value of --inject before the rows, because the lines of --interval do not show
	 * the faults.
	 */
	printf("injecting %s\n", process->options.inject_text);
	fflush(stdout);
	return true;
}

static void
prepare_workers(struct process *process)
{
	process->workers.count = start_engines(&process->options);
	for (uint32_t i = 0; i < process->workers.count; i++) {
		struct worker *worker = &process->worker[i];

		process->workers.worker[i] = worker;
		*worker = (struct worker){
			.index = i,
			.lcore = process->options.lcores[i],
			.options = &process->options,
			.stopwatch = &process->stopwatch,
		};
		if (process->client_adapter != NULL)
			worker->client_engine = nd_adapter_get_engine(process->client_adapter, i);
		if (process->server_adapter != NULL)
			worker->server_engine = nd_adapter_get_engine(process->server_adapter, i);
		worker->part = (struct run_part){
			.index = i,
			.adapter = process->client_adapter,
			.engine = worker->client_engine,
			.meeting = &process->meeting,
			.peer = &process->peer,
		};
	}
}

/* Open all servers. @return the first server that could not be opened; NULL = all are open */
static const struct server *
open_servers(struct process *process)
{
	const bool alone = process->options.mode == OPTIONS_MODE_SERVER;

	server_team_open(&process->team, peer_kind_of(&process->options)->server,
		alone ? &process->report : NULL);
	for (uint32_t i = 0; process->server_adapter != NULL && i < process->workers.count; i++) {
		struct worker *worker = &process->worker[i];

		if (!server_open(&worker->server, &process->team, process->server_adapter,
			    worker->server_engine, &process->stopwatch, &process->options))
			return &worker->server;
	}
	return NULL;
}

/*
 * Report inconsistent figures and missed operations, because a row with 0 errors does not show
 * them.
 */
static void
tell_doubts(struct process *process, const struct report_row *row)
{
	char why[256];

	if (row->errors == 0 && !meter_adds_up(&process->meter, row, why, sizeof(why)))
		process->exit_status = complain(EXIT_RUN_FAILED, why);
	/*
	 * Do not warn after an interrupted run, because then missed messages do not indicate a slow
	 * path.
	 */
	if (row->missed > 0 && !process->worker[0].run.interrupted) {
		snprintf(why, sizeof(why),
			"%llu message%s due but not posted a second after the end: --rate is too "
			"high for this path",
			(unsigned long long)row->missed, row->missed == 1 ? " was" : "s were");
		complain(0, why);
	}
}

/*
 * Add the row of the operations that the server posted. This row covers the same time as the
 * client's row, so both rows have the same losses.
 */
static void
report_of_server(struct process *process, struct report_row *row)
{
	const struct report_row before = *row;

	run_result(&process->worker[0].run, RUN_SERVER, row);
	row->losses = before.losses;
	row->has_losses = true;
	row->is_same_time = true;
	report_add(&process->report, row);
	if (options_has_commands(&process->options))
		rows_add(&process->prompt.rows, row);
	tell_doubts(process, row);
	row->errors += before.errors;
}

/* Called by a run after each iteration of its polling loop, if commands are enabled. */
static void
turn_with_prompt(void *arg)
{
	struct process *process = arg;

	meter_turn(&process->meter);
	prompt_turn(&process->prompt);
}

/* Set the function that a run calls after each iteration of its polling loop. */
static void
watch(struct process *process)
{
	struct workers *workers = &process->workers;

	meter_open(
		&process->meter, &process->options, &process->stopwatch, &process->report, workers);
	workers->each_turn = meter_turn;
	workers->each_turn_arg = &process->meter;
	if (options_has_commands(&process->options)) {
		workers->each_turn = turn_with_prompt;
		workers->each_turn_arg = process;
	}
}

/* Run one operation of the list. @return whether to continue with the next operation */
static bool
measure(struct process *process, unsigned int op_index)
{
	struct workers *workers = &process->workers;
	struct run *run = &process->worker[0].run;
	const bool is_metered = peer_kind_of(&process->options)->is_metered;
	struct report_row row;
	uint64_t failures;

	run_meeting_open(&process->meeting, workers->count);
	if (is_metered)
		watch(process);
	workers_order(workers, WORKER_RUN, op_index);
	workers->each_turn = NULL;
	for (uint32_t i = 1; i < workers->count; i++)
		run_join(run, &process->worker[i].run);
	failures = run->failures;
	if (run_result(run, RUN_CLIENT, &row)) {
		if (is_metered)
			meter_end(&process->meter, &row);
		report_add(&process->report, &row);
		if (options_has_commands(&process->options))
			rows_add(&process->prompt.rows, &row);
		if (is_metered)
			tell_doubts(process, &row);
		if (process->options.bidirectional)
			report_of_server(process, &row);
	}
	if (run->error[0] != '\0') {
		complain(0, run->error);
		rows_fail(&process->prompt.rows, run->error);
	}
	if (row.errors > 0)
		process->exit_status = EXIT_RUN_FAILED;
	workers_order(workers, WORKER_CLOSE, op_index);
	return failures == 0 && !workers_are_stopped(workers);
}

/*
 * Disconnect all clients. The first server stops first, so that it passes no more clients to the
 * other servers.
 */
static void
say_goodbye(struct process *process)
{
	server_stop(&process->worker[0].server);
	workers_order(&process->workers, WORKER_STOP, 0);
}

/*
 * @return true if the servers continue: none has failed, and fewer clients than --clients have
 *         ended
 */
static bool
has_clients_to_serve(const struct process *process)
{
	const uint64_t clients = process->options.clients;

	return process->worker[0].server.error[0] == '\0' &&
		(clients == 0 ||
			__atomic_load_n(&process->team.clients_done, __ATOMIC_ACQUIRE) < clients);
}

static void
measure_all(struct process *process)
{
	bool go_on = true;

	for (unsigned int i = 0; go_on && i < options_work_count(&process->options); i++)
		go_on = measure(process, i);
}

/* Execute commands until quit. */
static void
follow_commands(struct process *process)
{
	struct prompt *prompt = &process->prompt;

	while (prompt_goes_on(prompt) &&
		(process->client_adapter != NULL || has_clients_to_serve(process))) {
		workers_turn(&process->workers);
		prompt_turn(prompt);
		if (!prompt_takes_start(prompt))
			continue;
		measure_all(process);
		prompt_ended(prompt);
	}
}

static void
serve_clients(struct process *process)
{
	const struct server *server = &process->worker[0].server;

	printf("waiting for %s on port %u\n", peer_kind_of(&process->options)->clients,
		process->options.listen_port);
	fflush(stdout);
	if (options_has_commands(&process->options))
		follow_commands(process);
	else
		while (!stop_is_wanted() && has_clients_to_serve(process))
			workers_turn(&process->workers);
	if (server->error[0] != '\0') {
		complain(0, server->error);
		process->exit_status = EXIT_RUN_FAILED;
	}
	say_goodbye(process);
}

static void
print_all_counters(const struct process *process)
{
	if (!process->options.counters)
		return;
	program_print_counters("client", process->client_adapter);
	program_print_counters("server", process->server_adapter);
}

static void
work(struct process *process)
{
	workers_launch(&process->workers);
	if (process->client_adapter == NULL)
		serve_clients(process);
	else if (options_has_commands(&process->options))
		follow_commands(process);
	else
		measure_all(process);
	if (options_has_commands(&process->options)) {
		prompt_close(&process->prompt);
		if (process->exit_status == 0)
			process->exit_status = process->prompt.exit_status;
	}
	if (process->server_adapter != NULL && process->client_adapter != NULL)
		say_goodbye(process);
	workers_end(&process->workers);
	if (process->server_adapter != NULL) {
		server_close(&process->worker[0].server);
		if (process->team.errors > 0)
			process->exit_status = EXIT_RUN_FAILED;
	}
	print_all_counters(process);
}

static bool
open_prompt(struct process *process, char *why, size_t size)
{
	const struct prompt_host host = {
		.options = &process->options,
		.stopwatch = &process->stopwatch,
		.meter = &process->meter,
		.workers = &process->workers,
		.client_adapter = process->client_adapter,
		.server_adapter = process->server_adapter,
		.peer = &process->peer,
		.inject = process->inject,
	};

	if (!options_has_commands(&process->options) ||
		prompt_open(&process->prompt, &host, why, size))
		return true;
	prompt_close(&process->prompt);
	return false;
}

static void
work_or_explain(struct process *process)
{
	const struct server *closed;
	char why[512];

	report_watch(&process->report, process->client_adapter, process->server_adapter);
	prepare_workers(process);
	closed = open_servers(process);
	if (closed != NULL) {
		process->exit_status = complain(EXIT_BAD_USE, closed->error);
	} else if (!open_prompt(process, why, sizeof(why))) {
		process->exit_status = complain(EXIT_BAD_USE, why);
	} else {
		work(process);
		return;
	}
	if (process->server_adapter != NULL)
		server_close(&process->worker[0].server);
}

/* Close the adapters that are not NULL. */
static void
close_adapters(struct nd_adapter *client, struct nd_adapter *server)
{
	if (client != NULL && server != NULL) {
		nd_adapter_close(client);
		nd_adapter_close(server);
	} else if (client != NULL) {
		adapter_close_client(client);
	} else if (server != NULL) {
		adapter_close_server(server);
	}
}

/* The variable is static, because the histograms of the runs are too large for the stack. */
static struct process process;

static int
run(const struct eal_arguments *divided)
{
	char why[512];

	if (!report_open(&process.report, &process.options, why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	if (!start_check_memory(&process.options, why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	if (!start_eal(&process.options, divided, why, sizeof(why)))
		return complain(EXIT_BAD_USE, why);
	stopwatch_init(&process.stopwatch);
	if (!open_all(&process, why, sizeof(why)))
		process.exit_status = complain(EXIT_BAD_USE, why);
	else
		work_or_explain(&process);
	if (!report_close(&process.report, why, sizeof(why)))
		process.exit_status = complain(
			process.exit_status == 0 ? EXIT_RUN_FAILED : process.exit_status, why);
	inject_end(process.inject);
	close_adapters(process.client_adapter, process.server_adapter);
	inject_close(process.inject);
	return eal_end(process.exit_status);
}

static enum program_wish
parse(int count, char *const arguments[], char *why, size_t size)
{
	const struct options *options = &process.options;

	if (!options_parse(&process.options, count, arguments, why, size))
		return PROGRAM_REFUSE;
	return options->help ? PROGRAM_HELP : options->version ? PROGRAM_VERSION : PROGRAM_RUN;
}

int
main(int count, char *arguments[])
{
	static const struct program program = {
		.name = NAME,
		.version = NDPMD_VERSION,
		.parse = parse,
		.print_help = options_print_help,
		.run = run,
	};

	return program_main(&program, count, arguments);
}
