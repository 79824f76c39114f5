/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_STATE_H
#define NDPDK_MODEL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_rcu_qsbr.h>

#include "mem/fast.h"
#include "mem/mem.h"
#include "model/mem_model.h"
#include "model/source.h"

/* All that the model knows: arrays that are searched from one end to the other. */

#define MODEL_REGIONS     72u
#define MODEL_WINDOWS     264u
#define MODEL_OWNERS      6u
#define MODEL_QUEUE_DEPTH 8u
#define MODEL_KEY_SLOTS   32768u
#define MODEL_OLD_KEYS    128u
#define MODEL_ENGINES     4u
#define MODEL_PARTITIONS  (MODEL_ENGINES + 1)
#define MODEL_READERS     5u
#define MODEL_SPANS       4u
#define MODEL_RELEASES    32u
#define MODEL_GRACES      16u
#define MODEL_VIEWS       64u
#define MODEL_PAGES       6u /* that the registrations of one fast region choose from */
#define MODEL_COPY_BYTES  2048u
#define MODEL_REMOTE      ((uint32_t)(MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC))

struct model_limits {
	uint32_t region_max, window_max;   /**< of the domain */
	uint32_t key_slots, key_slots_max; /**< at most MODEL_KEY_SLOTS */
	uint32_t buffer_max;               /**< of a chain; longer ones are seldom */
	uint32_t engines;                  /**< engine i is reader i */
	uint32_t reader_max;               /**< of the domain, at least engines */
	uint32_t reader_count;             /**< registered, at most reader_max */
	bool crowd;                        /**< most windows are bound on the first engine */
	uint32_t calm; /**< readers report once in so many operations, on average */
};

/** Bytes of one region: where each of them is, and what it must be. */
struct model_memory {
	uint8_t *block; /**< buffers in any order, with gaps */
	size_t block_bytes;
	uint64_t length_bytes;
	uint8_t **byte_at;
	uint8_t **value_at;         /**< in values, or in those of the region whose view this is */
	uint8_t *values;            /**< NULL: a view */
	struct mem_buffer *buffers; /**< NULL: a view */
	uint32_t buffer_count;
};

/** What local access through a region reaches, or remote access by one of its keys. */
struct model_extent {
	uint64_t base, length_bytes;
	uint32_t rights;
	struct model_memory *memory;
};

/** Pages that a request registers in a fast region. */
struct model_registration {
	uint32_t key;  /**< 0: none */
	uint32_t body; /**< index in model_fast.bodies */
	struct model_extent extent;
};

/** An entry of the table of regions that registrations of one fast region use in turn. */
struct model_body {
	uint32_t entry; /**< index in the table of the domain, 0: not known yet */
	bool used;      /**< by a registration that is queued or live */
	/* Readers that may use it since the last registration ended, and when that was. */
	uint32_t readers;
	uint64_t clock;
};

struct model_fast {
	uint32_t page_max; /**< 0: this is no fast region */
	bool remote;
	uint32_t posted_key; /**< of the registration posted last, or the region's own */
	struct model_registration live;
	struct model_body bodies[MEM_FAST_BODIES];
};

struct model_region {
	struct mem_region *handle; /**< NULL: none */
	uint64_t base, length_bytes;
	uint32_t rights, key;
	struct model_memory *memory; /**< of a fast region: its pages */
	struct model_fast fast;
};

struct model_window {
	struct mem_window *handle; /**< NULL: none */
	uint32_t key;              /**< 0: not bound */
	uint32_t owner, rights;
	bool any_owner; /**< owner only bound it */
	struct model_region *region;
	uint64_t start, length_bytes;
};

enum model_request_kind {
	MODEL_BIND,
	MODEL_INVALIDATE, /**< of window */
	MODEL_FAST_REGISTER,
	MODEL_FAST_INVALIDATE,
};

/** One request of a send queue. */
struct model_request {
	enum model_request_kind kind;
	struct model_window *window;
	uint8_t window_life;         /**< of an invalidate */
	struct model_region *region; /**< of a fast invalidate, NULL: it has died since */
	struct mem_bind bind;
	struct mem_fast fast;
	struct model_registration registration;
};

/** A slot of the key table. */
struct model_slot {
	bool used;
	uint32_t last_key;     /**< 0: never issued */
	uint64_t died_clock;   /**< 0: never */
	uint64_t died_before;  /**< deaths in its partition before the call it died in */
	uint32_t died_resting; /**< slots of its partition that had to rest at least, then */
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

/** A region that was deregistered and that readers may use. */
struct model_release {
	uint64_t token; /**< of mem_region_deregister() */
	uint64_t clock;
	struct model_memory *memory;
	uint32_t entries; /**< of the table of regions that rest until then */
};

/** A grace period that the index began, and the readers that it has to wait for. */
struct model_grace {
	struct mem_grace grace;
	uint32_t readers; /**< bit i: reader i */
	uint64_t clock;
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
	struct mem_region *region_body;  /**< that a key of a registration has led to, or NULL */
	struct mem_window *window_stale;
	struct model_request queues[MODEL_OWNERS][MODEL_QUEUE_DEPTH];
	uint32_t queued[MODEL_OWNERS];

	struct model_slot slots[MODEL_KEY_SLOTS];
	uint64_t death_count[MODEL_PARTITIONS];
	uint64_t deaths_before[MODEL_PARTITIONS]; /**< see model_deaths_begin() */
	uint32_t old_keys[MODEL_OLD_KEYS];        /**< ring of the keys issued last */
	uint64_t old_count;
	uint32_t key_slots;      /**< as the domain says */
	uint64_t refused_clock;  /**< when the index had no key that any queue pair may use */
	uint32_t refused_streak; /**< times in a row, with all readers reporting between */

	struct model_reader readers[MODEL_READERS];
	struct model_release releases[MODEL_RELEASES];
	uint32_t release_count;
	struct model_grace graces[MODEL_GRACES]; /**< begun last, ring */
	uint64_t grace_count;
	struct model_memory *views[MODEL_VIEWS]; /**< of registrations that have ended */
	uint32_t view_count;
};

#endif
