/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEPALIVE_H
#define NDPDK_RC_KEEPALIVE_H

#include <stdbool.h>
#include <stdint.h>

struct rc_qp;

/**
 * Keepalive state of one queue pair. A keepalive finds out whether a silent peer is alive. The data
 * path does not access this state.
 */
struct rc_keepalive {
	/** time of the next rc_keepalive_look(); BASE_TIME_NEVER if there are no keepalives */
	uint64_t deadline_ns;
	uint64_t half_ns; /**< half of the keepalive interval; 0 = no keepalives */
	/* Values at the last rc_keepalive_look(). */
	uint64_t position;
	uint32_t una_psn;
	bool quiet; /**< true if no packet arrived between two calls of rc_keepalive_look() */
};

/**
 * Start or stop keepalives. The peer must be able to answer at the time of the call: if the peer
 * sent a REP, it must have received the RTU.
 *
 * @param qp queue pair in RTS; the call has no effect in other states
 * @param interval_ns time without a packet of the peer before a keepalive is sent; 0 = stop
 */
void rc_keepalive_set(struct rc_qp *qp, uint64_t interval_ns, uint64_t now_ns);

/**
 * Check whether the peer was silent. To be called at deadline_ns.
 * @return true if rc_qp_progress() must be called now
 */
bool rc_keepalive_look(struct rc_qp *qp, uint64_t now_ns);

/**
 * Send the pending keepalive. If the output queue is full and the port accepts no packet for
 * RC_STUCK_NS, the queue pair fails.
 */
void rc_keepalive_send(struct rc_qp *qp, uint64_t now_ns);

/**
 * Process an acknowledgement or NAK for a PSN that no request owns. The queue pair may fail.
 * @return true if the packet answers a keepalive
 */
bool rc_keepalive_input(struct rc_qp *qp, uint32_t psn, uint8_t syndrome, uint64_t now_ns);

#endif
