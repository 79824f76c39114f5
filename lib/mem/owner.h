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
 * Owner of a token that every queue pair may use. No QPN has this value, because a QPN has 24 bits.
 */
#define MEM_OWNER_ANY UINT32_MAX

/**
 * The bound windows of a partition, by the queue pair that bound each of them, as a hash table of
 * fixed size with chained entries. Used by writers only.
 */
struct mem_owner_table {
	uint32_t *buckets; /**< index of the first window of each bucket; 0: empty */
	uint32_t mask;
	/**
	 * Number of low QPN bits that contain the engine's index, which is the same for all owners.
	 */
	uint32_t shift;
	struct mem_table memory;
};

/** @return RC_OK, RC_NO_RESOURCES. In both cases mem_owner_table_fini() may be called. */
enum rc_status mem_owner_table_init(struct mem_owner_table *table, uint32_t window_max,
	uint32_t shift, int socket_id) __rte_warn_unused_result;

void mem_owner_table_fini(struct mem_owner_table *table);

/** Add a window of the table `windows`; O(1). */
void mem_owner_table_insert(struct mem_owner_table *table, struct mem_window *windows,
	struct mem_window *window, uint32_t owner);

/** Remove a window. @param owner as in mem_owner_table_insert() */
void mem_owner_table_remove(struct mem_owner_table *table, struct mem_window *windows,
	const struct mem_window *window, uint32_t owner);

/** @return pointer to the owner's bucket, which contains the index of its first window, 0: none. */
static inline uint32_t *
mem_owner_bucket(const struct mem_owner_table *table, uint32_t owner)
{
	return &table->buckets[owner >> table->shift & table->mask];
}

/**
 * @return the first window in the owner's bucket; 0: none. owner_next links the windows of a
 * bucket. They include all windows of the owner, and maybe windows of other owners.
 */
static inline uint32_t
mem_owner_table_first(const struct mem_owner_table *table, uint32_t owner)
{
	return *mem_owner_bucket(table, owner);
}

#endif
