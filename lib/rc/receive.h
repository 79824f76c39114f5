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
 * Refusal of a packet: the NAK to the peer, and the error status of the completion or queue pair.
 */
struct rc_refusal {
	uint8_t syndrome; /**< syndrome of the NAK; 0 = the packet is not refused */
	enum rc_status why;
};

/**
 * Copy the payload of a SEND packet, which passed RC-023..RC-028, into the receive at the head of
 * the queue. With a shared receive queue, the first packet of a message takes a receive from the
 * shared queue. The caller still owns the mbuf.
 */
struct rc_refusal
rc_receive_place(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * Finish a SEND after its last packet was placed: invalidate the key of a SEND with Invalidate,
 * then complete the receive. If the completion queue overruns, the queue pair fails (RC-129). If
 * other engines may still use the memory, set responder.ending, so that rc_receive_end() completes
 * the receive later.
 * @return refusal if the invalidate failed; the caller completes the receive with this error
 */
struct rc_refusal rc_receive_finish(struct rc_qp *qp, const struct wire_view *view);

/**
 * Complete the receive of a SEND with Invalidate, if no other engine uses the memory any more.
 * @param view output: the headers of the message's last packet that rc_responder_executed() needs
 * @return false if other engines still use the memory
 */
bool rc_receive_end(struct rc_qp *qp, struct wire_view *view);

static inline bool
rc_receive_ready(const struct rc_qp *qp)
{
	return rc_ring_count(&qp->responder.ring) > 0 ||
		(qp->srq != NULL && rc_srq_count(qp->srq) > 0);
}

/**
 * Complete the receive at the head with success. If the completion queue overruns, the queue pair
 * fails (RC-129). If the queue pair has a shared receive queue, a WRITE with immediate first takes
 * a receive from this queue.
 *
 * @param view last packet of the message; contains the immediate data
 * @param bytes length of the whole message (RC-043)
 * @param flags of enum rc_completion_flags
 */
void
rc_receive_complete(struct rc_qp *qp, const struct wire_view *view, uint32_t bytes, uint32_t flags);

/**
 * Write a completion of a successful receive with this context into a claimed slot of the
 * completion queue, and publish it.
 */
static inline void
rc_receive_announce(struct rc_qp *qp, struct rc_completion *place, void *context,
	const struct wire_view *view, uint32_t bytes, uint32_t flags)
{
	place->context = context;
	place->owner = qp->owner;
	place->status = RC_OK;
	place->kind = RC_COMPLETION_RECEIVE;
	place->solicited = view->bth.solicited; /* SE bit of the message's last packet (RC-161) */
	place->bytes = bytes;
	place->flags = (uint8_t)flags;
	place->immediate = flags & RC_WITH_IMMEDIATE ? rte_cpu_to_be_32(view->immediate) : 0;
	if (flags & RC_INVALIDATED)
		place->immediate = rte_cpu_to_be_32(view->invalidate_rkey);
	rc_cq_publish(qp->receive_cq, view->bth.solicited);
}

/**
 * Like rc_receive_complete(), but with a slot that was already claimed, so the call cannot fail.
 * The receive must be in the queue pair's own queue.
 */
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

/** Complete the receive at the head of the queue with an error (RC-124). */
void rc_receive_fail(struct rc_qp *qp, enum rc_status why);

/** Complete all receives with RC_FLUSHED, in posting order (RC-123). */
void rc_receive_flush(struct rc_qp *qp);

#endif
