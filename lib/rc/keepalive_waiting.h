/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEPALIVE_WAITING_H
#define NDPDK_RC_KEEPALIVE_WAITING_H

#include <stdbool.h>

#include "rc/qp.h"

/*
 * Separate from keepalive.h, because this function needs struct rc_qp, which itself includes
 * keepalive.h. Used by keepalive.c and retransmit.c.
 */

/** @return whether a keepalive is pending or unanswered */
static inline bool
rc_keepalive_waiting(const struct rc_qp *qp)
{
	return qp->requester.probing && qp->requester.una_psn == qp->keepalive.una_psn;
}

#endif
