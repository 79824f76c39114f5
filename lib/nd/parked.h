/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_PARKED_H
#define NDPDK_ND_PARKED_H

#include <rte_mempool.h>

#include "mem/mem.h"

/*
 * What closed adapters leave behind. Packets on a software port may still be with its other end,
 * which frees them into the pool of an adapter that is gone; with zero copy they point into its
 * registered memory, and count themselves there. Pool and memory domain are parked until the last
 * packet is back. Whoever opens or closes an adapter sweeps: a process that does so again and again
 * keeps no more than what is away at the moment.
 */

/** Take over a pool and a memory domain, NULL when there is none; free now what can be freed. */
void parked_add(struct rte_mempool *pool, struct mem_domain *mem);

/** Free everything parked whose packets have come back. From any thread. */
void parked_sweep(void);

#endif
