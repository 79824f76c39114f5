/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "engine/engine.h"

uint64_t
engine_deadline_ns(const struct engine *engine)
{
	uint64_t next_ns = wheel_next_ns(&engine->wheel);

	if (!base_list_empty(&engine->ready) || !base_list_empty(&engine->starved) ||
		engine->rc.packet_count != 0)
		return 0;
	if (!engine->alone && engine_group_due(engine))
		return 0;
	if (engine->index != 0)
		return next_ns;
	next_ns = RTE_MIN(next_ns, engine->link_ns);
	next_ns = RTE_MIN(next_ns, cm_deadline(engine->cm));
	return RTE_MIN(next_ns, neigh_deadline(engine->neigh));
}
