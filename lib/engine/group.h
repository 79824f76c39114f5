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
 * The engines of one adapter. Each runs on a thread of its own and has its queue of the port, its
 * queue pairs, deadlines and counters. The first engine also has the connection manager and the
 * neighbours. What one engine has to tell another goes through rings of one producer and one
 * consumer, which are looked at once per turn:
 *
 *   frames   from each engine to each other one: a frame that has arrived on a queue whose engine
 *            is not its home. The home is in the frame: the low bits of the destination QP.
 *   orders   from the first engine to the home of a queue pair: what the connection manager and
 *            the neighbour table have decided about it.
 *   notes    from the home of a queue pair to the first engine: what has happened to it.
 *
 * Orders and notes are bits of struct engine_qp; a queue pair that has some is once in the ring,
 * which therefore has room for all of them.
 */

/** Frames in one ring at most; those beyond are dropped and counted, as a port would do. */
#define ENGINE_FRAMES 512

/** Queue pairs of one ring that a turn looks at. */
#define ENGINE_LETTERS_PER_TURN 64

struct engine_group {
	uint32_t count;
	uint32_t index_mask; /**< of a QPN */
	uint8_t index_bits;
	struct engine *engines[LIMIT_ENGINES];                 /**< [0]: the first */
	struct rte_ring *frames[LIMIT_ENGINES][LIMIT_ENGINES]; /**< [from][to] */
	struct rte_ring *orders[LIMIT_ENGINES];                /**< to [i]; not to [0] */
	struct rte_ring *notes[LIMIT_ENGINES];                 /**< from [i]; not from [0] */
	uint32_t asleep; /**< bit i: a thread sleeps that waits for engine i; atomic */
};

static_assert(LIMIT_ENGINES <= 32, "each engine has a bit");

/**
 * Make the group of count engines, which engine_create() joins one by one.
 * @param count 1 .. LIMIT_ENGINES. @return the group; NULL without memory
 */
struct engine_group *engine_group_create(uint32_t count);

/** Free the group and the frames in it; its engines are destroyed already. NULL is ignored. */
void engine_group_destroy(struct engine_group *group);

/** Make the rings of an engine that joins. @return RC_OK, RC_NO_RESOURCES */
enum rc_status engine_group_join(struct engine_group *group, struct engine *engine,
	uint32_t qp_slots) __rte_warn_unused_result;

/**
 * Give frames whose home is another engine to it. Those that are left stay in their order.
 * @return how many are left at the start of mbufs
 */
uint16_t engine_frames_sort(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count);

/** @return frames that another engine has handed over, at most max. */
uint16_t engine_frames_take(struct engine *engine, struct rte_mbuf **mbufs, uint16_t max);

/** Orders of the first engine to the home of a queue pair. */
enum engine_order {
	ENGINE_ORDER_STOP = 1 << 0,      /**< flush it, unless it has failed already */
	ENGINE_ORDER_MOVE = 1 << 1,      /**< its peer has another MAC address */
	ENGINE_ORDER_KEEPALIVE = 1 << 2, /**< watch its peer */
};

/** From the first engine. */
void engine_order(struct engine_qp *slot, enum engine_order order);

/** From the home of a queue pair to the first engine. @param events of enum rc_event */
void engine_note(struct engine *engine, struct engine_qp *slot, unsigned int events);

/** Carry out orders that an engine has got, ENGINE_LETTERS_PER_TURN at most. @return how many */
unsigned int engine_orders_take(struct engine *engine);

/**
 * Act on notes of an engine, on the first one; as many at most.
 * @param from index of the engine, of whose structure no line is read: it writes these all the time
 * @return how many
 */
unsigned int engine_notes_take(struct engine *first, uint32_t from);

/** Say whether threads sleep that wait for this engine. (sleep.c) */
void engine_group_asleep(struct engine *engine, bool asleep);

/** @return whether other engines have left something for this one. */
bool engine_group_due(const struct engine *engine);

#endif
