/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_COMPLETE_H
#define NDPDK_RC_COMPLETE_H

#include "base/status.h"

struct rc_qp;

/* Completion of send requests, in posting order, each exactly once (RC-077). */

/**
 * Complete the finished requests at the head of the send queue. The queue pair fails if the
 * completion queue overruns (RC-129), or if the oldest request is a bind or invalidate that failed.
 */
void rc_complete_done(struct rc_qp *qp);

/**
 * Let the oldest request and the queue pair fail. When the queue pair ends, the request completes
 * with this status, even if the request is silent.
 */
void rc_complete_fail(struct rc_qp *qp, enum rc_status status);

/**
 * Complete all requests and cancel binds that were not executed. A request that failed by
 * rc_complete_fail() completes with its status, all other requests with RC_FLUSHED (RC-123).
 */
void rc_complete_flush(struct rc_qp *qp);

/**
 * Remove all requests without completing them and cancel binds that were not executed. Called when
 * the queue is destroyed.
 */
void rc_complete_discard(struct rc_qp *qp);

#endif
