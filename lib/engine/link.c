/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Reactions to changes of the port's link. The loss of the link ends no connection: retries and
 * keepalives decide, as for any other packet loss. When the link is up again, the cable may be
 * connected to another switch, and peers may have moved. Therefore the adapter announces its
 * address, and resolves the next hops of its connections again without waiting for timers.
 */

#include "engine/link.h"

/** Time between two checks, in nanoseconds. A check may cost a query to the NIC or the kernel. */
#define LOOK_NS UINT64_C(200000000)

/**
 * Maximum number of connections for which a link change resolves the next hop again. neigh_doubt()
 * limits the rate.
 */
#define PEERS_MAX 64

void
engine_link_begin(struct engine *engine, uint64_t now_ns)
{
	engine->link_ns = engine->io->look == NULL ? BASE_TIME_NEVER : now_ns;
}

static void
came_back(struct engine *engine, uint64_t now_ns)
{
	struct base_list *node;
	unsigned int count = 0;

	neigh_start(engine->neigh, now_ns);
	BASE_LIST_FOREACH (node, &engine->served) {
		if (count++ == PEERS_MAX)
			break;
		neigh_doubt(engine->neigh, &base_list_entry(node, struct engine_qp, node)->peer,
			now_ns);
	}
}

void
engine_link_look(struct engine *engine, uint64_t now_ns)
{
	const struct port_link link = engine->io->look(engine->io->look_arg);
	struct engine_counters *counters = &engine->counters;
	bool back = link.ups != counters->link_up;

	engine->link_ns = now_ns + LOOK_NS;
	counters->link_up = link.ups;
	counters->link_down = link.downs;
	if (back && link.up)
		came_back(engine, now_ns);
}
