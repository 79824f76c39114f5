/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_WHEEL_H
#define NDPDK_ENGINE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/encoded_time.h"
#include "base/list.h"

/*
 * Deadlines of many queue pairs, in virtual or real time: a hierarchical timing wheel (Varghese and
 * Lauck, 1987). A slot of the lowest level is one tick; a slot of a higher level is one full
 * revolution of the level below. When the time of a higher slot begins, its entries move to lower
 * levels. So arming and disarming cost one list operation, and an entry is touched once per level.
 *
 * Many entries may be in one slot, because many queue pairs have sent at the same time. A call
 * moves at most WHEEL_MOVES of them. While more are left, deadlines fire late, but packets are not
 * delayed.
 *
 * If a deadline moves to a later time, as that of a queue pair does with every acknowledgement, its
 * owner leaves the entry in place. When the entry fires, the owner compares the deadline and arms
 * the entry again (qps.c). Only an earlier deadline moves the entry.
 */

/** One tick is 16.4 us. An RNR wait may last one tick longer than requested, but never shorter. */
#define WHEEL_TICK_SHIFT 14
#define WHEEL_TICK_NS    (UINT64_C(1) << WHEEL_TICK_SHIFT)
#define WHEEL_SLOT_BITS  8
#define WHEEL_SLOTS      (1u << WHEEL_SLOT_BITS) /**< slots per level */
/** One revolution of each level takes 4.2 ms, 1.1 s, 275 s, 19.5 h. No deadline is farther away. */
#define WHEEL_LEVELS     4
#define WHEEL_MOVES      64

struct wheel_entry {
	struct base_list node;
	uint64_t deadline_ns; /**< BASE_TIME_NEVER: not armed */
	uint32_t level;       /**< level of the slot that contains the entry, if armed */
};

struct wheel {
	uint64_t tick; /**< current tick; all entries of earlier ticks have fired */
	uint32_t armed;
	uint32_t counts[WHEEL_LEVELS]; /**< entries in each level */
	struct base_list slots[WHEEL_LEVELS][WHEEL_SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now_ns);

void wheel_entry_init(struct wheel_entry *entry);

/**
 * Arm the entry for deadline_ns. An entry that is already armed for an earlier time stays
 * unchanged. BASE_TIME_NEVER has no effect.
 * @return whether the entry was armed for deadline_ns; if so, wheel_due_ns() may have changed
 */
bool wheel_arm(struct wheel *wheel, struct wheel_entry *entry, uint64_t deadline_ns);

/** @return time since the last call of wheel_expire(), in nanoseconds */
static inline uint64_t
wheel_rested_ns(const struct wheel *wheel, uint64_t now_ns)
{
	uint64_t then_ns = wheel->tick << WHEEL_TICK_SHIFT;

	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/** Disarm the entry, if it is armed. */
void wheel_disarm(struct wheel *wheel, struct wheel_entry *entry);

/**
 * Remove one expired entry. Call this repeatedly until it returns NULL, and again in the next turn.
 * @return an expired entry, now disarmed; NULL: no entry is expired, or WHEEL_MOVES entries were
 *         moved
 */
struct wheel_entry *wheel_expire(struct wheel *wheel, uint64_t now_ns);

/**
 * Return when the wheel has work again. Call this after the wheel_expire() that returned NULL.
 * @return time at which wheel_expire() has work: never later than the earliest deadline, and exact
 *         in the tick of that deadline; BASE_TIME_NEVER: no entry is armed
 */
uint64_t wheel_due_ns(struct wheel *wheel);

/**
 * @return earliest deadline; BASE_TIME_NEVER: no entry is armed. The call searches all slots, so it
 * is for simulation and not for each poll.
 */
uint64_t wheel_next_ns(const struct wheel *wheel);

#endif
