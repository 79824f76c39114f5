/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_OUTPUT_H
#define NDPDK_KIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Standard output may be closed, a full disk, or a pipe whose reader has gone. An application must
 * not continue without output then: it ends with a sentence and an exit status of its own.
 */

#define EXIT_OUTPUT_LOST 3

/**
 * To be called before anything is opened or printed. From now on a pipe without a reader is an
 * error and does not kill the process.
 *
 * @return 0, or EXIT_OUTPUT_LOST after the sentence on standard error
 */
int output_open(const char *program);

/** @return whether something could not be printed. Cheap enough for a polling loop. */
static inline bool
output_is_lost(void)
{
	return ferror_unlocked(stdout) != 0;
}

/**
 * As the last step of the process: write what is buffered.
 *
 * @param status the process has ended with so far
 * @return status, or EXIT_OUTPUT_LOST after the sentence on standard error
 */
int output_close(const char *program, int status);

#endif
