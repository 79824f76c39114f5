/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_PROGRESS_H
#define NDPDK_CAPTURE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "source.h"

/*
 * A line on a terminal that shows the progress while a long capture is read. The line appears after
 * a second and is removed at the end.
 */
struct progress {
	const char *path;
	bool active; /**< standard error is a terminal */
	bool shown;
	uint64_t next_ns; /**< time of the next update */
};

/** Prepare the progress line. @param wanted false: the line is never written */
void progress_start(struct progress *progress, const char *path, bool wanted);

/** Update the line. To save time, the function reads the clock only at each 4096th frame. */
void progress_frame(struct progress *progress, uint64_t frame, const struct source *source);

void progress_end(struct progress *progress);

#endif
