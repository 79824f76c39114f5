/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MEM_ARENA_H
#define NDPDK_UNIT_MEM_ARENA_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"

/*
 * State that the readers and writers of the concurrent test share. Each registration has a unique
 * number, the stamp. The stamp determines the base address, the owner and all words of the region's
 * memory. A reader learns a key only from a word on a shared board that contains stamp and key. The
 * word is written and read with relaxed order, as if it came from a peer. Therefore the index of
 * the keys must order the accesses of a reader to the fields of a key. The test does not order
 * them.
 */

#define ARENA_READERS     2u
#define ARENA_WRITERS     3u
/* notices (published keys) per writer: one region and three windows */
#define ARENA_NOTICES     4u
#define ARENA_WORDS       96u
#define ARENA_BYTES       (ARENA_WORDS * 4u)
/* number of the notice with the region's key; the other notices have keys of windows */
#define ARENA_REGION      0u
#define ARENA_POISON_WORD UINT32_C(0xdeadbeef)

struct arena_notice {
	uint64_t name; /**< stamp << 32 | key. 0: no key is published. Atomic. */
	/** Atomic. The registration of `name` may be older or newer. */
	struct mem_region *region;
};

/** An operation that several writers try at the same time. Exactly one writer must succeed. */
struct arena_duel {
	struct mem_window *window;
	struct mem_region *region;
	uint32_t key;
	uint32_t owner;
	uint64_t base;
	uint64_t release; /**< token of a deregistration; set by the writer that succeeded */
	uint32_t wins;    /**< number of writers that succeeded; atomic */
	/** number of successful binds; each bind excludes the deregistration; atomic */
	uint32_t other_wins;
};

struct arena {
	struct mem_domain *domain;
	struct arena_notice board[ARENA_WRITERS][ARENA_NOTICES];
	/** duels of this round and of the next round; the index is round % 2 */
	struct arena_duel duels[2];
	const char *complaint; /**< first error that a thread reported; NULL: no error. Atomic. */
	uint32_t stop;         /**< 1: readers end; atomic */
	uint32_t last_round;   /**< number of the last round of the writers; atomic */
	uint64_t accepted;     /**< number of accepted accesses by key; atomic */
	/** number of spans that a reader read a second time, after other threads ran; atomic */
	uint64_t held;
	/** number of successful copies with scatter/gather lists; atomic */
	uint64_t copied;
	uint64_t fought; /**< number of duels; atomic */
	/** number of regions whose release had to wait for readers; atomic */
	uint64_t waited;
	uint32_t stamps;        /**< number of stamps issued; atomic */
	uint32_t arrived, turn; /**< state of the barrier; atomic */
};

static inline void
arena_complain(struct arena *arena, const char *text)
{
	const char *none = NULL;

	(void)__atomic_compare_exchange_n(
		&arena->complaint, &none, text, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static inline void
arena_count(uint64_t *counter)
{
	(void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/*
 * The 16 low bits of the base are left for addresses in the region. The owner must be below 2^24.
 */

static inline uint64_t
arena_base(uint32_t stamp)
{
	return (uint64_t)stamp << 16;
}

static inline uint32_t
arena_owner(uint32_t stamp)
{
	return 0x800000 | (stamp & 0x7fffff);
}

/** @return first address of the window with this notice; a window covers a third of the region */
static inline uint64_t
arena_window_start(uint32_t stamp, uint32_t notice)
{
	return arena_base(stamp) + (notice - 1) * (ARENA_BYTES / 3);
}

struct arena_reader {
	struct arena *arena;
	uint32_t id;
};

void *arena_reader_run(void *argument);

struct arena_writer {
	struct arena *arena;
	uint32_t id;
	uint64_t end_ns; /**< end of the test, ns of CLOCK_MONOTONIC */
};

void *arena_writer_run(void *argument);

#endif
