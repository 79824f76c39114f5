/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_WINDOW_H
#define NDPDK_MEM_WINDOW_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

struct mem_domain;

#define MEM_WINDOW_STRIDE 64

/**
 * A window, in two states that run apart while requests are queued.
 *
 * Live: what readers and the peer get: bound when key is not 0. Changed by executing.
 * Posted: what the live state will be when everything queued was executed: posted_bound. Changed by
 * posting, which is checked against it.
 *
 * All members but live are for writers. Readers never come here. The windows of a domain are one
 * table; links are indices into it, and 0, the index of an entry that is no window, ends them.
 */
struct mem_window {
	/* In the set of the windows bound to the region; see bound_set.c. */
	alignas(MEM_WINDOW_STRIDE) uint64_t start; /**< valid while key is not 0 */
	uint64_t end;                              /**< exclusive; likewise */
	uint64_t end_max;                          /**< of the subtree, while in_tree */
	union {
		struct { /* while in_tree */
			uint32_t left;
			uint32_t right;
		};
		struct { /* while bound and not in_tree */
			uint32_t pending_next;
			uint32_t pending_previous;
		};
		uint32_t free_next; /**< while not live: in domain->windows_free */
	};
	uint32_t parent; /**< while in_tree */

	uint32_t key; /**< 0: not bound. Its token names region and owner. */
	uint32_t binds_queued;
	uint32_t owner_next; /**< of the windows of the same owner */
	uint32_t owner_prev;
	uint8_t live; /**< handle valid; atomic */
	uint8_t posted_bound;
	uint8_t in_tree;
	uint8_t spare;
	void *cookie;
};

static_assert(sizeof(struct mem_window) == MEM_WINDOW_STRIDE, "handles are checked by alignment");

/**
 * Let the posted state fall back to the live one when no bind is queued any more. Called wherever
 * the queue did not end as posted: something failed, was flushed, or the window was invalidated
 * from elsewhere. While binds are queued the posted state is theirs.
 */
static inline void
mem_window_posted_settle(struct mem_window *window)
{
	if (window->binds_queued == 0)
		window->posted_bound = window->key != 0;
}

/** Kill the key of a bound window; under the writer lock. */
void mem_window_unbind(struct mem_domain *domain, struct mem_window *window);

#endif
