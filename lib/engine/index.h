/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_INDEX_H
#define NDPDK_ENGINE_INDEX_H

#include <rte_rcu_qsbr.h>

#include "engine/engine.h"

/* Functions that register an engine as a reader of the memory index (mem/grace.h). */

/**
 * Begin reading the memory index: keys, handles and the bytes of registered memory. Ends with
 * engine_index_leave(). Called by the owner. Keep this period short, because memory that other
 * threads close counts as in use until the engine leaves. A turn without frames and without work
 * does not enter.
 */
static inline void
engine_index_enter(struct engine *engine)
{
	if (engine->reading)
		return;
	rte_rcu_qsbr_thread_online(engine->qsbr, engine->index);
	engine->reading = true;
}

/** End reading: the engine holds no reference into the memory index any more. */
static inline void
engine_index_leave(struct engine *engine)
{
	if (!engine->reading)
		return;
	rte_rcu_qsbr_thread_offline(engine->qsbr, engine->index);
	engine->reading = false;
}

#endif
