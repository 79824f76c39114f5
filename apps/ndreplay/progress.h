/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PROGRESS_H
#define NDPDK_NDREPLAY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "source.h"

/*
 * One line on a terminal that says how far the reading of a long capture is. It appears after a
 * second, and is removed at the end.
 */
struct progress {
	const char *path;
	bool active; /**< standard error is a terminal */
	bool shown;
	uint64_t next_ns; /**< when the line is written next */
};

/** @param wanted false: nothing is ever written */
void progress_start(struct progress *progress, const char *path, bool wanted);

/** Where the reading is. It looks at the clock at every 4096th frame only. */
void progress_frame(struct progress *progress, uint64_t frame, const struct source *source);

/** Remove the line. */
void progress_end(struct progress *progress);

#endif
