/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * If the peer is lost, a connection must end by itself within the time in docs/timeouts.md.
 * Otherwise a waiting application would hang. Keepalives detect the loss. If the plan has
 * accidents, all adapters send keepalives; otherwise only some adapters do. An endpoint that its
 * application has flushed sends no keepalives, so this application must disconnect.
 */

#include "sim_world.h"

/** Maximum time for which a peer delays an ACK, as exponent n of 4.096 us * 2^n. */
#define ACK_DELAY    12
/**
 * Time of all tries of a packet, in ACK intervals: 1 after the first try, 2 after the first retry,
 * 4 after each of the other six retries.
 */
#define TRIES        (1 + 2 + 4 * 6)
/**
 * Additional time in eighths of an ACK interval. It is needed because a port may refuse a packet,
 * and then each try is repeated.
 */
#define LOOKS        (2 + 4 + 4 * 6)
/** Time in ns allowed for frames in flight, for tries that the port refused, and for late turns. */
#define ALLOWANCE_NS UINT64_C(400000000)

/** @return true if no more packets of the connection can arrive from the peer */
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

/** @return maximum time in ns from the last packet of the peer to the end of the connection */
static uint64_t
patience_ns(const struct sim_side *side)
{
	/* The ACK timeout uses the larger exponent of both sides, plus 1. */
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
	/*
	 * While a switch pauses the port, tries are refused and do not count. So the time starts
	 * after the pause.
	 */
	if (side->alone_ns == 0 || sim_net_port_out(&world->net, side->node->net_port)->paused)
		side->alone_ns = world->now_ns;
	/*
	 * The limit starts after the last accident, because this side may be unable to detect the
	 * loss before.
	 */
	return RTE_MAX(side->alone_ns, world->start_ns + world->plan.calm_ns) + patience_ns(side);
}
