/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_POOL_H
#define NDPDK_SIM_SIM_POOL_H

#include <stdint.h>

struct rte_mempool;

/*
 * Pools of packet buffers are reused by later runs, because creating and freeing a pool takes
 * longer than many runs. An adapter frees its pool when the adapter is closed. ndsim is linked with
 * --wrap, so that its own rte_mempool_free() keeps the pool, with all its buffers, for the next
 * adapter.
 */

/**
 * Create a pool like engine_pool_create(), but for any socket.
 * @return a new or reused pool with all its buffers; NULL if memory is exhausted
 */
struct rte_mempool *sim_pool_create(uint32_t count, uint16_t pmtu_bytes);

void sim_pool_trim(void);

#endif
