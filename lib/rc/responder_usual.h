/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RESPONDER_USUAL_H
#define NDPDK_RC_RESPONDER_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/psn.h"
#include "rc/responder.h"
#include "wire/parse.h"

/*
 * The fast path of rc_responder_input(). A packet that the fast path accepts has the same effect as
 * on the slow path (responder.c). A packet that it does not accept, valid or not, changes nothing
 * and goes to the slow path. So all refusals take the same path, whatever the reason (SEC-030).
 * Builds with assertions also run the checks of the slow path for every accepted packet.
 */

/**
 * Accept a READ, or a SEND or WRITE of one packet, with or without immediate data. Conditions: the
 * packet has the expected PSN and a valid length; its payload is in one segment; no answer except
 * an ACK is owed; key, receive and completion queue are usable; there is a free slot for the READ.
 *
 * @return false if the packet was not accepted, and nothing has changed; the packet may be valid or
 *         not
 */
bool
rc_responder_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view);

/** The slow path of rc_responder_input(). The slow path defines what the fast path must do. */
void rc_responder_ladder(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/** Result of the checks of a request's headers, before its key and memory are checked. */
enum rc_verdict {
	RC_VERDICT_TAKE,      /**< execute the request, if its key and memory allow it */
	RC_VERDICT_REFUSED,   /**< an earlier request was refused, so no packet is accepted */
	RC_VERDICT_AHEAD,     /**< an earlier packet is missing (RC-111) */
	RC_VERDICT_DUPLICATE, /**< the PSN is before the expected PSN */
	RC_VERDICT_ENDING,   /**< duplicate of the expected packet, which waits for other engines */
	RC_VERDICT_RNR_WAIT, /**< expected PSN, but an RNR NAK for it is not yet sent */
	RC_VERDICT_NO_RECEIVE, /**< the request needs a receive, and none is posted */
	RC_VERDICT_INVALID,    /**< wrong opcode sequence or length, or request not permitted */
};

/** Check the headers of a request as the slow path does, without changing anything. */
enum rc_verdict rc_responder_judge(const struct rc_qp *qp, const struct wire_view *view);

static inline void
rc_responder_advance(struct rc_responder *responder, uint32_t psn_count)
{
	responder->expected_psn = psn_add(responder->expected_psn, psn_count);
	responder->position += psn_count;
}

/**
 * Called when the expected READ or atomic is accepted (RC-041), before its record is created,
 * because the record contains the new MSN.
 */
static inline void
rc_responder_accepted(struct rc_responder *responder)
{
	rc_acks_read_accepted(&responder->acks);
	responder->msn = psn_add(responder->msn, 1);
}

/**
 * Called when the expected packet of a SEND or WRITE was executed: RC-040, RC-041.
 * @param ends true if the packet is the last of its message
 * @param message kind of this message
 */
static inline void
rc_responder_executed(struct rc_responder *responder, const struct wire_view *view, bool ends,
	enum rc_message_kind message)
{
	rc_acks_executed(
		&responder->acks, view->bth.psn, responder->position, view->bth.ack_request);
	rc_responder_advance(responder, 1);
	responder->message = ends ? RC_MESSAGE_NONE : message;
	if (ends)
		responder->msn = psn_add(responder->msn, 1);
}

#endif
