/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_QPS_H
#define NDPDK_ENGINE_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

/*
 * Work of a turn for queue pairs, in this order: send delayed ACKs, handle expired deadlines, let
 * the ready queue pairs make progress.
 *
 * An ACK may be delayed until the start of the next turn, so that the application's answer is sent
 * before the ACK. lib/rc/acks.c says which ACKs. An engine delays ACKs only if all three
 * conditions hold:
 *
 * - The owner has promised to poll without pause (busy_poll). If the owner stopped polling, the
 *   peer would retransmit until it gives up.
 * - Turns follow each other soon (ENGINE_SOON_NS).
 * - The engine is the first one. The first engine sends DREQs, and a delayed ACK of another engine
 *   would be sent after the DREQ.
 */

#define ENGINE_DEADLINES_PER_TURN 64

/**
 * A turn or a post is "soon" after the last turn if at most this many nanoseconds (10 us) have
 * passed since that turn began.
 */
#define ENGINE_SOON_NS UINT64_C(10000)

/** @return whether now_ns is soon (ENGINE_SOON_NS) after the last turn began. */
static inline bool
engine_turn_is_soon(const struct engine *engine, uint64_t now_ns)
{
	return now_ns - engine->turn_ns < ENGINE_SOON_NS;
}

/** Send the ACKs that were delayed in the last turn. @return as engine_transmit() */
unsigned int engine_acks_send(struct engine *engine, uint64_t now_ns);

/**
 * Called if the last turn began more than RC_AWAY_NS ago: record the time without polling as an
 * absence (rc/timer.h).
 */
void engine_absence_note(struct engine *engine, uint64_t now_ns);

/**
 * Begin a turn: send delayed ACKs, and record an absence if the engine was not polled for more than
 * RC_AWAY_NS. @return as engine_transmit()
 */
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

/** Handle expired deadlines, at most ENGINE_DEADLINES_PER_TURN. */
void engine_deadlines_fire(struct engine *engine, uint64_t now_ns);

void engine_lists_progress(struct engine *engine, uint64_t now_ns);

static inline void
engine_qps_progress(struct engine *engine, uint64_t now_ns)
{
	if (!base_list_empty(&engine->ready) || !base_list_empty(&engine->starved))
		engine_lists_progress(engine, now_ns);
}

#endif
