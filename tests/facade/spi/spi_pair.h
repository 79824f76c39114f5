/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_SPI_PAIR_H
#define NDPDK_SPI_SPI_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <ndpdk/ndspi_support.h>

/*
 * Two adapters of one process, connected by rings. Each adapter has the objects for a connection of
 * version 2. Side 0 connects, and side 1 listens. Any unexpected result fails the test.
 */

#define SPI_PAIR_BYTES      65536
#define SPI_PAIR_QUEUES_MAX 4

struct spi_side {
	struct sockaddr_storage address; /**< address with port 0 */
	IND2Adapter *adapter;
	HANDLE file;
	IND2CompletionQueue *cq;
	IND2MemoryRegion *mr;
	IND2MemoryWindow *mw;
	IND2QueuePair *qp;
	IND2Connector *connector;
	uint8_t *memory; /**< memory of SPI_PAIR_BYTES, registered as mr */
	ULONG token;     /**< local token of mr */
};

struct spi_pair {
	struct spi_side side[2];
	IND2Listener *listener;
	struct sockaddr_storage listening;
};

#define SPI_PAIR_CONTEXT(side) ((void *)(uintptr_t)(0x100 + (side)))

/** Create two ports, and put the configuration of two adapters into the environment. */
void spi_pair_configure(void);

/**
 * Like spi_pair_configure(), with additional settings for both adapters.
 *
 * @param options "key = value; key = value"
 * @param queues queues of each port, 1 .. SPI_PAIR_QUEUES_MAX, the maximum number of engines
 */
void spi_pair_configure_with(const char *options, unsigned int queues);

/** Open both adapters, and create all objects except connectors. */
void spi_pair_open(struct spi_pair *pair);

/** Open one side. NdStartup() must have been called. The other side may be in another process. */
void spi_pair_side_open(struct spi_pair *pair, unsigned int side);

/** Create connectors, and connect the queue pairs of both sides. */
void spi_pair_connect(struct spi_pair *pair);

/** Listen on side 1, and get side 0's request in side 1's connector. *connect stays pending. */
void spi_pair_request(struct spi_pair *pair, OVERLAPPED *connect);

void spi_pair_listen(struct spi_pair *pair);
IND2Connector *spi_pair_connector(struct spi_pair *pair, unsigned int side);
IND2QueuePair *spi_pair_queue_pair(struct spi_pair *pair, unsigned int side, ULONG depth);

/** Release all objects of the pair that are not NULL. */
void spi_pair_close(struct spi_pair *pair);

/** @return time at which a wait that begins now shall fail */
struct timespec spi_pair_deadline(void);
bool spi_pair_is_late(const struct timespec *deadline);
/** Wait until an operation ends. @param status return value of the call @return final status */
HRESULT spi_pair_finish(void *object, HRESULT status, OVERLAPPED *overlapped);

ND2_RESULT spi_pair_result(IND2CompletionQueue *cq);

/** Wait for a result. Fail unless it has this type and context. @return its status */
HRESULT spi_pair_expect(IND2CompletionQueue *cq, ND2_REQUEST_TYPE type, void *context);

/** Fail if a result arrives in the queue within a short time. */
void spi_pair_quiet(IND2CompletionQueue *cq);

ND2_SGE spi_pair_sge(const struct spi_side *side, size_t offset, ULONG bytes);

#endif
