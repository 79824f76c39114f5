/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_GOLDEN_H
#define NDPDK_SUPPORT_GOLDEN_H

/*
 * A golden table contains the expected results of a computation. It is stored in a file and
 * compared byte for byte, so that a commit shows which results have changed. To accept a change,
 * run the test with ND_GOLDEN_WRITE=1 in the environment, which rewrites the files.
 */

/** A text that is built piece by piece. Initialise it to zero. */
struct golden_text {
	char bytes[16384];
	unsigned int length;
};

void golden_print(struct golden_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void golden_check(const char *path, const struct golden_text *text);

#endif
