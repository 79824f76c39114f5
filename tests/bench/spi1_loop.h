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
	struct spi_loop *loop;
	struct spi1_loop_side side[2];
	INDMemoryWindow *window; /**< window through which side 0 accesses the memory of side 1 */
	/** required by the API, but unused: the peer never invalidates `window` */
	ND_RESULT invalidated;
	ND_MW_DESCRIPTOR descriptor;
};

void spi1_loop_open(struct spi1_loop *loop1, struct spi_loop *loop);

/** Like spi_loop_run(), but requests are posted one by one. */
void spi1_loop_run(
	struct spi1_loop *loop1, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

#endif
