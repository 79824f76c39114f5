/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SPI_LOOP_H
#define NDPDK_BENCH_SPI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/ndspi_support.h>

#include "loop_pair.h"

/*
 * A pair of adapters as the interfaces of Network Direct, version 2, show them, connected. The
 * adapters are made as those of a loop_pair, so that they can be repeatable, and given to the
 * interfaces. Side 0 posts requests; side 1's memory is open to it through a window. Anything that
 * fails ends the process.
 */

struct spi_loop_side {
	struct sockaddr_in address;
	IND2Adapter *adapter;
	HANDLE file;
	IND2CompletionQueue *inbound;
	IND2CompletionQueue *outbound;
	IND2QueuePair *qp;
	IND2Connector *connector;
	IND2MemoryRegion *mr;
	ULONG token;     /**< local */
	uint8_t *memory; /**< registered, LOOP_PATH_MTU bytes */
};

struct spi_loop {
	struct loop_pair under;
	struct spi_loop_side side[2];
	IND2MemoryWindow *window; /**< of side 1's memory */
	UINT32 token;             /**< remote, of the window */
};

/** What side 0 asks of side 1. */
enum spi_loop_operation {
	SPI_LOOP_WRITE,
	SPI_LOOP_SEND, /**< each takes a receive of side 1, which is posted before */
};

/**
 * Open and connect; EAL is running. Once per process.
 * @param repeatable as of a loop_pair; then no thread works for the adapters but the caller's
 */
void spi_loop_open(struct spi_loop *loop, bool repeatable);

/** An entry of a side's memory. @param bytes at most LOOP_PATH_MTU */
ND2_SGE spi_loop_sge(const struct spi_loop_side *side, ULONG bytes);

/** As loop_operation_run(): results of both sides are waited for. @param count <= LOOP_DEPTH_MAX */
void spi_loop_run(
	struct spi_loop *loop, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

/** Let both adapters work until there is nothing to do. */
void spi_loop_quiet(struct spi_loop *loop);

#endif
