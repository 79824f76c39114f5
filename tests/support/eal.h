/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_EAL_H
#define NDPDK_SUPPORT_EAL_H

#include <stdbool.h>
#include <stdint.h>

struct rte_mempool;

/**
 * Start EAL without hugepages, shared configuration, PCI devices, telemetry and device drivers, on
 * lcore 0.
 *
 * Every test and every fixture may call this function: only the first call of a process has an
 * effect. Criterion runs each test in a separate process. The test fails if EAL does not start.
 */
void test_eal_init(void);

/**
 * Create a pool of packet buffers. Starts EAL if EAL is not running.
 *
 * @param n          number of buffers. All of them are available to the caller. The pool has no
 * per-lcore cache, so rte_mempool_avail_count() is exact.
 * @param data_room  bytes of a buffer after the headroom of RTE_PKTMBUF_HEADROOM
 * @return the pool, never NULL. Release it with rte_mempool_free(), or let the process end.
 */
struct rte_mempool *test_pool_create(unsigned n, uint16_t data_room);

/**
 * Load a driver and add its device with number 0 to EAL. Starts EAL if EAL is not running.
 *
 * @param driver for example "net_null"
 * @return result of rte_eal_hotplug_add(); -ENOENT: no such driver
 */
int test_device_add(const char *driver, const char *args);

/**
 * Add a port on a TAP device of the kernel. The device is removed when the process ends. Starts EAL
 * if EAL is not running. Call once per process.
 *
 * @param port_id set on success
 * @return false: no such driver, or no permission to create the device
 */
bool test_tap_add(uint16_t *port_id);

#endif
