/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Sabotage: a deliberate fault, once per run, after the work has begun. The checks of the run must
 * detect it.
 */

#include "sim_world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Number of turns of the world before the sabotage. */
#define TURNS_BEFORE 300

static const char *const names[SIM_SABOTAGE_COUNT] = {
	[SIM_SABOTAGE_NONE] = "none",
	[SIM_SABOTAGE_BYTE] = "byte",
	[SIM_SABOTAGE_LEAK] = "leak",
	[SIM_SABOTAGE_FORGET] = "forget",
	[SIM_SABOTAGE_RESULT] = "result",
	[SIM_SABOTAGE_HANG] = "hang",
	[SIM_SABOTAGE_CRASH] = "crash",
	[SIM_SABOTAGE_EXIT] = "exit",
};

enum sim_sabotage
sim_sabotage_find(const char *name)
{
	for (uint32_t i = 1; i < SIM_SABOTAGE_COUNT; i++) {
		if (strcmp(names[i], name) == 0)
			return (enum sim_sabotage)i;
	}
	return SIM_SABOTAGE_NONE;
}

void
sim_sabotage_turn(struct sim_node *node)
{
	struct sim_world *world = node->world;

	if (world->plan.sabotage == SIM_SABOTAGE_NONE || world->sabotaged ||
		world->turns < TURNS_BEFORE || node->side_count == 0)
		return;
	world->sabotaged = world->plan.sabotage != SIM_SABOTAGE_RESULT;
	switch (world->plan.sabotage) {
	case SIM_SABOTAGE_BYTE:
		node->sides[0]->exposed.bytes[0] ^= 1;
		break;
	case SIM_SABOTAGE_LEAK:
		(void)rte_mempool_get(node->engines[0].pool, &(void *){NULL});
		break;
	case SIM_SABOTAGE_FORGET:
		(void)nd_adapter_create_connector(node->adapter, &(struct nd_connector *){NULL});
		break;
	case SIM_SABOTAGE_HANG:
		node->ready_ns = UINT64_MAX;
		break;
	case SIM_SABOTAGE_CRASH:
		abort();
	case SIM_SABOTAGE_EXIT:
		_exit(1);
	case SIM_SABOTAGE_NONE:
	case SIM_SABOTAGE_RESULT:
	case SIM_SABOTAGE_COUNT:
		break;
	}
}

bool
sim_sabotage_loses_result(struct sim_world *world)
{
	if (world->plan.sabotage != SIM_SABOTAGE_RESULT || world->sabotaged ||
		world->turns < TURNS_BEFORE)
		return false;
	world->sabotaged = true;
	return true;
}
