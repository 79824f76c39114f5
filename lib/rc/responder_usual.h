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
 * The fast path of rc_responder_input(). It can only accept: what it accepts, the ladder of
 * responder.c accepts with the same effect, and of a packet that it does not recognise at once,
 * right or wrong, it has changed nothing when the ladder gets it. So a refusal takes the same way
 * whatever its reason is (SEC-030). Builds with assertions ask the ladder's judgement of every
 * packet that is accepted here.
 */

/**
 * Take a READ, or a message of one packet, SEND or WRITE, with or without immediate, as most peers
 * send it: expected, within its limits, payload in one segment; nothing but an ACK is owed; key,
 * receive and completion queue are in order, and there is a place for the READ.
 *
 * @return false: nothing has changed, and nothing is known about the packet
 */
bool
rc_responder_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view);

/** rc_responder_input() without its fast path, which is the specification of both. */
void rc_responder_ladder(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/** What the headers of a request say about it, before its key and its memory are looked at. */
enum rc_verdict {
	RC_VERDICT_TAKE,       /**< execute it, if keys and memory allow it */
	RC_VERDICT_REFUSED,    /**< an earlier one was refused: no packet is taken any more */
	RC_VERDICT_AHEAD,      /**< at least one before it is missing (RC-111) */
	RC_VERDICT_DUPLICATE,  /**< behind the expected one */
	RC_VERDICT_ENDING,     /**< expected, and waits for other engines: a duplicate */
	RC_VERDICT_RNR_WAIT,   /**< expected, but its RNR NAK is still to be sent */
	RC_VERDICT_NO_RECEIVE, /**< it needs a receive, and there is none */
	RC_VERDICT_INVALID,    /**< out of sequence, not permitted, or of a wrong length */
};

/** The ladder's judgement; nothing changes. */
enum rc_verdict rc_responder_judge(const struct rc_qp *qp, const struct wire_view *view);

/** Move on by psn_count PSNs. */
static inline void
rc_responder_advance(struct rc_responder *responder, uint32_t psn_count)
{
	responder->expected_psn = psn_add(responder->expected_psn, psn_count);
	responder->position += psn_count;
}

/**
 * The expected READ or atomic is accepted (RC-041); its record is made next, and carries this MSN.
 */
static inline void
rc_responder_accepted(struct rc_responder *responder)
{
	rc_acks_read_accepted(&responder->acks);
	responder->msn = psn_add(responder->msn, 1);
}

/**
 * The expected packet of a SEND or WRITE is executed: RC-040, RC-041.
 * @param ends whether it is the last of its message
 * @param message that it is of
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
