/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_GNUPLOT_H
#define NDPDK_KIT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* The program gnuplot as a child process, found in the path and started without a shell. */

struct gnuplot {
	pid_t pid;
	FILE *script; /**< its standard input */
};

/**
 * @param command of gnuplot, such as "set terminal svg"
 * @param why >= 256 bytes, filled with a sentence when false is returned
 * @return whether gnuplot is there, and executes the command
 */
bool gnuplot_check(const char *command, char *why, size_t size);

/**
 * Start it. What is written to gnuplot->script it executes; its standard output is file.
 *
 * @param why >= 256 bytes, filled with a sentence when false is returned
 */
bool gnuplot_open(struct gnuplot *gnuplot, FILE *file, char *why, size_t size);

/** End the script, and wait for the end of gnuplot. @return whether it has executed all of it */
bool gnuplot_close(struct gnuplot *gnuplot);

#endif
