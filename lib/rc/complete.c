/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/complete.h"

#include "base/assert.h"
#include "rc/operation.h"
#include "rc/qp.h"

/*
 * A request is done when the peer has acknowledged all its PSNs, or when it was executed here
 * (bind, invalidate). Acknowledgements are in order, so the oldest requests are done first: taking
 * them from the head of the ring gives posting order (RC-077). A place in the ring is free as soon
 * as its request is complete, also when the request is silent. An executed bind behind an
 * unacknowledged SEND completes after the SEND.
 */

/*
 * Takes the oldest request out of the ring. @return false: the completion queue has overrun, and
 * the completion is lost
 */
static bool
pop(struct rc_qp *qp, enum rc_status status)
{
	struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);
	struct rc_completion completion = {
		.context = wqe->context,
		.status = status,
		.kind = (enum rc_completion_kind)rc_operation(wqe->opcode)->completion,
		.bytes = wqe->length_bytes,
		.qpn = qp->qpn,
		.solicited = status != RC_OK,
	};

	BASE_ASSERT(rc_ring_count(&r->ring) > 0);
	r->ring.head++;
	if (status == RC_OK && (wqe->flags & RC_SILENT) != 0)
		return true;
	return rc_cq_push(qp->send_cq, &completion);
}

static bool
answered(const struct rc_requester *r, const struct rc_send_wqe *wqe)
{
	return psn_distance(r->una_psn, wqe->first_psn) >= wqe->packet_count;
}

void
rc_complete_done(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;

	while (r->ring.head != r->start_index) {
		const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);

		if (!answered(r, wqe))
			break;
		if (wqe->executed && rc_send_extra(r, r->ring.head)->status != RC_OK) {
			rc_complete_fail(qp, rc_send_extra(r, r->ring.head)->status);
			return;
		}
		if (rc_opcode_is_answered(wqe->opcode)) {
			BASE_ASSERT(r->reads_outstanding > 0);
			r->reads_outstanding--;
		}
		if (!pop(qp, RC_OK))
			rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
	}
}

void
rc_complete_fail(struct rc_qp *qp, enum rc_status status)
{
	if (rc_qp_failed(qp))
		return;
	qp->requester.head_failed = true;
	rc_qp_fail(qp, status);
}

/* A bind that will not be executed any more releases its reserved key. */
static void
cancel_bind(struct rc_qp *qp)
{
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);

	if (wqe->opcode == RC_BIND && !wqe->executed)
		mem_bind_cancel(qp->ctx->mem, &rc_send_extra(r, r->ring.head)->bind);
}

void
rc_complete_flush(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;
	enum rc_status status = r->head_failed ? qp->error : RC_FLUSHED;

	r->head_failed = false;
	while (rc_ring_count(&r->ring) > 0) {
		cancel_bind(qp);
		/*
		 * When the queue overruns, the completion is lost; the queue has reported that by
		 * its notification.
		 */
		(void)pop(qp, status);
		status = RC_FLUSHED;
	}
}

void
rc_complete_discard(struct rc_qp *qp)
{
	while (rc_ring_count(&qp->requester.ring) > 0) {
		cancel_bind(qp);
		qp->requester.ring.head++;
	}
}
