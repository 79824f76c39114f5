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
 * The command line: rping's one-letter options, and ndpmd's long options for what a Linux host gets
 * from its kernel.
 */

enum options_role {
	OPTIONS_ROLE_NONE,
	OPTIONS_ROLE_SERVER,
	OPTIONS_ROLE_CLIENT,
};

struct options {
	enum options_role role;
	struct sockaddr_storage peer; /**< of a client */
	uint16_t service_port;
	uint32_t count;      /**< rounds; 0 = until Ctrl-C */
	uint32_t size_bytes; /**< client: of a ping; server: room for one */
	bool verbose, validate, debug;
	bool persistent; /**< server: any number of clients */
	bool counters;
	bool help, version;

	struct value_port port;
	struct network network; /**< its address is the own one, however it was given */

	/* As given; options_parse() makes own address and peer of them. */
	struct sockaddr_storage letter_a, letter_i;
	bool size_given;
};

/**
 * @param count, arguments as main() gets them, the program's name first
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return whether the arguments make sense. With help or version set nothing else is checked.
 */
bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size);

void options_print_help(FILE *stream);

#endif
