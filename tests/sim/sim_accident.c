/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Accidents: external events at adapters, at the times of the plan. An accident may end connections
 * of its adapter; applications then connect again. When all accidents are over and all broken
 * connections were detected, everything must work. From then on, a failure is an error.
 */

#include "sim_world.h"

#include <ndpdk/nd_end.h>

#include "sim_trace.h"

/** Duration in ns of an encoded ACK timeout: 4.096 us * 2^code. */
#define ACK_TIMEOUT_NS(code) (UINT64_C(4096) << (code))
/**
 * Growth of the ACK interval: during ACK_TRIES retries, it becomes at most ACK_GROWTH times its
 * initial value.
 */
#define ACK_GROWTH           4
#define ACK_TRIES            8
/**
 * Maximum interval in ns between transmissions of a CM message, and maximum number of
 * transmissions.
 */
#define CM_NS                UINT64_C(80000000)
#define CM_TRIES             16
/**
 * SIM_ACCIDENT_SHORT: length in bytes up to which a frame is not dropped. CM messages are shorter
 * than this.
 */
#define SHORT_BYTES          400
/**
 * Time in ns during which late requests of an ended connection may arrive at the next connection.
 */
#define SETTLE_NS            UINT64_C(100000000)
/** Time in ns until address resolution fails if the neighbour is absent. */
#define NEIGHBOUR_NS         UINT64_C(5000000000)

static void
event_add(struct sim_world *world, uint64_t at_ns, const struct sim_accident *accident, bool end)
{
	uint32_t at = world->event_count++;

	for (; at != 0 && world->events[at - 1].at_ns > at_ns; at--)
		world->events[at] = world->events[at - 1];
	world->events[at] = (struct sim_accident_event){at_ns, accident, end};
}

void
sim_accident_init(struct sim_world *world)
{
	world->progress_ns = world->now_ns;
	for (uint32_t i = 0; i < world->plan.accident_count; i++) {
		const struct sim_accident *accident = &world->plan.accidents[i];
		uint64_t at_ns = world->start_ns + accident->at_ns;

		event_add(world, at_ns, accident, false);
		if (accident->ns != UINT64_MAX)
			event_add(world, at_ns + accident->ns, accident, true);
	}
}

uint64_t
sim_accident_next_ns(const struct sim_world *world)
{
	return world->event_next == world->event_count ? UINT64_MAX
						       : world->events[world->event_next].at_ns;
}

uint64_t
sim_accident_patience_ns(const struct sim_world *world)
{
	const struct sim_plan *plan = &world->plan;

	/*
	 * Each side may use all retries of a request, and then all retries of a handshake or a
	 * disconnect.
	 */
	return 2 * (ACK_TRIES * ACK_GROWTH * ACK_TIMEOUT_NS(plan->ack_timeout) + CM_TRIES * CM_NS) +
		(plan->static_neighbours ? 0 : NEIGHBOUR_NS) + 2 * (uint64_t)plan->stall_ns;
}

bool
sim_accident_ids_known(const struct sim_pair *pair)
{
	for (uint32_t i = 0; i < 2; i++) {
		const struct sim_node *node = pair->sides[i].node;

		if (node->life != 0 && node->index == node->world->plan.forgetful_node)
			return true;
	}
	return false;
}

/** @return true if a full queue of the network has dropped a frame */
static bool
queues_overflowed(struct sim_world *world)
{
	for (uint32_t i = 0; i < world->net.edge_count; i++) {
		if (sim_net_link(&world->net, i)->queue_drops != 0)
			return true;
	}
	return false;
}

/**
 * ND_CONGESTION_NONE is for lossless networks. With this setting, an adapter retransmits all
 * outstanding packets at each timeout. If several connections retransmit at the same time, the
 * queue of a switch may be full whenever one of the connections sends.
 * @return true if a side without congestion control may have exhausted its retries for this reason
 */
static bool
is_overrun(const struct sim_pair *pair)
{
	struct sim_world *world = pair->sides[0].world;

	for (uint32_t i = 0; i < 2; i++) {
		const struct sim_side *side = &pair->sides[i];
		struct nd_end end = {.reason = ND_END_NONE};

		if (side->connector == NULL ||
			world->plan.stacks[side->node->index].congestion != ND_CONGESTION_NONE)
			continue;
		nd_connector_get_end_reason(side->connector, &end);
		if (end.reason == ND_END_RETRIES && queues_overflowed(world))
			return true;
	}
	return false;
}

bool
sim_accident_explains(const struct sim_side *side)
{
	const struct sim_world *world = side->world;
	uint64_t calm_ns = world->start_ns + world->plan.calm_ns;

	if (side->doomed || side->pair->lost || is_overrun(side->pair))
		return true;
	/*
	 * Repeated identifiers excuse only a failure in set-up, because an established connection
	 * must not fail.
	 */
	if (side->state < SIM_SIDE_UP && sim_accident_ids_known(side->pair))
		return true;
	return world->plan.accident_count != 0 && side->pair->begun_ns <= calm_ns + SETTLE_NS &&
		world->now_ns < calm_ns + sim_accident_patience_ns(world);
}

bool
sim_accident_excuses(struct sim_side *side)
{
	if (!sim_accident_explains(side))
		return false;
	if (!side->doomed)
		sim_side_doom(side->pair);
	return true;
}

/** Mark all connections of an adapter that is unreachable from now on. */
static void
node_lose(struct sim_node *node, enum sim_accident_kind kind)
{
	for (uint32_t i = 0; i < node->side_count; i++) {
		node->sides[i]->pair->lost = true;
		node->sides[i]->pair->cut = kind == SIM_ACCIDENT_CUT;
		sim_side_doom(node->sides[i]->pair);
	}
}

/** Drop all frames to and from a node that are longer than `bytes`. @param bytes 0 = no limit */
static void
frames_limit(struct sim_node *node, uint32_t bytes)
{
	struct sim_net *net = &node->world->net;

	sim_net_port_in(net, node->net_port)->config.frame_max = bytes;
	sim_net_port_out(net, node->net_port)->config.frame_max = bytes;
}

static void
begin(struct sim_node *node, const struct sim_accident *accident)
{
	struct sim_world *world = node->world;

	if (accident->ns == UINT64_MAX)
		node_lose(node, accident->kind);
	switch (accident->kind) {
	case SIM_ACCIDENT_CUT:
		sim_net_cut(&world->net, node->net_port, true);
		break;
	case SIM_ACCIDENT_SLEEP:
		node->ready_ns = RTE_MAX(node->ready_ns, world->now_ns + accident->ns);
		break;
	case SIM_ACCIDENT_MUTE:
		sim_net_pause(&world->net, node->net_port, true);
		break;
	case SIM_ACCIDENT_SHORT:
		frames_limit(node, SHORT_BYTES);
		break;
	case SIM_ACCIDENT_POWER:
	case SIM_ACCIDENT_CLOSE:
		/*
		 * The adapter may not exist, because it is not restarted after all applications
		 * have finished.
		 */
		if (node->adapter != NULL)
			sim_node_die(node, accident->kind == SIM_ACCIDENT_POWER);
		break;
	case SIM_ACCIDENT_COUNT:
		break;
	}
}

static void
end(struct sim_node *node, const struct sim_accident *accident)
{
	struct sim_world *world = node->world;

	switch (accident->kind) {
	case SIM_ACCIDENT_CUT:
		sim_net_cut(&world->net, node->net_port, false);
		break;
	case SIM_ACCIDENT_MUTE:
		sim_net_pause(&world->net, node->net_port, false);
		break;
	case SIM_ACCIDENT_SHORT:
		frames_limit(node, 0);
		break;
	case SIM_ACCIDENT_POWER:
	case SIM_ACCIDENT_CLOSE:
		/* When the run is closing, no application would use a new adapter. */
		if (!world->closing)
			sim_node_revive(node);
		break;
	case SIM_ACCIDENT_SLEEP:
	case SIM_ACCIDENT_COUNT:
		break;
	}
}

void
sim_accident_happen(struct sim_world *world)
{
	static const char *const names[] = {
		[SIM_ACCIDENT_CUT] = "cut",
		[SIM_ACCIDENT_SLEEP] = "sleep",
		[SIM_ACCIDENT_MUTE] = "mute",
		[SIM_ACCIDENT_SHORT] = "short",
		[SIM_ACCIDENT_POWER] = "power",
		[SIM_ACCIDENT_CLOSE] = "close",
	};

	while (sim_accident_next_ns(world) <= world->now_ns) {
		const struct sim_accident_event *event = &world->events[world->event_next++];
		const struct sim_accident *accident = event->accident;
		struct sim_node *node = &world->nodes[accident->node];

		sim_trace_event(
			&world->trace, node->name, names[accident->kind], (int64_t)event->end, 0);
		if (event->end)
			end(node, accident);
		else
			begin(node, accident);
	}
}
