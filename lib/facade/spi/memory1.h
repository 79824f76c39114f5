/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_MEMORY1_H
#define NDPDK_SPI_MEMORY1_H

#include "spi/adapter1.h"
#include "spi/memory.h"

struct spi_mw1 {
	struct spi_mw mw;
	struct spi_window_context *invalidated;
};

extern const struct spi_class spi_mw1_class;

/** INDAdapter::RegisterMemory. A memory handle of version 1 is the native handle. */
HRESULT spi_memory1_register(INDAdapter *self, const void *buffer, SIZE_T bytes,
	OVERLAPPED *overlapped, ND_MR_HANDLE *handle);

/** INDAdapter::DeregisterMemory */
HRESULT spi_memory1_deregister(INDAdapter *self, ND_MR_HANDLE handle, OVERLAPPED *overlapped);

/**
 * Called when the adapter is destroyed: deregister the memory that the application has not
 * deregistered.
 */
void spi_memory1_end(struct spi_adapter1 *adapter);

/** INDAdapter::CreateMemoryWindow */
HRESULT spi_mw1_create(INDAdapter *self, ND_RESULT *invalidated, INDMemoryWindow **out);

/**
 * Called after an endpoint and its queued binds no longer exist: release native windows that could
 * not be released before.
 */
void spi_mw1_release_left(void);

#endif
