/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Mischief: one deliberate error of the application, on the first pair of a run. After the
 * mischief, requests of this pair may fail with the matching status. Other pairs must not be
 * affected.
 */

#include "sim_world.h"

#include <rte_byteorder.h>

#include "sim_trace.h"

/** Number of a side's checks at short intervals, and maximum interval of later checks in ns. */
#define LOOKS_OFTEN 1024u
#define LOOK_MAX_NS UINT64_C(1000000)

bool
sim_mischief_pending(const struct sim_pair *pair)
{
	const struct sim_world *world = pair->sides[0].world;

	return pair->index == 0 && world->plan.mischief != SIM_MISCHIEF_NONE &&
		!world->mischief_done;
}

/**
 * @return a window that this side may use and that has the rights `with` but not the rights
 * `without`
 */
static uint32_t
window_find(const struct sim_side *side, uint32_t with, uint32_t without)
{
	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		const struct sim_window *window = &side->peer->windows[i];

		if (window->state == SIM_WINDOW_KNOWN && (window->rights & with) == with &&
			(window->rights & without) == 0)
			return i;
	}
	return SIM_WINDOWS;
}

static bool
access_bad(struct sim_side *side, bool write, uint32_t index, size_t offset, size_t length)
{
	const struct sim_window *window = &side->peer->windows[index];

	return sim_post_access(side,
		&(struct sim_access){.write = write,
			.window = index,
			.offset = offset,
			.length = length,
			.bad = true,
			.descriptor = window->descriptor});
}

static bool
atomic_bad(struct sim_side *side)
{
	uint32_t index = window_find(
		side, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, ND_OP_FLAG_ALLOW_ATOMIC);
	const struct sim_window *window = &side->peer->windows[index % SIM_WINDOWS];
	size_t skip = sim_atomic_offset(side->peer, window);

	return index != SIM_WINDOWS && window->length >= skip + 8 &&
		side->outbound_reads_agreed != 0 &&
		sim_post_atomic(
			side, &(struct sim_atomic){.window = index, .offset = skip, .bad = true});
}

static bool
access_bad_key(struct sim_side *side, bool write)
{
	return sim_post_access(side,
		&(struct sim_access){.write = write,
			.length = 1,
			.bad = true,
			.descriptor = {
				.base = rte_cpu_to_be_64((uintptr_t)side->peer->exposed.bytes),
				.length = rte_cpu_to_be_64(side->peer->exposed.size),
				.token = (uint32_t)sim_random_u64(&side->random),
			}});
}

/** @return a window of another connection on the peer's adapter; NULL if no such window exists */
static const struct sim_window *
window_foreign(const struct sim_side *side)
{
	const struct sim_node *there = side->peer->node;

	for (uint32_t i = 1; i < there->side_count; i++) {
		const struct sim_side *other = there->sides[i];

		for (uint32_t k = 0; k < SIM_WINDOWS; k++) {
			const struct sim_window *window = &other->windows[k];

			if (window->state == SIM_WINDOW_KNOWN &&
				(window->rights & ND_OP_FLAG_ALLOW_WRITE) != 0)
				return window;
		}
	}
	return NULL;
}

static bool
foreign_key(struct sim_side *side, bool write)
{
	const struct sim_window *window = window_foreign(side);

	if (window == NULL)
		return false;
	if (write)
		return sim_post_access(side,
			&(struct sim_access){.write = true,
				.length = 1,
				.bad = true,
				.descriptor = window->descriptor});
	return sim_post_send(side,
		&(struct sim_send){
			.invalidate = true, .bad = true, .foreign = &window->descriptor});
}

static bool
write_stale(struct sim_side *side)
{
	uint32_t index = window_find(side, ND_OP_FLAG_ALLOW_WRITE, 0);
	struct sim_window *window = &side->peer->windows[index % SIM_WINDOWS];
	struct nd_mw_descriptor descriptor = window->descriptor;

	if (index == SIM_WINDOWS ||
		!sim_post_send(side,
			&(struct sim_send){.invalidate = true,
				.window = index,
				.flags = ND_OP_FLAG_READ_FENCE}))
		return false;
	window->state = SIM_WINDOW_ENDING;
	return sim_post_access(side,
		&(struct sim_access){.write = true,
			.window = index,
			.length = 1,
			.bad = true,
			.descriptor = descriptor});
}

static bool
invalidate_twice(struct sim_side *side)
{
	for (uint32_t i = 0; i < SIM_WINDOWS; i++) {
		if (side->windows[i].state == SIM_WINDOW_IDLE)
			return sim_post_invalidate(side, i, 0, true);
	}
	return false;
}

/** Post a SEND from, or a READ into, memory that was deregistered. */
static bool
dead_memory(struct sim_side *side)
{
	static uint8_t dead[64];
	uint32_t index = window_find(side, ND_OP_FLAG_ALLOW_READ, 0);
	struct nd_sge sge = {.address = dead, .length = 1};
	bool read = index != SIM_WINDOWS && side->outbound_reads_agreed != 0;
	struct sim_op *op = sim_post_begin(side, &side->out, read ? SIM_OP_READ : SIM_OP_WRITE);
	nd_status status;

	if (op == NULL)
		return false;
	op->bad = true;
	op->expected = ND_ACCESS_VIOLATION;
	status = nd_adapter_register_memory(side->node->adapter, dead, sizeof(dead), NULL, &sge.mr);
	if (status == ND_SUCCESS)
		status = nd_adapter_deregister_memory(side->node->adapter, sge.mr, NULL);
	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: dead memory: %s", side->name, nd_status_name(status));
	if (read)
		status = nd_endpoint_read(side->endpoint, &op->result, &sge, 1,
			&side->peer->windows[index].descriptor, 0, 0);
	else
		status = nd_endpoint_write(side->endpoint, &op->result, &sge, 1,
			&side->peer->windows[0].descriptor, 0, 0);
	return sim_post_end(side, op, status);
}

static bool
too_long(struct sim_side *side)
{
	side->receive_limit = side->world->plan.message_max / 2 + 1;
	side->peer->left += 20;
	return true;
}

static bool
flush(struct sim_side *side)
{
	nd_status status = nd_endpoint_flush(side->endpoint);

	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: flush: %s", side->name, nd_status_name(status));
	side->fatal = true;
	side->flushed = true;
	return true;
}

static bool
release(struct sim_side *side)
{
	nd_status status = nd_endpoint_release(side->endpoint);

	if (status != ND_SUCCESS)
		sim_fail(side->world, "%s: release: %s", side->name, nd_status_name(status));
	side->endpoint = NULL;
	side->node->emptied = false;
	sim_connect_end(side);
	return true;
}

static bool
end(struct sim_side *side, bool both)
{
	sim_connect_end(side);
	if (both)
		side->peer->give_up_ns =
			side->world->now_ns + sim_random_below(&side->random, 100000);
	sim_world_wake(side->peer->node, side->peer->give_up_ns);
	return true;
}

static bool
cut(struct sim_world *world)
{
	/*
	 * Wait until all connections are established, because a connection in set-up could not
	 * report the failure.
	 */
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++) {
			if (world->pairs[i].sides[k].state < SIM_SIDE_UP)
				return false;
		}
	}
	for (uint32_t i = 0; i < 2; i++)
		sim_net_cut(&world->net, world->nodes[i].net_port, true);
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		sim_side_doom(&world->pairs[i]);
		world->pairs[i].cut = true;
		world->pairs[i].rounds = 0;
	}
	return true;
}

/** Commit the mischief. @return false if it is impossible in the current state */
static bool
commit(struct sim_side *side, enum sim_mischief mischief)
{
	uint32_t index;

	switch (mischief) {
	case SIM_WRITE_BEYOND:
		index = window_find(side, ND_OP_FLAG_ALLOW_WRITE, 0);
		return index != SIM_WINDOWS &&
			access_bad(side, true, index, side->peer->windows[index].length - 1, 2);
	case SIM_WRITE_READ_ONLY:
		index = window_find(side, 0, ND_OP_FLAG_ALLOW_WRITE);
		return index != SIM_WINDOWS && access_bad(side, true, index, 0, 1);
	case SIM_READ_WRITE_ONLY:
		index = window_find(side, 0, ND_OP_FLAG_ALLOW_READ);
		return index != SIM_WINDOWS && side->outbound_reads_agreed != 0 &&
			access_bad(side, false, index, 0, 1);
	case SIM_ATOMIC_NO_RIGHT:
		return atomic_bad(side);
	case SIM_READ_BAD_KEY:
		return side->outbound_reads_agreed != 0 && access_bad_key(side, false);
	case SIM_MISCHIEF_NONE:
	case SIM_MISCHIEF_COUNT:
	case SIM_WRITE_BAD_KEY:
		return access_bad_key(side, true);
	case SIM_WRITE_FOREIGN_KEY:
	case SIM_SEND_FOREIGN_KEY:
		return foreign_key(side, mischief == SIM_WRITE_FOREIGN_KEY);
	case SIM_WRITE_STALE_KEY:
		return write_stale(side);
	case SIM_SEND_BAD_KEY:
		return sim_post_send(side, &(struct sim_send){.invalidate = true, .bad = true});
	case SIM_SEND_TOO_LONG:
		return too_long(side);
	case SIM_INVALIDATE_TWICE:
		return invalidate_twice(side);
	case SIM_DEAD_MEMORY:
		return dead_memory(side);
	case SIM_FLUSH:
		return flush(side);
	case SIM_DISCONNECT:
	case SIM_DISCONNECT_BOTH:
		return end(side, mischief == SIM_DISCONNECT_BOTH);
	case SIM_RELEASE:
		return release(side);
	case SIM_CUT:
		return cut(side->world);
	}
	return false;
}

/**
 * The mischief is not possible now. Schedule the next check after a growing interval. With a fixed
 * interval, a side whose peer sleeps or has no link could check a hundred million times.
 */
static void
look_again(struct sim_side *side)
{
	uint64_t ns = side->world->plan.think_ns + 1;

	if (++side->mischief_looks > LOOKS_OFTEN)
		ns <<= RTE_MIN((side->mischief_looks - LOOKS_OFTEN) / 16, 20u);
	sim_world_wake(side->node, side->world->now_ns + RTE_MIN(ns, LOOK_MAX_NS));
}

void
sim_mischief_turn(struct sim_side *side)
{
	struct sim_world *world = side->world;
	const struct sim_plan *plan = &world->plan;
	bool now = side->left == 0 || side->left + plan->mischief_after <= plan->operations;

	/*
	 * An accident has already doomed the pair, so the result of a mischief cannot be checked.
	 */
	if (side->doomed)
		return;
	if (side != &side->pair->sides[plan->seed % 2] || side->peer->state != SIM_SIDE_UP ||
		!now) {
		look_again(side);
		return;
	}
	/* Doom the pair before the call, because the call may have an effect at once. */
	sim_side_doom(side->pair);
	world->mischief_done = true;
	if (commit(side, plan->mischief) || (side->left == 0 && commit(side, SIM_FLUSH))) {
		sim_trace_event(&world->trace, side->name, sim_mischief_name(plan->mischief), 0, 0);
		return;
	}
	/* The mischief was not possible, so undo these changes. */
	for (uint32_t i = 0; i < 2; i++)
		side->pair->sides[i].doomed = false;
	world->mischief_done = false;
	look_again(side);
}
