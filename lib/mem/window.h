/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_WINDOW_H
#define NDPDK_MEM_WINDOW_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

struct mem_domain;
struct mem_partition;

#define MEM_WINDOW_STRIDE 64

/**
 * Values of mem_window.home. A value from MEM_HOME_PARTITION on is a partition of the key table.
 * The window is bound in this partition, or has queued binds in it, and the partition's lock
 * protects the window. A free window is claimed for a partition by compare-and-swap.
 */
enum mem_home {
	MEM_HOME_NONE,      /**< the handle is not valid */
	MEM_HOME_FREE,      /**< the window is not bound, and no bind is queued */
	MEM_HOME_PARTITION, /**< plus the index of the partition */
};

/**
 * A window has two states, which differ while requests are queued.
 *
 * The live state is what the peer can use: the window is bound if key is not 0. The execution of a
 * request changes it. The posted state (posted_bound) is the live state that the window will have
 * after all queued requests have been executed. Posting a request checks and changes the posted
 * state.
 *
 * Used by writers only; readers use tokens. All windows of a domain are in one table, and links are
 * indices into it. Index 0 is no window and ends a list.
 */
struct mem_window {
	/* Members for the set of windows bound to a region; see bound_set.c. */
	/** First address that the window covers. Valid while key is not 0. */
	alignas(MEM_WINDOW_STRIDE) uint64_t start;
	uint64_t end;     /**< end of the window, exclusive; valid while key is not 0 */
	uint64_t end_max; /**< largest end in the node's subtree; valid while in_tree */
	union {
		struct { /* while in_tree */
			uint32_t left;
			uint32_t right;
		};
		struct { /* valid while the window is bound and not in_tree */
			uint32_t pending_next;
			uint32_t pending_previous;
		};
		uint32_t free_next; /**< next entry of windows_free; valid in MEM_HOME_NONE */
	};
	uint32_t parent; /**< parent node in the tree; valid while in_tree */

	uint32_t key; /**< key, or 0 if not bound; its token contains region and owner */
	uint32_t binds_queued;
	uint32_t owner_next; /**< next window in the same bucket of mem_owner_table */
	uint32_t owner_prev;
	uint8_t home; /**< see enum mem_home; atomic */
	uint8_t posted_bound;
	uint8_t in_tree;
	uint8_t life; /**< generation of the entry, which changes with each new window; atomic */
	void *cookie;
};

static_assert(sizeof(struct mem_window) == MEM_WINDOW_STRIDE, "table lookups require this stride");

/**
 * Called when a request on a window did not end as posted, because the request failed or was
 * flushed, or because the window was invalidated in another way, for instance by the peer. If no
 * bind is queued, set the posted state to the live state, and free a window that is not bound. If
 * binds are queued, the last queued bind determines the posted state.
 */
static inline void
mem_window_posted_settle(struct mem_window *window)
{
	if (window->binds_queued != 0)
		return;
	window->posted_bound = window->key != 0;
	/* Release: pairs with the acquire of the thread that claims the window. */
	if (window->key == 0)
		__atomic_store_n(&window->home, MEM_HOME_FREE, __ATOMIC_RELEASE);
}

/**
 * Lock the partition to which a window belongs.
 * @param owner lock only the partition of this owner's engine, or the shared partition.
 *        MEM_OWNER_ANY: lock any partition
 * @return the locked partition; NULL: nothing is locked, because the window belongs to no
 *         partition, or to a partition that owner does not allow
 */
struct mem_partition *
mem_window_lock(struct mem_domain *domain, const struct mem_window *window, uint32_t owner);

/** Unbind a window: end its key. The partition to which the window belongs must be locked. */
void mem_window_unbind(
	struct mem_domain *domain, struct mem_partition *partition, struct mem_window *window);

#endif
