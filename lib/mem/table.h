/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_TABLE_H
#define NDPDK_MEM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/**
 * Memory of a table that grows in place. Address space for the largest size is reserved at the
 * start, and memory is added to it as the table grows. An entry never moves, so the new size is all
 * that readers without a lock have to learn.
 */
struct mem_table {
	uint8_t *entries;         /**< aligned to 2 MiB; usable up to committed_bytes */
	uint8_t *reserved;        /**< start of the reservation */
	uint64_t reserved_bytes;  /**< with the room that alignment needs */
	uint64_t bytes_max;       /**< of entries */
	uint64_t committed_bytes; /**< in whole pages */
	int socket_id;
};

/**
 * Reserve address space, no memory.
 *
 * @param socket_id NUMA node that memory is taken from where possible, or SOCKET_ID_ANY
 * @return RC_OK, RC_NO_RESOURCES; the table is valid for mem_table_fini() either way
 */
enum rc_status
mem_table_init(struct mem_table *table, uint64_t bytes_max, int socket_id) __rte_warn_unused_result;

void mem_table_fini(struct mem_table *table);

/**
 * Make the first bytes of the table usable. New bytes are zero, and resident when this returns, so
 * that no later access causes a page fault. This takes milliseconds for megabytes: do not call it
 * under a lock that an lcore takes. One caller at a time.
 *
 * @param bytes up to bytes_max; never shrinks
 * @return RC_OK, RC_NO_RESOURCES: the table is as it was
 */
enum rc_status mem_table_commit(struct mem_table *table, uint64_t bytes) __rte_warn_unused_result;

#endif
