/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_POST_H
#define NDPDK_RC_POST_H

#include <string.h>

#include <rte_branch_prediction.h>

#include "base/limits.h"
#include "rc/operation.h"
#include "rc/qp.h"

/*
 * Posting to the send queue: checks that do not depend on the peer, then a copy into the ring.
 * Access to local memory is checked later, when the packets are built (RC-130), so that a request
 * with an error completes in posting order.
 *
 * These functions are inline, because a caller in the API knows the opcode at compile time. The
 * compiler then removes checks that depend on the opcode, and the request does not need to be
 * stored and loaded again.
 */

/**
 * Copy inline data into the send queue. The application may reuse its buffer when posting returns
 * (RC-010).
 */
void rc_post_copy_inline(uint8_t *to, const struct mem_sge *sges, uint32_t count);

/* Lists with one entry are the most frequent case. Handling them without a loop is faster. */
static __rte_always_inline uint64_t
rc_post_length(const struct mem_sgl *sgl)
{
	return likely(sgl->count == 1) ? sgl->sges[0].length_bytes : mem_sgl_length(sgl);
}

static __rte_always_inline void
rc_post_copy_list(struct rc_send_wqe *wqe, const struct mem_sgl *sgl)
{
	wqe->sge_count = (uint8_t)sgl->count;
	if (likely(sgl->count == 1))
		wqe->sges[0] = sgl->sges[0];
	else if (sgl->count != 0)
		memcpy(wqe->sges, sgl->sges, sgl->count * sizeof(wqe->sges[0]));
}

/*
 * Check a request independently of the state of the queue. If RC_OK is returned, *length_bytes is
 * the length of its list.
 */
static __rte_always_inline enum rc_status
rc_post_check(const struct rc_requester *r, const struct rc_send_wr *wr,
	enum rc_operation_kind kind, uint64_t *length_bytes)
{
	uint64_t limit_bytes;

	if (unlikely((wr->flags & ~(uint32_t)rc_operation(wr->opcode)->flags) != 0))
		return RC_BAD_FLAGS;
	*length_bytes = 0;
	if (kind == RC_KIND_LOCAL)
		return RC_OK;
	if (unlikely(wr->sgl.count > r->sge_max))
		return RC_TOO_MANY_SGE;
	/* RC-004: a message has at most 2^31 bytes. */
	limit_bytes = (wr->flags & RC_INLINE) != 0 ? r->inline_max : LIMIT_MESSAGE_BYTES;
	*length_bytes = rc_post_length(&wr->sgl);
	if (kind == RC_KIND_ATOMIC && *length_bytes != RC_ATOMIC_BYTES)
		return RC_LOCAL_LENGTH;
	return likely(*length_bytes <= limit_bytes) ? RC_OK : RC_MESSAGE_TOO_LONG;
}

/* Write the union rc_send_extra, if the kind of request needs it. */
static __rte_always_inline void
rc_post_extra(union rc_send_extra *extra, const struct rc_send_wr *wr, enum rc_operation_kind kind)
{
	if (kind == RC_KIND_ATOMIC)
		extra->operands = wr->operands;
	else if (kind != RC_KIND_LOCAL)
		rc_post_copy_inline(extra->inlined, wr->sgl.sges, wr->sgl.count);
	else if (wr->opcode == RC_BIND)
		extra->bind = wr->bind;
	else if (wr->opcode == RC_FAST_REGISTER)
		extra->fast = wr->fast;
	else if (wr->opcode == RC_INVALIDATE) {
		extra->window = wr->window;
		extra->window_life = mem_window_life(wr->window);
	} else {
		extra->fast.region = wr->fast.region;
		extra->fast.key = mem_region_key(wr->fast.region);
	}
}

static __rte_always_inline void
rc_post_enqueue(struct rc_requester *r, const struct rc_send_wr *wr, enum rc_operation_kind kind,
	uint64_t length_bytes)
{
	struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.tail);
	bool inlined = (wr->flags & RC_INLINE) != 0;

	wqe->context = wr->context;
	wqe->remote_address = wr->remote_address;
	wqe->rkey = wr->rkey;
	wqe->immediate = wr->immediate;
	wqe->length_bytes = (uint32_t)length_bytes;
	wqe->opcode = (uint8_t)wr->opcode;
	wqe->flags = (uint8_t)wr->flags;
	wqe->sge_count = 0;
	wqe->executed = false;
	if (unlikely(inlined || kind == RC_KIND_ATOMIC || kind == RC_KIND_LOCAL))
		rc_post_extra(rc_send_extra(r, r->ring.tail), wr, kind);
	if (!inlined && kind != RC_KIND_LOCAL)
		rc_post_copy_list(wqe, &wr->sgl);
	r->ring.tail++;
}

/**
 * Like rc_post_send(), if the caller knows the opcode. @param kind rc_opcode_kind() of the opcode
 */
static __rte_always_inline enum rc_status
rc_post_send_inline(struct rc_qp *qp, const struct rc_send_wr *wr, enum rc_operation_kind kind)
{
	struct rc_requester *r = &qp->requester;
	uint64_t length_bytes;
	enum rc_status status;

	if (unlikely(qp->state == RC_QP_INIT))
		return RC_NOT_CONNECTED; /* requests need RTS (RC-120) */
	BASE_ASSERT(kind == rc_opcode_kind(wr->opcode));
	status = rc_post_check(r, wr, kind, &length_bytes);
	if (unlikely(status != RC_OK))
		return status;
	if (qp->state == RC_QP_RTS && r->reads_max == 0 &&
		(kind == RC_KIND_READ || kind == RC_KIND_ATOMIC))
		/* with a READ limit of 0, the connection would never send the request (RC-009) */
		return RC_NO_READS;
	if (unlikely(rc_ring_full(&r->ring)))
		return RC_QUEUE_FULL;
	rc_post_enqueue(r, wr, kind, length_bytes);
	rc_qp_owe(qp, RC_DUTY_REQUESTS);
	if (unlikely(qp->state == RC_QP_ERROR))
		/* RC-123: flush the new request alone, because the ring was empty before */
		rc_requester_flush(qp);
	return RC_OK;
}

#endif
