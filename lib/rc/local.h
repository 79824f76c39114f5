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
 * Fast path for local operations: if the send queue is empty, a bind or an invalidate is executed
 * when it is posted. With an empty send queue there is no earlier request, no READ that delays a
 * fenced request, and no earlier completion. PSNs and timers are not involved. The effect for
 * application and peer is the same as with rc_post_send() (RC-143, RC-077).
 *
 * If these functions cannot execute the operation, the caller posts it. If the posted operation
 * then fails, it completes with the error and the queue pair ends (requester.c).
 */

/** @return true if the functions below may execute a bind or an invalidate now */
static inline bool
rc_local_ready(const struct rc_qp *qp)
{
	return qp->state == RC_QP_RTS && qp->requester.ring.head == qp->requester.ring.tail;
}

/**
 * Complete a local operation that was executed.
 * @param context returned in the completion
 * @param flags RC_SILENT or 0 (enum rc_send_flags); RC_FENCE has no effect
 * @return RC_OK; RC_INTERNAL if the completion overran the completion queue, and the queue pair has
 *         ended
 */
static inline enum rc_status
rc_local_complete(struct rc_qp *qp, void *context, uint32_t flags, enum rc_completion_kind kind)
{
	if ((flags & RC_SILENT) != 0)
		return RC_OK;
	qp->ctx->frameless_results++;
	if (likely(rc_cq_push_done(qp->send_cq, context, kind, 0, qp->owner)))
		return RC_OK;
	rc_qp_fail(qp, RC_INTERNAL); /* overrun (RC-129) */
	rc_qp_end(qp);
	return RC_INTERNAL;
}

/**
 * Bind a window, and complete the request.
 *
 * @param bind bind->key is set if RC_OK or RC_INTERNAL is returned
 * @param context, flags as for rc_local_complete()
 * @return RC_OK; RC_INTERNAL if the window is bound, but the completion overran the completion
 *         queue and the queue pair has ended; the owner must then call rc_qp_events_take(). After
 *         all other errors, which are those of mem_bind_now(), the window is not bound
 */
static inline enum rc_status
rc_local_bind(struct rc_qp *qp, struct mem_bind *bind, void *context, uint32_t flags)
{
	enum rc_status status = mem_bind_now(qp->ctx->mem, bind, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (likely(status == RC_OK))
		status = rc_local_complete(qp, context, flags, RC_COMPLETION_BIND);
	return status;
}

/**
 * Invalidate a window, and complete the request.
 *
 * @param context, flags as for rc_local_complete()
 * @return RC_OK; RC_INTERNAL: as rc_local_bind(); RC_INVALIDATE_FAILED: the window is not bound
 *         through this queue pair, and nothing has changed
 */
static inline enum rc_status
rc_local_invalidate(struct rc_qp *qp, struct mem_window *window, void *context, uint32_t flags)
{
	enum rc_status status = mem_window_invalidate(qp->ctx->mem, window, qp->qpn);

	BASE_ASSERT(rc_local_ready(qp));
	if (likely(status == RC_OK))
		status = rc_local_complete(qp, context, flags, RC_COMPLETION_INVALIDATE);
	return status;
}

#endif
