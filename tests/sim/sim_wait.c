/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_world.h"

#include <string.h>

static void
finished(struct nd_overlapped *overlapped, void *arg)
{
	struct sim_wait *wait = arg;
	struct sim_world *world = wait->node->world;

	if (wait->done)
		sim_fail(world, "an operation was reported complete twice");
	if (overlapped != &wait->overlapped)
		sim_fail(world, "an operation was reported with a wrong overlapped structure");
	wait->done = true;
	wait->status = nd_overlapped_get_result(overlapped, NULL, false);
	if (wait->status == ND_PENDING)
		sim_fail(world, "an operation was reported complete, but is pending");
	sim_world_wake(wait->node, world->now_ns);
}

struct nd_overlapped *
sim_wait_begin(struct sim_wait *wait, struct sim_node *node)
{
	*wait = (struct sim_wait){.node = node, .begun = true};
	wait->overlapped.callback = finished;
	wait->overlapped.callback_arg = wait;
	return &wait->overlapped;
}

void
sim_wait_returned(struct sim_wait *wait, nd_status status)
{
	if (status == ND_PENDING)
		return;
	if (wait->done)
		sim_fail(
			wait->node->world, "an operation completed at once, but was also reported");
	wait->done = true;
	wait->status = status;
}
