/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/complete.h"

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "rc/operation.h"
#include "rc/qp.h"

/*
 * A request is finished when the peer has acknowledged all its PSNs, or when it was executed
 * locally (bind, invalidate). Acknowledgements are in order, so the oldest requests finish first.
 * Requests are removed from the head of the ring, so they complete in posting order (RC-077). For
 * example, a bind that was executed before the acknowledgement of an earlier SEND completes after
 * this SEND. The ring entry becomes free when the request completes, even if the request is silent.
 */

/* Remove the oldest request from the ring and complete it with an error. */
static void
pop_failed(struct rc_qp *qp, enum rc_status status)
{
	struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);

	r->ring.head++;
	qp->ctx->frameless_results++;
	/*
	 * If the completion queue has overrun, the completion is lost. The notification has already
	 * reported the overrun.
	 */
	(void)rc_cq_push(qp->send_cq,
		&(struct rc_completion){
			.context = wqe->context,
			.status = status,
			.kind = rc_operation(wqe->opcode)->completion,
			.bytes = wqe->length_bytes,
			.owner = qp->owner,
		});
}

/*
 * Complete a finished request, unless it is silent. For a READ or atomic, decrement
 * reads_outstanding.
 */
static inline void
succeed(struct rc_qp *qp, const struct rc_send_wqe *wqe)
{
	const struct rc_operation *operation = rc_operation(wqe->opcode);
	struct rc_requester *r = &qp->requester;

	if (operation->kind == RC_KIND_READ || operation->kind == RC_KIND_ATOMIC) {
		BASE_ASSERT(r->reads_outstanding > 0);
		r->reads_outstanding--;
	}
	if ((wqe->flags & RC_SILENT) != 0)
		return;
	if (unlikely(!rc_cq_push_done(qp->send_cq, wqe->context,
		    (enum rc_completion_kind)operation->completion, wqe->length_bytes, qp->owner)))
		rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
}

void
rc_complete_done(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;
	/*
	 * Local copies, because otherwise the compiler reloads the members after each store in the
	 * loop.
	 */
	const uint32_t end = r->start_index, una_psn = r->una_psn;
	const struct rc_ring ring = r->ring;
	uint32_t head = ring.head;

	for (; head != end; head++) {
		const struct rc_send_wqe *wqe = rc_ring_at(&ring, head);

		if (psn_distance(una_psn, wqe->first_psn) < wqe->packet_count)
			break;
		if (unlikely(wqe->executed) && rc_send_extra(r, head)->status != RC_OK) {
			rc_complete_fail(qp, rc_send_extra(r, head)->status);
			break;
		}
		succeed(qp, wqe);
	}
	r->ring.head = head;
}

void
rc_complete_fail(struct rc_qp *qp, enum rc_status status)
{
	if (rc_qp_failed(qp))
		return;
	qp->requester.head_failed = true;
	qp->own_request = true;
	rc_qp_fail(qp, status);
}

/*
 * Cancel the oldest request if it is a local operation that was not executed. A bind releases its
 * reserved key. After a cancelled invalidate, the window counts as bound again, which matters only
 * for a window that is bound for any queue pair and outlives this queue pair.
 */
static void
cancel_local(struct rc_qp *qp)
{
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);
	const union rc_send_extra *extra = rc_send_extra(r, r->ring.head);

	if (wqe->executed)
		return;
	if (wqe->opcode == RC_BIND)
		mem_bind_cancel(qp->ctx->mem, &extra->bind);
	else if (wqe->opcode == RC_INVALIDATE)
		mem_invalidate_cancel(qp->ctx->mem, extra->window, qp->qpn);
	else if (wqe->opcode == RC_FAST_REGISTER)
		mem_fast_cancel(qp->ctx->mem, &extra->fast);
	else if (wqe->opcode == RC_INVALIDATE_REGION)
		mem_fast_invalidate_cancel(qp->ctx->mem, extra->fast.region);
}

void
rc_complete_flush(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;
	enum rc_status status = r->head_failed ? qp->error : RC_FLUSHED;

	r->head_failed = false;
	while (rc_ring_count(&r->ring) > 0) {
		cancel_local(qp);
		pop_failed(qp, status);
		status = RC_FLUSHED;
	}
}

void
rc_complete_discard(struct rc_qp *qp)
{
	while (rc_ring_count(&qp->requester.ring) > 0) {
		cancel_local(qp);
		qp->requester.ring.head++;
	}
}
