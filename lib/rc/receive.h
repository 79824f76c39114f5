/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RECEIVE_H
#define NDPDK_RC_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/status.h"
#include "rc/qp.h"
#include "wire/parse.h"

/**
 * Refusal of a packet: the NAK for the peer, and the status of the completion or of the queue pair.
 */
struct rc_refusal {
	uint8_t syndrome; /**< 0 = not refused */
	enum rc_status why;
};

/**
 * Place a SEND packet that passed RC-023..RC-028 in the receive at the head of the queue, which its
 * first packet takes, from the shared queue if there is one. Borrows the mbuf.
 */
struct rc_refusal
rc_receive_place(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * The last packet of a SEND was placed: invalidate the window if it says so, then complete the
 * receive. When the completion queue overruns, the queue pair fails (RC-129). While other engines
 * may use the memory, the receive is not complete: responder.ending is set then, and
 * rc_receive_end() completes it.
 * @return refusal when the invalidation failed; the receive is still to be completed with it
 */
struct rc_refusal rc_receive_finish(struct rc_qp *qp, const struct wire_view *view);

/**
 * Complete the receive whose message has invalidated memory, if no other engine uses that any more.
 * @param view out: what rc_responder_executed() reads of the message's last packet
 * @return false: other engines still use the memory
 */
bool rc_receive_end(struct rc_qp *qp, struct wire_view *view);

/** @return whether a message that needs a receive finds one. */
static inline bool
rc_receive_ready(const struct rc_qp *qp)
{
	return rc_ring_count(&qp->responder.ring) > 0 ||
		(qp->srq != NULL && rc_srq_count(qp->srq) > 0);
}

/**
 * Complete the receive at the head with success; overrun as above. A WRITE takes it now.
 *
 * @param view the last packet of the message, which brings the immediate
 * @param bytes of the whole message (RC-043)
 * @param flags of enum rc_completion_flags
 */
void
rc_receive_complete(struct rc_qp *qp, const struct wire_view *view, uint32_t bytes, uint32_t flags);

/** Complete a receive of this context with success, in a place of the completion queue. */
static inline void
rc_receive_announce(struct rc_qp *qp, struct rc_completion *place, void *context,
	const struct wire_view *view, uint32_t bytes, uint32_t flags)
{
	place->context = context;
	place->owner = qp->owner;
	place->status = RC_OK;
	place->kind = RC_COMPLETION_RECEIVE;
	place->solicited = view->bth.solicited; /* of the last packet (RC-161) */
	place->bytes = bytes;
	place->flags = (uint8_t)flags;
	place->immediate = flags & RC_WITH_IMMEDIATE ? rte_cpu_to_be_32(view->immediate) : 0;
	if (flags & RC_INVALIDATED)
		place->immediate = rte_cpu_to_be_32(view->invalidate_rkey);
	rc_cq_publish(qp->receive_cq, view->bth.solicited);
}

/** rc_receive_complete() into a place that was claimed: it cannot fail. The receive is its own. */
static inline void
rc_receive_publish(struct rc_qp *qp, struct rc_completion *place, const struct wire_view *view,
	uint32_t bytes, uint32_t flags)
{
	struct rc_responder *responder = &qp->responder;
	const struct rc_receive_wqe *wqe = rc_ring_at(&responder->ring, responder->ring.head);

	rc_receive_announce(qp, place, wqe->context, view, bytes, flags);
	responder->ring.head++;
	responder->receive_offset = 0;
}

/** Complete the receive in use with a failure (RC-124). */
void rc_receive_fail(struct rc_qp *qp, enum rc_status why);

/** Complete everything with RC_FLUSHED, in posting order (RC-123). */
void rc_receive_flush(struct rc_qp *qp);

#endif
