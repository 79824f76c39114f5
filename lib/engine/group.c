/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/group.h"

#include <stdio.h>

#include <rte_atomic.h>
#include <rte_malloc.h>

#include "base/assert.h"
#include "engine/engine.h"
#include "wire/peek.h"

/** Serial number for ring names, which must be unique in a process. */
static uint32_t ring_serial;

static struct rte_ring *
ring_create(const char *what, uint32_t entries, int socket_id)
{
	char name[RTE_RING_NAMESIZE];

	snprintf(name, sizeof(name), "nd_%s_%u", what,
		__atomic_fetch_add(&ring_serial, 1, __ATOMIC_RELAXED));
	return rte_ring_create(
		name, entries, socket_id, RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);
}

struct engine_group *
engine_group_create(uint32_t count)
{
	struct engine_group *group = rte_zmalloc("engine_group", sizeof(*group), 0);

	if (group == NULL)
		return NULL;
	group->count = count;
	group->index_bits = (uint8_t)rte_log2_u32(count);
	group->index_mask = (1u << group->index_bits) - 1;
	return group;
}

static void
frames_free(struct rte_ring *ring)
{
	void *mbuf;

	if (ring == NULL)
		return;
	while (rte_ring_dequeue(ring, &mbuf) == 0)
		rte_pktmbuf_free(mbuf);
	rte_ring_free(ring);
}

void
engine_group_destroy(struct engine_group *group)
{
	if (group == NULL)
		return;
	for (uint32_t i = 0; i < group->count; i++) {
		for (uint32_t k = 0; k < group->count; k++)
			frames_free(group->frames[i][k]);
		rte_ring_free(group->orders[i]);
		rte_ring_free(group->notes[i]);
	}
	rte_free(group);
}

/**
 * Create the rings of frames between a new engine and another engine. The rings have room for at
 * most half of an engine's packet buffers, so that an engine that is not polled cannot hold all
 * buffers of another engine.
 */
static bool
frames_connect(struct engine_group *group, const struct engine *engine, uint32_t other)
{
	uint32_t entries = RTE_MIN(ENGINE_FRAMES, engine->rc.pool->size / (2 * group->count));
	int socket_id = engine->io->socket_id;
	uint32_t one = engine->index;

	group->frames[one][other] = ring_create("frames", entries, socket_id);
	group->frames[other][one] = ring_create("frames", entries, socket_id);
	return group->frames[one][other] != NULL && group->frames[other][one] != NULL;
}

enum rc_status
engine_group_join(struct engine_group *group, struct engine *engine, uint32_t qp_slots)
{
	int socket_id = engine->io->socket_id;
	uint32_t index = engine->index;

	for (uint32_t i = 0; i < index; i++)
		if (!frames_connect(group, engine, i))
			return RC_NO_RESOURCES;
	if (index != 0) {
		group->orders[index] = ring_create("orders", qp_slots, socket_id);
		group->notes[index] = ring_create("notes", qp_slots, socket_id);
		if (group->orders[index] == NULL || group->notes[index] == NULL)
			return RC_NO_RESOURCES;
	}
	group->engines[index] = engine;
	return RC_OK;
}

/* ---- frames ---- */

/**
 * @return index of the engine that processes a frame. The first engine processes all frames that
 *         are not for a queue pair: datagrams of the connection manager, frames of neighbours,
 *         malformed frames.
 */
static uint32_t
home_of(const struct engine *engine, const struct rte_mbuf *mbuf)
{
	const struct engine_group *group = engine->group;
	uint32_t qpn, index;

	if (!wire_peek_home_qpn(mbuf, &qpn) || qpn == WIRE_QPN_CM)
		return 0;
	index = qpn & group->index_mask;
	/*
	 * No valid QPN has an index beyond the last engine: keep the frame on this engine, which
	 * drops and counts it.
	 */
	return index < group->count ? index : engine->index;
}

/** Fast path of home_of(). @return true: this engine processes the frame. false: call home_of() */
static inline bool
stays(const struct engine *engine, const struct rte_mbuf *mbuf)
{
	uint32_t qpn;

	return wire_peek_usual(mbuf, &qpn) && qpn != WIRE_QPN_CM &&
		(qpn & engine->group->index_mask) == engine->index;
}

void
engine_group_asleep(struct engine *engine, bool asleep)
{
	uint32_t bit = UINT32_C(1) << engine->index;

	if (engine->alone)
		return;
	if (asleep)
		__atomic_fetch_or(&engine->group->asleep, bit, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(&engine->group->asleep, ~bit, __ATOMIC_SEQ_CST);
}

/**
 * Wake the sleeping threads of engines that got ring entries. @param bits bit i: engine i got
 * entries
 */
static void
homes_wake(const struct engine_group *group, uint32_t bits)
{
	/*
	 * Pairs with the barrier of a thread that is about to sleep. Either that thread sees the
	 * ring entry, or this thread sees the sleeping thread.
	 */
	rte_smp_mb();
	bits &= __atomic_load_n(&group->asleep, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; unlikely(bits != 0); i++, bits >>= 1)
		if (bits & 1)
			command_ring_filled(&group->engines[i]->commands);
}

uint16_t
engine_frames_sort(struct engine *engine, struct rte_mbuf **mbufs, uint16_t count)
{
	struct rte_ring *const *rings = engine->group->frames[engine->index];
	uint32_t homes = 0;
	uint16_t left = 0;

	/* Fast path: usually the port has delivered all frames to the right engine. */
	while (left < count && likely(stays(engine, mbufs[left])))
		left++;
	for (uint16_t i = left; i < count; i++) {
		uint32_t home = home_of(engine, mbufs[i]);

		if (likely(home == engine->index)) {
			mbufs[left++] = mbufs[i];
		} else if (rte_ring_sp_enqueue(rings[home], mbufs[i]) == 0) {
			engine->counters.handed_over++;
			homes |= UINT32_C(1) << home;
		} else {
			engine->counters.drop_hand_over++;
			rte_pktmbuf_free(mbufs[i]);
		}
	}
	if (homes != 0)
		homes_wake(engine->group, homes);
	return left;
}

static uint32_t
index_after(const struct engine_group *group, uint32_t index)
{
	return index + 1 < group->count ? index + 1 : 0;
}

uint16_t
engine_frames_take(struct engine *engine, struct rte_mbuf **mbufs, uint16_t max)
{
	const struct engine_group *group = engine->group;
	uint32_t from = engine->frames_from;
	uint16_t taken = 0;

	/* Begin each turn with the ring of the next engine, so that no engine's frames starve. */
	engine->frames_from = index_after(group, from);
	for (uint32_t i = 0; i < group->count && taken < max; i++) {
		struct rte_ring *ring = group->frames[from][engine->index];

		if (from != engine->index && unlikely(!rte_ring_empty(ring)))
			taken += (uint16_t)rte_ring_sc_dequeue_burst(
				ring, (void **)&mbufs[taken], max - taken, NULL);
		from = index_after(group, from);
	}
	return taken;
}

/* ---- orders and notes ---- */

/**
 * Set bits of a queue pair. If no bit was set before, put the queue pair into the ring. Otherwise
 * the queue pair is already in the ring.
 */
static void
mailbox_put(struct rte_ring *ring, uint32_t *bits, uint32_t more, struct engine_qp *slot)
{
	/* Pairs with the exchange in engine_orders_take() and engine_notes_take(). */
	if (__atomic_fetch_or(bits, more, __ATOMIC_ACQ_REL) == 0) {
		int full = rte_ring_sp_enqueue(ring, slot);

		BASE_ASSERT(full == 0);
		RTE_SET_USED(full);
	}
}

void
engine_order(struct engine_qp *slot, enum engine_order order)
{
	struct engine *home = slot->home;

	mailbox_put(home->group->orders[home->index], &slot->orders, order, slot);
	homes_wake(home->group, UINT32_C(1) << home->index);
}

void
engine_note(struct engine *engine, struct engine_qp *slot, unsigned int events)
{
	mailbox_put(engine->group->notes[engine->index], &slot->notes, events, slot);
	homes_wake(engine->group, 1);
}

bool
engine_group_due(const struct engine *engine)
{
	const struct engine_group *group = engine->group;

	for (uint32_t i = 0; i < group->count; i++) {
		if (i == engine->index)
			continue;
		if (!rte_ring_empty(group->frames[i][engine->index]))
			return true;
		if (engine->index == 0 && !rte_ring_empty(group->notes[i]))
			return true;
	}
	return engine->index != 0 && !rte_ring_empty(group->orders[engine->index]);
}
