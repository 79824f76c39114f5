/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_SPI_LOOP_H
#define NDPDK_BENCH_SPI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/ndspi_support.h>

#include "loop_pair.h"

/*
 * A connected pair of adapters, used through the interfaces of Network Direct version 2. The
 * adapters are created like those of a loop_pair, because they may have to be repeatable. Then they
 * are passed to the interfaces. Side 0 posts requests. It may access the memory of side 1 through a
 * window. Each failure ends the process.
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
	IND2MemoryWindow *window;
	UINT32 token; /**< remote token (key) of the window */
};

enum spi_loop_operation {
	SPI_LOOP_WRITE,
	SPI_LOOP_SEND, /**< A SEND consumes a receive, which side 1 posts before the SEND. */
};

/**
 * Open and connect. EAL must be running. Call once per process.
 * @param repeatable see loop_pair; if set, only the caller's thread runs the adapters
 */
void spi_loop_open(struct spi_loop *loop, bool repeatable);

/** @return scatter/gather entry for the memory of a side. @param bytes at most LOOP_PATH_MTU */
ND2_SGE spi_loop_sge(const struct spi_loop_side *side, ULONG bytes);

/**
 * Post requests, and wait for the results of both sides, like loop_operation_run().
 * @param count at most LOOP_DEPTH_MAX
 */
void spi_loop_run(
	struct spi_loop *loop, enum spi_loop_operation operation, uint32_t bytes, uint32_t count);

void spi_loop_quiet(struct spi_loop *loop);

#endif
