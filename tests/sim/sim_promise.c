/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A connection whose peer has gone must end by itself, within the time that docs/timeouts.md tells:
 * an application that waits for it would hang otherwise. It is told by a keepalive, which all
 * adapters have where accidents happen, and some elsewhere. An endpoint that its own application
 * has flushed asks nobody any more: that application has to disconnect.
 */

#include "sim_world.h"

/** A peer delays an ACK by two to the power of this code, in units of 4.096 us. */
#define ACK_DELAY    12
/** Tries in ACK intervals: one, two, and four for each of the others of seven retries. */
#define TRIES        (1 + 2 + 4 * 6)
/** In eighths of those: a port that refuses packets of others is asked again, once for each try. */
#define LOOKS        (2 + 4 + 4 * 6)
/** Frames that were under way, tries that the port did not take, turns that were late. */
#define ALLOWANCE_NS UINT64_C(400000000)

/** @return whether nothing that belongs to the connection can come from the peer any more */
static bool
peer_gone(const struct sim_side *side)
{
	return side->pair->cut || side->peer->died || side->peer->state > SIM_SIDE_UP;
}

static uint64_t
keepalive_ns(const struct sim_side *side)
{
	return UINT64_C(1000000) * sim_node_keepalive_ms(side->node);
}

/** @return from the last sign of life to the end of the connection, at the most */
static uint64_t
patience_ns(const struct sim_side *side)
{
	/* "Raised" by the delay of the other side. */
	uint32_t code = RTE_MAX(side->world->plan.ack_timeout, (uint8_t)ACK_DELAY) + 1;

	return keepalive_ns(side) * 3 / 2 + (8 * TRIES + LOOKS) * (UINT64_C(4096) << code) / 8 +
		2 * (uint64_t)side->world->plan.stall_ns + ALLOWANCE_NS;
}

uint64_t
sim_promise_end_ns(struct sim_side *side)
{
	struct sim_world *world = side->world;

	if (!peer_gone(side) || side->flushed || keepalive_ns(side) == 0)
		return UINT64_MAX;
	/* A try that the port does not take does not count: a switch may pause it for long. */
	if (side->alone_ns == 0 || sim_net_port_out(&world->net, side->node->net_port)->paused)
		side->alone_ns = world->now_ns;
	/* An accident may keep this side from noticing. */
	return RTE_MAX(side->alone_ns, world->start_ns + world->plan.calm_ns) + patience_ns(side);
}
