/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_op.h"

#include <rte_common.h>

/** Maximum number of bytes between two pieces. These gap bytes must never change. */
#define GAP_MAX 16

static void
cut(struct sim_layout *layout, size_t length, struct sim_random *random)
{
	size_t left = length;

	for (uint32_t i = 0; i + 1 < layout->count; i++) {
		size_t part = sim_random_below(random, (uint32_t)left + 1);

		layout->pieces[i].count = part;
		left -= part;
	}
	if (layout->count != 0)
		layout->pieces[layout->count - 1].count = left;
}

static void
place(struct sim_layout *layout, struct sim_random *random)
{
	uint32_t order[SIM_SGE_MAX] = {0};
	size_t at = layout->start;

	sim_random_order(random, order, layout->count);
	for (uint32_t i = 0; i < layout->count; i++) {
		at += sim_random_below(random, GAP_MAX);
		layout->pieces[order[i]].at = at;
		at += layout->pieces[order[i]].count;
	}
}

bool
sim_layout_make(struct sim_layout *layout, struct sim_ring *ring, size_t length, uint32_t sge_max,
	struct sim_random *random)
{
	uint32_t max = RTE_MIN(sge_max, (uint32_t)SIM_SGE_MAX);

	*layout = (struct sim_layout){.memory = ring->memory, .length = length};
	if (length != 0 || sim_random_chance(random, 500))
		layout->count = sim_random_chance(random, 500) ? RTE_MIN(max, 1u)
							       : sim_random_below(random, max + 1);
	if (length != 0 && layout->count == 0)
		layout->count = 1;
	layout->span = length + layout->count * GAP_MAX;
	if (!sim_ring_take(ring, layout->span, &layout->start))
		return false;
	cut(layout, length, random);
	place(layout, random);
	return true;
}

void
sim_layout_store(const struct sim_layout *layout, const uint8_t *bytes)
{
	for (uint32_t i = 0; i < layout->count; i++) {
		sim_memory_store(
			layout->memory, layout->pieces[i].at, bytes, layout->pieces[i].count);
		bytes += layout->pieces[i].count;
	}
}

void
sim_layout_expect(const struct sim_layout *layout, const uint8_t *bytes, size_t length)
{
	for (uint32_t i = 0; i < layout->count; i++) {
		size_t count = RTE_MIN(layout->pieces[i].count, length);

		sim_memory_expect(layout->memory, layout->pieces[i].at, bytes, count);
		bytes += count;
		length -= count;
	}
}

void
sim_layout_doubt(const struct sim_layout *layout)
{
	for (uint32_t i = 0; i < layout->count; i++)
		sim_memory_doubt(layout->memory, layout->pieces[i].at, layout->pieces[i].count);
}

ptrdiff_t
sim_layout_wrong(const struct sim_layout *layout)
{
	if (layout->span == 0)
		return -1;
	return sim_memory_wrong(layout->memory, layout->start, layout->span);
}

void
sim_layout_sgl(const struct sim_layout *layout, struct nd_sge *sgl)
{
	for (uint32_t i = 0; i < layout->count; i++)
		sgl[i] = (struct nd_sge){
			.address = layout->memory->bytes + layout->pieces[i].at,
			.length = layout->pieces[i].count,
			.mr = layout->memory->mr,
		};
}
