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

/** A packet of the peer was marked CE: a CNP is owed, unless one was sent shortly before. */
void rc_cnp_marked(struct rc_qp *qp, uint64_t now_ns);

/** Send the CNP that is owed. @return false: it is still owed, for want of an mbuf or room */
bool rc_cnp_send(struct rc_qp *qp);

/** The peer has sent a CNP. */
void rc_cnp_input(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns);

#endif
