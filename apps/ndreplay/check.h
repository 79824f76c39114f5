/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_CHECK_H
#define NDPDK_NDREPLAY_CHECK_H

#include <stdbool.h>

#include <ndpdk/nd_trace.h>

/** What became of one file. */
struct check_result {
	const char *file;
	struct nd_trace *trace; /**< NULL when nothing could be read */
	char error[512];        /**< one sentence; empty when the file was read to its end */
};

/**
 * Read a capture and check it.
 *
 * @param line called for each frame, or NULL
 * @param result to be released with check_release()
 */
void
check_file(const char *file, nd_trace_line_fn line, void *line_arg, struct check_result *result);
void check_release(struct check_result *result);

/** @return whether the file was read to its end, breaks no rule and has no wrong ICRC. */
bool check_clean(const struct check_result *result);

#endif
