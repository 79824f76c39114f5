/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_COMPLETE_H
#define NDPDK_RC_COMPLETE_H

#include <stdbool.h>

#include "base/status.h"

struct rc_qp;

/*
 * The end of send queue elements: always the oldest first, each once (RC-077). A call that returns
 * false has moved the queue pair to error: the caller touches nothing of it and returns.
 */

/**
 * Complete what is done at the head of the send queue. @return false: the queue pair is in error.
 */
bool rc_complete_done(struct rc_qp *qp);

/**
 * Complete the oldest request with an error, also when it is silent, and move the queue pair to
 * error.
 */
void rc_complete_failed(struct rc_qp *qp, enum rc_status status);

/** Complete every request with RC_FLUSHED (RC-123), cancelling binds that were not executed. */
void rc_complete_flush(struct rc_qp *qp);

/**
 * Forget every request without a completion, cancelling binds that were not executed: the queue is
 * destroyed.
 */
void rc_complete_discard(struct rc_qp *qp);

#endif
