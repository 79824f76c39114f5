/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_SEGMENT_H
#define NDPDK_MEM_SEGMENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "base/status.h"
#include "base/yield.h"

struct mem_buffer;
struct mem_segment_tree;

/**
 * The buffers of a region as one contiguous range of offsets, 0 .. length - 1. The structure does
 * not change after mem_segments_init(), so readers need no lock, only a grace period before
 * mem_segments_fini().
 */
struct mem_segments {
	uint8_t *first;                /**< address of the first buffer */
	struct mem_segment_tree *tree; /**< NULL: only one buffer */
};

/**
 * Build the segments of a region.
 * @param buffers copied; the caller has checked that count >= 1, no buffer is empty, and the total
 *        length is within LIMIT_REGION_BYTES
 * @param socket_id NUMA node of the memory
 * @return RC_OK, RC_NO_RESOURCES
 */
enum rc_status mem_segments_init(struct mem_segments *segments, const struct mem_buffer *buffers,
	uint32_t count, int socket_id) __rte_warn_unused_result;

void mem_segments_fini(struct mem_segments *segments);

/** @return bytes of memory that mem_segments_build() needs for up to buffer_max buffers. */
size_t mem_segments_bytes(uint32_t buffer_max);

/**
 * As mem_segments_init(), but in memory of the caller. The caller keeps this memory until no reader
 * uses it. mem_segments_fini() is not needed.
 *
 * @param memory of mem_segments_bytes() for at least this number of buffers, cache line aligned
 */
void mem_segments_build(struct mem_segments *segments, void *memory,
	const struct mem_buffer *buffers, uint32_t count);

/*
 * For the functions below, the caller has checked that [offset, offset + bytes) is in the region.
 */

/** Copy bytes of a region that has several buffers. bytes may be 0. */
void mem_segments_read_chain(
	const struct mem_segments *segments, uint64_t offset, void *to, size_t bytes);
void mem_segments_write_chain(
	const struct mem_segments *segments, uint64_t offset, const void *from, size_t bytes);

static inline void
mem_segments_read(const struct mem_segments *segments, uint64_t offset, void *to, size_t bytes)
{
	if (unlikely(segments->tree != NULL))
		mem_segments_read_chain(segments, offset, to, bytes);
	else if (likely(bytes != 0))
		BASE_COPY(to, segments->first + offset, bytes);
}

static inline void
mem_segments_write(
	const struct mem_segments *segments, uint64_t offset, const void *from, size_t bytes)
{
	if (unlikely(segments->tree != NULL))
		mem_segments_write_chain(segments, offset, from, bytes);
	else if (likely(bytes != 0))
		BASE_COPY(segments->first + offset, from, bytes);
}

/**
 * @return pointer to the bytes if one buffer contains them all, otherwise NULL. For 0 bytes, the
 * pointer is not NULL.
 */
void *mem_segments_pointer(const struct mem_segments *segments, uint64_t offset, size_t bytes);

#endif
