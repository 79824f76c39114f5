/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/eal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <rte_mempool.h>

#include "support/start.h"

/* Private area of a buffer, in bytes: one cache line for data of the engine. */
#define POOL_PRIVATE_BYTES 64

/*
 * Let the kernel back EAL's memory with transparent huge pages. A test creates its packet buffers
 * in new memory, and page faults of 4 KiB took a third of the time of a test.
 */
static int
huge_pages_advise(const struct rte_memseg_list *list, void *arg)
{
	RTE_SET_USED(arg);
	(void)madvise(list->base_va, list->len, MADV_HUGEPAGE);
	return 0;
}

static void
eal_start(unsigned int megabytes)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", memory_text[12],
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", first_lcore[] = "0",
		    log_level[] = "--log-level=lib.eal:warning", driver[] = "-d",
		    mempool_ring[] = "librte_mempool_ring.so";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, memory_text,
		no_telemetry, lcores, first_lcore, log_level, driver, mempool_ring, NULL};
	static unsigned int started_megabytes;
	int status;

	if (started_megabytes > 0) {
		cr_assert_geq(started_megabytes, megabytes, "EAL was started with %u MiB",
			started_megabytes);
		return;
	}
	/* Do nothing if a test that needs more lcores has started EAL itself. */
	if (rte_lcore_id() != LCORE_ID_ANY)
		return;
	started_megabytes = megabytes;
	snprintf(memory_text, sizeof(memory_text), "%u", megabytes);
	test_start_eal(true);
	status = rte_eal_init(RTE_DIM(args) - 1, args);
	test_start_eal(false);
	cr_assert(status >= 0, "EAL did not start: %s", rte_strerror(rte_errno));
	rte_memseg_list_walk(huge_pages_advise, NULL);
}

void
test_eal_init(void)
{
	eal_start(64);
}

void
test_eal_init_large(void)
{
	eal_start(128);
}

int
test_device_add(const char *driver, const char *args)
{
	char text[64];

	test_eal_init();
	snprintf(text, sizeof(text), "librte_%s.so", driver);
	if (dlopen(text, RTLD_NOW) == NULL)
		return -ENOENT;
	snprintf(text, sizeof(text), "%s0", driver);
	return rte_eal_hotplug_add("vdev", text, args);
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

	/*
	 * The name contains the process ID, because tests run in parallel, and all processes have
	 * the same default name.
	 */
	snprintf(args, sizeof(args), "iface=nd%d", (int)getpid());
	if (test_device_add("net_tap", args) != 0)
		return false;
	cr_assert_eq(rte_eth_dev_get_port_by_name("net_tap0", port_id), 0);
	return true;
}
