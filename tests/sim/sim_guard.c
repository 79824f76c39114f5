/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Guard memory, which no peer may access. A thread that owns no engine registers and deregisters
 * this memory at random times. So the memory index reuses entries of regions that have just ended.
 * No byte of the guard memory may ever change.
 */

#include "sim_trace.h"
#include "sim_world.h"

/**
 * Number of pieces of the block. The pieces are registered in reverse order, so they are not
 * contiguous.
 */
#define PIECES       3u
#define PIECE_BYTES  1024u
/**
 * Per mille of a node's turns with a registration call. CALLS_PAUSED applies while an engine is
 * paused.
 */
#define CALLS        20
#define CALLS_PAUSED 300

static void
check(const struct sim_node *node)
{
	const struct sim_memory *memory = &node->guard.memory;
	ptrdiff_t wrong = sim_memory_wrong(memory, 0, memory->size);

	if (wrong >= 0)
		sim_fail(node->world, "%s: byte %td of memory without access rights was changed",
			node->name, wrong);
}

static nd_status
guard_register(struct sim_node *node)
{
	struct sim_memory *memory = &node->guard.memory;
	struct nd_buffer buffers[PIECES];

	for (uint32_t i = 0; i < PIECES; i++)
		buffers[i] = (struct nd_buffer){
			memory->bytes + (PIECES - 1 - i) * PIECE_BYTES, PIECE_BYTES};
	return nd_adapter_register_region(
		node->adapter, buffers, PIECES, memory->bytes, 0, NULL, &memory->mr);
}

static void
call(struct sim_node *node, void *arg)
{
	struct sim_guard *guard = arg;
	bool out = guard->memory.mr != NULL;
	nd_status status = out ? nd_adapter_deregister_memory(node->adapter, guard->memory.mr, NULL)
			       : guard_register(node);

	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: %s private memory: %s", node->name,
			out ? "deregister" : "register", nd_status_name(status));
	if (out)
		guard->memory.mr = NULL;
	guard->busy = false;
	check(node);
}

void
sim_guard_open(struct sim_node *node)
{
	if (node->world->plan.yield != 0)
		sim_memory_init(
			&node->guard.memory, (size_t)PIECES * PIECE_BYTES, &node->engine_random);
}

void
sim_guard_turn(struct sim_node *node)
{
	struct sim_guard *guard = &node->guard;

	if (guard->memory.bytes == NULL || guard->busy ||
		!sim_random_chance(
			&node->engine_random, sim_yield_paused(node, true) ? CALLS_PAUSED : CALLS))
		return;
	guard->busy = true;
	sim_yield_call(node, call, guard);
}

void
sim_guard_lose(struct sim_node *node)
{
	node->guard.memory.mr = NULL;
}

void
sim_guard_close(struct sim_node *node)
{
	if (node->guard.memory.bytes == NULL)
		return;
	check(node);
	if (node->guard.memory.mr != NULL)
		call(node, &node->guard);
	sim_memory_fini(&node->guard.memory);
	node->guard.memory.bytes = NULL;
}
