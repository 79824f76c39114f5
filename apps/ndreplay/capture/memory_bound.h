/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_MEMORY_BOUND_H
#define NDPDK_CAPTURE_MEMORY_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Default of --memory, in MB. */
#define MEMORY_BOUND_MB 1024u

/** End of the message about a file that exceeds the limit. The argument is the limit (uint32_t). */
#define MEMORY_BOUND_SENTENCE                                                                      \
	"need more than %" PRIu32 " MB of memory; cut the file with ndreplay slice, or raise the " \
	"limit with --memory=MB"

/** Limit and estimate of the memory that the model of a capture needs. */
struct memory_bound {
	uint32_t megabytes; /**< limit, in units of 2^20 bytes */
	uint64_t bytes;     /**< estimated memory for the frames so far, in bytes */
};

/**
 * Add a frame to the estimate: about 400 bytes for its record, plus twice its kept bytes, because
 * the model stores the bytes in arrays that double in size. The limit is necessary because a
 * compressed file may expand to a thousand times its size.
 *
 * @param kept_bytes number of bytes of the frame that the model keeps
 * @return true if the estimate is within the limit
 */
static inline bool
memory_bound_take(struct memory_bound *bound, size_t kept_bytes)
{
	bound->bytes += 400 + 2 * (uint64_t)kept_bytes;
	return bound->bytes <= (uint64_t)bound->megabytes << 20;
}

#endif
