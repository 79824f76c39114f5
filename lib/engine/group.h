/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_GROUP_H
#define NDPDK_ENGINE_GROUP_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_ring.h>

#include "base/limits.h"
#include "base/status.h"

struct engine;
struct engine_qp;

/*
 * The engines of one adapter. Each engine runs on its own thread and has its own port queue, queue
 * pairs, deadlines and counters. The first engine also has the connection manager and the neighbour
 * table. Engines exchange data through single-producer single-consumer rings, which they poll once
 * per turn:
 *
 * - frames, from each engine to each other engine: a frame that arrived on the queue of the wrong
 *   engine. The low bits of the destination QPN are the index of the right engine, its home.
 * - orders, from the first engine to the home of a queue pair: decisions of the connection manager
 *   and the neighbour table.
 * - notes, from the home of a queue pair to the first engine: events of the queue pair.
 *
 * Orders and notes are bits of struct engine_qp. A queue pair with pending bits is in the ring
 * once, so the ring has room for all queue pairs.
 */

/** Capacity of a ring of frames. If the ring is full, further frames are dropped and counted. */
#define ENGINE_FRAMES 512

/** Maximum number of queue pairs that one turn takes from one ring of orders or notes. */
#define ENGINE_MAILBOX_PER_TURN 64

struct engine_group {
	uint32_t count;
	uint32_t index_mask; /**< mask of the QPN bits that contain the engine's index */
	uint8_t index_bits;
	struct engine *engines[LIMIT_ENGINES]; /**< engines[0] is the first engine */
	struct rte_ring *frames[LIMIT_ENGINES][LIMIT_ENGINES]; /**< indexed by [from][to] */
	/** The ring orders[i] leads from the first engine to engine i; orders[0] is unused. */
	struct rte_ring *orders[LIMIT_ENGINES];
	/** The ring notes[i] leads from engine i to the first engine; notes[0] is unused. */
	struct rte_ring *notes[LIMIT_ENGINES];
	uint32_t asleep; /**< bit i is set while a thread that waits for engine i sleeps; atomic */
};

static_assert(LIMIT_ENGINES <= 32, "a 32-bit mask has a bit for each engine");

/**
 * Create a group of count engines. engine_create() adds the engines one by one.
 * @param count 1 .. LIMIT_ENGINES. @return the group; NULL: no memory
 */
struct engine_group *engine_group_create(uint32_t count);

/**
 * Free the group and the frames in its rings. All engines of the group must be destroyed before.
 * NULL is ignored.
 */
void engine_group_destroy(struct engine_group *group);

/** Create the rings of an engine that joins the group. @return RC_OK, RC_NO_RESOURCES */
enum rc_status engine_group_join(struct engine_group *group, struct engine *engine,
	uint32_t qp_slots) __rte_warn_unused_result;

/**
 * Hand over each frame that has another home engine to its home. The remaining frames keep their
 * order.
 * @return number of remaining frames, which are at the start of mbufs
 */
uint16_t engine_frames_sort(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/**
 * Take at most max frames that other engines have handed over to this engine. @return number of
 * frames
 */
uint16_t engine_frames_take(struct engine *engine, struct rte_mbuf **mbufs, uint16_t max);

/** Orders from the first engine to the home of a queue pair. */
enum engine_order {
	ENGINE_ORDER_STOP = 1 << 0,      /**< flush the queue pair, unless it has already failed */
	ENGINE_ORDER_MOVE = 1 << 1,      /**< set the peer's new MAC address, engine_qp.mac */
	ENGINE_ORDER_KEEPALIVE = 1 << 2, /**< start or stop keepalives */
};

/** Send an order from the first engine to the home of a queue pair. */
void engine_order(struct engine_qp *slot, enum engine_order order);

/**
 * Send a note (pending events) from the home of a queue pair to the first engine. @param events
 * bits of enum rc_event
 */
void engine_note(struct engine *engine, struct engine_qp *slot, unsigned int events);

/** Execute at most ENGINE_MAILBOX_PER_TURN pending orders. @return number of executed orders */
unsigned int engine_orders_take(struct engine *engine);

/**
 * On the first engine, process at most ENGINE_MAILBOX_PER_TURN notes from another engine.
 * @param from index of the other engine. Its struct engine is not read, because the other engine
 *        writes these cache lines all the time
 * @return number of notes
 */
unsigned int engine_notes_take(struct engine *first, uint32_t from);

/**
 * Set or clear the engine's bit in engine_group.asleep. The bit is set while threads that wait for
 * this engine sleep. (sleep.c)
 */
void engine_group_asleep(struct engine *engine, bool asleep);

/** @return whether other engines have put frames, orders or notes into this engine's rings */
bool engine_group_due(const struct engine *engine);

#endif
