/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_MEMIF_H
#define NDPDK_SPI_MEMIF_H

#include <stdint.h>

/*
 * The end of two processes that share a port of net_memif. When one of them closes it, the driver
 * of the other one takes its rings down in EAL's interrupt thread (DPDK 22.11 to 26.07). A thread
 * that polls the port, or closes it, at that moment uses memory that is freed.
 */

/**
 * Before the port is closed: the process with the driver's role "server" gives its client the time
 * to stop, the client waits until the server has closed. Neither waits when the other is gone, nor
 * for any other driver. No thread polls the port any more.
 */
void spi_memif_leave(uint16_t port_id);

#endif
