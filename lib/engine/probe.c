/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API
#endif
#include "engine/probe.h"

#include "engine/probe_points.h"
#include "rc/query.h"

static const struct engine *
engine_of(const struct rc_qp *qp)
{
	return ((const struct engine_qp *)qp->timer_slot)->home;
}

static void
retry(const struct rc_qp *qp, const char *why)
{
	const struct engine *engine = engine_of(qp);
	const struct rc_requester *r = &qp->requester;

	lib_ndpdk_qp_retry(engine->name, engine->index, qp->qpn, why, r->una_psn, r->max_sent_psn,
		r->retries_left);
}

static void
refused(const struct rc_qp *qp, enum mem_refusal refusal)
{
	static const char *const names[] = {
		[MEM_ALLOWED] = "invalidate",
		[MEM_REFUSED_KEY] = "key",
		[MEM_REFUSED_OWNER] = "owner",
		[MEM_REFUSED_RANGE] = "range",
		[MEM_REFUSED_RIGHTS] = "rights",
	};
	const struct engine *engine = engine_of(qp);
	char peer[WIRE_GID_TEXT_BYTES];

	static_assert(RTE_DIM(names) == MEM_REFUSED_COUNT, "names lists every kind of refusal");
	/*
	 * Format the text only if the trace point is enabled, because peers can cause this event at
	 * a high rate.
	 */
	if (!rte_trace_point_is_enabled(&__lib_ndpdk_qp_refused))
		return;
	lib_ndpdk_qp_refused(engine->name, engine->index, qp->qpn,
		wire_gid_format(&qp->remote_gid, peer, sizeof(peer)), names[refusal]);
}

void
probe_step(const struct rc_qp *qp, enum rc_moment step, unsigned int detail)
{
	const struct engine *engine = engine_of(qp);

	switch (step) {
	case RC_STEP_STATE:
		lib_ndpdk_qp_state(engine->name, engine->index, qp->qpn, qp->remote_qpn,
			rc_qp_state_name(qp->state), rc_status_name(qp->error));
		break;
	case RC_STEP_TIMEOUT:
		retry(qp, "timeout");
		break;
	case RC_STEP_GAP:
		retry(qp, "gap");
		break;
	case RC_STEP_RNR:
		retry(qp, "rnr");
		break;
	case RC_STEP_SELECTIVE:
		retry(qp, "selective");
		break;
	case RC_STEP_PROBE:
		retry(qp, "probe");
		break;
	case RC_STEP_REFUSED:
		refused(qp, (enum mem_refusal)detail);
		break;
	}
}

void
probe_connection(const struct engine *first, uint32_t qpn, const struct wire_gid *peer,
	const char *from, const char *to)
{
	char text[WIRE_GID_TEXT_BYTES];

	if (!rte_trace_point_is_enabled(&__lib_ndpdk_connection))
		return;
	lib_ndpdk_connection(first->name, qpn, wire_gid_format(peer, text, sizeof(text)), from, to);
}
