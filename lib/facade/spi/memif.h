/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_MEMIF_H
#define NDPDK_SPI_MEMIF_H

#include <stdint.h>

/*
 * Shutdown of two processes that are connected by a net_memif port. When one process closes the
 * port, the driver of the other process frees its rings in EAL's interrupt thread (DPDK 22.11 to
 * 26.07). A thread of that process that polls or closes the port at that moment accesses freed
 * memory.
 */

/**
 * Call before the port is closed. If the other process has the port open, the process with the
 * driver's role "server" waits 0.3 s, so that its client can stop. The client waits until the
 * server has closed its port, but at most 1 s. The function does not wait if the other process has
 * gone, or if the port has another driver. No thread may poll the port any more.
 */
void spi_memif_leave(uint16_t port_id);

#endif
