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
 * A fast region is a region that gets its memory by requests of a send queue (fast register, NDK's
 * FRMR). The rules for windows up to RC-158 also apply to fast regions. A fast region is created
 * once, without memory. Then pages are registered in it and invalidated many times, each time with
 * a new key. A registration is posted and executed like a bind: when it is posted, it is checked
 * and its key is issued; when the send queue executes it, the key becomes live.
 *
 * Each registration uses a separate entry of the table of regions, called a body. A body does not
 * change while a reader may use it. The application's handle itself covers no memory: local access
 * uses the live body, and access by key finds the body directly. Requests allocate no memory: a
 * region has MEM_FAST_BODIES bodies, which are used in turn.
 */

struct mem_domain;
struct mem_region;

/** Size and alignment of a page, in bytes. */
#define MEM_PAGE_BYTES 4096u

/** Maximum number of registrations of one region that are live or queued. */
#define MEM_FAST_BODIES 3u

/**
 * Create a fast region without memory. mem_region_deregister() destroys it, even while pages are
 * registered.
 *
 * @param page_max maximum number of pages of one registration, 1 .. LIMIT_REGION_BUFFERS
 * @param remote true: registrations of the region may have remote rights
 * @return RC_OK; RC_INVALID_ARGUMENT: page_max is out of range; RC_NO_RESOURCES
 */
enum rc_status mem_fast_create(struct mem_domain *domain, uint32_t page_max, bool remote,
	void *cookie, struct mem_region **region) __rte_warn_unused_result;

struct mem_fast_attr {
	struct mem_region *region;
	void *const *pages;  /**< page addresses, which only mem_fast_prepare() reads */
	uint32_t page_count; /**< number of pages, 1 .. page_max */
	uint32_t offset;     /**< offset of the first byte in the first page, < MEM_PAGE_BYTES */
	uint64_t
		/**
		 * Length of the registration, > 0. The range must end inside the last page, and
		 * base + length_bytes must not wrap.
		 */
		length_bytes;
	/** First address of the address range through which the memory is accessed. */
	uint64_t base;
	uint32_t rights; /**< bits of enum mem_rights, without MEM_WINDOW_BIND */
};

struct mem_fast {
	struct mem_region *region;
	uint32_t body; /**< index of the body's entry in the table of regions */
	uint32_t key;  /**< key of the registration, which is live after the execution */
};

/**
 * Check a registration, copy its list of pages and issue its key, when it is posted. From now on,
 * the posted state of the region is "registered", until an invalidate is posted.
 *
 * @return RC_OK; RC_BAD_REGION: not a live region of mem_fast_create(); RC_INVALID_ARGUMENT: more
 *         pages than page_max; RC_NO_RIGHTS: remote rights that the region may not have, or remote
 *         write or atomic without local write; RC_ALREADY_BOUND: pages are registered;
 *         RC_NO_RESOURCES: no free key, or MEM_FAST_BODIES registrations are live or queued
 */
enum rc_status mem_fast_prepare(struct mem_domain *domain, const struct mem_fast_attr *attr,
	struct mem_fast *fast) __rte_warn_unused_result;

/**
 * Execute a prepared registration: its key becomes live.
 * @param owner QPN of the queue pair that executes the registration
 * @return RC_OK; RC_BIND_FAILED: a registration is already live; RC_BUSY: other readers may still
 *         use the body; nothing has changed, call again
 */
enum rc_status mem_fast_execute(struct mem_domain *domain, const struct mem_fast *fast,
	uint32_t owner) __rte_warn_unused_result;

/** Cancel a prepared registration that will not be executed because its send queue is flushed. */
void mem_fast_cancel(struct mem_domain *domain, const struct mem_fast *fast);

/**
 * An invalidate of a fast region is posted: record that it is queued.
 * @return RC_OK; RC_BAD_REGION: not a live region of mem_fast_create()
 */
enum rc_status mem_fast_invalidate_prepare(
	struct mem_domain *domain, struct mem_region *region) __rte_warn_unused_result;

/**
 * Execute a queued invalidate of a fast region.
 *
 * @param key value of mem_region_key() when the invalidate was posted
 * @param owner QPN of the queue pair that executes the invalidate
 * @param grace out: grace period of the other engines; at its end the invalidate is complete
 * @return RC_OK; RC_INVALIDATE_FAILED: no pages are registered, or the region was deregistered
 *         after the invalidate was posted (a new region may have its handle)
 */
enum rc_status mem_fast_invalidate(struct mem_domain *domain, struct mem_region *region,
	uint32_t key, uint32_t owner, struct mem_grace *grace) __rte_warn_unused_result;

/**
 * Cancel a queued invalidate that will not be executed because its send queue is flushed. The
 * region may be dead.
 */
void mem_fast_invalidate_cancel(struct mem_domain *domain, struct mem_region *region);

/** @return whether the handle is a live region of mem_fast_create(). Takes no lock. */
bool mem_fast_alive(const struct mem_domain *domain, const struct mem_region *region);

struct mem_fast_info {
	uint32_t
		/**
		 * Key of the last posted registration. Before the first registration: a key that
		 * grants no access.
		 */
		key;
	bool remote;
};

/** @return RC_OK, RC_BAD_REGION: not a live region of mem_fast_create() */
enum rc_status mem_fast_query(struct mem_domain *domain, const struct mem_region *region,
	struct mem_fast_info *info) __rte_warn_unused_result;

/* ---- for region.c and window.c; the shared partition must be locked ---- */

struct mem_fast_state;

/**
 * Called before a fast region is retired: invalidate its live registration and retire its bodies.
 */
void mem_fast_retire(struct mem_domain *domain, struct mem_region *region);

/** Invalidate the registration of a live body. */
void mem_fast_body_kill(struct mem_domain *domain, struct mem_region *body);

#endif
