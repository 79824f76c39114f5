/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_PARKED_H
#define NDPDK_ND_PARKED_H

#include <rte_mempool.h>

/*
 * Pools that closed adapters leave behind. The other end of a software port may still have packets
 * of an adapter that was closed; it frees them into that adapter's pool. A driver may keep receive
 * buffers until its port is opened again (net_tap), or until EAL closes it. A pool is parked until
 * its last packet is back. nd_adapter_open() and nd_adapter_close() sweep, so a process that opens
 * and closes repeatedly keeps only pools whose packets are not back yet.
 */

/** Take over a pool, which may be NULL, and free it now if no packet of it is out. */
void parked_add(struct rte_mempool *pool);

/** Free every parked pool whose packets have come back. From any thread. */
void parked_sweep(void);

#endif
