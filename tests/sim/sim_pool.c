/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_pool.h"

#include <stdbool.h>

#include <rte_common.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_mempool.h>

#include "engine/engine.h"

/** Maximum number of pools. EAL's memory is too small for more. */
#define POOLS_MAX 128

struct known {
	struct rte_mempool *pool; /**< NULL if this entry is unused */
	uint32_t count;
	uint16_t pmtu_bytes;
	bool idle; /**< No adapter uses this pool now. */
};

static struct known known[POOLS_MAX];

void __real_rte_mempool_free(struct rte_mempool *pool);
void __wrap_rte_mempool_free(struct rte_mempool *pool);

/** @return entry of a pool. @param pool NULL = find an unused entry */
static struct known *
place_of(const struct rte_mempool *pool)
{
	for (uint32_t i = 0; i < POOLS_MAX; i++) {
		if (known[i].pool == pool)
			return &known[i];
	}
	return NULL;
}

void
__wrap_rte_mempool_free(struct rte_mempool *pool)
{
	struct known *place = pool == NULL ? NULL : place_of(pool);

	if (place != NULL && rte_mempool_full(pool)) {
		place->idle = true;
		return;
	}
	if (place != NULL)
		*place = (struct known){0};
	__real_rte_mempool_free(pool);
}

void
sim_pool_trim(void)
{
	for (uint32_t i = 0; i < POOLS_MAX; i++) {
		if (!known[i].idle)
			continue;
		__real_rte_mempool_free(known[i].pool);
		known[i] = (struct known){0};
	}
}

/**
 * Create a pool. First free the idle pools if less than half of EAL's memory is free, so that the
 * objects of the adapters have room, too.
 */
static struct rte_mempool *
pool_make(uint32_t count, uint16_t pmtu_bytes)
{
	struct rte_malloc_socket_stats memory;

	if (rte_malloc_get_socket_stats((int)rte_socket_id(), &memory) == 0 &&
		memory.heap_freesz_bytes < memory.heap_totalsz_bytes / 2)
		sim_pool_trim();
	return engine_pool_create(count, pmtu_bytes, SOCKET_ID_ANY);
}

struct rte_mempool *
sim_pool_create(uint32_t count, uint16_t pmtu_bytes)
{
	struct rte_mempool *pool;
	struct known *place;

	for (uint32_t i = 0; i < POOLS_MAX; i++) {
		place = &known[i];
		if (place->idle && place->count == count && place->pmtu_bytes == pmtu_bytes) {
			place->idle = false;
			return place->pool;
		}
	}
	pool = pool_make(count, pmtu_bytes);
	place = place_of(NULL);
	if (pool != NULL && place != NULL)
		*place = (struct known){.pool = pool, .count = count, .pmtu_bytes = pmtu_bytes};
	return pool;
}
