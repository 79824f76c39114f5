/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_SRQ_H
#define NDPDK_RC_SRQ_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "base/status.h"
#include "rc/receive_wqe.h"

/*
 * Shared receive queue: receives that the queue pairs of one engine take in the order in which
 * their messages begin. A message of several packets keeps its receive (RC-042): it is copied into
 * the queue pair's own receive queue, which has one place for it and takes no other receives. From
 * then on nothing differs from a receive of its own, least of all a flush.
 */

/**
 * Called once for each rc_srq_arm(): fewer receives are left than were asked for. Functions of rc
 * are on the stack: it may arm the queue, but calls neither rc_qp_*() nor rc_post_*() (B-066).
 */
typedef void (*rc_srq_low_fn)(void *arg);

struct rc_srq_attr {
	uint32_t entries; /**< 1 .. LIMIT_QUEUE_ENTRIES */
	uint32_t sge_max; /**< 0 .. LIMIT_SGE */
	uint32_t low;     /**< as rc_srq_set_low(), but an empty queue has not fallen yet */
	int socket_id;
	rc_srq_low_fn low_fn; /**< may be NULL */
	void *low_arg;
};

struct rc_srq {
	struct rc_ring ring; /**< of struct rc_receive_wqe */
	uint32_t low;        /**< with fewer receives it is low; 0 = never */
	uint32_t sge_max;
	bool fell;  /**< a message took a receive, or found none, or low was set: untold, and low */
	bool armed; /**< the low function is to be called */
	int socket_id;
	rc_srq_low_fn low_fn;
	void *low_arg;
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES */
enum rc_status
rc_srq_init(struct rc_srq *srq, const struct rc_srq_attr *attr) __rte_warn_unused_result;

/** Free it; what is posted is dropped. Its queue pairs must be gone. */
void rc_srq_fini(struct rc_srq *srq);

/** Queue a receive behind the others. @return as rc_post_receive() */
enum rc_status
rc_srq_post(struct rc_srq *srq, const struct rc_receive_wr *wr) __rte_warn_unused_result;

/**
 * Change the size; receives that are posted stay, in order.
 * @return RC_OK; RC_QUEUE_FULL: more posted than entries (queue unchanged); RC_INVALID_ARGUMENT;
 *         RC_NO_RESOURCES
 */
enum rc_status rc_srq_resize(struct rc_srq *srq, uint32_t entries) __rte_warn_unused_result;

/** From now on it is low with fewer receives than these; a queue that is low now calls, if armed.
 */
void rc_srq_set_low(struct rc_srq *srq, uint32_t low);

/** @return receives that no message has taken. */
static inline uint32_t
rc_srq_count(const struct rc_srq *srq)
{
	return rc_ring_count(&srq->ring);
}

/** It is low: remember it, and call the low function if armed. */
void rc_srq_fall(struct rc_srq *srq);

/** A message has found no receive. */
static inline void
rc_srq_missed(struct rc_srq *srq)
{
	if (srq->low > 0)
		rc_srq_fall(srq);
}

/**
 * Ask for one call of the low function (RC-162).
 * @return false: the queue has fallen low and still is; nothing is asked for
 */
bool rc_srq_arm(struct rc_srq *srq) __rte_warn_unused_result;

/** No call is asked for any more. */
static inline void
rc_srq_disarm(struct rc_srq *srq)
{
	srq->armed = false;
}

/** @return the receive that was posted first; there must be one. */
static inline const struct rc_receive_wqe *
rc_srq_peek(const struct rc_srq *srq)
{
	BASE_ASSERT(rc_srq_count(srq) > 0);
	return rc_ring_at(&srq->ring, srq->ring.head);
}

/** Remove it: a message has taken it. It is readable until the next post or resize. */
static inline void
rc_srq_drop(struct rc_srq *srq)
{
	srq->ring.head++;
	if (unlikely(rc_srq_count(srq) < srq->low))
		rc_srq_fall(srq);
}

#endif
