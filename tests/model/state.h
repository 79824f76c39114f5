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

/*
 * The complete state of the model: arrays that are searched linearly. An owner is a queue pair. A
 * reader is an engine that may be using memory (mem/grace.h).
 */

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
#define MODEL_PAGES       6u /* number of pages that all registrations of a fast region use */
#define MODEL_COPY_BYTES  2048u
#define MODEL_REMOTE      ((uint32_t)(MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC))

struct model_limits {
	uint32_t region_max, window_max;   /**< maximum numbers of regions and windows */
	uint32_t key_slots, key_slots_max; /**< at most MODEL_KEY_SLOTS */
	uint32_t buffer_max; /**< usual maximum of buffers per region, rarely exceeded */
	uint32_t engines;    /**< number of engines; engine i is reader i */
	/** Maximum number of readers of the domain, at least the number of engines. */
	uint32_t reader_max;
	uint32_t reader_count; /**< number of registered readers, at most reader_max */
	bool crowd;            /**< Most windows are bound on the first engine. */
	uint32_t calm;         /**< average number of operations between reports of the readers */
};

/**
 * Bytes of a region: address and expected value of each byte. A view has no own bytes: it refers to
 * bytes of other memory.
 */
struct model_memory {
	uint8_t *block; /**< contains the buffers in any order, and the gaps between them */
	size_t block_bytes;
	uint64_t length_bytes;
	uint8_t **byte_at;
	/**
	 * Array with one pointer per byte to the expected value, in `values`. A view points to
	 * `values` of the memory that it views.
	 */
	uint8_t **value_at;
	uint8_t *values;            /**< expected bytes; NULL in a view */
	struct mem_buffer *buffers; /**< buffers in `block`; NULL in a view */
	uint32_t buffer_count;
};

/** Memory that is accessible, either locally through a region or remotely with a key. */
struct model_extent {
	uint64_t base, length_bytes;
	uint32_t rights;
	struct model_memory *memory;
};

/** A registration of pages in a fast region. */
struct model_registration {
	uint32_t key;  /**< 0: none */
	uint32_t body; /**< index in model_fast.bodies */
	struct model_extent extent;
};

/**
 * A body of a fast region, which is an entry of the region table. The registrations of the region
 * use the bodies in turn.
 */
struct model_body {
	uint32_t entry; /**< index in the region table of the index; 0 if not yet known */
	bool used;      /**< A queued or live registration uses the body. */
	/*
	 * Mask of the readers that may still use the body, and the time when its last registration
	 * ended.
	 */
	uint32_t readers;
	uint64_t clock;
};

struct model_fast {
	/** maximum pages per registration; 0 if the region is not a fast region */
	uint32_t page_max;
	bool remote;
	/**
	 * Key of the newest posted registration. Without a registration, it is the region's own
	 * key.
	 */
	uint32_t posted_key;
	struct model_registration live;
	struct model_body bodies[MEM_FAST_BODIES];
};

struct model_region {
	struct mem_region *handle; /**< NULL if this slot is free */
	uint64_t base, length_bytes;
	uint32_t rights, key;
	struct model_memory *memory; /**< bytes of the region; pages of a fast region */
	struct model_fast fast;
};

struct model_window {
	struct mem_window *handle; /**< NULL if this slot is free */
	uint32_t key;              /**< 0: not bound */
	uint32_t owner, rights;
	bool any_owner; /**< Every owner may use the window, not only the owner that bound it. */
	struct model_region *region;
	uint64_t start, length_bytes;
};

enum model_request_kind {
	MODEL_BIND,
	MODEL_INVALIDATE, /**< invalidates a window */
	MODEL_FAST_REGISTER,
	MODEL_FAST_INVALIDATE,
};

struct model_request {
	enum model_request_kind kind;
	struct model_window *window;
	/** invalidate: life (generation) of the window at the time of posting */
	uint8_t window_life;
	/** region of a fast request; NULL if the region has died since the posting */
	struct model_region *region;
	struct mem_bind bind;
	struct mem_fast fast;
	struct model_registration registration;
};

struct model_slot {
	bool used;
	uint32_t last_key;   /**< newest key of this slot; 0 if the slot had no key */
	uint64_t died_clock; /**< time at which the newest key died; 0 if no key has died */
	/** Number of keys of the partition that had died before the call that ended this key. */
	uint64_t died_before;
	/** minimum number of slots in quarantine at the death of the key */
	uint32_t died_resting;
};

/** Bytes of a checked access. A reader may use them until it reports. */
struct model_span {
	struct mem_span span;
	struct model_memory *memory;
	uint64_t offset; /**< offset of the span in memory */
	uint32_t key;
	bool writable;
};

struct model_reader {
	bool online;
	uint64_t reported_clock;
	struct model_span spans[MODEL_SPANS];
	uint32_t span_count;
};

/** A deregistered region that readers may still use. */
struct model_release {
	uint64_t token; /**< token returned by mem_region_deregister() */
	uint64_t clock;
	struct model_memory *memory;
	/** number of entries of the region table that are occupied until the release */
	uint32_t entries;
};

/** A grace period that the index began, and the readers for which it waits. */
struct model_grace {
	struct mem_grace grace;
	uint32_t readers; /**< Bit i is set if the grace period waits for reader i. */
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

	uint64_t clock; /**< logical time, which each death and each report increments */
	struct model_region regions[MODEL_REGIONS];
	struct model_window windows[MODEL_WINDOWS];
	/** Numbers of slots for regions and windows in the model; larger than in the domain. */
	uint32_t region_slots, window_slots;
	struct mem_region *region_stale; /**< handle of a dead region, or NULL */
	/** Internal region that had the key of a registration in a fast region; or NULL. */
	struct mem_region *region_body;
	struct mem_window *window_stale;
	struct model_request queues[MODEL_OWNERS][MODEL_QUEUE_DEPTH];
	uint32_t queued[MODEL_OWNERS];

	struct model_slot slots[MODEL_KEY_SLOTS];
	uint64_t death_count[MODEL_PARTITIONS];
	uint64_t deaths_before[MODEL_PARTITIONS]; /**< see model_deaths_begin() */
	uint32_t old_keys[MODEL_OLD_KEYS];        /**< ring of the newest keys */
	uint64_t old_count;
	uint32_t key_slots; /**< current number of key slots of the domain */
	/**
	 * Time when the shared partition last refused a key, although slots had rested long enough.
	 */
	uint64_t refused_clock;
	/**
	 * Number of consecutive refusals, the last at refused_clock. All readers reported between
	 * each two of them.
	 */
	uint32_t refused_streak;

	struct model_reader readers[MODEL_READERS];
	struct model_release releases[MODEL_RELEASES];
	uint32_t release_count;
	struct model_grace graces[MODEL_GRACES]; /**< ring of the newest grace periods */
	uint64_t grace_count;
	struct model_memory *views[MODEL_VIEWS]; /**< views of ended registrations */
	uint32_t view_count;
};

#endif
