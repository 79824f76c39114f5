/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SPI1_LOOP_H
#define NDPDK_BENCH_SPI1_LOOP_H

#include "spi_loop.h"

/*
 * The adapters of a spi_loop through the interfaces of Network Direct version 1, with separate
 * queues, memory and connection. Each failure ends the process.
 */

struct spi1_loop_side {
	INDAdapter *adapter;
	INDCompletionQueue *inbound;
	INDCompletionQueue *outbound;
	INDConnector *connector;
	INDEndpoint *endpoint;
	ND_MR_HANDLE mr;
	uint8_t *memory; /**< registered, LOOP_PATH_MTU bytes */
	ND_RESULT results[LOOP_DEPTH_MAX];
};

struct spi1_loop {
	struct spi_loop *loop; /**< an open loop, through the interfaces of version 2 */
	struct spi1_loop_side side[2];
	INDMemoryWindow *window; /**< gives side 0 access to side 1's memory */
	ND_RESULT invalidated;   /**< result if the peer invalidates window; never used */
	ND_MW_DESCRIPTOR descriptor;
};

/** Open and connect, on the adapters of a spi_loop. Call once per process. */
void spi1_loop_open(struct spi1_loop *loop1, struct spi_loop *loop);

/** Like spi_loop_run(). Requests are posted one by one. */
void spi1_loop_run(
	struct spi1_loop *loop1, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

#endif
