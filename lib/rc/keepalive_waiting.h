/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEPALIVE_WAITING_H
#define NDPDK_RC_KEEPALIVE_WAITING_H

#include <stdbool.h>

#include "rc/qp.h"

/*
 * This function is not in keepalive.h because of a cycle of includes: the function needs struct
 * rc_qp, and the header of rc_qp needs keepalive.h. keepalive.c and retransmit.c call it.
 */

/** @return true if a keepalive must be sent, or was sent and is not answered */
static inline bool
rc_keepalive_waiting(const struct rc_qp *qp)
{
	return qp->requester.probing && qp->requester.una_psn == qp->keepalive.una_psn;
}

#endif
