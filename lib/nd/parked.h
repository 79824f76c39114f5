/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_PARKED_H
#define NDPDK_ND_PARKED_H

#include <rte_mempool.h>

#include "mem/mem.h"

/*
 * What closed adapters leave behind. The other end of a software port may still have packets of an
 * adapter that was closed; it frees them into that adapter's pool, and with zero copy they point
 * into that adapter's registered memory. A driver may keep receive buffers until its port is opened
 * again (net_tap), or until EAL closes it. Pool and memory domain are parked until the last packet
 * is back. nd_adapter_open() and nd_adapter_close() sweep, so a process that opens and closes
 * repeatedly keeps only pools whose packets are not back yet.
 */

/** Take over a pool and a memory domain, either may be NULL, and free now what can be freed. */
void parked_add(struct rte_mempool *pool, struct mem_domain *mem);

/** Free everything parked whose packets have come back. From any thread. */
void parked_sweep(void);

#endif
