/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_OPTIONS_H
#define NDPDK_INTEROP_PEER_OPTIONS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

struct scenario;

/** Settings of the command line. */
struct peer_options {
	struct nd_adapter_config adapter;
	bool client;
	struct sockaddr_storage peer; /* with port */
	const struct scenario *scenario;
	uint32_t size;
	uint32_t count;
	uint32_t arg;
	const struct scenario
		*second_scenario; /* of each second connection of the client, or NULL */
	uint32_t second_arg;
	/* Of all rounds but the first, each of which begins with SIGUSR1; NULL: no difference. */
	const struct scenario *later_scenario;
	uint32_t rounds;   /* connections in all (of one task, at the client); 0: until SIGTERM */
	uint32_t parallel; /* tasks of the client */
	size_t read_limit;
	double wait_seconds;
	double linger_seconds;      /* the client stays connected this long after its scenario */
	bool reject_reply;          /* the client refuses the answer, with private data */
	const char *connect_status; /* the name of what connecting has to end with */
};

/** @return false: the reason was printed to standard error */
bool peer_options_read(int argc, char **argv, struct peer_options *options);

#endif
