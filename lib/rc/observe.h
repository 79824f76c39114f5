/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OBSERVE_H
#define NDPDK_RC_OBSERVE_H

struct rc_qp;

/*
 * Rare events of a queue pair, reported individually for tracing. Counters only show how often
 * these events occur. A connection that transfers data without packet loss has none of these
 * events.
 */
enum rc_moment {
	RC_STEP_STATE,   /**< the state has changed; qp->error is already set */
	RC_STEP_TIMEOUT, /**< the requester goes back, because the ACK timer expired */
	RC_STEP_GAP,     /**< the requester goes back, because a NAK or response shows a gap */
	RC_STEP_RNR,     /**< the requester goes back at the end of an RNR wait */
	RC_STEP_SELECTIVE,
	RC_STEP_PROBE, /**< the requester retransmits a packet as a probe, which costs no retry */
	/**
	 * An access by the peer was refused. detail: enum mem_refusal; MEM_ALLOWED if an invalidate
	 * was refused.
	 */
	RC_STEP_REFUSED,
};

/**
 * Called when the event occurs. The caller is a function of rc, so this function must not call
 * functions of rc.
 */
typedef void (*rc_observe_fn)(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

#endif
