/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MODEL_H
#define NDPDK_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_rcu_qsbr.h>

#include "mem/mem.h"
#include "model/mem_model.h"
#include "model/source.h"

#define MODEL_REGIONS     72u
#define MODEL_WINDOWS     264u
#define MODEL_OWNERS      4u
#define MODEL_QUEUE_DEPTH 8u
#define MODEL_KEY_SLOTS   4096u
#define MODEL_OLD_KEYS    128u
#define MODEL_READERS     2u
#define MODEL_SPANS       4u
#define MODEL_RELEASES    32u
#define MODEL_COPY_BYTES  2048u
#define MODEL_REMOTE      ((uint32_t)(MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC))

struct model_limits {
	uint32_t region_max, window_max;   /**< of the domain */
	uint32_t key_slots, key_slots_max; /**< at most MODEL_KEY_SLOTS */
	uint32_t buffer_max;               /**< of a chain; longer ones are seldom */
	uint32_t reader_count;
	uint32_t calm; /**< readers report once in so many operations, on average */
};

/** Bytes of one region: where each of them is, and what it must be. */
struct model_memory {
	uint8_t *block; /**< buffers in any order, with gaps */
	size_t block_bytes;
	uint64_t length_bytes;
	uint8_t **byte_at;
	uint8_t *value;
	struct mem_buffer *buffers;
	uint32_t buffer_count;
};

struct model_region {
	struct mem_region *handle; /**< NULL: none */
	uint64_t base, length_bytes;
	uint32_t rights, key;
	struct model_memory *memory;
};

struct model_window {
	struct mem_window *handle; /**< NULL: none */
	uint32_t key;              /**< 0: not bound */
	uint32_t owner, rights;
	bool any_owner; /**< owner only bound it */
	struct model_region *region;
	uint64_t start, length_bytes;
};

/** One request of a send queue: a bind, or an invalidate of window. */
struct model_request {
	bool is_bind;
	struct model_window *window;
	struct model_region *region;
	struct mem_bind bind;
};

/** A slot of the key table. */
struct model_slot {
	bool used;
	uint32_t last_key;     /**< 0: never issued */
	uint64_t died_clock;   /**< 0: never */
	uint64_t died_before;  /**< deaths before the call it died in */
	uint32_t died_resting; /**< slots that had to rest at least, then */
};

/** Checked bytes that a reader keeps until it reports. */
struct model_span {
	struct mem_span span;
	struct model_memory *memory;
	uint64_t offset; /**< of the span in the memory */
	uint32_t key;
	bool writable;
};

struct model_reader {
	bool online;
	uint64_t reported_clock;
	struct model_span spans[MODEL_SPANS];
	uint32_t span_count;
};

/** Something that readers have to be quiescent for. */
struct model_release {
	uint64_t token;
	uint64_t clock;
	struct model_memory *memory; /**< NULL: of mem_region_invalidate_windows() */
};

struct model {
	struct model_source source;
	mem_model_fail *fail;
	struct mem_model_counts *counts;
	uint64_t seed, episode, operation;
	const char *doing;

	struct base_random key_random;
	struct mem_domain *domain;
	struct rte_rcu_qsbr *qsbr;
	struct model_limits limits;

	uint64_t clock; /**< of deaths and reports */
	struct model_region regions[MODEL_REGIONS];
	struct model_window windows[MODEL_WINDOWS];
	uint32_t region_slots,
		window_slots;            /**< of the arrays that are used: more than the domain's */
	struct mem_region *region_stale; /**< a handle that died, or NULL */
	struct mem_window *window_stale;
	struct model_request queues[MODEL_OWNERS][MODEL_QUEUE_DEPTH];
	uint32_t queued[MODEL_OWNERS];

	struct model_slot slots[MODEL_KEY_SLOTS];
	uint64_t death_count;
	uint32_t old_keys[MODEL_OLD_KEYS]; /**< issued last, ring */
	uint64_t old_count;
	uint32_t key_slots;      /**< as the domain says */
	uint64_t refused_clock;  /**< when the index had no key */
	uint32_t refused_streak; /**< times in a row, with all readers reporting between */

	struct model_reader readers[MODEL_READERS];
	struct model_release releases[MODEL_RELEASES];
	uint32_t release_count;
};

/** Complain and end when actual is not expected; both are numbers. */
#define MODEL_EXPECT(m, actual, expected, what)                                                    \
	do {                                                                                       \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected);        \
		if (actual_ != expected_)                                                          \
			model_fail((m), (what), actual_, expected_);                               \
	} while (0)

void model_fail(const struct model *m, const char *what, long long actual, long long expected)
	__attribute__((noreturn));

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

/** @return QPN; two share a bucket of any table that takes the low bits. */
static inline uint32_t
model_qpn(uint32_t owner)
{
	return 0x100000 * (owner / 2) + 77 + owner % 2;
}

/** Draw an address in or near [start, start + size). */
uint64_t model_address_near(struct model *m, uint64_t start, uint64_t size);

/** Draw a length for an address: inside, to the end, one too long, or wrapping. May be 0. */
uint64_t model_length_near(struct model *m, uint64_t address, uint64_t start, uint64_t size);

/* keys.c */
void model_key_issued(struct model *m, uint32_t key);
/** Note that keys die in one call: model_deaths_begin(), then one call for each. */
uint64_t model_deaths_begin(struct model *m);
void model_key_died(struct model *m, uint32_t key, uint64_t deaths_before);
/** The index said that there is no free slot: is there really none? */
void model_key_refused(struct model *m);
uint32_t model_key_some(struct model *m);

/* memory.c */
struct model_memory *model_memory_create(struct model *m, uint32_t buffer_count);
/** Check every byte and every gap, then free. */
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

/* windows.c */
void model_window_create(struct model *m);
void model_window_destroy(struct model *m);
void model_window_invalidate_wrongly(struct model *m);
void model_window_remote_invalidate(struct model *m);
struct model_window *model_window_of_key(struct model *m, uint32_t key);
/** @return live window with that handle, or NULL. */
struct model_window *model_window_of(struct model *m, const struct mem_window *handle);
struct mem_window *model_window_handle(struct model *m, const struct model_window *window);
/** @return whether the window is bound, and this owner may use and invalidate it. */
bool model_window_serves(const struct model_window *window, uint32_t owner);
struct model_window *model_window_pick(struct model *m);

/* binds.c */
void model_bind_post(struct model *m);
void model_invalidate_post(struct model *m);
void model_queue_execute(struct model *m);
/** The queue pair goes to error: what is queued is flushed, its windows end. */
void model_owner_fail(struct model *m, uint32_t owner);
/** @return how many binds are queued for the window or for the region; NULL matches none. */
uint32_t model_binds_queued(const struct model *m, const struct model_window *window,
	const struct model_region *region);
/** @return the queue that has requests for the window, or MODEL_OWNERS. */
uint32_t model_queue_of(const struct model *m, const struct model_window *window);

/* access.c */
void model_access(struct model *m);

/* sgls.c */
void model_sgl(struct model *m);

/* readers.c */
void model_readers_start(struct model *m);
void model_reader_act(struct model *m);
void model_readers_report(struct model *m);
/** @return whether every reader has reported since the clock showed that. */
bool model_readers_passed(const struct model *m, uint64_t clock);
/** Remember something that readers must be quiescent for; consumes the memory. */
void model_release_add(struct model *m, uint64_t token, struct model_memory *memory);
void model_release_ask(struct model *m);
/** Wait for everything that was released. */
void model_releases_drain(struct model *m);
/** @return regions that readers may still be inside of. */
uint32_t model_regions_resting(const struct model *m);

#endif
