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
 * Completion queue: a ring of finished requests in the order they finished, owned by one engine.
 * Reading it is polling; arming it asks for one call of the notify function.
 */

/** What a completion is of. */
enum rc_completion_kind {
	RC_COMPLETION_SEND,
	RC_COMPLETION_WRITE,
	RC_COMPLETION_READ,
	RC_COMPLETION_ATOMIC,
	RC_COMPLETION_BIND,
	RC_COMPLETION_INVALIDATE,
	RC_COMPLETION_RECEIVE,
	/** By the peer; context is the window's cookie, immediate its ID: mem_window_has_id(). */
	RC_COMPLETION_WINDOW_INVALIDATED,
	RC_COMPLETION_FAST_REGISTER,
};

enum rc_completion_flags {
	RC_WITH_IMMEDIATE = 1 << 0, /**< the message brought immediate data */
	RC_OF_WRITE = 1 << 1,    /**< by a WRITE with immediate: the receive's memory is unused */
	RC_INVALIDATED = 1 << 2, /**< the message has invalidated a key; never with an immediate */
};

/**
 * One finished request. Its members are written in place and not read together: a load wider than
 * the stores before it waits until they have left the store buffer. What is mostly 0 lies side by
 * side, for one store.
 */
struct rc_completion {
	void *context; /**< as given with the request */
	void *owner;   /**< of the queue pair: struct rc_qp.owner when the request completed */
	enum rc_status status;
	/** As it came (RC-160), or with RC_INVALIDATED the key; else 0. */
	rte_be32_t immediate;
	uint32_t bytes; /**< message length; LIMIT_MESSAGE_BYTES fits */
	uint8_t kind;   /**< enum rc_completion_kind */
	uint8_t flags;  /**< of enum rc_completion_flags; of a RECEIVE that succeeded */
	bool solicited; /**< peer asked for an event (BTH SE), or the status is an error */
};

static_assert(sizeof(struct rc_completion) == 32, "two completions per line");

/** What the queue is armed for. When it is armed several times, the strongest applies (ND-138). */
enum rc_cq_arm {
	RC_CQ_ARM_NONE = 0,
	RC_CQ_ARM_ERRORS,    /**< only completions in error, and queue errors */
	RC_CQ_ARM_SOLICITED, /**< solicited completions and errors */
	RC_CQ_ARM_ANY,
};

struct rc_cq;

/**
 * Called at most once per arming, after the completion is readable; and once, armed or not, when
 * the queue overruns. Functions of rc are on the stack: it may poll and arm the queue, but calls
 * neither rc_qp_*() nor rc_post_*().
 * @param overrun whether the queue has overrun: it and its queue pairs are dead
 */
typedef void (*rc_cq_notify_fn)(void *arg, bool overrun);

struct rc_cq {
	struct rc_completion *ring;
	uint32_t mask;    /**< physical places - 1; power of two >= 2 * entries, see rc_cq_push() */
	uint32_t head;    /**< next to read, free-running */
	uint32_t tail;    /**< next to write, free-running */
	uint32_t entries; /**< as asked for */
	uint32_t invalidated; /**< RC_COMPLETION_WINDOW_INVALIDATED present, which do not count */
	int socket_id;
	enum rc_cq_arm arm;
	bool look;   /**< rc_cq_alert() has to see each completion: armed, or with stamps */
	bool unseen; /**< a completion came since the last notification was given (ND-136) */
	bool unseen_solicited;
	bool unseen_error;
	bool overrun;
	rc_cq_notify_fn notify;
	void *notify_arg;
	struct rc_stamp *stamps; /**< of the completions at the same places; NULL: not wanted */
	const struct rc_arrival *arrival; /**< where they come from */
};

/** @return the oldest completion, NULL: there is none. */
static inline const struct rc_completion *
rc_cq_peek(const struct rc_cq *cq)
{
	return cq->head == cq->tail ? NULL : &cq->ring[cq->head & cq->mask];
}

/** @return completions present that count against the entries. */
static inline uint32_t
rc_cq_occupied(const struct rc_cq *cq)
{
	return cq->tail - cq->head - cq->invalidated;
}

/** Remove the oldest completion; there must be one. It is readable until the next push. */
static inline void
rc_cq_drop(struct rc_cq *cq)
{
	cq->invalidated -= rc_cq_peek(cq)->kind == RC_COMPLETION_WINDOW_INVALIDATED;
	cq->head++;
}

/** Remove the oldest completion. @return it, readable until the next push, or NULL. */
static inline const struct rc_completion *
rc_cq_take(struct rc_cq *cq)
{
	const struct rc_completion *completion = rc_cq_peek(cq);

	if (completion != NULL)
		rc_cq_drop(cq);
	return completion;
}

/** @param entries 1 .. LIMIT_CQ_ENTRIES. @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES. */
enum rc_status rc_cq_init(struct rc_cq *cq, uint32_t entries, int socket_id, rc_cq_notify_fn notify,
	void *arg) __rte_warn_unused_result;
void rc_cq_fini(struct rc_cq *cq);

/**
 * Change the size; completions present are kept in order.
 * @return RC_OK; RC_QUEUE_FULL: more present than entries (queue unchanged); RC_INVALID_ARGUMENT;
 *         RC_NO_RESOURCES
 */
enum rc_status rc_cq_resize(struct rc_cq *cq, uint32_t entries) __rte_warn_unused_result;

/** @return whether the next completion that counts would overrun the queue. */
static inline bool
rc_cq_full(const struct rc_cq *cq)
{
	return cq->overrun || rc_cq_occupied(cq) >= cq->entries;
}

/** The queue overruns, if it has not yet; this is final, and told by the notify function. */
void rc_cq_overrun(struct rc_cq *cq);

/**
 * A completion was appended: stamp it, and notify if what came since the last notification
 * satisfies the arming.
 */
void rc_cq_alert(struct rc_cq *cq);

/**
 * The place of the next completion: the caller writes all members there, so that there is no copy,
 * and then calls rc_cq_publish(). For successes that count; rc_cq_push() takes any completion.
 *
 * @return NULL when the queue has overrun, now or before; see rc_cq_push()
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

/** The claimed place is written: append it, and notify if armed for it. */
static inline void
rc_cq_publish(struct rc_cq *cq, bool solicited)
{
	cq->tail++;
	cq->unseen = true;
	cq->unseen_solicited |= solicited;
	if (unlikely(cq->look))
		rc_cq_alert(cq);
}

/**
 * Append the completion of a request that succeeded and brought nothing but its length; else as
 * rc_cq_push().
 */
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
 * Append a completion and notify if armed for it. A RC_COMPLETION_WINDOW_INVALIDATED has a place of
 * its own (it is always followed by its receive, so twice the entries suffice) and never overruns
 * the queue.
 *
 * @return false when the queue has overrun, now or before: the completion is lost, and the caller
 *         lets its queue pair fail (RC-129). The notify function was called for the overrun.
 */
bool rc_cq_push(struct rc_cq *cq, const struct rc_completion *completion);

/** Take up to max completions, oldest first. @return how many. */
uint32_t rc_cq_poll(struct rc_cq *cq, struct rc_completion *completions, uint32_t max);

/**
 * Ask for one notification. When a matching completion came since the last notification, it is
 * given before the call returns. On a queue that has overrun it is given at once, with overrun
 * true.
 */
void rc_cq_request_notify(struct rc_cq *cq, enum rc_cq_arm arm);

/** No notification is asked for any more. */
void rc_cq_disarm(struct rc_cq *cq);

/**
 * From now on keep the time of each receive beside its completion. Those that are present have no
 * time. Once more: nothing happens.
 * @param arrival of the engine of the queue; outlives it
 * @return RC_OK; RC_NO_RESOURCES: no memory
 */
enum rc_status
rc_cq_stamp_all(struct rc_cq *cq, const struct rc_arrival *arrival) __rte_warn_unused_result;

/** @return the time of the completion that was taken last, before the next push; 0: not known. */
static inline struct rc_stamp
rc_cq_taken_stamp(const struct rc_cq *cq)
{
	return cq->stamps == NULL ? (struct rc_stamp){0} : cq->stamps[(cq->head - 1) & cq->mask];
}

#endif
