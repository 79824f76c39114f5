/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_POOL_H
#define NDPDK_NDK_POOL_H

#include <pthread.h>

#include "ndk/queue.h"

/*
 * A pool of records for the receives of a shared receive queue. Their results may arrive through
 * any completion queue of the engine, in any order, and may be taken after the shared receive queue
 * is closed.
 */

struct ndk_pool;

/** All pools of an adapter. A pool with results that were never taken is freed with the adapter. */
struct ndk_pools {
	pthread_mutex_t lock;
	struct ndk_pool *first;
};

void pools_init(struct ndk_pools *pools);
void pools_fini(struct ndk_pools *pools);

/** @return an empty pool, which grows on demand; NULL: out of memory */
struct ndk_pool *pool_create(struct ndk_pools *pools);

/**
 * @return an unused record; NULL: out of memory. Only for the engine's thread, like pool_give().
 */
struct ndk_record *pool_take(struct ndk_pool *pool);

/** Return a record after its result was taken, or because its receive was not posted. */
void pool_give(struct ndk_record *record);

/** Called when the shared receive queue is closed; `dropped` posted receives get no results. */
void pool_leave(struct ndk_pool *pool, uint32_t dropped);

#endif
