/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_POOL_H
#define NDPDK_NDK_POOL_H

#include <pthread.h>

#include "ndk/queue.h"

/*
 * Records for receives of a shared receive queue. The results may arrive through any completion
 * queue of the engine, in any order, and may be taken after the queue is closed.
 */

struct ndk_pool;

/** All pools of an adapter. Pools with results that were never taken are freed with the adapter. */
struct ndk_pools {
	pthread_mutex_t lock;
	struct ndk_pool *first;
};

void pools_init(struct ndk_pools *pools);
void pools_fini(struct ndk_pools *pools);

/** @return an empty pool, which grows on demand; NULL: out of memory */
struct ndk_pool *pool_create(struct ndk_pools *pools);

/** @return a record; NULL: out of memory. This and pool_give() run on the thread of the engine. */
struct ndk_record *pool_take(struct ndk_pool *pool);

/** Return a record, because its result was taken or it was not posted. */
void pool_give(struct ndk_record *record);

/** The queue is closed, and dropped this number of receives, which have no results. */
void pool_leave(struct ndk_pool *pool, uint32_t dropped);

#endif
