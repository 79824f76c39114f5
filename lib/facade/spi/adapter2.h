/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_ADAPTER2_H
#define NDPDK_SPI_ADAPTER2_H

#include "spi/adapter.h"

extern const struct spi_class spi_adapter2_class;

/**
 * Open an adapter of version 2.
 *
 * @param out not NULL; unchanged on failure
 * @return ND_SUCCESS; E_NOINTERFACE; ND_NO_MEMORY; as spi_device_open()
 */
HRESULT spi_adapter2_open(struct spi_device *device, REFIID iid, VOID **out);

#endif
