/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/query.h"

/* Do not call engine_now_ns() here: it must be called on the engine's thread only. */
static uint64_t
idle_ns(const struct engine *engine)
{
	uint64_t shift_ns = __atomic_load_n(&engine->shift_ns, __ATOMIC_RELAXED);
	uint64_t last_ns = __atomic_load_n(&engine->now_ns, __ATOMIC_RELAXED);
	uint64_t now_ns = engine->clock.now_ns(engine->clock.arg) + shift_ns;

	return now_ns > last_ns ? now_ns - last_ns : 0;
}

uint32_t
engine_qps_next(const struct engine *engine, uint32_t from, uint32_t *qpn)
{
	for (uint32_t i = from; i <= engine->qps.slot_mask; i++) {
		const struct qp_table_slot *slot = &engine->qps.slots[i];

		if (__atomic_load_n(&slot->qp, __ATOMIC_RELAXED) == NULL)
			continue;
		*qpn = __atomic_load_n(&slot->qpn, __ATOMIC_RELAXED);
		return i + 1;
	}
	return ENGINE_QPS_END;
}

void
engine_state(const struct engine *engine, struct engine_state *state)
{
	uint64_t online = __atomic_load_n(&engine->reader->cnt, __ATOMIC_RELAXED);
	uint64_t idle = idle_ns(engine);
	uint32_t qpn, from = 0;

	*state = (struct engine_state){
		.idle_ns = idle,
		.index_ns = online == __RTE_QSBR_CNT_THR_OFFLINE ? 0 : idle,
		.qp_slots = engine->qps.slot_mask + 1,
	};
	while ((from = engine_qps_next(engine, from, &qpn)) != ENGINE_QPS_END)
		state->qps++;
}

bool
engine_qpn_used(const struct engine *engine, uint32_t qpn)
{
	const struct qp_table_slot *slot = qp_table_slot(&engine->qps, qpn);

	return __atomic_load_n(&slot->qp, __ATOMIC_RELAXED) != NULL &&
		__atomic_load_n(&slot->qpn, __ATOMIC_RELAXED) == qpn;
}

struct engine_qp *
engine_qp_find(const struct engine *engine, uint32_t qpn)
{
	const struct rc_qp *qp = qpn <= WIRE_QPN_MASK ? qp_table_find(&engine->qps, qpn) : NULL;

	return qp == NULL ? NULL : qp->timer_slot;
}

uint32_t
engine_qpn_home(const struct engine *engine, uint32_t qpn)
{
	return qpn & engine->group->index_mask;
}

bool
engine_neighbour(const struct engine *engine, uint32_t index, struct neigh_info *info)
{
	return engine->neigh != NULL && neigh_query(engine->neigh, index, info);
}
