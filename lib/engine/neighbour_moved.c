/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Reaction to a peer that gets another MAC address and keeps its IP address, because another port
 * of a bond carries it, or a virtual machine has moved. The neighbour table detects this
 * (neigh/table.c describes when). This file updates the queue pairs and CM connections that send to
 * the peer, directly or through it as a gateway.
 */

#include <rte_log.h>

#include "engine/engine.h"

RTE_LOG_REGISTER(neighbour_moved_log, lib.ndpdk.neigh.moved, NOTICE)

struct neighbour_moved {
	const struct engine *engine;
	const struct wire_gid *address;
};

static bool
concerns(void *arg, const struct wire_gid *peer)
{
	const struct neighbour_moved *moved = arg;
	const struct wire_gid *hop = neigh_next_hop(moved->engine->neigh, peer);

	return hop != NULL && wire_gid_equal(hop, moved->address);
}

void
engine_neighbour_need(struct engine *engine, const struct cm_id *id)
{
	uint64_t now_ns = engine_now_ns(engine);
	struct cm_route route;
	struct rte_ether_addr mac;

	cm_id_route(id, &route);
	/*
	 * If the request came from another MAC address than the table contains, the table may be
	 * out of date.
	 */
	if (neigh_lookup(engine->neigh, &route.remote_gid, &mac, now_ns) == NEIGH_FOUND &&
		!rte_is_same_ether_addr(&mac, &route.remote_mac))
		neigh_doubt(engine->neigh, &route.remote_gid, now_ns);
}

void
engine_neighbour_moved(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac)
{
	struct engine *engine = arg;
	struct neighbour_moved moved = {engine, address};
	struct base_list *node;
	unsigned int count = 0;
	char text[WIRE_GID_TEXT_BYTES];

	BASE_LIST_FOREACH (node, &engine->served) {
		struct engine_qp *slot = base_list_entry(node, struct engine_qp, node);

		if (!concerns(&moved, &slot->peer) || rte_is_same_ether_addr(&slot->peer_mac, mac))
			continue;
		slot->peer_mac = *mac;
		engine_qp_move(slot, mac);
		count++;
	}
	cm_set_destination(engine->cm, concerns, &moved, mac);
	if (count != 0)
		rte_log(RTE_LOG_INFO, neighbour_moved_log,
			"%s moved to " RTE_ETHER_ADDR_PRT_FMT ": %u connections updated\n",
			wire_gid_format(address, text, sizeof(text)), RTE_ETHER_ADDR_BYTES(mac),
			count);
}
