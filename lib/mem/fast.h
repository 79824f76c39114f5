/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_FAST_H
#define NDPDK_MEM_FAST_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"
#include "mem/grace.h"

/*
 * Regions whose memory changes with requests of a send queue (fast register, NDK's FRMR; RC-158 and
 * those before it hold for them, too). Such a region is made once, empty; then pages are registered
 * in it and invalidated, many times, each time with another key. A registration is posted and
 * executed as a bind is: checked, and its key issued, when it is posted, live in its turn.
 *
 * Each registration uses an entry of the table of regions of its own, a body, which never changes
 * while a reader may use it. The handle that the application has covers no bytes by itself: local
 * access uses the body that is live, access by key finds the body at once. No memory is allocated
 * by requests: a region has MEM_FAST_BODIES bodies that are used in turn.
 */

struct mem_domain;
struct mem_region;

/** Bytes of a page, and what its address is a multiple of. */
#define MEM_PAGE_BYTES 4096u

/** Registrations of one region that are live or queued at a time. */
#define MEM_FAST_BODIES 3u

/**
 * Make a region with no memory yet. mem_region_deregister() ends it, whatever is registered in it.
 *
 * @param page_max of one registration, 1 .. LIMIT_REGION_BUFFERS
 * @param remote whether its registrations may have remote rights
 * @return RC_OK; RC_INVALID_ARGUMENT: page_max; RC_NO_RESOURCES
 */
enum rc_status mem_fast_create(struct mem_domain *domain, uint32_t page_max, bool remote,
	void *cookie, struct mem_region **region) __rte_warn_unused_result;

/** A registration as it is asked for. */
struct mem_fast_attr {
	struct mem_region *region;
	void *const *pages;  /**< addresses; read by mem_fast_prepare() only */
	uint32_t page_count; /**< 1 .. page_max */
	uint32_t offset;     /**< of the first byte in the first page, below MEM_PAGE_BYTES */
	uint64_t
		length_bytes; /**< > 0, and not beyond the last page; base + length does not wrap */
	uint64_t base;        /**< address of the first byte in the index space */
	uint32_t rights;      /**< of enum mem_rights, but not MEM_WINDOW_BIND */
};

/** A registration that is queued. */
struct mem_fast {
	struct mem_region *region;
	uint32_t body; /**< index of its entry */
	uint32_t key;  /**< dead until it is executed */
};

/**
 * Check a registration, copy its pages and issue its key (posting time). The region counts as
 * registered from here on for further prepares, until an invalidate of it is posted.
 *
 * @return RC_OK; RC_BAD_REGION: not a live region of mem_fast_create(); RC_INVALID_ARGUMENT: more
 *         pages than it has room for; RC_NO_RIGHTS: remote rights that the region may not have, or
 *         remote write or atomic without local write; RC_ALREADY_BOUND: it is registered;
 *         RC_NO_RESOURCES: no free key, or MEM_FAST_BODIES registrations are live or queued
 */
enum rc_status mem_fast_prepare(struct mem_domain *domain, const struct mem_fast_attr *attr,
	struct mem_fast *fast) __rte_warn_unused_result;

/**
 * Make a prepared registration live.
 * @param owner QPN of the queue pair it is executed on
 * @return RC_OK; RC_BIND_FAILED: one is live already; RC_BUSY: other readers may still use the
 *         body: nothing has happened, call again
 */
enum rc_status mem_fast_execute(struct mem_domain *domain, const struct mem_fast *fast,
	uint32_t owner) __rte_warn_unused_result;

/** Give back a prepared registration that will not be executed (flush). */
void mem_fast_cancel(struct mem_domain *domain, const struct mem_fast *fast);

/**
 * Note at posting time that an invalidate is queued.
 * @return RC_OK; RC_BAD_REGION: not a live region of mem_fast_create()
 */
enum rc_status mem_fast_invalidate_prepare(
	struct mem_domain *domain, struct mem_region *region) __rte_warn_unused_result;

/**
 * Execute a queued invalidate of a fast region.
 *
 * @param key mem_region_key() of the region when the invalidate was posted
 * @param owner QPN of the queue pair it is executed on
 * @param grace out: the invalidate is complete when this grace period of the other engines is over
 * @return RC_OK; RC_INVALIDATE_FAILED: nothing is registered, or the region was deregistered after
 *         the invalidate was posted (a new region may have its handle)
 */
enum rc_status mem_fast_invalidate(struct mem_domain *domain, struct mem_region *region,
	uint32_t key, uint32_t owner, struct mem_grace *grace) __rte_warn_unused_result;

/** It will not be executed (flush). A dead region is fine. */
void mem_fast_invalidate_cancel(struct mem_domain *domain, struct mem_region *region);

/** @return whether the handle is a live region of mem_fast_create(). Takes no lock. */
bool mem_fast_alive(const struct mem_domain *domain, const struct mem_region *region);

/** What there is of a region at the moment. */
struct mem_fast_info {
	uint32_t
		key; /**< posted last; of no registration yet: the region's own, which opens none */
	bool remote;
};

/** @return RC_OK, RC_BAD_REGION: not a live region of mem_fast_create() */
enum rc_status mem_fast_query(struct mem_domain *domain, const struct mem_region *region,
	struct mem_fast_info *info) __rte_warn_unused_result;

/* ---- for region.c and window.c, under the writers' lock ---- */

struct mem_fast_state;

/** End what is registered, and let the bodies rest with their region; before the region does. */
void mem_fast_retire(struct mem_domain *domain, struct mem_region *region);

/** End the registration that an entry of the table is the live body of. */
void mem_fast_body_kill(struct mem_domain *domain, struct mem_region *body);

#endif
