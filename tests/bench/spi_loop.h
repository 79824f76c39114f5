/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SPI_LOOP_H
#define NDPDK_BENCH_SPI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/ndspi_support.h>

#include "loop_pair.h"

/*
 * A connected pair of adapters through the interfaces of Network Direct, version 2. The adapters
 * are created as for a loop_pair, so they can be repeatable, and then passed to the interfaces.
 * Side 0 posts requests and may access side 1's memory through a window. Every failure ends the
 * process.
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
	ULONG token;     /**< local token of mr */
	uint8_t *memory; /**< registered, LOOP_PATH_MTU bytes */
};

struct spi_loop {
	struct loop_pair under;
	struct spi_loop_side side[2];
	IND2MemoryWindow *window; /**< window of side 1's memory */
	UINT32 token;             /**< remote token of the window */
};

/** Operation that side 0 posts. */
enum spi_loop_operation {
	SPI_LOOP_WRITE,
	SPI_LOOP_SEND, /**< each SEND consumes a receive of side 1, posted before */
};

/**
 * Open and connect. EAL must be running. Call once per process.
 * @param repeatable as in loop_pair; if set, only the caller's thread runs the adapters
 */
void spi_loop_open(struct spi_loop *loop, bool repeatable);

/** @return entry for a side's memory. @param bytes at most LOOP_PATH_MTU */
ND2_SGE spi_loop_sge(const struct spi_loop_side *side, ULONG bytes);

/** As loop_operation_run(): waits for results of both sides. @param count <= LOOP_DEPTH_MAX */
void spi_loop_run(
	struct spi_loop *loop, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

/** Run both adapters until they are idle. */
void spi_loop_quiet(struct spi_loop *loop);

#endif
