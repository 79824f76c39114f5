/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/local.h"

#include "base/assert.h"

/*
 * The short way of a bind or an invalidate. With an empty ring there is no request that it could
 * overtake, no READ that a fence could wait for, and no completion that has to come first; no PSN
 * and no timer is concerned. Whatever fails goes the long way (requester.c), which knows how to end
 * a queue pair.
 */

static void
complete(struct rc_qp *qp, const struct rc_send_wr *wr, enum rc_completion_kind kind)
{
	const struct rc_completion completion = {
		.context = wr->context,
		.status = RC_OK,
		.kind = kind,
		.qpn = qp->qpn,
	};

	if ((wr->flags & RC_SILENT) != 0)
		return;
	if (!rc_cq_push(qp->send_cq, &completion))
		rc_qp_error(qp, RC_INTERNAL); /* RC-129 */
}

enum rc_status
rc_local_bind(struct rc_qp *qp, struct rc_send_wr *wr)
{
	enum rc_status status = mem_bind_now(qp->ctx->mem, &wr->bind, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (status == RC_OK)
		complete(qp, wr, RC_COMPLETION_BIND);
	return status;
}

enum rc_status
rc_local_invalidate(struct rc_qp *qp, const struct rc_send_wr *wr)
{
	enum rc_status status = mem_window_invalidate(qp->ctx->mem, wr->window, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (status == RC_OK)
		complete(qp, wr, RC_COMPLETION_INVALIDATE);
	return status;
}
