/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/id.h"

#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "base/assert.h"

bool
cm_id_table_init(struct cm_id_table *table, uint32_t slot_count, int socket_id)
{
	BASE_ASSERT(slot_count >= 1 && slot_count <= CM_ID_MAX);
	table->slots = rte_zmalloc_socket(
		"cm_ids", slot_count * sizeof(*table->slots), RTE_CACHE_LINE_SIZE, socket_id);
	if (table->slots == NULL)
		return false;
	table->slot_count = slot_count;
	table->used_count = 0;
	table->index_mask = rte_align32pow2(slot_count) - 1;
	table->touched_count = 0;
	base_list_init(&table->free);
	return true;
}

void
cm_id_table_fini(struct cm_id_table *table)
{
	rte_free(table->slots);
	table->slots = NULL;
}

/*
 * The bits of a communication ID above the slot number are random, and differ from the bits of the
 * slot's previous connection. So a late message to the previous connection does not find the new
 * connection.
 */
static uint32_t
comm_id_make(const struct cm_id_table *table, const struct cm_id *id, struct base_random *random)
{
	uint32_t index = (uint32_t)(id - table->slots);
	uint32_t comm_id;

	do {
		comm_id = (base_random_u32(random) & ~table->index_mask) | index;
	} while (comm_id == 0 || comm_id == id->comm_id);
	return comm_id;
}

/**
 * @return an unused slot; if none is left, the slot that was freed first; NULL if the table is full
 */
static struct cm_id *
slot_take(struct cm_id_table *table)
{
	struct base_list *first;

	if (table->touched_count < table->slot_count)
		return &table->slots[table->touched_count++];
	first = base_list_first(&table->free);
	if (first == NULL)
		return NULL;
	base_list_remove(first);
	return base_list_entry(first, struct cm_id, link);
}

struct cm_id *
cm_id_alloc(struct cm_id_table *table, struct base_random *random)
{
	struct cm_id *id = slot_take(table);
	uint32_t comm_id;

	if (id == NULL)
		return NULL;
	table->used_count++;
	comm_id = comm_id_make(table, id, random);
	memset(id, 0, sizeof(*id));
	id->comm_id = comm_id;
	id->state = CM_IDLE;
	id->timer.position = CM_TIMER_OFF;
	cm_index_node_init(&id->by_remote_id);
	cm_index_node_init(&id->by_remote_qpn);
	cm_index_node_init(&id->resting);
	base_list_init(&id->link);
	base_list_init(&id->place);
	base_list_init(&id->reply_order);
	return id;
}

void
cm_id_free(struct cm_id_table *table, struct cm_id *id)
{
	BASE_ASSERT(id->state == CM_IDLE && id->timer.position == CM_TIMER_OFF);
	BASE_ASSERT(base_list_empty(&id->link) && table->used_count > 0);
	table->used_count--;
	base_list_append(&table->free, &id->link);
}

struct cm_id *
cm_id_lookup(const struct cm_id_table *table, uint32_t comm_id)
{
	uint32_t index = comm_id & table->index_mask;
	struct cm_id *id;

	if (index >= table->slot_count)
		return NULL;
	id = &table->slots[index];
	return id->state != CM_IDLE && id->comm_id == comm_id ? id : NULL;
}
