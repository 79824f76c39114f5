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
#include "mem/bind.h"
#include "mem/grace.h"

/*
 * Registered memory of one adapter: regions, windows, keys, and the index that checks each bind,
 * local buffer and remote access.
 *
 *   key (slot:24 | tag:8) -> token: owner, rights, [start, end) -> region -> segments -> bytes
 *
 * A region is an address range [base, base + length) over an ordered chain of buffers. An address
 * is an index into this range and is never dereferenced. A window is a part of one region that the
 * peer of one queue pair may access. Windows are of type 2B (RC-152): accessible only through the
 * binding queue pair. A window may instead be bound for all queue pairs, like a type 1 window. The
 * key of a region itself is valid for all queue pairs.
 *
 * Readers are engines registered with mem_domain_qsbr(); they never lock. A reader is online only
 * while its engine may read the index. Writers may be on any thread. They exclude each other with
 * one lock per partition of the key table: a window that one queue pair may use is in the partition
 * of the queue pair's engine, everything else in the shared partition. Before invalidate or
 * deregister returns, the token is dead for new accesses. Earlier accesses are over after a grace
 * period of the readers of the partition (struct mem_grace).
 *
 * Functions with an owner must be called on the thread of the owner's engine, between two packets.
 *
 * Handles (struct mem_region *, struct mem_window *) point into tables that stay mapped as long as
 * the domain exists, so that a stale handle is detected and never refers to freed memory.
 */

enum mem_rights {
	MEM_LOCAL_WRITE = 1 << 0,
	MEM_REMOTE_READ = 1 << 1,
	MEM_REMOTE_WRITE = 1 << 2,  /**< needs MEM_LOCAL_WRITE of the region */
	MEM_REMOTE_ATOMIC = 1 << 3, /**< needs MEM_LOCAL_WRITE of the region */
	MEM_WINDOW_BIND = 1 << 4,   /**< windows may be bound to the region */
	/**
	 * Responses to own READs and atomics may be stored in the region. Implied by
	 * MEM_LOCAL_WRITE.
	 */
	MEM_READ_SINK = 1 << 5,
};

struct mem_domain;
struct mem_region;
struct mem_window;

/** One buffer of a region. Owned by the application until the region is deregistered. */
struct mem_buffer {
	void *address;
	uint64_t length_bytes; /**< length in bytes, > 0 */
};

struct mem_domain_config {
	/**
	 * Initial and maximum number of slots of the key table: powers of two, in the range
	 * mem_key_slots(engines, 64) .. LIMIT_KEY_SLOTS. Regions, bound windows and queued binds
	 * use slots, some slots are in quarantine, and slot 0 is unused. The table doubles while
	 * readers run, if the handles exceed five eighths of the slots of one engine's partition.
	 */
	uint32_t key_slots;
	uint32_t key_slots_max;
	uint32_t region_max; /**< maximum number of regions, >= 1 */
	uint32_t window_max; /**< maximum number of windows, >= 1 */
	uint32_t reader_max; /**< maximum number of RCU readers, 1 .. MEM_READERS_MAX */
	/**
	 * Number of engines, 1 .. LIMIT_ENGINES, at most reader_max; 0 means 1. Engine i is reader
	 * i, and the low bits of the QPNs of its queue pairs are i. With several engines, the key
	 * table is divided into partitions.
	 */
	uint32_t engines;
	int socket_id; /**< NUMA node, or SOCKET_ID_ANY */
	/** Generator that seeds the generators of keys; used only while the domain is created. */
	struct base_random *random;
};

#define MEM_READERS_MAX 32u

/**
 * Return the size of a key table in which each engine's partition has partition_slots slots. The
 * shared partition gets the other slots. With one engine, the size is partition_slots.
 * @param engines as in struct mem_domain_config
 */
uint64_t mem_key_slots(uint32_t engines, uint64_t partition_slots);

/** @return RC_OK, RC_INVALID_ARGUMENT, RC_NO_RESOURCES. */
enum rc_status mem_domain_create(const struct mem_domain_config *config,
	struct mem_domain **domain) __rte_warn_unused_result;

/**
 * Free the domain and all its objects, even live objects. No reader may be running. NULL is
 * ignored.
 */
void mem_domain_destroy(struct mem_domain *domain);

/** @return the RCU variable at which readers register and report quiescent states. */
struct rte_rcu_qsbr *mem_domain_qsbr(struct mem_domain *domain);

/* ---- regions ---- */

struct mem_region_attr {
	/** first address of the address range through which the memory is accessed */
	uint64_t base;
	const struct mem_buffer *buffers; /**< buffers of the region; copied */
	uint32_t buffer_count;            /**< number of buffers, 1 .. LIMIT_REGION_BUFFERS */
	uint32_t rights;                  /**< of enum mem_rights */
	/** value for the caller, returned by mem_region_cookie() */
	void *cookie;
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
 * Deregister a region. Accesses that begin after the return do not reach the region. Accesses in
 * progress have ended when mem_region_released(domain, *release) returns true. Only then may the
 * application free or reuse the memory.
 *
 * @return RC_OK; RC_BAD_REGION: not a live region of this domain; RC_BUSY: windows are bound, or
 *         binds are queued
 */
enum rc_status mem_region_deregister(struct mem_domain *domain, struct mem_region *region,
	uint64_t *release) __rte_warn_unused_result;

/**
 * @return whether all accesses to the memory of a deregistered region have ended.
 * @param release value that mem_region_deregister() stored
 */
bool mem_region_released(struct mem_domain *domain, uint64_t release);

/**
 * @return whether a grace period is over: the accesses that were in progress when it began have
 * ended. May be called from any thread; takes no lock.
 */
bool mem_domain_quiescent(const struct mem_domain *domain, const struct mem_grace *grace);

/** @return whether the handle is a live region of this domain; any pointer value is safe. */
bool mem_region_alive(const struct mem_domain *domain, const struct mem_region *region);

/**
 * @return the region's remote key, which grants the remote rights of the region to every queue
 * pair.
 */
uint32_t mem_region_key(const struct mem_region *region);

/** @return the live region with this key; NULL: there is none. Constant time, takes no lock. */
struct mem_region *mem_region_find(const struct mem_domain *domain, uint32_t key);
uint64_t mem_region_base(const struct mem_region *region);
uint64_t mem_region_length(const struct mem_region *region);
uint32_t mem_region_rights(const struct mem_region *region);
void *mem_region_cookie(const struct mem_region *region);

/* ---- windows ---- */

/** Create an unbound window. @return RC_OK, RC_NO_RESOURCES. */
enum rc_status mem_window_create(struct mem_domain *domain, void *cookie,
	struct mem_window **window) __rte_warn_unused_result;

/**
 * Destroy a window. If the window is bound, it is invalidated first.
 * @param grace out: grace period of accesses through the window; set if RC_OK is returned
 * @return RC_OK, RC_BAD_WINDOW, RC_BUSY: a bind is queued
 */
enum rc_status mem_window_destroy(struct mem_domain *domain, struct mem_window *window,
	struct mem_grace *grace) __rte_warn_unused_result;

bool mem_window_alive(const struct mem_domain *domain, const struct mem_window *window);

/**
 * Find out whether the window with this ID still exists.
 * @param id ID of a window, from struct mem_key_end
 * @return false: the window was destroyed, even if a new window has its handle
 */
bool mem_window_has_id(const struct mem_domain *domain, uint32_t id);
void *mem_window_cookie(const struct mem_window *window);

/**
 * An invalidate of the window is posted: record that it is queued on a queue pair. From now on, a
 * bind of the window may be posted.
 * @return RC_OK; RC_BAD_WINDOW. A window that is not bound causes no error here, but the
 *         invalidate will fail when it is executed (ND-052)
 */
enum rc_status mem_invalidate_prepare(struct mem_domain *domain, struct mem_window *window,
	uint32_t owner) __rte_warn_unused_result;

/**
 * Cancel a queued invalidate that will not be executed because its send queue is flushed. The
 * window may be dead.
 */
void mem_invalidate_cancel(struct mem_domain *domain, struct mem_window *window, uint32_t owner);

/** @return generation of the handle, modulo 256. It changes when a new window gets the handle. */
uint8_t mem_window_life(const struct mem_window *window);

/**
 * Execute a queued local invalidate.
 *
 * @param life value of mem_window_life() when the invalidate was posted
 * @param grace out: grace period of the other engines; at its end the invalidate is complete
 * @return RC_OK; RC_INVALIDATE_FAILED: the window is bound neither to owner nor for any queue pair,
 *         or was destroyed (another window may have its handle)
 */
enum rc_status mem_invalidate_execute(struct mem_domain *domain, struct mem_window *window,
	uint8_t life, uint32_t owner, struct mem_grace *grace) __rte_warn_unused_result;

/**
 * Invalidate a window at once, if no other engine can be using it.
 * @return RC_OK; RC_INVALIDATE_FAILED: the window is not bound to owner, or other engines may be
 *         using it. The caller then queues the invalidate (mem_invalidate_execute())
 */
enum rc_status mem_window_invalidate(struct mem_domain *domain, struct mem_window *window,
	uint32_t owner) __rte_warn_unused_result;

/** The window or registration that a received SEND with Invalidate (IETH) has invalidated. */
struct mem_key_end {
	/** Only for comparison, because the window may already be destroyed. NULL: no window. */
	struct mem_window *window;
	void *cookie;       /**< cookie of the window */
	uint32_t window_id; /**< ID for mem_window_has_id() */
	/** Grace period of the other engines. At its end the invalidate is complete. */
	struct mem_grace grace;
};

/**
 * Invalidate a key at the peer's request. The key must belong to a window, or to a live
 * registration with remote rights in a fast region (mem_fast_create()), which any queue pair may
 * invalidate. If a local and a remote invalidate race, exactly one succeeds.
 *
 * @param end out: valid if RC_OK is returned
 * @return RC_OK; RC_INVALIDATE_FAILED: the key is unknown or dead, or belongs to a region of
 *         mem_region_register(), to a registration without remote rights, or to a window bound to
 *         another queue pair (RC-091)
 */
enum rc_status mem_key_invalidate(struct mem_domain *domain, uint32_t key, uint32_t owner,
	struct mem_key_end *end) __rte_warn_unused_result;

/**
 * A queue pair is destroyed or fails: invalidate all windows that are bound to it (RC-158). Windows
 * that are bound for any queue pair stay bound.
 * @return number of invalidated windows
 */
uint32_t mem_owner_invalidate(struct mem_domain *domain, uint32_t owner);

/**
 * Invalidate all windows that are bound to a region. May be called from any thread.
 *
 * @param grace out: grace period of accesses through these windows
 * @return number of invalidated windows
 */
uint32_t mem_region_invalidate_windows(
	struct mem_domain *domain, struct mem_region *region, struct mem_grace *grace);

/**
 * Find the windows of a region that cover at least one byte of [address, address + length).
 *
 * @param windows filled with up to max handles; may be NULL if max is 0
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
	uint32_t key_slots_resting; /**< slots in quarantine */
	uint32_t key_slots;         /**< current number of slots of the key table */
	/** memory of all tables, without the segment trees of regions */
	uint64_t bytes;
};

void mem_domain_stats(struct mem_domain *domain, struct mem_domain_stats *stats);

#endif
