/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_POOL_H
#define NDPDK_SPI_POOL_H

#include "spi/requests.h"

/*
 * Requests that complete in any order, and for several endpoints: the receives of a shared queue. A
 * pool belongs to an engine, as rings do. It lives as long as its queue, and as long as the
 * completion queues that may have results of it.
 */

/** @return a pool with one hold; NULL: no memory */
struct spi_pool *spi_pool_create(void);

void spi_pool_hold(struct spi_pool *pool);

/** Give back a hold; the last one frees the pool. Any thread. */
void spi_pool_put(struct spi_pool *pool);

/** @return a request that nobody uses; NULL: no memory */
struct spi_request *spi_pool_take(struct spi_pool *pool);

#endif
