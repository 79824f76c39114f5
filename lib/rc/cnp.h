/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_CNP_H
#define NDPDK_RC_CNP_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/parse.h"

struct rc_qp;

/*
 * Congestion notification packets of one queue pair, in both directions.
 */

/**
 * Packets of the peer were marked CE: send a CNP, unless one was sent shortly before.
 * @return false: it is still owed, for want of an mbuf or room
 */
bool rc_cnp_progress(struct rc_qp *qp, uint64_t now_ns);

/** The peer has sent a CNP. */
void rc_cnp_input(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns);

#endif
