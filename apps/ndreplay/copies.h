/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COPIES_H
#define NDPDK_NDREPLAY_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

/*
 * Detects captures that contain each frame twice: from a mirror of two ports, or from several
 * network layers of one host. A copy has the same bytes as its original and follows within a
 * millisecond. A network may also duplicate single frames, and these duplicates must be judged.
 * Therefore copies are left out only if the beginning of the capture has enough of them, and only
 * while at least three of four originals have a copy.
 */

/** Number of originals that a new frame is compared with. */
#define COPIES_FRAMES 64u

struct copies_frame {
	uint64_t time_ns, hash; /**< hash of the captured bytes */
	uint32_t bytes;
	bool is_copied; /**< a copy was found */
};

/** State of the detection. Initialise it with zeros. */
struct copies {
	struct copies_frame frames[COPIES_FRAMES]; /**< ring: originals from tail to head */
	uint64_t head, tail;
	uint64_t copied, single; /**< originals with a copy; removed originals without one */
};

/** Process the next frame. @return whether the frame is a copy that must be left out */
bool copies_take(struct copies *copies, const struct reader_frame *frame);

/**
 * Read the first frames of a file to find out whether it contains each frame twice.
 *
 * @param config selects the frames that count
 * @return false also if the file cannot be read twice: a pipe, or a file that is followed
 */
bool copies_are_in(const char *path, const struct reader_config *config);

#endif
