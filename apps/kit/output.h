/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_OUTPUT_H
#define NDPDK_KIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Writing to standard output fails if standard output is closed, is a file on a full disk, or is a
 * pipe without a reader. In these cases the application must not continue. It prints a sentence on
 * standard error and ends with the exit status EXIT_OUTPUT_LOST.
 */

#define EXIT_OUTPUT_LOST 3

/**
 * Prepare standard output. Call this function before the process opens or prints anything.
 * Afterwards a write to a pipe without a reader fails and does not kill the process.
 *
 * @return 0; EXIT_OUTPUT_LOST: standard output is unusable, and a sentence was printed on standard
 *         error
 */
int output_open(const char *program);

/** @return whether a write to standard output has failed. Fast enough for a polling loop. */
static inline bool
output_is_lost(void)
{
	return ferror_unlocked(stdout) != 0;
}

/**
 * Write the buffered output, as the last step of the process.
 *
 * @param status exit status of the process so far
 * @return status; EXIT_OUTPUT_LOST: output was lost, and a sentence was printed on standard error
 */
int output_close(const char *program, int status);

#endif
