/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MEM_ENGINES_H
#define NDPDK_UNIT_MEM_ENGINES_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "mem/fast.h"
#include "mem_arena.h"

/*
 * Engine threads and control threads use one index, which has a partition for each engine. As in
 * mem_arena.h, each registration has a stamp, which determines its addresses and the words of its
 * memory. A thread learns a key from a word that contains stamp and key, and reads this word with
 * relaxed order. A window belongs to one engine. The engine binds the window and offers it to all
 * threads. Then either the engine takes the window back and invalidates it, or a control thread
 * takes the window and destroys it. So each thread knows what its call must return. Control threads
 * invalidate all windows of a region at any time.
 */

#define ENGINES         4u
#define ENGINE_WINDOWS  8u
#define ENGINE_SHARED   2u /* number of windows per engine that any owner can use */
/* number of owners per engine; the window number selects the owner and the range */
#define ENGINE_OWNERS   3u
/* number of pages in the fast region of an engine; each registration uses the next page */
#define ENGINES_PAGES   8u
#define CONTROLS        2u
#define CONTROL_REGIONS 2u /* regions per control thread */
#define ENGINES_REGIONS (CONTROLS * CONTROL_REGIONS)

enum engines_state {
	ENGINES_FREE, /**< not bound; the engine may bind the window */
	/** bound; the thread that changes this state may invalidate or destroy the window */
	ENGINES_OFFERED,
	ENGINES_TAKEN, /**< a control thread has taken the window */
};

struct engines_window {
	/** stamp << 32 | key. 0: not bound. The members name and state are atomic. */
	uint64_t name;
	struct mem_window *window;
	uint32_t state;
};

struct engines_fast {
	struct mem_region *region;
	uint64_t name; /**< stamp << 32 | key of the current registration. 0: none. Atomic. */
	alignas(MEM_PAGE_BYTES) uint32_t pages[ENGINES_PAGES][MEM_PAGE_BYTES / 4];
};

struct engines {
	struct arena arena; /**< holds the domain, the first reported error and the stamps */
	struct arena_notice regions[ENGINES_REGIONS];
	struct engines_window windows[ENGINES][ENGINE_WINDOWS];
	struct engines_fast fasts[ENGINES];
	/** Stamp and key of the access in progress; 0: none. Atomic. */
	uint64_t reads[ENGINES];
	/** 1: control threads or engine threads must end; atomic */
	uint32_t stop_controls, stop_engines;
	/* Counters of events; atomic. */
	uint64_t binds, accesses, ended_by_engine, ended_by_control, destroyed, registered, busy;
	uint64_t closed, grace_waited, lists;
};

struct engines_thread {
	struct engines *engines;
	uint32_t id;
	uint64_t noise; /**< state of the random generator of engines_below() */
};

static inline uint32_t
engines_below(struct engines_thread *thread, uint32_t bound)
{
	thread->noise =
		thread->noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(thread->noise >> 33) % bound;
}

static inline void
engines_expect(struct engines *engines, bool holds, const char *text)
{
	if (!holds)
		arena_complain(&engines->arena, text);
}

/**
 * @return owner of a window; each of the ENGINE_OWNERS owners of an engine stands for a queue pair
 */
static inline uint32_t
engines_owner(uint32_t engine, uint32_t number)
{
	return 0x800 + number % ENGINE_OWNERS * ENGINES + engine;
}

/** @return first address of a window; all windows of one owner have the same range */
static inline uint64_t
engines_window_start(uint64_t name, uint32_t number)
{
	return arena_window_start((uint32_t)(name >> 32), 1 + number % ENGINE_OWNERS);
}

static inline uint64_t
engines_name(uint32_t stamp, uint32_t key)
{
	return (uint64_t)stamp << 32 | key;
}

/** Fail if an engine reads with this key. Call this after the grace period of the invalidation. */
static inline void
engines_unread(struct engines *engines, uint64_t name)
{
	for (uint32_t i = 0; i < ENGINES; i++)
		engines_expect(engines,
			__atomic_load_n(&engines->reads[i], __ATOMIC_RELAXED) != name,
			"an engine reads by a key after its grace period");
}

void *engines_engine_run(void *argument);
void *engines_control_run(void *argument);

void engines_region_open(struct engines *engines, uint32_t number);
/** Deregister a region. Frees its memory after all windows have ended and all readers have left. */
void engines_region_close(struct engines *engines, uint32_t number);

#endif
