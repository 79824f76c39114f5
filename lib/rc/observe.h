/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OBSERVE_H
#define NDPDK_RC_OBSERVE_H

struct rc_qp;

/*
 * Rare events of a queue pair, reported one by one for tracing. Counters only say how often they
 * occur. A connection without packet loss reports none of them while it transfers data.
 */
enum rc_moment {
	RC_STEP_STATE,     /**< the state has changed; qp->error is up to date */
	RC_STEP_TIMEOUT,   /**< go-back-N: the ACK timer expired */
	RC_STEP_GAP,       /**< go-back-N: a NAK or a response shows that a packet is missing */
	RC_STEP_RNR,       /**< go-back-N after the time of an RNR NAK */
	RC_STEP_SELECTIVE, /**< retransmits only the missing packets */
	RC_STEP_PROBE,     /**< retransmits a packet as a probe; this costs no retry */
	/**
	 * An access of the peer was refused. detail: enum mem_refusal; MEM_ALLOWED: an invalidate
	 * was refused.
	 */
	RC_STEP_REFUSED,
};

/**
 * Called when the event occurs. The function must not call rc, because functions of rc are on the
 * stack.
 */
typedef void (*rc_observe_fn)(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

#endif
