/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_INDEX_H
#define NDPDK_ENGINE_INDEX_H

#include "base/assert.h"
#include "engine/engine.h"
#include "mem/grace.h"

/* These functions tell the memory index when an engine may be reading it; see mem/grace.h. */

/**
 * Begin reading the memory index: keys, handles and the bytes of registered memory.
 * engine_index_leave() ends the reading. Called by the engine's owner. Keep the time between both
 * calls short, because memory that other threads close stays in use until the engine leaves. A turn
 * without frames and without work does not call this function.
 */
static inline void
engine_index_enter(struct engine *engine)
{
	if (engine->reading)
		return;
	mem_reader_online(engine->qsbr, engine->reader);
	engine->reading = true;
}

/**
 * End reading. The engine must be reading, and must hold no reference into the memory index any
 * more.
 */
static inline void
engine_index_leave(struct engine *engine)
{
	BASE_ASSERT(engine->reading);
	mem_reader_offline(engine->reader);
	engine->reading = false;
}

#endif
