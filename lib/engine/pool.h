/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_POOL_H
#define NDPDK_ENGINE_POOL_H

#include <stdint.h>

#include <rte_mempool.h>

/** @return data room that a packet buffer needs for this path MTU, headroom included */
uint32_t engine_room_bytes(uint16_t pmtu_bytes);

/**
 * Pool for an engine and its port: mbufs that hold any frame of this path MTU in one segment. NULL
 * when out of memory.
 */
struct rte_mempool *engine_pool_create(uint32_t count, uint16_t pmtu_bytes, int socket_id);

#endif
