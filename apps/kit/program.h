/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_PROGRAM_H
#define NDPDK_KIT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <ndpdk/nd.h>

#include "kit/eal.h"

/* The main function that applications with an adapter share. */

/** Exit statuses of the applications, in addition to 0 and EXIT_OUTPUT_LOST. */
enum {
	EXIT_RUN_FAILED = 1,
	EXIT_BAD_USE = 2, /**< invalid arguments, or EAL or the port cannot be used */
};

/** Result of parse(), which tells program_main() how to continue. */
enum program_wish {
	PROGRAM_REFUSE, /**< print why, and exit */
	PROGRAM_HELP,
	PROGRAM_VERSION,
	PROGRAM_RUN,
};

struct program {
	const char *name, *version;
	/** Read the application's part of the command line. @param why >= 512 bytes */
	enum program_wish (*parse)(int count, char *const arguments[], char *why, size_t size);
	void (*print_help)(FILE *stream);
	/**
	 * Run the application, after signal handlers were installed and before EAL is started.
	 * @return an exit status
	 */
	int (*run)(const struct eal_arguments *divided);
};

/** Run a program as the main function of a process. @return the exit status of the process */
int program_main(const struct program *program, int count, char *arguments[]);

/** Print a sentence on standard error, with the program's name. @return exit_status */
int program_complain(const char *name, int exit_status, const char *why);

/** Print a line for each counter > 0. Each line begins with word. @param adapter may be NULL */
void program_print_counters(const char *word, const struct nd_adapter *adapter);

#endif
