/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_GNUPLOT_H
#define NDPDK_KIT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Run gnuplot as a child process. gnuplot is searched in PATH and started without a shell. */

struct gnuplot {
	pid_t pid;
	FILE *script; /**< standard input of gnuplot */
};

/**
 * Test whether gnuplot is installed and can execute a command.
 *
 * @param command a command of gnuplot, such as "set terminal svg"
 * @param why >= 256 bytes, filled with a sentence when false is returned
 * @return true if gnuplot has executed the command
 */
bool gnuplot_check(const char *command, char *why, size_t size);

/**
 * Start gnuplot. gnuplot executes the commands that the caller writes to gnuplot->script, and
 * writes its output into file.
 *
 * @param why >= 256 bytes, filled with a sentence when false is returned
 */
bool gnuplot_open(struct gnuplot *gnuplot, FILE *file, char *why, size_t size);

/** End the script, and wait for the end of gnuplot. @return whether all commands were executed */
bool gnuplot_close(struct gnuplot *gnuplot);

#endif
