/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/responder_usual.h"

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "rc/qp.h"
#include "rc/read_job.h"
#include "rc/receive.h"

/*
 * The fast path makes the same checks as the slow path, the cheapest first. The last check copies
 * the payload, and nothing can fail after it. Builds with assertions then repeat the checks on the
 * slow path, because their result does not depend on the payload.
 */

static inline bool
write_place(const struct rc_qp *qp, const struct wire_view *view, const uint8_t *payload)
{
	uint32_t bytes = view->payload_bytes;

	if (unlikely(bytes == 0 || view->reth.length_bytes != bytes ||
		    (qp->peer_rights & MEM_REMOTE_WRITE) == 0 ||
		    !mem_remote_write(qp->ctx->mem, view->reth.rkey, qp->qpn, view->reth.address,
			    payload, bytes)))
		return false;
	BASE_ASSERT(rc_responder_judge(qp, view) == RC_VERDICT_TAKE);
	return true;
}

static inline bool
send_place(const struct rc_qp *qp, const struct rc_receive_wqe *wqe, const struct wire_view *view,
	const uint8_t *payload)
{
	const struct mem_sgl sgl = {.sges = wqe->sges, .count = wqe->sge_count};
	uint32_t bytes = view->payload_bytes;

	/* mem_sgl_scatter() returns an error, too, if the list is too short for the payload. */
	if (unlikely(mem_sgl_scatter(qp->ctx->mem, &sgl, 0, payload, bytes) != RC_OK))
		return false;
	BASE_ASSERT(rc_responder_judge(qp, view) == RC_VERDICT_TAKE);
	return true;
}

/* Accept a message that uses a receive. @param flags of the completion */
static inline bool
receive(struct rc_qp *qp, const struct wire_view *view, const uint8_t *payload, uint32_t flags)
{
	const struct rc_ring *ring = &qp->responder.ring;
	struct rc_completion *place;

	if (unlikely(rc_ring_count(ring) == 0 || rc_cq_full(qp->receive_cq)))
		return false;
	place = rc_cq_claim(qp->receive_cq);
	if (unlikely(!(flags & RC_OF_WRITE
			    ? write_place(qp, view, payload)
			    : send_place(qp, rc_ring_at(ring, ring->head), view, payload))))
		return false;
	rc_receive_publish(qp, place, view, view->payload_bytes, flags);
	return true;
}

/* Accept a READ of at least one byte after a check of its key. read_response.c answers it later. */
static inline bool
read_take(struct rc_qp *qp, const struct wire_view *view)
{
	struct rc_responder *responder = &qp->responder;
	struct mem_span span;

	/* A length of 0 is refused as well, because length - 1 wraps to the maximum. */
	if (unlikely(view->payload_bytes != 0 ||
		    view->reth.length_bytes - 1 >= LIMIT_MESSAGE_BYTES ||
		    (qp->peer_rights & MEM_REMOTE_READ) == 0 || !rc_reads_room(&responder->reads) ||
		    rc_read_check(qp, view->reth.rkey, view->reth.address, view->reth.length_bytes,
			    &span) != MEM_ALLOWED))
		return false;
	BASE_ASSERT(rc_responder_judge(qp, view) == RC_VERDICT_TAKE);
	rc_responder_accepted(responder);
	rc_responder_advance(responder, rc_reads_accept(qp, view));
	rc_qp_owe(qp, RC_DUTY_ANSWERS);
	return true;
}

/* @return true if the packet meets the conditions for all packets of the fast path */
static inline bool
plain(const struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	const struct rc_responder *responder = &qp->responder;
	uint32_t bytes = view->payload_bytes;
	uint32_t wrong = (view->bth.psn ^ responder->expected_psn) | (uint32_t)responder->message |
		(view->bth.pad_count ^ (-bytes & 3)) | responder->keeping;

	return wrong == 0 && responder->acks.owed <= RC_OWED_ACK && bytes <= qp->pmtu_bytes &&
		view->payload_offset + bytes <= rte_pktmbuf_data_len(mbuf);
}

static __rte_always_inline bool
usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	const uint8_t *payload =
		rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, view->payload_offset);
	bool taken = false;

	if (unlikely(!plain(qp, mbuf, view)))
		return false;
	if (view->bth.opcode == WIRE_RC_WRITE_ONLY)
		taken = write_place(qp, view, payload);
	else if (view->bth.opcode == WIRE_RC_READ_REQUEST)
		return read_take(qp, view);
	else if (view->bth.opcode == WIRE_RC_SEND_ONLY)
		taken = receive(qp, view, payload, 0);
	else if (view->bth.opcode == WIRE_RC_SEND_ONLY_IMM)
		taken = receive(qp, view, payload, RC_WITH_IMMEDIATE);
	else if (view->bth.opcode == WIRE_RC_WRITE_ONLY_IMM)
		taken = receive(qp, view, payload, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	if (unlikely(!taken))
		return false;
	rc_responder_executed(&qp->responder, view, true, RC_MESSAGE_NONE);
	rc_qp_owe(qp, RC_DUTY_ANSWERS);
	return true;
}

/*
 * Accept a message that uses a receive of the shared queue. The receive is not copied into the
 * queue pair's own queue.
 */
static bool
receive_shared(
	struct rc_qp *qp, const struct wire_view *view, const uint8_t *payload, uint32_t flags)
{
	struct rc_srq *srq = qp->srq;
	const struct rc_receive_wqe *wqe;
	struct rc_completion *place;

	if (unlikely(rc_srq_count(srq) == 0 || rc_cq_full(qp->receive_cq)))
		return false;
	place = rc_cq_claim(qp->receive_cq);
	wqe = rc_srq_peek(srq);
	if (unlikely(!(flags & RC_OF_WRITE ? write_place(qp, view, payload)
					   : send_place(qp, wqe, view, payload))))
		return false;
	rc_receive_announce(qp, place, wqe->context, view, view->payload_bytes, flags);
	rc_srq_drop(srq);
	return true;
}

/*
 * The fast path with a shared receive queue. The function is separate, so that it costs nothing for
 * queue pairs without a shared receive queue.
 */
static __rte_noinline bool
usual_shared(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	const uint8_t *payload =
		rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, view->payload_offset);
	bool taken = false;

	if (unlikely(!plain(qp, mbuf, view)))
		return false;
	if (view->bth.opcode == WIRE_RC_SEND_ONLY)
		taken = receive_shared(qp, view, payload, 0);
	else if (view->bth.opcode == WIRE_RC_SEND_ONLY_IMM)
		taken = receive_shared(qp, view, payload, RC_WITH_IMMEDIATE);
	else if (view->bth.opcode == WIRE_RC_WRITE_ONLY_IMM)
		taken = receive_shared(qp, view, payload, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	if (unlikely(!taken))
		return false;
	rc_responder_executed(&qp->responder, view, true, RC_MESSAGE_NONE);
	rc_qp_owe(qp, RC_DUTY_ANSWERS);
	return true;
}

bool
rc_responder_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	return usual(qp, mbuf, view) || (qp->srq != NULL && usual_shared(qp, mbuf, view));
}

static __rte_noinline void
not_usual(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	if (qp->srq == NULL || !usual_shared(qp, mbuf, view))
		rc_responder_ladder(qp, mbuf, view);
}

void
rc_responder_input(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	if (unlikely(!usual(qp, mbuf, view)))
		not_usual(qp, mbuf, view);
}
