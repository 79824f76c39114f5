/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OBSERVE_H
#define NDPDK_RC_OBSERVE_H

struct rc_qp;

/*
 * What seldom happens to a queue pair and explains much, for who wants to follow it one by one:
 * counters say only how often. Nothing of it is on the way of a packet in a connection without
 * loss.
 */
enum rc_moment {
	RC_STEP_STATE,     /**< it is in another state now; qp->error is up to date */
	RC_STEP_TIMEOUT,   /**< goes back: the ACK timer expired */
	RC_STEP_GAP,       /**< goes back: a NAK or a response says that a packet is missing */
	RC_STEP_RNR,       /**< goes back, after the time of an RNR NAK */
	RC_STEP_SELECTIVE, /**< sends again only what is missing */
	RC_STEP_PROBE,     /**< sends a packet again before a try counts */
	/** Refuses an access of its peer; detail: enum mem_refusal. MEM_ALLOWED: an invalidate */
	RC_STEP_REFUSED,
};

/** Called where it happens, with rc on the stack: it must not call rc. */
typedef void (*rc_observe_fn)(const struct rc_qp *qp, enum rc_moment step, unsigned int detail);

#endif
