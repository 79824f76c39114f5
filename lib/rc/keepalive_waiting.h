/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEPALIVE_WAITING_H
#define NDPDK_RC_KEEPALIVE_WAITING_H

#include <stdbool.h>

#include "rc/qp.h"

/*
 * Apart from keepalive.h, which struct rc_qp contains: retransmit.c, which keepalive.c calls, asks
 * this.
 */

/** @return whether a keepalive was begun, and the peer has not answered it yet */
static inline bool
rc_keepalive_waiting(const struct rc_qp *qp)
{
	return qp->requester.probing && qp->requester.una_psn == qp->keepalive.una_psn;
}

#endif
