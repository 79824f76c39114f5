/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cm/listener.h"

#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "base/assert.h"
#include "cm/id.h"
#include "cm/manager.h"

static const struct wire_gid any_address;

bool
cm_listener_table_init(struct cm_listener_table *table, uint32_t slot_count,
	const struct cm_hash_key *secret, int socket_id)
{
	if (!cm_index_init(&table->by_service, slot_count, secret, socket_id))
		return false;
	table->slots = rte_zmalloc_socket(
		"cm_listeners", slot_count * sizeof(*table->slots), RTE_CACHE_LINE_SIZE, socket_id);
	if (table->slots == NULL)
		return false;
	base_list_init(&table->free);
	for (uint32_t i = 0; i < slot_count; i++)
		base_list_append(&table->free, &table->slots[i].link);
	return true;
}

void
cm_listener_table_fini(struct cm_listener_table *table)
{
	rte_free(table->slots);
	table->slots = NULL;
	cm_index_fini(&table->by_service);
}

static struct cm_listener *
find_exact(
	const struct cm_listener_table *table, uint64_t service_id, const struct wire_gid *address)
{
	struct cm_key key = cm_key_make(0, service_id, address);
	struct cm_index_node *node = cm_index_find(&table->by_service, &key);

	return node != NULL ? base_list_entry(node, struct cm_listener, by_service) : NULL;
}

struct cm_listener *
cm_listener_find(
	const struct cm_listener_table *table, uint64_t service_id, const struct wire_gid *address)
{
	struct cm_listener *listener = find_exact(table, service_id, address);

	return listener != NULL ? listener : find_exact(table, service_id, &any_address);
}

void
cm_listener_attach(struct cm_listener *listener, struct cm_id *id)
{
	BASE_ASSERT(listener->pending_count < listener->backlog && id->listener == NULL);
	id->listener = listener;
	listener->pending_count++;
	base_list_append(&listener->pending, &id->link);
}

void
cm_listener_detach(struct cm_id *id)
{
	if (id->listener == NULL)
		return;
	BASE_ASSERT(id->listener->pending_count > 0);
	id->listener->pending_count--;
	id->listener = NULL;
	base_list_remove(&id->link);
}

enum rc_status
cm_listen(struct cm *cm, const struct cm_listen_attr *attr, struct cm_listener **listener)
{
	struct cm_listener_table *table = &cm->listeners;
	struct cm_key key = cm_key_make(0, attr->service_id, &attr->address);
	struct base_list *first = base_list_first(&table->free);
	struct cm_listener *made;

	if (find_exact(table, attr->service_id, &attr->address) != NULL)
		return RC_BUSY;
	if (first == NULL)
		return RC_NO_RESOURCES;
	base_list_remove(first);
	made = base_list_entry(first, struct cm_listener, link);
	made->cm = cm;
	made->context = attr->context;
	made->backlog = attr->backlog != 0 ? attr->backlog : UINT32_MAX;
	made->pending_count = 0;
	base_list_init(&made->pending);
	cm_index_node_init(&made->by_service);
	cm_index_insert(&table->by_service, &made->by_service, &key);
	*listener = made;
	return RC_OK;
}

void
cm_unlisten(struct cm_listener *listener)
{
	struct base_list *link;

	cm_index_remove(&listener->by_service);
	while ((link = base_list_first(&listener->pending)) != NULL)
		cm_listener_detach(base_list_entry(link, struct cm_id, link));
	base_list_append(&listener->cm->listeners.free, &listener->link);
}
