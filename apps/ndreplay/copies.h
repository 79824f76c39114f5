/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COPIES_H
#define NDPDK_NDREPLAY_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

/*
 * Captures that have each frame twice: a mirror that takes frames at two ports, or a capture of
 * several layers of one host. A copy has the same bytes and follows within a millisecond. A network
 * may double single frames, too; those stay. So copies are left out only in a capture that begins
 * with enough of them, and as long as three frames in four have one.
 */

/** Frames that a copy may lie behind its original. */
#define COPIES_FRAMES 64u

struct copies_frame {
	uint64_t time_ns, hash; /**< of the bytes */
	uint32_t bytes;
	bool is_copied; /**< its copy has come */
};

/** All zero: no frame yet. */
struct copies {
	struct copies_frame frames[COPIES_FRAMES]; /**< ring: originals from tail to head */
	uint64_t head, tail;
	uint64_t copied, single; /**< originals with and without a copy, as far as that is known */
};

/** Take the next frame. @return whether it is a copy that is to be left out */
bool copies_take(struct copies *copies, const struct reader_frame *frame);

/**
 * Read the first frames of a file to know whether it has each frame twice.
 *
 * @param config which frames count
 * @return false also if the file cannot be read twice, because it is a pipe or is followed
 */
bool copies_are_in(const char *path, const struct reader_config *config);

#endif
