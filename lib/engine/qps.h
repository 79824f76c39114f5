/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QPS_H
#define NDPDK_ENGINE_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

/*
 * What a turn does for queue pairs: fire deadlines that are due, bring the ready ones forward.
 */

/** Deadlines of queue pairs that one turn looks at. */
#define ENGINE_DEADLINES_PER_TURN 64

/** Fire the deadlines that are due, ENGINE_DEADLINES_PER_TURN at most. */
void engine_deadlines_fire(struct engine *engine, uint64_t now_ns);

/** Bring every ready queue pair forward once. */
void engine_lists_progress(struct engine *engine, uint64_t now_ns);

static inline void
engine_qps_progress(struct engine *engine, uint64_t now_ns)
{
	if (!base_list_empty(&engine->ready) || !base_list_empty(&engine->starved))
		engine_lists_progress(engine, now_ns);
}

#endif
