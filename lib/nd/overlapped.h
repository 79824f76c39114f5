/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_OVERLAPPED_H
#define NDPDK_ND_OVERLAPPED_H

#include <assert.h>

#include <rte_common.h>

#include <ndpdk/nd_types.h>

#include "base/list.h"

/*
 * An asynchronous operation under way. It is linked into a list of its object while it is pending,
 * then into the adapter's list of finished ones, and its owner learns of the end when the adapter
 * settles: no transport code is on the stack then, so that a callback may post, disconnect or
 * release.
 */

/**
 * What ends an operation that its owner cancels, beyond telling him: called with one that is not
 * finished. @return ND_SUCCESS, and it is finished; ND_UNSUCCESSFUL: it has to run to its end.
 */
typedef nd_status (*overlapped_cancel_fn)(struct nd_overlapped *overlapped);

/** Library's part of struct nd_overlapped (its member internal). */
struct overlapped_core {
	struct base_list
		node; /**< of the object's pending ones, then of the adapter's finished ones */
	struct nd_adapter *adapter;
	void *object; /**< connector or queue it is for; of a deregistration the index's token */
	overlapped_cancel_fn cancel;
	nd_status final; /**< valid when finished */
	bool finished;   /**< waits for the adapter to settle */
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
 * @return whether a call may take it: there is one, and the library has not got it already. Asked
 *         before the call changes anything.
 */
static inline bool
overlapped_usable(const struct nd_overlapped *overlapped)
{
	return overlapped != NULL &&
		__atomic_load_n(&overlapped->status, __ATOMIC_RELAXED) != ND_PENDING;
}

/**
 * Begin: status becomes ND_PENDING, and the operation is linked behind the others of list.
 * @return ND_PENDING; ND_CANCELED: the adapter is being closed, and nothing waits any more
 */
nd_status overlapped_begin(struct nd_overlapped *overlapped, struct nd_adapter *adapter,
	void *object, struct base_list *list, overlapped_cancel_fn cancel) __rte_warn_unused_result;

/** End it: told to its owner when the adapter settles. NULL and finished ones are ignored. */
void overlapped_finish(struct nd_overlapped *overlapped, nd_status status);

/** End all of a list. */
void overlapped_finish_all(struct base_list *list, nd_status status);

/** Tell owners of finished operations. */
void overlapped_settle(struct nd_adapter *adapter);

#endif
