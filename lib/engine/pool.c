/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/pool.h"

#include <assert.h>
#include <stdio.h>

#include <rte_mbuf.h>

#include "base/limits.h"

/** Serial number for pool names, which must be unique in a process. */
static uint32_t pool_serial;

uint32_t
engine_room_bytes(uint16_t pmtu_bytes)
{
	return RTE_PKTMBUF_HEADROOM + LIMIT_HEADER_BYTES + pmtu_bytes + LIMIT_TRAILER_BYTES;
}

struct rte_mempool *
engine_pool_create(uint32_t count, uint16_t pmtu_bytes, int socket_id)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t room = engine_room_bytes(pmtu_bytes);
	uint32_t serial = __atomic_fetch_add(&pool_serial, 1, __ATOMIC_RELAXED);

	static_assert(RTE_PKTMBUF_HEADROOM >= LIMIT_HEADER_BYTES, "headers fit the headroom");
	/* Drivers expect a data room of at least RTE_MBUF_DEFAULT_BUF_SIZE (2 KiB). */
	if (room < RTE_MBUF_DEFAULT_BUF_SIZE)
		room = RTE_MBUF_DEFAULT_BUF_SIZE;
	snprintf(name, sizeof(name), "nd_pool_%u", serial);
	return rte_pktmbuf_pool_create(
		name, count, 256, 0, (uint16_t)RTE_ALIGN_CEIL(room, 64), socket_id);
}
