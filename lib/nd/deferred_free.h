/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_DEFERRED_FREE_H
#define NDPDK_ND_DEFERRED_FREE_H

#include <rte_mempool.h>

/*
 * Packet pools of closed adapters. The peer of a software port may still have packets of a closed
 * adapter, and frees them into that adapter's pool. A driver may keep receive buffers until its
 * port is opened again (net_tap), or until EAL closes the port. A pool is kept until all its
 * packets have been returned. nd_adapter_open() and nd_adapter_close() free the complete pools. So
 * a process that opens and closes adapters repeatedly keeps only pools with missing packets.
 */

/** Take ownership of a pool, and free it now if all its packets are there. NULL is ignored. */
void deferred_free_add(struct rte_mempool *pool);

/** Free the kept pools that have all their packets. May be called from any thread. */
void deferred_free_sweep(void);

#endif
