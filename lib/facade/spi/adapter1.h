/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ADAPTER1_H
#define NDPDK_SPI_ADAPTER1_H

#include "spi/adapter.h"

struct spi_adapter1 {
	struct spi_adapter adapter;
	pthread_mutex_t lock; /**< protects registered; callbacks do not take this lock */
	/** Memory that this adapter object has registered: a tsearch() tree of native handles. */
	void *registered;
};

extern const struct spi_class spi_adapter1_class;

/**
 * Open an adapter of version 1.
 *
 * @param adapter not NULL; unchanged on failure
 * @return ND_SUCCESS; ND_NO_MEMORY; statuses of spi_device_open()
 */
HRESULT spi_adapter1_open(struct spi_device *device, INDAdapter **adapter);

#endif
