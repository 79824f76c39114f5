/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MODEL_H
#define NDPDK_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/state.h"

/** Report an error and end the program if `actual` differs from `expected`. Both are numbers. */
#define MODEL_EXPECT(m, actual, expected, what)                                                    \
	do {                                                                                       \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected);        \
		if (actual_ != expected_)                                                          \
			model_fail((m), (what), actual_, expected_);                               \
	} while (0)

void model_fail(const struct model *m, const char *what, long long actual, long long expected)
	__attribute__((noreturn));

enum model_outcome {
	MODEL_DONE,
	MODEL_WAITS,  /**< The request is not executed; the model tries again later. */
	MODEL_FAILED, /**< The queue pair goes to the error state. */
};

static inline uint32_t
model_below(struct model *m, uint32_t bound)
{
	return model_source_below(&m->source, bound);
}

/**
 * @return true if [address, address + length) is within [start, start + size). The computation does
 * not overflow.
 */
static inline bool
model_inside(uint64_t address, uint64_t length_bytes, uint64_t start, uint64_t size)
{
	return address >= start &&
		(unsigned __int128)address + length_bytes <= (unsigned __int128)start + size;
}

/** @return index of the engine of an owner (a queue pair) */
static inline uint32_t
model_engine_of(const struct model *m, uint32_t owner)
{
	return owner % m->limits.engines;
}

/**
 * @return the QPN of an owner. The low bits of a QPN are the engine. The QPNs of owners n and n + 2
 * of one engine differ only in high bits. So they share a bucket in a table that is indexed by the
 * bits above the engine's bits.
 */
static inline uint32_t
model_qpn(const struct model *m, uint32_t owner)
{
	static const uint32_t engine_bits[MODEL_ENGINES + 1] = {0, 0, 1, 2, 2};
	uint32_t of_engine = owner / m->limits.engines;

	return (0x40000 * (of_engine / 2) + 77 + of_engine % 2) << engine_bits[m->limits.engines] |
		model_engine_of(m, owner);
}

/** @return mask in which bit i is set for each reader i of the domain */
static inline uint32_t
model_all_readers(const struct model *m)
{
	return (UINT32_C(1) << m->limits.reader_max) - 1;
}

/** Draw an address within or near [start, start + size). */
uint64_t model_address_near(struct model *m, uint64_t start, uint64_t size);

/**
 * Draw a length for an access at `address`. The access is within the range, ends where the range
 * ends, is one byte too long, wraps around, or has length 0.
 */
uint64_t model_length_near(struct model *m, uint64_t address, uint64_t start, uint64_t size);

/* keys.c */
/** @return index of the shared partition, which is the last. All queue pairs may use its keys. */
uint32_t model_shared(const struct model *m);
/**
 * @return index of the partition that issues the keys of the owner; the shared partition if
 * any_owner is set
 */
uint32_t model_partition(const struct model *m, uint32_t owner, bool any_owner);
/** @return mask of the readers that may use the keys of a partition */
uint32_t model_partition_readers(const struct model *m, uint32_t partition);
/** @return number of slots of the key table if each group has group_slots slots */
uint32_t model_slots_of_groups(const struct model *m, uint32_t group_slots);
/**
 * @return minimum number of slots of a partition that are in quarantine, after enough keys have
 * died
 */
uint32_t model_rest_min(const struct model *m, uint32_t partition, uint32_t key_slots);
void model_key_issued(struct model *m, uint32_t key, uint32_t partition);
/**
 * Record all keys that die in one call of the index: first call model_deaths_begin(), then
 * model_key_died() for each key.
 */
void model_deaths_begin(struct model *m);
void model_key_died(struct model *m, uint32_t key);
/**
 * Check that a refusal was right: the partition has no free slot, and no slot that has rested long
 * enough.
 */
void model_key_refused(struct model *m, uint32_t partition);
uint32_t model_key_some(struct model *m);

/* memory.c */
struct model_memory *model_memory_create(struct model *m, uint32_t buffer_count);
/** Create MODEL_PAGES pages. Some pages are adjacent. */
struct model_memory *model_memory_pages(struct model *m);
/** @return a view of length_bytes bytes, which start at `offset` in these pages, in this order */
struct model_memory *model_memory_view(struct model *m, const struct model_memory *pages,
	const uint8_t *order, uint32_t offset, uint64_t length_bytes);
/**
 * Check every byte and every gap, then free the memory. A view is freed without a check, because it
 * has no own bytes.
 */
void model_memory_destroy(struct model *m, struct model_memory *memory);
/** Compare bytes that were read through the index with the bytes of the model. */
void model_memory_compare(struct model *m, const struct model_memory *memory, uint64_t offset,
	const uint8_t *bytes, size_t count);
/**
 * Choose new values for [offset, offset + count), store them in the model, and return them in
 * `bytes`.
 */
void model_memory_renew(struct model *m, struct model_memory *memory, uint64_t offset,
	uint8_t *bytes, size_t count);
/** Check the bytes of the buffers from one byte before the range to one byte after the range. */
void model_memory_check(
	struct model *m, const struct model_memory *memory, uint64_t offset, size_t count);
/**
 * @return pointer to the bytes if they are contiguous (in one buffer or in adjacent pages);
 * otherwise NULL
 */
uint8_t *model_memory_pointer(const struct model_memory *memory, uint64_t offset, size_t count);
/**
 * Read some bytes of a span. If the span is writable, write some bytes. `offset` is the start of
 * the span in the memory.
 */
void model_span_use(struct model *m, const struct mem_span *span, struct model_memory *memory,
	uint64_t offset, bool writable);

/* regions.c */
void model_region_register(struct model *m);
void model_region_register_wrongly(struct model *m);
void model_region_deregister(struct model *m);
void model_region_windows(struct model *m);
void model_region_invalidate(struct model *m);
void model_region_find(struct model *m);
/** @return the live region with this handle, or NULL */
struct model_region *model_region_of(struct model *m, const struct mem_region *handle);
/** @return usually the handle of the region, sometimes a stale or invented handle */
struct mem_region *model_region_handle(struct model *m, const struct model_region *region);
struct model_region *model_region_pick(struct model *m);
/** @return usually one of two regions, because many windows must be bound to the same region */
struct model_region *model_region_crowded(struct model *m);
/** @return the memory that local accesses to a live region can reach */
struct model_extent model_region_extent(const struct model_region *region);
uint32_t model_region_entries(const struct model *m);
/**
 * Check that a registration was refused for a valid reason: the table was full, or no key was
 * available.
 */
void model_region_refused(
	struct model *m, struct model_memory *memory, enum rc_status status, bool full);

/* windows.c */
void model_window_create(struct model *m);
void model_window_destroy(struct model *m);
void model_window_invalidate_wrongly(struct model *m);
void model_remote_invalidate(struct model *m);
struct model_window *model_window_of_key(struct model *m, uint32_t key);
struct model_window *model_window_of(struct model *m, const struct mem_window *handle);
struct mem_window *model_window_handle(struct model *m, const struct model_window *window);
/** @return true if the window is bound, and this owner may use and invalidate it */
bool model_window_serves(const struct model_window *window, uint32_t owner);
/**
 * @return the partition in which the window is bound or in which a bind is queued; otherwise
 * MODEL_PARTITIONS
 */
uint32_t model_window_home(const struct model *m, const struct model_window *window);
struct model_window *model_window_pick(struct model *m);

/* fasts.c */
void model_fast_create(struct model *m);
void model_fast_post(struct model *m);
void model_fast_invalidate_post(struct model *m);
enum model_outcome
model_fast_register_execute(struct model *m, const struct model_request *request, uint32_t owner);
enum model_outcome
model_fast_invalidate_execute(struct model *m, const struct model_request *request, uint32_t owner);
void model_fast_flush(struct model *m, const struct model_request *request);
/** @return the fast region with a live registration that has this key, or NULL */
struct model_region *model_fast_of_key(struct model *m, uint32_t key);
/**
 * Update the model after the live registration of a fast region has ended. Call
 * model_deaths_begin() first.
 */
void model_fast_ended(struct model *m, struct model_region *region);
/** Update the model after a fast region has died, with or without a registration. */
void model_fast_died(struct model *m, struct model_region *region);
/** Free the views of ended registrations, except views that a reader still uses. */
void model_views_drop(struct model *m);
void model_fast_query(struct model *m);

/* binds.c */
void model_bind_post(struct model *m);
/** Bind all free windows on one queue pair. */
void model_bind_many(struct model *m);
/** Try to use a window on a queue pair that must not use the window. */
void model_bind_wrongly(struct model *m);
void model_invalidate_post(struct model *m);
void model_queue_execute(struct model *m);
/** Move a queue pair to error: its queued requests are flushed, and its windows are invalidated. */
void model_owner_fail(struct model *m, uint32_t owner);
/**
 * @param window, region NULL: count no request for a window, or for a region
 * @return number of queued binds of the window and of queued fast registrations of the region
 */
uint32_t model_binds_queued(const struct model *m, const struct model_window *window,
	const struct model_region *region);
/** @return index of the queue that has requests for the window; MODEL_OWNERS if no queue has any */
uint32_t model_queue_of(const struct model *m, const struct model_window *window);

/**
 * @return true if the window will be bound after all requests in the queue of its owner were
 * executed
 */
bool model_posted_bound(const struct model *m, const struct model_window *window);

/* access.c */
void model_access(struct model *m);

/* sgls.c */
void model_sgl(struct model *m);

/* readers.c */
void model_readers_start(struct model *m);
void model_reader_act(struct model *m);
void model_readers_report(struct model *m);
/** @return true if each of these readers is offline or has reported after `clock` */
bool model_readers_passed(const struct model *m, uint32_t readers, uint64_t clock);
/** @return true if a reader still uses a span of this memory */
bool model_memory_held(const struct model *m, const struct model_memory *memory);
/**
 * Prepare calls of the index by the engine of an owner, between two packets. The calls must not
 * take a lock of another engine's partition, because the model holds these locks until
 * model_engine_leave().
 */
void model_engine_enter(struct model *m, uint32_t owner);
void model_engine_leave(struct model *m, uint32_t owner);
/**
 * Record the grace period of an invalidation.
 * @param readers mask of the readers for which the grace period must wait
 */
void model_grace_begun(struct model *m, const struct mem_grace *grace, uint32_t readers);
/**
 * Record a grace period that the engine of an owner began. The grace period does not wait for this
 * engine.
 */
void model_grace_begun_by(
	struct model *m, const struct mem_grace *grace, uint32_t partition, uint32_t owner);
/** Record a deregistered region. The list becomes the owner of the memory. */
void
model_release_add(struct model *m, uint64_t token, struct model_memory *memory, uint32_t entries);
void model_release_ask(struct model *m);
/** Let readers report until all deregistered regions are released. */
void model_releases_drain(struct model *m);
/**
 * @return number of entries of the region table that stay occupied because readers may still use
 * their regions
 */
uint32_t model_entries_resting(const struct model *m);

#endif
