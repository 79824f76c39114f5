/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>

#include <rte_cycles.h>

#include <ndpdk/nd.h>

#include "kit/adapter.h"
#include "kit/eal.h"
#include "kit/program.h"
#include "kit/stop.h"

#include "options.h"
#include "ping.h"
#include "server.h"

/*
 * rping on the Network Direct API. Recommended order for reading: message.h describes the
 * exchanged messages, ping.c is the client, echo.c is the server, and connection.c is their common
 * part. This file opens the adapter and polls its engine.
 *
 * The program has one thread. It polls the engine, which does all work for the network, and then
 * advances the state machines.
 */

/*
 * Number of polls without an event after which the program sleeps for NAP_US between two polls.
 * Polling without a pause has the shortest latency but keeps a processor busy.
 */
#define POLLS_BEFORE_NAP 20000u
#define NAP_US           50u

/*
 * Exponent n of the ACK timeout 4.096 us * 2^n = 0.27 s, with eight transmissions. The timeout is
 * long, because a peer in a virtual machine may not run for some time.
 */
#define ACK_TIMEOUT 16

#define NAME "ndrping"

static void
poll_engine(struct nd_adapter *adapter)
{
	static unsigned int idle_polls;

	if (nd_engine_poll(nd_adapter_engine(adapter)) > 0)
		idle_polls = 0;
	else if (++idle_polls > POLLS_BEFORE_NAP)
		rte_delay_us_sleep(NAP_US);
}

static bool
run_client(const struct options *options, struct nd_adapter *adapter)
{
	struct ping ping;

	ping_open(&ping, options, adapter);
	while (ping_turn(&ping)) {
		if (stop_is_wanted())
			ping_stop(&ping);
		poll_engine(adapter);
	}
	return ping_close(&ping);
}

static bool
run_server(const struct options *options, struct nd_adapter *adapter)
{
	struct server server;

	server_open(&server, options, adapter);
	while (server_turn(&server)) {
		if (stop_is_wanted())
			server_stop(&server);
		poll_engine(adapter);
	}
	return server_close(&server);
}

static struct nd_adapter *
open_adapter(const struct options *options)
{
	struct nd_adapter_config config = {0};
	char why[320];
	struct nd_adapter *adapter;

	network_configure(&options->network, &config);
	config.ack_timeout = ACK_TIMEOUT;
	adapter = adapter_open(&config, &options->port, "MEGABYTES", why, sizeof(why));
	if (adapter == NULL)
		program_complain(NAME, EXIT_BAD_USE, why);
	return adapter;
}

static bool
ping(const struct options *options, struct nd_adapter *adapter)
{
	bool well;

	well = options->role == OPTIONS_ROLE_SERVER ? run_server(options, adapter)
						    : run_client(options, adapter);
	if (options->counters)
		program_print_counters("counter", adapter);
	if (options->role == OPTIONS_ROLE_SERVER)
		adapter_close_server(adapter);
	else
		adapter_close_client(adapter);
	return well;
}

static struct options options;

static enum program_wish
parse(int count, char *const arguments[], char *why, size_t size)
{
	if (!options_parse(&options, count, arguments, why, size))
		return PROGRAM_REFUSE;
	return options.help ? PROGRAM_HELP : options.version ? PROGRAM_VERSION : PROGRAM_RUN;
}

static int
run(const struct eal_arguments *divided)
{
	struct nd_adapter *adapter;
	int status = EXIT_BAD_USE;
	char why[256];

	/* Write each line at once, even if the output is a file or a pipe. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!eal_start(divided, 0, NULL, why, sizeof(why)))
		return program_complain(NAME, EXIT_BAD_USE, why);
	adapter = open_adapter(&options);
	if (adapter != NULL)
		status = ping(&options, adapter) ? 0 : EXIT_RUN_FAILED;
	return eal_end(status);
}

int
main(int count, char *arguments[])
{
	static const struct program program = {
		.name = NAME,
		.version = NDRPING_VERSION,
		.parse = parse,
		.print_help = options_print_help,
		.run = run,
	};

	return program_main(&program, count, arguments);
}
