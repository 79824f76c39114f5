/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/query.h"

const char *
rc_qp_state_name(enum rc_qp_state state)
{
	static const char *const names[] = {
		[RC_QP_INIT] = "INIT",
		[RC_QP_RTS] = "RTS",
		[RC_QP_ERROR] = "ERROR",
	};

	return names[state];
}

static const char *
timer_name(enum rc_timer_kind kind)
{
	static const char *const names[] = {
		[RC_TIMER_IDLE] = "idle",
		[RC_TIMER_ACK] = "ack",
		[RC_TIMER_EARLY] = "ack",
		[RC_TIMER_ROOM] = "room",
		[RC_TIMER_RNR] = "rnr",
		[RC_TIMER_PROBE] = "keepalive",
	};

	return names[kind];
}

/* @return remaining time until a deadline; 0 if the deadline is BASE_TIME_NEVER or in the past */
static uint64_t
left_ns(uint64_t deadline_ns, uint64_t now_ns)
{
	return deadline_ns == BASE_TIME_NEVER || deadline_ns <= now_ns ? 0 : deadline_ns - now_ns;
}

static void
requester_query(const struct rc_qp *qp, uint64_t now_ns, struct rc_qp_info *info)
{
	const struct rc_requester *r = &qp->requester;

	info->sends = rc_ring_count(&r->ring);
	info->sends_max = r->ring.entries;
	info->una_psn = r->una_psn;
	info->send_psn = r->send_psn;
	info->max_sent_psn = r->max_sent_psn;
	info->reads = r->reads_outstanding;
	info->reads_max = r->reads_max;
	info->retries_left = r->retries_left;
	info->rnr_retries_left = r->rnr_retries_left;
	info->timer = timer_name(r->timer.kind);
	info->timer_ns = left_ns(rc_timer_deadline(&r->timer), now_ns);
	info->window = cc_window(&qp->cc);
	info->pause_ns = left_ns(r->pace_ns, now_ns);
	info->selective = qp->connection.selective;
	info->rtt_ns = info->selective ? qp->recovery.rtt.smoothed_ns : 0;
}

static void
responder_query(const struct rc_qp *qp, struct rc_qp_info *info)
{
	const struct rc_responder *responder = &qp->responder;

	info->receives = rc_ring_count(&responder->ring);
	info->receives_max = responder->ring.entries;
	info->shared = qp->srq != NULL;
	info->expected_psn = responder->expected_psn;
	info->msn = responder->msn;
	info->keeping = responder->keeping;
}

void
rc_qp_query(const struct rc_qp *qp, uint64_t now_ns, struct rc_qp_info *info)
{
	*info = (struct rc_qp_info){
		.qpn = qp->qpn,
		.state = rc_qp_state_name(qp->state),
		.error = rc_status_name(qp->error),
		.remote_qpn = qp->remote_qpn,
		.local_gid = qp->local_gid,
		.remote_gid = qp->remote_gid,
		.pmtu_bytes = qp->pmtu_bytes,
	};
	requester_query(qp, now_ns, info);
	responder_query(qp, info);
}
