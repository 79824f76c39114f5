/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * interop-peer: this project's side in tests with Linux. It is a server for all scenarios, or a
 * client of one scenario. peer_options.c describes the command line, peer_protocol.h the protocol
 * on a connection. The program prints one line of JSON for each connection and one at the end. The
 * exit status is 0 if no connection has failed.
 *
 * All connections are tasks (coroutines) of one thread. The thread polls the engine each time
 * after all tasks have run once.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_eal.h>

#include "peer.h"
#include "peer_task.h"

/* Number of idle polls after which the thread sleeps, because the peer needs the processor. */
#define IDLE_TURNS     100u
#define IDLE_US        50u
#define SETTLE_SECONDS 0.3

static volatile sig_atomic_t signalled, rounds_asked;

static void
on_signal(int number)
{
	if (number == SIGUSR1)
		rounds_asked++;
	else
		signalled = 1;
}

static void
turn(void *arg)
{
	struct peer *peer = arg;

	if (nd_engine_poll(peer->engine) > 0)
		peer->idle_turns = 0;
	else if (++peer->idle_turns > IDLE_TURNS)
		usleep(IDLE_US);
	if (signalled)
		peer->stopped = true;
	peer->rounds_asked = (uint32_t)rounds_asked;
}

static bool
open_adapter(struct peer *peer)
{
	const nd_status status = nd_adapter_open(&peer->options.adapter, &peer->adapter);

	if (status != ND_SUCCESS) {
		fprintf(stderr, "interop-peer: %s: %s\n", nd_status_name(status),
			nd_adapter_open_error());
		return false;
	}
	peer->engine = nd_adapter_engine(peer->adapter);
	printf("{\"path_mtu\":%u}\n", nd_adapter_path_mtu(peer->adapter));
	fflush(stdout);
	return true;
}

static void
settle(void *arg)
{
	(void)arg;
	task_sleep(SETTLE_SECONDS);
}

static void
run(struct peer *peer)
{
	if (peer->options.client)
		for (uint32_t i = 0; i < peer->options.parallel; i++)
			task_spawn(session_client, peer);
	else
		task_spawn(session_listen, peer);
	task_run_all(turn, peer);
	task_spawn(settle, peer);
	task_run_all(turn, peer);
}

int
main(int argc, char **argv)
{
	const int eal_arguments = rte_eal_init(argc, argv);
	struct peer peer = {0};

	if (eal_arguments < 0 ||
		!peer_options_read(argc - eal_arguments, argv + eal_arguments, &peer.options))
		return EXIT_FAILURE;
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGUSR1, on_signal);
	if (!open_adapter(&peer))
		return EXIT_FAILURE;
	run(&peer);
	report_end(&peer);
	nd_adapter_close(peer.adapter);
	return peer.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
