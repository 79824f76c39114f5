/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_POOL_H
#define NDPDK_SIM_SIM_POOL_H

#include <stdint.h>

struct rte_mempool;

/*
 * Pools of packet buffers are reused by later runs, because to create and free a pool takes longer
 * than many runs. An adapter frees its pool when the adapter is closed. In ndsim, which is linked
 * with --wrap, rte_mempool_free() keeps a pool with all its buffers for the next adapter.
 */

/**
 * As engine_pool_create() with any socket.
 * @return a pool with all its buffers, new or used; NULL: there is no memory
 */
struct rte_mempool *sim_pool_create(uint32_t count, uint16_t pmtu_bytes);

/** Free all pools that no adapter uses, to release their memory. */
void sim_pool_trim(void);

#endif
