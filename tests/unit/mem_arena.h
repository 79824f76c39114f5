/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MEM_ARENA_H
#define NDPDK_UNIT_MEM_ARENA_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"

/*
 * What readers and writers of the concurrent test share. Every registration has a stamp, a number
 * that no other has; base address, owner and every word of the memory follow from it. What readers
 * know of a registration or a bind is one word, stamp and key, on a board. It is written and read
 * without any order, as if it came from a peer: what a reader finds behind a key it sees by the
 * order that the index makes, and not by that of the test.
 */

#define ARENA_READERS     2u
#define ARENA_WRITERS     3u
#define ARENA_NOTICES     4u /* per writer: the region, and windows */
#define ARENA_WORDS       96u
#define ARENA_BYTES       (ARENA_WORDS * 4u)
#define ARENA_REGION      0u /* notice of the region; others are of windows */
#define ARENA_POISON_WORD UINT32_C(0xdeadbeef)

struct arena_notice {
	uint64_t name;             /**< stamp << 32 | key; 0: none; atomic */
	struct mem_region *region; /**< atomic; may be of another stamp */
};

/** Something that several writers do at once, and that one of them wins. */
struct arena_duel {
	struct mem_window *window;
	struct mem_region *region;
	uint32_t key;
	uint32_t owner;
	uint64_t base;
	uint64_t release;    /**< of a deregistration; written by the winner */
	uint32_t wins;       /**< atomic */
	uint32_t other_wins; /**< atomic */
};

struct arena {
	struct mem_domain *domain;
	struct arena_notice board[ARENA_WRITERS][ARENA_NOTICES];
	struct arena_duel
		duels[2];       /**< by round: one may be settled while the next one is offered */
	const char *complaint;  /**< atomic; the first one */
	uint32_t stop;          /**< atomic */
	uint32_t last_round;    /**< writers end behind it; atomic */
	uint64_t accepted;      /**< atomic */
	uint64_t held;          /**< atomic; spans used again after others ran */
	uint64_t copied;        /**< atomic; by lists */
	uint64_t fought;        /**< atomic; duels */
	uint64_t waited;        /**< atomic; releases that were not over at once */
	uint32_t stamps;        /**< atomic; given out */
	uint32_t arrived, turn; /**< of the barrier; atomic */
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

/* A registration has room for 16 bits behind its base, and an owner below 2^24. */

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

/** Windows of a region by their notice: a third of it each. */
static inline uint64_t
arena_window_start(uint32_t stamp, uint32_t notice)
{
	return arena_base(stamp) + (notice - 1) * (ARENA_BYTES / 3);
}

/** Body of a reader thread; the argument is a struct arena_reader. */
struct arena_reader {
	struct arena *arena;
	uint32_t id;
};

void *arena_reader_run(void *argument);

/** Body of a writer thread; the argument is a struct arena_writer. */
struct arena_writer {
	struct arena *arena;
	uint32_t id;
	uint64_t end_ns; /**< CLOCK_MONOTONIC */
};

void *arena_writer_run(void *argument);

#endif
