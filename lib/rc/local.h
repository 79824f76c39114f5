/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_LOCAL_H
#define NDPDK_RC_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "base/status.h"
#include "rc/qp.h"

/*
 * Fast path: with an empty send queue a bind or an invalidate executes at posting. There is no
 * request that it could overtake, no READ that a fence could wait for, and no completion that has
 * to come first; no PSN and no timer is concerned. The application and the peer see the same as
 * after rc_post_send() (RC-143, RC-077). When these calls cannot execute it, the caller posts it;
 * when it then fails in its turn, the send queue completes it with the error and ends the queue
 * pair (requester.c).
 */

/** @return whether a bind or an invalidate that is posted now may be executed by these calls. */
static inline bool
rc_local_ready(const struct rc_qp *qp)
{
	return qp->state == RC_QP_RTS && qp->requester.ring.head == qp->requester.ring.tail;
}

/** @return RC_OK; RC_INTERNAL: its completion overran the queue, the queue pair has ended */
static inline enum rc_status
rc_local_complete(struct rc_qp *qp, const struct rc_send_wr *wr, enum rc_completion_kind kind)
{
	if ((wr->flags & RC_SILENT) != 0 ||
		likely(rc_cq_push_done(qp->send_cq, wr->context, kind, 0, qp->owner)))
		return RC_OK;
	rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
	rc_qp_end(qp);
	return RC_INTERNAL;
}

/**
 * Bind a window, and complete the request.
 *
 * @param wr RC_BIND; bind.key: out
 * @return RC_OK; RC_INTERNAL: bound, but its completion overran the queue, so that the queue pair
 *         has ended: the owner takes its events; else as mem_bind_now(), and nothing has happened
 */
static inline enum rc_status
rc_local_bind(struct rc_qp *qp, struct rc_send_wr *wr)
{
	enum rc_status status = mem_bind_now(qp->ctx->mem, &wr->bind, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (likely(status == RC_OK))
		status = rc_local_complete(qp, wr, RC_COMPLETION_BIND);
	return status;
}

/**
 * Invalidate a window, and complete the request.
 *
 * @param wr RC_INVALIDATE
 * @return RC_OK; RC_INTERNAL: as rc_local_bind(); RC_INVALIDATE_FAILED: not bound through this
 *         queue pair, and nothing has happened
 */
static inline enum rc_status
rc_local_invalidate(struct rc_qp *qp, const struct rc_send_wr *wr)
{
	enum rc_status status = mem_window_invalidate(qp->ctx->mem, wr->window, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (likely(status == RC_OK))
		status = rc_local_complete(qp, wr, RC_COMPLETION_INVALIDATE);
	return status;
}

#endif
