/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_COMPLETE_H
#define NDPDK_RC_COMPLETE_H

#include "base/status.h"

struct rc_qp;

/* Completion of send requests: always the oldest first, each once (RC-077). */

/**
 * Complete what is done at the head of the send queue. The queue pair fails when the completion
 * queue overruns (RC-129), and when a bind or invalidate that failed is the oldest.
 */
void rc_complete_done(struct rc_qp *qp);

/**
 * The oldest request fails, and with it the queue pair. It is completed with this status when the
 * queue pair ends, even if it is silent.
 */
void rc_complete_fail(struct rc_qp *qp, enum rc_status status);

/**
 * Complete every request: the one of rc_complete_fail() with its status, all others with RC_FLUSHED
 * (RC-123), cancelling binds that were not executed.
 */
void rc_complete_flush(struct rc_qp *qp);

/**
 * Forget every request without a completion, cancelling binds that were not executed: the queue is
 * destroyed.
 */
void rc_complete_discard(struct rc_qp *qp);

#endif
