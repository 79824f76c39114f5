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

/**
 * @param context returned in the completion
 * @param flags of enum rc_send_flags: RC_SILENT; RC_FENCE has no effect
 * @return RC_OK; RC_INTERNAL: its completion overran the queue, the queue pair has ended
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
 * @param bind bind->key is set with RC_OK and RC_INTERNAL
 * @param context as flags, for rc_local_complete()
 * @return RC_OK; RC_INTERNAL: the window is bound, but the completion overran the queue and the
 *         queue pair has ended: the owner takes its events; other errors as mem_bind_now(): nothing
 *         was bound
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
 * @param context as flags, for rc_local_complete()
 * @return RC_OK; RC_INTERNAL: as rc_local_bind(); RC_INVALIDATE_FAILED: not bound through this
 *         queue pair, and nothing has happened
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
