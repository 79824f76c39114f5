/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/eal.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

/* Private area of a buffer: one cache line, room for what the engine keeps beside a packet. */
#define POOL_PRIVATE_BYTES 64

void
test_eal_init(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "128",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", first_lcore[] = "0",
		    log_level[] = "--log-level=lib.eal:warning";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, first_lcore, log_level, NULL};
	static bool started;

	/* A test that needs more lcores has started it in its own way. */
	if (started || rte_lcore_id() != LCORE_ID_ANY)
		return;
	started = true;
	cr_assert(rte_eal_init(RTE_DIM(args) - 1, args) >= 0, "EAL did not start: %s",
		rte_strerror(rte_errno));
}

struct rte_mempool *
test_pool_create(unsigned n, uint16_t data_room)
{
	static unsigned pool_count;
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rte_mempool *pool;

	test_eal_init();
	snprintf(name, sizeof(name), "test_%u", pool_count++);
	pool = rte_pktmbuf_pool_create(name, n, 0, POOL_PRIVATE_BYTES,
		(uint16_t)(RTE_PKTMBUF_HEADROOM + data_room), (int)rte_socket_id());
	cr_assert_not_null(pool, "no pool of %u buffers of %u bytes: %s", n, data_room,
		rte_strerror(rte_errno));
	return pool;
}

bool
test_tap_add(uint16_t *port_id)
{
	char args[32];

	test_eal_init();
	/* Tests run side by side, and the driver's own name is the same in all processes. */
	snprintf(args, sizeof(args), "iface=nd%d", (int)getpid());
	if (rte_eal_hotplug_add("vdev", "net_tap0", args) != 0)
		return false;
	cr_assert_eq(rte_eth_dev_get_port_by_name("net_tap0", port_id), 0);
	return true;
}
