/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RECEIVE_H
#define NDPDK_RC_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/status.h"
#include "wire/parse.h"

struct rc_qp;

/**
 * Refusal of a packet: the NAK for the peer, and the status of the completion or of the queue pair.
 */
struct rc_refusal {
	uint8_t syndrome; /**< 0 = not refused */
	enum rc_status why;
};

/**
 * Place a SEND packet that passed RC-023..RC-028 in the receive at the head of the queue. Borrows
 * the mbuf.
 */
struct rc_refusal
rc_receive_place(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * The last packet of a SEND was placed: invalidate the window if it says so, then complete the
 * receive. When the completion queue overruns, the queue pair fails (RC-129).
 * @return refusal when the invalidation failed; the receive is still to be completed with it
 */
struct rc_refusal rc_receive_finish(struct rc_qp *qp, const struct wire_view *view);

/**
 * Complete the receive at the head with success; overrun as above.
 *
 * @param view the last packet of the message, which brings the immediate
 * @param bytes of the whole message (RC-043)
 * @param flags of enum rc_completion_flags
 */
void
rc_receive_complete(struct rc_qp *qp, const struct wire_view *view, uint32_t bytes, uint32_t flags);

/** Complete the receive in use with a failure (RC-124). */
void rc_receive_fail(struct rc_qp *qp, enum rc_status why);

/** Complete everything with RC_FLUSHED, in posting order (RC-123). */
void rc_receive_flush(struct rc_qp *qp);

#endif
