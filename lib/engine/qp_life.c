/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Creation and destruction of an engine's queue pairs in steps; engine.h lists the steps. */

#include "engine/control.h"

/*
 * Number of attempts to choose a QPN. An attempt fails if the connection manager still remembers
 * the last connection of the QPN, because such a QPN must not be reused (RC-165).
 */
#define QPN_TRIES 16

enum rc_status
engine_qp_reserve(struct engine *home, struct engine_qp *slot)
{
	struct engine *first = home->group->engines[0];

	slot->home = home;
	base_list_init(&slot->node);
	for (unsigned int i = 0; i < QPN_TRIES; i++) {
		enum rc_status status = qp_table_reserve(&home->qps, &first->random, &slot->qpn);

		if (status != RC_OK || !cm_qpn_resting(first->cm, slot->qpn))
			return status;
		qp_table_free(&home->qps, slot->qpn);
	}
	return RC_NO_RESOURCES;
}

enum rc_status
engine_qp_create(struct engine *engine, struct rc_qp_attr *attr, struct engine_qp *slot)
{
	enum rc_status status;

	attr->qpn = slot->qpn;
	status = rc_qp_create(&engine->rc, attr, &slot->qp);
	if (status != RC_OK)
		return status;
	wheel_entry_init(&slot->timer);
	slot->qp->timer_slot = slot;
	qp_table_set(&engine->qps, attr->qpn, slot->qp);
	return RC_OK;
}

void
engine_qp_serve(struct engine *first, struct engine_qp *slot, const struct wire_path *path)
{
	slot->peer = path->dst;
	slot->peer_mac = path->dst_mac;
	base_list_append(&first->served, &slot->node);
}

void
engine_qp_leave(struct engine_qp *slot)
{
	base_list_remove(&slot->node);
}

void
engine_qp_destroy(struct engine *engine, struct engine_qp *slot)
{
	/*
	 * Execute the pending orders now, because they point to the queue pair. The first engine
	 * sends no further orders.
	 */
	engine_orders_drain(engine);
	wheel_disarm(&engine->wheel, &slot->timer);
	base_list_remove(&slot->qp->ready);
	qp_table_clear(&engine->qps, slot->qpn);
	rc_qp_destroy(slot->qp);
	slot->qp = NULL;
}

void
engine_qp_forget(struct engine *first, struct engine_qp *slot)
{
	if (slot->home->index != 0)
		while (engine_notes_take(first, slot->home->index) != 0)
			;
	qp_table_free(&slot->home->qps, slot->qpn);
}
