/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_CNP_H
#define NDPDK_RC_CNP_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/parse.h"

struct rc_qp;

/* Congestion notification packets (CNP) of one queue pair, sent and received. */

/**
 * Send a CNP, because packets of the peer were marked CE. Sends nothing if the last CNP was sent
 * less than rc_marking.cnp_interval_ns ago.
 * @return false if the CNP is still owed, because there was no mbuf or the output queue was full
 */
bool rc_cnp_progress(struct rc_qp *qp, uint64_t now_ns);

void rc_cnp_input(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns);

#endif
