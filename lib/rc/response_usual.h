/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RESPONSE_USUAL_H
#define NDPDK_RC_RESPONSE_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "base/assert.h"
#include "base/psn.h"
#include "cc/cc.h"
#include "rc/complete.h"
#include "rc/qp.h"
#include "rc/recovery.h"
#include "rc/retransmit.h"
#include "wire/parse.h"

/*
 * The fast path of rc_requester_input(). It can only accept: what it accepts, the ladder of
 * response.c accepts with the same effect, and of a response that it does not recognise at once it
 * has changed nothing when the ladder gets it.
 */

/**
 * Take the only response to a READ or to an atomic, as most peers send it: the oldest that is
 * outstanding, as long as was asked for, payload in one segment, and memory that may be written.
 *
 * @return false: nothing has changed, and nothing is known about the response
 */
bool rc_response_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/** rc_requester_input() without its fast path, which is the specification of both. */
void rc_response_ladder(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/**
 * @param wqe a READ that owns the PSN of the response
 * @return whether place in the message, length and syndrome of the response are right (RC-073,
 *         RC-074)
 */
bool rc_response_fits(
	const struct rc_qp *qp, const struct rc_send_wqe *wqe, const struct wire_view *view);

/** Take count > 0 PSNs from una_psn on, which are outstanding, as answered. */
static __rte_always_inline void
rc_response_advance(struct rc_qp *qp, uint32_t count, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t una_psn = psn_add(r->una_psn, count);
	uint32_t outstanding = psn_distance(r->max_sent_psn, r->una_psn);

	BASE_ASSERT(count > 0 && count <= outstanding);
	/* A go-back may find its packets acknowledged before they were sent again: skip them. */
	if (unlikely(psn_distance(r->send_psn, r->una_psn) < count)) {
		r->send_psn = una_psn;
		if ((r->watch & RC_WATCH_NAKED) != 0)
			r->watch |= RC_WATCH_SKIPPED;
	}
	if (psn_distance(r->ack_wanted_psn, r->una_psn) < count)
		r->ack_wanted_psn = una_psn;
	r->una_psn = una_psn;
	rc_retransmit_progress(qp);
	if (unlikely(r->watch != 0))
		rc_recovery_progress(qp, count, now_ns);
	rc_timer_progress(&r->timer, r->ack_wanted_psn != una_psn, now_ns);
	cc_ack_received(&qp->cc, count, outstanding, now_ns);
	rc_complete_done(qp);
	if ((int32_t)(r->send_index - r->ring.head) < 0)
		r->send_index = r->ring.head;
}

#endif
