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
 * Two adapters of one process, joined by rings, and what a connection of version 2 needs on each.
 * Side 0 connects, side 1 listens. Anything unexpected fails the test.
 */

#define SPI_PAIR_BYTES      65536
#define SPI_PAIR_QUEUES_MAX 4

struct spi_side {
	struct sockaddr_storage address; /**< port 0 */
	IND2Adapter *adapter;
	HANDLE file;
	IND2CompletionQueue *cq;
	IND2MemoryRegion *mr;
	IND2MemoryWindow *mw;
	IND2QueuePair *qp;
	IND2Connector *connector;
	uint8_t *memory; /**< SPI_PAIR_BYTES, registered as mr */
	ULONG token;     /**< local */
};

struct spi_pair {
	struct spi_side side[2];
	IND2Listener *listener;
	struct sockaddr_storage listening; /**< address of the listener */
};

/** Contexts of the queue pairs of both sides. */
#define SPI_PAIR_CONTEXT(side) ((void *)(uintptr_t)(0x100 + (side)))

/** Make the ports, and a configuration of two adapters in the environment. */
void spi_pair_configure(void);

/**
 * The same, with more settings of both adapters.
 *
 * @param options "key = value; key = value"
 * @param queues of each port, 1 .. SPI_PAIR_QUEUES_MAX: as many engines are possible
 */
void spi_pair_configure_with(const char *options, unsigned int queues);

/** Open adapters, and make everything but connectors. */
void spi_pair_open(struct spi_pair *pair);

/** The same for one side, after NdStartup(): the other one may be in another process. */
void spi_pair_side_open(struct spi_pair *pair, unsigned int side);

/** Make connectors, and connect the queue pairs. */
void spi_pair_connect(struct spi_pair *pair);

/** Listen on side 1, and bring a request of side 0 to side 1's connector; *connect is pending. */
void spi_pair_request(struct spi_pair *pair, OVERLAPPED *connect);

void spi_pair_listen(struct spi_pair *pair);
IND2Connector *spi_pair_connector(struct spi_pair *pair, unsigned int side);
IND2QueuePair *spi_pair_queue_pair(struct spi_pair *pair, unsigned int side, ULONG depth);

/** Release everything that is not NULL. */
void spi_pair_close(struct spi_pair *pair);

/** @return when a test that still waits for something has failed */
struct timespec spi_pair_deadline(void);
bool spi_pair_is_late(const struct timespec *deadline);
/** Wait for an operation whose call has returned status. @return what it ended with */
HRESULT spi_pair_finish(void *object, HRESULT status, OVERLAPPED *overlapped);

/** Wait for a result. */
ND2_RESULT spi_pair_result(IND2CompletionQueue *cq);

/** Wait for a result; check its kind and context. @return its status */
HRESULT spi_pair_expect(IND2CompletionQueue *cq, ND2_REQUEST_TYPE type, void *context);

/** Nothing comes from the queue for a while. */
void spi_pair_quiet(IND2CompletionQueue *cq);

/** An entry of a side's memory. */
ND2_SGE spi_pair_sge(const struct spi_side *side, size_t offset, ULONG bytes);

#endif
