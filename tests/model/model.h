/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MODEL_H
#define NDPDK_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/state.h"

/** Complain and end when actual is not expected; both are numbers. */
#define MODEL_EXPECT(m, actual, expected, what)                                                    \
	do {                                                                                       \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected);        \
		if (actual_ != expected_)                                                          \
			model_fail((m), (what), actual_, expected_);                               \
	} while (0)

void model_fail(const struct model *m, const char *what, long long actual, long long expected)
	__attribute__((noreturn));

/** What became of a request whose turn in the send queue has come. */
enum model_outcome {
	MODEL_DONE,
	MODEL_WAITS,  /**< nothing has happened; it is the turn of this request again later */
	MODEL_FAILED, /**< the queue pair ends */
};

static inline uint32_t
model_below(struct model *m, uint32_t bound)
{
	return model_source_below(&m->source, bound);
}

/** @return [address, address + length) inside [start, start + size), in arithmetic without end. */
static inline bool
model_inside(uint64_t address, uint64_t length_bytes, uint64_t start, uint64_t size)
{
	return address >= start &&
		(unsigned __int128)address + length_bytes <= (unsigned __int128)start + size;
}

/** @return the engine of an owner. */
static inline uint32_t
model_engine_of(const struct model *m, uint32_t owner)
{
	return owner % m->limits.engines;
}

/**
 * @return QPN: its low bits are the engine. Of the owners of one engine, two share a bucket of any
 *         table that takes the bits above those.
 */
static inline uint32_t
model_qpn(const struct model *m, uint32_t owner)
{
	static const uint32_t engine_bits[MODEL_ENGINES + 1] = {0, 0, 1, 2, 2};
	uint32_t of_engine = owner / m->limits.engines;

	return (0x40000 * (of_engine / 2) + 77 + of_engine % 2) << engine_bits[m->limits.engines] |
		model_engine_of(m, owner);
}

/** @return bit i for each reader i of the domain. */
static inline uint32_t
model_all_readers(const struct model *m)
{
	return (UINT32_C(1) << m->limits.reader_max) - 1;
}

/** Draw an address in or near [start, start + size). */
uint64_t model_address_near(struct model *m, uint64_t start, uint64_t size);

/** Draw a length for an address: inside, to the end, one too long, or wrapping. May be 0. */
uint64_t model_length_near(struct model *m, uint64_t address, uint64_t start, uint64_t size);

/* keys.c */
/** @return the last partition, whose keys every queue pair may use. */
uint32_t model_shared(const struct model *m);
/** @return the partition that issues keys for an owner, or for any owner. */
uint32_t model_partition(const struct model *m, uint32_t owner, bool any_owner);
/** @return readers that may use keys of a partition. */
uint32_t model_partition_readers(const struct model *m, uint32_t partition);
/** @return slots of the key table, when there are so many for each group. */
uint32_t model_slots_of_groups(const struct model *m, uint32_t group_slots);
/** @return slots of a partition that are in quarantine at least, when enough keys have died. */
uint32_t model_rest_min(const struct model *m, uint32_t partition, uint32_t key_slots);
void model_key_issued(struct model *m, uint32_t key, uint32_t partition);
/** Note that keys die in one call: model_deaths_begin(), then model_key_died() for each. */
void model_deaths_begin(struct model *m);
void model_key_died(struct model *m, uint32_t key);
/** Check a refusal: the partition has no free slot, and no slot that has rested long enough. */
void model_key_refused(struct model *m, uint32_t partition);
uint32_t model_key_some(struct model *m);

/* memory.c */
struct model_memory *model_memory_create(struct model *m, uint32_t buffer_count);
/** MODEL_PAGES pages, some of which touch. */
struct model_memory *model_memory_pages(struct model *m);
/** @return some bytes of pages that follow each other in a registration, from offset on. */
struct model_memory *model_memory_view(struct model *m, const struct model_memory *pages,
	const uint8_t *order, uint32_t offset, uint64_t length_bytes);
/** Check every byte and every gap, then free; a view is only freed. */
void model_memory_destroy(struct model *m, struct model_memory *memory);
/** Compare bytes that were read with the model's. */
void model_memory_compare(struct model *m, const struct model_memory *memory, uint64_t offset,
	const uint8_t *bytes, size_t count);
/** New bytes for [offset, offset + count): note them, and give them to be written. */
void model_memory_renew(struct model *m, struct model_memory *memory, uint64_t offset,
	uint8_t *bytes, size_t count);
/** Check that the buffers hold what they must, from one byte before to one behind. */
void model_memory_check(
	struct model *m, const struct model_memory *memory, uint64_t offset, size_t count);
/** @return the bytes if they lie in one piece, which is one buffer, or pages that touch; or NULL */
uint8_t *model_memory_pointer(const struct model_memory *memory, uint64_t offset, size_t count);
/** Read, and write when writable, some of a span that starts at offset of the memory. */
void model_span_use(struct model *m, const struct mem_span *span, struct model_memory *memory,
	uint64_t offset, bool writable);

/* regions.c */
void model_region_register(struct model *m);
void model_region_register_wrongly(struct model *m);
void model_region_deregister(struct model *m);
void model_region_windows(struct model *m);
void model_region_invalidate(struct model *m);
/** Find the region of some key, and compare. */
void model_region_find(struct model *m);
/** @return live region with that handle, or NULL. */
struct model_region *model_region_of(struct model *m, const struct mem_region *handle);
/** @return a handle: mostly of that region, else stale or invented. */
struct mem_region *model_region_handle(struct model *m, const struct model_region *region);
struct model_region *model_region_pick(struct model *m);
/** Mostly one of two regions, to which many windows are bound. */
struct model_region *model_region_crowded(struct model *m);
/** @return what local access through a live region reaches. */
struct model_extent model_region_extent(const struct model_region *region);
/** @return entries of the table that live regions have. */
uint32_t model_region_entries(const struct model *m);
/** A region was asked for in vain: was there no room, or no key? */
void model_region_refused(
	struct model *m, struct model_memory *memory, enum rc_status status, bool full);

/* windows.c */
void model_window_create(struct model *m);
void model_window_destroy(struct model *m);
void model_window_invalidate_wrongly(struct model *m);
void model_remote_invalidate(struct model *m);
struct model_window *model_window_of_key(struct model *m, uint32_t key);
/** @return live window with that handle, or NULL. */
struct model_window *model_window_of(struct model *m, const struct mem_window *handle);
struct mem_window *model_window_handle(struct model *m, const struct model_window *window);
/** @return whether the window is bound, and this owner may use and invalidate it. */
bool model_window_serves(const struct model_window *window, uint32_t owner);
/** @return the partition in which the window is bound or binds are queued; or MODEL_PARTITIONS. */
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
/** @return region in which the key is registered, or NULL. */
struct model_region *model_fast_of_key(struct model *m, uint32_t key);
/** The live registration of a region has ended, in a call that model_deaths_begin() began. */
void model_fast_ended(struct model *m, struct model_region *region);
/** A fast region is dead; it may have had a registration. */
void model_fast_died(struct model *m, struct model_region *region);
/** Free the views of registrations that have ended and of which no reader holds a span. */
void model_views_drop(struct model *m);
/** Compare what the index says of a region. */
void model_fast_query(struct model *m);

/* binds.c */
void model_bind_post(struct model *m);
/** Bind all free windows on one queue pair. */
void model_bind_many(struct model *m);
/** Use a window on a queue pair that it must not be used on. */
void model_bind_wrongly(struct model *m);
void model_invalidate_post(struct model *m);
void model_queue_execute(struct model *m);
/** The queue pair goes to error: what is queued is flushed, its windows end. */
void model_owner_fail(struct model *m, uint32_t owner);
/** @return how many binds and fast registers are queued for either; NULL matches none. */
uint32_t model_binds_queued(const struct model *m, const struct model_window *window,
	const struct model_region *region);
/** @return the queue that has requests for the window, or MODEL_OWNERS. */
uint32_t model_queue_of(const struct model *m, const struct model_window *window);

/** @return whether the window is bound when the queue of its owner has been executed. */
bool model_posted_bound(const struct model *m, const struct model_window *window);

/* access.c */
void model_access(struct model *m);

/* sgls.c */
void model_sgl(struct model *m);

/* readers.c */
void model_readers_start(struct model *m);
void model_reader_act(struct model *m);
void model_readers_report(struct model *m);
/** @return whether each of these readers is offline or has reported since the clock showed that. */
bool model_readers_passed(const struct model *m, uint32_t readers, uint64_t clock);
/** @return whether a reader holds a span of this memory. */
bool model_memory_held(const struct model *m, const struct model_memory *memory);
/**
 * Make the next calls as the engine of an owner, between two packets. Nothing of the partitions of
 * other engines may be locked in these calls.
 */
void model_engine_enter(struct model *m, uint32_t owner);
void model_engine_leave(struct model *m, uint32_t owner);
/** The index began a grace period when something died. @param readers that it must wait for */
void model_grace_begun(struct model *m, const struct mem_grace *grace, uint32_t readers);
/** The same for a call of the engine of an owner, which need not wait for itself. */
void model_grace_begun_by(
	struct model *m, const struct mem_grace *grace, uint32_t partition, uint32_t owner);
/** Remember a region that was deregistered; consumes the memory. */
void
model_release_add(struct model *m, uint64_t token, struct model_memory *memory, uint32_t entries);
void model_release_ask(struct model *m);
/** Wait for everything that was released. */
void model_releases_drain(struct model *m);
/** @return entries of the table of regions that readers may still be inside of. */
uint32_t model_entries_resting(const struct model *m);

#endif
