/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/wheel.h"

#include "base/assert.h"

static_assert((WHEEL_SLOTS & (WHEEL_SLOTS - 1)) == 0, "slots are found by a mask");

void
wheel_init(struct wheel *wheel, uint64_t now_ns)
{
	wheel->tick = now_ns >> WHEEL_TICK_SHIFT;
	wheel->armed = 0;
	for (uint32_t i = 0; i < WHEEL_SLOTS; i++)
		base_list_init(&wheel->slots[i]);
}

void
wheel_entry_init(struct wheel_entry *entry)
{
	base_list_init(&entry->node);
	entry->deadline_ns = BASE_TIME_NEVER;
}

void
wheel_disarm(struct wheel *wheel, struct wheel_entry *entry)
{
	if (entry->deadline_ns == BASE_TIME_NEVER)
		return;
	base_list_remove(&entry->node);
	entry->deadline_ns = BASE_TIME_NEVER;
	wheel->armed--;
}

void
wheel_arm(struct wheel *wheel, struct wheel_entry *entry, uint64_t deadline_ns)
{
	uint64_t tick = deadline_ns >> WHEEL_TICK_SHIFT;

	if (deadline_ns >= entry->deadline_ns)
		return;
	wheel_disarm(wheel, entry);
	/* An overdue deadline goes into the slot that is looked at next. */
	if (tick < wheel->tick)
		tick = wheel->tick;
	entry->deadline_ns = deadline_ns;
	base_list_append(&wheel->slots[tick & (WHEEL_SLOTS - 1)], &entry->node);
	wheel->armed++;
}

static struct wheel_entry *
slot_due(struct base_list *slot, uint64_t now_ns)
{
	struct base_list *node;

	BASE_LIST_FOREACH (node, slot) {
		struct wheel_entry *entry = base_list_entry(node, struct wheel_entry, node);

		if (entry->deadline_ns <= now_ns)
			return entry;
	}
	return NULL;
}

struct wheel_entry *
wheel_expire(struct wheel *wheel, uint64_t now_ns)
{
	uint64_t now_tick = now_ns >> WHEEL_TICK_SHIFT;

	if (wheel->armed == 0 || now_tick < wheel->tick) {
		if (now_tick > wheel->tick)
			wheel->tick = now_tick;
		return NULL;
	}
	/* After a long pause one turn sees every slot. */
	if (now_tick - wheel->tick >= WHEEL_SLOTS)
		wheel->tick = now_tick - (WHEEL_SLOTS - 1);
	for (;;) {
		struct base_list *slot = &wheel->slots[wheel->tick & (WHEEL_SLOTS - 1)];
		struct wheel_entry *entry = slot_due(slot, now_ns);

		if (entry != NULL) {
			wheel_disarm(wheel, entry);
			return entry;
		}
		/* The current tick is not over: it is looked at again next time. */
		if (wheel->tick == now_tick)
			return NULL;
		wheel->tick++;
	}
}

uint64_t
wheel_next_ns(const struct wheel *wheel)
{
	uint64_t next_ns = BASE_TIME_NEVER;
	uint32_t seen = 0;

	/*
	 * Slots in order of time. A slot may hold deadlines of later turns of the wheel: the search
	 * ends when the earliest deadline found is in the slot looked at or before it.
	 */
	for (uint64_t tick = wheel->tick; seen < wheel->armed; tick++) {
		struct base_list *node;

		BASE_LIST_FOREACH (node, &wheel->slots[tick & (WHEEL_SLOTS - 1)]) {
			const struct wheel_entry *entry =
				base_list_entry(node, struct wheel_entry, node);

			seen++;
			if (entry->deadline_ns < next_ns)
				next_ns = entry->deadline_ns;
		}
		if (next_ns >> WHEEL_TICK_SHIFT <= tick)
			break;
	}
	return next_ns;
}
