/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/qp_table.h"

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "wire/header.h"

enum rc_status
qp_table_init(struct qp_table *table, uint32_t slots, int socket_id)
{
	if (slots < 2 || slots > LIMIT_QP_SLOTS || (slots & (slots - 1)) != 0)
		return RC_INVALID_ARGUMENT;
	table->slots = slots;
	table->qps = rte_zmalloc_socket("qp_table", slots * sizeof(*table->qps), 0, socket_id);
	table->qpns = rte_zmalloc_socket("qp_table", slots * sizeof(*table->qpns), 0, socket_id);
	table->free_slots =
		rte_zmalloc_socket("qp_table", slots * sizeof(*table->free_slots), 0, socket_id);
	if (table->qps == NULL || table->qpns == NULL || table->free_slots == NULL) {
		qp_table_fini(table);
		return RC_NO_RESOURCES;
	}
	for (uint32_t i = 0; i < slots; i++)
		table->free_slots[i] = i;
	table->free_count = slots;
	return RC_OK;
}

void
qp_table_fini(struct qp_table *table)
{
	rte_free(table->qps);
	rte_free(table->qpns);
	rte_free(table->free_slots);
	table->qps = NULL;
	table->qpns = NULL;
	table->free_slots = NULL;
}

enum rc_status
qp_table_reserve(struct qp_table *table, struct base_random *random, uint32_t *qpn)
{
	uint32_t index, slot, candidate;

	if (table->free_count == 0)
		return RC_NO_RESOURCES;
	index = base_random_below(random, table->free_count);
	slot = table->free_slots[index];
	table->free_slots[index] = table->free_slots[--table->free_count];
	do {
		uint32_t generation = base_random_u32(random) & ~(table->slots - 1);

		candidate = (generation | slot) & WIRE_QPN_MASK;
	} while (!wire_qpn_usable(candidate) || candidate == table->qpns[slot]);
	table->qpns[slot] = candidate;
	table->qps[slot] = NULL;
	*qpn = candidate;
	return RC_OK;
}

void
qp_table_set(struct qp_table *table, uint32_t qpn, struct rc_qp *qp)
{
	uint32_t slot = qpn & (table->slots - 1);

	BASE_ASSERT(table->qpns[slot] == qpn);
	table->qps[slot] = qp;
}

void
qp_table_clear(struct qp_table *table, uint32_t qpn)
{
	qp_table_set(table, qpn, NULL);
}

void
qp_table_free(struct qp_table *table, uint32_t qpn)
{
	uint32_t slot = qpn & (table->slots - 1);

	BASE_ASSERT(table->qpns[slot] == qpn && table->free_count < table->slots);
	table->qps[slot] = NULL;
	table->free_slots[table->free_count++] = slot;
}
