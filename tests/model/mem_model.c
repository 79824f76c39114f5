/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "model/mem_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_memory.h>

#include "base/limits.h"
#include "model/model.h"

/*
 * Number of operations of an episode. An episode creates a domain, runs operations, compares the
 * counts after each operation, and destroys the domain.
 */

#define EPISODE_OPERATIONS 20000u
/*
 * Time limit of an episode. An episode takes less than 1 s, but a call that takes a wrong lock
 * hangs.
 */
#define EPISODE_SECONDS    60u

struct operation {
	uint32_t weight; /**< frequency; the weights of all operations have the sum 256 */
	void (*run)(struct model *m);
	const char *name;
};

static void
fail_some_owner(struct model *m)
{
	if (model_below(m, 8) == 0)
		model_owner_fail(m, model_below(m, MODEL_OWNERS));
}

static const struct operation operations[] = {
	{13, model_region_register, "register"},
	{2, model_region_register_wrongly, "register wrongly"},
	{8, model_region_deregister, "deregister"},
	{3, model_fast_create, "make a fast region"},
	{14, model_fast_post, "post a fast register"},
	{6, model_fast_invalidate_post, "post a fast invalidate"},
	{2, model_fast_query, "query"},
	{11, model_window_create, "create a window"},
	{5, model_window_destroy, "destroy a window"},
	{32, model_bind_post, "post a bind"},
	{4, model_bind_wrongly, "bind wrongly"},
	{2, model_bind_many, "bind many windows"},
	{14, model_invalidate_post, "post an invalidate"},
	{42, model_queue_execute, "execute a request"},
	{10, model_remote_invalidate, "invalidate a key"},
	{2, model_window_invalidate_wrongly, "invalidate wrongly"},
	{3, model_region_invalidate, "invalidate the windows of a region"},
	{6, model_region_windows, "ask for windows"},
	{2, fail_some_owner, "end a queue pair"},
	{8, model_sgl, "copy by a list"},
	{16, model_reader_act, "let a reader act"},
	{6, model_release_ask, "ask for a release"},
	{42, model_access, "access"},
	{3, model_region_find, "find a region"},
};

void
model_fail(const struct model *m, const char *what, long long actual, long long expected)
{
	char text[256];

	snprintf(text, sizeof(text),
		"%s: %lld instead of %lld; to %s, operation %" PRIu64 " of episode %" PRIu64
		", seed %" PRIu64,
		what, actual, expected, m->doing, m->operation, m->episode, m->seed);
	m->fail(text);
	abort();
}

uint64_t
model_address_near(struct model *m, uint64_t start, uint64_t size)
{
	uint32_t kind = model_below(m, 64);

	if (kind == 0)
		return model_source_noise(&m->source);
	if (kind == 1)
		return start + size - 1 + model_below(m, 3);
	if (kind == 2)
		return start - model_below(m, 2);
	return start + model_below(m, (uint32_t)RTE_MAX(RTE_MIN(size, 1u << 20), 1u));
}

uint64_t
model_length_near(struct model *m, uint64_t address, uint64_t start, uint64_t size)
{
	uint64_t left = start + size - address;
	uint32_t kind = model_below(m, 64);

	switch (kind) {
	case 0:
		return left + 1;
	case 1:
		/* The range ends at 2^64, or up to 2 bytes earlier. */
		return 0 - address - model_below(m, 3);
	case 2:
		return UINT64_MAX - model_below(m, 3);
	case 3:
		return 0;
	case 4:
		return model_source_noise(&m->source);
	case 5:
	case 6:
	case 7:
	case 8:
		return left;
	default:
		return 1 +
			model_below(
				m, (uint32_t)RTE_MAX(RTE_MIN(left, kind < 20 ? 4096u : 16u), 1u));
	}
}

/**
 * Table sizes of a domain with one engine. With more engines, key_slots is the size of one group of
 * slots.
 */
static const struct model_limits few = {
	.region_max = 28, .window_max = 40, .key_slots = 64, .key_slots_max = 64};
static const struct model_limits growing = {
	.region_max = 24, .window_max = 48, .key_slots = 64, .key_slots_max = 1024};
static const struct model_limits many = {
	.region_max = 64, .window_max = 256, .key_slots = 64, .key_slots_max = 4096};
static const struct model_limits wide = {
	.region_max = 14, .window_max = 16, .key_slots = 1024, .key_slots_max = 1024};

static void
limits_draw(struct model *m)
{
	static const struct model_limits *const kinds[] = {&growing, &few, &many, &wide};
	bool by_bytes = m->source.random == NULL;
	uint32_t kind = model_below(m, by_bytes ? 2 : RTE_DIM(kinds));
	struct model_limits *limits = &m->limits;

	*limits = *kinds[kind];
	limits->buffer_max = LIMIT_REGION_BUFFERS;
	if (by_bytes) {
		limits->key_slots_max = RTE_MIN(limits->key_slots_max, 256u);
		limits->buffer_max = 600;
	}
	limits->engines = 1 + model_below(m, MODEL_ENGINES);
	limits->reader_max = limits->engines + model_below(m, MODEL_READERS - limits->engines + 1);
	limits->reader_count = limits->reader_max - model_below(m, 2);
	if (model_below(m, 4) == 0)
		limits->reader_count = model_below(m, limits->reader_max + 1);
	limits->calm = 1 + model_below(m, 2) * model_below(m, 32);
	limits->crowd = model_below(m, 2) == 0;
	/* Each engine has its own slots, so it takes more windows to use all slots. */
	if (kinds[kind] == &few)
		limits->window_max *= RTE_MIN(limits->engines, 3u);
	limits->key_slots = model_slots_of_groups(m, limits->key_slots);
	limits->key_slots_max = model_slots_of_groups(m, limits->key_slots_max);
	m->counts->episodes_of[limits->engines]++;
}

static void
model_start(struct model *m)
{
	uint8_t seed[BASE_RANDOM_SEED_BYTES] = {0};

	MODEL_EXPECT(m, model_source_next(&m->source), true, "a record to start with");
	m->doing = "start";
	limits_draw(m);
	memcpy(seed, m->source.record, sizeof(m->source.record));
	base_random_seed(&m->key_random, seed);
	MODEL_EXPECT(m,
		mem_domain_create(&(struct mem_domain_config){.key_slots = m->limits.key_slots,
					  .key_slots_max = m->limits.key_slots_max,
					  .region_max = m->limits.region_max,
					  .window_max = m->limits.window_max,
					  .reader_max = m->limits.reader_max,
					  .engines = m->limits.engines,
					  .socket_id = SOCKET_ID_ANY,
					  .random = &m->key_random},
			&m->domain),
		RC_OK, "create a domain");
	m->qsbr = mem_domain_qsbr(m->domain);
	m->key_slots = m->limits.key_slots;
	/*
	 * The model has two slots more than the domain, because requests beyond the maximum must be
	 * tested.
	 */
	m->region_slots = m->limits.region_max + 2;
	m->window_slots = m->limits.window_max + 2;
	model_readers_start(m);
}

/**
 * Check that the key table grows only if handles need more keys, never shrinks, and never exceeds
 * its maximum.
 */
static void
check_growth(struct model *m, const struct mem_domain_stats *stats, uint32_t fasts)
{
	/*
	 * A fast region may have two keys, but only one key is counted when the region is created.
	 */
	uint32_t most = stats->key_slots / model_slots_of_groups(m, 1) / 8 * 5 + (fasts > 0);

	MODEL_EXPECT(m, rte_is_power_of_2(stats->key_slots), true, "slots are a power of two");
	MODEL_EXPECT(m, stats->key_slots >= m->key_slots, true, "slots never get fewer");
	MODEL_EXPECT(m, stats->key_slots <= m->limits.key_slots_max, true, "slots have a maximum");
	MODEL_EXPECT(m,
		stats->regions + stats->windows + fasts > most &&
			stats->key_slots < m->limits.key_slots_max,
		false, "more handles than five in eight of the slots");
	m->counts->table_grown += stats->key_slots > m->key_slots;
	m->key_slots = stats->key_slots;
}

static void
check_stats(struct model *m)
{
	uint32_t regions = 0, windows = 0, bound = 0, queued = 0, fasts = 0, registered = 0;
	struct mem_domain_stats stats;
	uint64_t resting_min = 0;

	mem_domain_stats(m->domain, &stats);
	for (uint32_t i = 0; i < m->region_slots; i++) {
		regions += m->regions[i].handle != NULL;
		fasts += m->regions[i].fast.page_max != 0;
		registered += m->regions[i].fast.live.key != 0;
	}
	for (uint32_t i = 0; i < m->window_slots; i++) {
		windows += m->windows[i].handle != NULL;
		bound += m->windows[i].key != 0;
	}
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		for (uint32_t i = 0; i < m->queued[owner]; i++)
			queued += m->queues[owner][i].kind == MODEL_BIND ||
				m->queues[owner][i].kind == MODEL_FAST_REGISTER;
	MODEL_EXPECT(m, stats.regions, regions, "regions");
	MODEL_EXPECT(m, stats.windows, windows, "windows");
	MODEL_EXPECT(m, stats.windows_bound, bound, "windows_bound");
	MODEL_EXPECT(m, stats.binds_queued, queued, "binds_queued");
	MODEL_EXPECT(
		m, stats.key_slots_used, regions + bound + queued + registered, "key_slots_used");
	MODEL_EXPECT(m, stats.key_slots_used + stats.key_slots_resting < stats.key_slots, true,
		"used and resting slots fit the table");
	for (uint32_t i = 0; i <= model_shared(m); i++)
		resting_min +=
			RTE_MIN(m->death_count[i], model_rest_min(m, i, m->limits.key_slots));
	MODEL_EXPECT(m, stats.key_slots_resting >= resting_min, true, "enough slots rest");
	MODEL_EXPECT(m, stats.bytes > stats.key_slots, true, "bytes of the tables");
	check_growth(m, &stats, fasts);
}

static void
operation_run(struct model *m)
{
	uint32_t dice = model_below(m, 256);
	const struct operation *operation = operations;

	while (dice >= operation->weight)
		dice -= operation++->weight;
	m->doing = operation->name;
	operation->run(m);
	check_stats(m);
	m->counts->operations++;
}

static void
model_end(struct model *m)
{
	struct mem_domain_stats stats;
	uint64_t release;

	m->doing = "end";
	model_releases_drain(m);
	for (uint32_t owner = 0; owner < MODEL_OWNERS; owner++)
		model_owner_fail(m, owner);
	for (uint32_t i = 0; i < m->window_slots; i++)
		if (m->windows[i].handle != NULL)
			MODEL_EXPECT(m,
				mem_window_destroy(
					m->domain, m->windows[i].handle, &(struct mem_grace){0}),
				RC_OK, "destroy");
	for (uint32_t i = 0; i < m->region_slots; i++) {
		if (m->regions[i].handle == NULL)
			continue;
		MODEL_EXPECT(m, mem_region_deregister(m->domain, m->regions[i].handle, &release),
			RC_OK, "deregister");
		model_deaths_begin(m);
		if (m->regions[i].fast.page_max != 0)
			model_fast_died(m, &m->regions[i]);
		model_readers_report(m);
		MODEL_EXPECT(m, mem_region_released(m->domain, release), true, "released");
		model_memory_destroy(m, m->regions[i].memory);
	}
	mem_domain_stats(m->domain, &stats);
	MODEL_EXPECT(m, stats.key_slots_used, 0, "key_slots_used");
	model_views_drop(m);
	MODEL_EXPECT(m, stats.regions + stats.windows + stats.windows_bound + stats.binds_queued, 0,
		"things left");
	mem_domain_destroy(m->domain);
}

/**
 * Run one domain until the source has no more records, or until operations_max operations were run.
 */
static void
episode_run(struct model *m, uint64_t operations_max)
{
	model_start(m);
	for (m->operation = 0; m->operation < operations_max; m->operation++) {
		if (!model_source_next(&m->source))
			break;
		operation_run(m);
	}
	model_end(m);
}

void
mem_model_run_seed(uint64_t seed, uint64_t operations_max, mem_model_fail *fail,
	struct mem_model_counts *counts)
{
	static struct model m;
	uint8_t seed_bytes[BASE_RANDOM_SEED_BYTES] = {0};
	struct base_random random;
	uint64_t left = operations_max;

	memcpy(seed_bytes, &seed, sizeof(seed));
	base_random_seed(&random, seed_bytes);
	for (uint64_t episode = 0; left > 0; episode++) {
		uint64_t share = RTE_MIN(left, EPISODE_OPERATIONS);

		memset(&m, 0, sizeof(m));
		m.source.random = &random;
		m.fail = fail;
		m.counts = counts;
		m.seed = seed;
		m.episode = episode;
		(void)alarm(EPISODE_SECONDS);
		episode_run(&m, share);
		left -= share;
	}
	(void)alarm(0);
}

void
mem_model_run_bytes(const uint8_t *bytes, size_t byte_count, mem_model_fail *fail,
	struct mem_model_counts *counts)
{
	static struct model m;

	if (byte_count < MEM_MODEL_RECORD_BYTES)
		return;
	memset(&m, 0, sizeof(m));
	m.source.bytes = bytes;
	m.source.byte_count = byte_count;
	m.fail = fail;
	m.counts = counts;
	episode_run(&m, UINT64_MAX);
}

void
mem_model_counts_print(const struct mem_model_counts *counts)
{
	printf("%" PRIu64 " operations; access: %" PRIu64 " allowed, refused for key %" PRIu64
	       ", owner %" PRIu64 ", range %" PRIu64 ", rights %" PRIu64 "; %" PRIu64
	       " binds, %" PRIu64 " invalidates, %" PRIu64 " range queries; %" PRIu64
	       " regions, %" PRIu64 " busy, %" PRIu64 " deep, %" PRIu64 " found; lists: %" PRIu64
	       " done, %" PRIu64 " refused; spans outlived %" PRIu64 "; releases %" PRIu64
	       ", waited %" PRIu64 "; fast: %" PRIu64 " regions, %" PRIu64 " registered, %" PRIu64
	       " accesses, %" PRIu64 " overtaken, %" PRIu64 " without a body; table grown %" PRIu64
	       ", keys exhausted %" PRIu64 ", handles exhausted %" PRIu64 "\n",
		counts->operations, counts->answers[MEM_ALLOWED], counts->answers[MEM_REFUSED_KEY],
		counts->answers[MEM_REFUSED_OWNER], counts->answers[MEM_REFUSED_RANGE],
		counts->answers[MEM_REFUSED_RIGHTS], counts->binds, counts->invalidates,
		counts->range_queries, counts->regions, counts->regions_busy, counts->chains_deep,
		counts->regions_found, counts->sgl_done, counts->sgl_refused,
		counts->spans_outlived, counts->releases, counts->releases_waited, counts->fasts,
		counts->fast_registered, counts->fast_allowed, counts->fast_overtaken,
		counts->fast_exhausted, counts->table_grown, counts->keys_exhausted,
		counts->handles_exhausted);
	printf("episodes of 1 .. 4 engines: %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
	       "; %" PRIu64 " binds at once, %" PRIu64 " refused elsewhere; grace periods %" PRIu64
	       ", waited %" PRIu64 "; fast: %" PRIu64 " waited for readers, %" PRIu64
	       " kept from peers; keys of engines exhausted %" PRIu64 "\n",
		counts->episodes_of[1], counts->episodes_of[2], counts->episodes_of[3],
		counts->episodes_of[4], counts->binds_now, counts->binds_elsewhere, counts->graces,
		counts->graces_waited, counts->fast_waited, counts->fast_local,
		counts->engines_exhausted);
}
