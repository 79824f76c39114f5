/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_GOLDEN_H
#define NDPDK_SUPPORT_GOLDEN_H

/*
 * Golden tables: results of a computation, stored in a file and compared byte for byte. The files
 * show the expected results, and a commit that changes the computation shows the changed results.
 * If a change is intended, run the test with ND_GOLDEN_WRITE=1 in the environment to write the
 * files again.
 */

/** A text that is built piece by piece. Set to zero before the first use. */
struct golden_text {
	char bytes[16384];
	unsigned int length;
};

void golden_print(struct golden_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Assert that the file contains exactly this text. @param path path of the file */
void golden_check(const char *path, const struct golden_text *text);

#endif
