/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * After the loss of the peer, a connection must end by itself within the time in docs/timeouts.md,
 * because a waiting application would hang otherwise. Keepalives detect the loss. All adapters send
 * keepalives if the plan has accidents; otherwise only some adapters do. An endpoint that its
 * application has flushed sends no keepalives, so this application must disconnect.
 */

#include "sim_world.h"

/** A peer delays an ACK by two to the power of this code, in units of 4.096 us. */
#define ACK_DELAY    12
/** Tries in ACK intervals: one, two, and four for each of the others of seven retries. */
#define TRIES        (1 + 2 + 4 * 6)
/** In eighths of an ACK interval: a port that refuses packets is tried again, once per try. */
#define LOOKS        (2 + 4 + 4 * 6)
/** Allowance for frames in flight, tries that the port refused, and late turns. */
#define ALLOWANCE_NS UINT64_C(400000000)

/** @return whether no more packets of the connection can come from the peer */
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

/** @return maximum time from the last packet of the peer to the end of the connection */
static uint64_t
patience_ns(const struct sim_side *side)
{
	/* The larger of both sides' delays counts, plus 1. */
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
	/* A try that the port refuses does not count, because a switch may pause the port. */
	if (side->alone_ns == 0 || sim_net_port_out(&world->net, side->node->net_port)->paused)
		side->alone_ns = world->now_ns;
	/* Until the last accident is over, this side may be unable to detect the loss. */
	return RTE_MAX(side->alone_ns, world->start_ns + world->plan.calm_ns) + patience_ns(side);
}
