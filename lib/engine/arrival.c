/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/arrival.h"

#include <rte_cycles.h>
#include <rte_mbuf_dyn.h>

void
engine_arrival_want(struct engine *engine)
{
	struct rc_arrival *arrival = &engine->rc.arrival;
	int offset = rte_mbuf_dynfield_lookup(RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, NULL);
	int bit = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, NULL);

	/*
	 * DPDK registers the time stamp field and flag when the first port with a driver that uses
	 * them is configured or started. Before that, hardware_flag stays 0.
	 */
	arrival->hardware_flag = offset >= 0 && bit >= 0 ? RTE_BIT64(bit) : 0;
	arrival->hardware_offset = offset >= 0 ? (uint32_t)offset : 0;
	arrival->wanted = true;
}

void
engine_arrival_burst(struct engine *engine)
{
	engine->rc.arrival.tsc = rte_rdtsc();
}
