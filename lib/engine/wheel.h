/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_WHEEL_H
#define NDPDK_ENGINE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/encoded_time.h"
#include "base/list.h"

/*
 * Deadlines of many queue pairs: a hashed wheel over virtual or real time. Arming and disarming
 * cost a list operation; a deadline further away than one turn waits in its slot for more turns.
 *
 * An owner whose deadline moves away, as that of a queue pair does with every acknowledgement,
 * leaves its entry where it is: when the entry fires, the owner compares its deadline and arms the
 * entry again (qps.c). Only a nearer deadline moves it.
 */

#define WHEEL_TICK_SHIFT 14 /**< 16.4 us: RNR waits may be that much longer, never shorter */
#define WHEEL_TICK_NS    (UINT64_C(1) << WHEEL_TICK_SHIFT)
#define WHEEL_SLOTS      4096 /**< one turn is 67 ms */

struct wheel_entry {
	struct base_list node;
	uint64_t deadline_ns; /**< BASE_TIME_NEVER when not armed */
};

struct wheel {
	uint64_t tick;  /**< slots before it have fired */
	uint32_t armed; /**< entries in the wheel */
	struct base_list slots[WHEEL_SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now_ns);

/** Prepare an entry before its first use. */
void wheel_entry_init(struct wheel_entry *entry);

/**
 * Let the entry fire at deadline_ns or, when it is armed for an earlier time, leave it.
 * BASE_TIME_NEVER has no effect.
 */
void wheel_arm(struct wheel *wheel, struct wheel_entry *entry, uint64_t deadline_ns);

/** Take the entry out, if it is in. */
void wheel_disarm(struct wheel *wheel, struct wheel_entry *entry);

/**
 * Take one entry that is due.
 * @return an entry, disarmed, or NULL when none is due any more: call until then
 */
struct wheel_entry *wheel_expire(struct wheel *wheel, uint64_t now_ns);

/**
 * @return earliest deadline armed, BASE_TIME_NEVER when none. Walks the wheel: for simulation, not
 *         per poll.
 */
uint64_t wheel_next_ns(const struct wheel *wheel);

#endif
