/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_OVERLAPPED_H
#define NDPDK_ND_OVERLAPPED_H

#include <assert.h>

#include <rte_common.h>

#include <ndpdk/nd_types.h>

#include "base/list.h"

/*
 * A pending asynchronous operation. It is linked into a list of its object while it is pending,
 * then into the list of finished operations of the object's engine. Its owner is told when the
 * engine settles, with no transport code on the stack, so that a callback may post, disconnect or
 * release.
 */

/**
 * Cancels an operation that is not finished: ends what it stands for, and finishes it.
 * @return status of nd_overlapped_cancel()
 */
typedef nd_status (*overlapped_cancel_fn)(struct nd_overlapped *overlapped);

/** Library's part of struct nd_overlapped (its member internal). */
struct overlapped_core {
	struct base_list
		node; /**< in a list of its object while pending, then in the engine's finished */
	struct nd_engine *home; /**< of the object */
	void *object;           /**< connector or completion queue */
	overlapped_cancel_fn cancel;
	nd_status final; /**< status to be told; valid when finished */
	bool finished;   /**< in the engine's list of finished operations */
};

static_assert(sizeof(struct overlapped_core) <= sizeof(((struct nd_overlapped *)NULL)->internal),
	"the core fits its place");

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
 * @return whether a call may take it: it is not NULL and not pending. Asked before the call changes
 *         anything.
 */
static inline bool
overlapped_usable(const struct nd_overlapped *overlapped)
{
	return overlapped != NULL &&
		__atomic_load_n(&overlapped->status, __ATOMIC_RELAXED) != ND_PENDING;
}

/** Log text of a call that refuses a structure because overlapped_usable() is false. */
#define OVERLAPPED_UNUSABLE "overlapped is NULL or pending: expected one that is not in use"

/**
 * Begin: status becomes ND_PENDING, and the operation is appended to list.
 * @return ND_PENDING; ND_CANCELED: the adapter is being closed, nothing was begun
 */
nd_status overlapped_begin(struct nd_overlapped *overlapped, struct nd_engine *home, void *object,
	struct base_list *list, overlapped_cancel_fn cancel) __rte_warn_unused_result;

/**
 * Finish it: its owner is told when the engine settles. NULL and finished operations are ignored.
 */
void overlapped_finish(struct nd_overlapped *overlapped, nd_status status);

/** Finish all operations of a list. */
void overlapped_finish_all(struct base_list *list, nd_status status);

/**
 * Tell the owners of finished operations: store the status, write the eventfd, call the callback.
 * Within a callback of the same adapter nothing is told: callbacks are not nested, and what they
 * finish is told behind them.
 */
void overlapped_settle(struct nd_engine *home);

/** The same, also within a callback: for calls of other threads that the owner serves there. */
void overlapped_settle_within(struct nd_engine *home);

/** Adapter of the callback that the calling thread is in; NULL: in none. */
extern __thread const struct nd_adapter *overlapped_teller
	__attribute__((tls_model("initial-exec")));

/** @return whether the calling thread is in a callback of the adapter. */
static inline bool
overlapped_telling(const struct nd_adapter *adapter)
{
	return overlapped_teller == adapter;
}

#endif
