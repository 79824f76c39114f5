/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/response_usual.h"

#include <rte_branch_prediction.h>

#include "rc/requester.h"

/*
 * The fast path makes the same checks as the slow path, the cheapest first. The last check copies
 * the payload, too. Only one error is possible after it: an overrun of the completion queue, which
 * lets the queue pair fail as on the slow path.
 */

static inline bool
read_place(const struct rc_qp *qp, const struct rc_send_wqe *wqe, const struct rte_mbuf *mbuf,
	const struct wire_view *view)
{
	const struct mem_sgl sgl = {.sges = wqe->sges, .count = wqe->sge_count};
	uint32_t bytes = view->payload_bytes, offset = view->payload_offset;

	if (unlikely(wqe->opcode != RC_READ || bytes != wqe->length_bytes ||
		    offset + bytes > rte_pktmbuf_data_len(mbuf)))
		return false;
	BASE_ASSERT(rc_response_fits(qp, wqe, view));
	return mem_sgl_scatter_sink(qp->ctx->mem, &sgl, 0,
		       rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, offset), bytes) == RC_OK;
}

static __rte_always_inline bool
usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->ring.head);

	/*
	 * Check the opcode before the AETH, because other responses may have no AETH. If una_psn is
	 * outstanding (una_psn != max_sent_psn), it belongs to the oldest request, which is wqe.
	 */
	if (view->bth.opcode != WIRE_RC_READ_RESPONSE_ONLY || view->bth.psn != r->una_psn ||
		r->una_psn == r->max_sent_psn || (r->watch & RC_WATCH_HOLES) != 0 ||
		wqe->packet_count != 1 || wire_aeth_type(view->aeth.syndrome) != WIRE_AETH_ACK ||
		!read_place(qp, wqe, mbuf, view))
		return false;
	rc_response_advance(qp, 1, now_ns);
	return true;
}

bool
rc_response_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns)
{
	return usual(qp, mbuf, view, now_ns);
}

void
rc_requester_input(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns)
{
	if (!usual(qp, mbuf, view, now_ns))
		rc_response_ladder(qp, mbuf, view, now_ns);
}
