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
 * The fast path of rc_requester_input(). A response that the fast path accepts has the same effect
 * as on the slow path (response.c). A response that it does not accept, valid or not, changes
 * nothing and goes to the slow path.
 */

/**
 * Accept the only response of a READ. Conditions: its PSN is una_psn and outstanding; its AETH is
 * an ACK; RC_WATCH_HOLES is not set; it has the requested length; its payload is in one segment;
 * the local memory is writable.
 *
 * @return false if the response was not accepted, and nothing has changed; the response may be
 *         valid or not
 */
bool rc_response_usual(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/** The slow path of rc_requester_input(). The slow path defines what the fast path must do. */
void rc_response_ladder(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns);

/**
 * @param wqe READ that owns the PSN of the response
 * @return true if position in the message, length and syndrome of the response are valid (RC-073,
 *         RC-074)
 */
bool rc_response_fits(
	const struct rc_qp *qp, const struct rc_send_wqe *wqe, const struct wire_view *view);

/** Mark count > 0 outstanding PSNs from una_psn on as answered. */
static __rte_always_inline void
rc_response_advance(struct rc_qp *qp, uint32_t count, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t una_psn = psn_add(r->una_psn, count);
	uint32_t outstanding = psn_distance(r->max_sent_psn, r->una_psn);

	BASE_ASSERT(count > 0 && count <= outstanding);
	/*
	 * After a go-back, packets may be acknowledged before their retransmission. These packets
	 * are skipped.
	 */
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
