/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_version.h>

#include <ndpdk/nd.h>

#include "options.h"
#include "ping.h"
#include "server.h"

/*
 * rping on the Network Direct API. To be read in this order: message.h says what is exchanged,
 * ping.c is the client, echo.c the server, connection.c what they have in common; here is how an
 * adapter is opened and its engine polled.
 *
 * There is one thread. It polls the engine, which does all the network's work, and then lets the
 * state machines look at what has come of it.
 */

#define EXIT_PING_FAILED 1
#define EXIT_BAD_USE     2

/*
 * Who polls without a pause answers at once, and keeps a processor busy. This one gives it away for
 * NAP_US when so many polls found nothing.
 */
#define POLLS_BEFORE_NAP 20000u
#define NAP_US           50u

#define LINGER_US 100000u

/* 4.096 us * 2^16 = 0.27 s, eight times: a peer in a virtual machine may be away for a while. */
#define ACK_TIMEOUT 16

#define COUNTERS_MAX 256u

static volatile sig_atomic_t stop_wanted;

static void
handle_signal(int number)
{
	(void)number;
	stop_wanted = 1;
}

/* The second signal finds the default action. */
static void
catch_signals(void)
{
	struct sigaction action = {.sa_handler = handle_signal, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

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
		if (stop_wanted)
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
		if (stop_wanted)
			server_stop(&server);
		poll_engine(adapter);
	}
	/*
	 * The client may be closing its port. Drivers that notice this, as memif does in a thread
	 * of its own, do not expect the port to be closed or used meanwhile.
	 */
	rte_delay_us_sleep(LINGER_US);
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
	const struct nd_adapter_config config = {
		.port_id = options->port_id,
		.address = options->own,
		.prefix_length = options->prefix_length,
		.gateway = options->gateway,
		.neighbours = options->neighbours,
		.neighbour_count = options->neighbour_count,
		.vlan_id = options->vlan_id,
		.path_mtu = options->path_mtu,
		.ack_timeout = ACK_TIMEOUT,
	};
	const uint32_t log_level = rte_log_get_global_level();
	struct nd_adapter *adapter = NULL;
	char why[320];
	nd_status status;

	if (!rte_eth_dev_is_valid_port(options->port_id)) {
		snprintf(why, sizeof(why),
			"port %u does not exist, EAL has found %u: give it a device, for instance "
			"--vdev or -a, in front of a lone --",
			options->port_id, rte_eth_dev_count_avail());
		complain(why);
		return NULL;
	}
	/* The library logs the sentence that is printed here. */
	rte_log_set_global_level(RTE_LOG_CRIT);
	status = nd_adapter_open(&config, &adapter);
	rte_log_set_global_level(log_level);
	if (!nd_failed(status))
		return adapter;
	snprintf(why, sizeof(why), "port %u: %s (%s)", options->port_id, nd_adapter_open_error(),
		nd_status_name(status));
	complain(why);
	return NULL;
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
	nd_adapter_close(adapter);
	return well ? 0 : EXIT_PING_FAILED;
}

/* @return number of arguments that are EAL's, the program's name included; 0 = no lone -- */
static int
count_eal_arguments(int count, char *const arguments[])
{
	for (int i = 1; i < count; i++)
		if (strcmp(arguments[i], "--") == 0)
			return i;
	return 0;
}

/* Without devices and hugepages, for want of a better idea: the sentence about the port follows. */
static int
start_eal_alone(char *program)
{
	char no_huge[] = "--no-huge", no_shconf[] = "--no-shconf", no_pci[] = "--no-pci",
	     no_telemetry[] = "--no-telemetry", log_level[] = "--log-level=error";
	char *arguments[] = {program, no_huge, no_shconf, no_pci, no_telemetry, log_level, NULL};

	return rte_eal_init(RTE_DIM(arguments) - 1, arguments);
}

int
main(int count, char *arguments[])
{
	const int eal_count = count_eal_arguments(count, arguments);
	struct options options;
	char why[512];
	int status;

	/* The -- gives its place to the program's name, which getopt expects first. */
	arguments[eal_count] = arguments[0];
	if (!options_parse(&options, count - eal_count, arguments + eal_count, why, sizeof(why)))
		return complain(why);
	if (options.help) {
		options_print_help(stdout);
		return 0;
	}
	if (options.version) {
		printf("ndrping %s, %s\n", NDRPING_VERSION, rte_version());
		return 0;
	}
	/* Who watches a file or a pipe sees each ping when it is there. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	catch_signals();
	if ((eal_count > 0 ? rte_eal_init(eal_count, arguments) : start_eal_alone(arguments[0])) <
		0) {
		snprintf(why, sizeof(why), "EAL did not start: %s", rte_strerror(rte_errno));
		return complain(why);
	}
	status = run(&options);
	rte_eal_cleanup();
	return status;
}
