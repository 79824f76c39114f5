/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SPI1_LOOP_H
#define NDPDK_BENCH_SPI1_LOOP_H

#include "spi_loop.h"

/*
 * The adapters of a spi_loop as version 1 shows them, with queues, memory and a connection of their
 * own. Anything that fails ends the process.
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
	struct spi_loop *loop; /**< open */
	struct spi1_loop_side side[2];
	INDMemoryWindow *window; /**< of side 1's memory */
	ND_RESULT invalidated;   /**< of the window */
	ND_MW_DESCRIPTOR descriptor;
};

/** Open and connect on the adapters of a loop. Once per process. */
void spi1_loop_open(struct spi1_loop *loop1, struct spi_loop *loop);

/** As spi_loop_run(): requests are posted one by one. */
void spi1_loop_run(
	struct spi1_loop *loop1, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

#endif
