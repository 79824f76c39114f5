/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/model.h"

/*
 * Readers are one thread here, which reports for them when they feel like it. What they hold stays
 * usable until then, whatever has died; what waits for them must wait.
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

static void
reader_report(struct model *m, uint32_t i)
{
	struct model_reader *reader = &m->readers[i];

	if (!reader->online)
		return;
	rte_rcu_qsbr_quiescent(m->qsbr, i);
	reader->reported_clock = ++m->clock;
	reader->span_count = 0;
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
}

/** @return whether the key of a kept span is still what it was. */
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
model_readers_passed(const struct model *m, uint64_t clock)
{
	for (uint32_t i = 0; i < m->limits.reader_count; i++)
		if (m->readers[i].online && m->readers[i].reported_clock <= clock)
			return false;
	return true;
}

void
model_release_add(struct model *m, uint64_t token, struct model_memory *memory, uint32_t entries)
{
	MODEL_EXPECT(m, m->release_count < MODEL_RELEASES, true, "room for a release");
	m->releases[m->release_count++] = (struct model_release){token, m->clock, memory, entries};
}

/** @return whether it is over; then it is forgotten. */
static bool
release_ask(struct model *m, uint32_t i)
{
	struct model_release *release = &m->releases[i];
	bool expected = model_readers_passed(m, release->clock);

	if (release->memory != NULL)
		MODEL_EXPECT(m, mem_region_released(m->domain, release->token), expected,
			"region released");
	else
		MODEL_EXPECT(m, mem_domain_quiescent(m->domain, release->token), expected,
			"readers quiescent");
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
	/* Who waits for room reports in the end. */
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
		if (!model_readers_passed(m, m->releases[i].clock))
			count += m->releases[i].entries;
	return count;
}
