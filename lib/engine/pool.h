/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_POOL_H
#define NDPDK_ENGINE_POOL_H

#include <stdint.h>

#include <rte_mempool.h>

/** @return data room that an mbuf needs for this path MTU, in bytes, including headroom */
uint32_t engine_room_bytes(uint16_t pmtu_bytes);

/**
 * Create the mbuf pool of an engine and its port queue. An mbuf holds any frame of this path MTU in
 * one segment. @return the pool; NULL: no memory
 */
struct rte_mempool *engine_pool_create(uint32_t count, uint16_t pmtu_bytes, int socket_id);

#endif
