/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_EAL_H
#define NDPDK_SUPPORT_EAL_H

#include <stdbool.h>
#include <stdint.h>

struct rte_mempool;

/**
 * Start EAL without hugepages, shared configuration, PCI devices, telemetry or drivers of devices,
 * on lcore 0.
 *
 * May be called by every test and every fixture: only the first call of a process does something.
 * Criterion runs each test in a process of its own. Aborts the test when EAL does not start.
 */
void test_eal_init(void);

/**
 * Create a pool of packet buffers; starts EAL when it is not running yet.
 *
 * @param n          number of buffers; all of them are available to the caller, none sits in a
 *                   per-lcore cache, so rte_mempool_avail_count() is exact
 * @param data_room  bytes of a buffer behind the headroom of RTE_PKTMBUF_HEADROOM
 * @return the pool, never NULL; released with rte_mempool_free() or with the process
 */
struct rte_mempool *test_pool_create(unsigned n, uint16_t data_room);

/**
 * Load a driver and add its device 0 to EAL, which is started when it is not running yet.
 *
 * @param driver as "net_null"
 * @return as rte_eal_hotplug_add(); -ENOENT: no such driver
 */
int test_device_add(const char *driver, const char *args);

/**
 * Add a port on a TAP device of the kernel, which goes with the process. Starts EAL when it is not
 * running yet. Once per process.
 *
 * @param port_id written when it succeeds
 * @return false: no such driver, or no right to make the device
 */
bool test_tap_add(uint16_t *port_id);

#endif
