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
 * stamp (a number). The stamp determines its base address, its owner and all words of its memory. A
 * reader learns of a registration or a bind only from a word with stamp and key on a shared board.
 * The word is written and read with relaxed order, as if it came from a peer. Therefore the
 * accesses of a reader to the fields of a key are ordered only by the index, and not by the test.
 */

#define ARENA_READERS     2u
#define ARENA_WRITERS     3u
#define ARENA_NOTICES     4u /* per writer: one region and three windows */
#define ARENA_WORDS       96u
#define ARENA_BYTES       (ARENA_WORDS * 4u)
#define ARENA_REGION      0u /* number of the region's notice; the other notices are windows */
#define ARENA_POISON_WORD UINT32_C(0xdeadbeef)

struct arena_notice {
	uint64_t name;             /**< stamp << 32 | key. 0: no key is published. Atomic. */
	struct mem_region *region; /**< Atomic. May belong to another registration than name. */
};

/**
 * An operation that several writers try at the same time. Exactly one of them must succeed (win).
 */
struct arena_duel {
	struct mem_window *window;
	struct mem_region *region;
	uint32_t key;
	uint32_t owner;
	uint64_t base;
	uint64_t release;    /**< token of a deregistration; the winner sets it */
	uint32_t wins;       /**< number of writers that succeeded; atomic */
	uint32_t other_wins; /**< number of binds that prevent a deregistration; atomic */
};

struct arena {
	struct mem_domain *domain;
	struct arena_notice board[ARENA_WRITERS][ARENA_NOTICES];
	struct arena_duel duels[2]; /**< index: round % 2, for this round and the next */
	const char *complaint; /**< first error that a thread reported; NULL: no error. Atomic. */
	uint32_t stop;         /**< 1: readers end; atomic */
	uint32_t last_round;   /**< number of the last round of the writers; atomic */
	uint64_t accepted;     /**< number of allowed accesses by key; atomic */
	uint64_t held; /**< number of spans that were read again after other threads ran; atomic */
	uint64_t copied;        /**< number of successful copies by scatter/gather lists; atomic */
	uint64_t fought;        /**< number of duels; atomic */
	uint64_t waited;        /**< number of releases that had to wait for readers; atomic */
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

/* The base leaves 16 bits of addresses for a registration. An owner is below 2^24. */

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

/** @return first address of the window of a notice; the window covers a third of the region */
static inline uint64_t
arena_window_start(uint32_t stamp, uint32_t notice)
{
	return arena_base(stamp) + (notice - 1) * (ARENA_BYTES / 3);
}

/** Argument of the thread function arena_reader_run(). */
struct arena_reader {
	struct arena *arena;
	uint32_t id;
};

void *arena_reader_run(void *argument);

/** Argument of the thread function arena_writer_run(). */
struct arena_writer {
	struct arena *arena;
	uint32_t id;
	uint64_t end_ns; /**< end of the test, ns of CLOCK_MONOTONIC */
};

void *arena_writer_run(void *argument);

#endif
