/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_CHECK_H
#define NDPDK_JUDGE_CHECK_H

#include <stdbool.h>

#include <ndpdk/nd_trace.h>

#include "check_plot.h"
#include "ndreplay/capture/reader.h"

struct check_config {
	struct nd_trace_config trace;
	struct reader_config reader;
	uint64_t connection;     /**< check only this connection, numbered from 1; 0 = check all */
	struct check_plot *plot; /**< receives all frames to draw a picture; NULL = no picture */
};

struct check_result {
	const char *file;
	struct nd_trace *trace; /**< NULL if nothing could be read */
	/**
	 * Counts of frames that were not judged, by reason. The reasons are options and unsupported
	 * link types.
	 */
	struct reader_skips skips;
	uint64_t skipped_by_connection;
	uint64_t connection; /**< number of the only judged connection; 0 = all */
	char error[512];     /**< error message; empty if the file was read to its end */
};

/**
 * Result of checking a file. With several files, the greatest value applies, because it is the
 * worst.
 */
enum check_verdict {
	CHECK_CLEAN = 0,
	CHECK_UNJUDGED = 1, /**< nothing wrong was found, but not everything could be judged */
	CHECK_FOUND = 2,    /**< a rule is broken or an ICRC is wrong */
	CHECK_FAILED = 3,   /**< the file could not be read to its end; error has the reason */
};

/**
 * Read a capture and check it.
 *
 * @param config options of the check
 * @param result to be released with check_release()
 */
void check_file(const char *file, const struct check_config *config, struct check_result *result);
void check_release(struct check_result *result);

enum check_verdict check_verdict(const struct check_result *result);

#endif
