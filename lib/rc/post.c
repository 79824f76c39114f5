/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_branch_prediction.h>

#include "base/limits.h"
#include "rc/operation.h"
#include "rc/qp.h"

/*
 * Posting to the send queue: the checks that need no peer, then the copy into the ring. Whether
 * local memory may be used is found when the packets are cut (RC-130), so that a mistake there
 * completes with an error, in order.
 *
 * A bind arrives prepared (mem_bind_prepare()). Whenever posting is refused, nothing of the request
 * is kept, and the caller cancels the bind; from RC_OK on the send queue executes or cancels it.
 */

/*
 * What is wrong with a request whatever the state of the queue. On RC_OK yields the sum of its
 * list.
 */
static enum rc_status
check(const struct rc_requester *r, const struct rc_send_wr *wr,
	const struct rc_operation *operation, uint64_t *length_bytes)
{
	uint64_t limit_bytes;

	if ((wr->flags & ~(uint32_t)operation->flags) != 0)
		return RC_BAD_FLAGS;
	*length_bytes = 0;
	if (operation->kind == RC_KIND_LOCAL)
		return RC_OK;
	if (wr->sgl.count > r->sge_max)
		return RC_TOO_MANY_SGE;
	/* RC-004: a message has 2^31 bytes at most. */
	limit_bytes = (wr->flags & RC_INLINE) != 0 ? r->inline_max : LIMIT_MESSAGE_BYTES;
	*length_bytes = mem_sgl_length(&wr->sgl);
	if (operation->kind == RC_KIND_ATOMIC && *length_bytes != RC_ATOMIC_BYTES)
		return RC_LOCAL_LENGTH;
	return *length_bytes <= limit_bytes ? RC_OK : RC_MESSAGE_TOO_LONG;
}

/* RC-010: inline data are the application's again when posting returns. */
static void
copy_inline(uint8_t *to, const struct mem_sgl *sgl)
{
	for (uint32_t i = 0; i < sgl->count; i++) {
		const struct mem_sge *sge = &sgl->sges[i];

		if (sge->length_bytes == 0)
			continue;
		memcpy(to, (const void *)(uintptr_t)sge->address, sge->length_bytes);
		to += sge->length_bytes;
	}
}

/* What only some requests have. */
static void
extra_fill(union rc_send_extra *extra, const struct rc_send_wr *wr)
{
	if ((wr->flags & RC_INLINE) != 0)
		copy_inline(extra->inlined, &wr->sgl);
	else if (rc_opcode_kind(wr->opcode) == RC_KIND_ATOMIC)
		extra->operands = wr->operands;
	else if (wr->opcode == RC_BIND)
		extra->bind = wr->bind;
	else
		extra->window = wr->window;
}

static void
enqueue(struct rc_requester *r, const struct rc_send_wr *wr, enum rc_operation_kind kind,
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
		extra_fill(rc_send_extra(r, r->ring.tail), wr);
	if (!inlined && kind != RC_KIND_LOCAL) {
		wqe->sge_count = (uint8_t)wr->sgl.count;
		for (uint32_t i = 0; i < wr->sgl.count; i++)
			wqe->sges[i] = wr->sgl.sges[i];
	}
	r->ring.tail++;
}

enum rc_status
rc_post_send(struct rc_qp *qp, const struct rc_send_wr *wr)
{
	struct rc_requester *r = &qp->requester;
	const struct rc_operation *operation;
	uint64_t length_bytes;
	enum rc_status status;

	if (qp->state == RC_QP_INIT)
		return RC_NOT_CONNECTED; /* requests need RTS (RC-120) */
	if ((unsigned int)wr->opcode >= RC_OPERATIONS)
		return RC_INVALID_ARGUMENT;
	operation = rc_operation(wr->opcode);
	status = check(r, wr, operation, &length_bytes);
	if (status != RC_OK)
		return status;
	if (qp->state == RC_QP_RTS && r->reads_max == 0 && rc_opcode_is_answered(wr->opcode))
		return RC_NO_READS; /* or it would wait for ever (RC-009) */
	if (rc_ring_full(&r->ring))
		return RC_QUEUE_FULL;
	enqueue(r, wr, (enum rc_operation_kind)operation->kind, length_bytes);
	if (qp->state == RC_QP_ERROR)
		rc_requester_flush(qp); /* RC-123: it is the only one in the ring */
	return RC_OK;
}
