/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_EAL_H
#define NDPDK_SUPPORT_EAL_H

#include <stdbool.h>
#include <stdint.h>

struct rte_mempool;

/**
 * Start EAL with 64 MiB of memory, without hugepages, shared configuration, PCI devices, telemetry
 * and device drivers, on lcore 0.
 *
 * Every test and every fixture may call this function. Only the first call of a process has an
 * effect. Criterion runs each test in a separate process. The test fails if EAL does not start.
 */
void test_eal_init(void);

/**
 * As test_eal_init(), with 128 MiB. The start takes longer, so only tests that need the memory call
 * this function. The test fails if EAL was already started with less memory.
 */
void test_eal_init_large(void);

/**
 * Create a pool of packet buffers. Starts EAL if EAL is not running.
 *
 * @param n          number of buffers, which are all available to the caller.
 *         rte_mempool_avail_count() is exact, because the pool has no per-lcore cache.
 * @param data_room  bytes of a buffer after the headroom of RTE_PKTMBUF_HEADROOM
 * @return the pool, never NULL. Release it with rte_mempool_free(), or let the process end.
 */
struct rte_mempool *test_pool_create(unsigned n, uint16_t data_room);

/**
 * Load a driver and add its device with number 0 to EAL. Starts EAL if EAL is not running.
 *
 * @param driver for example "net_null"
 * @return result of rte_eal_hotplug_add(); -ENOENT if the driver does not exist
 */
int test_device_add(const char *driver, const char *args);

/**
 * Add a port on a TAP device of the kernel. The device is removed when the process ends. Starts EAL
 * if EAL is not running. Call once per process.
 *
 * @param port_id set on success
 * @return false if the driver does not exist, or the process may not create the device
 */
bool test_tap_add(uint16_t *port_id);

#endif
