/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/wheel.h"

#include <rte_common.h>

#include "base/assert.h"

/* @return number of the slot, counted from time 0, that contains this tick in this level */
static uint64_t
slot_number(uint64_t tick, uint32_t level)
{
	return tick >> (level * WHEEL_SLOT_BITS);
}

static struct base_list *
slot_of(struct wheel *wheel, uint64_t tick, uint32_t level)
{
	return &wheel->slots[level][slot_number(tick, level) % WHEEL_SLOTS];
}

void
wheel_init(struct wheel *wheel, uint64_t now_ns)
{
	wheel->tick = now_ns >> WHEEL_TICK_SHIFT;
	wheel->armed = 0;
	for (uint32_t level = 0; level < WHEEL_LEVELS; level++) {
		wheel->counts[level] = 0;
		for (uint32_t i = 0; i < WHEEL_SLOTS; i++)
			base_list_init(&wheel->slots[level][i]);
	}
}

void
wheel_entry_init(struct wheel_entry *entry)
{
	base_list_init(&entry->node);
	entry->deadline_ns = BASE_TIME_NEVER;
}

/*
 * Put an entry into the lowest level that can hold its deadline. Above level 0, the time of the
 * chosen slot has not begun yet. An expired deadline goes into the slot that is checked next.
 */
static void
place(struct wheel *wheel, struct wheel_entry *entry)
{
	uint64_t tick = RTE_MAX(entry->deadline_ns >> WHEEL_TICK_SHIFT, wheel->tick);
	uint32_t level = 0;

	while (slot_number(tick, level) - slot_number(wheel->tick, level) >= WHEEL_SLOTS) {
		if (++level < WHEEL_LEVELS)
			continue;
		/*
		 * The deadline is beyond the last level: use the last slot. When the wheel reaches
		 * this slot, the entry is placed again.
		 */
		level--;
		tick = wheel->tick + ((uint64_t)(WHEEL_SLOTS - 1) << (level * WHEEL_SLOT_BITS));
	}
	entry->level = level;
	base_list_append(slot_of(wheel, tick, level), &entry->node);
	wheel->counts[level]++;
}

static void
take(struct wheel *wheel, struct wheel_entry *entry)
{
	base_list_remove(&entry->node);
	wheel->counts[entry->level]--;
}

void
wheel_disarm(struct wheel *wheel, struct wheel_entry *entry)
{
	if (entry->deadline_ns == BASE_TIME_NEVER)
		return;
	take(wheel, entry);
	entry->deadline_ns = BASE_TIME_NEVER;
	wheel->armed--;
}

bool
wheel_arm(struct wheel *wheel, struct wheel_entry *entry, uint64_t deadline_ns)
{
	if (deadline_ns >= entry->deadline_ns)
		return false;
	wheel_disarm(wheel, entry);
	entry->deadline_ns = deadline_ns;
	place(wheel, entry);
	wheel->armed++;
	return true;
}

/*
 * @return an entry that must move to a lower level, because the time of its slot begins with the
 * current tick; NULL: none
 */
static struct wheel_entry *
entry_to_move(struct wheel *wheel)
{
	for (uint32_t level = 1; level < WHEEL_LEVELS; level++) {
		struct base_list *slot = slot_of(wheel, wheel->tick, level);

		if (slot_number(wheel->tick, level) << (level * WHEEL_SLOT_BITS) != wheel->tick)
			return NULL;
		if (!base_list_empty(slot))
			return base_list_entry(base_list_first(slot), struct wheel_entry, node);
	}
	return NULL;
}

static struct wheel_entry *
entry_due(struct wheel *wheel, uint64_t now_ns)
{
	struct base_list *node;

	BASE_LIST_FOREACH (node, slot_of(wheel, wheel->tick, 0)) {
		struct wheel_entry *entry = base_list_entry(node, struct wheel_entry, node);

		if (entry->deadline_ns <= now_ns)
			return entry;
	}
	return NULL;
}

/* @return the next tick that may have work, but at most now_tick */
static uint64_t
tick_after(const struct wheel *wheel, uint64_t now_tick)
{
	uint64_t slot_ticks = 1;

	for (uint32_t level = 0; level + 1 < WHEEL_LEVELS && wheel->counts[level] == 0; level++)
		slot_ticks <<= WHEEL_SLOT_BITS;
	return RTE_MIN((wheel->tick | (slot_ticks - 1)) + 1, now_tick);
}

/*
 * Slow path of wheel_expire(), if the wheel has entries. Not inlined, because in most turns of an
 * idle engine the wheel has none.
 */
static __rte_noinline struct wheel_entry *
advance(struct wheel *wheel, uint64_t now_ns)
{
	uint64_t now_tick = now_ns >> WHEEL_TICK_SHIFT;
	uint32_t moves = 0;

	for (;;) {
		struct wheel_entry *entry;

		while ((entry = entry_to_move(wheel)) != NULL) {
			if (moves++ == WHEEL_MOVES)
				return NULL;
			take(wheel, entry);
			place(wheel, entry);
		}
		entry = entry_due(wheel, now_ns);
		if (entry != NULL) {
			wheel_disarm(wheel, entry);
			return entry;
		}
		/* The current tick has not ended, so the next call must check it again. */
		if (wheel->tick == now_tick)
			return NULL;
		wheel->tick = tick_after(wheel, now_tick);
	}
}

struct wheel_entry *
wheel_expire(struct wheel *wheel, uint64_t now_ns)
{
	uint64_t now_tick = now_ns >> WHEEL_TICK_SHIFT;

	if (now_tick < wheel->tick)
		return NULL;
	if (wheel->armed != 0)
		return advance(wheel, now_ns);
	wheel->tick = now_tick;
	return NULL;
}

static uint64_t
slot_earliest_ns(const struct base_list *slot)
{
	uint64_t earliest_ns = BASE_TIME_NEVER;
	struct base_list *node;

	BASE_LIST_FOREACH (node, slot)
		earliest_ns = RTE_MIN(
			earliest_ns, base_list_entry(node, struct wheel_entry, node)->deadline_ns);
	return earliest_ns;
}

uint64_t
wheel_due_ns(struct wheel *wheel)
{
	if (wheel->armed == 0)
		return BASE_TIME_NEVER;
	if (entry_to_move(wheel) != NULL)
		return 0;
	/*
	 * The current tick has not ended: its slot contains the entries that expire later in the
	 * tick.
	 */
	if (!base_list_empty(slot_of(wheel, wheel->tick, 0)))
		return slot_earliest_ns(slot_of(wheel, wheel->tick, 0));
	return tick_after(wheel, UINT64_MAX) << WHEEL_TICK_SHIFT;
}

uint64_t
wheel_next_ns(const struct wheel *wheel)
{
	uint64_t next_ns = BASE_TIME_NEVER;

	/*
	 * In each level, search the slots in time order: the first slot with entries has the
	 * earliest deadline of the level.
	 */
	for (uint32_t level = 0; level < WHEEL_LEVELS; level++) {
		uint64_t number = slot_number(wheel->tick, level);
		uint64_t level_ns = BASE_TIME_NEVER;

		if (wheel->counts[level] == 0)
			continue;
		for (uint32_t i = 0; i < WHEEL_SLOTS && level_ns == BASE_TIME_NEVER; i++)
			level_ns =
				slot_earliest_ns(&wheel->slots[level][(number + i) % WHEEL_SLOTS]);
		next_ns = RTE_MIN(next_ns, level_ns);
	}
	return next_ns;
}
