/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_TABLE_H
#define NDPDK_MEM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/status.h"

/**
 * Memory of a table that grows in place. Address space for the maximum size is reserved at
 * creation, and memory is added as the table grows. Entries never move, so readers without a lock
 * need only the new size.
 */
struct mem_table {
	uint8_t *entries;         /**< aligned to 2 MiB; usable up to committed_bytes */
	uint8_t *reserved;        /**< start of the reservation */
	uint64_t reserved_bytes;  /**< bytes of the reservation, including padding for alignment */
	uint64_t bytes_max;       /**< maximum size of `entries` */
	uint64_t committed_bytes; /**< usable bytes of `entries`, whole pages */
	int socket_id;
};

/**
 * Reserve address space without memory.
 *
 * @param socket_id preferred NUMA node of the memory, or SOCKET_ID_ANY
 * @return RC_OK, RC_NO_RESOURCES; the table is valid for mem_table_fini() either way
 */
enum rc_status
mem_table_init(struct mem_table *table, uint64_t bytes_max, int socket_id) __rte_warn_unused_result;

void mem_table_fini(struct mem_table *table);

/**
 * Make the first `bytes` of the table usable. New bytes are zero and resident, so that later
 * accesses cause no page fault. Megabytes take milliseconds: do not call this under a lock that an
 * lcore takes. One caller at a time.
 *
 * @param bytes up to bytes_max; never shrinks
 * @return RC_OK, RC_NO_RESOURCES: the table is unchanged
 */
enum rc_status mem_table_commit(struct mem_table *table, uint64_t bytes) __rte_warn_unused_result;

#endif
