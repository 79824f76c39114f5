/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/limits.h"
#include "model/model.h"

/* Register regions with valid and invalid arguments, query them, and deregister them. */

struct model_region *
model_region_of(struct model *m, const struct mem_region *handle)
{
	for (uint32_t i = 0; i < m->region_slots && handle != NULL; i++)
		if (m->regions[i].handle == handle)
			return &m->regions[i];
	return NULL;
}

struct model_region *
model_region_pick(struct model *m)
{
	return &m->regions[model_below(m, m->region_slots)];
}

struct model_region *
model_region_crowded(struct model *m)
{
	return model_below(m, 2) == 0 ? &m->regions[model_below(m, 2)] : model_region_pick(m);
}

struct mem_region *
model_region_handle(struct model *m, const struct model_region *region)
{
	uint32_t kind = model_below(m, 64);

	if (kind == 0)
		return m->region_stale;
	if (kind == 1)
		return (struct mem_region *)((uintptr_t)region->handle + 8);
	if (kind == 2)
		return (struct mem_region *)(uintptr_t)model_source_noise(&m->source);
	if (kind == 3)
		return m->region_body;
	return region->handle;
}

static uint32_t
buffer_count_draw(struct model *m)
{
	static const uint32_t long_chains[] = {9, 64, 65, 511, 4096, LIMIT_REGION_BUFFERS};
	uint32_t kind = model_below(m, 256);

	if (kind < 128)
		return 1;
	if (kind < 254 || model_below(m, 2) != 0)
		return 1 + model_below(m, 12);
	return RTE_MIN(long_chains[model_below(m, RTE_DIM(long_chains))], m->limits.buffer_max);
}

static uint32_t
rights_draw(struct model *m)
{
	uint32_t rights = model_below(m, 64);

	if (model_below(m, 4) != 0)
		rights |= MEM_WINDOW_BIND | MEM_LOCAL_WRITE | MEM_REMOTE_READ;
	if ((rights & MEM_LOCAL_WRITE) == 0)
		rights &= ~(uint32_t)(MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC);
	return rights;
}

struct model_extent
model_region_extent(const struct model_region *region)
{
	if (region->fast.page_max != 0)
		return region->fast.live.extent;
	return (struct model_extent){.base = region->base,
		.length_bytes = region->length_bytes,
		.rights = region->rights,
		.memory = region->memory};
}

void
model_region_refused(struct model *m, struct model_memory *memory, enum rc_status status, bool full)
{
	MODEL_EXPECT(m, status, RC_NO_RESOURCES, "register");
	if (full)
		m->counts->handles_exhausted++;
	else
		model_key_refused(m, model_shared(m));
	model_memory_destroy(m, memory);
}

/**
 * Read the bytes on both sides of each offset that may be a boundary between nodes of the segment
 * tree.
 */
static void
edges_read(struct model *m, const struct model_region *region)
{
	const struct model_memory *memory = region->memory;
	struct mem_sge sge = {.region = region->handle, .address = region->base};
	const struct mem_sgl sgl = {.sges = &sge, .count = 1};
	uint64_t offset = 0;

	sge.length_bytes = region->length_bytes;
	for (uint32_t i = 0; i < memory->buffer_count; i++) {
		uint8_t bytes[2];

		if (i > 0 && i % 8 == 0) {
			MODEL_EXPECT(m, mem_sgl_gather(m->domain, &sgl, offset - 1, &bytes[0], 1),
				RC_OK, "gather before an edge");
			MODEL_EXPECT(m, mem_sgl_gather(m->domain, &sgl, offset, &bytes[1], 1),
				RC_OK, "gather behind an edge");
			model_memory_compare(m, memory, offset - 1, bytes, 2);
		}
		offset += memory->buffers[i].length_bytes;
	}
}

static void
region_entered(struct model *m, struct model_region *region)
{
	m->counts->regions++;
	m->counts->chains_deep += region->memory->buffer_count >= 64;
	region->key = mem_region_key(region->handle);
	model_key_issued(m, region->key, model_shared(m));
	MODEL_EXPECT(m, mem_region_cookie(region->handle) == region, true, "cookie");
	MODEL_EXPECT(m, mem_region_base(region->handle), region->base, "base");
	MODEL_EXPECT(m, mem_region_length(region->handle), region->length_bytes, "length");
	MODEL_EXPECT(m, mem_region_rights(region->handle),
		region->rights | (region->rights & MEM_LOCAL_WRITE ? MEM_READ_SINK : 0), "rights");
	MODEL_EXPECT(m, mem_region_find(m->domain, region->key) == region->handle, true, "find");
	MODEL_EXPECT(m, mem_region_alive(m->domain, region->handle), true, "alive");
	edges_read(m, region);
}

static uint32_t
entries_of(const struct model_region *region)
{
	return region->fast.page_max != 0 ? 1 + MEM_FAST_BODIES : 1;
}

uint32_t
model_region_entries(const struct model *m)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->region_slots; i++)
		if (m->regions[i].handle != NULL)
			count += entries_of(&m->regions[i]);
	return count;
}

void
model_region_register(struct model *m)
{
	struct model_region *region = model_region_pick(m);
	struct mem_region_attr attr = {.cookie = region};
	struct mem_region *handle = NULL;
	struct model_memory *memory;
	enum rc_status status;
	bool full;

	if (region->handle != NULL)
		return;
	full = model_region_entries(m) + model_entries_resting(m) >= m->limits.region_max;
	attr.buffer_count = buffer_count_draw(m);
	attr.rights = rights_draw(m);
	attr.base = model_below(m, 4) == 0 ? UINT64_MAX : model_below(m, 1 << 16);
	memory = model_memory_create(m, attr.buffer_count);
	attr.buffers = memory->buffers;
	if (attr.base == UINT64_MAX)
		attr.base -= memory->length_bytes;
	status = mem_region_register(m->domain, &attr, &handle);
	if (full || status != RC_OK) {
		model_region_refused(m, memory, status, full);
		return;
	}
	MODEL_EXPECT(m, model_region_of(m, handle) == NULL, true, "handle is given once");
	*region = (struct model_region){.handle = handle,
		.base = attr.base,
		.length_bytes = memory->length_bytes,
		.rights = attr.rights,
		.memory = memory};
	region_entered(m, region);
}

void
model_region_find(struct model *m)
{
	uint32_t key = model_key_some(m);
	const struct mem_region *expected = NULL;

	for (uint32_t i = 0; i < m->region_slots; i++)
		if (m->regions[i].handle != NULL && m->regions[i].key == key)
			expected = m->regions[i].handle;
	MODEL_EXPECT(m, mem_region_find(m->domain, key) == expected, true, "region of a key");
	m->counts->regions_found += expected != NULL;
}

void
model_region_register_wrongly(struct model *m)
{
	static uint8_t byte;
	struct mem_buffer buffers[2] = {{&byte, 1}, {&byte, 1}};
	struct mem_region_attr attr = {.buffers = buffers, .buffer_count = 2};
	struct mem_region *handle = NULL;

	switch (model_below(m, 9)) {
	case 0:
		attr.buffer_count = 0;
		break;
	case 1:
		attr.buffers = NULL;
		break;
	case 2:
		attr.buffer_count = LIMIT_REGION_BUFFERS + 1;
		break;
	case 3:
		buffers[model_below(m, 2)].length_bytes = 0;
		break;
	case 4:
		buffers[model_below(m, 2)].address = NULL;
		break;
	case 5:
		attr.base = UINT64_MAX - model_below(m, 2);
		break;
	case 6:
		attr.rights = MEM_REMOTE_WRITE << model_below(m, 2);
		break;
	case 7:
		attr.rights = UINT32_C(64) << model_below(m, 26);
		break;
	default:
		buffers[1].length_bytes = LIMIT_REGION_BYTES - model_below(m, 2) * UINT64_MAX / 2;
		break;
	}
	MODEL_EXPECT(m, mem_region_register(m->domain, &attr, &handle), RC_INVALID_ARGUMENT,
		"register with a bad argument");
}

void
model_region_deregister(struct model *m)
{
	struct mem_region *handle = model_region_handle(m, model_region_pick(m));
	struct model_region *region = model_region_of(m, handle);
	enum rc_status expected = RC_OK;
	uint64_t release = 0;

	if (m->release_count == MODEL_RELEASES)
		return;
	if (region == NULL)
		expected = RC_BAD_REGION;
	else if (model_binds_queued(m, NULL, region) > 0)
		expected = RC_BUSY;
	for (uint32_t i = 0; i < m->window_slots && region != NULL; i++)
		if (m->windows[i].key != 0 && m->windows[i].region == region)
			expected = RC_BUSY;
	MODEL_EXPECT(m, mem_region_deregister(m->domain, handle, &release), expected, "deregister");
	MODEL_EXPECT(m, mem_region_alive(m->domain, handle), expected == RC_BUSY, "alive");
	m->counts->regions_busy += expected == RC_BUSY;
	if (expected != RC_OK)
		return;
	model_deaths_begin(m);
	model_key_died(m, region->key);
	if (region->fast.page_max != 0)
		model_fast_died(m, region);
	model_release_add(m, release, region->memory, entries_of(region));
	m->region_stale = handle;
	*region = (struct model_region){0};
}

void
model_region_invalidate(struct model *m)
{
	struct mem_region *handle = model_region_handle(m, model_region_pick(m));
	const struct model_region *region = model_region_of(m, handle);
	uint32_t count = 0, readers = 0;
	struct mem_grace grace;

	if (model_below(m, 8) != 0)
		return;
	model_deaths_begin(m);
	for (uint32_t i = 0; i < m->window_slots && region != NULL; i++) {
		if (m->windows[i].key != 0 && m->windows[i].region == region) {
			readers |= model_partition_readers(m, model_window_home(m, &m->windows[i]));
			model_key_died(m, m->windows[i].key);
			m->windows[i].key = 0;
			count++;
		}
	}
	MODEL_EXPECT(m, mem_region_invalidate_windows(m->domain, handle, &grace), count,
		"windows of a region invalidated");
	m->counts->invalidates += count;
	/* If the region has no windows, `readers` is 0, because no reader has to report. */
	/* But the grace period may also wait for readers of windows that were unbound earlier. */
	model_grace_begun(m, &grace, readers | grace.readers);
}

/** @return number of occurrences of a handle in the first `filled` entries of a result array */
static uint32_t
times_found(struct mem_window **found, uint32_t filled, const struct mem_window *handle)
{
	uint32_t times = 0;

	for (uint32_t i = 0; i < filled; i++)
		times += found[i] == handle;
	return times;
}

void
model_region_windows(struct model *m)
{
	const struct model_region *drawn = model_region_crowded(m);
	struct mem_region *handle = model_region_handle(m, drawn);
	const struct model_region *region = model_region_of(m, handle);
	uint64_t address = model_address_near(m, drawn->base, drawn->length_bytes);
	uint64_t length_bytes = model_length_near(m, address, drawn->base, drawn->length_bytes);
	uint32_t max = model_below(m, 4) == 0 ? model_below(m, 4) : MODEL_WINDOWS;
	struct mem_window *found[MODEL_WINDOWS];
	uint32_t count = 0, listed = 0, answer;

	answer = mem_region_windows(
		m->domain, handle, address, length_bytes, max == 0 ? NULL : found, max);
	for (uint32_t i = 0; i < m->window_slots; i++) {
		const struct model_window *window = &m->windows[i];
		bool covers = window->key != 0 && region != NULL && window->region == region &&
			(unsigned __int128)address + length_bytes > window->start &&
			address < window->start + window->length_bytes && length_bytes > 0;
		uint32_t times;

		if (window->handle == NULL)
			continue;
		times = times_found(found, RTE_MIN(answer, max), window->handle);
		MODEL_EXPECT(m, times <= covers, true, "times a window is found");
		count += covers;
		listed += times;
	}
	MODEL_EXPECT(m, answer, count, "windows that cover a range");
	MODEL_EXPECT(m, listed, RTE_MIN(count, max), "windows listed");
	m->counts->range_queries++;
}
