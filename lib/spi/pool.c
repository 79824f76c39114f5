/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/pool.h"

#include <stdlib.h>

/** Requests that a pool grows by. */
#define POOL_CHUNK 64

struct pool_chunk {
	struct pool_chunk *next;
	struct spi_request requests[POOL_CHUNK];
};

struct spi_pool {
	uint32_t holds; /**< atomic */
	struct spi_request *free;
	struct pool_chunk *chunks;
};

struct spi_pool *
spi_pool_create(void)
{
	struct spi_pool *pool = calloc(1, sizeof(*pool));

	if (pool != NULL)
		pool->holds = 1;
	return pool;
}

void
spi_pool_hold(struct spi_pool *pool)
{
	__atomic_add_fetch(&pool->holds, 1, __ATOMIC_RELAXED);
}

void
spi_pool_put(struct spi_pool *pool)
{
	struct pool_chunk *chunk, *next;

	if (__atomic_sub_fetch(&pool->holds, 1, __ATOMIC_ACQ_REL) != 0)
		return;
	for (chunk = pool->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(pool);
}

void
spi_pool_give(struct spi_request *request)
{
	struct spi_pool *pool = request->pool;

	request->next = pool->free;
	pool->free = request;
}

struct spi_request *
spi_pool_take(struct spi_pool *pool)
{
	struct spi_request *request = pool->free;
	struct pool_chunk *chunk;

	if (request != NULL) {
		pool->free = request->next;
		return request;
	}
	chunk = calloc(1, sizeof(*chunk));
	if (chunk == NULL)
		return NULL;
	chunk->next = pool->chunks;
	pool->chunks = chunk;
	for (size_t i = 0; i < POOL_CHUNK; i++) {
		chunk->requests[i].pool = pool;
		spi_pool_give(&chunk->requests[i]);
	}
	request = pool->free;
	pool->free = request->next;
	return request;
}
