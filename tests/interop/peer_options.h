/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_OPTIONS_H
#define NDPDK_INTEROP_PEER_OPTIONS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

struct scenario;

/** Values of the command line. */
struct peer_options {
	struct nd_adapter_config adapter;
	bool client;
	struct sockaddr_storage peer;
	const struct scenario *scenario;
	uint32_t size;
	uint32_t count;
	uint32_t arg;
	const struct scenario
		/* scenario of a client's even connections; NULL means `scenario` */
		*second_scenario;
	uint32_t second_arg;
	/*
	 * Scenario of all rounds after the first. Each of these rounds begins with SIGUSR1. NULL
	 * means the first scenario without signals.
	 */
	const struct scenario *later_scenario;
	/* server: number of connections, 0 = until SIGTERM; client: number per task */
	uint32_t rounds;
	uint32_t parallel;
	size_t read_limit;
	double wait_seconds;
	/* time that the client stays connected after its scenario, in seconds */
	double linger_seconds;
	bool reject_reply;          /* client: refuse the server's accept, with private data */
	const char *connect_status; /* name of the status with which connecting must end */
};

/** @return false if the command line is invalid; the reason was printed on standard error */
bool peer_options_read(int argc, char **argv, struct peer_options *options);

#endif
