/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_OVERLAPPED_H
#define NDPDK_ND_OVERLAPPED_H

#include <assert.h>

#include <rte_common.h>

#include <ndpdk/nd_types.h>

#include "base/list.h"

/*
 * Asynchronous operations (struct nd_overlapped). A pending operation is in a list of its object. A
 * finished operation is in the list of finished operations of the object's engine. The operation's
 * owner is notified when the engine settles (overlapped_settle()). At that time no transport code
 * is on the stack, so a callback may post, disconnect or release.
 */

/**
 * Type of functions that cancel a pending operation and call overlapped_finish() for it.
 * @return status of nd_overlapped_cancel()
 */
typedef nd_status (*overlapped_cancel_fn)(struct nd_overlapped *overlapped);

/** Library's part of an operation, stored in member `internal` of struct nd_overlapped. */
struct overlapped_core {
	/** Entry in a list of the object while pending, in home->finished when finished. */
	struct base_list node;
	struct nd_engine *home; /**< engine of the object */
	/** The operation's connector, completion queue or shared receive queue. */
	void *object;
	overlapped_cancel_fn cancel;
	nd_status final; /**< status to report to the owner; valid if finished is set */
	bool finished;   /**< true: the operation has finished and is in home->finished */
};

static_assert(sizeof(struct overlapped_core) <= sizeof(((struct nd_overlapped *)NULL)->internal),
	"internal has room for the core");

static inline struct overlapped_core *
overlapped_core(struct nd_overlapped *overlapped)
{
	return (struct overlapped_core *)overlapped->internal;
}

static inline struct nd_overlapped *
overlapped_of_node(struct base_list *node)
{
	return base_list_entry(
		(struct overlapped_core *)(void *)node, struct nd_overlapped, internal);
}

/**
 * @return whether a new operation may use this structure: it is not NULL and not pending. Check
 * this before the call has any effect.
 */
static inline bool
overlapped_usable(const struct nd_overlapped *overlapped)
{
	return overlapped != NULL &&
		__atomic_load_n(&overlapped->status, __ATOMIC_RELAXED) != ND_PENDING;
}

#define OVERLAPPED_UNUSABLE "overlapped is NULL or used by a pending operation"

/**
 * Begin an operation: set its status to ND_PENDING, and append it to list.
 * @return ND_PENDING; ND_CANCELED: the operation did not begin, because the adapter is being closed
 */
nd_status overlapped_begin(struct nd_overlapped *overlapped, struct nd_engine *home, void *object,
	struct base_list *list, overlapped_cancel_fn cancel) __rte_warn_unused_result;

/**
 * Finish an operation. Its owner is notified when the engine settles. NULL and finished operations
 * are ignored.
 */
void overlapped_finish(struct nd_overlapped *overlapped, nd_status status);

void overlapped_finish_all(struct base_list *list, nd_status status);

/**
 * Notify the owners of finished operations: store the status, write the eventfd, call the callback.
 * Within a callback of the same adapter this function does nothing, because callbacks are not
 * nested: operations that finish during a callback are reported after the callback.
 */
void overlapped_settle(struct nd_engine *home);

/**
 * As overlapped_settle(), but also reports within a callback. Used when the engine's owner executes
 * a call of another thread during a callback.
 */
void overlapped_settle_within(struct nd_engine *home);

/** Adapter for which the calling thread is executing a callback; NULL: none. */
extern __thread const struct nd_adapter *overlapped_teller
	__attribute__((tls_model("initial-exec")));

/** @return whether the calling thread is executing a callback of this adapter */
static inline bool
overlapped_telling(const struct nd_adapter *adapter)
{
	return overlapped_teller == adapter;
}

#endif
