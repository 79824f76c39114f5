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
 * The queue pairs of one engine take receives from a shared receive queue in the order in which the
 * peers' messages begin. A message of several packets keeps its receive (RC-042): the receive is
 * copied into the queue pair's own receive queue, which has one entry for this purpose and accepts
 * no posted receives. The copy is processed and flushed like any receive of the queue pair.
 */

/**
 * Called once per rc_srq_arm(), when the queue is low. The function may arm the queue. It must not
 * call rc_qp_*() or rc_post_*() (B-066), because a function with such a name may be the caller.
 */
typedef void (*rc_srq_low_fn)(void *arg);

struct rc_srq_attr {
	uint32_t entries; /**< 1 .. LIMIT_QUEUE_ENTRIES */
	uint32_t sge_max; /**< 0 .. LIMIT_SGE */
	uint32_t low;     /**< low mark, see rc_srq_set_low(); a new queue is not low */
	int socket_id;
	rc_srq_low_fn low_fn; /**< low function, called when the queue is low; may be NULL */
	void *low_arg;
};

struct rc_srq {
	struct rc_ring ring; /**< ring of struct rc_receive_wqe */
	/** low mark: minimum number of receives of a queue that is not low; 0 = never low */
	uint32_t low;
	uint32_t sge_max;
	bool fell;  /**< true if the queue was low without a call of the low function */
	bool armed; /**< true if the low function must be called when the queue is low */
	int socket_id;
	rc_srq_low_fn low_fn;
	void *low_arg;
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES */
enum rc_status
rc_srq_init(struct rc_srq *srq, const struct rc_srq_attr *attr) __rte_warn_unused_result;

/** Free the queue and drop its receives. The caller has destroyed its queue pairs. */
void rc_srq_fini(struct rc_srq *srq);

/** Append a receive. @return as rc_post_receive() */
enum rc_status
rc_srq_post(struct rc_srq *srq, const struct rc_receive_wr *wr) __rte_warn_unused_result;

/**
 * Change the capacity. Posted receives stay, in order.
 * @return RC_OK; RC_QUEUE_FULL if more receives are posted than `entries`, and the queue is
 *         unchanged; RC_INVALID_ARGUMENT; RC_NO_RESOURCES
 */
enum rc_status rc_srq_resize(struct rc_srq *srq, uint32_t entries) __rte_warn_unused_result;

/** Set the low mark. If the queue is now low and armed, call the low function. */
void rc_srq_set_low(struct rc_srq *srq, uint32_t low);

static inline uint32_t
rc_srq_count(const struct rc_srq *srq)
{
	return rc_ring_count(&srq->ring);
}

/** Call the low function if the queue is armed, otherwise record the event. The queue is low. */
void rc_srq_fall(struct rc_srq *srq);

/** Called when a message found no receive. */
static inline void
rc_srq_missed(struct rc_srq *srq)
{
	if (srq->low > 0)
		rc_srq_fall(srq);
}

/**
 * Request one call of the low function (RC-162).
 * @return false if an event was recorded and the queue is still low, so that no call is requested
 */
bool rc_srq_arm(struct rc_srq *srq) __rte_warn_unused_result;

static inline void
rc_srq_disarm(struct rc_srq *srq)
{
	srq->armed = false;
}

/** @return the oldest receive. The queue must not be empty. */
static inline const struct rc_receive_wqe *
rc_srq_peek(const struct rc_srq *srq)
{
	BASE_ASSERT(rc_srq_count(srq) > 0);
	return rc_ring_at(&srq->ring, srq->ring.head);
}

/**
 * Remove the oldest receive after a message took it. The receive is readable until the next post or
 * resize.
 */
static inline void
rc_srq_drop(struct rc_srq *srq)
{
	srq->ring.head++;
	if (unlikely(rc_srq_count(srq) < srq->low))
		rc_srq_fall(srq);
}

#endif
