/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_LOCAL_H
#define NDPDK_RC_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "rc/qp.h"

/*
 * Binds and invalidates whose turn is now: nothing is in the send queue, so that they need not go
 * through it. What the application and the peer see is the same (RC-143, RC-077).
 */

/** @return whether a bind or an invalidate that is posted now may be executed by these calls. */
static inline bool
rc_local_ready(const struct rc_qp *qp)
{
	return qp->state == RC_QP_RTS && qp->requester.ring.head == qp->requester.ring.tail;
}

/**
 * Bind a window, and complete the request.
 *
 * @param wr RC_BIND; bind.key: out
 * @return RC_OK; else as mem_bind_now(), and nothing has happened
 */
enum rc_status rc_local_bind(struct rc_qp *qp, struct rc_send_wr *wr) __rte_warn_unused_result;

/**
 * Invalidate a window, and complete the request.
 *
 * @param wr RC_INVALIDATE
 * @return RC_OK; RC_INVALIDATE_FAILED: not bound through this queue pair, and nothing has happened
 */
enum rc_status
rc_local_invalidate(struct rc_qp *qp, const struct rc_send_wr *wr) __rte_warn_unused_result;

#endif
