/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_POOL_H
#define NDPDK_NDK_POOL_H

#include <pthread.h>

#include "ndk/queue.h"

/*
 * Records of the receives of a shared receive queue. Their results come through any completion
 * queue of the engine, in any order, and may be taken when the queue is gone.
 */

struct ndk_pool;

/** All pools of an adapter: those whose results nobody took are freed with it. */
struct ndk_pools {
	pthread_mutex_t lock;
	struct ndk_pool *first;
};

void pools_init(struct ndk_pools *pools);
void pools_fini(struct ndk_pools *pools);

/** @return an empty pool, which grows; NULL: no memory */
struct ndk_pool *pool_create(struct ndk_pools *pools);

/** @return a record; NULL: no memory. On the thread of the engine, as the next one. */
struct ndk_record *pool_take(struct ndk_pool *pool);

/** Its result was taken, or it was not posted. */
void pool_give(struct ndk_record *record);

/** The queue is gone, and so many of its records with it: no results of them come. */
void pool_leave(struct ndk_pool *pool, uint32_t dropped);

#endif
