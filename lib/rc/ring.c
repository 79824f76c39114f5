/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/wqe.h"

#include <stdalign.h>

/* Size and layout of work queues. The other functions are inline in wqe.h. */

/*
 * A queue without entries is always full. It has one unused slot, so that the index arithmetic
 * works.
 */
static uint32_t
size_of(uint32_t entries)
{
	return entries == 0 ? 1 : rte_align32pow2(entries);
}

static uint32_t
stride_of(uint32_t stride_bytes)
{
	return RTE_ALIGN_CEIL(stride_bytes, (uint32_t)alignof(max_align_t));
}

size_t
rc_ring_bytes(uint32_t entries, uint32_t stride_bytes, uint32_t beside_bytes)
{
	size_t each_bytes = (size_t)stride_of(stride_bytes) + beside_bytes;

	return RTE_CACHE_LINE_ROUNDUP(size_of(entries) * each_bytes);
}

void
rc_ring_init(struct rc_ring *ring, void *memory, uint32_t entries, uint32_t stride_bytes)
{
	*ring = (struct rc_ring){
		.elements = memory,
		.stride_bytes = stride_of(stride_bytes),
		.mask = size_of(entries) - 1,
		.entries = entries,
	};
}
