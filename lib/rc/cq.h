/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_CQ_H
#define NDPDK_RC_CQ_H

#include <stdbool.h>
#include <stdint.h>

#include <assert.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>

#include "base/assert.h"
#include "base/status.h"
#include "rc/stamp.h"

/*
 * Completion queue: a ring of completions in the order in which the requests finished. One engine
 * owns the queue. The application polls the queue, or arms it to get one call of the notify
 * function.
 */

/** The operation that completed. */
enum rc_completion_kind {
	RC_COMPLETION_SEND,
	RC_COMPLETION_WRITE,
	RC_COMPLETION_READ,
	RC_COMPLETION_ATOMIC,
	RC_COMPLETION_BIND,
	RC_COMPLETION_INVALIDATE,
	RC_COMPLETION_RECEIVE,
	/**
	 * The peer invalidated a window. In the completion, `context` is the cookie of the window
	 * and `immediate` is the ID of the window (mem_window_has_id()).
	 */
	RC_COMPLETION_WINDOW_INVALIDATED,
	RC_COMPLETION_FAST_REGISTER,
};

enum rc_completion_flags {
	RC_WITH_IMMEDIATE = 1 << 0, /**< the message carried immediate data */
	/** a WRITE with immediate used the receive, and wrote nothing to the receive's memory */
	RC_OF_WRITE = 1 << 1,
	/** the message invalidated a key; never set with RC_WITH_IMMEDIATE */
	RC_INVALIDATED = 1 << 2,
};

/**
 * One finished request. The code writes members directly into the ring and does not read several
 * members with one load: a load that is wider than the preceding stores waits until the stores have
 * left the store buffer. Members that are mostly 0 are adjacent, so that one store writes them.
 */
struct rc_completion {
	void *context;
	void *owner; /**< struct rc_qp.owner of the queue pair at the time of completion */
	enum rc_status status;
	/**
	 * Immediate data as received (RC-160); the invalidated key with RC_INVALIDATED; 0
	 * otherwise.
	 */
	rte_be32_t immediate;
	uint32_t bytes; /**< message length, at most LIMIT_MESSAGE_BYTES */
	uint8_t kind;   /**< enum rc_completion_kind */
	/** flags of enum rc_completion_flags; 0 if the kind is not RECEIVE, and after errors */
	uint8_t flags;
	/** true if the peer requested an event (BTH SE), or the status is an error */
	bool solicited;
};

static_assert(sizeof(struct rc_completion) == 32, "two completions per cache line");

/**
 * Kinds of completions that cause a notification. If the queue is armed several times, the widest
 * kind applies (ND-138).
 */
enum rc_cq_arm {
	RC_CQ_ARM_NONE = 0,
	RC_CQ_ARM_ERRORS,    /**< only completions with an error status, and errors of the queue */
	RC_CQ_ARM_SOLICITED, /**< solicited completions and errors */
	RC_CQ_ARM_ANY,
};

struct rc_cq;

/**
 * The queue calls this function at most once per arming, when a completion of an armed kind can be
 * polled, and once when the queue overruns, armed or not. The function may poll and arm the queue.
 * It must not call rc_qp_*() or rc_post_*(), because a function with such a name may be the caller.
 * @param overrun true if the queue has overrun and is unusable with its queue pairs
 */
typedef void (*rc_cq_notify_fn)(void *arg, bool overrun);

struct rc_cq {
	struct rc_completion *ring;
	/**
	 * Size of the ring minus 1. The size is a power of two and at least 2 * entries, see
	 * rc_cq_push().
	 */
	uint32_t mask;
	uint32_t head; /**< index of the next completion to read, free-running */
	uint32_t tail; /**< index of the next completion to write, free-running */
	uint32_t entries;
	/** number of RC_COMPLETION_WINDOW_INVALIDATED in the ring, which use no entries */
	uint32_t invalidated;
	int socket_id;
	enum rc_cq_arm arm;
	/**
	 * true if rc_cq_alert() must be called for each completion: the queue is armed or has
	 * stamps
	 */
	bool look;
	bool unseen; /**< true if a completion was added since the last notification (ND-136) */
	bool unseen_solicited;
	bool unseen_error;
	bool overrun;
	rc_cq_notify_fn notify;
	void *notify_arg;
	/** arrival times of the completions, indexed like the ring; NULL if not recorded */
	struct rc_stamp *stamps;
	const struct rc_arrival *arrival; /**< source of the stamps */
};

/** @return the oldest completion; NULL if the queue is empty */
static inline const struct rc_completion *
rc_cq_peek(const struct rc_cq *cq)
{
	return cq->head == cq->tail ? NULL : &cq->ring[cq->head & cq->mask];
}

/** @return number of completions in the queue that use an entry */
static inline uint32_t
rc_cq_occupied(const struct rc_cq *cq)
{
	return cq->tail - cq->head - cq->invalidated;
}

/**
 * Remove the oldest completion. The queue must not be empty. The completion is readable until the
 * next push.
 */
static inline void
rc_cq_drop(struct rc_cq *cq)
{
	cq->invalidated -= rc_cq_peek(cq)->kind == RC_COMPLETION_WINDOW_INVALIDATED;
	cq->head++;
}

/**
 * Remove and return the oldest completion, readable until the next push; NULL if the queue is
 * empty.
 */
static inline const struct rc_completion *
rc_cq_take(struct rc_cq *cq)
{
	const struct rc_completion *completion = rc_cq_peek(cq);

	if (completion != NULL)
		rc_cq_drop(cq);
	return completion;
}

/**
 * Create a queue. @param entries 1 .. LIMIT_CQ_ENTRIES. @return RC_OK, RC_INVALID_ARGUMENT,
 * RC_NO_RESOURCES.
 */
enum rc_status rc_cq_init(struct rc_cq *cq, uint32_t entries, int socket_id, rc_cq_notify_fn notify,
	void *arg) __rte_warn_unused_result;
void rc_cq_fini(struct rc_cq *cq);

/**
 * Change the capacity. Completions in the queue stay, in order.
 * @return RC_OK; RC_QUEUE_FULL if the queue contains more than `entries` completions, and is
 *         unchanged; RC_INVALID_ARGUMENT; RC_NO_RESOURCES
 */
enum rc_status rc_cq_resize(struct rc_cq *cq, uint32_t entries) __rte_warn_unused_result;

/** @return true if the next completion that uses an entry would overrun the queue */
static inline bool
rc_cq_full(const struct rc_cq *cq)
{
	return cq->overrun || rc_cq_occupied(cq) >= cq->entries;
}

/**
 * Mark the queue as overrun and call the notify function. An overrun is final, and a second call
 * has no effect.
 */
void rc_cq_overrun(struct rc_cq *cq);

/**
 * Called after a completion was appended, if cq->look is set: record its time. Notify if a
 * completion of an armed kind was added since the last notification.
 */
void rc_cq_alert(struct rc_cq *cq);

/**
 * Claim the slot of the next completion. The caller writes all members of the slot, which saves a
 * copy, and then calls rc_cq_publish(). Use this function only for successful completions that use
 * an entry, and rc_cq_push() for all other completions.
 *
 * @return the slot; NULL if the queue has overrun, by this call or earlier; see rc_cq_push()
 */
static inline struct rc_completion *
rc_cq_claim(struct rc_cq *cq)
{
	if (unlikely(rc_cq_full(cq))) {
		rc_cq_overrun(cq);
		return NULL;
	}
	BASE_ASSERT(cq->tail - cq->head <= cq->mask);
	return &cq->ring[cq->tail & cq->mask];
}

/** Append the completion in the claimed slot, and notify if the queue is armed for it. */
static inline void
rc_cq_publish(struct rc_cq *cq, bool solicited)
{
	cq->tail++;
	cq->unseen = true;
	cq->unseen_solicited |= solicited;
	if (unlikely(cq->look))
		rc_cq_alert(cq);
}

/** Like rc_cq_push(), for a successful completion without immediate data and flags. */
static inline bool
rc_cq_push_done(
	struct rc_cq *cq, void *context, enum rc_completion_kind kind, uint32_t bytes, void *owner)
{
	struct rc_completion *place = rc_cq_claim(cq);

	if (unlikely(place == NULL))
		return false;
	place->context = context;
	place->status = RC_OK;
	place->kind = (uint8_t)kind;
	place->solicited = false;
	place->bytes = bytes;
	place->owner = owner;
	place->flags = 0;
	place->immediate = 0;
	rc_cq_publish(cq, false);
	return true;
}

/**
 * Append a completion, and notify if the queue is armed for it. RC_COMPLETION_WINDOW_INVALIDATED
 * uses no entry and never overruns the queue: a receive completion always follows it, so two slots
 * per entry suffice.
 *
 * @return false if the queue has overrun, by this call or earlier. The completion is lost, and the
 *         notify function was called for the overrun. The caller must let its queue pair fail
 *         (RC-129)
 */
bool rc_cq_push(struct rc_cq *cq, const struct rc_completion *completion);

/** Remove up to max completions, oldest first. @return their number */
uint32_t rc_cq_poll(struct rc_cq *cq, struct rc_completion *completions, uint32_t max);

/**
 * Arm the queue for one notification. If a completion of an armed kind was added since the last
 * notification, the notify function is called before this call returns. If the queue has overrun,
 * the call notifies at once, with overrun true.
 */
void rc_cq_request_notify(struct rc_cq *cq, enum rc_cq_arm arm);

/** Disarm the queue. */
void rc_cq_disarm(struct rc_cq *cq);

/**
 * Start to record the arrival time of each receive completion. Completions already in the queue
 * have no time. A second call has no effect.
 * @param arrival source of the times: rc_context.arrival of the engine; must outlive the queue
 * @return RC_OK; RC_NO_RESOURCES if out of memory
 */
enum rc_status
rc_cq_stamp_all(struct rc_cq *cq, const struct rc_arrival *arrival) __rte_warn_unused_result;

/** @return arrival time of the completion removed last, valid until the next push; 0 if unknown */
static inline struct rc_stamp
rc_cq_taken_stamp(const struct rc_cq *cq)
{
	return cq->stamps == NULL ? (struct rc_stamp){0} : cq->stamps[(cq->head - 1) & cq->mask];
}

#endif
