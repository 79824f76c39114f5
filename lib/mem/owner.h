/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_OWNER_H
#define NDPDK_MEM_OWNER_H

#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"
#include "mem/table.h"

struct mem_window;

/**
 * Bound windows of a partition, by the queue pair that bound them: a hash table with lists and a
 * fixed size. For writers only.
 */
struct mem_owner_table {
	uint32_t *buckets; /**< index of the first window of each bucket, 0: none */
	uint32_t mask;
	/** number of low QPN bits that all owners of the partition have in common */
	uint32_t shift;
	struct mem_table memory;
};

/** @return RC_OK, RC_NO_RESOURCES; valid for mem_owner_table_fini() either way. */
enum rc_status mem_owner_table_init(struct mem_owner_table *table, uint32_t window_max,
	uint32_t shift, int socket_id) __rte_warn_unused_result;

void mem_owner_table_fini(struct mem_owner_table *table);

/** Add windows[index]; O(1). */
void mem_owner_table_insert(
	struct mem_owner_table *table, struct mem_window *windows, uint32_t index, uint32_t owner);

/** Remove windows[index]. @param owner as in mem_owner_table_insert() */
void mem_owner_table_remove(
	struct mem_owner_table *table, struct mem_window *windows, uint32_t index, uint32_t owner);

/** @return pointer to the head of the owner's bucket: index of its first window, 0: none. */
static inline uint32_t *
mem_owner_bucket(const struct mem_owner_table *table, uint32_t owner)
{
	return &table->buckets[owner >> table->shift & table->mask];
}

/**
 * @return first window of the owner's bucket, linked by owner_next; 0: none. The list contains all
 *         windows of the owner, and may contain windows of other owners.
 */
static inline uint32_t
mem_owner_table_first(const struct mem_owner_table *table, uint32_t owner)
{
	return *mem_owner_bucket(table, owner);
}

#endif
