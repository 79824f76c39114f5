/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_MEM_ARENA_H
#define NDPDK_UNIT_MEM_ARENA_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"

/*
 * Shared by the readers and writers of the concurrent test. Each registration has a unique stamp.
 * The stamp determines its base address, its owner and all words of its memory. A reader learns of
 * a registration or a bind only from a word with stamp and key on a shared board. The word is
 * written and read with relaxed order, as if it came from a peer. Therefore only the index, and not
 * the test, orders the accesses of a reader to the fields of a key.
 */

#define ARENA_READERS     2u
#define ARENA_WRITERS     3u
#define ARENA_NOTICES     4u /* per writer: one region, and windows */
#define ARENA_WORDS       96u
#define ARENA_BYTES       (ARENA_WORDS * 4u)
#define ARENA_REGION      0u /* notice of the region; the other notices are windows */
#define ARENA_POISON_WORD UINT32_C(0xdeadbeef)

struct arena_notice {
	uint64_t name;             /**< stamp << 32   key; 0: none. Atomic. */
	struct mem_region *region; /**< Atomic; may belong to another stamp than name. */
};

/** An operation that several writers try at once, and that exactly one of them wins. */
struct arena_duel {
	struct mem_window *window;
	struct mem_region *region;
	uint32_t key;
	uint32_t owner;
	uint64_t base;
	uint64_t release;    /**< token of a deregistration; written by the winner */
	uint32_t wins;       /**< number of writers that won; atomic */
	uint32_t other_wins; /**< binds that prevent a deregistration; atomic */
};

struct arena {
	struct mem_domain *domain;
	struct arena_notice board[ARENA_WRITERS][ARENA_NOTICES];
	struct arena_duel
		duels[2];       /**< index: round % 2; one may be settled while next is offered */
	const char *complaint;  /**< first complaint; NULL: none. Atomic. */
	uint32_t stop;          /**< 1: readers end; atomic */
	uint32_t last_round;    /**< last round of the writers; atomic */
	uint64_t accepted;      /**< allowed accesses by key; atomic */
	uint64_t held;          /**< spans read again after other threads ran; atomic */
	uint64_t copied;        /**< successful copies by scatter/gather lists; atomic */
	uint64_t fought;        /**< number of duels; atomic */
	uint64_t waited;        /**< releases with a wait for readers; atomic */
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

/* A registration may use 16 bits of addresses after its base; an owner is below 2^24. */

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

/** First address of the window of a notice, which covers a third of the region. */
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
