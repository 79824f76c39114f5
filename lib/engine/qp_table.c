/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/qp_table.h"

#include <rte_malloc.h>

#include "base/assert.h"
#include "base/limits.h"
#include "wire/header.h"

enum rc_status
qp_table_init(
	struct qp_table *table, uint32_t slots, uint8_t index, uint8_t index_bits, int socket_id)
{
	if (slots < 2 || slots > LIMIT_QP_SLOTS >> index_bits || (slots & (slots - 1)) != 0)
		return RC_INVALID_ARGUMENT;
	table->slot_mask = slots - 1;
	table->index_bits = index_bits;
	table->index = index;
	table->slots = rte_zmalloc_socket(
		"qp_table", slots * sizeof(*table->slots), RTE_CACHE_LINE_SIZE, socket_id);
	table->free_slots =
		rte_zmalloc_socket("qp_table", slots * sizeof(*table->free_slots), 0, socket_id);
	if (table->slots == NULL || table->free_slots == NULL) {
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
	rte_free(table->slots);
	rte_free(table->free_slots);
	table->slots = NULL;
	table->free_slots = NULL;
}

enum rc_status
qp_table_reserve(struct qp_table *table, struct base_random *random, uint32_t *qpn)
{
	struct qp_table_slot *slot;
	uint32_t index, number, candidate;

	if (table->free_count == 0)
		return RC_NO_RESOURCES;
	index = base_random_below(random, table->free_count);
	number = table->free_slots[index];
	slot = &table->slots[number];
	table->free_slots[index] = table->free_slots[--table->free_count];
	do {
		uint32_t generation = base_random_u32(random) & ~table->slot_mask;

		candidate =
			((generation | number) << table->index_bits | table->index) & WIRE_QPN_MASK;
	} while (!wire_qpn_usable(candidate) || candidate == slot->qpn);
	__atomic_store_n(&slot->qpn, candidate, __ATOMIC_RELAXED);
	*qpn = candidate;
	return RC_OK;
}

void
qp_table_set(struct qp_table *table, uint32_t qpn, struct rc_qp *qp)
{
	struct qp_table_slot *slot = qp_table_slot(table, qpn);

	BASE_ASSERT(slot->qpn == qpn);
	/* Atomic store, because engine_qps_next() of other threads may read qp meanwhile. */
	__atomic_store_n(&slot->qp, qp, __ATOMIC_RELAXED);
}

void
qp_table_clear(struct qp_table *table, uint32_t qpn)
{
	qp_table_set(table, qpn, NULL);
}

void
qp_table_free(struct qp_table *table, uint32_t qpn)
{
	struct qp_table_slot *slot = qp_table_slot(table, qpn);

	BASE_ASSERT(slot->qpn == qpn && table->free_count <= table->slot_mask);
	table->free_slots[table->free_count++] = (uint32_t)(slot - table->slots);
}
