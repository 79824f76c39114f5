/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/receive.h"

#include <string.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "rc/payload.h"
#include "rc/qp.h"

/*
 * Receive queue: the packets of a SEND fill the receive at its head, and the last packet completes
 * the receive. The completion is added before anything is acknowledged (RC-044). A SEND with
 * Invalidate has three steps in this order: the window is invalidated, the window's own completion
 * is added, the receive completes (RC-090, ND-056).
 *
 * With a shared receive queue, the queue pair's own queue contains at most the receive of the
 * message in progress. So a peer that begins a message and does not end it occupies only one
 * receive, and a flush completes only this receive. All other receives stay in the shared queue for
 * all its queue pairs.
 */

static struct rc_receive_wqe *
head(const struct rc_responder *responder)
{
	BASE_ASSERT(rc_ring_count(&responder->ring) > 0);
	return rc_ring_at(&responder->ring, responder->ring.head);
}

/* Take a receive from the shared queue for a message, if the message has none. */
static void
take_shared(struct rc_qp *qp)
{
	struct rc_ring *ring = &qp->responder.ring;
	const struct rc_receive_wqe *wqe;

	if (rc_ring_count(ring) > 0)
		return;
	wqe = rc_srq_peek(qp->srq);
	/* The receive fits, because posting has checked sge_count (B-065). */
	memcpy(rc_ring_at(ring, ring->tail), wqe, rc_receive_wqe_bytes(wqe->sge_count));
	ring->tail++;
	rc_srq_drop(qp->srq);
}

struct rc_refusal
rc_receive_place(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct rc_responder *responder = &qp->responder;
	const struct rc_receive_wqe *wqe;
	struct rc_bounce bounce;
	const uint8_t *payload;
	struct mem_sgl sgl;

	if (view->traits->starts) {
		take_shared(qp);
		responder->receive_offset = 0;
	}
	wqe = head(responder);
	sgl = (struct mem_sgl){.sges = wqe->sges, .count = wqe->sge_count};
	/*
	 * RC-029, ND-117: a message that is too long gets NAK 0x61. Soft-RoCE sends 0x63 instead
	 * (B-094).
	 */
	if (view->payload_bytes > wqe->capacity_bytes - responder->receive_offset)
		return (struct rc_refusal){WIRE_NAK_INVALID_REQUEST, RC_RECEIVE_TOO_SMALL};
	if (view->payload_bytes == 0)
		return (struct rc_refusal){0};
	payload = rc_payload(mbuf, view, &bounce);
	if (payload == NULL)
		return (struct rc_refusal){WIRE_NAK_REMOTE_OPERATION, RC_INTERNAL};
	/*
	 * RC-032: the memory of the receive is not accessible, so the NAK is "remote operational
	 * error".
	 */
	if (mem_sgl_scatter(qp->ctx->mem, &sgl, responder->receive_offset, payload,
		    view->payload_bytes) != RC_OK)
		return (struct rc_refusal){WIRE_NAK_REMOTE_OPERATION, RC_LOCAL_PROTECTION};
	responder->receive_offset += view->payload_bytes;
	return (struct rc_refusal){0};
}

static void
complete_failed(struct rc_qp *qp, enum rc_status status, uint32_t bytes)
{
	struct rc_responder *responder = &qp->responder;
	struct rc_completion completion = {
		.context = head(responder)->context,
		.status = status,
		.kind = RC_COMPLETION_RECEIVE,
		.bytes = bytes,
		.owner = qp->owner,
	};

	responder->ring.head++;
	responder->receive_offset = 0;
	qp->ctx->frameless_results++;
	if (!rc_cq_push(qp->receive_cq, &completion))
		rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
}

void
rc_receive_complete(struct rc_qp *qp, const struct wire_view *view, uint32_t bytes, uint32_t flags)
{
	struct rc_completion *place = rc_cq_claim(qp->receive_cq);
	struct rc_responder *responder = &qp->responder;

	take_shared(qp);
	if (likely(place != NULL)) {
		rc_receive_publish(qp, place, view, bytes, flags);
		return;
	}
	responder->ring.head++;
	responder->receive_offset = 0;
	rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
}

/* Complete a SEND with Invalidate after its grace period: report the window, then the receive. */
static void
report_invalidated(struct rc_qp *qp, const struct wire_view *view, const struct rc_ending *ending)
{
	/*
	 * This completion uses no entry, so it never overruns the queue. The receive completion
	 * after it needs an entry, and overruns the queue if no entry is free.
	 */
	if (ending->window)
		(void)rc_cq_push(qp->receive_cq,
			&(struct rc_completion){
				.context = ending->cookie,
				.immediate = ending->window_id,
				.kind = RC_COMPLETION_WINDOW_INVALIDATED,
				.owner = qp->owner,
			});
	rc_receive_complete(qp, view, qp->responder.receive_offset, RC_INVALIDATED);
}

/*
 * Invalidate the key of a SEND with Invalidate after its last packet was placed. If no other engine
 * can use the memory, complete the receive. Otherwise set responder.ending.
 * @return false if the invalidate was refused
 */
static bool
invalidate(struct rc_qp *qp, const struct wire_view *view)
{
	struct rc_ending ending;
	struct mem_key_end end;

	if (mem_key_invalidate(qp->ctx->mem, view->invalidate_rkey, qp->qpn, &end) != RC_OK)
		return false;
	ending = (struct rc_ending){
		.grace = end.grace,
		.cookie = end.cookie,
		.window_id = end.window_id,
		.invalidate_rkey = view->invalidate_rkey,
		.window = end.window != NULL,
		.solicited = view->bth.solicited,
		.ack_request = view->bth.ack_request,
	};
	if (likely(mem_domain_quiescent(qp->ctx->mem, &end.grace))) {
		report_invalidated(qp, view, &ending);
		return true;
	}
	qp->ctx->counters.reader_waits++;
	qp->responder.ending = true;
	qp->ending = ending;
	return true;
}

bool
rc_receive_end(struct rc_qp *qp, struct wire_view *view)
{
	const struct rc_ending *ending = &qp->ending;

	if (!mem_domain_quiescent(qp->ctx->mem, &ending->grace))
		return false;
	*view = (struct wire_view){
		.bth = {.psn = qp->responder.expected_psn,
			.solicited = ending->solicited,
			.ack_request = ending->ack_request},
		.invalidate_rkey = ending->invalidate_rkey,
	};
	qp->responder.ending = false;
	report_invalidated(qp, view, ending);
	return true;
}

struct rc_refusal
rc_receive_finish(struct rc_qp *qp, const struct wire_view *view)
{
	/*
	 * A full completion queue cannot report the invalidated window. Therefore nothing is
	 * invalidated. The receive completion overruns the queue, and the queue pair ends.
	 */
	if (!view->traits->has_ieth || rc_cq_full(qp->receive_cq)) {
		rc_receive_complete(qp, view, qp->responder.receive_offset,
			view->traits->has_imm ? RC_WITH_IMMEDIATE : 0u);
		return (struct rc_refusal){0};
	}
	if (likely(invalidate(qp, view)))
		return (struct rc_refusal){0};
	/*
	 * RC-093, ND-065: the receive completes with the error, and the peer gets NAK 0x62 (B-073,
	 * B-093).
	 */
	qp->ctx->counters.refused_invalidate++;
	rc_observe(qp->ctx, qp, RC_STEP_REFUSED, MEM_ALLOWED);
	return (struct rc_refusal){WIRE_NAK_REMOTE_ACCESS, RC_INVALIDATE_FAILED};
}

void
rc_receive_fail(struct rc_qp *qp, enum rc_status why)
{
	complete_failed(qp, why, qp->responder.receive_offset);
}

/* Not inline, because rc_post_receive() would then always save registers for this call. */
__rte_noinline void
rc_receive_flush(struct rc_qp *qp)
{
	while (rc_ring_count(&qp->responder.ring) > 0)
		complete_failed(qp, RC_FLUSHED, 0);
}

enum rc_status
rc_post_receive(struct rc_qp *qp, const struct rc_receive_wr *wr)
{
	struct rc_responder *responder = &qp->responder;
	enum rc_status status = rc_receive_append(&responder->ring, responder->sge_max, wr);

	if (unlikely(status != RC_OK))
		return status;
	if (unlikely(qp->state == RC_QP_ERROR))
		rc_receive_flush(qp); /* RC-123: the receive is accepted and flushed at once */
	return RC_OK;
}
