/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Takes orders and notes out of their rings and executes them. group.h defines orders and notes. */

#include "engine/control.h"

unsigned int
engine_orders_take(struct engine *engine)
{
	struct rte_ring *ring = engine->group->orders[engine->index];
	struct engine_qp *slots[ENGINE_MAILBOX_PER_TURN];
	unsigned int count;

	if (likely(rte_ring_empty(ring)))
		return 0;
	count = rte_ring_sc_dequeue_burst(ring, (void **)slots, ENGINE_MAILBOX_PER_TURN, NULL);
	for (unsigned int i = 0; i < count; i++)
		engine_qp_obey(engine, slots[i],
			__atomic_exchange_n(&slots[i]->orders, 0, __ATOMIC_ACQ_REL));
	return count;
}

unsigned int
engine_notes_take(struct engine *first, uint32_t from)
{
	struct rte_ring *ring = first->group->notes[from];
	struct engine_qp *slots[ENGINE_MAILBOX_PER_TURN];
	unsigned int count;

	if (likely(rte_ring_empty(ring)))
		return 0;
	count = rte_ring_sc_dequeue_burst(ring, (void **)slots, ENGINE_MAILBOX_PER_TURN, NULL);
	for (unsigned int i = 0; i < count; i++)
		engine_qp_noted(first, slots[i],
			__atomic_exchange_n(&slots[i]->notes, 0, __ATOMIC_ACQ_REL));
	return count;
}

void
engine_orders_drain(struct engine *engine)
{
	if (engine->index == 0)
		return;
	while (engine_orders_take(engine) != 0)
		;
}
