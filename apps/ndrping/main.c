/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_version.h>

#include <ndpdk/nd.h>

#include "kit/adapter.h"
#include "kit/eal.h"
#include "kit/output.h"
#include "kit/stop.h"

#include "options.h"
#include "ping.h"
#include "server.h"

/*
 * rping on the Network Direct API. To be read in this order: message.h says what is exchanged,
 * ping.c is the client, echo.c the server, connection.c what they have in common; here is how an
 * adapter is opened and its engine polled.
 *
 * There is one thread. It polls the engine, which does all work for the network, and then advances
 * the state machines.
 */

#define EXIT_PING_FAILED 1
#define EXIT_BAD_USE     2

/*
 * Polling without a pause answers at once but keeps a processor busy. After so many polls that
 * found nothing this program sleeps for NAP_US between polls.
 */
#define POLLS_BEFORE_NAP 20000u
#define NAP_US           50u

/* 4.096 us * 2^16 = 0.27 s, eight times: a peer in a virtual machine may not run for some time. */
#define ACK_TIMEOUT 16

#define COUNTERS_MAX 256u

static int
complain(const char *why)
{
	fprintf(stderr, "ndrping: %s\n", why);
	return EXIT_BAD_USE;
}

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
	adapter_linger_server();
	return server_close(&server);
}

static void
print_counters(const struct nd_adapter *adapter)
{
	struct nd_counter counters[COUNTERS_MAX];
	const size_t count = nd_adapter_counters(adapter, counters, COUNTERS_MAX);

	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		if (counters[i].value > 0)
			printf("counter %s %llu\n", counters[i].name,
				(unsigned long long)counters[i].value);
}

static struct nd_adapter *
open_adapter(const struct options *options)
{
	struct nd_adapter_config config = network_config(&options->network);
	char why[320];
	struct nd_adapter *adapter;

	config.port_id = options->port_id;
	config.ack_timeout = ACK_TIMEOUT;
	adapter = adapter_open(&config, "MEGABYTES", why, sizeof(why));
	if (adapter == NULL)
		complain(why);
	return adapter;
}

static int
run(const struct options *options)
{
	struct nd_adapter *adapter = open_adapter(options);
	bool well;

	if (adapter == NULL)
		return EXIT_BAD_USE;
	well = options->role == OPTIONS_ROLE_SERVER ? run_server(options, adapter)
						    : run_client(options, adapter);
	if (options->counters)
		print_counters(adapter);
	if (options->role != OPTIONS_ROLE_SERVER)
		adapter_linger_client(options->port_id);
	nd_adapter_close(adapter);
	return well ? 0 : EXIT_PING_FAILED;
}

static int
run_arguments(int count, char *arguments[])
{
	struct eal_arguments divided;
	struct options options;
	char why[512];
	int status;

	eal_divide(count, arguments, &divided);
	if (!options_parse(
		    &options, divided.application_count, divided.application, why, sizeof(why)))
		return complain(why);
	if (options.help) {
		options_print_help(stdout);
		return 0;
	}
	if (options.version) {
		printf("ndrping %s, %s\n", NDRPING_VERSION, rte_version());
		return 0;
	}
	/* Each ping is written at once, into files and pipes, too. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	stop_catch_signals();
	if (!eal_start(&divided, 0, NULL, why, sizeof(why)))
		return complain(why);
	status = run(&options);
	rte_eal_cleanup();
	return status;
}

int
main(int count, char *arguments[])
{
	const int status = output_open("ndrping");

	if (status != 0)
		return status;
	return output_close("ndrping", run_arguments(count, arguments));
}
