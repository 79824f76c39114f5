/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/holes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/dpdk_compat.h"
#include "base/limits.h"

static_assert(RC_HOLE_MAPS == 64, "one word has a bit for each map");
static_assert(
	RC_HOLE_BITS >= LIMIT_SEND_WINDOW, "a map has a bit for each packet of a send window");

static uint64_t
mask_of(uint32_t psn)
{
	return UINT64_C(1) << (psn % 64);
}

static size_t
word_of(uint32_t psn)
{
	return psn % RC_HOLE_BITS / 64;
}

struct rc_holes *
rc_holes_take(struct rc_hole_maps *maps)
{
	struct rc_holes *holes;
	uint32_t index;

	if (maps->taken == UINT64_MAX)
		return NULL;
	index = (uint32_t)rte_bsf64(~maps->taken);
	holes = &maps->maps[index];
	maps->taken |= UINT64_C(1) << index;
	memset(holes, 0, sizeof(*holes));
	return holes;
}

void
rc_holes_give(struct rc_hole_maps *maps, struct rc_holes *holes)
{
	size_t index = (size_t)(holes - maps->maps);

	BASE_ASSERT(index < RC_HOLE_MAPS && (maps->taken >> index & 1) != 0);
	maps->taken &= ~(UINT64_C(1) << index);
}

bool
rc_holes_has(const struct rc_holes *holes, uint32_t psn)
{
	return (holes->words[word_of(psn)] & mask_of(psn)) != 0;
}

void
rc_holes_set(struct rc_holes *holes, uint32_t psn)
{
	BASE_ASSERT(!rc_holes_has(holes, psn));
	holes->words[word_of(psn)] |= mask_of(psn);
	holes->count++;
}

void
rc_holes_pass(struct rc_holes *holes, uint32_t psn, uint32_t count)
{
	for (uint32_t i = 0; i < RTE_MIN(count, (uint32_t)RC_HOLE_BITS) && holes->count != 0; i++) {
		if (!rc_holes_has(holes, psn + i))
			continue;
		holes->words[word_of(psn + i)] &= ~mask_of(psn + i);
		holes->count--;
	}
}

uint32_t
rc_holes_run(const struct rc_holes *holes, uint32_t psn, uint32_t most)
{
	bool set = rc_holes_has(holes, psn);
	uint32_t run = 1;

	if (!set && holes->count == 0)
		return most;
	most = RTE_MIN(most, (uint32_t)RC_HOLE_BITS);
	while (run < most && rc_holes_has(holes, psn + run) == set)
		run++;
	return run;
}
