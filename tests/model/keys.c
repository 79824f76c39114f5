/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "model/model.h"

/*
 * Keys of the index. All keys differ. The slot of each key is in the right partition and has rested
 * long enough in quarantine. With several engines, the slots are divided into groups, and the
 * groups are assigned to the partitions in order. The number of groups is a power of two. The last
 * partition, which is shared, gets all remaining groups.
 */

/* maximum result of model_rest_min(), SEC-002 */
#define REST_SLOTS_MAX 65536u

static const uint32_t group_counts[MODEL_ENGINES + 1] = {0, 1, 4, 8, 8};

uint32_t
model_shared(const struct model *m)
{
	return m->limits.engines == 1 ? 0 : m->limits.engines;
}

uint32_t
model_partition(const struct model *m, uint32_t owner, bool any_owner)
{
	return any_owner ? model_shared(m) : model_engine_of(m, owner);
}

uint32_t
model_partition_readers(const struct model *m, uint32_t partition)
{
	return partition == model_shared(m) ? model_all_readers(m) : UINT32_C(1) << partition;
}

uint32_t
model_slots_of_groups(const struct model *m, uint32_t group_slots)
{
	return group_slots * group_counts[m->limits.engines];
}

static uint32_t
partition_of_slot(const struct model *m, uint32_t slot)
{
	uint32_t groups = group_counts[m->limits.engines];
	/* Groups keep their size when the table grows. */
	uint32_t group = slot / (m->limits.key_slots / groups) % groups;

	return RTE_MIN(group, model_shared(m));
}

uint32_t
model_rest_min(const struct model *m, uint32_t partition, uint32_t key_slots)
{
	uint32_t groups = group_counts[m->limits.engines];
	uint32_t own = partition == model_shared(m) ? groups - partition : 1;

	return RTE_MIN(key_slots / groups * own / 4, REST_SLOTS_MAX);
}

/** Check that a slot was in quarantine long enough before a new key uses it. */
static void
rest_check(struct model *m, const struct model_slot *slot, uint32_t partition)
{
	MODEL_EXPECT(m, m->death_count[partition] - slot->died_before - 1 >= slot->died_resting,
		true, "slot rested behind enough others");
	/*
	 * No grace period is needed in an engine's partition, because its only reader is the engine
	 * that issues the key.
	 */
	if (partition == model_shared(m))
		MODEL_EXPECT(m, model_readers_passed(m, model_all_readers(m), slot->died_clock),
			true, "slot rested until readers were quiescent");
}

void
model_key_issued(struct model *m, uint32_t key, uint32_t partition)
{
	uint32_t index = key >> 8;
	struct mem_domain_stats stats;
	struct model_slot *slot;

	/*
	 * Read the table size now, because the call that issued the key may have grown the table.
	 */
	mem_domain_stats(m->domain, &stats);
	MODEL_EXPECT(
		m, index > 0 && index < stats.key_slots, true, "slot of the key is in the table");
	MODEL_EXPECT(m, index < MODEL_KEY_SLOTS, true, "table within its maximum");
	MODEL_EXPECT(m, partition_of_slot(m, index), partition, "partition of the slot");
	slot = &m->slots[index];
	MODEL_EXPECT(m, slot->used, false, "slot is used twice");
	MODEL_EXPECT(m, key != slot->last_key, true, "key differs from the last of its slot");
	if (slot->died_clock != 0)
		rest_check(m, slot, partition);
	if (partition == model_shared(m))
		m->refused_streak = 0;
	slot->used = true;
	slot->last_key = key;
	m->old_keys[m->old_count++ % MODEL_OLD_KEYS] = key;
}

void
model_deaths_begin(struct model *m)
{
	m->clock++;
	memcpy(m->deaths_before, m->death_count, sizeof(m->deaths_before));
}

void
model_key_died(struct model *m, uint32_t key)
{
	uint32_t partition = partition_of_slot(m, key >> 8);
	struct model_slot *slot = &m->slots[key >> 8];

	slot->used = false;
	slot->died_clock = m->clock;
	slot->died_before = m->deaths_before[partition];
	slot->died_resting = model_rest_min(m, partition, m->key_slots);
	m->death_count[partition]++;
}

void
model_key_refused(struct model *m, uint32_t partition)
{
	struct mem_domain_stats stats;
	uint32_t resting = 0;

	mem_domain_stats(m->domain, &stats);
	for (uint32_t i = 1; i < stats.key_slots; i++) {
		if (partition_of_slot(m, i) != partition || m->slots[i].used)
			continue;
		MODEL_EXPECT(m, m->slots[i].last_key != 0, true,
			"slots were all used when there is no key");
		resting++;
	}
	m->counts->keys_exhausted++;
	m->counts->engines_exhausted += partition != model_shared(m);
	if (resting <= model_rest_min(m, partition, stats.key_slots)) {
		if (partition == model_shared(m))
			m->refused_streak = 0;
		return;
	}
	MODEL_EXPECT(m, partition, model_shared(m),
		"partition in which slots have rested, and no key comes");
	/*
	 * More slots may be in quarantine than required. But after all readers have reported, these
	 * slots must be usable.
	 */
	if (m->refused_streak == 0 ||
		model_readers_passed(m, model_all_readers(m), m->refused_clock)) {
		MODEL_EXPECT(m, m->refused_streak < 2, true,
			"slots have rested, readers have reported, and no key comes");
		m->refused_streak++;
		m->refused_clock = ++m->clock;
	}
}

/** @return a recently issued key, which may be invalid now */
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
		/*
		 * Change the key to a slot beyond the end of the table. Modulo the table size, the
		 * slot is unchanged.
		 */
		return key + (m->key_slots << 8);
	case 2:
		return (uint32_t)model_source_noise(&m->source);
	case 3:
		return model_below(m, 256);
	default:
		return key;
	}
}
