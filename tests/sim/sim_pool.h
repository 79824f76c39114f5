/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_POOL_H
#define NDPDK_SIM_SIM_POOL_H

#include <stdint.h>

struct rte_mempool;

/*
 * Pools of packet buffers outlive the runs: making one, and clearing it at its end, costs more than
 * many a run. An adapter owns its pool and frees it when it is closed; here, rte_mempool_free() of
 * a pool with all its buffers (ndsim is linked with --wrap) keeps it for the next adapter.
 */

/**
 * As engine_pool_create() with any socket.
 * @return a pool with all its buffers, new or used; NULL: there is no memory
 */
struct rte_mempool *sim_pool_create(uint32_t count, uint16_t pmtu_bytes);

/** Something else needs the memory: free the pools that no adapter has. */
void sim_pool_trim(void);

#endif
