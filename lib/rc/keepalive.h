/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEPALIVE_H
#define NDPDK_RC_KEEPALIVE_H

#include <stdbool.h>
#include <stdint.h>

struct rc_qp;

/**
 * Whether a peer that sends nothing is still there: of one queue pair. Nothing here is read or
 * written for a packet.
 */
struct rc_keepalive {
	uint64_t deadline_ns; /**< when rc_keepalive_look() has something to do; NEVER: off */
	uint64_t half_ns;     /**< half of the interval; 0 = off */
	/* What was seen at the last look. */
	uint64_t position; /**< struct rc_responder.position */
	uint32_t una_psn;  /**< struct rc_requester.una_psn */
	bool quiet;        /**< nothing had come since the look before */
};

/**
 * Begin to watch the peer, or end it. Not to be called before the peer can answer: it may have sent
 * a REP, but must have had an RTU.
 *
 * @param qp in RTS; in other states there is no effect
 * @param interval_ns without a packet of the peer, until it is asked; 0 = end
 */
void rc_keepalive_set(struct rc_qp *qp, uint64_t interval_ns, uint64_t now_ns);

/**
 * To be called when deadline_ns has come.
 * @return whether rc_qp_progress() is to be called now
 */
bool rc_keepalive_look(struct rc_qp *qp, uint64_t now_ns);

/** Send the keepalive, which is due. Without room for RC_STUCK_NS the queue pair fails. */
void rc_keepalive_send(struct rc_qp *qp, uint64_t now_ns);

/**
 * Take an acknowledgement or NAK of a PSN that no request owns. The queue pair may fail.
 * @return whether it answers the keepalive
 */
bool rc_keepalive_input(struct rc_qp *qp, uint32_t psn, uint8_t syndrome, uint64_t now_ns);

#endif
