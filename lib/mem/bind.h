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
 * A bind. mem_bind_prepare() checks it and issues its key at posting; mem_bind_execute() executes
 * it in send-queue order. mem_bind_now() does both.
 */
struct mem_bind {
	struct mem_region *region;
	struct mem_window *window;
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights; /**< MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC, may be none */
	/** Any queue pair may use and invalidate the window. It outlives the binding queue pair. */
	bool any_owner;
	uint8_t partition; /**< out of mem_bind_prepare(): index */
	uint32_t key; /**< out of mem_bind_prepare(): fresh slot, fresh tag; dead until executed */
};

/**
 * Check a bind and reserve its key (posting time). The window counts as bound from here on for
 * further prepares, until an invalidate of it is posted (mem_invalidate_prepare()).
 *
 * @param owner QPN of the queue pair that it will be executed on
 * @return RC_OK; RC_BAD_REGION; RC_BAD_WINDOW: dead or of another domain; RC_BAD_START, RC_BAD_END:
 *         range not inside the region, empty, or wrapping; RC_NO_RIGHTS: remote write or atomic
 *         without the region's local write, or region without MEM_WINDOW_BIND; RC_ALREADY_BOUND:
 *         the window is bound or a bind of it is queued, and no invalidate was posted since; or the
 *         window is in another partition; RC_NO_RESOURCES: no free key slot
 */
enum rc_status mem_bind_prepare(
	struct mem_domain *domain, struct mem_bind *bind, uint32_t owner) __rte_warn_unused_result;

/**
 * Make a prepared bind live (its turn in the send queue). The reservation is used up either way.
 *
 * @param owner as in mem_bind_prepare()
 * @return RC_OK; RC_BIND_FAILED: the window is still bound
 */
enum rc_status mem_bind_execute(struct mem_domain *domain, const struct mem_bind *bind,
	uint32_t owner) __rte_warn_unused_result;

/**
 * Prepare and execute in one step, for a bind that is posted to an empty send queue.
 *
 * @param owner QPN of the queue pair it is executed on
 * @return as mem_bind_prepare(); RC_BIND_FAILED: the window is bound and an invalidate of it is
 *         queued on another queue pair. The caller then queues the bind (mem_bind_prepare()).
 */
enum rc_status mem_bind_now(
	struct mem_domain *domain, struct mem_bind *bind, uint32_t owner) __rte_warn_unused_result;

/** Give back a prepared bind that will not be executed (flush). */
void mem_bind_cancel(struct mem_domain *domain, const struct mem_bind *bind);

#endif
