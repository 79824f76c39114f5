/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_BIND_H
#define NDPDK_MEM_BIND_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/* Binding windows. Included by mem.h. */

struct mem_domain;
struct mem_region;
struct mem_window;

/**
 * A bind. mem_bind_prepare() checks it and issues its key when it is posted. mem_bind_execute()
 * executes it in the order of the send queue. mem_bind_now() does both.
 */
struct mem_bind {
	struct mem_region *region;
	struct mem_window *window;
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights; /**< bits MEM_REMOTE_READ, MEM_REMOTE_WRITE, MEM_REMOTE_ATOMIC; 0: none */
	/**
	 * True if any queue pair may use and invalidate the window. Such a window stays bound when
	 * the binding queue pair ends.
	 */
	bool any_owner;
	/** Index of the partition that issued the key. Set by mem_bind_prepare(). */
	uint8_t partition;
	uint32_t key; /**< new key from mem_bind_prepare(), live after the execution */
};

/**
 * Check a bind and reserve its key when it is posted. From now on, later calls treat the window as
 * bound, until an invalidate of the window is posted (mem_invalidate_prepare()).
 *
 * @param owner QPN of the queue pair that will execute the bind
 * @return RC_OK; RC_BAD_REGION; RC_BAD_WINDOW: dead or of another domain; RC_BAD_START, RC_BAD_END:
 *         the range is not inside the region, empty, or wraps; RC_NO_RIGHTS: remote write or atomic
 *         without the region's local write, or region without MEM_WINDOW_BIND; RC_ALREADY_BOUND:
 *         the window is bound or a bind of it is queued, and no invalidate was posted since; or the
 *         window is in another partition; RC_NO_RESOURCES: no free key slot
 */
enum rc_status mem_bind_prepare(
	struct mem_domain *domain, struct mem_bind *bind, uint32_t owner) __rte_warn_unused_result;

/**
 * Execute a prepared bind: its key becomes live. If the function fails, the reserved key is
 * released.
 *
 * @param owner as in mem_bind_prepare()
 * @return RC_OK; RC_BIND_FAILED: the window is still bound
 */
enum rc_status mem_bind_execute(struct mem_domain *domain, const struct mem_bind *bind,
	uint32_t owner) __rte_warn_unused_result;

/**
 * Prepare and execute a bind in one step. Used if the bind is posted to an empty send queue.
 *
 * @param owner QPN of the queue pair that executes the bind
 * @return as mem_bind_prepare(); RC_BIND_FAILED: the window is bound, and an invalidate of it is
 *         queued on another queue pair; the caller then queues the bind (mem_bind_prepare())
 */
enum rc_status mem_bind_now(
	struct mem_domain *domain, struct mem_bind *bind, uint32_t owner) __rte_warn_unused_result;

/** Cancel a prepared bind that will not be executed because its send queue is flushed. */
void mem_bind_cancel(struct mem_domain *domain, const struct mem_bind *bind);

#endif
