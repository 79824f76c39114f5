/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COMMAND_H
#define NDPDK_NDREPLAY_COMMAND_H

#include <stdio.h>

#include "kit/eal.h"
#include "kit/option.h"

/*
 * A command of ndreplay is a value of struct command in a file of its own, cmd_check.c for example,
 * and a row in the table of main.c. Its options are rows of option.h; --help comes from them.
 */

/** Exit statuses of all commands. Of several files the worst counts: 2, then 1, then 4. */
enum exit_code {
	EXIT_CLEAN = 0,      /**< done, and nothing is wrong */
	EXIT_FOUND = 1,      /**< a violation, a wrong ICRC, a difference */
	EXIT_UNREADABLE = 2, /**< a file cannot be read or written, or the command line is wrong */
	/* output.h uses 3: standard output is lost */
	EXIT_UNJUDGED = 4, /**< nothing wrong was found, but not all could be judged */
};

/** Maximum number of option tables of one command. */
#define COMMAND_TABLES_MAX 8u

struct command {
	const char *name;
	const char *summary;  /**< one line of ndreplay --help */
	const char *operands; /**< as --help shows them, e.g. "FILE..." */
	const char *usage;    /**< replaces "[OPTION...] operands"; or NULL */
	const char *missing;  /**< error text if operands are missing, e.g. "no file given" */
	const char *about;    /**< --help before the options; lines that end with a line feed */
	const char *statuses; /**< exit statuses, printed by --help after the options; likewise */
	const struct option_set *set;
	void *options; /**< the command's struct of options, with its defaults */
	int operands_min, operands_max;
	bool takes_eal; /**< arguments before a lone -- are those of EAL: command_eal */
	/** @param operands the count of them, then NULL. @return an exit status */
	int (*run)(int count, char *operands[]);
};

/** Each command is defined in the file with its name. */
extern const struct command command_anonymize, command_check, command_live, command_request,
	command_respond, command_rule, command_serve, command_slice;

/** Arguments of EAL, for a command with takes_eal. */
extern struct eal_arguments command_eal;

/**
 * Read a command's part of the command line, and run it.
 *
 * @param count, arguments the command's name is arguments[0]
 * @return an exit status
 */
int command_run(const struct command *command, int count, char *arguments[]);

struct json_object;

/** Print an object, and release it. */
void command_print_json(struct json_object *object, FILE *stream);

/** Print a sentence on standard error. @return EXIT_UNREADABLE */
int command_refuse(const struct command *command, const char *why);

#endif
