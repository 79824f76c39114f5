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
 * Readers are engines registered with mem_domain_qsbr(); they never lock. A reader is online only
 * while its engine may read the index. Writers may be on any thread and exclude each other by
 * locks, one for each partition of the key table: a window that one queue pair may use is in the
 * partition of the queue pair's engine, everything else in the shared one. A token is dead for new
 * accesses before invalidate or deregister returns. Accesses that began before are over after a
 * grace period of the readers of the partition (struct mem_grace).
 *
 * Calls with an owner are for the thread of the owner's engine, between two packets.
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
	/**
	 * Slots of the key table at the start and at most: powers of two, mem_key_slots(engines,
	 * 64) .. LIMIT_KEY_SLOTS. Slots are used by regions, bound windows and queued binds, others
	 * are in quarantine, and slot 0 is not used. The table doubles, without stopping readers,
	 * when there are more handles than five in eight of the slots of one engine's partition.
	 */
	uint32_t key_slots;
	uint32_t key_slots_max;
	uint32_t region_max; /**< handles, >= 1 */
	uint32_t window_max; /**< handles, >= 1 */
	uint32_t reader_max; /**< RCU readers, 1 .. MEM_READERS_MAX */
	/**
	 * Engines, 1 .. LIMIT_ENGINES, at most reader_max; 0: one. Engine i is reader i, and the
	 * low bits of its owners are i. With more than one, the key table is divided into
	 * partitions.
	 */
	uint32_t engines;
	int socket_id; /**< NUMA node, or SOCKET_ID_ANY */
	/** Seeds the generators of keys; used while the domain is created only. */
	struct base_random *random;
};

#define MEM_READERS_MAX 32u

/**
 * @param engines as in struct mem_domain_config
 * @return size of the key table that gives the partition of each engine partition_slots slots. The
 *         shared partition gets the rest. With one engine: partition_slots
 */
uint64_t mem_key_slots(uint32_t engines, uint64_t partition_slots);

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

/**
 * @return whether the accesses that were in progress when the grace period began are over. From any
 *         thread; takes no lock.
 */
bool mem_domain_quiescent(const struct mem_domain *domain, const struct mem_grace *grace);

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
 * @param grace out: of accesses through the window; set with RC_OK
 * @return RC_OK, RC_BAD_WINDOW, RC_BUSY: a bind is queued.
 */
enum rc_status mem_window_destroy(struct mem_domain *domain, struct mem_window *window,
	struct mem_grace *grace) __rte_warn_unused_result;

bool mem_window_alive(const struct mem_domain *domain, const struct mem_window *window);

/**
 * @param id of a window (struct mem_key_end)
 * @return whether this window is alive: its handle was not given up, nor to another window since
 */
bool mem_window_has_id(const struct mem_domain *domain, uint32_t id);
void *mem_window_cookie(const struct mem_window *window);

/**
 * Note at posting time that an invalidate of the window is queued on a queue pair: from now on a
 * bind of it may be posted.
 * @return RC_OK; RC_BAD_WINDOW. A window that is not bound is no error here; executing the
 *         invalidate then fails (ND-052).
 */
enum rc_status mem_invalidate_prepare(struct mem_domain *domain, struct mem_window *window,
	uint32_t owner) __rte_warn_unused_result;

/** An invalidate that was queued will not be executed (flush). A dead window is fine. */
void mem_invalidate_cancel(struct mem_domain *domain, struct mem_window *window, uint32_t owner);

/** Which of the windows that have this handle one after the other it is now, modulo 256. */
uint8_t mem_window_life(const struct mem_window *window);

/**
 * Execute a local invalidate when its turn in the send queue has come.
 *
 * @param life of the window when the invalidate was posted
 * @param grace out: accesses of other engines; the invalidate is complete when it is over
 * @return RC_OK; RC_INVALIDATE_FAILED: not bound to owner, nor for any, or the window has ended
 *         meanwhile, and its handle may be that of another one
 */
enum rc_status mem_invalidate_execute(struct mem_domain *domain, struct mem_window *window,
	uint8_t life, uint32_t owner, struct mem_grace *grace) __rte_warn_unused_result;

/**
 * Invalidate a window at once, if no other engine can be using it.
 * @return RC_OK; RC_INVALIDATE_FAILED: the window is not bound to owner, or other engines may be
 *         using it. The caller then queues the invalidate: mem_invalidate_execute()
 */
enum rc_status mem_window_invalidate(struct mem_domain *domain, struct mem_window *window,
	uint32_t owner) __rte_warn_unused_result;

/** What a received SEND with Invalidate (IETH) has ended. */
struct mem_key_end {
	struct mem_window *window; /**< compare it only, its handle may be gone; NULL: no window */
	void *cookie;              /**< of the window */
	uint32_t window_id;        /**< for mem_window_has_id() */
	/** Accesses of other engines; the invalidate is complete when it is over. */
	struct mem_grace grace;
};

/**
 * Invalidate by key. The key is of a window, or of a live registration with remote rights in a fast
 * region (mem_fast_create()), which any queue pair may invalidate. If a local and a remote
 * invalidate race, exactly one succeeds.
 *
 * @param end out: valid with RC_OK
 * @return RC_OK; RC_INVALIDATE_FAILED: the key is unknown or dead; or of a region of
 *         mem_region_register(), of a registration without remote rights, or of a window bound to
 *         another queue pair (RC-091)
 */
enum rc_status mem_key_invalidate(struct mem_domain *domain, uint32_t key, uint32_t owner,
	struct mem_key_end *end) __rte_warn_unused_result;

/**
 * Invalidate every window bound to a queue pair that ends (RC-158), but those bound for any.
 * @return how many
 */
uint32_t mem_owner_invalidate(struct mem_domain *domain, uint32_t owner);

/**
 * Invalidate every window bound to a region, from any thread.
 *
 * @param grace out: of accesses through those windows
 * @return how many
 */
uint32_t mem_region_invalidate_windows(
	struct mem_domain *domain, struct mem_region *region, struct mem_grace *grace);

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
