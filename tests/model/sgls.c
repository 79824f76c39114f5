/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "model/model.h"

/* Scatter/gather lists with entries that refer to live, dead and invented regions. */

#define SGES_MAX 5u

struct list {
	struct mem_sge sges[SGES_MAX];
	/** Memory of each entry; empty if the region is not alive or has no memory. */
	struct model_extent extents[SGES_MAX];
	uint32_t count;
};

static void
list_draw(struct model *m, struct list *list)
{
	list->count = model_below(m, SGES_MAX + 1);
	for (uint32_t i = 0; i < list->count; i++) {
		const struct model_region *drawn = model_region_pick(m), *region;
		struct model_extent near;
		struct mem_sge *sge = &list->sges[i];
		uint64_t from;

		for (uint32_t j = 0; j < m->region_slots && drawn->handle == NULL; j++)
			drawn = &m->regions[j];
		near = model_region_extent(drawn);
		*sge = (struct mem_sge){.region = model_region_handle(m, drawn)};
		region = model_region_of(m, sge->region);
		list->extents[i] =
			region == NULL ? (struct model_extent){0} : model_region_extent(region);
		if (model_below(m, 16) == 0 || drawn->handle == NULL) {
			sge->address = model_address_near(m, near.base, near.length_bytes);
			sge->length_bytes =
				model_length_near(m, sge->address, near.base, near.length_bytes);
			continue;
		}
		from = model_below(m, (uint32_t)RTE_MIN(near.length_bytes, 65536u));
		sge->address = near.base + from;
		sge->length_bytes =
			model_below(m, (uint32_t)RTE_MIN(near.length_bytes - from + 1, 400u));
	}
}

/**
 * @param right MEM_LOCAL_READ, which all regions have, MEM_LOCAL_WRITE or MEM_READ_SINK
 * @return true if the memory has this right
 */
static bool
extent_allows(const struct model_extent *extent, uint32_t right)
{
	return right == MEM_LOCAL_READ || (extent->rights & (right | MEM_LOCAL_WRITE)) != 0;
}

static bool
sge_allowed(const struct list *list, uint32_t i, uint32_t right)
{
	const struct mem_sge *sge = &list->sges[i];
	const struct model_extent *extent = &list->extents[i];

	if (sge->length_bytes == 0)
		return true;
	return extent->memory != NULL && extent_allows(extent, right) &&
		model_inside(sge->address, sge->length_bytes, extent->base, extent->length_bytes);
}

static void
list_check(struct model *m, const struct list *list)
{
	static const uint32_t all_rights[] = {MEM_LOCAL_READ, MEM_LOCAL_WRITE, MEM_READ_SINK};
	struct mem_sgl sgl = {.sges = list->sges, .count = list->count};
	unsigned __int128 total = 0;

	for (uint32_t j = 0; j < RTE_DIM(all_rights); j++) {
		bool allowed = true;

		for (uint32_t i = 0; i < list->count; i++)
			allowed &= sge_allowed(list, i, all_rights[j]);
		MODEL_EXPECT(m, mem_sgl_check(m->domain, &sgl, all_rights[j]),
			allowed ? RC_OK : RC_LOCAL_PROTECTION, "sgl_check");
	}
	for (uint32_t i = 0; i < list->count; i++)
		total += list->sges[i].length_bytes;
	MODEL_EXPECT(m, mem_sgl_length(&sgl), total > UINT64_MAX ? UINT64_MAX : (uint64_t)total,
		"sgl_length");
}

/** Location in memory of each byte of the range [offset, offset + count) of a list. */
struct place {
	struct model_memory *memory[MODEL_COPY_BYTES];
	uint64_t offset[MODEL_COPY_BYTES]; /**< offset in memory[i] */
};

/** @return the expected status of a copy. *place is valid if the status is RC_OK. */
static enum rc_status
copy_expected(
	const struct list *list, uint64_t offset, size_t count, uint32_t right, struct place *place)
{
	uint64_t start = 0; /* offset of the current entry in the list */
	size_t done = 0;

	for (uint32_t i = 0; i < list->count && done < count; i++) {
		const struct mem_sge *sge = &list->sges[i];

		if (offset + done - start >= sge->length_bytes) {
			start += sge->length_bytes;
			continue;
		}
		if (!sge_allowed(list, i, right))
			return RC_LOCAL_PROTECTION;
		for (; done < count && offset + done - start < sge->length_bytes; done++) {
			place->memory[done] = list->extents[i].memory;
			place->offset[done] =
				sge->address - list->extents[i].base + offset + done - start;
		}
		start += sge->length_bytes;
	}
	return done < count ? RC_LOCAL_LENGTH : RC_OK;
}

/** @return the expected result of mem_sgl_pointer() for accessible bytes */
static const uint8_t *
pointer_expected(const struct list *list, uint64_t offset, size_t count)
{
	uint32_t i = 0;

	while (offset >= list->sges[i].length_bytes)
		offset -= list->sges[i++].length_bytes;
	if (count > list->sges[i].length_bytes - offset)
		return NULL;
	return model_memory_pointer(list->extents[i].memory,
		list->sges[i].address - list->extents[i].base + offset, count);
}

static void
gather(struct model *m, const struct list *list, uint64_t offset, size_t count)
{
	struct mem_sgl sgl = {.sges = list->sges, .count = list->count};
	uint8_t bytes[MODEL_COPY_BYTES];
	struct place place;
	enum rc_status expected = copy_expected(list, offset, count, MEM_LOCAL_READ, &place);

	MODEL_EXPECT(m, mem_sgl_gather(m->domain, &sgl, offset, bytes, count), expected, "gather");
	m->counts->sgl_done += expected == RC_OK;
	m->counts->sgl_refused += expected != RC_OK;
	for (size_t i = 0; i < count && expected == RC_OK; i++)
		model_memory_compare(m, place.memory[i], place.offset[i], &bytes[i], 1);
	if (expected == RC_OK && count > 0)
		MODEL_EXPECT(m,
			mem_sgl_pointer(m->domain, &sgl, offset, count) ==
				pointer_expected(list, offset, count),
			true, "sgl_pointer");
}

static void
scatter(struct model *m, const struct list *list, uint64_t offset, size_t count, bool sink)
{
	struct mem_sgl sgl = {.sges = list->sges, .count = list->count};
	uint8_t bytes[MODEL_COPY_BYTES];
	struct place place;
	enum rc_status expected =
		copy_expected(list, offset, count, sink ? MEM_READ_SINK : MEM_LOCAL_WRITE, &place);

	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)model_source_noise(&m->source);
	/* Write in order: if entries of the list overlap, the last write applies. */
	for (size_t i = 0; i < count && expected == RC_OK; i++)
		*place.memory[i]->value_at[place.offset[i]] = bytes[i];
	MODEL_EXPECT(m,
		sink ? mem_sgl_scatter_sink(m->domain, &sgl, offset, bytes, count)
		     : mem_sgl_scatter(m->domain, &sgl, offset, bytes, count),
		expected, "scatter");
	m->counts->sgl_done += expected == RC_OK;
	m->counts->sgl_refused += expected != RC_OK;
	for (size_t i = 0; i < count && expected == RC_OK; i++)
		model_memory_check(m, place.memory[i], place.offset[i], 1);
	/* A refused copy must not have written any byte. */
	for (uint32_t i = 0; i < list->count && expected != RC_OK; i++) {
		const struct mem_sge *sge = &list->sges[i];

		if (sge->length_bytes > 0 && sge_allowed(list, i, MEM_LOCAL_READ))
			model_memory_check(m, list->extents[i].memory,
				sge->address - list->extents[i].base,
				RTE_MIN(sge->length_bytes, MODEL_COPY_BYTES));
	}
}

void
model_sgl(struct model *m)
{
	struct list list;
	uint64_t offset, total = 0;
	uint32_t count;

	list_draw(m, &list);
	list_check(m, &list);
	for (uint32_t i = 0; i < list.count; i++)
		total += RTE_MIN(list.sges[i].length_bytes, 400u);
	offset = model_below(m, (uint32_t)total / 2 + 1);
	count = model_below(m, (uint32_t)(total - offset) + 2 - (model_below(m, 4) != 0));
	count = RTE_MIN(count, MODEL_COPY_BYTES);
	if (model_below(m, 2) == 0)
		gather(m, &list, offset, count);
	else
		scatter(m, &list, offset, count, model_below(m, 2) == 0);
}
