/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_WINDOW_H
#define NDPDK_MEM_WINDOW_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/list.h"

struct mem_domain;
struct mem_region;

#define MEM_WINDOW_STRIDE 128

/**
 * A window, in two states that run apart while requests are queued.
 *
 * Live: what readers and the peer get: bound when key is not 0. Changed by executing.
 * Posted: what the live state will be when everything queued was executed: posted_bound. Changed by
 * posting, which is checked against it.
 *
 * All members but live are for writers. Readers never come here.
 */
struct mem_window {
	alignas(MEM_WINDOW_STRIDE) uint32_t live; /**< handle valid; atomic */
	bool posted_bound;
	uint32_t binds_queued;

	/* Valid while key is not 0. */
	uint32_t key;
	uint32_t owner; /**< QPN */
	struct mem_region *region;
	uint64_t start;
	uint64_t end;
	struct base_list region_link; /**< in region->bound */
	struct base_list owner_link;  /**< in domain->owners */

	void *cookie;
	struct base_list free_link; /**< in domain->windows_free while not live */
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
