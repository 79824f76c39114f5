/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/starve.h"

#include <stdbool.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>
#include <rte_mempool.h>

#include "nd/adapter.h"

/**
 * Number of frames that the port still accepts, and number of refusals; atomic; for one port only.
 */
static uint32_t left = STARVE_ALL, refusals;

static uint16_t
take(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	uint32_t now = __atomic_load_n(&left, __ATOMIC_ACQUIRE);

	(void)port_id, (void)queue_id, (void)mbufs, (void)arg;
	if (now == STARVE_ALL)
		return count;
	if (now < count) {
		__atomic_add_fetch(&refusals, 1, __ATOMIC_RELAXED);
		count = (uint16_t)now;
	}
	__atomic_sub_fetch(&left, count, __ATOMIC_RELEASE);
	return count;
}

void
starve_allow(struct nd_adapter *adapter, uint32_t frames)
{
	static bool installed;

	for (uint16_t i = 0; !installed && i < nd_adapter_engine_count(adapter); i++)
		cr_assert_not_null(
			rte_eth_add_tx_callback(nd_adapter_port_id(adapter), i, take, NULL));
	installed = true;
	__atomic_store_n(&left, frames, __ATOMIC_RELEASE);
}

uint32_t
starve_refusals(void)
{
	return __atomic_load_n(&refusals, __ATOMIC_RELAXED);
}

void
starve_pass(struct nd_adapter *adapter, uint64_t ns)
{
	for (size_t i = 0; i < nd_adapter_engine_count(adapter); i++)
		__atomic_add_fetch(&adapter->engines[i].engine->shift_ns, ns, __ATOMIC_RELAXED);
}

unsigned int
starve_buffers(const struct nd_adapter *adapter)
{
	unsigned int count = 0;

	for (size_t i = 0; i < nd_adapter_engine_count(adapter); i++)
		count += rte_mempool_in_use_count(adapter->engines[i].pool);
	return count;
}
