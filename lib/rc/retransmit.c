/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/retransmit.h"

#include "base/assert.h"
#include "cc/cc.h"
#include "rc/complete.h"
#include "rc/keepalive_waiting.h"
#include "rc/qp.h"
#include "rc/request.h"

/*
 * Retransmission sets send_psn back to una_psn. The packets are then built again from registered
 * memory, one after the other (requester.c, request.c), under congestion control like all packets
 * (RC-102).
 *
 * Three events cause a retransmission: the ACK timer expires (RC-096); a NAK 0x60 (RC-098) or a
 * response after an unanswered READ (RC-072) shows a gap; the wait after an RNR NAK ends (RC-085).
 * Timeouts and gaps share the retry counter, which is finite for every value (RC-097). RNR NAKs
 * have their own counter, where 7 means unlimited. Progress resets both counters. An RNR NAK resets
 * the retry counter, because the peer is alive, and because single lost packets could otherwise use
 * up this counter during a long wait for a receive. Timeouts and gaps also retransmit an unanswered
 * keepalive (keepalive.c), before una_psn.
 *
 * Congestion control limits the packets that are retransmitted at once. It gets an event for each
 * gap and each timeout (RC-102).
 */

#define RNR_RETRY_INFINITE 7

void
rc_retransmit_go_back(struct rc_requester *r)
{
	/*
	 * Stop measurements and repairs. The packets that are timed, or were retransmitted alone,
	 * are sent once more, so their answers become ambiguous.
	 */
	r->watch &=
		(uint8_t) ~(RC_WATCH_TIMED | RC_WATCH_RESEND | RC_WATCH_REPAIR | RC_WATCH_NAKED);
	r->went_back = true;
	r->first_answer_psn = r->una_psn;
	r->send_psn = r->una_psn;
	r->send_index = r->ring.head;
	r->ack_wanted_psn = r->una_psn;
	/*
	 * Set AckReq in the first packet, because its acknowledgement shows which packets, possibly
	 * all, the peer already has (RC-114).
	 */
	r->since_ack_request = RC_ACK_REQUEST_SPACING - 1;
}

/* Take a retry. If no retry is left, the oldest request fails. @return true if a retry was left */
static bool
retry_taken(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;

	BASE_ASSERT(r->una_psn != r->max_sent_psn || rc_keepalive_waiting(qp));
	if (r->retries_left == 0) {
		rc_complete_fail(qp, rc_keepalive_waiting(qp) ? RC_PEER_SILENT : RC_RETRY_EXCEEDED);
		return false;
	}
	r->retries_left--;
	return true;
}

void
rc_retransmit_timeout(struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_context *ctx = qp->ctx;

	switch (rc_timer_judge(
		&qp->requester.timer, &qp->stuck, ctx->taken_count, ctx->stuck_count, now_ns)) {
	case RC_TIMER_UNANSWERED:
		break;
	case RC_TIMER_STUCK:
		return;
	case RC_TIMER_GIVE_UP:
		rc_complete_fail(qp, RC_PORT_STUCK);
		return;
	}
	if (!retry_taken(qp))
		return;
	qp->ctx->counters.retries_timeout++;
	rc_observe(qp->ctx, qp, RC_STEP_TIMEOUT, 0);
	cc_timeout(&qp->cc, now_ns);
	qp->requester.go_back_pending = false;
	rc_retransmit_go_back(&qp->requester);
	if (rc_keepalive_waiting(qp))
		rc_timer_probe(&qp->requester.timer, now_ns);
}

bool
rc_retransmit_take(struct rc_qp *qp, uint64_t now_ns)
{
	if (!retry_taken(qp))
		return false;
	cc_gap(&qp->cc, now_ns);
	return true;
}

void
rc_retransmit_gap(struct rc_qp *qp, uint64_t *counter, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	/*
	 * During an RNR wait, una_psn is the PSN that the RNR NAK refused. A sequence NAK for later
	 * packets names the same PSN and does not end the wait (RC-086, Q27).
	 */
	if (r->go_back_pending || rc_timer_rnr_waiting(&r->timer))
		return;
	if (!rc_retransmit_take(qp, now_ns))
		return;
	(*counter)++;
	rc_observe(qp->ctx, qp, RC_STEP_GAP, 0);
	r->go_back_pending = true;
	rc_retransmit_go_back(r);
	rc_timer_go_back(&r->timer);
}

void
rc_retransmit_rnr(struct rc_qp *qp, uint8_t code, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	/* A peer that refuses two copies of a request in succession causes only one wait. */
	if (rc_timer_rnr_waiting(&r->timer))
		return;
	if (r->rnr_retries_left == 0) {
		rc_complete_fail(qp, RC_RNR_RETRY_EXCEEDED);
		return;
	}
	if (r->rnr_retry_count != RNR_RETRY_INFINITE)
		r->rnr_retries_left--;
	r->retries_left = r->retry_count;
	r->go_back_pending = false;
	rc_observe(qp->ctx, qp, RC_STEP_RNR, 0);
	rc_retransmit_go_back(r);
	if (qp->connection.selective) /* the peer has answered, so the next wait begins */
		rc_timer_early_begin(
			&r->timer, &qp->recovery.early, rc_rtt_probe_ns(&qp->recovery.rtt));
	rc_timer_rnr_nak(&r->timer, code, now_ns);
}

void
rc_retransmit_progress(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;

	r->retries_left = r->retry_count;
	r->rnr_retries_left = r->rnr_retry_count;
	r->went_back = false;
	r->go_back_pending = false;
}
