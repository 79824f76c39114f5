/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>
#include <string.h>

#include "kit/output.h"

#include "command.h"

/* ndreplay --help lists the commands in this order. */
static const struct command *const commands[] = {
	&command_check,
	&command_rule,
	&command_respond,
	&command_request,
	&command_slice,
	&command_anonymize,
	&command_live,
	&command_serve,
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int
usage_error(const char *what, const char *which)
{
	fprintf(stderr, "ndreplay: %s%s; try ndreplay --help\n", what, which);
	return EXIT_UNREADABLE;
}

static void
print_help(void)
{
	puts("usage: ndreplay COMMAND [OPTION...] FILE...\n"
	     "       ndreplay COMMAND --help\n"
	     "       ndreplay --help | --version\n"
	     "\n"
	     "Tools for captures (pcap or pcapng) of RoCEv2 traffic. Commands:\n");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Exit status: 0 done, and nothing is wrong, 1 something is wrong in the traffic,\n"
	     "2 a file or the command line is wrong, 3 standard output cannot be written, 4 "
	     "nothing\n"
	     "wrong was found, but not everything could be judged.");
}

static int
run_arguments(int count, char *arguments[])
{
	const char *word = count > 1 ? arguments[1] : NULL;

	if (word == NULL)
		return usage_error("no command given", "");
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		print_help();
		return EXIT_CLEAN;
	}
	if (strcmp(word, "--version") == 0) {
		puts("ndreplay " NDREPLAY_VERSION);
		return EXIT_CLEAN;
	}
	if (word[0] == '-')
		return usage_error("expected a command before the options, not ", word);
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(word, commands[i]->name) == 0)
			return command_run(commands[i], count - 1, arguments + 1);
	return usage_error("unknown command ", word);
}

int
main(int count, char *arguments[])
{
	const int status = output_open("ndreplay");

	if (status != 0)
		return status;
	return output_close("ndreplay", run_arguments(count, arguments));
}
