/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/domain.h"
#include "model/model.h"

/*
 * In the model, one thread acts for all readers, and reports for them at random times (quiescent
 * state). The spans of a reader stay usable until the reader reports, even if their key, window or
 * region has died. A grace period must end when all its readers have reported, and not earlier.
 *
 * Engine i is reader i. The engine of a queue pair executes requests between two packets.
 * Therefore this reader drops its spans before it executes a request, although it does not report.
 */

void
model_readers_start(struct model *m)
{
	for (uint32_t i = 0; i < m->limits.reader_count; i++) {
		MODEL_EXPECT(m, rte_rcu_qsbr_thread_register(m->qsbr, i), 0, "register a reader");
		rte_rcu_qsbr_thread_online(m->qsbr, i);
		m->readers[i].online = true;
		m->readers[i].reported_clock = ++m->clock;
	}
}

/** Check for each grace period whether the index reports the right state. */
static void
graces_check(struct model *m)
{
	for (uint32_t i = 0; i < RTE_MIN(m->grace_count, MODEL_GRACES); i++) {
		const struct model_grace *begun = &m->graces[i];

		MODEL_EXPECT(m, mem_domain_quiescent(m->domain, &begun->grace),
			model_readers_passed(m, begun->readers, begun->clock), "grace period over");
	}
}

void
model_grace_begun(struct model *m, const struct mem_grace *grace, uint32_t readers)
{
	struct model_grace *begun = &m->graces[m->grace_count++ % MODEL_GRACES];

	*begun = (struct model_grace){.grace = *grace, .readers = readers, .clock = m->clock};
	m->counts->graces++;
	m->counts->graces_waited += !model_readers_passed(m, readers, m->clock);
	graces_check(m);
}

void
model_grace_begun_by(
	struct model *m, const struct mem_grace *grace, uint32_t partition, uint32_t owner)
{
	model_grace_begun(m, grace,
		model_partition_readers(m, partition) &
			~(UINT32_C(1) << model_engine_of(m, owner)));
}

void
model_engine_enter(struct model *m, uint32_t owner)
{
	uint32_t engine = model_engine_of(m, owner);

	m->readers[engine].span_count = 0;
	for (uint32_t i = 0; i < model_shared(m); i++)
		if (i != engine)
			mem_partition_lock(&m->domain->partitions[i]);
}

void
model_engine_leave(struct model *m, uint32_t owner)
{
	for (uint32_t i = 0; i < model_shared(m); i++)
		if (i != model_engine_of(m, owner))
			mem_partition_unlock(&m->domain->partitions[i]);
}

static void
reader_report(struct model *m, uint32_t i)
{
	struct model_reader *reader = &m->readers[i];

	if (!reader->online)
		return;
	rte_rcu_qsbr_quiescent(m->qsbr, i);
	reader->reported_clock = ++m->clock;
	reader->span_count = 0;
	graces_check(m);
}

void
model_readers_report(struct model *m)
{
	for (uint32_t i = 0; i < m->limits.reader_count; i++)
		reader_report(m, i);
}

static void
reader_toggle(struct model *m, uint32_t i)
{
	struct model_reader *reader = &m->readers[i];

	if (reader->online)
		rte_rcu_qsbr_thread_offline(m->qsbr, i);
	else
		rte_rcu_qsbr_thread_online(m->qsbr, i);
	reader->online = !reader->online;
	reader->reported_clock = ++m->clock;
	reader->span_count = 0;
	graces_check(m);
}

/** @return true if the key of a kept span still gives access to the same memory */
static bool
span_alive(struct model *m, const struct model_span *kept)
{
	const struct model_window *window = model_window_of_key(m, kept->key);

	if (window != NULL)
		return window->region->memory == kept->memory;
	if (model_fast_of_key(m, kept->key) != NULL)
		return true;
	for (uint32_t i = 0; i < m->region_slots; i++)
		if (m->regions[i].handle != NULL && m->regions[i].key == kept->key)
			return true;
	return false;
}

static void
reader_use(struct model *m, struct model_reader *reader)
{
	struct model_span *kept;

	if (reader->span_count == 0)
		return;
	kept = &reader->spans[model_below(m, reader->span_count)];
	m->counts->spans_outlived += !span_alive(m, kept);
	model_span_use(m, &kept->span, kept->memory, kept->offset, kept->writable);
}

void
model_reader_act(struct model *m)
{
	uint32_t i = model_below(m, MODEL_READERS), kind = model_below(m, 64);

	if (i >= m->limits.reader_count)
		return;
	if (kind == 0)
		reader_toggle(m, i);
	else if (kind < 32)
		reader_use(m, &m->readers[i]);
	else if (model_below(m, m->limits.calm) == 0)
		reader_report(m, i);
}

bool
model_readers_passed(const struct model *m, uint32_t readers, uint64_t clock)
{
	for (uint32_t i = 0; i < m->limits.reader_count; i++)
		if ((readers >> i & 1) != 0 && m->readers[i].online &&
			m->readers[i].reported_clock <= clock)
			return false;
	return true;
}

bool
model_memory_held(const struct model *m, const struct model_memory *memory)
{
	for (uint32_t i = 0; i < m->limits.reader_count; i++)
		for (uint32_t j = 0; j < m->readers[i].span_count; j++)
			if (m->readers[i].spans[j].memory == memory)
				return true;
	return false;
}

void
model_release_add(struct model *m, uint64_t token, struct model_memory *memory, uint32_t entries)
{
	MODEL_EXPECT(m, m->release_count < MODEL_RELEASES, true, "room for a release");
	m->releases[m->release_count++] = (struct model_release){
		.token = token, .clock = m->clock, .memory = memory, .entries = entries};
}

/**
 * Ask the index whether a region is released. If so, remove the region from the list.
 * @return true if the region is released
 */
static bool
release_ask(struct model *m, uint32_t i)
{
	struct model_release *release = &m->releases[i];
	bool expected = model_readers_passed(m, model_all_readers(m), release->clock);

	MODEL_EXPECT(
		m, mem_region_released(m->domain, release->token), expected, "region released");
	m->counts->releases_waited += !expected;
	if (!expected)
		return false;
	m->counts->releases++;
	model_memory_destroy(m, release->memory);
	m->releases[i] = m->releases[--m->release_count];
	return true;
}

void
model_release_ask(struct model *m)
{
	if (m->release_count > 0)
		(void)release_ask(m, model_below(m, m->release_count));
	/* If the list is full, sometimes let all readers report, so that all releases end. */
	if (m->release_count == MODEL_RELEASES && model_below(m, 4) == 0)
		model_releases_drain(m);
}

void
model_releases_drain(struct model *m)
{
	model_readers_report(m);
	while (m->release_count > 0)
		MODEL_EXPECT(m, release_ask(m, 0), true, "released when all have reported");
}

uint32_t
model_entries_resting(const struct model *m)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->release_count; i++)
		if (!model_readers_passed(m, model_all_readers(m), m->releases[i].clock))
			count += m->releases[i].entries;
	return count;
}
