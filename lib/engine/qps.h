/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QPS_H
#define NDPDK_ENGINE_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

/*
 * What a turn does for queue pairs, in this order: send the ACKs that have waited for it, fire
 * deadlines that are due, bring the ready queue pairs forward.
 *
 * An ACK may wait until the next turn begins, so that the application's answer leaves before it;
 * lib/rc/acks.c says which ACK. The engine allows it only if its owner has promised to poll without
 * pause (the peer of one who does not come back would repeat its message until it gives up), if
 * turns follow each other soon, and only on the first engine: this one sends the DREQs, and the ACK
 * of another one would come behind.
 */

/** Deadlines of queue pairs that one turn looks at. */
#define ENGINE_DEADLINES_PER_TURN 64

/** A turn, or a post, follows a turn soon if it begins less than this after it. */
#define ENGINE_SOON_NS UINT64_C(10000)

/** @return whether this time is soon after the last turn began. */
static inline bool
engine_turn_is_soon(const struct engine *engine, uint64_t now_ns)
{
	return now_ns - engine->turn_ns < ENGINE_SOON_NS;
}

/** Send the ACKs that have waited since the last turn. @return as engine_transmit() */
unsigned int engine_acks_send(struct engine *engine, uint64_t now_ns);

/**
 * Called if the last turn began more than RC_AWAY_NS ago. Records the time in which the engine was
 * not polled as an absence (rc/timer.h).
 */
void engine_absence_note(struct engine *engine, uint64_t now_ns);

/** A turn begins. @return as engine_transmit() */
static inline unsigned int
engine_qps_begin(struct engine *engine, uint64_t now_ns)
{
	unsigned int sent = 0;

	if (engine->may_wait) {
		if (engine->rc.ack_waits)
			sent = engine_acks_send(engine, now_ns);
		engine->rc.patient = engine_turn_is_soon(engine, now_ns);
	}
	if (unlikely(now_ns - engine->turn_ns > RC_AWAY_NS))
		engine_absence_note(engine, now_ns);
	engine->turn_ns = now_ns;
	return sent;
}

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
