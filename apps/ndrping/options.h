/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDRPING_OPTIONS_H
#define NDPDK_NDRPING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

#include "kit/network.h"
#include "kit/value.h"

/*
 * The command line: rping's one-letter options, and ndpmd's long options for settings that a Linux
 * host gets from its kernel.
 */

enum options_role {
	OPTIONS_ROLE_NONE,
	OPTIONS_ROLE_SERVER,
	OPTIONS_ROLE_CLIENT,
};

struct options {
	enum options_role role;
	struct sockaddr_storage peer; /**< client: address of the server */
	uint16_t service_port;
	uint32_t count;      /**< number of rounds; 0 = until Ctrl-C */
	uint32_t size_bytes; /**< client: size of a ping; server: size of its buffer */
	bool verbose, validate, debug;
	bool persistent; /**< server: serve any number of clients */
	bool counters;
	bool help, version;

	struct value_port port;
	struct network network; /**< network.address is this side's own address */

	/* Values as given. options_parse() computes the own address and the peer from them. */
	struct sockaddr_storage letter_a, letter_i;
	bool size_given;
};

/**
 * Parse the command line.
 *
 * @param count, arguments arguments of main(), beginning with the program's name
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return true if the arguments are valid. If help or version is set, nothing else is checked.
 */
bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size);

void options_print_help(FILE *stream);

#endif
