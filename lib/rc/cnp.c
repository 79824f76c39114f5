/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/cnp.h"

#include <rte_branch_prediction.h>

#include "rc/qp.h"

/*
 * A congested switch marks packets CE. The receiver of a marked packet reports this to the sender
 * with a CNP, at most one per rc_marking.cnp_interval_ns (CC-002). Any kind of packet may be
 * marked: requests, READ responses or acknowledgements (CC-006). The CNP is addressed to the peer's
 * queue pair, and slows down the requests and responses of this queue pair. A CNP is neither
 * acknowledged nor retransmitted, and its own CE mark is ignored.
 *
 * While a burst is processed, a mark is only recorded (RC_DUTY_CNP). The CNP is sent before all
 * other packets of the queue pair, in its own traffic class (CC-003).
 */

static bool
due(const struct rc_qp *qp, uint64_t now_ns)
{
	uint64_t interval_ns = qp->ctx->marking.cnp_interval_ns;

	return interval_ns != 0 && now_ns >= qp->next_cnp_ns;
}

static bool
cnp_send(struct rc_qp *qp)
{
	const struct wire_headers headers = {
		.bth = {.opcode = WIRE_CNP,
			.becn = true,
			.migrated = true,
			.pkey = WIRE_PKEY_DEFAULT,
			.dest_qp = qp->remote_qpn},
	};
	struct rc_context *ctx = qp->ctx;
	struct rte_mbuf *mbuf = rc_out_reserve(ctx, 0);
	struct wire_template tmpl = qp->tmpl;

	if (mbuf == NULL)
		return false;
	wire_template_set_tos(&tmpl, (uint8_t)(ctx->marking.cnp_dscp << WIRE_DSCP_SHIFT));
	rc_out_send_datagram(ctx, mbuf, &tmpl, &headers);
	ctx->counters.tx_cnps++;
	return true;
}

__rte_cold bool
rc_cnp_progress(struct rc_qp *qp, uint64_t now_ns)
{
	if (due(qp, now_ns)) {
		if (!cnp_send(qp))
			return false;
		qp->next_cnp_ns = now_ns + qp->ctx->marking.cnp_interval_ns;
	}
	rc_qp_done(qp, RC_DUTY_CNP);
	return true;
}

__rte_cold void
rc_cnp_input(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns)
{
	struct rc_counters *counters = &qp->ctx->counters;

	if (!view->bth.becn) {
		counters->drop_cnp++; /* without BECN (CC-004) */
		return;
	}
	counters->rx_cnps++;
	counters->rate_cuts += cc_cnp_received(&qp->cc, now_ns);
}
