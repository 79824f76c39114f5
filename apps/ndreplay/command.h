/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COMMAND_H
#define NDPDK_NDREPLAY_COMMAND_H

#include <stdio.h>

#include "kit/eal.h"
#include "kit/option.h"

/*
 * A command of ndreplay is a struct command. Each command is defined in its own source file, for
 * example cmd_check.c, and main.c has a table of all commands. option.h defines the rows of a
 * command's option table, from which --help is printed.
 */

/**
 * Exit statuses of all commands. With several files, the worst status applies. The order from worst
 * to best is 2, 1, 4, 0.
 */
enum exit_code {
	EXIT_CLEAN = 0,      /**< the command succeeded and found no error */
	EXIT_FOUND = 1,      /**< the command found a violation, a wrong ICRC, or a difference */
	EXIT_UNREADABLE = 2, /**< a file cannot be read or written, or the command line is wrong */
	/* output.h uses status 3 if standard output cannot be written. */
	EXIT_UNJUDGED = 4, /**< nothing wrong was found, but not everything could be judged */
};

#define COMMAND_TABLES_MAX 8u

struct command {
	const char *name;
	const char *summary;  /**< one-line description in ndreplay --help */
	const char *operands; /**< text for the operands in --help, e.g. "FILE..." */
	const char *usage;    /**< replaces "[OPTION...] operands" in --help; NULL = none */
	const char *missing;  /**< error message for missing operands, e.g. "no file given" */
	const char *about;    /**< text of --help before the options; ends with a line feed */
	const char *statuses; /**< text for the exit statuses in --help, after the options */
	const struct option_set *set;
	void *options; /**< the command's struct of options; holds the default values */
	int operands_min, operands_max;
	bool takes_eal; /**< true if the arguments before "--" are passed to EAL (command_eal) */
	/**
	 * Execute the command. @param operands count operands and a NULL. @return an exit status
	 */
	int (*run)(int count, char *operands[]);
};

extern const struct command command_anonymize, command_check, command_live, command_request,
	command_respond, command_rule, command_serve, command_slice;

/** Arguments of EAL, set by command_run() if the command has takes_eal. */
extern struct eal_arguments command_eal;

/**
 * Parse the command line of a command, and run the command.
 *
 * @param count, arguments arguments[0] is the name of the command
 * @return an exit status
 */
int command_run(const struct command *command, int count, char *arguments[]);

struct json_object;

/** Print a JSON object, and release the object. */
void command_print_json(struct json_object *object, FILE *stream);

/** Print the reason for a failure on standard error. @return EXIT_UNREADABLE */
int command_refuse(const struct command *command, const char *why);

#endif
