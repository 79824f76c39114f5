/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/keepalive.h"

#include "base/assert.h"
#include "base/psn.h"
#include "rc/complete.h"
#include "rc/keepalive_waiting.h"
#include "rc/out.h"
#include "rc/qp.h"
#include "rc/recovery.h"
#include "rc/request_headers.h"
#include "rc/retransmit.h"

/*
 * A side that sends nothing does not notice when its peer is gone, because it waits for no
 * acknowledgement. A keepalive is a WRITE of no bytes, which the peer acknowledges. The WRITE has
 * no other effect at the peer (RC-012): no key is checked, nothing is written, no receive is used,
 * and nothing is reported.
 *
 * The data path does nothing for keepalives. Twice per interval, the responder's position and
 * una_psn are compared with their values at the last comparison. If they did not change in two
 * consecutive half intervals, a keepalive is sent. So 1 to 1.5 intervals of silence cause a
 * keepalive.
 *
 * A keepalive is sent only if the send queue is empty. Otherwise the retries of the oldest request
 * find out whether the peer is gone. The WRITE uses a PSN, but no entry in the send queue. una_psn
 * advances past this PSN at once, as if the WRITE were acknowledged, so the rest of the requester
 * is not affected. The keepalive is unanswered until una_psn advances further, or until its own
 * answer arrives. The answer to the keepalive has the PSN before una_psn, which no request owns. A
 * response to a later PSN answers the keepalive as well.
 *
 * After a NAK or an expiry of the ACK timer, the keepalive is retransmitted before all requests,
 * because the peer accepts their PSNs only after the keepalive. NAKs and expiries use up retries,
 * as for a request (RC-096, RC-098). If no retry is left, the queue pair fails with RC_PEER_SILENT.
 *
 * If the peer forbids WRITEs, it answers with a NAK "invalid request", and the connection ends.
 * This does not happen in practice, because connection managers allow WRITEs on all connections.
 */

static uint32_t
probe_psn(const struct rc_qp *qp)
{
	return psn_add(qp->requester.una_psn, PSN_MASK);
}

void
rc_keepalive_set(struct rc_qp *qp, uint64_t interval_ns, uint64_t now_ns)
{
	struct rc_keepalive *keepalive = &qp->keepalive;
	bool waiting = rc_keepalive_waiting(qp);

	if (qp->state != RC_QP_RTS)
		return;
	keepalive->half_ns = interval_ns / 2;
	keepalive->deadline_ns = interval_ns == 0 ? BASE_TIME_NEVER : now_ns + keepalive->half_ns;
	keepalive->position = qp->responder.position;
	keepalive->una_psn = qp->requester.una_psn;
	keepalive->quiet = false;
	qp->requester.probing = waiting;
}

/* Begin a keepalive. The send queue must be empty, so that all PSNs are acknowledged. */
static void
begin(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t psn = psn_add(r->next_psn, 1);

	BASE_ASSERT(r->una_psn == r->next_psn && r->send_psn == r->next_psn);
	r->una_psn = psn;
	r->send_psn = psn;
	r->next_psn = psn;
	r->max_sent_psn = psn;
	r->ack_wanted_psn = psn;
	r->probing = true;
	rc_timer_probe(&r->timer, now_ns);
	rc_qp_owe(qp, RC_DUTY_REQUESTS);
}

bool
rc_keepalive_look(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_keepalive *keepalive = &qp->keepalive;
	struct rc_requester *r = &qp->requester;
	bool busy = r->ring.head != r->ring.tail;
	bool heard =
		keepalive->position != qp->responder.position || keepalive->una_psn != r->una_psn;
	bool ask = false;

	if (qp->state != RC_QP_RTS) {
		keepalive->deadline_ns = BASE_TIME_NEVER;
		return false;
	}
	r->probing = rc_keepalive_waiting(qp);
	if (!heard && !r->probing) {
		ask = keepalive->quiet;
		keepalive->quiet = !ask;
	} else {
		keepalive->quiet = false;
	}
	/*
	 * Requests that are posted but not submitted have no timer. With such requests, no
	 * keepalive is needed, because the caller sends them now.
	 */
	if (ask && !busy)
		begin(qp, now_ns);
	keepalive->position = qp->responder.position;
	keepalive->una_psn = r->una_psn;
	keepalive->deadline_ns = now_ns + keepalive->half_ns;
	return ask;
}

void
rc_keepalive_send(struct rc_qp *qp, uint64_t now_ns)
{
	const struct wire_reth_value none = {0};
	const struct wire_bth_value bth =
		rc_request_bth(qp, WIRE_RC_WRITE_ONLY, probe_psn(qp), true, false);
	struct rc_requester *r = &qp->requester;
	struct rte_mbuf *mbuf;
	uint8_t *extensions;

	if (!rc_keepalive_waiting(qp)) {
		/* no keepalive to send, because a NAK for a later PSN has answered it */
		rc_timer_go_back(&r->timer);
		return;
	}
	mbuf = rc_out_reserve(qp->ctx, 0);
	if (mbuf == NULL) {
		if (rc_timer_probe_stuck(&r->timer, &qp->stuck, qp->ctx->taken_count, now_ns))
			rc_complete_fail(qp, RC_PORT_STUCK);
		return;
	}
	extensions = rc_out_begin(qp->ctx, mbuf, &qp->tmpl, bth,
		wire_opcode_traits(WIRE_RC_WRITE_ONLY)->header_bytes);
	wire_reth_store((struct wire_reth *)extensions, &none);
	rc_out_finish(qp->ctx, mbuf, &qp->tmpl);
	qp->ctx->counters.tx_keepalives++;
	rc_timer_probe_sent(&r->timer, now_ns);
}

static void
answered(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	r->probing = false;
	rc_retransmit_progress(qp);
	if (r->watch != 0)
		rc_recovery_progress(qp, 0, now_ns);
	rc_timer_progress(&r->timer, r->ack_wanted_psn != r->una_psn, now_ns);
}

static void
lost(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_counters *counters = &qp->ctx->counters;
	struct rc_requester *r = &qp->requester;

	counters->rx_naks_sequence++;
	if (r->go_back_pending || r->timer.kind == RC_TIMER_PROBE)
		return; /* already scheduled for retransmission */
	rc_retransmit_gap(qp, &counters->retries_sequence, now_ns);
	if (!rc_qp_failed(qp))
		rc_timer_probe(&r->timer, now_ns);
}

static void
refused(struct rc_qp *qp, enum rc_status status)
{
	qp->ctx->counters.rx_naks_fatal++;
	rc_complete_fail(qp, status);
}

bool
rc_keepalive_input(struct rc_qp *qp, uint32_t psn, uint8_t syndrome, uint64_t now_ns)
{
	if (likely(!rc_keepalive_waiting(qp)) || psn != probe_psn(qp))
		return false;
	if (wire_aeth_type(syndrome) == WIRE_AETH_ACK)
		answered(qp, now_ns);
	else if (syndrome == WIRE_NAK_SEQUENCE)
		lost(qp, now_ns);
	else if (syndrome == WIRE_NAK_INVALID_REQUEST)
		refused(qp, RC_REMOTE_INVALID_REQUEST);
	else if (syndrome == WIRE_NAK_REMOTE_ACCESS)
		refused(qp, RC_REMOTE_ACCESS);
	else if (syndrome == WIRE_NAK_REMOTE_OPERATION)
		refused(qp, RC_REMOTE_OPERATION);
	else
		return false;
	return true;
}
