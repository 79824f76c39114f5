/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_WHEEL_H
#define NDPDK_ENGINE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/encoded_time.h"
#include "base/list.h"

/*
 * Deadlines of many queue pairs, over virtual or real time: a hierarchical timing wheel (Varghese
 * and Lauck, 1987). A slot of the lowest level is one tick, a slot of each further level one turn
 * of the level below. When the time of such a slot begins, its entries move to lower levels. So
 * arming and disarming cost a list operation, and an entry is touched once for each level and not
 * while it waits.
 *
 * Many entries may be in one slot, because many queue pairs have sent at the same time. A call
 * moves at most WHEEL_MOVES of them; deadlines fire late while more are left, and packets do not
 * wait.
 *
 * An owner whose deadline moves away, as that of a queue pair does with every acknowledgement,
 * leaves its entry where it is: when the entry fires, the owner compares its deadline and arms the
 * entry again (qps.c). Only a nearer deadline moves it.
 */

#define WHEEL_TICK_SHIFT 14 /**< 16.4 us: RNR waits may be that much longer, never shorter */
#define WHEEL_TICK_NS    (UINT64_C(1) << WHEEL_TICK_SHIFT)
#define WHEEL_SLOT_BITS  8
#define WHEEL_SLOTS      (1u << WHEEL_SLOT_BITS) /**< of each level */
#define WHEEL_LEVELS     4 /**< turns of 4.2 ms, 1.1 s, 275 s, 19.5 h: no queue pair waits longer */
#define WHEEL_MOVES      64

struct wheel_entry {
	struct base_list node;
	uint64_t deadline_ns; /**< BASE_TIME_NEVER when not armed */
	uint32_t level;       /**< of its slot, when armed */
};

struct wheel {
	uint64_t tick;                 /**< slots before it have fired */
	uint32_t armed;                /**< entries in the wheel */
	uint32_t counts[WHEEL_LEVELS]; /**< of them, in each level */
	struct base_list slots[WHEEL_LEVELS][WHEEL_SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now_ns);

/** Prepare an entry before its first use. */
void wheel_entry_init(struct wheel_entry *entry);

/**
 * Let the entry fire at deadline_ns or, when it is armed for an earlier time, leave it.
 * BASE_TIME_NEVER has no effect.
 * @return whether it is armed for this time: wheel_due_ns() may have changed
 */
bool wheel_arm(struct wheel *wheel, struct wheel_entry *entry, uint64_t deadline_ns);

/** @return for how long wheel_expire() has not been called, or had nothing to do */
static inline uint64_t
wheel_rested_ns(const struct wheel *wheel, uint64_t now_ns)
{
	uint64_t then_ns = wheel->tick << WHEEL_TICK_SHIFT;

	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/** Take the entry out, if it is in. */
void wheel_disarm(struct wheel *wheel, struct wheel_entry *entry);

/**
 * Take one entry that is due.
 * @return an entry, disarmed, or NULL when none is due any more, or WHEEL_MOVES entries have been
 *         moved: call until then, and again in the next turn
 */
struct wheel_entry *wheel_expire(struct wheel *wheel, uint64_t now_ns);

/**
 * Asked behind the last wheel_expire() of a turn, which returned NULL.
 * @return when wheel_expire() has something to do: never later than the earliest deadline, which it
 *         is in the tick of that; BASE_TIME_NEVER when nothing is armed
 */
uint64_t wheel_due_ns(struct wheel *wheel);

/**
 * @return earliest deadline armed, BASE_TIME_NEVER when none. Searches the slots: for simulation,
 *         not per poll.
 */
uint64_t wheel_next_ns(const struct wheel *wheel);

#endif
