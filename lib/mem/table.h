/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_TABLE_H
#define NDPDK_MEM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/**
 * Memory of a table that grows in place. Its address space is reserved for the largest size at the
 * start and memory is put behind it as it grows: an entry never moves, so that who reads a table
 * without a lock has nothing to find out about growth but the new size.
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
 * Make the first bytes of the table usable. What is new is zero, and resident when this returns, so
 * that no later use waits for the system. Takes milliseconds for megabytes: not under a lock that
 * an lcore takes. One caller at a time.
 *
 * @param bytes up to bytes_max; never shrinks
 * @return RC_OK, RC_NO_RESOURCES: the table is as it was
 */
enum rc_status mem_table_commit(struct mem_table *table, uint64_t bytes) __rte_warn_unused_result;

#endif
