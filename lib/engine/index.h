/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_INDEX_H
#define NDPDK_ENGINE_INDEX_H

#include <rte_rcu_qsbr.h>

#include "engine/engine.h"

/* An engine as a reader of the memory index (mem/grace.h). */

/**
 * The engine may read the memory index until engine_index_leave(): keys, handles and the bytes of
 * registered memory. By the owner, for as short as possible, because memory that other threads
 * close counts as in use until the engine leaves. A turn without frames and without work does not
 * enter.
 */
static inline void
engine_index_enter(struct engine *engine)
{
	if (engine->reading)
		return;
	rte_rcu_qsbr_thread_online(engine->qsbr, engine->index);
	engine->reading = true;
}

/** The engine holds no reference into the memory index any more. */
static inline void
engine_index_leave(struct engine *engine)
{
	if (!engine->reading)
		return;
	rte_rcu_qsbr_thread_offline(engine->qsbr, engine->index);
	engine->reading = false;
}

#endif
