/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_GOLDEN_H
#define NDPDK_SUPPORT_GOLDEN_H

/*
 * Golden tables: results of a computation, kept in a file and compared byte by byte. They show what
 * a change of the computation does, and a reader what to expect of it. When a change is meant, run
 * the test with ND_GOLDEN_WRITE=1 in the environment: it writes the files, and the commit shows the
 * difference.
 */

/** A text that grows. Zero it before its first use. */
struct golden_text {
	char bytes[16384];
	unsigned int length;
};

void golden_print(struct golden_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Assert that the file has this text. @param path of the file */
void golden_check(const char *path, const struct golden_text *text);

#endif
