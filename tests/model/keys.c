/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model.h"

/* Keys of the index: unlike each other, in slots that rested long enough. */

#define REST_SLOTS_MAX 65536u /* keys before a slot comes again, SEC-002 */

static uint32_t
rest_min(uint32_t slots)
{
	return RTE_MIN(slots / 4, REST_SLOTS_MAX);
}

void
model_key_issued(struct model *m, uint32_t key)
{
	uint32_t index = key >> 8;
	struct mem_domain_stats stats;
	struct model_slot *slot;

	/* The call that issued it may have made the table grow. */
	mem_domain_stats(m->domain, &stats);
	MODEL_EXPECT(
		m, index > 0 && index < stats.key_slots, true, "slot of the key is in the table");
	MODEL_EXPECT(m, index < MODEL_KEY_SLOTS, true, "table within its maximum");
	slot = &m->slots[index];
	MODEL_EXPECT(m, slot->used, false, "slot is used twice");
	MODEL_EXPECT(m, key != slot->last_key, true, "key differs from the last of its slot");
	if (slot->died_clock != 0) {
		MODEL_EXPECT(m, m->death_count - slot->died_before - 1 >= slot->died_resting, true,
			"slot rested behind enough others");
		MODEL_EXPECT(m, model_readers_passed(m, slot->died_clock), true,
			"slot rested until readers were quiescent");
	}
	m->refused_streak = 0;
	slot->used = true;
	slot->last_key = key;
	m->old_keys[m->old_count++ % MODEL_OLD_KEYS] = key;
}

uint64_t
model_deaths_begin(struct model *m)
{
	m->clock++;
	return m->death_count;
}

void
model_key_died(struct model *m, uint32_t key, uint64_t deaths_before)
{
	struct model_slot *slot = &m->slots[key >> 8];

	slot->used = false;
	slot->died_clock = m->clock;
	slot->died_before = deaths_before;
	slot->died_resting = rest_min(m->key_slots);
	m->death_count++;
}

void
model_key_refused(struct model *m)
{
	struct mem_domain_stats stats;

	mem_domain_stats(m->domain, &stats);
	MODEL_EXPECT(m, stats.key_slots_used + stats.key_slots_resting, stats.key_slots - 1,
		"slots used or resting when there is no key");
	m->counts->keys_exhausted++;
	if (stats.key_slots_resting <= rest_min(stats.key_slots)) {
		m->refused_streak = 0;
		return;
	}
	/*
	 * More rest than have to. All that rested when the index refused may be used when the
	 * readers have reported after that.
	 */
	if (m->refused_streak == 0 || model_readers_passed(m, m->refused_clock)) {
		MODEL_EXPECT(m, m->refused_streak < 2, true,
			"slots have rested, readers have reported, and no key comes");
		m->refused_streak++;
		m->refused_clock = ++m->clock;
	}
}

/** @return a key that was issued lately, dead or alive. */
static uint32_t
issued_key(struct model *m)
{
	uint32_t first = model_below(m, m->window_slots), kind = model_below(m, 16);

	for (uint32_t i = 0; i < m->region_slots && kind < 3; i++) {
		const struct model_region *region = &m->regions[(first + i) % m->region_slots];

		if (region->fast.live.key != 0)
			return region->fast.live.key;
	}
	if (kind < 9) {
		for (uint32_t i = 0; i < m->window_slots; i++)
			if (m->windows[(first + i) % m->window_slots].key != 0)
				return m->windows[(first + i) % m->window_slots].key;
	}
	if (kind < 12 && m->regions[first % m->region_slots].handle != NULL)
		return m->regions[first % m->region_slots].key;
	if (m->old_count == 0)
		return 0;
	return m->old_keys[model_below(m, (uint32_t)RTE_MIN(m->old_count, MODEL_OLD_KEYS))];
}

uint32_t
model_key_some(struct model *m)
{
	uint32_t key = issued_key(m);

	switch (model_below(m, 32)) {
	case 0:
		return key ^ UINT32_C(1) << model_below(m, 32);
	case 1:
		/* A slot that is not there, and would be this one if its number were cut. */
		return key + (m->key_slots << 8);
	case 2:
		return (uint32_t)model_source_noise(&m->source);
	case 3:
		return model_below(m, 256);
	default:
		return key;
	}
}
