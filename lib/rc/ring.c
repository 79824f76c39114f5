/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/wqe.h"

#include <stdalign.h>

#include <rte_malloc.h>

/* Memory of the work queues; everything else about them is inline in the header. */

enum rc_status
rc_ring_init(struct rc_ring *ring, uint32_t entries, uint32_t stride_bytes, uint32_t beside_bytes,
	int socket_id)
{
	/*
	 * A queue of no entries is always full; one unused place keeps the index arithmetic the
	 * same.
	 */
	uint32_t size = entries == 0 ? 1 : rte_align32pow2(entries);
	uint32_t stride = RTE_ALIGN_CEIL(stride_bytes, (uint32_t)alignof(max_align_t));

	*ring = (struct rc_ring){
		.elements = rte_zmalloc_socket("rc_ring", size * ((size_t)stride + beside_bytes),
			RTE_CACHE_LINE_SIZE, socket_id),
		.stride_bytes = stride,
		.mask = size - 1,
		.entries = entries,
	};
	return ring->elements != NULL ? RC_OK : RC_NO_RESOURCES;
}

void
rc_ring_fini(struct rc_ring *ring)
{
	rte_free(ring->elements);
	ring->elements = NULL;
}
