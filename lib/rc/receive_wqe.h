/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RECEIVE_WQE_H
#define NDPDK_RC_RECEIVE_WQE_H

#include <string.h>

#include "rc/wqe.h"

/* Functions for the receive queue of a queue pair and for a shared receive queue. */

/**
 * @return size of a receive with sge_max entries in bytes, for rc_ring_bytes() and rc_ring_init()
 */
static inline uint32_t
rc_receive_wqe_bytes(uint32_t sge_max)
{
	return (uint32_t)(sizeof(struct rc_receive_wqe) + sge_max * sizeof(struct mem_sge));
}

/** Append a receive to a ring of struct rc_receive_wqe. @return as rc_post_receive() */
static inline enum rc_status
rc_receive_append(struct rc_ring *ring, uint32_t sge_max, const struct rc_receive_wr *wr)
{
	uint64_t capacity_bytes = mem_sgl_length(&wr->sgl);
	struct rc_receive_wqe *wqe;

	if (wr->sgl.count > sge_max)
		return RC_TOO_MANY_SGE;
	if (capacity_bytes > LIMIT_MESSAGE_BYTES)
		return RC_MESSAGE_TOO_LONG;
	if (rc_ring_full(ring))
		return RC_QUEUE_FULL;
	wqe = rc_ring_at(ring, ring->tail);
	wqe->context = wr->context;
	wqe->capacity_bytes = capacity_bytes;
	wqe->sge_count = wr->sgl.count;
	if (wr->sgl.count > 0)
		memcpy(wqe->sges, wr->sgl.sges, wr->sgl.count * sizeof(wqe->sges[0]));
	ring->tail++;
	return RC_OK;
}

#endif
