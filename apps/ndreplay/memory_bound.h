/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_MEMORY_BOUND_H
#define NDPDK_NDREPLAY_MEMORY_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Default of --memory, in MB. */
#define MEMORY_BOUND_MB 1024u

/** End of the sentence about a file that needs more; takes MB as uint32_t. */
#define MEMORY_BOUND_SENTENCE                                                                      \
	"need more than %" PRIu32 " MB of memory; cut it with ndreplay slice, or allow more with " \
	"--memory=MB"

/** Memory that the model of a capture takes, and may take. */
struct memory_bound {
	uint32_t megabytes; /**< at most */
	uint64_t bytes;     /**< so far */
};

/**
 * Count a frame. The model keeps the bytes of each frame in arrays that double, and a record of
 * about 400 bytes. A compressed file may grow to a thousand times its size.
 *
 * @param kept_bytes bytes of the frame that the model keeps
 * @return whether the frames up to this one may be kept
 */
static inline bool
memory_bound_take(struct memory_bound *bound, size_t kept_bytes)
{
	bound->bytes += 400 + 2 * (uint64_t)kept_bytes;
	return bound->bytes <= (uint64_t)bound->megabytes << 20;
}

#endif
