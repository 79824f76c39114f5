/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_QP_TIME_H
#define NDPDK_RC_QP_TIME_H

#include <rte_common.h>

#include "rc/qp.h"

/* Deadline of a queue pair. Inline, because the owner reads it after each rc_qp_progress(). */

/**
 * @return latest time of the next rc_qp_progress(); BASE_TIME_NEVER if only new work requires a
 * call
 */
static inline uint64_t
rc_qp_deadline(const struct rc_qp *qp)
{
	uint64_t deadline_ns = BASE_TIME_NEVER;

	if (qp->state != RC_QP_RTS)
		return BASE_TIME_NEVER;
	if ((qp->duties & RC_DUTY_ANSWERS) != 0)
		deadline_ns = rc_responder_deadline(&qp->responder);
	if ((qp->duties & RC_DUTY_REQUESTS) != 0)
		deadline_ns = RTE_MIN(deadline_ns, rc_requester_deadline(&qp->requester));
	return deadline_ns;
}

/** @return true if the peer has not answered within the ACK interval (RC-095) */
bool rc_qp_unanswered(const struct rc_qp *qp, uint64_t now_ns);

#endif
