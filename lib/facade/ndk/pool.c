/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/pool.h"

#include <stdbool.h>
#include <stdlib.h>

#define RECORDS_AT_ONCE 64u

struct pool_record {
	struct ndk_record record; /* first member */
	struct pool_record *next; /* next free record */
};

struct pool_chunk {
	struct pool_chunk *next;
	struct pool_record records[RECORDS_AT_ONCE];
};

struct ndk_pool {
	struct ndk_queue queue; /* must be the first member; contains the records of the pool */
	struct ndk_pools *pools;
	struct ndk_pool *next;
	struct pool_chunk *chunks;
	struct pool_record *unused;
	uint32_t references; /* number of records in use, plus 1 for the queue; atomic */
};

void
pools_init(struct ndk_pools *pools)
{
	pools->first = NULL;
	pthread_mutex_init(&pools->lock, NULL);
}

static void
pool_free(struct ndk_pool *pool)
{
	while (pool->chunks != NULL) {
		struct pool_chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		free(chunk);
	}
	free(pool);
}

void
pools_fini(struct ndk_pools *pools)
{
	while (pools->first != NULL) {
		struct ndk_pool *pool = pools->first;

		pools->first = pool->next;
		pool_free(pool);
	}
	pthread_mutex_destroy(&pools->lock);
}

struct ndk_pool *
pool_create(struct ndk_pools *pools)
{
	struct ndk_pool *pool = calloc(1, sizeof(*pool));

	if (pool == NULL)
		return NULL;
	pool->pools = pools;
	pool->references = 1;
	pthread_mutex_lock(&pools->lock);
	pool->next = pools->first;
	pools->first = pool;
	pthread_mutex_unlock(&pools->lock);
	return pool;
}

/** Add records to the pool. @return false: out of memory */
static bool
pool_grow(struct ndk_pool *pool)
{
	struct pool_chunk *chunk = calloc(1, sizeof(*chunk));

	if (chunk == NULL)
		return false;
	chunk->next = pool->chunks;
	pool->chunks = chunk;
	for (unsigned int i = 0; i < RECORDS_AT_ONCE; i++) {
		struct pool_record *record = &chunk->records[i];

		record->record.queue = &pool->queue;
		record->record.part = RECORD_SHARED;
		record->next = pool->unused;
		pool->unused = record;
	}
	return true;
}

struct ndk_record *
pool_take(struct ndk_pool *pool)
{
	struct pool_record *record;

	if (pool->unused == NULL && !pool_grow(pool))
		return NULL;
	record = pool->unused;
	pool->unused = record->next;
	__atomic_add_fetch(&pool->references, 1, __ATOMIC_RELAXED);
	return &record->record;
}

static void
references_drop(struct ndk_pool *pool, uint32_t count)
{
	struct ndk_pools *pools = pool->pools;
	struct ndk_pool **link = &pools->first;

	if (__atomic_sub_fetch(&pool->references, count, __ATOMIC_ACQ_REL) != 0)
		return;
	pthread_mutex_lock(&pools->lock);
	while (*link != pool)
		link = &(*link)->next;
	*link = pool->next;
	pthread_mutex_unlock(&pools->lock);
	pool_free(pool);
}

void
pool_give(struct ndk_record *given)
{
	struct pool_record *record = (struct pool_record *)given;
	struct ndk_pool *pool = (struct ndk_pool *)given->queue;

	record->next = pool->unused;
	pool->unused = record;
	references_drop(pool, 1);
}

void
pool_leave(struct ndk_pool *pool, uint32_t dropped)
{
	references_drop(pool, dropped + 1);
}
