/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/owner.h"

#include <stddef.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "mem/window.h"

/*
 * QPNs have random low bits (SEC-004), so that they are their own hash. One bucket per window that
 * can exist, up to a bound: queue pairs with many windows share a bucket with few others.
 */

#define BUCKETS_MIN 16u
#define BUCKETS_MAX 65536u

enum rc_status
mem_owner_table_init(struct mem_owner_table *table, uint32_t window_max, int socket_id)
{
	uint32_t count = BUCKETS_MIN;

	while (count < window_max && count < BUCKETS_MAX)
		count *= 2;
	table->mask = count - 1;
	table->buckets = rte_calloc_socket(
		"mem_owners", count, sizeof(*table->buckets), RTE_CACHE_LINE_SIZE, socket_id);
	if (table->buckets == NULL)
		return RC_NO_RESOURCES;
	for (uint32_t i = 0; i < count; i++)
		base_list_init(&table->buckets[i]);
	return RC_OK;
}

void
mem_owner_table_fini(struct mem_owner_table *table)
{
	rte_free(table->buckets);
}

struct base_list *
mem_owner_table_bucket(const struct mem_owner_table *table, uint32_t owner)
{
	return &table->buckets[owner & table->mask];
}

void
mem_owner_table_insert(struct mem_owner_table *table, struct mem_window *window)
{
	BASE_ASSERT(base_list_empty(&window->owner_link));
	base_list_append(mem_owner_table_bucket(table, window->owner), &window->owner_link);
}

void
mem_owner_table_remove(struct mem_window *window)
{
	BASE_ASSERT(!base_list_empty(&window->owner_link));
	base_list_remove(&window->owner_link);
}
