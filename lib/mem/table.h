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
 * creation, and memory is added as the table grows. Entries never move, so a reader without a lock
 * only has to load the new size.
 */
struct mem_table {
	uint8_t *entries;         /**< start of the table, aligned to 2 MiB */
	uint8_t *reserved;        /**< start of the reservation */
	uint64_t reserved_bytes;  /**< size of the reservation, including padding for alignment */
	uint64_t bytes_max;       /**< maximum size of `entries` */
	uint64_t committed_bytes; /**< usable bytes from `entries` on, whole pages */
	int socket_id;
};

/** FIFO of unused table entries, linked by their index. 0 means none. */
struct mem_index_fifo {
	uint32_t first;
	uint32_t last;
};

/**
 * Reserve address space for a table, without memory.
 *
 * @param socket_id preferred NUMA node of the memory, or SOCKET_ID_ANY
 * @return RC_OK, RC_NO_RESOURCES. In both cases mem_table_fini() may be called
 */
enum rc_status
mem_table_init(struct mem_table *table, uint64_t bytes_max, int socket_id) __rte_warn_unused_result;

void mem_table_fini(struct mem_table *table);

/**
 * Make the first `bytes` of the table usable. New bytes are zero and resident, so that later
 * accesses cause no page fault. Adding megabytes takes milliseconds, so the caller must hold no
 * lock that an lcore takes. Only one thread at a time may call this.
 *
 * @param bytes up to bytes_max; a smaller value than before changes nothing
 * @return RC_OK, RC_NO_RESOURCES: the table is unchanged
 */
enum rc_status mem_table_commit(struct mem_table *table, uint64_t bytes) __rte_warn_unused_result;

#endif
