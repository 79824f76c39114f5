/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_MEM_H
#define NDPDK_MEM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rcu_qsbr.h>

#include "base/random.h"
#include "base/status.h"
#include "mem/access.h"

/*
 * Registered memory of one adapter: regions, windows, keys and the index that every bind, every
 * local buffer and every remote access is checked against.
 *
 *   key (slot:24 | tag:8) -> token: owner, rights, [start, end) -> region -> segments -> bytes
 *
 * A region is an index space [base, base + length) over an ordered chain of buffers; an address is
 * an index into it and is never dereferenced. A window is a range of one region that one queue
 * pair's peer may reach; windows follow type 2B (RC-152): through the binding queue pair only. A
 * window may be bound for all queue pairs instead, as one of type 1, and the key of a region itself
 * is for all of them.
 *
 * Readers are engine lcores registered with mem_domain_qsbr(); they never lock. Writers may be on
 * any thread and exclude each other by the domain's lock. A token is dead for readers before
 * invalidate or deregister returns; what a reader may still use is reclaimed after every reader has
 * reported a quiescent state.
 *
 * Handles (struct mem_region *, struct mem_window *) live in tables that stay mapped for the
 * domain's life, so that a stale handle is detected and never leads into freed memory.
 */

enum mem_rights {
	MEM_LOCAL_WRITE = 1 << 0,
	MEM_REMOTE_READ = 1 << 1,
	MEM_REMOTE_WRITE = 1 << 2,  /**< needs MEM_LOCAL_WRITE of the region */
	MEM_REMOTE_ATOMIC = 1 << 3, /**< likewise */
	MEM_WINDOW_BIND = 1 << 4,   /**< windows may be bound to the region */
	MEM_READ_SINK = 1 << 5, /**< own READs and atomics may place bytes; in MEM_LOCAL_WRITE */
};

struct mem_domain;
struct mem_region;
struct mem_window;

/** One buffer of a region. Owned by the application until the region is deregistered. */
struct mem_buffer {
	void *address;
	uint64_t length_bytes; /**< > 0 */
};

struct mem_domain_config {
	/** Slots of the key table at the start and at most: powers of two, 64 .. LIMIT_KEY_SLOTS.
	 * Slots are used by regions, bound windows and queued binds, others are in quarantine, and
	 * slot 0 is not used. The table doubles, without stopping readers, when there are more
	 * handles than five in eight of its slots. */
	uint32_t key_slots;
	uint32_t key_slots_max;
	uint32_t region_max; /**< handles, >= 1 */
	uint32_t window_max; /**< handles, >= 1 */
	uint32_t reader_max; /**< RCU readers, >= 1 */
	int socket_id;       /**< NUMA node, or SOCKET_ID_ANY */
	struct base_random
		*random; /**< used by writers only, under the writer lock; outlives the domain */
};

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES. */
enum rc_status mem_domain_create(const struct mem_domain_config *config,
	struct mem_domain **domain) __rte_warn_unused_result;

/** Free everything, live or not. No reader may be running. NULL is ignored. */
void mem_domain_destroy(struct mem_domain *domain);

/** RCU variable that readers register with, and report quiescent states to. */
struct rte_rcu_qsbr *mem_domain_qsbr(struct mem_domain *domain);

/* ---- regions ---- */

struct mem_region_attr {
	uint64_t base;                    /**< address of the first byte in the index space */
	const struct mem_buffer *buffers; /**< copied */
	uint32_t buffer_count;            /**< 1 .. LIMIT_REGION_BUFFERS */
	uint32_t rights;                  /**< of enum mem_rights */
	void *cookie;                     /**< for the caller, see mem_region_cookie() */
};

/**
 * Register memory.
 *
 * @return RC_OK; RC_INVALID_ARGUMENT: no buffers, an empty or NULL buffer, total beyond
 *         LIMIT_REGION_BYTES, base + length wraps, remote write or atomic without local write,
 *         unknown rights; RC_NO_RESOURCES: tables full, or readers not yet quiescent
 */
enum rc_status mem_region_register(struct mem_domain *domain, const struct mem_region_attr *attr,
	struct mem_region **region) __rte_warn_unused_result;

/**
 * Make a region dead. No access that begins after the return reaches it. Accesses in progress are
 * over when mem_region_released(domain, *release) is true; the application may free or reuse its
 * memory only then.
 *
 * @return RC_OK; RC_BAD_REGION: not a live region of this domain; RC_BUSY: windows bound, or binds
 *         queued
 */
enum rc_status mem_region_deregister(struct mem_domain *domain, struct mem_region *region,
	uint64_t *release) __rte_warn_unused_result;

/** @return whether the bytes of the region are unused; release is from its deregistration. */
bool mem_region_released(struct mem_domain *domain, uint64_t release);

/** @return whether every reader has been quiescent since the call that returned this RCU token. */
bool mem_domain_quiescent(struct mem_domain *domain, uint64_t token);

/** @return whether the handle is a live region of this domain; any pointer value is safe. */
bool mem_region_alive(const struct mem_domain *domain, const struct mem_region *region);

/** @return remote key of the region: grants the region's own remote rights, to every queue pair. */
uint32_t mem_region_key(const struct mem_region *region);

/** @return the live region of exactly this key, NULL: there is none. O(1), takes no lock. */
struct mem_region *mem_region_find(const struct mem_domain *domain, uint32_t key);
uint64_t mem_region_base(const struct mem_region *region);
uint64_t mem_region_length(const struct mem_region *region);
uint32_t mem_region_rights(const struct mem_region *region);
void *mem_region_cookie(const struct mem_region *region);

/* ---- windows ---- */

/** Make an unbound window. @return RC_OK, RC_NO_RESOURCES. */
enum rc_status mem_window_create(struct mem_domain *domain, void *cookie,
	struct mem_window **window) __rte_warn_unused_result;

/**
 * Invalidate the window if it is bound, and give up its handle.
 * @return RC_OK, RC_BAD_WINDOW, RC_BUSY: a bind is queued.
 */
enum rc_status
mem_window_destroy(struct mem_domain *domain, struct mem_window *window) __rte_warn_unused_result;

bool mem_window_alive(const struct mem_domain *domain, const struct mem_window *window);
void *mem_window_cookie(const struct mem_window *window);

/** A queued bind: it is checked and gets its key when posted, and is executed in its turn. */
struct mem_bind {
	struct mem_region *region;
	struct mem_window *window;
	uint64_t address;
	uint64_t length_bytes;
	uint32_t rights; /**< MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC, may be none */
	/** Every queue pair may use and invalidate it, and it does not end with the binding one. */
	bool any_owner;
	uint32_t key; /**< out of mem_bind_prepare(): fresh slot, fresh tag; dead until executed */
};

/**
 * Check a bind and reserve its key (posting time). The window counts as bound from here on for
 * further prepares, until an invalidate of it is posted (mem_invalidate_prepare()).
 *
 * @return RC_OK; RC_BAD_REGION; RC_BAD_WINDOW: dead or of another domain; RC_BAD_START, RC_BAD_END:
 *         range not inside the region, empty, or wrapping; RC_NO_RIGHTS: remote write or atomic
 *         without the region's local write, or region without MEM_WINDOW_BIND; RC_ALREADY_BOUND;
 *         RC_NO_RESOURCES: no free key slot
 */
enum rc_status
mem_bind_prepare(struct mem_domain *domain, struct mem_bind *bind) __rte_warn_unused_result;

/**
 * Make a prepared bind live (its turn in the send queue). The reservation is used up either way.
 *
 * @param owner QPN of the queue pair it is executed on
 * @return RC_OK; RC_BIND_FAILED: region or window died meanwhile, or the window is still bound
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

/**
 * Note at posting time that an invalidate of the window is queued: from now on a bind of it may be
 * posted.
 * @return RC_OK; RC_BAD_WINDOW. A window that is not bound is no error here; executing the
 *         invalidate then fails (ND-052).
 */
enum rc_status mem_invalidate_prepare(
	struct mem_domain *domain, struct mem_window *window) __rte_warn_unused_result;

/** An invalidate that was queued will not be executed (flush). A dead window is fine. */
void mem_invalidate_cancel(struct mem_domain *domain, struct mem_window *window);

/** Which of the windows that have this handle one after the other it is now, modulo 256. */
uint8_t mem_window_life(const struct mem_window *window);

/**
 * Execute a local invalidate when its turn in the send queue has come.
 *
 * @param life of the window when the invalidate was posted
 * @return RC_OK; RC_INVALIDATE_FAILED: not bound to owner, nor for any, or the window has ended
 *         meanwhile, and its handle may be that of another one
 */
enum rc_status mem_invalidate_execute(struct mem_domain *domain, struct mem_window *window,
	uint8_t life, uint32_t owner) __rte_warn_unused_result;

/**
 * Invalidate a window at once.
 * @return RC_OK; RC_INVALIDATE_FAILED: not bound to owner, nor for any.
 */
enum rc_status mem_window_invalidate(struct mem_domain *domain, struct mem_window *window,
	uint32_t owner) __rte_warn_unused_result;

/**
 * Invalidate by key, for a received SEND with Invalidate (IETH): a window, or what is registered in
 * a region of mem_fast_create(), which is of every queue pair. When a local and a remote invalidate
 * race, exactly one of them succeeds.
 *
 * @param window out: the window that was invalidated; compare it only, its handle may be gone;
 *               NULL: it was no window
 * @param cookie out: the window's; may be NULL
 * @return RC_OK; RC_INVALIDATE_FAILED: key unknown, dead, of a region of mem_region_register(), or
 *         of a window bound neither to owner nor for any (RC-091)
 */
enum rc_status mem_key_invalidate(struct mem_domain *domain, uint32_t key, uint32_t owner,
	struct mem_window **window, void **cookie) __rte_warn_unused_result;

/**
 * Invalidate every window bound to a queue pair that ends (RC-158), but those bound for any.
 * @return how many
 */
uint32_t mem_owner_invalidate(struct mem_domain *domain, uint32_t owner);

/**
 * Invalidate every window bound to a region, from any thread.
 *
 * @param token out: accesses that were under way are over when mem_domain_quiescent() of it is true
 * @return how many
 */
uint32_t mem_region_invalidate_windows(
	struct mem_domain *domain, struct mem_region *region, uint64_t *token);

/**
 * Windows of a region that cover at least one byte of [address, address + length).
 *
 * @param windows filled with up to max handles; may be NULL when max is 0
 * @return number of covering windows, which may exceed max
 */
uint32_t mem_region_windows(struct mem_domain *domain, struct mem_region *region, uint64_t address,
	uint64_t length_bytes, struct mem_window **windows, uint32_t max);

/** Counts of live objects, for counters and leak checks. */
struct mem_domain_stats {
	uint32_t regions;
	uint32_t windows;
	uint32_t windows_bound;
	uint32_t binds_queued;
	uint32_t key_slots_used;
	uint32_t key_slots_resting; /**< in quarantine */
	uint32_t key_slots;         /**< of the table as it is now */
	uint64_t bytes;             /**< of memory held for all tables, segment trees not counted */
};

void mem_domain_stats(struct mem_domain *domain, struct mem_domain_stats *stats);

#endif
